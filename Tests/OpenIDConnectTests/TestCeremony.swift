import CGLib
import OpenIDConnect

extension Ceremony {
    /// Bytes that count up from 0 in each request, and GLib's digests.
    static let fixed = Ceremony(
        randomBytes: { count in (0..<count).map { UInt8(truncatingIfNeeded: $0) } },
        digest: { function, bytes in
            switch function {
            case .sha256: checksum(G_CHECKSUM_SHA256, bytes)
            case .sha384: checksum(G_CHECKSUM_SHA384, bytes)
            case .sha512: checksum(G_CHECKSUM_SHA512, bytes)
            }
        })

    /// The same byte again and again.
    static func repeating(_ byte: UInt8) -> Ceremony {
        Ceremony(randomBytes: { [UInt8](repeating: byte, count: $0) }, digest: fixed.digest)
    }

    private static func checksum(_ type: GChecksumType, _ bytes: [UInt8]) -> [UInt8] {
        guard let text = g_compute_checksum_for_data(type, bytes, gsize(bytes.count)) else { return [] }
        defer { g_free(text) }
        let digits = Array(String(cString: text))
        return stride(from: 0, to: digits.count, by: 2).compactMap { UInt8(String(digits[$0..<$0 + 2]), radix: 16) }
    }
}
