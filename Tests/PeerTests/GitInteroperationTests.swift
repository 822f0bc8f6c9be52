import TestSupport
import Testing

/// Credentials of foreign hosts: what git-credential-libsecret keeps is ours to find, replace and erase, and the other
/// way round, so that a person can go from one to the other and back without typing a password again.
@Suite(.serialized, .clients) struct GitInteroperationTests {
    struct Credential: Sendable, CustomTestStringConvertible {
        var name: String
        /// Lines that describe it, without username and password.
        var place: String
        var username = "bob"
        var password = "pass word=é"
        var more = ""

        var testDescription: String { name }

        func request(password: String? = nil) -> String {
            "\(place)username=\(username)\npassword=\(password ?? self.password)\n\(more)\n"
        }

        /// What `get` is asked: without the username.
        var question: String { place + "\n" }
    }

    static let credentials: [Credential] = [
        Credential(name: "a host", place: "protocol=https\nhost=code.example.org\n"),
        Credential(name: "a port", place: "protocol=https\nhost=code.example.org:8443\n"),
        Credential(name: "a path", place: "protocol=https\nhost=code.example.org\npath=team/x.git\n"),
        Credential(name: "http", place: "protocol=http\nhost=code.example.org\n"),
        Credential(name: "mail", place: "protocol=smtp\nhost=mail.example.org:587\n"),
        Credential(name: "a certificate's path", place: "protocol=cert\npath=/home/bob/key.pem\n", username: ""),
        Credential(name: "empty username", place: "protocol=https\nhost=code.example.org\n", username: ""),
        Credential(name: "empty password", place: "protocol=https\nhost=code.example.org\n", password: ""),
        Credential(name: "a port in the name's place", place: "protocol=https\nhost=1.2.3.4:5\n"),
        Credential(name: "an upper-case host", place: "protocol=https\nhost=Code.Example.ORG\n"),
        Credential(
            name: "a token that expires", place: "protocol=https\nhost=code.example.org\n",
            more: "password_expiry_utc=4000000000\noauth_refresh_token=r=1\n"),
    ]

    private func answer(_ credential: Credential, _ password: String, tokenState: Bool) -> String {
        "username=\(credential.username)\npassword=\(password)\n"
            + (tokenState && !credential.more.isEmpty
                ? "oauth_refresh_token=r=1\npassword_expiry_utc=4000000000\n" : "")
    }

    /// The lines, in one order: git does not care for it, and the helpers differ.
    private func lines(_ outcome: Outcome) -> [String] {
        outcome.text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init).sorted()
    }

    @Test(arguments: Peer.forGit, credentials) func oursAndTheirsAreOneStore(
        _ peer: Peer, _ credential: Credential
    ) throws {
        let world = try World()
        let ours = { (operation: String, input: String) in
            try world.run("git-credential-mojoauth", [operation], input: input)
        }
        func expect(_ outcome: Outcome, _ password: String?, tokenState: Bool, _ step: String) {
            #expect(outcome.exitCode == 0 && outcome.errors.isEmpty, "\(step): \(outcome)")
            let expected = password.map { answer(credential, $0, tokenState: tokenState) } ?? ""
            let wanted = expected.split(separator: "\n", omittingEmptySubsequences: false).map(String.init).sorted()
            #expect(lines(outcome) == wanted, "\(step): \(outcome)")
        }
        let theirsHaveState = peer.keepsTokenState

        // Theirs: found, replaced, erased by ours.
        try peer.run("store", credential.request(), in: world)
        expect(try ours("get", credential.question), credential.password, tokenState: theirsHaveState, "found")
        expect(try ours("store", credential.request(password: "second")), nil, tokenState: false, "replaced")
        expect(try ours("get", credential.question), "second", tokenState: true, "read back")
        let replaced = try peer.run("get", credential.question, in: world)
        #expect(replaced.attributes["password"] == "second", "\(replaced)")
        #expect(try world.items([:]).count == 1)
        expect(try ours("erase", credential.question), nil, tokenState: false, "erased")
        #expect(try world.items([:]).isEmpty)
        #expect(try peer.run("get", credential.question, in: world).attributes["password"] == nil)

        // Ours: found, replaced, erased by theirs.
        expect(try ours("store", credential.request()), nil, tokenState: false, "stored")
        let found = try peer.run("get", credential.question, in: world)
        #expect(found.attributes["username"] == credential.username, "\(found)")
        #expect(found.attributes["password"] == credential.password, "\(found)")
        try peer.run("store", credential.request(password: "third"), in: world)
        expect(try ours("get", credential.question), "third", tokenState: theirsHaveState, "replaced by theirs")
        try peer.run("erase", credential.question, in: world)
        #expect(try world.items([:]).isEmpty)
        expect(try ours("get", credential.question), nil, tokenState: false, "erased by theirs")
    }

    /// Both helpers of git may have kept one credential, each under a schema of its own.
    @Test(arguments: [Peer.forGit, Peer.forGit.reversed()]) func newerOfTwoItemsIsAnswered(_ order: [Peer]) throws {
        let world = try World()
        let credential = try #require(Self.credentials.first)
        // An item's time has whole seconds.
        for (count, peer) in order.enumerated() {
            if count > 0 { try world.run("sleep", ["1.1"]) }
            try peer.run("store", credential.request(password: peer.rawValue), in: world)
        }
        #expect(try world.items([:]).count == 2)
        let newest = try world.run("git-credential-mojoauth", ["get"], input: credential.question)
        #expect(newest.attributes["password"] == order.last?.rawValue, "\(newest)")
        // What is replaced is replaced for both.
        try world.run("git-credential-mojoauth", ["store"], input: credential.request(password: "new"))
        for peer in order {
            let outcome = try peer.run("get", credential.question, in: world)
            #expect(outcome.attributes["password"] == "new", "\(peer): \(outcome)")
        }
        try world.run("git-credential-mojoauth", ["erase"], input: credential.question)
        #expect(try world.items([:]).isEmpty)
    }

    /// An item of another program, which happens to have the attributes of one of git's.
    @Test func itemOfAnotherProgramIsLeftAlone() throws {
        let world = try World()
        let attributes = [
            "xdg:schema": "org.example.Other", "protocol": "https", "server": "code.example.org", "user": "bob",
        ]
        try world.storeSecret("theirs", label: "other", attributes: attributes)
        let credential = try #require(Self.credentials.first)
        let miss = try world.run("git-credential-mojoauth", ["get"], input: credential.question)
        #expect(miss.exitCode == 0 && miss.output.isEmpty && miss.errors.isEmpty, "\(miss)")
        try world.run("git-credential-mojoauth", ["store"], input: credential.request(password: "ours"))
        try world.run("git-credential-mojoauth", ["erase"], input: credential.question)
        #expect(try world.secret(attributes) == "theirs")
    }
}
