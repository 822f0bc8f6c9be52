import JSON
import OpenIDConnect

/// A token in JWS compact serialization (RFC 7515 section 7.1), split and decoded, nothing verified.
struct CompactJWS {
    /// More than any identity provider sends; a header line of 256 KiB passes no server either.
    static let maximumLength = 256 << 10

    let header: JWSHeader
    let payload: [UInt8]

    init(parsing token: String) throws(JOSEError) {
        guard token.utf8.count <= Self.maximumLength else {
            throw .malformed("longer than \(Self.maximumLength) bytes")
        }
        let segments = token.split(separator: ".", maxSplits: 5, omittingEmptySubsequences: false)
        if segments.count == 5 { throw .encrypted }
        guard segments.count == 3 else {
            throw .malformed("it has \(segments.count) segment\(segments.count == 1 ? "" : "s") instead of three")
        }
        header = try Self.header(segments[0])
        guard let payload = Base64URL.decode(segments[1]) else { throw .malformed("its payload is not base64url") }
        guard let signature = Base64URL.decode(segments[2]) else { throw .malformed("its signature is not base64url") }
        guard !payload.isEmpty else { throw .malformed("its payload is empty") }
        guard !signature.isEmpty else { throw .malformed("its signature is empty") }
        self.payload = payload
    }

    private static func header(_ segment: Substring) throws(JOSEError) -> JWSHeader {
        guard let bytes = Base64URL.decode(segment) else { throw .malformed("its header is not base64url") }
        let value: JSONValue
        do {
            value = try JSONValue(parsing: bytes)
        } catch {
            throw .malformed("its header is \(error)")
        }
        guard let object = value.object else { throw .malformed("its header is not a JSON object") }
        return try JWSHeader(decoding: object)
    }
}
