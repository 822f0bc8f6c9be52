import HelperProtocol
import Sensitive
import Testing
import WebAddress

func git(_ text: String) throws -> GitCredential { try GitRequest(parsing: bytes(text)).credential }

@Suite struct GitCredentialTests {
    private static let stored = "protocol=https\nhost=a:1\npath=p\nusername=u\npassword=x\n"

    struct Row: Sendable, CustomTestStringConvertible {
        let name: String
        let pattern: String
        var stored = GitCredentialTests.stored
        let matches: Bool
        var erases: Bool?
        var testDescription: String { name }
    }

    @Test(arguments: [
        Row(name: "server alone", pattern: "protocol=https\nhost=a:1\n", matches: true),
        Row(name: "with user", pattern: "protocol=https\nhost=a:1\nusername=u\n", matches: true),
        Row(name: "with path", pattern: "protocol=https\nhost=a:1\npath=p\n", matches: true),
        Row(name: "everything", pattern: stored, matches: true),
        Row(name: "other protocol", pattern: "protocol=http\nhost=a:1\n", matches: false),
        Row(name: "protocol in capitals", pattern: "protocol=HTTPS\nhost=a:1\n", matches: false),
        Row(name: "other host", pattern: "protocol=https\nhost=b:1\n", matches: false),
        Row(name: "no port", pattern: "protocol=https\nhost=a\n", matches: false),
        Row(name: "other port", pattern: "protocol=https\nhost=a:11\n", matches: false),
        Row(name: "other path", pattern: "protocol=https\nhost=a:1\npath=q\n", matches: false),
        Row(name: "path below", pattern: "protocol=https\nhost=a:1\npath=p/q\n", matches: false),
        Row(name: "empty path", pattern: "protocol=https\nhost=a:1\npath=\n", matches: false),
        Row(name: "other user", pattern: "protocol=https\nhost=a:1\nusername=v\n", matches: false),
        Row(name: "empty user", pattern: "protocol=https\nhost=a:1\nusername=\n", matches: false),
        Row(
            name: "empty user kept", pattern: "protocol=https\nhost=a\nusername=\n",
            stored: "protocol=https\nhost=a\nusername=\n", matches: true),
        Row(
            name: "user asked, none kept", pattern: "protocol=https\nhost=a\nusername=u\n",
            stored: "protocol=https\nhost=a\n", matches: false),
        Row(
            name: "path asked, none kept", pattern: "protocol=https\nhost=a\npath=p\n",
            stored: "protocol=https\nhost=a\n", matches: false),
        Row(name: "no host", pattern: "protocol=https\n", matches: false),
        Row(name: "other password", pattern: "protocol=https\nhost=a:1\npassword=y\n", matches: true, erases: false),
        Row(name: "empty password", pattern: "protocol=https\nhost=a:1\npassword=\n", matches: true, erases: false),
        Row(name: "same password", pattern: "protocol=https\nhost=a:1\npassword=x\n", matches: true, erases: true),
        Row(name: "credential", pattern: "protocol=https\nhost=a:1\ncredential=x\n", matches: true, erases: false),
        Row(
            name: "same credential", pattern: "protocol=https\nhost=a\nauthtype=Bearer\ncredential=c\n",
            stored: "protocol=https\nhost=a\nauthtype=Bearer\ncredential=c\n", matches: true, erases: true),
        Row(
            name: "other credential", pattern: "protocol=https\nhost=a\ncredential=d\n",
            stored: "protocol=https\nhost=a\nauthtype=Bearer\ncredential=c\n", matches: true, erases: false),
        Row(name: "nothing", pattern: "", stored: "", matches: true, erases: false),
        Row(name: "a password alone", pattern: "password=x\n", stored: "password=x\n", matches: true, erases: false),
    ])
    func matches(row: Row) throws {
        let pattern = try git(row.pattern)
        let stored = try git(row.stored)
        #expect(pattern.matches(stored) == row.matches)
        #expect(pattern.erases(stored) == row.erases ?? row.matches)
    }

    @Test(arguments: [
        ("protocol=https\nhost=a\n", true, false), ("protocol=https\npath=p\n", true, false),
        ("protocol=https\nhost=\n", true, false), ("protocol=https\n", false, false), ("host=a\n", false, false),
        ("protocol=\nhost=a\n", false, false), ("", false, false), ("username=u\npassword=p\n", false, false),
        ("protocol=https\nhost=a\nusername=u\npassword=p\n", true, true),
        ("protocol=https\nhost=a\nusername=\npassword=\n", true, true),
        ("protocol=https\nhost=a\nusername=u\n", true, false), ("protocol=https\nhost=a\npassword=p\n", true, false),
        ("protocol=https\nhost=a\nauthtype=Bearer\ncredential=c\n", true, true),
        ("protocol=https\nhost=a\nauthtype=Bearer\n", true, false),
        ("protocol=https\nhost=a\nauthtype=Bearer\ncredential=c\nephemeral=1\n", true, false),
        ("protocol=https\nhost=a\nusername=u\npassword=p\nephemeral=1\n", true, false),
    ])
    func saysWhatItIsGoodFor(text: String, namesServer: Bool, isStorable: Bool) throws {
        let credential = try git(text)
        #expect(credential.namesServer == namesServer && credential.isStorable == isStorable)
    }

    @Test(arguments: [
        ("protocol=https\nhost=git.example.com\n", "https://git.example.com"),
        ("protocol=https\nhost=GIT.example.com:443\n", "https://git.example.com"),
        ("protocol=HTTPS\nhost=git.example.com\n", nil),
        ("protocol=http\nhost=[::1]:8080\n", "http://[::1]:8080"),
        ("protocol=https\nhost=bücher.example\n", "https://xn--bcher-kva.example"),
        ("url=https://git%2eexample.com/x\n", "https://git.example.com"),
        ("protocol=https\nhost=git.example.com@evil.example\n", nil),
        ("protocol=https\nhost=git.example.com/x\n", nil), ("protocol=https\nhost=\n", nil),
        ("protocol=https\n", nil), ("host=a\n", nil), ("protocol=https\nhost=git%2eexample.com\n", nil),
        ("protocol=https\nhost=git.example.com:\n", nil), ("protocol=https\nhost=git.example.com:x\n", nil),
        ("protocol=https\nhost=*\n", nil), ("protocol=\nhost=a\n", nil), ("protocol=https\nhost=a b\n", nil),
        ("protocol=https\nhost=::1\n", nil),
    ])
    func knowsItsOrigin(text: String, origin: String?) throws {
        #expect(try git(text).origin?.description == origin)
    }

    @Test func bytesThatAreNoTextHaveNoOrigin() throws {
        let request = try GitRequest(parsing: bytes("protocol=https\nhost=a") + [0xFF, 0x0A])
        #expect(request.credential.origin == nil)
    }
}
