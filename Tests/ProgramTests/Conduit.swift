import CGLib
import Glibc
import Program
import Testing

/// A pipe whose ends other tests' children do not inherit.
struct Conduit {
    let reading: CInt
    let writing: CInt

    init() throws {
        var ends: [CInt] = [-1, -1]
        try #require(g_unix_open_pipe(&ends, FD_CLOEXEC, nil) != 0)
        (reading, writing) = (ends[0], ends[1])
    }

    /// The pipe ends that this process has open; the runtime opens and closes descriptors of other kinds by itself.
    static func openEnds() -> [CInt] {
        (0..<256).filter { number in
            var status = stat()
            return fstat(number, &status) == 0 && status.st_mode & S_IFMT == S_IFIFO
        }
    }

    /// Closes the writing end and reads what is left.
    func drain() throws -> String {
        close(writing)
        defer { close(reading) }
        return String(decoding: try StandardStream.read(descriptor: reading, limit: 1 << 20), as: UTF8.self)
    }
}

/// A shell that runs `script`; `words` are its `$1` and so on.
func shell(_ script: String, _ words: String...) -> ChildProcess {
    ChildProcess(path: "/bin/sh", arguments: ["sh", "-c", script, "sh"] + words)
}
