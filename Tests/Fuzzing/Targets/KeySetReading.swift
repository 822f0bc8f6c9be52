import JOSE
import JSON
import OpenIDConnect

/// An issuer's keys: with any but the right one among them a token must not be accepted.
enum KeySetReading {
    static func run(_ bytes: [UInt8]) {
        guard let keys = try? KeySet(parsing: bytes) else { return }
        let elements = (try? JSONValue(parsing: bytes))?.object?["keys"]?.array ?? []
        check(keys.count <= elements.count, "a key from nowhere")
        let isThere = elements.contains { $0.object?["n"]?.string?.hasSuffix(SignedExample.modulus) ?? false }
        for token in [SignedExample.token, elliptic] {
            do throws(JOSEError) {
                _ = try keys.verify(token, allowed: Set(SignatureAlgorithm.allCases))
                check(isThere && token == SignedExample.token, "a token was accepted by a key that did not sign it")
            } catch {
                check(!error.description.isEmpty, "an error without words")
            }
        }
    }

    /// Of the form that asks for a key on a curve; nobody signed it.
    private static let elliptic =
        Base64URL.encode(#"{"alg":"ES256","kid":"k1"}"#.utf8) + "." + Base64URL.encode("{}".utf8) + "."
        + Base64URL.encode([UInt8](repeating: 7, count: 64))
}
