import HelperCommands
import HelperProtocol
import Program
import Testing

/// "Who may receive a token", for the protocols that ask for one server's: whatever git would not be given, they are
/// not given either.
@Suite struct CredentialRecipientTests {
    static let rows: [(url: String, isServed: Bool)] = [
        ("https://git.example.com", true), ("https://git.example.com/a/b?c#d", true),
        ("HTTPS://GIT.example.com/", true),
        ("https://git.example.com:443/", true), ("https://git.example.com:8443/", true),
        ("https://oauth2@git.example.com/", true), ("https://@git.example.com/", true),
        ("https://x-token@named.example.com/", true), ("https://xn--bcher-kva.example/", true),
        ("https://bücher.example/", true), ("https://[2001:db8::1]:8443/", true), ("http://127.0.0.1:3000/", true),
        ("https://dot.example.com./", true),
        ("https://evil-git.example.com/", false), ("https://git.example.com.evil.example/", false),
        ("https://sub.git.example.com/", false), ("https://example.com/", false), ("https://*.example.com/", false),
        ("https://git.example.com./", false), ("https://dot.example.com/", false), ("https://bucher.example/", false),
        ("https://g\u{456}t.example.com/", false), ("https://git.example.com:8444/", false),
        ("https://git.example.com:0/", false), ("https://git.example.com:99999/", false),
        ("https://git.example.com:/", false), ("http://git.example.com/", false),
        ("http://git.example.com:443/", false),
        ("ftp://git.example.com/", false), ("ssh://git.example.com:443/", false), ("//git.example.com/", false),
        ("https://git.example.com@evil.example/", false), ("https://evil.example\\@git.example.com/", false),
        ("https://evil.example?https://git.example.com/", false), ("https://evil.example#git.example.com", false),
        ("https://evil.example/https://git.example.com", false), ("https://alice@git.example.com/", false),
        ("https://OAuth2@git.example.com/", false), ("https://oauth2:pw@git.example.com/", false),
        ("https://oauth2@named.example.com/", false), ("https://git%2eexample.com/", false),
        ("https://git.example.com%00.evil.example/", false), ("https://git.example.com\n.evil.example/", false),
        (" https://git.example.com/", false), ("https://git.example.com /", false), ("https://2130706433:3000/", false),
        ("http://localhost:3000/", false), ("https://127.0.0.1:3000/", false), ("https://[2001:db8::1]/", false),
    ]

    private func reply<Request: CredentialRequest>(
        _ type: Request.Type, _ arguments: [String], _ input: String = ""
    ) throws -> CredentialCommand<Request>.Reply {
        let context = try Fixtures.context(hosts: TokenRecipientTests.hosts, caller: .tool(.program))
        return CredentialCommand<Request>.reply(arguments, Array(input.utf8)) { (_) throws(Complaint) in context }
    }

    @Test(arguments: rows) func getsTheTokenOrNothing(_ url: String, _ isServed: Bool) throws {
        let escaped = url.replacing("\\", with: "\\\\").replacing("\n", with: "\\n")
        var outputs: [[UInt8]] = []
        outputs.append(try reply(BazelRequest.self, ["get"], "{\"uri\":\"\(escaped)\"}").output)
        outputs.append(
            try reply(
                KubernetesRequest.self, [],
                #"{"kind":"ExecCredential","apiVersion":"client.authentication.k8s.io/v1","spec":{"cluster":{"server":"\#(escaped)"}}}"#
            ).output)
        outputs.append(
            try reply(
                CargoRequest.self, ["--cargo-plugin"],
                #"{"v":1,"registry":{"index-url":"sparse+\#(escaped)"},"kind":"get"}"#
            ).output)
        outputs.append(try reply(KeyringRequest.self, ["get", url]).output)
        outputs.append(try reply(PlainTokenRequest.self, [url]).output)
        // Go takes https alone.
        if !url.hasPrefix("http:") { outputs.append(try reply(GoRequest.self, [url]).output) }
        for output in outputs {
            #expect(String(decoding: output, as: UTF8.self).contains("access-token") == isServed)
        }
    }

    @Test(arguments: [
        ("git.example.com", true), ("GIT.example.com", true), ("git.example.com:443", true),
        ("git.example.com:8443", true), ("xn--bcher-kva.example", true), ("[2001:db8::1]:8443", true),
        ("evil-git.example.com", false), ("git.example.com.evil.example", false), ("git.example.com.", false),
        ("git.example.com:8444", false), ("git.example.com:", false), ("oauth2@git.example.com", false),
        ("git.example.com@evil.example", false), ("git.example.com/x", false), ("https://git.example.com", false),
        ("127.0.0.1:3000", false), ("git%2eexample.com", false), ("*", false), ("", false),
    ]) func terraformsHostGetsTheTokenOrNothing(_ host: String, _ isServed: Bool) throws {
        let output = try reply(TerraformRequest.self, ["get", host]).output
        #expect(String(decoding: output, as: UTF8.self) == (isServed ? "{\"token\":\"access-token\"}\n" : "{}\n"))
    }

    /// Only a caller at whose other end somebody waits gets that of a person who may be asked.
    @Test func whoIsAskedForWhom() throws {
        var callers: [InteractionPolicy.Caller] = []
        func note<Request: CredentialRequest>(_ type: Request.Type, _ arguments: [String], _ input: String = "") throws
        {
            let context = try Fixtures.context(hosts: TokenRecipientTests.hosts, caller: .tool(.program))
            _ = CredentialCommand<Request>.reply(arguments, Array(input.utf8)) { (caller) throws(Complaint) in
                callers.append(caller)
                return context
            }
        }
        for interactive in ["true", "false"] {
            try note(
                KubernetesRequest.self, [],
                #"{"kind":"ExecCredential","apiVersion":"client.authentication.k8s.io/v1","spec":{"cluster":{"server":"https://git.example.com"},"interactive":\#(interactive)}}"#
            )
        }
        try note(CargoRequest.self, [], #"{"v":1,"registry":{"index-url":"https://git.example.com/"},"kind":"get"}"#)
        try note(BazelRequest.self, ["get"], #"{"uri":"https://git.example.com/"}"#)
        try note(TerraformRequest.self, ["get", "git.example.com"])
        try note(KeyringRequest.self, ["get", "https://git.example.com/"])
        try note(GoRequest.self, ["https://git.example.com/"])
        try note(PlainTokenRequest.self, ["git.example.com"])
        #expect(
            callers
                == [
                    .person, .program, .person, .hurriedProgram, .program, .program, .silentProgram, .program,
                ].map { .tool($0) })
    }

    /// An entry names the host, however wrong it is: its fault is said, and nobody takes the host for a stranger.
    @Test func aFaultyEntryIsAnError() throws {
        let context = try Fixtures.context(
            hosts: "[host git]\nurl=https://git.example\ntoken=what\n", caller: .tool(.program))
        let reply = CredentialCommand<BazelRequest>.reply(
            ["get"], Array(#"{"uri":"https://git.example/"}"#.utf8)
        ) { (_) throws(Complaint) in context }
        #expect(reply.output.isEmpty && reply.isFailure && reply.complaint?.exitCode == .configuration)
    }
}
