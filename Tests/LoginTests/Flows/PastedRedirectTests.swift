import Configuration
import Foundation
import JSON
import Login
import OpenIDConnect
import Sensitive
import Testing
import WebAddress

/// A pasted redirect passes the checks of one that the browser brings (L18).
@Suite struct PastedRedirectTests {
    private let loop = EventLoop()

    private func wait(
        at uri: String = "http://127.0.0.1/callback", promisesIssuer: Bool = false
    ) throws -> (listener: LoopbackListener, state: String) {
        let listener = try LoopbackListener(binding: [#require(RedirectURI(uri))], loop: loop)
        let issuer = "https://issuer.example"
        let document: JSONValue = [
            "issuer": .string(issuer), "authorization_endpoint": .string(issuer + "/oauth/authorize"),
            "token_endpoint": .string(issuer + "/oauth2/token"), "jwks_uri": .string(issuer + "/jwks.json"),
            "authorization_response_iss_parameter_supported": .bool(promisesIssuer),
        ]
        let request = AuthorizationRequest(
            metadata: try ProviderMetadata(#require(document.object), issuer: issuer, overrides: [:]), clientID: "c",
            redirectURI: listener.redirectURI, scopes: ["openid"], parameters: FormFields(), ceremony: .system)
        _ = listener.expect(request, ceremony: .system)
        return (listener, request.state.text ?? "")
    }

    /// `$URI` and `$STATE` stand for the login's own.
    struct Row: Sendable, CustomTestStringConvertible {
        enum Outcome: Sendable {
            case notAddress, otherPlace
            case foreign(AuthorizationResponse.Foreign)
            case answer(AuthorizationResponse)
        }

        var name: String
        var pasted: String
        var outcome: Outcome

        init(_ name: String, _ pasted: String, _ outcome: Outcome) {
            (self.name, self.pasted, self.outcome) = (name, pasted, outcome)
        }

        var testDescription: String { name }
    }

    private static let code = AuthorizationResponse.code(.init("good"))
    private static let denied = AuthorizationResponse.refused(OAuthError(code: "access_denied"))
    private static let rows = [
        Row("whole", "$URI?code=good&state=$STATE", .answer(code)),
        Row("blanks around", " \t$URI?code=good&state=$STATE  ", .answer(code)),
        Row("in quotes", "\"$URI?code=good&state=$STATE\"", .answer(code)),
        Row("in angle brackets", "<$URI?code=good&state=$STATE>", .answer(code)),
        Row("with a fragment", "$URI?code=good&state=$STATE#_=_", .answer(code)),
        Row("with the issuer", "$URI?code=good&state=$STATE&iss=https%3A%2F%2Fissuer.example", .answer(code)),
        Row("a denial", "$URI?error=access_denied&state=$STATE", .answer(denied)),
        Row(
            "another issuer", "$URI?code=good&state=$STATE&iss=https%3A%2F%2Fevil.example",
            .answer(
                .unacceptable(.issuerMismatch(expected: "https://issuer.example", found: "https://evil.example")))),
        Row("words", "hello", .notAddress),
        Row("the code alone", "good", .notAddress),
        Row("quotes alone", "\"\"", .notAddress),
        Row("cut in the middle of it", "http://", .notAddress),
        Row("without the scheme", "127.0.0.1/callback?code=good&state=$STATE", .notAddress),
        Row("a NUL", "$URI?code=good&state=$STATE\0", .notAddress),
        Row("two addresses", "$URI?code=good&state=$STATE $URI?code=good&state=$STATE", .notAddress),
        Row("https", "https://127.0.0.1:$PORT/callback?code=good&state=$STATE", .otherPlace),
        Row("another name of loopback", "http://localhost:$PORT/callback?code=good&state=$STATE", .otherPlace),
        Row("another host", "http://evil.example:$PORT/callback?code=good&state=$STATE", .otherPlace),
        Row("a host behind ours", "http://127.0.0.1:$PORT@evil.example/callback?code=good&state=$STATE", .otherPlace),
        Row("user information", "http://u:p@127.0.0.1:$PORT/callback?code=good&state=$STATE", .otherPlace),
        Row("another port", "http://127.0.0.1:1/callback?code=good&state=$STATE", .otherPlace),
        Row("no port", "http://127.0.0.1/callback?code=good&state=$STATE", .otherPlace),
        Row("another path", "$URI/x?code=good&state=$STATE", .otherPlace),
        Row("a slash more", "$URI/?code=good&state=$STATE", .otherPlace),
        Row("the issuer's page", "https://issuer.example/oauth/authorize?state=$STATE", .otherPlace),
        Row("no query", "$URI", .foreign(.noState)),
        Row("no state", "$URI?code=good", .foreign(.noState)),
        Row("state in the fragment", "$URI?code=good#state=$STATE", .foreign(.noState)),
        Row("another login's state", "$URI?code=good&state=x", .foreign(.wrongState)),
        Row("a denial without our state", "$URI?error=access_denied&state=x", .foreign(.wrongState)),
        Row(
            "another issuer without our state", "$URI?code=good&state=x&iss=https%3A%2F%2Fevil.example",
            .foreign(.wrongState)),
        Row("cut before the code", "$URI?state=$STATE", .foreign(.empty)),
        Row("an empty code", "$URI?code=&state=$STATE", .foreign(.empty)),
        Row("two codes", "$URI?code=good&code=bad&state=$STATE", .foreign(.repeatedParameter("code"))),
        Row("two states", "$URI?code=good&state=$STATE&state=$STATE", .foreign(.repeatedParameter("state"))),
        Row("a broken escape", "$URI?code=%zz&state=$STATE", .notAddress),
        Row("an escaped NUL", "$URI?code=%00&state=$STATE", .foreign(.malformed)),
        Row("escapes that are no UTF-8", "$URI?code=%ff&state=$STATE", .foreign(.malformed)),
    ]

    @Test(arguments: rows)
    func checksWhatWasPasted(row: Row) throws {
        let (listener, state) = try wait()
        let text = row.pasted.replacing("$URI", with: listener.redirectURI).replacing("$STATE", with: state)
            .replacing("$PORT", with: "\(listener.port)")
        let error = listener.take(.text(text))
        switch row.outcome {
        case .notAddress: #expect(error == .notAddress(expected: listener.redirectURI))
        case .otherPlace: #expect(error == .otherPlace(expected: listener.redirectURI))
        case .foreign(let why): #expect(error == .foreign(why))
        case .answer(let answer):
            #expect(error == nil)
            #expect(listener.answer == answer)
            return
        }
        #expect(listener.answer == nil)
        let words = "not taken: \(try #require(error))"
        #expect(!words.contains("\n") && !words.contains("good") && !words.contains(state))
        // It ended nothing: the right one is still welcome.
        #expect(listener.take(.text("\(listener.redirectURI)?code=good&state=\(state)")) == nil)
        #expect(listener.answer == Self.code)
    }

    @Test func refusesALineThatWasCut() throws {
        let (listener, _) = try wait()
        #expect(listener.take(.cut) == .cut)
        #expect(listener.answer == nil)
    }

    @Test func missesAPromisedIssuer() throws {
        let (listener, state) = try wait(promisesIssuer: true)
        #expect(listener.take(.text("\(listener.redirectURI)?code=good&state=\(state)")) == nil)
        #expect(listener.answer == .unacceptable(.issuerMissing(expected: "https://issuer.example")))
    }

    @Test func theFirstAnswerCounts() throws {
        let (listener, state) = try wait()
        #expect(listener.take(.text("\(listener.redirectURI)?code=good&state=\(state)")) == nil)
        #expect(listener.take(.text("\(listener.redirectURI)?code=bad&state=\(state)")) == nil)
        #expect(listener.answer == Self.code)
    }

    @Test func knowsARedirectURIWithoutPath() throws {
        let (listener, state) = try wait(at: "http://localhost")
        #expect(listener.take(.text("http://localhost:\(listener.port)/?code=good&state=\(state)")) == nil)
        #expect(listener.answer == Self.code)
    }
}
