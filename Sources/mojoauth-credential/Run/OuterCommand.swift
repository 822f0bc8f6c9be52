import Glibc
import Program

/// The command at the end of our own command line, in the bytes that it was typed in: file names need not be UTF-8.
struct OuterCommand {
    private let path: [CChar]
    /// Ended by nil, as the kernel gave them to this process.
    private let arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>

    /// - Parameter wordCount: how many words of the command line are the command's; one at least.
    /// - Throws: ``Complaint`` with exit code 127 or 126, as a shell would.
    init(wordCount: Int) throws(Complaint) {
        arguments = CommandLine.unsafeArgv + (Int(CommandLine.argc) - wordCount)
        let name = arguments.pointee.map { Array(UnsafeBufferPointer(start: $0, count: strlen($0))) } ?? []
        path = try Self.find(name)
    }

    /// Becomes the command: its signals, its exit code and its place at the terminal are its own. All descriptors of
    /// ours are close-on-exec.
    func takeOver() throws(Complaint) -> Never {
        Hardening.relax()
        execv(path, arguments)
        throw Self.cannotStart(path, errno)
    }

    /// Runs the command beside this process, which passes signals on to it.
    ///
    /// - Returns: its exit status, or 128 and the signal that ended it.
    func runToEnd() throws(Complaint) -> Int32 {
        // Signals that are caught here are reset in the child, those that are ignored stay so.
        Hardening.relax()
        var child: pid_t = 0
        let code = posix_spawn(&child, path, nil, nil, arguments, Glibc.environ)
        guard code == 0 else { throw Self.cannotStart(path, code) }
        SignalRelay.pass(to: child)
        var ended = siginfo_t()
        // Not yet reaped: until the relay has stopped, its number is nobody else's.
        while waitid(P_PID, id_t(child), &ended, WEXITED | WNOWAIT) != 0, errno == EINTR {}
        SignalRelay.end()
        return ChildProcess.wait(for: child)
    }

    // MARK: Looking it up

    private static let slash = CChar(bitPattern: UInt8(ascii: "/"))

    /// In the folders of PATH, unless the name has a slash.
    private static func find(_ name: [CChar]) throws(Complaint) -> [CChar] {
        guard !name.isEmpty else {
            throw Complaint("the command has no name", hint: "put one behind --", exitCode: .usage)
        }
        if name.contains(slash) {
            let path = name + [0]
            let code = obstacle(path)
            guard code == 0 else { throw cannotStart(path, code) }
            return path
        }
        let folders = getenv("PATH").map { Array(UnsafeBufferPointer(start: $0, count: strlen($0))) }
        let list = folders ?? "/usr/bin:/bin".utf8.map { CChar(bitPattern: $0) }
        var refused: (path: [CChar], code: CInt)?
        let colon = CChar(bitPattern: UInt8(ascii: ":"))
        for folder in list.split(separator: colon, omittingEmptySubsequences: false) {
            // An empty one is the folder here.
            let path = (folder.isEmpty ? [] : Array(folder) + [slash]) + name + [0]
            let code = obstacle(path)
            if code == 0 { return folder.isEmpty ? [CChar(bitPattern: UInt8(ascii: ".")), slash] + path : path }
            if code != ENOENT, code != ENOTDIR, refused == nil { refused = (path, code) }
        }
        if let refused { throw cannotStart(refused.path, refused.code) }
        throw Complaint(
            "cannot start \(text(name)): it is in no folder of PATH", hint: "check its name", exitCode: .notFound)
    }

    /// Why a file cannot be run; 0 when nothing is in the way.
    private static func obstacle(_ path: [CChar]) -> CInt {
        var status = stat()
        guard stat(path, &status) == 0 else { return errno }
        if status.st_mode & S_IFMT == S_IFDIR { return EISDIR }
        return access(path, X_OK) == 0 ? 0 : errno
    }

    private static func cannotStart(_ path: [CChar], _ code: CInt) -> Complaint {
        let isMissing = code == ENOENT || code == ENOTDIR
        return Complaint(
            "cannot start \(text(path)): \(String(cString: strerror(code)))",
            hint: code == ENOEXEC ? "a script's first line names its shell: #!/bin/sh" : "check its name and its mode",
            exitCode: isMissing ? .notFound : .cannotStart)
    }

    private static func text(_ path: [CChar]) -> String {
        String(decoding: path.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
