import CGLib
import Glibc

/// A program of ours or a browser, started by argv: posix_spawn, never a shell, never fork.
package struct ChildProcess: Sendable {
    package struct SpawnFailure: Error, Sendable, Equatable, CustomStringConvertible {
        package var path: String
        package var errno: CInt

        package var description: String { "cannot start \(path): \(String(cString: strerror(errno)))" }
    }

    /// What becomes of a descriptor in the child.
    package enum Stream: Sendable {
        case inherit
        case null
        /// A duplicate of this descriptor of ours.
        case descriptor(CInt)
    }

    package var path: String
    /// Including the zeroth.
    package var arguments: [String]
    /// `NAME=value` entries; nil passes ours on.
    package var environment: [String]?
    package var input = Stream.null
    package var output = Stream.null
    package var errors = Stream.inherit
    /// Further descriptors: the child's number, and ours that it duplicates.
    package var extra: [(child: CInt, ours: CInt)] = []
    /// Closes all descriptors but those named here. What we inherited ourselves is for nobody else: a caller that waits
    /// for the end of its pipe would wait for a child of ours that outlives us.
    package var closesOthers = true
    /// A session of its own: no terminal, no Ctrl-C from ours.
    package var ownSession = true

    package init(path: String, arguments: [String]) {
        self.path = path
        self.arguments = arguments
    }

    /// Starts the child with default signal actions and an empty mask.
    ///
    /// - Returns: its process id; who started it reaps it.
    package func spawn() throws(SpawnFailure) -> pid_t {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        // A descriptor of ours may bear a number that the child fills first (a caller that closed its stderr makes our
        // pipes begin at 2): duplicates above all of those go in their place.
        let highest = max(extra.map(\.child).max() ?? STDERR_FILENO, STDERR_FILENO)
        var duplicates: [CInt] = []
        defer { for duplicate in duplicates { close(duplicate) } }
        func duplicate(_ ours: CInt) -> CInt {
            let copy = fcntl(ours, F_DUPFD_CLOEXEC, highest + 1)
            guard copy >= 0 else { return ours }
            duplicates.append(copy)
            return copy
        }
        for (number, stream) in [(STDIN_FILENO, input), (STDOUT_FILENO, output), (STDERR_FILENO, errors)] {
            switch stream {
            case .inherit: break
            case .null: posix_spawn_file_actions_addopen(&actions, number, "/dev/null", O_RDWR, 0)
            case .descriptor(let ours): posix_spawn_file_actions_adddup2(&actions, duplicate(ours), number)
            }
        }
        for (child, ours) in extra { posix_spawn_file_actions_adddup2(&actions, duplicate(ours), child) }
        if closesOthers { mojoauth_spawn_close_from(&actions, highest + 1) }

        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var none = sigset_t()
        sigemptyset(&none)
        var all = sigset_t()
        sigfillset(&all)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setsigdefault(&attributes, &all)
        var flags = Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF)
        if ownSession { flags |= mojoauth_spawn_setsid }
        posix_spawnattr_setflags(&attributes, flags)

        var argv: [UnsafeMutablePointer<CChar>?] = arguments.map { (argument: String) in strdup(argument) }
        argv.append(nil)
        var envp: [UnsafeMutablePointer<CChar>?] = (environment ?? []).map { (entry: String) in strdup(entry) }
        envp.append(nil)
        defer { for pointer in argv + envp { free(pointer) } }

        var child: pid_t = 0
        let code =
            environment == nil
            ? posix_spawn(&child, path, &actions, &attributes, argv, Glibc.environ)
            : posix_spawn(&child, path, &actions, &attributes, argv, envp)
        guard code == 0 else { throw SpawnFailure(path: path, errno: code) }
        return child
    }

    /// Runs the child to its end.
    ///
    /// - Returns: its exit status, and what it wrote to its standard output.
    package func capture() throws(SpawnFailure) -> (status: Int32, output: [UInt8]) {
        var ends: (CInt, CInt) = (-1, -1)
        let made = withUnsafeMutableBytes(of: &ends) {
            g_unix_open_pipe($0.bindMemory(to: CInt.self).baseAddress, FD_CLOEXEC, nil)
        }
        guard made != 0 else { throw SpawnFailure(path: path, errno: EMFILE) }
        var child = self
        child.output = .descriptor(ends.1)
        let process: pid_t
        do throws(SpawnFailure) {
            process = try child.spawn()
        } catch {
            close(ends.0)
            close(ends.1)
            throw error
        }
        close(ends.1)
        let bytes = (try? StandardStream.read(descriptor: ends.0, limit: 1 << 20)) ?? []
        // Before the wait: a child that writes more than the limit gets SIGPIPE instead of a full pipe for ever.
        close(ends.0)
        return (Self.wait(for: process), bytes)
    }

    /// Waits for a child to end: its exit status, or 128 and the signal that ended it.
    package static func wait(for child: pid_t) -> Int32 {
        var status: CInt = 0
        while waitpid(child, &status, 0) < 0 {
            guard errno == EINTR else { return 127 }
        }
        return decode(status: status)
    }

    /// wait(2)'s word as a shell shows it.
    package static func decode(status: CInt) -> Int32 {
        let signal = status & 0x7F
        return signal == 0 ? (status >> 8) & 0xFF : 128 + signal
    }

    /// The folder this program really lies in: links are followed, PATH is not asked.
    package static func ownDirectory() -> String? {
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = readlink("/proc/self/exe", &buffer, buffer.count - 1)
        guard count > 0 else { return nil }
        let path = String(decoding: buffer.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
        guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return nil }
        return String(path[..<slash])
    }
}
