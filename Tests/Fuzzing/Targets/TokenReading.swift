import JSON
import OpenIDConnect
import Sensitive
import SessionStore

/// An answer of the token endpoint, good or bad, and the login that comes of it.
enum TokenReading {
    static let now = 1_700_000_000

    static func run(_ bytes: [UInt8]) {
        guard let body = (try? JSONValue(parsing: bytes))?.object else { return }
        if let error = OAuthError(body) {
            _ = error.meaning
            check(!error.description.isEmpty, "an error without words")
        }
        if let device = try? DeviceAuthorization(body, receivedAt: now) {
            check(device.interval > 0 && device.expiresAt > now, "a pause or a lifetime that is none")
        }
        do throws(TokenResponseError) {
            take(try TokenResponse(body, receivedAt: now))
        } catch {
            check(!error.description.isEmpty, "an error without words")
        }
    }

    private static func take(_ response: TokenResponse) {
        let latest = now + TokenResponse.longestLifetime
        check((now...latest).contains(response.expiresAt), "a lifetime out of bounds")
        let isVisible = response.accessToken.withBytes { $0.allSatisfy { (0x21...0x7E).contains($0) } }
        check(isVisible && !response.accessToken.isEmpty, "a token that no header can carry")
        var state = AuthState(
            issuer: "https://issuer.example", clientID: "fuzz", redirectURI: "http://127.0.0.1/callback",
            tokenEndpoint: "https://issuer.example/token", requestedScope: "openid", response: response)
        StateReading.look(at: state)
        check(state.reject(response.accessToken), "our own token is not known")
        state.update(with: response, for: TokenTarget(audience: "fuzz"))
        StateReading.look(at: state)
    }
}
