/// Plain base64 with padding (RFC 4648 section 4), which HTTP's Basic scheme wants.
package enum Base64 {
    package static func encode(_ bytes: some Collection<UInt8>) -> String {
        let unpadded = Base64URL.encode(bytes).utf8.map { byte -> UInt8 in
            switch byte {
            case UInt8(ascii: "-"): UInt8(ascii: "+")
            case UInt8(ascii: "_"): UInt8(ascii: "/")
            default: byte
            }
        }
        let padding = [UInt8](repeating: UInt8(ascii: "="), count: (4 - unpadded.count % 4) % 4)
        return String(decoding: unpadded + padding, as: UTF8.self)
    }
}
