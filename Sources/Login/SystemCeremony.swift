import CGLib
import Glibc
import OpenIDConnect

extension Ceremony {
    /// The kernel's generator and GLib's digests.
    package static let system = Ceremony(
        randomBytes: { count in
            var bytes = [UInt8](repeating: 0, count: count)
            // getentropy(3) gives up to 256 bytes and fails for no other reason on a kernel that has the call.
            precondition(count <= 256 && getentropy(&bytes, count) == 0, "the kernel gives no random bytes")
            return bytes
        },
        digest: { function, bytes in
            let type =
                switch function {
                case .sha256: G_CHECKSUM_SHA256
                case .sha384: G_CHECKSUM_SHA384
                case .sha512: G_CHECKSUM_SHA512
                }
            let checksum = g_checksum_new(type)
            defer { g_checksum_free(checksum) }
            g_checksum_update(checksum, bytes, bytes.count)
            var count = gsize(g_checksum_type_get_length(type))
            var digest = [UInt8](repeating: 0, count: Int(count))
            g_checksum_get_digest(checksum, &digest, &count)
            return digest
        })
}
