import CGLib
import Glibc
import Program

/// A pipe to a child; both ends are closed on exec, but for what the child is given.
final class Pipe {
    private(set) var reading: CInt
    private(set) var writing: CInt

    init?() {
        var ends: (CInt, CInt) = (-1, -1)
        let made = withUnsafeMutableBytes(of: &ends) {
            g_unix_open_pipe($0.bindMemory(to: CInt.self).baseAddress, FD_CLOEXEC, nil)
        }
        guard made != 0 else { return nil }
        (reading, writing) = ends
    }

    deinit {
        close(reading)
        closeWriting()
    }

    func closeWriting() {
        if writing >= 0 { close(writing) }
        writing = -1
    }

    /// Reads both pipes to their ends.
    ///
    /// - Returns: nil when they were still open after `seconds`.
    static func readBoth(_ first: Pipe, _ second: Pipe, within seconds: Double) -> ([UInt8], [UInt8])? {
        let deadline = Clock.monotonic() + seconds
        var buffers: [[UInt8]] = [[], []]
        var isOpen = [true, true]
        var chunk = [UInt8](repeating: 0, count: 65536)
        while isOpen.contains(true) {
            let left = deadline - Clock.monotonic()
            guard left > 0 else { return nil }
            var polled = [first, second].enumerated().map { index, pipe in
                pollfd(fd: isOpen[index] ? pipe.reading : -1, events: Int16(POLLIN), revents: 0)
            }
            guard poll(&polled, 2, CInt(left * 1000) + 1) >= 0 || errno == EINTR else { return nil }
            for index in 0..<2 where isOpen[index] && polled[index].revents != 0 {
                let count = read(polled[index].fd, &chunk, chunk.count)
                if count > 0 {
                    buffers[index] += chunk.prefix(count)
                } else if count == 0 || errno != EINTR {
                    isOpen[index] = false
                }
            }
        }
        return (buffers[0], buffers[1])
    }
}
