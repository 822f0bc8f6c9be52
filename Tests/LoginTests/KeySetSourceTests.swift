import JOSE
import JSON
import Login
import OpenIDConnect
import Testing
import WebAddress

/// How often a token makes us ask for the issuer's keys.
@Suite struct KeySetSourceTests {
    private let loop = EventLoop()

    @Test func aSecondUnknownKeyFetchesNothing() throws {
        let issuer = try FakeIssuer(loop: loop)
        let source = try source(issuer)
        let known = try issuer.idToken(nonce: nil)
        #expect(try source.verify(known, allowed: [.es256]).header.keyID == "k1")
        #expect(issuer.paths().count == 1)

        try issuer.rotateKey()
        let unknown = try issuer.idToken(nonce: nil)
        for _ in 1...3 {
            #expect(throws: IDTokenFailure.self) { try source.verify(unknown, allowed: [.es256]) }
        }
        #expect(issuer.paths() == ["/.well-known/jwks.json", "/.well-known/jwks.json"])
        // The keys that were there are still good.
        #expect(try source.verify(known, allowed: [.es256]).header.keyID == "k1")
        #expect(issuer.paths().count == 2)
    }

    @Test func aBadSignatureFetchesNothing() throws {
        let issuer = try FakeIssuer(loop: loop)
        let source = try source(issuer)
        let token = try issuer.idToken(nonce: nil)
        let forged = String(token.dropLast(8)) + "AAAAAAAA"
        #expect(throws: IDTokenFailure.self) { try source.verify(forged, allowed: [.es256]) }
        #expect(issuer.paths().count == 1)
    }

    private func source(_ issuer: FakeIssuer) throws -> KeySetSource {
        let url = try #require(WebURL(issuer.url + "/.well-known/jwks.json"))
        return KeySetSource(url, http: try HTTPClient(HTTPSettings(), loop: loop))
    }
}
