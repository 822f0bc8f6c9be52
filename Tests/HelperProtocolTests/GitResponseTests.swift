import HelperProtocol
import Sensitive
import Testing

@Suite struct GitResponseTests {
    private func full() -> GitResponse {
        var response = GitResponse()
        response.username = bytes("u")
        response.password = Secret("p")
        response.passwordExpiry = 5
        response.oauthRefreshToken = Secret("r")
        response.authtype = bytes("Bearer")
        response.credential = Secret("c")
        response.isEphemeral = true
        response.state = "s"
        response.isContinued = true
        return response
    }

    private func text(_ response: GitResponse, _ capabilities: GitCapabilities) throws -> String {
        String(decoding: try response.serialized(for: capabilities), as: UTF8.self)
    }

    @Test func ordersAndGates() throws {
        let basic = "username=u\npassword=p\noauth_refresh_token=r\npassword_expiry_utc=5\n"
        let typed = "authtype=Bearer\ncredential=c\nephemeral=1\n"
        let state = "continue=1\nstate[]=mojoauth:s\n"
        #expect(try text(full(), []) == basic)
        #expect(try text(full(), .authtype) == "capability[]=authtype\n" + typed + basic)
        #expect(try text(full(), .state) == "capability[]=state\n" + basic + state)
        #expect(
            try text(full(), [.authtype, .state])
                == "capability[]=authtype\ncapability[]=state\n" + typed + basic + state)
    }

    @Test func aMissIsSilent() throws {
        var response = GitResponse()
        #expect(try text(response, [.authtype, .state]) == "")
        response.state = "s"
        response.username = bytes("u")
        #expect(try text(response, [.authtype, .state]) == "")
        response.authtype = bytes("Bearer")
        response.credential = Secret("c")
        #expect(try text(response, .state) == "")
        response.credential = nil
        #expect(try text(response, .authtype) == "")
    }

    @Test func anEmptyPasswordIsAnAnswer() throws {
        var response = GitResponse()
        response.username = []
        response.password = Secret("")
        #expect(try text(response, []) == "username=\npassword=\n")
    }

    @Test func quit() throws {
        #expect(try text(.quit, []) == "quit=1\n")
        #expect(GitResponse.capabilityAnnouncement == "version 0\ncapability authtype\ncapability state\n")
    }

    @Test func aTokenGoesAsBearerWhereGitCanSendOne() throws {
        let token = Secret("t")
        let typed = GitResponse(token: token, username: "oauth2", expiry: 9, for: .authtype)
        #expect(try text(typed, .authtype) == "capability[]=authtype\nauthtype=Bearer\ncredential=t\nephemeral=1\n")
        let basic = GitResponse(token: token, username: "oauth2", expiry: 9, for: .state)
        #expect(try text(basic, .state) == "username=oauth2\npassword=t\npassword_expiry_utc=9\n")
    }

    @Test func bytesGoOutAsTheyCameIn() throws {
        let all = (UInt8(1)...255).filter { $0 != 0x0A && $0 != 0x0D }
        var response = GitResponse()
        response.password = Secret(all)
        #expect(try response.serialized(for: []) == bytes("password=") + all + [0x0A])
    }

    struct BadRow: Sendable, CustomTestStringConvertible {
        let name: String
        let reason: GitProtocolError.Reason
        let change: @Sendable (inout GitResponse) -> Void
        var testDescription: String { name }
    }

    @Test(arguments: [
        BadRow(name: "LF in the password", reason: .unsafeValue(key: "password")) { $0.password = Secret("a\nquit=1") },
        BadRow(name: "CR in the password", reason: .unsafeValue(key: "password")) { $0.password = Secret("a\r") },
        BadRow(name: "NUL in the password", reason: .unsafeValue(key: "password")) { $0.password = Secret("a\u{0}b") },
        BadRow(name: "LF in the username", reason: .unsafeValue(key: "username")) { $0.username = bytes("a\nb") },
        BadRow(name: "LF in the credential", reason: .unsafeValue(key: "credential")) { $0.credential = Secret("\n") },
        BadRow(name: "CR in the authtype", reason: .unsafeValue(key: "authtype")) { $0.authtype = bytes("B\r") },
        BadRow(name: "NUL in the refresh token", reason: .unsafeValue(key: "oauth_refresh_token")) {
            $0.oauthRefreshToken = Secret("\u{0}")
        },
        BadRow(name: "LF in the state", reason: .unsafeValue(key: "state[]")) { $0.state = "a\nhost=b" },
        BadRow(name: "long password", reason: .lineTooLong(key: "password")) {
            $0.password = Secret([UInt8](repeating: 0x61, count: 65535 - "password=".utf8.count))
        },
        BadRow(name: "long credential", reason: .lineTooLong(key: "credential")) {
            $0.credential = Secret([UInt8](repeating: 0x61, count: 1 << 20))
        },
        BadRow(name: "long state", reason: .lineTooLong(key: "state[]")) {
            $0.state = String(repeating: "s", count: 65535)
        },
    ])
    func refuses(row: BadRow) {
        var response = full()
        row.change(&response)
        let error = #expect(throws: GitProtocolError.self) { try response.serialized(for: [.authtype, .state]) }
        #expect(error?.reason == row.reason)
    }

    @Test func theLongestLineIsStillWhole() throws {
        var response = GitResponse()
        response.password = Secret([UInt8](repeating: 0x61, count: 65535 - "password=\n".utf8.count))
        #expect(try response.serialized(for: []).count == 65535)
    }
}
