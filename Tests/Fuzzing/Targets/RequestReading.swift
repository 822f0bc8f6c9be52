import HelperProtocol
import JSON
import Sensitive
import WebAddress

/// What tools ask for the token of one server. The first line is the protocol's word and the arguments behind it, all
/// below it what is read.
enum RequestReading {
    private static let token = ServedToken(
        username: "oauth2", secret: Secret("a.b-c_d~e"), expiresAt: 1_796_040_000)

    static func run(_ bytes: [UInt8]) {
        let line = bytes.prefix { $0 != 0x0A }
        let words = String(decoding: line, as: UTF8.self).split(separator: " ", omittingEmptySubsequences: false)
            .map(String.init)
        let (arguments, input) = (Array(words.dropFirst()), Array(bytes.dropFirst(line.count + 1)))
        switch words.first {
        case "kubernetes": read(KubernetesRequest.self, arguments, input) { isObject($1) }
        case "cargo": read(CargoRequest.self, arguments, input) { isObject($1) }
        case "bazel": read(BazelRequest.self, arguments, input) { isObject($1) }
        case "terraform": read(TerraformRequest.self, arguments, input) { isObject($1) }
        case "keyring": read(KeyringRequest.self, arguments, input) { $1.contains("a.b-c_d~e") }
        case "goauth": read(GoRequest.self, arguments, input, answersGo)
        case "token": read(PlainTokenRequest.self, arguments, input) { $1.hasSuffix("a.b-c_d~e\n") }
        default: break
        }
    }

    private static func read<Request: CredentialRequest>(
        _ type: Request.Type, _ arguments: [String], _ input: [UInt8], _ isAnswer: (AskedServer, String) -> Bool
    ) {
        guard (try? Request.source(arguments)) != nil else { return }
        let request: Request
        do throws(RequestFault) {
            request = try Request(arguments: arguments, input: input)
        } catch {
            return check(error.isUsage || !error.description.isEmpty, "a fault without words")
        }
        if case .bytes(let bytes) = request.noToken {
            check(!String(decoding: bytes, as: UTF8.self).contains("a.b-c_d~e"), "a token for nobody")
        }
        guard let server = request.server else { return }
        let origin = server.origin
        check(
            Origin(scheme: origin.scheme, authority: origin.authority) == origin, "another server when it is read again"
        )
        guard let answer = try? request.answer(token) else { return check(false, "no answer") }
        let text = String(decoding: answer, as: UTF8.self)
        check(text.hasSuffix("\n") && isAnswer(server, text), "an answer that its caller does not understand")
        guard let failure = Request.failure("a\nb", hint: nil) else { return }
        check(isObject(String(decoding: failure, as: UTF8.self)), "a failure that its caller does not understand")
    }

    /// One line with an object.
    private static func isObject(_ text: String) -> Bool {
        text.utf8.count { $0 == 0x0A } == 1 && (try? JSONValue(parsing: Array(text.utf8)))?.object != nil
    }

    /// The server that was asked about, spelled in any way, and one header.
    private static func answersGo(_ server: AskedServer, _ text: String) -> Bool {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        return lines.count == 5 && lines[0].utf8.starts(with: "https://".utf8) && AskedServer(url: lines[0]) == server
            && Array(lines[1...]) == ["", "Authorization: Bearer a.b-c_d~e", "", ""]
    }
}
