import Options
import Program
import Sandbox

/// `mojoauth-sandbox serve`: the provider itself.
enum ServeCommand {
    static let command = Command(name: "serve", summary: "run the provider until it is told to stop", run: run)

    private struct Values {
        var options = SandboxOptions()
        var wantsHelp = false
    }

    private static func run(_ arguments: [String]) throws(Complaint) -> ExitCode {
        var values = Values()
        var rest = try table.parse(arguments, into: &values)
        if values.wantsHelp { return try Dispatcher.print(table.help()) }
        if values.options.certificateFile != nil {
            guard !rest.isEmpty else { throw usage("--tls takes a certificate and a key") }
            values.options.keyFile = rest.removeFirst()
        }
        if let word = rest.first { throw usage("unexpected argument '\(word)'") }
        try Sandbox.serve(values.options)
        return .success
    }

    private static func usage(_ text: String) -> Complaint {
        Complaint(text, hint: "see '\(table.command) --help'", exitCode: .usage)
    }

    private static var table: OptionTable<Values> {
        OptionTable(
            command: "\(Dispatcher.program) serve",
            summary: "Runs an OpenID provider on loopback, with a sign-in page and the public client mojoauth-cli.",
            description: """
                Without --redirect-uri every loopback URI is registered; with it, URIs are compared whole.
                --fault NAME@N strikes at the N-th request to its endpoint alone; see '\(Dispatcher.program) faults'.
                While it runs, PUT and DELETE of /sandbox/faults/NAME with the ready file's control secret as bearer
                token turn a fault on and off.
                """,
            rows: listening + people + tokens + [
                OptionRow("git", value: "DIR", help: "Serve the git repositories of DIR under /git/") { values, text in
                    values.options.gitDirectory = text
                },
                OptionRow("fault", value: "NAME[=VALUE][@N]", help: "Turn a fault on (again for more)") {
                    (values, text) throws(OptionFault) in values.options.faults.append(try fault(text))
                },
                OptionRow("help", short: "h", help: "Show this help") { values, _ in values.wantsHelp = true },
            ])
    }

    private static var listening: [OptionRow<Values>] {
        [
            OptionRow("port", value: "N", help: "Port to listen on (0, the default: any free one)") {
                (values, text) throws(OptionFault) in values.options.port = try number(text, in: 0...65535)
            },
            OptionRow("address", value: "IP", help: "Loopback address to listen on (127.0.0.1)") { values, text in
                values.options.address = text
            },
            OptionRow("tls", value: "CERT KEY", help: "Speak https with this certificate and key (PEM files)") {
                values, text in values.options.certificateFile = text
            },
            OptionRow(
                "ready-file", value: "FILE", help: "Write issuer, client id, pid and control secret once it listens"
            ) {
                values, text in values.options.readyFile = text
            },
            OptionRow("log", value: "FILE", help: "Append a JSON line for each request") { values, text in
                values.options.logFile = text
            },
            OptionRow("secrets", value: "FILE", help: "Append every secret that passes, for tests that look for them") {
                values, text in values.options.secretsFile = text
            },
            OptionRow("die-with-parent", help: "Stop when the program that started it ends") { values, _ in
                values.options.diesWithParent = true
            },
        ]
    }

    private static var people: [OptionRow<Values>] {
        [
            OptionRow("auto", value: "EMAIL", help: "Sign this person in without a click") {
                (values, text) throws(OptionFault) in
                guard SandboxOptions.isPerson(text) else { throw OptionFault("'\(text)' is not an e-mail address") }
                values.options.autoUser = text
            },
            OptionRow(
                "client-secret-file", value: "FILE",
                help: "Make the client confidential; FILE's first line is its secret"
            ) { values, text in values.options.clientSecretFile = text },
            OptionRow("redirect-uri", value: "URI", help: "Register exactly this redirect URI (again for more)") {
                values, text in values.options.redirectURIs.append(text)
            },
        ]
    }

    private static var tokens: [OptionRow<Values>] {
        [
            OptionRow("access-lifetime", value: "SECONDS", help: "Lifetime of access and ID tokens (300)") {
                (values, text) throws(OptionFault) in values.options.accessLifetime = try seconds(text)
            },
            OptionRow("refresh-lifetime", value: "SECONDS", help: "Lifetime of refresh tokens (30 days)") {
                (values, text) throws(OptionFault) in values.options.refreshLifetime = try seconds(text)
            },
            OptionRow("no-rotation", help: "Keep the refresh token at a refresh") { values, _ in
                values.options.rotatesRefreshTokens = false
            },
            OptionRow("grace", value: "SECONDS", help: "Take the refresh token before the current one for so long (0)")
            {
                (values, text) throws(OptionFault) in values.options.grace = try seconds(text)
            },
            OptionRow("device-interval", value: "SECONDS", help: "Seconds between two polls of a device (5)") {
                (values, text) throws(OptionFault) in values.options.deviceInterval = try seconds(text)
            },
            OptionRow("env-query", help: "Endpoints carry ?env=test and are not there without it") { values, _ in
                values.options.wantsEnvironmentQuery = true
            },
        ]
    }

    private static func fault(_ text: String) throws(OptionFault) -> FaultSetting {
        do {
            return try FaultSetting(parsing: text)
        } catch {
            let near = Suggestion.nearest(to: text, among: Fault.table.map(\.name)).map { "; did you mean \($0)?" }
            throw OptionFault(error.description + (near ?? ""))
        }
    }

    private static func seconds(_ text: String) throws(OptionFault) -> Int {
        try number(text, in: 0...315_360_000)
    }

    private static func number(_ text: String, in range: ClosedRange<Int>) throws(OptionFault) -> Int {
        guard let number = Int(text), range.contains(number) else {
            throw OptionFault("'\(text)' is not a number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }
}
