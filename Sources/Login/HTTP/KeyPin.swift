import OpenIDConnect

/// The SHA-256 of a server's public key (SubjectPublicKeyInfo), as RFC 7469 section 2.4 pins it.
package struct KeyPin: Sendable, Equatable {
    private let digest: [UInt8]

    /// Takes 44 base64 characters; nil for anything else.
    package init?(_ text: String) {
        guard text.utf8.count == 44, text.hasSuffix("="), !text.contains("-"), !text.contains("_") else { return nil }
        let url = text.dropLast().map { $0 == "+" ? "-" : $0 == "/" ? "_" : $0 }
        guard let digest = Base64URL.decode(String(url)), digest.count == 32 else { return nil }
        self.digest = digest
    }

    /// The pin of a certificate in DER; nil for what is no X.509 certificate.
    package init?(certificate: [UInt8], ceremony: Ceremony = .system) {
        guard let key = Self.publicKeyInfo(in: certificate) else { return nil }
        digest = ceremony.digest(.sha256, Array(key))
    }

    /// Walks a certificate (RFC 5280 section 4.1) to its subjectPublicKeyInfo, tag and length included.
    private static func publicKeyInfo(in certificate: [UInt8]) -> ArraySlice<UInt8>? {
        var outer = DERReader(certificate[...])
        guard let whole = outer.next(tag: 0x30) else { return nil }
        var inner = DERReader(whole.content)
        guard let signed = inner.next(tag: 0x30) else { return nil }
        var fields = DERReader(signed.content)
        // The version is left out in a version 1 certificate.
        if fields.nextTag == 0xA0 { _ = fields.next(tag: 0xA0) }
        // serialNumber, signature, issuer, validity, subject.
        for tag: UInt8 in [0x02, 0x30, 0x30, 0x30, 0x30] {
            guard fields.next(tag: tag) != nil else { return nil }
        }
        return fields.next(tag: 0x30)?.whole
    }
}
