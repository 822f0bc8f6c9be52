import CGLib
import Glibc
import Program

/// What this process was given: memory that may be locked, and variables that weaken libsecret.
enum EnvironmentExamination: Examination {
    static let title = "environment"

    static func findings(on patient: Patient) -> [Finding] {
        let weak = weakening
        return [lockedMemory] + (weak.isEmpty ? [.ok("variables", "none that weakens libsecret")] : weak)
    }

    /// In bytes: what libsecret and the keyring's own clients keep out of swap at a time.
    private static let leastLocked: rlim_t = 64 << 10

    private static var lockedMemory: Finding {
        let subject = "locked memory"
        var limit = rlimit(rlim_cur: 0, rlim_max: 0)
        guard getrlimit(__rlimit_resource_t(__RLIMIT_MEMLOCK.rawValue), &limit) == 0 else {
            return .warning(subject, "the limit cannot be read")
        }
        if limit.rlim_cur == rlim_t.max { return .ok(subject, "no limit") }
        let text = "up to \(limit.rlim_cur >> 10) KiB"
        guard limit.rlim_cur < leastLocked else { return .ok(subject, text) }
        return .warning(
            subject, "\(text): secrets may be written to swap",
            hint: "raise it: 'ulimit -l \(leastLocked >> 10)', or memlock in limits.conf(5)")
    }

    private static var weakening: [Finding] {
        let variables: [(name: String, effect: String)] = [
            ("SECRET_BACKEND", "libsecret's other programs keep their secrets elsewhere than in this keyring"),
            ("SECRET_FILE_TEST_PATH", "libsecret's file store lies in another place"),
            ("SECRET_FILE_TEST_PASSWORD", "libsecret's file store has a password that everybody can read here"),
            ("SECMEM_FORCE_FALLBACK", "secrets are kept in memory that may be written to swap"),
            ("G_MESSAGES_DEBUG", "libraries write what they do to standard error"),
        ]
        return variables.compactMap { variable in
            guard ProcessEnvironment[variable.name] != nil, !isHarmless(variable.name) else { return nil }
            return .warning(variable.name, "is set: \(variable.effect)", hint: "unset \(variable.name)")
        }
    }

    private static func isHarmless(_ name: String) -> Bool {
        name == "SECRET_BACKEND" && ProcessEnvironment[name] == "service"
    }
}
