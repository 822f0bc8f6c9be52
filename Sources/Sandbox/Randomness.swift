import Glibc
import OpenIDConnect

/// Values that nobody guesses.
enum Randomness {
    /// From the kernel.
    static func bytes(_ count: Int) -> [UInt8] {
        var generator = SystemRandomNumberGenerator()
        return (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
    }

    /// 256 bits in 43 letters.
    static func token() -> String {
        Base64URL.encode(bytes(32))
    }

    /// Six digits, as a mail would bring them.
    static func digits() -> String {
        let number = String(UInt32.random(in: 0..<1_000_000))
        return String(repeating: "0", count: 6 - number.count) + number
    }

    /// Eight consonants in two groups: no word can come of it (RFC 8628 section 6.1).
    static func userCode() -> String {
        let letters = Array("BCDFGHJKLMNPQRSTVWXZ")
        let picked = (0..<8).map { _ in letters[Int.random(in: 0..<letters.count)] }
        return String(picked[..<4]) + "-" + String(picked[4...])
    }
}
