import Foundation

/// A browser that only says which URL it was asked to open: the test itself goes there, or does not.
package final class BrowserStub {
    /// For a profile's key `browser`.
    package let command: String
    private let descriptor: CInt
    private var rest: [UInt8] = []

    package init(in world: World) throws {
        let fifo = world.scratch.path("browser-urls")
        guard mkfifo(fifo, 0o600) == 0 else { throw MissingPart(description: "cannot make \(fifo)") }
        // Open for writing too: the reading end then never sees an end, and the stub never waits for a reader.
        descriptor = open(fifo, O_RDWR | O_CLOEXEC)
        guard descriptor >= 0 else { throw MissingPart(description: "cannot open \(fifo)") }
        let script = try world.scratch.write(
            // For reading as well: it would wait without end for a test that is over.
            "#!/bin/sh\nprintf '%s\\n' \"$1\" 1<>\(fifo)\n", to: "browser-stub", mode: 0o700)
        command = "\(script) %s"
    }

    deinit {
        close(descriptor)
    }

    /// The next URL that was opened.
    package func url(within seconds: Double = 20) throws -> String {
        let deadline = Date(timeIntervalSinceNow: seconds)
        while true {
            if let end = rest.firstIndex(of: 0x0A) {
                defer { rest.removeSubrange(...end) }
                return String(decoding: rest[..<end], as: UTF8.self)
            }
            var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            let left = deadline.timeIntervalSinceNow
            guard left > 0, poll(&entry, 1, CInt(left * 1000) + 1) > 0 else {
                throw Overdue(description: "no browser was opened within \(seconds) s")
            }
            var chunk = [UInt8](repeating: 0, count: 4096)
            let count = read(descriptor, &chunk, chunk.count)
            rest += chunk.prefix(max(0, count))
        }
    }
}
