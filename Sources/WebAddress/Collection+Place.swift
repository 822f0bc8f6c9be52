extension Collection<UInt8> {
    /// Where these bytes first stand; nil where they do not.
    ///
    /// `firstRange(of:)`, and `contains(_:)` with a text, belong to the library of regular expressions. One call would link
    /// it, and 38 KiB of memory to relocate at each start, into the hot program.
    @inlinable package func place(of bytes: some Collection<UInt8>) -> Range<Index>? {
        guard let first = bytes.first else { return startIndex..<startIndex }
        var rest = self[...]
        while let found = rest.firstIndex(of: first) {
            if rest[found...].starts(with: bytes) { return found..<index(found, offsetBy: bytes.count) }
            rest = rest[index(after: found)...]
        }
        return nil
    }
}
