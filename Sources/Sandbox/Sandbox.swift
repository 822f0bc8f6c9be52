import CGLib
import Glibc
import JOSE
import Program
import Sensitive

/// The sandbox as a process: an issuer, a server, a log and a main loop.
package enum Sandbox {
    private static let endingSignals = [SIGTERM, SIGINT, SIGHUP]

    /// Serves until SIGTERM, SIGINT or SIGHUP.
    package static func serve(_ options: SandboxOptions) throws(Complaint) {
        if options.diesWithParent { _ = mojoauth_set_parent_death_signal(SIGTERM) }
        let server = try HTTPServer()
        let log: RequestLog? = if let path = options.logFile { try RequestLog(path: path) } else { nil }
        let secrets: SecretList? = if let path = options.secretsFile { try SecretList(path: path) } else { nil }
        try server.listen(
            address: options.address, port: options.port, certificateFile: options.certificateFile,
            keyFile: options.keyFile)
        let secret = try options.clientSecretFile.map { (file) throws(Complaint) in try readSecret(file) }
        let issuer: Issuer
        do {
            issuer = try Issuer(url: server.origin, options: options, clientSecret: secret)
        } catch {
            throw Complaint("cannot make the issuer's keys: \(error)", exitCode: .protocolFailure)
        }
        server.answer = { request in
            let response = issuer.answer(request)
            let status = response.delivery == .dropped ? 0 : response.status
            secrets?.note(request, response)
            log?.record(request, status: status, faults: issuer.faults.struckNow)
            return response
        }
        let git = options.gitDirectory.map { GitService(directory: $0, issuer: issuer, log: log) }
        git?.attach(to: server)

        let loop = g_main_loop_new(nil, 0)
        defer { g_main_loop_unref(loop) }
        let quit: GSourceFunc = { data in
            g_main_loop_quit(data.map { OpaquePointer($0) })
            return 1
        }
        let sources = endingSignals.map {
            g_unix_signal_add($0, quit, loop.map { UnsafeMutableRawPointer($0) })
        }
        defer { for source in sources { g_source_remove(source) } }
        // Whoever started this process may have blocked what ends it, as the threads of a test run do.
        var ending = sigset_t()
        sigemptyset(&ending)
        for signal in endingSignals { sigaddset(&ending, signal) }
        sigprocmask(SIG_UNBLOCK, &ending, nil)

        if let path = options.readyFile { try ReadyFile.write(path, issuer: issuer) }
        StandardStream.writeError("mojoauth-sandbox: listening on \(issuer.url)\n")
        withExtendedLifetime((server, git)) { g_main_loop_run(loop) }
        // A file that stays would tell of a server that is gone.
        if let path = options.readyFile { unlink(path) }
    }

    /// The first line of a file.
    private static func readSecret(_ path: String) throws(Complaint) -> Secret {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            throw Complaint("cannot read \(path): \(String(cString: strerror(errno)))", exitCode: .configuration)
        }
        defer { close(descriptor) }
        guard let bytes = try? StandardStream.read(descriptor: descriptor, limit: 4096),
            let line = bytes.split(separator: 0x0A, omittingEmptySubsequences: false).first, !line.isEmpty
        else { throw Complaint("\(path) holds no client secret in its first line", exitCode: .configuration) }
        return Secret(line)
    }
}
