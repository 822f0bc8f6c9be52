import TestSupport

/// A run of a program of ours, with secrets in its hands.
struct CanaryCommand: Sendable {
    var program = "mojoauth-credential"
    var arguments: [String]
    var input = ""
    var environment: [String: String] = [:]
    /// nil where what it finds on this machine is not the matter.
    var exitCode: Int32? = 0
    /// Its standard output is for the caller, and holds the token.
    var isAnswer = false
    /// Names of secrets that it shows on purpose.
    var shows: Set<String> = []

    init(
        _ line: String, exitCode: Int32? = 0, isAnswer: Bool = false, input: String = "",
        environment: [String: String] = [:], shows: Set<String> = []
    ) {
        arguments = line.split(separator: " ").map(String.init)
        if let first = arguments.first, Self.names.contains(first) { program = arguments.removeFirst() }
        (self.exitCode, self.isAnswer, self.input, self.shows) = (exitCode, isAnswer, input, shows)
        self.environment = environment
    }

    private static let names = Set(InstalledPrograms.helperNames + ["mojoauth-helper"])

    /// The command of a person's program that it is a row for; nil for a helper's.
    var command: String? { program == "mojoauth-credential" ? arguments.first : nil }

    /// The word of the helper that it is a row for; nil for the person's program.
    var helperWord: String? {
        if program == "mojoauth-helper" { return arguments.first }
        return command == nil ? program.split(separator: "-").first.map(String.init) : nil
    }

    /// Only a person's own program tells its steps; an option of ours stands before the command of `run`.
    var isVerbose: CanaryCommand {
        var command = self
        guard program == "mojoauth-credential" else { return command }
        command.arguments.insert("--verbose", at: arguments.firstIndex(of: "--") ?? arguments.count)
        return command
    }
}

extension CanaryCommand {
    /// What a person types: the password of another host, which no login brings.
    static let typed = "canary-typed-password-3c1d77"
    static let clientSecret = "canary-client-secret-0123456789"
    static let registry = "registry.example.com"
    /// The command that `run` starts, by which it is known among the processes.
    static let child = "canary-child"

    private static let other = World.gitRequest("https://other.example.com", ["username": "bob"])
    private static let otherWithPassword = World.gitRequest(
        "https://other.example.com", ["username": "bob", "password": typed])
    private static let dockerItem =
        #"{"ServerURL":"other.example.com","Username":"bob","Secret":"\#(typed)"}"#
    private static let kubernetes =
        #"{"kind":"ExecCredential","apiVersion":"client.authentication.k8s.io/v1","spec":{"cluster":{"server":"\#(Stage.host)"},"interactive":false}}"#
    private static let cargo =
        #"{"v":1,"registry":{"index-url":"sparse+\#(Stage.host)/","headers":[]},"kind":"get","operation":"read","args":[]}"#

    /// Every command and every helper, in an order in which each finds what it needs.
    static let all = [person, answers, running, settings, helpers, kept, ends].flatMap(\.self)

    private static let person: [CanaryCommand] =
        [
            "login", "login --prompt login", "status", "status --json", "whoami", "whoami --json", "whoami --refresh",
            "list", "list --json", "refresh", "refresh --json", "refresh --if-stale 600", "refresh --if-ageing",
            "refresh --background", "refresh --audience api", "explain \(Stage.host)", "completion bash", "version",
            "help", "unlock",
        ].map { CanaryCommand($0) } + ["doctor", "doctor --json"].map { CanaryCommand($0, exitCode: nil) }

    private static let answers: [CanaryCommand] = ["get", "get --format json", "get \(Stage.host) --format header"].map
    {
        CanaryCommand($0, isAnswer: true)
    }

    private static let running: [CanaryCommand] = ["--env", "--file", "--descriptor"].map { way in
        CanaryCommand("run --host \(Stage.host) \(way) CANARY -- sh -c : \(child)\(way)")
    }

    private static let settings: [CanaryCommand] = [
        "configure host https://tool.example.com", "configure cargo", "unconfigure cargo",
        "unconfigure host https://tool.example.com", "configure git \(Stage.host)",
    ].map { CanaryCommand($0) }

    private static let helpers: [CanaryCommand] = [
        CanaryCommand("git-credential-mojoauth get", isAnswer: true, input: World.gitRequest(Stage.host)),
        CanaryCommand(
            "git-credential-mojoauth get", isAnswer: true,
            input: "capability[]=authtype\ncapability[]=state\n" + World.gitRequest(Stage.host)),
        CanaryCommand("docker-credential-mojoauth get", isAnswer: true, input: registry),
        CanaryCommand("docker-credential-mojoauth list"),
        CanaryCommand("cargo-credential-mojoauth --cargo-plugin", isAnswer: true, input: cargo + "\n"),
        CanaryCommand("bazel-credential-mojoauth get", isAnswer: true, input: #"{"uri":"\#(Stage.host)/a"}"#),
        CanaryCommand("terraform-credentials-mojoauth get git.example.com", isAnswer: true),
        CanaryCommand("mojoauth-helper kubernetes", isAnswer: true, environment: ["KUBERNETES_EXEC_INFO": kubernetes]),
        CanaryCommand("mojoauth-helper keyring get \(Stage.host)/simple/ oauth2", isAnswer: true),
        CanaryCommand("mojoauth-helper goauth \(Stage.host)/mod/@v/list", isAnswer: true),
        CanaryCommand("mojoauth-helper token git.example.com", isAnswer: true),
    ]

    private static let kept: [CanaryCommand] = [
        CanaryCommand("store", input: otherWithPassword),
        CanaryCommand("git-credential-mojoauth get", isAnswer: true, input: other),
        CanaryCommand("erase", input: other),
        CanaryCommand("git-credential-mojoauth store", input: otherWithPassword),
        CanaryCommand("git-credential-mojoauth erase", input: otherWithPassword),
        CanaryCommand("docker-credential-mojoauth store", input: dockerItem),
        CanaryCommand("docker-credential-mojoauth get", isAnswer: true, input: "other.example.com"),
        CanaryCommand("docker-credential-mojoauth erase", input: "other.example.com"),
    ]

    private static let ends: [CanaryCommand] = [
        // Nobody goes there: it shows the address with state and nonce, and gives up.
        CanaryCommand("login --no-browser --timeout 1", exitCode: 75, shows: ["state", "nonce"]),
        CanaryCommand("login --device --timeout 1", exitCode: 75),
        // The browser keeps no cookies: nobody is signed in there.
        CanaryCommand("login --silent", exitCode: 77),
        CanaryCommand("logout"), CanaryCommand("login --ephemeral"), CanaryCommand("logout --force"),
        CanaryCommand("login"), CanaryCommand("logout --browser --timeout 5"), CanaryCommand("login"),
    ]
}
