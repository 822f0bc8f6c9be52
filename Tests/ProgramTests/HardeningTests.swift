import CGLib
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
            Hardening.harden()
            #expect(mojoauth_is_dumpable() == 1)
            Hardening.hideFromDebuggers()
            #expect(mojoauth_is_dumpable() == 0)
        }
    }

    struct Rights: Sendable, CustomTestStringConvertible {
        let name: String
        let ids: [uid_t]
        let isElevated: Bool
        var testDescription: String { name }
    }

    /// User, effective user, group, effective group.
    @Test(arguments: [
        Rights(name: "a user's own", ids: [1000, 1000, 1000, 1000], isElevated: false),
        Rights(name: "root's own", ids: [0, 0, 0, 0], isElevated: false),
        Rights(name: "set-user-id root", ids: [1000, 0, 1000, 1000], isElevated: true),
        Rights(name: "set-user-id another", ids: [1000, 1001, 1000, 1000], isElevated: true),
        Rights(name: "set-user-id another, by root", ids: [0, 1000, 0, 0], isElevated: true),
        Rights(name: "set-group-id", ids: [1000, 1000, 1000, 4], isElevated: true),
        Rights(name: "both", ids: [1000, 0, 1000, 0], isElevated: true),
    ])
    func knowsAnothersRights(_ row: Rights) {
        let ids = row.ids
        #expect(
            Hardening.isElevated(user: ids[0], effectiveUser: ids[1], group: ids[2], effectiveGroup: ids[3])
                == row.isElevated)
    }

    @Test func clocksGoForward() {
        let (start, wall) = (Clock.monotonic(), time(nil))
        #expect(Clock.now() >= wall && Clock.now() - wall < 60)
        #expect(Clock.monotonic() >= start)
    }
}
