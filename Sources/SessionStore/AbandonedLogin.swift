import OpenIDConnect

/// The note that a person let a login pass: denied it, interrupted it or did not come in time. For ten minutes no helper
/// opens another browser for it, or every `git fetch` of an editor would.
package enum AbandonedLogin {
    /// In seconds.
    package static let pause = LoginNote.pause

    package static func record(_ key: SessionKey, at now: NumericDate) {
        LoginNote.abandoned.record(key, at: now)
    }

    /// A login was completed.
    package static func forget(_ key: SessionKey) { LoginNote.abandoned.forget(key) }

    /// Was the login abandoned less than ``pause`` ago?
    package static func isRecent(_ key: SessionKey, at now: NumericDate) -> Bool {
        LoginNote.abandoned.isRecent(key, at: now)
    }
}
