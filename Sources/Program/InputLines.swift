import Glibc

/// Standard input by lines, each as soon as it is there: for callers that wait for an answer before they go on.
package struct InputLines {
    private let limit: Int
    private var bytes: [UInt8] = []
    private var hasEnded = false

    /// - Parameter limit: bytes of a line.
    package init(limit: Int) {
        self.limit = limit
    }

    /// The next line, without its LF; nil at the end. A last line may lack the LF.
    ///
    /// - Throws: ``StandardStream/Failure``; `tooLarge` for a line above the limit.
    package mutating func next() throws(StandardStream.Failure) -> [UInt8]? {
        var chunk = [UInt8](repeating: 0, count: 65536)
        var seen = 0
        while true {
            if let end = bytes[seen...].firstIndex(of: UInt8(ascii: "\n")) {
                let line = Array(bytes[..<end])
                bytes.removeSubrange(...end)
                return line
            }
            seen = bytes.count
            if hasEnded {
                defer { bytes = [] }
                return bytes.isEmpty ? nil : bytes
            }
            guard bytes.count <= limit else { throw StandardStream.Failure(errno: EFBIG, tooLarge: true) }
            let count = read(STDIN_FILENO, &chunk, chunk.count)
            if count > 0 {
                bytes += chunk.prefix(count)
            } else if count == 0 {
                hasEnded = true
            } else if errno != EINTR {
                throw StandardStream.Failure(errno: errno)
            }
        }
    }
}
