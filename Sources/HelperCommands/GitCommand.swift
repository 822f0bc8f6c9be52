import CGLib
import Configuration
import HelperProtocol
import Keyring
import OpenIDConnect
import Program
import Sensitive
import SessionStore

/// git's protocol: `get`, `store` and `erase` with a request on standard input.
package struct GitCommand {
    private let context: HelperContext
    private let request: GitRequest

    /// What is written to standard output, and the complaint that goes with it.
    package struct Answer {
        package var output: [UInt8] = []
        package var complaint: Complaint?
    }

    package init(_ request: GitRequest, context: HelperContext) {
        self.request = request
        self.context = context
    }

    /// Runs a whole helper process.
    ///
    /// - Returns: its exit code, 0 or 1.
    package static func run(_ arguments: [String], program: String, renewal: any Renewal) -> Int32 {
        // Words behind the helper's name in credential.helper come before the operation.
        guard let operation = arguments.last else {
            StandardStream.writeError("usage: \(program) get|store|erase|capability\n")
            return 1
        }
        let answer: Answer
        do throws(Complaint) {
            answer = try self.answer(operation, renewal: renewal)
        } catch {
            answer = Answer(complaint: error)
        }
        if let complaint = answer.complaint { StandardStream.writeError(complaint.lines(program: program)) }
        do throws(StandardStream.Failure) {
            if !answer.output.isEmpty { try StandardStream.writeOutput(answer.output) }
        } catch {
            StandardStream.writeError("\(program): error: cannot write the answer: \(error.description)\n")
            return 1
        }
        return answer.complaint == nil ? 0 : 1
    }

    /// One operation on the request that stands on standard input.
    package static func answer(_ operation: String, renewal: any Renewal) throws(Complaint) -> Answer {
        switch operation {
        case "capability": return Answer(output: Array(GitResponse.capabilityAnnouncement.utf8))
        // git may learn new operations: they are ignored, as gitcredentials(7) asks.
        case "get", "store", "erase": break
        default: return Answer()
        }
        let request = try readRequest()
        return try GitCommand(request, context: HelperContext(caller: .git, renewal: renewal)).perform(operation)
    }

    package static func readRequest() throws(Complaint) -> GitRequest {
        let bytes: [UInt8]
        do throws(StandardStream.Failure) {
            // A blank line ends it, also where the caller keeps the pipe open.
            bytes = try StandardStream.readInput(limit: GitRequest.maximumSize, toBlankLine: true)
        } catch {
            throw Complaint("cannot read git's request: \(error.description)", exitCode: .protocolFailure)
        }
        do throws(GitProtocolError) {
            return try GitRequest(parsing: bytes)
        } catch {
            throw Complaint("git's request is not understood: \(error.description)", exitCode: .protocolFailure)
        }
    }

    package func perform(_ operation: String) throws(Complaint) -> Answer {
        let credential = request.credential
        guard operation == "erase" ? !credential.isBlank : credential.namesServer else {
            throw Complaint("git's request names no protocol and host", exitCode: .protocolFailure)
        }
        let served: (entry: HostEntry, profile: Profile)?
        do throws(Complaint) {
            served = try context.served([credential.origin].compactMap(\.self))
        } catch {
            // An entry names the host, however wrong it is: a password that a person types cannot be right.
            guard operation == "get" else { throw error }
            return Answer(output: (try? serialize(.quit)) ?? [], complaint: error)
        }
        if let served { return try performOurs(operation, served.entry, served.profile) }
        guard context.keepsForeign else { return Answer() }
        return try performForeign(operation)
    }

    // MARK: A host of ours

    private func performOurs(_ operation: String, _ entry: HostEntry, _ profile: Profile) throws(Complaint) -> Answer {
        switch operation {
        case "get": return get(entry, profile)
        case "erase":
            guard let refused = request.credential.credential ?? request.credential.password else { return Answer() }
            let state = try TokenRejection(store: context.store).reject(refused, of: profile)
            // It came in the place of a refused one: the person learns now why, and not at the next command.
            let age = state?.ageOfTokenRefusedTwice(at: Clock.now(), for: entry.tokenTarget)
            return Answer(complaint: age.map { .refusedTwice(entry, age: $0) })
        // store: our own token is in the keyring already, and nothing else is kept for this host.
        default: return Answer()
        }
    }

    /// A failure ends with `quit=1`, so that git asks nobody to type a password that cannot be right.
    private func get(_ entry: HostEntry, _ profile: Profile) -> Answer {
        let asked = request.credential.username ?? []
        guard asked.isEmpty || asked == Array(entry.username.utf8) else { return Answer() }
        do throws(Complaint) {
            var token = try context.token(entry, profile)
            // Asked again in the same command, with what we gave out before: the host has refused it.
            let isSecondRound = request.ownState != nil
            if request.ownState == Self.fingerprint(token.secret) {
                try TokenRejection(store: context.store).reject(token.secret, of: profile)
                token = try context.token(entry, profile)
            }
            var response = GitResponse(
                token: token.secret, username: token.username, expiry: token.expiresAt, for: request.capabilities)
            response.state = Self.fingerprint(token.secret)
            response.isContinued = !isSecondRound
            return Answer(output: try serialize(response))
        } catch {
            return Answer(output: (try? serialize(.quit)) ?? [], complaint: error)
        }
    }

    /// Tells tokens apart without telling one: git hands it back when the token was refused.
    private static func fingerprint(_ secret: Secret) -> String {
        secret.withBytes { bytes in
            let digest = g_compute_checksum_for_data(
                G_CHECKSUM_SHA256, bytes.bindMemory(to: UInt8.self).baseAddress, gsize(bytes.count))
            defer { g_free(digest) }
            return String((digest.map { String(cString: $0) } ?? "").prefix(16))
        }
    }

    private func serialize(_ response: GitResponse) throws(Complaint) -> [UInt8] {
        do throws(GitProtocolError) {
            return try response.serialized(for: request.capabilities)
        } catch {
            throw Complaint("the credential cannot be given to git: \(error.description)", exitCode: .protocolFailure)
        }
    }

    // MARK: Any other host

    private func performForeign(_ operation: String) throws(Complaint) -> Answer {
        let credentials = ForeignGitCredentials(client: context.store.client)
        do throws(KeyringError) {
            switch operation {
            case "get":
                guard
                    let found = try credentials.find(
                        request.credential, typed: request.capabilities.contains(.authtype))
                else { return Answer() }
                return answer(GitResponse(found))
            case "store":
                guard request.credential.isStorable else { return Answer() }
                guard try credentials.store(request.credential) else {
                    let reason = "the credential cannot be kept: the keyring takes text in UTF-8 alone"
                    return Answer(complaint: Complaint(reason, exitCode: .protocolFailure))
                }
            default: try credentials.erase(request.credential)
            }
            return Answer()
        } catch {
            // No keyring at all: nothing was ever kept here, and another helper may have it.
            if operation == "get", error.meansAbsent { return Answer() }
            throw Complaint(error)
        }
    }

    private func answer(_ response: GitResponse) -> Answer {
        do throws(Complaint) {
            return Answer(output: try serialize(response))
        } catch {
            return Answer(complaint: error)
        }
    }
}

extension KeyringError {
    /// There is no keyring to ask, as opposed to one that does not answer.
    var meansAbsent: Bool {
        switch self {
        case .noBus, .busUnreachable, .noService: true
        default: false
        }
    }
}
