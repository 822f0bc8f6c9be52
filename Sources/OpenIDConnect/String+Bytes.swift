extension String {
    /// Equal byte for byte. Swift's `==` also takes what Unicode calls canonically equivalent, such as "K" and the
    /// Kelvin sign: too loose for an issuer, a client id or a subject.
    func hasSameBytes(as other: String) -> Bool {
        utf8.elementsEqual(other.utf8)
    }
}
