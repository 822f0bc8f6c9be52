import Configuration
import HelperProtocol
import JSON
import Keyring
import OpenIDConnect
import Program
import Sensitive
import SessionStore
import WebAddress

/// docker's protocol: `get`, `store`, `erase`, `list` and `version`. Answers and errors alike stand on standard output.
package struct DockerCommand {
    /// A push can outlast a token: docker gets one that still lives for this many seconds.
    private static let minimumLifetime = 900
    private static let inputLimit = 4 << 20

    private let context: HelperContext

    /// Runs a whole helper process.
    ///
    /// - Returns: its exit code, 0 or 1.
    package static func run(_ arguments: [String], program: String, renewal: any Renewal) -> Int32 {
        guard let action = arguments.first, arguments.count == 1 else {
            StandardStream.writeError("usage: \(program) get|store|erase|list|version\n")
            return 1
        }
        do throws(DockerError) {
            try write(try answer(action, program: program, renewal: renewal))
            return 0
        } catch {
            // A client that is gone cannot be told either.
            try? StandardStream.writeOutput(error.line)
            return 1
        }
    }

    private static func write(_ answer: [UInt8]) throws(DockerError) {
        do throws(StandardStream.Failure) {
            if !answer.isEmpty { try StandardStream.writeOutput(answer) }
        } catch {
            throw DockerError("cannot write the answer: \(error.description)")
        }
    }

    private static func answer(
        _ action: String, program: String, renewal: any Renewal
    ) throws(DockerError) -> [UInt8] {
        switch action {
        case "version": return Array(DockerCredential.versionLine(program: program, version: Version.text).utf8)
        case "get", "store", "erase", "list": break
        default: throw .unknownAction(action, program: program)
        }
        let input: [UInt8]
        do throws(StandardStream.Failure) {
            input = try StandardStream.readInput(limit: inputLimit)
        } catch {
            throw DockerError("cannot read the request: \(error.description)")
        }
        let command: DockerCommand
        do throws(Complaint) {
            command = DockerCommand(context: try HelperContext(caller: .docker, renewal: renewal))
        } catch {
            throw DockerError(error)
        }
        return try command.perform(action, input)
    }

    package init(context: HelperContext) {
        self.context = context
    }

    /// Carries one action out on what stands on standard input.
    package func perform(_ action: String, _ input: [UInt8]) throws(DockerError) -> [UInt8] {
        switch action {
        case "get": return try get(DockerServer(parsing: input))
        case "store": return try store(DockerCredential(parsing: input))
        case "erase": return try erase(DockerServer(parsing: input))
        default: return try list()
        }
    }

    private func served(_ server: DockerServer) throws(DockerError) -> (entry: HostEntry, profile: Profile)? {
        do throws(Complaint) {
            return try context.served(server.origins)
        } catch {
            throw DockerError(error)
        }
    }

    private var foreign: ForeignDockerCredentials { ForeignDockerCredentials(client: context.store.client) }

    private func get(_ server: DockerServer) throws(DockerError) -> [UInt8] {
        if let (entry, profile) = try served(server) { return try getOurs(server, entry, profile) }
        guard context.keepsForeign else { throw .notFound }
        let found: DockerCredential?
        do throws(KeyringError) {
            found = try foreign.find(server)
        } catch {
            // Without a keyring nothing was ever kept; anything but not-found would end even a public pull.
            throw error.meansAbsent ? .notFound : DockerError(Complaint(error))
        }
        guard let found else { throw .notFound }
        return try found.serialized()
    }

    private func getOurs(_ server: DockerServer, _ entry: HostEntry, _ profile: Profile) throws(DockerError) -> [UInt8]
    {
        let token: ServedToken
        do throws(Complaint) {
            token = try context.token(entry, profile, atLeast: Self.minimumLifetime)
        } catch {
            throw DockerError(error)
        }
        return try DockerCredential(server: server, username: token.username, secret: token.secret).serialized()
    }

    private func store(_ credential: DockerCredential) throws(DockerError) -> [UInt8] {
        if let (_, profile) = try served(credential.server) {
            // `docker login` hands back what `get` gave it; that needs no keeping.
            guard context.isToken(credential.secret, of: profile) else {
                throw DockerError(
                    "\(credential.server) is served by profile \(profile.name); to store another secret, first run 'mojoauth-credential unconfigure docker \(credential.server)'"
                )
            }
            return []
        }
        guard context.keepsForeign else {
            throw DockerError("credentials of \(credential.server) are not kept: the configuration says foreign=ignore")
        }
        do throws(KeyringError) {
            try foreign.store(credential)
            return []
        } catch {
            throw DockerError(Complaint(error))
        }
    }

    private func erase(_ server: DockerServer) throws(DockerError) -> [UInt8] {
        // docker erases by server alone: for one of ours that says nothing about a token.
        if try served(server) != nil { return [] }
        guard context.keepsForeign else { return [] }
        do throws(KeyringError) {
            try foreign.erase(server)
            return []
        } catch {
            throw DockerError(Complaint(error))
        }
    }

    /// Names a server of ours only while `get` would answer for it without a person: clients get all that is listed,
    /// and one failure costs them every registry.
    private func list() throws(DockerError) -> [UInt8] {
        let reading = BusSession(context.configuration.defaults.busSession)
        let store = SessionStore(client: SecretServiceClient(reading: reading, allowsPrompts: { false }))
        var entries: [(server: String, username: String)] = []
        // Of many entries most share a token.
        struct Token: Hashable {
            let profile: String
            let target: TokenTarget
        }
        var answers: [Token: Bool] = [:]
        for entry in context.configuration.hosts {
            let token = Token(profile: entry.profileName, target: entry.tokenTarget)
            let canAnswer = answers[token] ?? canAnswer(entry, store)
            answers[token] = canAnswer
            if canAnswer { entries.append((entry.origin.authority, entry.username)) }
        }
        if context.keepsForeign {
            // A locked or absent keyring has nothing to list.
            entries += (try? ForeignDockerCredentials(client: store.client).list()) ?? []
        }
        return try DockerCredential.serialize(list: entries)
    }

    private func canAnswer(_ entry: HostEntry, _ store: SessionStore) -> Bool {
        guard let profile = try? context.configuration.profile(named: entry.profileName),
            let state = try? store.find(SessionKey(profile)), state.isAuthorized,
            !state.exceedsSession(profile.maximumSession, at: Clock.now())
        else { return false }
        let target = entry.tokenTarget
        if state.isUsable(at: Clock.now(), for: target) { return true }
        // A refresh makes an access token; whether it brings an ID token is known only where one has come before.
        return state.refreshToken != nil && state.ageOfTokenRefusedTwice(at: Clock.now(), for: target) == nil
            && (!target.isIDToken || state.storedIDToken != nil)
    }
}

extension DockerError {
    /// One line: docker shows what stands on standard output.
    init(_ complaint: Complaint) {
        let hint = complaint.hint.map { "; \($0)" } ?? ""
        self.init(DisplayText.clean(complaint.message + hint))
    }
}
