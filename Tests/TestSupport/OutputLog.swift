import CGLib
import Foundation

/// What a server writes, read as it comes: a server never blocks on a full pipe, and its readiness is a line, not a sleep.
final class OutputLog: @unchecked Sendable {
    // Sendable: `lines` and `isClosed` are touched only with `changed` locked; the descriptors are set once.
    private let changed = NSCondition()
    private var lines: [String] = []
    private var isClosed = false
    private let reading: CInt
    /// The end that the server inherits; closed by ``begin()``.
    let writing: CInt

    init() throws {
        var ends: [gint] = [-1, -1]
        guard g_unix_open_pipe(&ends, FD_CLOEXEC, nil) != 0 else {
            throw MissingPart(description: "no pipe: \(String(cString: strerror(errno)))")
        }
        (reading, writing) = (ends[0], ends[1])
    }

    /// To be called once the server has been started, or could not be.
    func begin() {
        close(writing)
        Thread.detachNewThread { [self] in
            let handle = FileHandle(fileDescriptor: reading, closeOnDealloc: true)
            var rest: [UInt8] = []
            while true {
                let data = handle.availableData
                if data.isEmpty { break }
                rest += data
                while let end = rest.firstIndex(of: 0x0A) {
                    add(String(decoding: rest[..<end], as: UTF8.self))
                    rest.removeSubrange(...end)
                }
            }
            if !rest.isEmpty { add(String(decoding: rest, as: UTF8.self)) }
            changed.lock()
            isClosed = true
            changed.broadcast()
            changed.unlock()
        }
    }

    private func add(_ line: String) {
        changed.lock()
        lines.append(line)
        changed.broadcast()
        changed.unlock()
    }

    var text: String {
        changed.lock()
        defer { changed.unlock() }
        return lines.joined(separator: "\n")
    }

    /// The first answer that `find` gives for a line, past or to come; nil at the limit or at the end of the output.
    func first<Answer>(within seconds: Double, _ find: (String) -> Answer?) -> Answer? {
        let deadline = Date(timeIntervalSinceNow: seconds)
        var seen = 0
        changed.lock()
        defer { changed.unlock() }
        while true {
            while seen < lines.count {
                if let answer = find(lines[seen]) { return answer }
                seen += 1
            }
            guard !isClosed, changed.wait(until: deadline) else { return nil }
        }
    }
}
