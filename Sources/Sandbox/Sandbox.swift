import CGLib
import Glibc
import JOSE
import Program

/// The sandbox as a process: an issuer, a server, a log and a main loop.
package enum Sandbox {
    /// Serves until SIGTERM or SIGINT.
    package static func serve(_ options: SandboxOptions) throws(Complaint) {
        if options.diesWithParent { _ = mojoauth_set_parent_death_signal(SIGTERM) }
        let server = try HTTPServer()
        let log: RequestLog? = if let path = options.logFile { try RequestLog(path: path) } else { nil }
        try server.listen(
            address: options.address, port: options.port, certificateFile: options.certificateFile,
            keyFile: options.keyFile)
        let issuer: Issuer
        do {
            issuer = try Issuer(url: server.origin, options: options)
        } catch {
            throw Complaint("cannot make the issuer's keys: \(error)", exitCode: .protocolFailure)
        }
        server.answer = { request in
            let response = issuer.answer(request)
            let status = response.delivery == .dropped ? 0 : response.status
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
        let sources = [SIGTERM, SIGINT, SIGHUP].map {
            g_unix_signal_add($0, quit, loop.map { UnsafeMutableRawPointer($0) })
        }
        defer { for source in sources { g_source_remove(source) } }

        if let path = options.readyFile { try ReadyFile.write(path, issuer: issuer) }
        StandardStream.writeError("mojoauth-sandbox: listening on \(issuer.url)\n")
        withExtendedLifetime((server, git)) { g_main_loop_run(loop) }
    }
}
