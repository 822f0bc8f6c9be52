import CGLib
import Glibc

/// The first thing a program of ours does.
package enum Hardening {
    /// No core file, so no secret on disk; SIGPIPE becomes an error of write(2), which is looked at. A program that was
    /// made set-user-id or set-group-id ends here.
    ///
    /// A standard stream that is closed is given to /dev/null the wrong way round: else the next file or socket that is
    /// opened would take its number, and an answer be written into it.
    ///
    /// - Parameter refusal: what a set-user-id program ends with.
    package static func harden(refusal: Int32 = ExitCode.configuration.rawValue) {
        for stream in STDIN_FILENO...STDERR_FILENO where fcntl(stream, F_GETFD) < 0 {
            _ = open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY)
        }
        if isElevated(user: getuid(), effectiveUser: geteuid(), group: getgid(), effectiveGroup: getegid()) {
            let name = DisplayText.clean(CommandLine.arguments.first?.split(separator: "/").last.map(String.init) ?? "")
            StandardStream.writeError(
                "\(name): error: it was started with another user's or group's rights (set-user-id or set-group-id)\n"
                    + "\(name): hint: take the bit away with 'chmod ug-s': it needs no rights but your own\n")
            exit(refusal)
        }
        var limit = rlimit(rlim_cur: 0, rlim_max: 0)
        let resource = __rlimit_resource_t(RLIMIT_CORE.rawValue)
        if getrlimit(resource, &limit) == 0 {
            coreLimit = limit.rlim_cur
            // Only the soft limit: a browser that we start may raise it again.
            limit.rlim_cur = 0
            setrlimit(resource, &limit)
        }
        let before: __sighandler_t? = signal(SIGPIPE, SIG_IGN)
        ignoredPipes = unsafeBitCast(before, to: Int.self) == unsafeBitCast(SIG_IGN as __sighandler_t?, to: Int.self)
    }

    // What `harden` found. nonisolated(unsafe): written by the first thing in main, when there is one thread.
    private nonisolated(unsafe) static var coreLimit: rlim_t?
    private nonisolated(unsafe) static var ignoredPipes = false

    /// Gives limit and signal back as `harden` found them, for a command that inherits them from this process.
    package static func relax() {
        let resource = __rlimit_resource_t(RLIMIT_CORE.rawValue)
        var limit = rlimit(rlim_cur: 0, rlim_max: 0)
        if let coreLimit, getrlimit(resource, &limit) == 0 {
            limit.rlim_cur = coreLimit
            setrlimit(resource, &limit)
        }
        if !ignoredPipes { signal(SIGPIPE, SIG_DFL) }
    }

    /// Whoever starts such a process chooses its environment: programs, files and bus would be theirs, the rights another's.
    package static func isElevated(
        user: uid_t, effectiveUser: uid_t, group: gid_t, effectiveGroup: gid_t
    ) -> Bool {
        user != effectiveUser || group != effectiveGroup
    }

    /// Also hides the process from debuggers of the same user. KeePassXC cannot read the name of such a process.
    package static func hideFromDebuggers() {
        _ = mojoauth_set_not_dumpable()
    }
}
