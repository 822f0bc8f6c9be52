import CGLib
import Glibc

extension ChildProcess {
    /// Runs the child to its end, or ends it and all it started once `seconds` have passed.
    ///
    /// - Returns: its exit status and what it wrote to its standard output; nil when it had to be ended.
    package func capture(within seconds: Double) throws(SpawnFailure) -> (status: Int32, output: [UInt8])? {
        var ends: (CInt, CInt) = (-1, -1)
        let made = withUnsafeMutableBytes(of: &ends) {
            g_unix_open_pipe($0.bindMemory(to: CInt.self).baseAddress, FD_CLOEXEC, nil)
        }
        guard made != 0 else { throw SpawnFailure(path: path, errno: EMFILE) }
        defer { close(ends.0) }
        var child = self
        child.output = .descriptor(ends.1)
        // A group of its own, which can be ended as a whole.
        child.ownSession = true
        let process: pid_t
        do throws(SpawnFailure) {
            process = try child.spawn()
        } catch {
            close(ends.1)
            throw error
        }
        close(ends.1)
        let deadline = Clock.monotonic() + seconds
        let output = Self.readAll(ends.0, until: deadline)
        let status = output == nil ? nil : Self.end(of: process, until: deadline)
        guard let output, let status else {
            kill(-process, SIGKILL)
            _ = Self.wait(for: process)
            return nil
        }
        return (status, output)
    }

    private static let limit = 1 << 20

    /// - Returns: nil at the deadline; what lies beyond the limit is read and dropped.
    private static func readAll(_ descriptor: CInt, until deadline: Double) -> [UInt8]? {
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 65536)
        while true {
            var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            let left = deadline - Clock.monotonic()
            guard left > 0 else { return nil }
            guard poll(&entry, 1, CInt(left * 1000) + 1) > 0 else { continue }
            let count = read(descriptor, &chunk, chunk.count)
            if count == 0 { return bytes }
            if count < 0 {
                guard errno == EINTR else { return bytes }
            } else if bytes.count < limit {
                bytes += chunk.prefix(count)
            }
        }
    }

    /// One that has closed its output mostly ends at once.
    private static func end(of process: pid_t, until deadline: Double) -> Int32? {
        var status: CInt = 0
        while true {
            let ended = waitpid(process, &status, WNOHANG)
            if ended == process { return decode(status: status) }
            if ended < 0, errno != EINTR { return 127 }
            guard Clock.monotonic() < deadline else { return nil }
            _ = poll(nil, 0, 2)
        }
    }
}
