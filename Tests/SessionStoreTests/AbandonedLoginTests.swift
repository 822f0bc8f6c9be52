import Glibc
import Program
import Testing

@testable import SessionStore

/// One after the other: a note sweeps away those of others that are old by its own time, which a test makes up.
@Suite(.serialized) struct AbandonedLoginTests {
    private static func key() -> SessionKey {
        SessionKey(profile: "test-\(UInt64.random(in: 0 ... .max))", issuer: "https://lock.example", clientID: "test")
    }

    @Test func lastsTenMinutesOrUntilALogin() {
        let key = Self.key()
        let now = time(nil)
        #expect(!AbandonedLogin.isRecent(key, at: now))
        AbandonedLogin.record(key, at: now)
        #expect(AbandonedLogin.isRecent(key, at: now + 1))
        #expect(AbandonedLogin.isRecent(key, at: now + AbandonedLogin.pause - 1))
        #expect(!AbandonedLogin.isRecent(key, at: now + AbandonedLogin.pause + 1))
        // A clock that was set back.
        #expect(!AbandonedLogin.isRecent(key, at: now - 10))
        #expect(!AbandonedLogin.isRecent(Self.key(), at: now))
        AbandonedLogin.forget(key)
        #expect(!AbandonedLogin.isRecent(key, at: now))
    }

    @Test func oldNotesAreSweptByTheNext() {
        let (old, new) = (Self.key(), Self.key())
        let now = time(nil)
        AbandonedLogin.record(old, at: now)
        AbandonedLogin.record(new, at: now + 2 * AbandonedLogin.pause)
        #expect(!AbandonedLogin.isRecent(old, at: now + 1))
        #expect(AbandonedLogin.isRecent(new, at: now + 1))
        AbandonedLogin.forget(new)
    }

    @Test func oneOfManyClaimsANote() async {
        let key = Self.key()
        let now = time(nil)
        // A fresh one, one that is still recent, and one that says nothing any more.
        for (moment, claims) in [(now, 1), (now, 0), (now + LoginNote.pause, 1)] {
            let claimed = await withTaskGroup(of: Bool.self) { group in
                for _ in 0..<16 { group.addTask { LoginNote.notified.claim(key, at: moment) } }
                return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
            }
            #expect(claimed == claims, "\(moment - now) s later")
        }
        LoginNote.notified.forget(key)
    }

    /// Whoever was stopped while it renewed the note keeps its lock.
    @Test func aNoteThatIsHeldIsNotWaitedFor() throws {
        let key = Self.key()
        let now = time(nil)
        #expect(LoginNote.notified.claim(key, at: now))
        let descriptor = open(try LockFolder.make() + "/\(key.lockName).notified", O_WRONLY | O_CLOEXEC)
        try #require(flock(descriptor, LOCK_EX) == 0)
        #expect(!LoginNote.notified.claim(key, at: now + LoginNote.pause))
        close(descriptor)
        #expect(LoginNote.notified.claim(key, at: now + LoginNote.pause))
        LoginNote.notified.forget(key)
    }
}
