import Glibc

@testable import SessionStore

/// The lock file of a login that no person has, and programs that hold it from outside.
struct LockFile: Sendable {
    let key: SessionKey
    let path: String
    /// What names the login's files.
    let name: String

    /// Asked for once: the function is not for several threads.
    private static let home = getpwuid(geteuid()).flatMap { $0.pointee.pw_dir.map { String(cString: $0) } } ?? ""

    /// - Parameter profile: nil for one that nobody else uses.
    init(profile: String? = nil, purpose: SessionLock.Purpose = .refresh) {
        key = SessionKey(
            profile: profile ?? "test-\(UInt64.random(in: 0 ... .max))", issuer: "https://lock.example",
            clientID: "test")
        name = key.lockName
        path = "\(Self.home)/.local/state/mojoauth-credential/lock/\(name).\(purpose.rawValue)"
    }

    var exists: Bool { access(path, F_OK) == 0 }

    func acquire(_ purpose: SessionLock.Purpose = .refresh, within seconds: Double = 0) throws -> SessionLock {
        try SessionLock.acquire(key, purpose, within: seconds)
    }
}
