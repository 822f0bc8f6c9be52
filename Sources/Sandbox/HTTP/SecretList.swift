import Glibc
import JSON
import Program
import WebAddress

/// Every secret that passed the issuer, either way: a line each, its name, a blank and the secret. For tests, which look
/// for them wherever none may be.
final class SecretList {
    /// In a request's form or query, a JSON answer, or the query of a redirect.
    private static let names = [
        "code", "code_verifier", "state", "nonce", "client_secret", "access_token", "refresh_token", "id_token",
        "device_code", "token",
    ]

    private let descriptor: CInt
    private var known: Set<String> = []

    /// Opens the file for appending, for its owner alone.
    init(path: String) throws(Complaint) {
        descriptor = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            throw Complaint(
                "cannot write the secrets to \(path): \(String(cString: strerror(errno)))", exitCode: .protocolFailure)
        }
    }

    deinit {
        close(descriptor)
    }

    /// Before the answer is sent: who has a secret finds its line.
    func note(_ request: HTTPRequest, _ response: HTTPResponse) {
        let target = response.headers.first { $0.name == "Location" }.flatMap { WebURL($0.value) }
        let answer = (try? JSONValue(parsing: response.body))?.object
        for name in Self.names {
            for fields in [request.form, request.query, target?.query.flatMap { FormFields(parsing: $0) }] {
                add(name, fields?[name])
            }
            add(name, answer?[name]?.string)
        }
        if let password = request.basic?.password { add("client_secret", FormFields.decode(password)) }
    }

    private func add(_ name: String, _ secret: String?) {
        // What is short says nothing wherever it is found.
        guard let secret, secret.utf8.count >= 16, known.insert(secret).inserted else { return }
        try? StandardStream.write(Array("\(name) \(secret)\n".utf8), descriptor: descriptor)
    }
}
