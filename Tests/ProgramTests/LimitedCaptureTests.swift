import Glibc
import Program
import Testing

@Suite struct LimitedCaptureTests {
    private func shell(_ script: String) -> ChildProcess {
        ChildProcess(path: "/bin/sh", arguments: ["sh", "-c", script])
    }

    @Test func givesStatusAndOutput() throws {
        let result = try #require(try shell("echo one; echo two; exit 3").capture(within: 20))
        #expect(result.status == 3 && result.output == Array("one\ntwo\n".utf8))
    }

    @Test func readsMoreThanAPipeHolds() throws {
        let result = try #require(try shell("head -c 300000 /dev/zero").capture(within: 20))
        #expect(result.status == 0 && result.output.count == 300_000)
    }

    @Test(arguments: ["sleep 60", "exec >&-; sleep 60", "sleep 60 & wait", "while :; do echo x; done"])
    func endsOneThatTakesTooLong(_ script: String) throws {
        let start = Clock.monotonic()
        #expect(try shell(script).capture(within: 0.3) == nil)
        #expect(Clock.monotonic() - start < 20)
    }

    @Test func tellsThatThereIsNoProgram() {
        let failure = #expect(throws: ChildProcess.SpawnFailure.self) {
            try ChildProcess(path: "/nowhere/program", arguments: ["program"]).capture(within: 1)
        }
        #expect(failure?.path == "/nowhere/program" && failure?.errno == ENOENT)
    }
}
