import HelperProtocol
import Sensitive
import Testing

@Suite struct GitItemTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let text: String
        let attributes: [String: String]
        var testDescription: String { text }
    }

    @Test(arguments: [
        Row(text: "protocol=https\nhost=a\n", attributes: ["protocol": "https", "server": "a"]),
        Row(
            text: "protocol=https\nhost=a:8443\npath=p\nusername=u\n",
            attributes: ["protocol": "https", "server": "a", "port": "8443", "object": "p", "user": "u"]),
        Row(
            text: "protocol=https\nhost=a\nusername=\npath=\n",
            attributes: ["protocol": "https", "server": "a", "user": "", "object": ""]),
        Row(text: "protocol=http\nhost=[::1]\n", attributes: ["protocol": "http", "server": "[::1]"]),
        Row(text: "protocol=http\nhost=[::1]:80\n", attributes: ["protocol": "http", "server": "[::1]", "port": "80"]),
        Row(text: "protocol=https\nhost=a:\n", attributes: ["protocol": "https", "server": "a:"]),
        Row(text: "protocol=https\nhost=a:080\n", attributes: ["protocol": "https", "server": "a:080"]),
        Row(text: "protocol=https\nhost=a:0\n", attributes: ["protocol": "https", "server": "a:0"]),
        Row(text: "protocol=https\nhost=a:65536\n", attributes: ["protocol": "https", "server": "a:65536"]),
        Row(text: "protocol=https\nhost=a:b\n", attributes: ["protocol": "https", "server": "a:b"]),
        Row(text: "protocol=cert\nhost=\npath=k\n", attributes: ["protocol": "cert", "server": "", "object": "k"]),
        Row(text: "protocol=cert\npath=k\npassword=x\n", attributes: ["protocol": "cert", "object": "k"]),
    ])
    func attributesThereAndBack(row: Row) throws {
        let credential = try git(row.text)
        #expect(GitStoredItem.attributes(for: credential) == row.attributes)
        let back = GitStoredItem.credential(attributes: row.attributes, secret: nil)
        #expect(credential.matches(back) && back.matches(credential) && back.password == nil)
    }

    @Test func attributesMustBeText() throws {
        let request = try GitRequest(parsing: bytes("protocol=https\nhost=a\nusername=") + [0xE9, 0x0A])
        #expect(GitStoredItem.attributes(for: request.credential) == nil)
        #expect(GitTypedItem.attributes(for: request.credential) == nil)
        #expect(GitTypedItem.searchAttributes(for: request.credential) == nil)
    }

    @Test func label() throws {
        #expect(GitStoredItem.label(for: try git("protocol=https\nhost=a:1\npath=p\n")) == "Git: https://a:1/p")
        #expect(GitStoredItem.schemaNames.contains(GitStoredItem.schemaName))
    }

    @Test(arguments: [
        ("password=p\n", "p"), ("password=\n", ""), ("password= p \n", " p "),
        ("password=p\npassword_expiry_utc=5\n", "p\npassword_expiry_utc=5"),
        ("password=p\noauth_refresh_token=r=s\n", "p\noauth_refresh_token=r=s"),
        (
            "password=p\noauth_refresh_token=r\npassword_expiry_utc=5\n",
            "p\npassword_expiry_utc=5\noauth_refresh_token=r"
        ),
    ])
    func secretsThereAndBack(text: String, secret: String) throws {
        let credential = try git(text)
        #expect(GitStoredItem.secret(for: credential) == Secret(secret))
        #expect(GitStoredItem.credential(attributes: [:], secret: Secret(secret)) == credential)
    }

    @Test(arguments: [
        ("p\n", "p", nil as Int?, nil as String?), ("p\nx=y\noauth_refresh_token=r\n\n", "p", nil, "r"),
        ("p\npassword_expiry_utc=soon", "p", nil, nil), ("p\npassword_expiry_utc=", "p", nil, nil),
        ("p\n password_expiry_utc=5", "p", nil, nil), ("p\noauth_refresh_token", "p", nil, nil),
        ("password_expiry_utc=5", "password_expiry_utc=5", nil, nil), ("\npassword_expiry_utc=5", "", 5, nil),
        ("p\npassword_expiry_utc=5\npassword_expiry_utc=6", "p", 6, nil), ("", "", nil, nil),
    ])
    func readsOddSecrets(text: String, password: String, expiry: Int?, token: String?) {
        let credential = GitStoredItem.credential(attributes: [:], secret: Secret(text))
        #expect(credential.password == Secret(password) && credential.passwordExpiry == expiry)
        #expect(credential.oauthRefreshToken == token.map { Secret($0) })
    }

    @Test func noSecretWithoutAPassword() throws {
        #expect(GitStoredItem.secret(for: try git("username=u\n")) == nil)
    }

    @Test func typedItemsThereAndBack() throws {
        for text in [
            "protocol=https\nhost=a\nauthtype=Bearer\ncredential=c\n",
            "protocol=https\nhost=a:1\npath=\nusername=\nauthtype=Digest\ncredential=\n",
            "protocol=https\nhost=a\npath=p\nusername=u\npassword=é\"\nauthtype=B\ncredential=c\\\npassword_expiry_utc=5\n"
                + "oauth_refresh_token=r\n",
        ] {
            let credential = try git(text)
            let secret = try #require(GitTypedItem.secret(for: credential))
            #expect(GitTypedItem.credential(secret: secret) == credential)
        }
    }

    @Test func typedAttributes() throws {
        let credential = try git("protocol=https\nhost=a:1\nauthtype=Bearer\ncredential=c\n")
        let base = ["application": "mojoauth-credential", "kind": "git-credential", "protocol": "https", "host": "a:1"]
        #expect(GitTypedItem.searchAttributes(for: credential) == base)
        #expect(
            GitTypedItem.attributes(for: credential)
                == base.merging(["path": "", "username": ""]) { first, _ in first })
    }

    @Test(arguments: [
        "", "x", "{}", "[]", #"{"version":2,"authtype":"B","credential":"c"}"#, #"{"version":1,"authtype":"B"}"#,
        #"{"version":1,"credential":"c"}"#, #"{"version":1,"authtype":1,"credential":"c"}"#,
        #"{"authtype":"B","credential":"c"}"#, #"{"version":1,"version":1,"authtype":"B","credential":"c"}"#,
    ])
    func refusesOtherTypedItems(text: String) {
        #expect(GitTypedItem.credential(secret: Secret(text)) == nil)
    }

    @Test func typedItemsMustBeText() throws {
        let request = try GitRequest(parsing: bytes("protocol=https\nhost=a\nauthtype=B\ncredential=") + [0xFF, 0x0A])
        #expect(GitTypedItem.secret(for: request.credential) == nil)
        #expect(GitTypedItem.secret(for: try git("protocol=https\nhost=a\nauthtype=B\n")) == nil)
    }
}
