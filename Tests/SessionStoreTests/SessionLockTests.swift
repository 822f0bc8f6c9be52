import Foundation
import Glibc
import Program
import Testing

@testable import SessionStore

/// P5 and P6: one lock for all processes of a user, and a bounded wait for it.
@Suite(.timeLimit(.minutes(2))) struct SessionLockTests {
    static func now() -> Double {
        var now = timespec()
        clock_gettime(CLOCK_BOOTTIME, &now)
        return Double(now.tv_sec) + Double(now.tv_nsec) / 1e9
    }

    @Test func isHeldByOne() throws {
        let file = LockFile()
        let first = try file.acquire()
        #expect(throws: SessionStoreError.lockTimedOut(seconds: 0)) { try file.acquire() }
        #expect(file.exists)
        withExtendedLifetime(first) {}
    }

    @Test func isFreeAfterItsHolder() throws {
        let file = LockFile()
        for _ in 0..<20 { _ = try file.acquire() }
        #expect(!file.exists)
    }

    @Test func aFailedTryLeavesTheHoldersFile() throws {
        let file = LockFile()
        let first = try file.acquire()
        _ = try? file.acquire()
        #expect(file.exists)
        withExtendedLifetime(first) {}
    }

    @Test func purposesAndLoginsDoNotMeet() throws {
        let (one, other) = (LockFile(), LockFile())
        let held = try (one.acquire(.refresh), one.acquire(.login), other.acquire(.refresh), other.acquire(.login))
        #expect(throws: SessionStoreError.self) { try one.acquire(.login) }
        withExtendedLifetime(held) {}
    }

    @Test func namesTellNothing() {
        let name = LockFile(profile: "../../x").name
        #expect(name.count == 64 && name.allSatisfy { $0.isHexDigit })
        #expect(name != LockFile(profile: "x").name)
    }

    @Test func fileIsOursAlone() throws {
        let file = LockFile()
        let held = try file.acquire()
        var status = stat()
        #expect(lstat(file.path, &status) == 0)
        #expect(status.st_mode & 0o777 == 0o600 && status.st_uid == geteuid() && status.st_size == 0)
        #expect(lstat((file.path as NSString).deletingLastPathComponent, &status) == 0)
        #expect(status.st_mode & 0o777 == 0o700)
        withExtendedLifetime(held) {}
    }

    // MARK: Two processes

    @Test func otherProcessKeepsUsOut() throws {
        let file = LockFile()
        _ = try file.acquire()
        let holder = try LockHolder(file.path)
        #expect(throws: SessionStoreError.lockTimedOut(seconds: 0)) { try file.acquire() }
        holder.release()
        _ = try holder.end()
        _ = try file.acquire()
    }

    @Test func weKeepTheOtherProcessOut() throws {
        let file = LockFile()
        let held = try file.acquire()
        let other = ChildProcess(path: "/usr/bin/flock", arguments: ["flock", "--nonblock", file.path, "true"])
        #expect(ChildProcess.wait(for: try other.spawn()) == 1)
        withExtendedLifetime(held) {}
    }

    // The other process of ours knows the login's name by that of its parent.

    @Test func ofTwoOfOursOneGetsIt() async throws {
        let held = try LockFile(profile: "test-two-\(getpid())").acquire()
        await #expect(processExitsWith: .success) {
            let failure = #expect(throws: SessionStoreError.self) {
                try LockFile(profile: "test-two-\(getppid())").acquire()
            }
            #expect(failure == .lockTimedOut(seconds: 0))
        }
        withExtendedLifetime(held) {}
    }

    /// It depends on the user alone.
    @Test func environmentDoesNotMatter() async throws {
        let held = try LockFile(profile: "test-environment-\(getpid())").acquire()
        await #expect(processExitsWith: .success) {
            let profile = "test-environment-\(getppid())"
            let names = [
                "HOME", "TMPDIR", "XDG_STATE_HOME", "XDG_RUNTIME_DIR", "XDG_DATA_HOME", "XDG_CONFIG_HOME", "USER",
            ]
            for name in names {
                for value in ["/tmp", "/nonexistent", ""] {
                    setenv(name, value, 1)
                    #expect(throws: SessionStoreError.lockTimedOut(seconds: 0), "\(name)=\(value)") {
                        try LockFile(profile: profile).acquire()
                    }
                }
                unsetenv(name)
                #expect(throws: SessionStoreError.lockTimedOut(seconds: 0), "no \(name)") {
                    try LockFile(profile: profile).acquire()
                }
            }
        }
        withExtendedLifetime(held) {}
    }

    /// However its holder ends.
    @Test func aKilledHolderLetsGo() throws {
        let file = LockFile()
        _ = try file.acquire()
        let holder = try LockHolder(file.path)
        try holder.kill()
        #expect(file.exists)
        _ = try file.acquire(within: 5)
        #expect(!file.exists)
    }

    // MARK: Waiting

    @Test(arguments: [0.0, 0.1, 0.5])
    func waitIsBounded(seconds: Double) throws {
        let file = LockFile()
        let held = try file.acquire()
        let start = Self.now()
        #expect(throws: SessionStoreError.lockTimedOut(seconds: seconds)) { try file.acquire(within: seconds) }
        let waited = Self.now() - start
        #expect(waited >= seconds && waited < seconds + 1)
        withExtendedLifetime(held) {}
    }

    @Test func nextGoesOnAtOnce() throws {
        let file = LockFile()
        _ = try file.acquire()
        let holder = try LockHolder(file.path)
        // It lets go while we wait.
        Thread.detachNewThread {
            Thread.sleep(forTimeInterval: 0.2)
            holder.release()
        }
        let lock = try file.acquire(within: 20)
        let acquired = Self.now()
        #expect(acquired - (try holder.end()) < 1)
        withExtendedLifetime(lock) {}
    }

    /// Between our opening and locking the file another holder may remove it: what we hold must be what the path names.
    @Test func whatIsHeldIsWhatThePathNames() throws {
        let file = LockFile()
        let other = BusyHolder(file.path)
        defer { other.stop() }
        for _ in 0..<50 {
            let lock = try file.acquire(within: 20)
            let named = open(file.path, O_RDWR | O_CLOEXEC)
            #expect(named >= 0, "another file, or none, has the name")
            #expect(flock(named, LOCK_EX | LOCK_NB) == -1, "and that one is free")
            close(named)
            withExtendedLifetime(lock) {}
        }
    }

    @Test func neverTwoAtOnce() throws {
        let file = LockFile()
        let tally = Tally()
        let group = DispatchGroup()
        for _ in 0..<8 {
            group.enter()
            Thread.detachNewThread {
                for _ in 0..<25 {
                    guard let lock = try? file.acquire(within: 60) else { break }
                    tally.visit()
                    withExtendedLifetime(lock) {}
                }
                group.leave()
            }
        }
        group.wait()
        let counted = tally.counted
        #expect(counted.visits == 200)
        #expect(counted.crowded == 0)
        #expect(!file.exists)
    }

    /// Counts visitors that were not alone.
    private final class Tally: @unchecked Sendable {
        // Guarded by `guarding`: the lock under test may be the one that fails.
        private let guarding = NSLock()
        private var inside = 0
        private var visits = 0
        private var crowded = 0

        var counted: (visits: Int, crowded: Int) { guarding.withLock { (visits, crowded) } }

        func visit() {
            guarding.withLock {
                inside += 1
                visits += 1
                if inside > 1 { crowded += 1 }
            }
            sched_yield()
            guarding.withLock { inside -= 1 }
        }
    }

    // MARK: What may lie there

    @Test func aFileLeftBehindIsNoLock() throws {
        let file = LockFile()
        _ = try file.acquire()
        #expect(FileManager.default.createFile(atPath: file.path, contents: nil))
        _ = try file.acquire()
        #expect(!file.exists)
    }

    @Test func aLinkIsNotFollowed() throws {
        let file = LockFile()
        _ = try file.acquire()
        symlink("/dev/null", file.path)
        defer { unlink(file.path) }
        let failure = #expect(throws: SessionStoreError.self) { try file.acquire(within: 5) }
        guard case .lockFolder = failure else {
            Issue.record("\(String(describing: failure))")
            return
        }
    }

    /// P4: the folder is the user's alone. What others may look into becomes so; what they may write to, or may have put
    /// there, is refused and left as it is.
    @Test(arguments: [
        (mode: 0o700, isRefused: false), (0o755, false), (0o750, false), (0o701, false), (0o500, false),
        (0o770, true), (0o707, true), (0o722, true), (0o1777, true),
    ])
    func folderIsOursAlone(mode: mode_t, isRefused: Bool) throws {
        let home = NSTemporaryDirectory() + "/lock-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: home) }
        try FileManager.default.createDirectory(atPath: home, withIntermediateDirectories: true)
        let folder = try LockFolder.make(below: home)
        var status = stat()
        #expect(lstat(folder, &status) == 0 && status.st_mode & 0o7777 == 0o700)
        #expect(chmod(folder, mode) == 0)
        if isRefused {
            let failure = #expect(throws: LockFolder.Failure.self) { try LockFolder.make(below: home) }
            #expect(failure?.path == folder && failure?.reason == "not a folder of yours alone")
        } else {
            #expect(try LockFolder.make(below: home) == folder)
        }
        #expect(lstat(folder, &status) == 0 && status.st_mode & 0o7777 == (isRefused ? mode : 0o700))
    }

    @Test func aLinkIsNoFolder() throws {
        let home = NSTemporaryDirectory() + "/lock-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: home) }
        try FileManager.default.createDirectory(
            atPath: home + "/.local/state/mojoauth-credential", withIntermediateDirectories: true)
        let folder = home + "/.local/state/mojoauth-credential/lock"
        #expect(symlink(home, folder) == 0)
        let failure = #expect(throws: LockFolder.Failure.self) { try LockFolder.make(below: home) }
        #expect(failure?.path == folder && failure?.reason == "not a folder of yours alone")
    }

    /// Root alone can open a foreign file of mode 0600; it must not try for ever.
    @Test(.enabled(if: geteuid() == 0)) func aForeignFileIsRefused() throws {
        let file = LockFile()
        _ = try file.acquire()
        #expect(FileManager.default.createFile(atPath: file.path, contents: nil))
        chown(file.path, 65534, 65534)
        defer { unlink(file.path) }
        let failure = #expect(throws: SessionStoreError.self) { try file.acquire(within: 5) }
        #expect(failure?.description.contains("belongs to somebody else") == true)
    }

    @Test func leaksNoDescriptor() async {
        await #expect(processExitsWith: .success) {
            let file = LockFile()
            for _ in 0..<5 {
                let lock = try file.acquire()
                #expect(throws: SessionStoreError.self) { try file.acquire(within: 0.01) }
                withExtendedLifetime(lock) {}
            }
            symlink("/dev/null", file.path)
            #expect(throws: SessionStoreError.self) { try file.acquire() }
            unlink(file.path)
            let folder = "/proc/self/fd"
            let links = try FileManager.default.contentsOfDirectory(atPath: folder)
                .compactMap { try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\($0)") }
            #expect(!links.isEmpty && !links.contains { $0.contains(file.name) })
        }
    }

    /// A browser that we start must not keep it.
    @Test func childrenDoNotInheritIt() throws {
        let file = LockFile()
        let held = try file.acquire()
        let child = ChildProcess(path: "/bin/ls", arguments: ["ls", "-l", "/proc/self/fd"])
        let open = String(decoding: try child.capture().output, as: UTF8.self)
        #expect(open.contains(" 1 -> pipe:") && !open.contains(file.name))
        withExtendedLifetime(held) {}
    }
}
