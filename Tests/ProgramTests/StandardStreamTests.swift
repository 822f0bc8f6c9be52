import Glibc
import Program
import Testing

@Suite(.timeLimit(.minutes(2))) struct StandardStreamTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let name: String
        let size: Int
        let limit: Int
        var testDescription: String { name }
    }

    @Test(arguments: [
        Row(name: "nothing", size: 0, limit: 0),
        Row(name: "one byte", size: 1, limit: 1),
        Row(name: "exactly the limit", size: 1000, limit: 1000),
        Row(name: "exactly one chunk", size: 65536, limit: 65536),
        Row(name: "several chunks", size: 200_000, limit: 200_000),
        Row(name: "far below the limit", size: 10, limit: 1 << 20),
    ])
    func readsToTheEnd(_ row: Row) throws {
        let (status, bytes) = try Self.read(row)
        #expect(status == 0)
        #expect(try bytes.get() == [UInt8](repeating: 0, count: row.size))
    }

    @Test(arguments: [
        Row(name: "one byte, none allowed", size: 1, limit: 0),
        Row(name: "one byte too many", size: 1001, limit: 1000),
        Row(name: "a chunk and one byte", size: 65537, limit: 65536),
        Row(name: "far too much", size: 10_000_000, limit: 100_000),
    ])
    func stopsAtTheLimit(_ row: Row) throws {
        let (_, bytes) = try Self.read(row)
        let failure = #expect(throws: StandardStream.Failure.self) { try bytes.get() }
        #expect(failure?.tooLarge == true)
        #expect(failure.map { "\($0)" } == "larger than the limit")
    }

    /// Reads what a child writes.
    private static func read(_ row: Row) throws -> (Int32, Result<[UInt8], StandardStream.Failure>) {
        let conduit = try Conduit()
        var child = ChildProcess(path: "/usr/bin/head", arguments: ["head", "-c", "\(row.size)", "/dev/zero"])
        child.output = .descriptor(conduit.writing)
        let process = try child.spawn()
        close(conduit.writing)
        let result = Result { () throws(StandardStream.Failure) in
            try StandardStream.read(descriptor: conduit.reading, limit: row.limit)
        }
        close(conduit.reading)
        return (ChildProcess.wait(for: process), result)
    }

    @Test func cannotReadAFolder() {
        let folder = open("/", O_RDONLY | O_CLOEXEC)
        defer { close(folder) }
        Self.expect(EISDIR) { () throws(StandardStream.Failure) in
            try StandardStream.read(descriptor: folder, limit: 10)
        }
        Self.expect(EBADF) { () throws(StandardStream.Failure) in try StandardStream.read(descriptor: -1, limit: 10) }
    }

    /// A pipe takes 64 KiB at a time: short writes go on.
    @Test func writesTheWhole() throws {
        let (input, output) = (try Conduit(), try Conduit())
        var child = ChildProcess(path: "/usr/bin/cksum", arguments: ["cksum"])
        child.input = .descriptor(input.reading)
        child.output = .descriptor(output.writing)
        let process = try child.spawn()
        close(input.reading)
        try StandardStream.write([UInt8](repeating: 0, count: 1 << 20), descriptor: input.writing)
        close(input.writing)
        #expect(try output.drain().hasSuffix(" 1048576\n"))
        #expect(ChildProcess.wait(for: process) == 0)
    }

    @Test func nothingIsWrittenAnywhere() throws {
        try StandardStream.write([], descriptor: -1)
    }

    @Test func aFullDeviceIsAnError() {
        let full = open("/dev/full", O_WRONLY | O_CLOEXEC)
        defer { close(full) }
        Self.expect(ENOSPC) { () throws(StandardStream.Failure) in try StandardStream.write([1], descriptor: full) }
        Self.expect(EBADF) { () throws(StandardStream.Failure) in try StandardStream.write([1], descriptor: -1) }
    }

    /// P8: a reader that went away is an error, not a signal.
    @Test func aClosedPipeIsAnError() async {
        await #expect(processExitsWith: .success) {
            Hardening.harden()
            let conduit = try Conduit()
            close(conduit.reading)
            Self.expect(EPIPE) { () throws(StandardStream.Failure) in
                try StandardStream.write(Array("x".utf8), descriptor: conduit.writing)
            }
            dup2(conduit.writing, STDOUT_FILENO)
            Self.expect(EPIPE) { () throws(StandardStream.Failure) in try StandardStream.writeOutput("x") }
        }
    }

    @Test func usesTheStandardDescriptors() async {
        await #expect(processExitsWith: .success) {
            let (input, output, errors) = (try Conduit(), try Conduit(), try Conduit())
            try StandardStream.write(Array("question".utf8), descriptor: input.writing)
            close(input.writing)
            dup2(input.reading, STDIN_FILENO)
            #expect(try StandardStream.readInput(limit: 8) == Array("question".utf8))
            let (out, err) = (dup(STDOUT_FILENO), dup(STDERR_FILENO))
            dup2(output.writing, STDOUT_FILENO)
            dup2(errors.writing, STDERR_FILENO)
            try StandardStream.writeOutput("answer")
            StandardStream.writeError("words")
            dup2(out, STDOUT_FILENO)
            dup2(err, STDERR_FILENO)
            #expect(try output.drain() == "answer")
            #expect(try errors.drain() == "words")
        }
    }

    /// A stderr that is closed is nobody's loss.
    @Test func aClosedErrorStreamIsNobodysLoss() async {
        await #expect(processExitsWith: .success) {
            close(STDERR_FILENO)
            StandardStream.writeError("words")
        }
    }

    /// The call fails for this reason and says so.
    private static func expect<Value>(_ code: CInt, _ body: () throws(StandardStream.Failure) -> Value) {
        let failure = #expect(throws: StandardStream.Failure.self) { _ = try body() }
        #expect(failure?.errno == code && failure?.tooLarge == false)
        #expect(failure.map { "\($0)" } == String(cString: strerror(code)))
    }

    @Test(arguments: [
        ("a=b\n\n", "a=b\n\n"), ("a=b\n\nrest", "a=b\n\n"), ("\na=b\n", "\n"), ("a=b\n", "a=b\n"), ("", ""),
        ("a=b", "a=b"),
    ]) func readsToABlankLine(_ input: String, _ expected: String) throws {
        var ends: [CInt] = [-1, -1]
        try #require(pipe(&ends) == 0)
        defer { for end in ends { close(end) } }
        try StandardStream.write(Array(input.utf8), descriptor: ends[1])
        // The pipe stays open where a blank line comes: who waited for its end would wait for ever.
        if !expected.hasSuffix("\n\n"), expected != "\n" { close(ends[1]); ends[1] = -1 }
        let bytes = try StandardStream.read(descriptor: ends[0], limit: 100, toBlankLine: true)
        #expect(String(decoding: bytes, as: UTF8.self) == expected)
    }
}
