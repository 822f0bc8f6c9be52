import HelperCommands
import HelperProtocol
import OpenIDConnect
import Sensitive
import Testing

/// What docker hands back for a server of ours: our own token is taken without a word, anything else is refused.
@Suite struct DockerStoreTests {
    private static let hosts = "[host registry]\nurl=https://registry.example.com\n"

    struct Row: Sendable, CustomTestStringConvertible {
        var name: String
        var secret: String
        var isOurs: Bool
        var hasLogin = true
        var testDescription: String { name }
    }

    /// `{"alg":"none"}`, the claims, and a signature that nobody looks at.
    private static func token(issuer: String) -> String {
        let parts = [#"{"alg":"RS256"}"#, #"{"iss":"\#(issuer)","sub":"alice"}"#].map {
            Base64URL.encode(Array($0.utf8))
        }
        return parts.joined(separator: ".") + ".c2ln"
    }

    private static let rows: [Row] = [
        Row(name: "opaque token of the login", secret: Fixtures.token, isOurs: true),
        Row(name: "token for an audience", secret: "audience-token", isOurs: true),
        Row(name: "ID token without claims of ours", secret: "id-token", isOurs: true),
        Row(name: "token of our issuer, renewed meanwhile", secret: token(issuer: Fixtures.issuer), isOurs: true),
        Row(
            name: "token of our issuer, no login", secret: token(issuer: Fixtures.issuer), isOurs: true, hasLogin: false
        ),
        Row(name: "opaque token, no login", secret: Fixtures.token, isOurs: false, hasLogin: false),
        Row(name: "the refresh token, which no host is given", secret: "refresh-token", isOurs: false),
        Row(name: "token of another issuer", secret: token(issuer: "https://other.example"), isOurs: false),
        Row(name: "a beginning of the token", secret: String(Fixtures.token.dropLast()), isOurs: false),
        Row(name: "the token and more", secret: Fixtures.token + "x", isOurs: false),
        Row(name: "the token with a line end", secret: Fixtures.token + "\\n", isOurs: false),
        Row(name: "in capitals", secret: Fixtures.token.uppercased(), isOurs: false),
        Row(name: "a password", secret: "hunter2", isOurs: false),
        Row(name: "nothing", secret: "", isOurs: false),
    ]

    private static func login() -> AuthState {
        var login = Fixtures.login()
        login.storedIDToken = Secret("id-token")
        login.storedTargetTokens[TokenTarget(audience: "build")] = .init(
            secret: Secret("audience-token"), receivedAt: Fixtures.now, expiresAt: Fixtures.now + 60)
        return login
    }

    @Test(arguments: rows) func takesOurTokenAlone(_ row: Row) throws {
        let context = try Fixtures.context(
            hosts: Self.hosts, caller: .docker, login: row.hasLogin ? Self.login() : nil)
        let object = #"{"ServerURL":"registry.example.com","Username":"oauth2","Secret":"\#(row.secret)"}"#
        do throws(DockerError) {
            let answer = try DockerCommand(context: context).perform("store", Array(object.utf8))
            #expect(row.isOurs && answer.isEmpty)
        } catch {
            #expect(!row.isOurs)
            #expect(
                error.line
                    == "registry.example.com is served by profile default; to store another secret, first run 'mojoauth-credential unconfigure docker registry.example.com'\n"
            )
        }
    }

    /// After an error ended the login docker may still hand the old token back.
    @Test func tokenOfAnEndedLoginIsStillKnown() throws {
        var login = Self.login()
        login.authorizationError = .init(domain: "token", code: "invalid_grant", text: nil)
        #expect(login.holds(Secret(Fixtures.token)))
        #expect(!login.holds(Secret("refresh-token")))
    }
}
