import Glibc

/// Whole reads and whole writes on the standard descriptors.
package enum StandardStream {
    package struct Failure: Error, Sendable, Equatable, CustomStringConvertible {
        package var errno: CInt
        package var tooLarge = false

        package var description: String { tooLarge ? "larger than the limit" : String(cString: strerror(errno)) }
    }

    /// Reads standard input to its end.
    ///
    /// - Throws: ``Failure``; `tooLarge` once more than `limit` bytes have come.
    ///
    /// - Parameter toBlankLine: only up to a blank line, if one comes.
    package static func readInput(limit: Int, toBlankLine: Bool = false) throws(Failure) -> [UInt8] {
        try read(descriptor: STDIN_FILENO, limit: limit, toBlankLine: toBlankLine)
    }

    /// Reads any descriptor to its end, or up to a blank line.
    package static func read(descriptor: CInt, limit: Int, toBlankLine: Bool = false) throws(Failure) -> [UInt8] {
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 65536)
        while true {
            let count = Glibc.read(descriptor, &chunk, chunk.count)
            if count == 0 { return bytes }
            if count < 0 {
                if errno == EINTR { continue }
                throw Failure(errno: errno)
            }
            let seen = bytes.count
            bytes += chunk.prefix(count)
            if toBlankLine, let end = blankLine(in: bytes, from: seen) { return Array(bytes[..<end]) }
            guard bytes.count <= limit else { throw Failure(errno: EFBIG, tooLarge: true) }
        }
    }

    /// The index behind the first blank line, of which nothing lies before `seen` but its first LF.
    private static func blankLine(in bytes: [UInt8], from seen: Int) -> Int? {
        let lineFeed = UInt8(ascii: "\n")
        return (seen..<bytes.count).first { index in
            bytes[index] == lineFeed && (index == 0 || bytes[index - 1] == lineFeed)
        }.map { $0 + 1 }
    }

    /// Writes the whole answer, or throws: a short write is an error.
    package static func writeOutput(_ bytes: [UInt8]) throws(Failure) {
        try write(bytes, descriptor: STDOUT_FILENO)
    }

    package static func writeOutput(_ text: String) throws(Failure) {
        try writeOutput(Array(text.utf8))
    }

    /// Writes to stderr; a stderr that is closed is nobody's loss.
    package static func writeError(_ text: String) {
        try? write(Array(text.utf8), descriptor: STDERR_FILENO)
    }

    package static func write(_ bytes: [UInt8], descriptor: CInt) throws(Failure) {
        var offset = 0
        while offset < bytes.count {
            let count = bytes.withUnsafeBytes {
                Glibc.write(descriptor, $0.baseAddress?.advanced(by: offset), $0.count - offset)
            }
            if count < 0 {
                if errno == EINTR { continue }
                throw Failure(errno: errno)
            }
            offset += count
        }
    }
}
