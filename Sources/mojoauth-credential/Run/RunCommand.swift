import Glibc
import HelperCommands
import HelperProtocol
import Options
import Program
import Sensitive
import WebAddress

/// `run`: a command that gets the token of one host, in a way that ends with it.
enum RunCommand: Command {
    struct Values {
        var hosts: [String] = []
        var ways: [TokenWay] = []
    }

    static let name = "run"
    static let summary = "Run a command with the token of a host"
    static let defaults = Values()

    static var table: OptionTable<Values> {
        OptionTable(
            command: "mojoauth-credential run", parameters: "-- COMMAND [ARGUMENT]...", summary: summary,
            description: """
                Without --env, --file or --descriptor the variable is \(TokenWay.standardVariable).

                All that the command starts gets the token too, and while it runs every process of yours can read it:
                a variable in /proc/PID/environ, a file by its path, a descriptor in /proc/PID/fd. The exit code is the
                command's.

                Examples:
                  mojoauth-credential run --host https://api.example.com --env API_TOKEN -- ./deploy
                  mojoauth-credential run --host https://api.example.com --descriptor TOKEN -- sh -c 'app --token-file $TOKEN'
                """,
            rows: [
                OptionRow("host", value: "URL", help: "Whose token: a host that the configuration names") {
                    values, text in values.hosts.append(text)
                },
                way("env", "The variable NAME holds the token") { .environment($0) },
                way("file", "NAME holds the path of a private file, gone when the command ends") { .file($0) },
                way("descriptor", "NAME holds /dev/fd/N, an open descriptor of a file in memory") { .descriptor($0) },
            ])
    }

    private static func way(
        _ option: String, _ help: String, _ make: @escaping (String) -> TokenWay
    ) -> OptionRow<Values> {
        OptionRow(option, value: "NAME", help: help) { (values, text) throws(OptionFault) in
            try TokenWay.check(variable: text)
            values.ways.append(make(text))
        }
    }

    /// What stands behind `--` is the command's, options included.
    static func main(_ arguments: [String]) throws(Complaint) -> ExitCode {
        let table = fullTable
        let own = Array(arguments.prefix { $0 != "--" })
        if own.contains(where: { $0 == "--help" || $0 == "-h" }) {
            try print(table.help())
            return .success
        }
        var values = defaults
        guard try table.parse(own, into: &values).isEmpty else { throw usage("the command stands behind --") }
        return try run(values, Array(arguments.dropFirst(own.count + 1)))
    }

    static func run(_ values: Values, _ words: [String]) throws(Complaint) -> ExitCode {
        guard !words.isEmpty else { throw usage("run which command? It stands behind --") }
        guard values.hosts.count == 1, let url = WebURL(values.hosts[0]), url.userInfo == nil else {
            throw usage("whose token? --host names one URL such as https://api.example.com")
        }
        guard values.ways.count <= 1 else { throw usage("one of --env, --file and --descriptor, and once") }
        // Before a token is renewed for a command that is not there.
        let command = try OuterCommand(wordCount: words.count)
        let token = try HostToken.serve(url.origin).secret
        switch values.ways.first ?? .environment(TokenWay.standardVariable) {
        case .environment(let variable):
            guard let text = token.text else {
                throw Complaint("the token is no text", hint: "use --descriptor or --file", exitCode: .configuration)
            }
            setenv(variable, text, 1)
            try command.takeOver()
        case .descriptor(let variable):
            setenv(variable, "/dev/fd/\(try TokenDescriptor.open(token))", 1)
            try command.takeOver()
        case .file(let variable):
            // From now on no signal ends this process before the file is gone.
            SignalRelay.begin()
            let file = try TokenFile(token)
            setenv(variable, file.path, 1)
            let status: Int32
            do throws(Complaint) {
                status = try command.runToEnd()
            } catch {
                file.remove()
                throw error
            }
            file.remove()
            exit(status)
        }
    }

    private static func usage(_ text: String) -> Complaint {
        Complaint(text, hint: "say mojoauth-credential run --host URL -- COMMAND", exitCode: .usage)
    }
}
