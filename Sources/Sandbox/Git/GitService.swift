import CGLib
import CSoup

/// Repositories under `/git/`, by smart HTTP through git's own http-backend, for bearers of our tokens.
final class GitService {
    static let prefix = "/git"

    let directory: String
    private let issuer: Issuer
    private let log: RequestLog?

    init(directory: String, issuer: Issuer, log: RequestLog?) {
        self.directory = directory
        self.issuer = issuer
        self.log = log
    }

    /// Serves from now on; must live as long as the server.
    func attach(to server: HTTPServer) {
        // The early handler sees the head before the body comes, so that a push is streamed and never held.
        soup_server_add_early_handler(
            server.soup, Self.prefix, headArrived, Unmanaged.passUnretained(self).toOpaque(), nil)
        soup_server_add_handler(server.soup, Self.prefix, bodyArrived, nil, nil)
    }

    fileprivate func begin(_ message: OpaquePointer) {
        soup_message_body_set_accumulate(soup_server_message_get_request_body(message), 0)
        let request = HTTPRequest(copyingHeadOf: message)
        guard let user = issuer.bearerOfGit(request) else {
            record(request, status: 401)
            return HTTPServer.send(Self.challenge, on: message)
        }
        guard request.path.hasPrefix(Self.prefix + "/"), !(request.path + "/").contains("/../") else {
            record(request, status: 404)
            return HTTPServer.send(.text("no such repository", status: 404), on: message)
        }
        do {
            let exchange = try CGIExchange(
                message: message,
                environment: environment(for: request, user: user),
                answered: { [weak self] status in self?.record(request, status: status) })
            exchange.start()
        } catch {
            record(request, status: 500)
            HTTPServer.send(.text("git's http-backend does not start: \(error.message)", status: 500), on: message)
        }
    }

    private func record(_ request: HTTPRequest, status: Int) {
        log?.record(request, status: status, faults: issuer.faults.struckNow)
    }

    /// Both kinds, as a server would that takes a token as password and as bearer.
    private static var challenge: HTTPResponse {
        var response = HTTPResponse.text("log in with a token of the sandbox", status: 401)
        response.add("WWW-Authenticate", "Bearer realm=\"git\"")
        response.add("WWW-Authenticate", "Basic realm=\"git\"")
        return response
    }

    /// The variables of the Common Gateway Interface (RFC 3875 section 4.1), and git's.
    private func environment(for request: HTTPRequest, user: String) -> [(name: String, value: String)] {
        var variables = [
            ("GATEWAY_INTERFACE", "CGI/1.1"), ("SERVER_PROTOCOL", "HTTP/1.1"), ("REMOTE_ADDR", "127.0.0.1"),
            ("REMOTE_USER", user), ("REQUEST_METHOD", request.method),
            ("PATH_INFO", String(request.path.dropFirst(Self.prefix.count))), ("QUERY_STRING", request.rawQuery ?? ""),
            ("GIT_PROJECT_ROOT", directory), ("GIT_HTTP_EXPORT_ALL", "1"), ("GIT_CONFIG_NOSYSTEM", "1"),
            // The repositories may belong to somebody else, and whoever has a token may push.
            ("GIT_CONFIG_COUNT", "2"), ("GIT_CONFIG_KEY_0", "safe.directory"), ("GIT_CONFIG_VALUE_0", "*"),
            ("GIT_CONFIG_KEY_1", "http.receivepack"), ("GIT_CONFIG_VALUE_1", "true"),
        ]
        for (header, name) in [
            ("Content-Type", "CONTENT_TYPE"), ("Content-Length", "CONTENT_LENGTH"),
            ("Content-Encoding", "HTTP_CONTENT_ENCODING"), ("Git-Protocol", "GIT_PROTOCOL"),
        ] {
            if let value = request.header(header) { variables.append((name, value)) }
        }
        return variables
    }
}

private let headArrived: SoupServerCallback = { _, message, _, _, data in
    guard let message, let data else { return }
    Unmanaged<GitService>.fromOpaque(data).takeUnretainedValue().begin(message)
}

/// The body has been read. The backend may still be working on it: its answer unpauses the message.
private let bodyArrived: SoupServerCallback = { _, message, _, _, _ in
    guard let message else { return }
    CGIExchange.bodyEnded(of: message)
}
