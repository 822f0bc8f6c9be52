import JOSE
import JSON
import Login
import OpenIDConnect
import Sensitive

/// An ID token: its signature, and its claims as if that had been good.
enum JWTReading {
    private static let keys: KeySet = {
        guard let keys = try? KeySet(parsing: Array(SignedExample.keySet.utf8)) else { fatalError("no key set") }
        return keys
    }()

    static func run(_ bytes: [UInt8]) {
        let token = String(decoding: bytes, as: UTF8.self)
        do throws(JOSEError) {
            let verified = try keys.verify(token, allowed: Set(SignatureAlgorithm.allCases))
            check(token.utf8.elementsEqual(SignedExample.token.utf8), "a token that nobody signed was accepted")
            check(!verified.payload.isEmpty, "a token without claims was accepted")
        } catch {
            check(!error.description.isEmpty, "an error without words")
            check(!token.utf8.elementsEqual(SignedExample.token.utf8), "a good token was refused: \(error)")
        }
        if let claims = CompactJWT(token)?.claims {
            validate(claims)
            keep(token)
        }
    }

    private static func validate(_ claims: JSONObject) {
        MetadataReading.write(claims)
        var rules = IDTokenRules(
            issuer: "https://issuer.example", clientID: "fuzz", leeway: 60, nonce: Secret("n"), subject: "alice")
        do throws(IDTokenError) {
            try rules.validate(
                IDToken(claims), accessToken: Secret("access"), algorithm: .rs256, ceremony: .system,
                now: TokenReading.now)
            rules.maxAge = 315_360_000
            rules.authenticationContexts = ["gold"]
            rules.nonce = nil
            try rules.validate(
                IDToken(claims), accessToken: Secret("access"), algorithm: .es512, ceremony: .system,
                now: TokenReading.now)
        } catch {
            check(!error.description.isEmpty, "an error without words")
        }
    }

    /// Beside a login it is asked for its times by everybody who gets it.
    private static func keep(_ token: String) {
        // None that comes in JSON holds a NUL.
        guard !token.utf8.contains(0) else { return }
        var state = AuthState(
            issuer: "https://issuer.example", clientID: "fuzz", redirectURI: "", tokenEndpoint: "", loggedInAt: 0)
        state.storedIDToken = Secret(token)
        state.refreshToken = Secret("refresh")
        StateReading.look(at: state)
    }
}
