import Configuration
import JSON
import Login
import OpenIDConnect
import Sensitive
import WebAddress

/// A listener that waits for the answer to a request.
///
/// PORT, STATE and START in an input stand for what only the browser knows: without them no input could come close.
final class Waiting {
    /// libFuzzer calls from one thread.
    nonisolated(unsafe) static let loop = EventLoop()

    let listener: LoopbackListener
    private let state: [UInt8]
    private let start: [UInt8]
    private let port: [UInt8]

    init() {
        guard let uri = RedirectURI("http://127.0.0.1/callback"),
            let listener = try? LoopbackListener(binding: [uri], loop: Self.loop),
            let metadata = try? MetadataReading.example()
        else { fatalError("no listener") }
        let request = AuthorizationRequest(
            metadata: metadata, clientID: "fuzz", redirectURI: listener.redirectURI, scopes: ["openid"],
            parameters: FormFields(), ceremony: .system)
        self.listener = listener
        state = request.state.withBytes { Array($0) }
        let address = listener.expect(request, ceremony: .system)
        start = WebURL(address).map { Array($0.path.utf8) } ?? []
        port = Array("\(listener.port)".utf8)
    }

    func filled(_ bytes: [UInt8]) -> [UInt8] {
        bytes.replacing("PORT".utf8, with: port).replacing("STATE".utf8, with: state)
            .replacing("START".utf8, with: start)
    }

    /// Whatever was taken must have come with what nobody else knows.
    ///
    /// - Returns: whether this listener has done its work.
    func hasTaken(_ filled: [UInt8]) -> Bool {
        if listener.answer != nil { check(filled.contains(state), "an answer without our state was taken") }
        if listener.wasStarted { check(filled.contains(start), "the way to the issuer was shown to a stranger") }
        return listener.answer != nil || listener.wasStarted
    }
}
