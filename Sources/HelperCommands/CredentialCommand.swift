import Configuration
import Glibc
import HelperProtocol
import Program
import Sensitive

/// Runs a protocol that asks for the token of one server: finds the entry that names it, serves its token, or says in
/// the caller's words that there is none.
package enum CredentialCommand<Request: CredentialRequest> {
    /// What goes to standard output, the complaint beside it, and whether the caller shall see a success.
    package struct Reply: Sendable, Equatable {
        package var output: [UInt8] = []
        package var complaint: Complaint?
        package var isFailure = false
        /// The arguments were wrong, and the usage line says it.
        package var isUsage = false
    }

    private static var inputLimit: Int { 1 << 20 }

    /// Runs a whole helper process.
    ///
    /// - Returns: its exit code, 0 or 1.
    package static func run(_ arguments: [String], name: HelperName) -> Int32 {
        let source: RequestSource
        do throws(RequestFault) {
            source = try Request.source(arguments)
        } catch {
            return send(failure(error), name)
        }
        let renewal = ChildRenewal(patience: Request.patience)
        let make = { (caller) throws(Complaint) in try HelperContext(caller: caller, renewal: renewal) }
        do throws(StandardStream.Failure) {
            switch source {
            case .arguments: return send(reply(arguments, [], make), name)
            case .variable(let variable):
                return send(reply(arguments, Array((ProcessEnvironment[variable] ?? "").utf8), make), name)
            case .standardInput:
                return send(reply(arguments, try StandardStream.readInput(limit: inputLimit), make), name)
            case .lines:
                guard send(Reply(output: Request.greeting), name) == 0 else { return 1 }
                var lines = InputLines(limit: inputLimit)
                while let line = try lines.next() {
                    guard send(reply(arguments, line, make), name) == 0 else { return 1 }
                }
                return 0
            }
        } catch {
            let complaint = Complaint(
                "cannot read the request: \(error.description)", exitCode: .protocolFailure)
            _ = send(failure(complaint), name)
            return 1
        }
    }

    private static func send(_ reply: Reply, _ name: HelperName) -> Int32 {
        if reply.isUsage {
            StandardStream.writeError("usage: \(name.invocation)\(Request.usage.isEmpty ? "" : " ")\(Request.usage)\n")
        }
        if let complaint = reply.complaint { StandardStream.writeError(complaint.lines(program: name.program)) }
        do throws(StandardStream.Failure) {
            if !reply.output.isEmpty { try StandardStream.writeOutput(reply.output) }
        } catch {
            StandardStream.writeError("\(name.program): error: cannot write the answer: \(error.description)\n")
            return 1
        }
        return reply.isFailure ? 1 : 0
    }

    /// Answers one request.
    ///
    /// - Parameter makeContext: called once the request is understood.
    package static func reply(
        _ arguments: [String], _ input: [UInt8],
        _ makeContext: (InteractionPolicy.Caller) throws(Complaint) -> HelperContext
    ) -> Reply {
        let request: Request
        do throws(RequestFault) {
            request = try Request(arguments: arguments, input: input)
        } catch {
            return failure(error)
        }
        do throws(Complaint) {
            guard let server = request.server else { return try noToken(request) }
            let context = try makeContext(.tool(request.caller))
            guard let served = try context.served([server.origin]), serves(served.entry, server) else {
                return try noToken(request)
            }
            return try reply(request, served.entry, served.profile, context)
        } catch {
            return failure(error)
        }
    }

    private static func reply(
        _ request: Request, _ entry: HostEntry, _ profile: Profile, _ context: HelperContext
    ) throws(Complaint) -> Reply {
        switch request.purpose {
        case .get:
            let token = try context.token(entry, profile)
            do throws(RequestFault) {
                return Reply(output: try request.answer(token))
            } catch {
                throw Complaint("the token cannot be handed over: \(error)", exitCode: .protocolFailure)
            }
        case .store(let secret):
            guard !context.isToken(secret, of: profile) else { return Reply(output: request.acknowledgement) }
            throw Complaint(
                "\(entry.origin) is served by profile \"\(profile.name)\"; no other token is kept for it",
                hint: "to use another, take the [host \(entry.label)] entry out of the configuration",
                exitCode: .protocolFailure)
        case .forget:
            throw Complaint(
                "the login of profile \"\(profile.name)\" serves other hosts and tools beside \(entry.origin)",
                hint: "run 'mojoauth-credential logout' to end it", exitCode: .protocolFailure)
        }
    }

    /// A request that names an account gets that account's credential or none.
    private static func serves(_ entry: HostEntry, _ server: AskedServer) -> Bool {
        let asked = server.username ?? ""
        return asked.isEmpty || asked == entry.username
    }

    private static func noToken(_ request: Request) throws(Complaint) -> Reply {
        switch request.noToken {
        case .bytes(let bytes): return Reply(output: bytes)
        case .exitCode: return Reply(isFailure: true)
        case .complaint:
            throw Complaint(
                request.server.map { "no host entry names \($0.origin)" } ?? "the request names no web server",
                hint: "a server gets a token by a [host] entry: see mojoauth-credential.conf(5)",
                exitCode: .configuration)
        }
    }

    private static func failure(_ fault: RequestFault) -> Reply {
        if fault.isUsage { return Reply(isFailure: true, isUsage: true) }
        return failure(
            Complaint(
                "the request is not understood: \(fault.description)", hint: fault.hint, exitCode: .protocolFailure))
    }

    private static func failure(_ complaint: Complaint) -> Reply {
        let hint = complaint.hint.map { DisplayText.clean($0) }
        if let words = Request.failure(DisplayText.clean(complaint.message), hint: hint) { return Reply(output: words) }
        return Reply(complaint: complaint, isFailure: true)
    }
}
