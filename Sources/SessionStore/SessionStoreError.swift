import Keyring

/// Why a login could not be read, kept or locked.
package enum SessionStoreError: Error, Sendable, Equatable {
    case keyring(KeyringError)
    /// A later version of this program wrote it: it is left as it is.
    case newerVersion(Int, profile: String)
    /// Not what this program writes: it is left as it is, and kept aside by the next login.
    case damaged(profile: String)
    case lockFolder(path: String, reason: String)
    /// Another process has held the lock for longer than the limit, in seconds.
    case lockTimedOut(seconds: Double)
}

extension SessionStoreError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .keyring(let error): error.description
        case .newerVersion(let version, let profile):
            "the stored login of profile \"\(profile)\" has format version \(version), which this program does not know"
        case .damaged(let profile): "the stored login of profile \"\(profile)\" is damaged"
        case .lockFolder(let path, let reason): "cannot lock in \(path): \(reason)"
        case .lockTimedOut(let seconds): "another process has been renewing this login for \(Int(seconds)) seconds"
        }
    }
}
