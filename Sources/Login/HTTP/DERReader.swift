/// Reads definite-length DER values (X.690) one after the other.
struct DERReader {
    private var rest: ArraySlice<UInt8>

    init(_ bytes: ArraySlice<UInt8>) {
        rest = bytes
    }

    var nextTag: UInt8? { rest.first }

    /// The next value; nil when its tag is another or its length is broken.
    mutating func next(tag: UInt8) -> (content: ArraySlice<UInt8>, whole: ArraySlice<UInt8>)? {
        guard rest.first == tag, let first = rest.dropFirst().first else { return nil }
        var length = Int(first)
        var header = 2
        if first >= 0x80 {
            // Three bytes of length are 16 MiB: no certificate is that long.
            let count = Int(first & 0x7F)
            guard (1...3).contains(count), rest.count >= 2 + count else { return nil }
            header += count
            length = rest.dropFirst(2).prefix(count).reduce(0) { $0 << 8 | Int($1) }
        }
        guard rest.count >= header + length else { return nil }
        let whole = rest.prefix(header + length)
        rest = rest.dropFirst(header + length)
        return (whole.dropFirst(header), whole)
    }
}
