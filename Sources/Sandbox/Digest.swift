import CGLib

/// SHA-256 by GLib.
enum Digest {
    static func sha256(_ bytes: [UInt8]) -> [UInt8] {
        let checksum = g_checksum_new(G_CHECKSUM_SHA256)
        defer { g_checksum_free(checksum) }
        g_checksum_update(checksum, bytes, gssize(bytes.count))
        var digest = [UInt8](repeating: 0, count: 32)
        var length: gsize = 32
        g_checksum_get_digest(checksum, &digest, &length)
        return digest
    }

    /// Keyed (RFC 2104), for the one forgery that wants it.
    static func hmacSHA256(key: [UInt8], _ bytes: [UInt8]) -> [UInt8] {
        let keyed = g_hmac_new(G_CHECKSUM_SHA256, key, gsize(key.count))
        defer { g_hmac_unref(keyed) }
        g_hmac_update(keyed, bytes, gssize(bytes.count))
        var digest = [UInt8](repeating: 0, count: 32)
        var length: gsize = 32
        g_hmac_get_digest(keyed, &digest, &length)
        return digest
    }

    /// Standard base64, as a Content-Security-Policy wants it.
    static func base64(_ bytes: [UInt8]) -> String {
        let text = g_base64_encode(bytes, gsize(bytes.count))
        defer { g_free(text) }
        return text.map { String(cString: $0) } ?? ""
    }

    /// Standard base64 with its padding; nil for anything else.
    static func decodeBase64(_ text: String) -> [UInt8]? {
        var length: gsize = 0
        guard let decoded = g_base64_decode(text, &length) else { return nil }
        defer { g_free(decoded) }
        let bytes = Array(UnsafeBufferPointer(start: decoded, count: Int(length)))
        // GLib skips what is not base64: only what comes out the same again was spelled properly.
        return base64(bytes) == text ? bytes : nil
    }
}
