import HelperCommands
import HelperProtocol
import OpenIDConnect
import Program
import Sensitive
import Testing

/// A token that a host refused: renewed once, then an error that says which host and which audience.
@Suite struct RefusedTokenTests {
    private static let request = "protocol=https\nhost=git.example.com\n\n"

    private func answer(_ hosts: String, _ login: AuthState, input: String = request) throws -> GitCommand.Answer {
        let context = try Fixtures.context(hosts: hosts, caller: .git, login: login)
        return try GitCommand(GitRequest(parsing: Array(input.utf8)), context: context).perform("get")
    }

    @Test func freshTokenThatWasRefusedTooNamesHostAndAge() throws {
        var login = Fixtures.login()
        login.needsRefresh = true
        login.storedAccessToken?.replacesRefused = true
        let answer = try answer("[host git]\nurl=https://git.example.com\n", login)
        #expect(answer.output == Array("quit=1\n".utf8))
        let complaint = try #require(answer.complaint)
        #expect(
            complaint.message
                == "https://git.example.com refuses the token, which is 0 seconds old and replaced one that it had refused"
        )
        #expect(complaint.hint != nil)
    }

    @Test func audienceIsNamedWhereThereIsOne() throws {
        var login = Fixtures.login()
        var token = AuthState.AccessToken(
            secret: Secret("t"), receivedAt: Fixtures.now - 30, expiresAt: Fixtures.now + 3600)
        token.isRefused = true
        token.replacesRefused = true
        login.storedTargetTokens[TokenTarget(audience: "https://api.example")] = token
        let answer = try answer(
            "[host git]\nurl=https://git.example.com\naudience=https://api.example\n", login)
        #expect(answer.complaint?.message.hasSuffix(#"(audience "https://api.example")"#) == true)
        #expect(answer.complaint?.message.contains("30 seconds old") == true)
    }

    /// Only a git that can ask again is told to, and once it has, it is not told so again.
    @Test(arguments: [
        ("", false), ("capability[]=authtype\n", false), ("capability[]=authtype\ncapability[]=state\n", true),
        ("capability[]=state\nstate[]=other:1\n", true), ("capability[]=state\nstate[]=mojoauth:other\n", false),
    ]) func gitIsToldToAskAgainOnce(_ lines: String, _ isContinued: Bool) throws {
        let answer = try answer(
            "[host git]\nurl=https://git.example.com\n", Fixtures.login(), input: lines + Self.request)
        let text = String(decoding: answer.output, as: UTF8.self)
        #expect(text.contains("continue=1\n") == isContinued)
        #expect(text.contains("access-token"))
        #expect(text.contains("state[]=mojoauth:") == lines.contains("capability[]=state"))
    }
}
