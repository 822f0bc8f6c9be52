import Glibc
import Program
import Testing

/// P1: the first thing in main.
@Suite struct HardeningTests {
    @Test func leavesNoCoreFile() async {
        await #expect(processExitsWith: .success) {
            let resource = __rlimit_resource_t(RLIMIT_CORE.rawValue)
            var before = rlimit()
            getrlimit(resource, &before)
            let mask = umask(0o27)
            Hardening.harden()
            var after = rlimit()
            getrlimit(resource, &after)
            #expect(after.rlim_cur == 0)
            // A browser that we start may raise it again, and files keep their mode.
            #expect(after.rlim_max == before.rlim_max)
            #expect(umask(mask) == 0o27)
        }
    }

    /// What is opened next does not become the standard output.
    @Test func closedStreamsStayErrors() async {
        await #expect(processExitsWith: .success) {
            close(STDIN_FILENO)
            close(STDOUT_FILENO)
            Hardening.harden()
            let next = open("/dev/null", O_RDWR)
            #expect(next > STDERR_FILENO)
            #expect(throws: StandardStream.Failure.self) { try StandardStream.writeOutput("secret") }
            #expect(throws: StandardStream.Failure.self) { try StandardStream.readInput(limit: 1) }
        }
    }

    @Test func hidesFromDebuggers() async {
        await #expect(processExitsWith: .success) {
            Hardening.hideFromDebuggers()
            // A process that is not dumpable belongs to root, as far as /proc goes, and hides its memory map from others.
            var status = stat()
            #expect(stat("/proc/self/environ", &status) == 0 && status.st_uid == 0)
        }
    }

    @Test func clocksGoForward() {
        let (start, wall) = (Clock.monotonic(), time(nil))
        #expect(Clock.now() >= wall && Clock.now() - wall < 60)
        #expect(Clock.monotonic() >= start)
    }
}
