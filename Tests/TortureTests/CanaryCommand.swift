import TestSupport

/// A run of a program of ours, with secrets in its hands.
struct CanaryCommand: Sendable {
    var program = "mojoauth-credential"
    var arguments: [String]
    var input = ""
    var environment: [String: String] = [:]
    /// nil where what it finds on this machine is not the matter.
    var exitCode: Int32? = 0
    /// The one secret that its standard output is asked for: its name at the issuer, or itself; nil where none may stand.
    var asked: String?
    /// Names of secrets that it shows on purpose.
    var shows: Set<String> = []
    /// A helper starts a child for it, which the issuer keeps waiting until it was looked at.
    var isWatched = false

    init(
        _ line: String, exitCode: Int32? = 0, asked: String? = nil, input: String = "",
        environment: [String: String] = [:], shows: Set<String> = [], isWatched: Bool = false
    ) {
        arguments = line.split(separator: " ").map(String.init)
        if let first = arguments.first, Self.names.contains(first) { program = arguments.removeFirst() }
        (self.exitCode, self.asked, self.input, self.shows) = (exitCode, asked, input, shows)
        (self.environment, self.isWatched) = (environment, isWatched)
    }

    private static let names = Set(InstalledPrograms.helperNames + ["mojoauth-helper"])

    /// The command of a person's program that it is a row for; nil for a helper's.
    var command: String? { program == "mojoauth-credential" ? arguments.first : nil }

    /// What `configure` sets up or `unconfigure` takes back in it, with that word: "configure git".
    var setting: String? {
        ["configure", "unconfigure"].contains(command) && arguments.count > 1
            ? arguments.prefix(2).joined(separator: " ") : nil
    }

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
    /// A host that takes the ID token.
    static let identity = "https://id.example.com"
    /// Stands in the input for the access token that is in the keyring.
    static let token = "@access-token@"
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
    static let all = [first, person, answers, running, settings, helpers, kept, children, ends].flatMap(\.self)

    /// The client secret goes into the keyring, and then there is a login.
    static let first: [CanaryCommand] = [
        CanaryCommand("configure profile --client-secret-stdin --offline", input: clientSecret + "\n"), login,
    ]
    static let login = CanaryCommand("login")

    /// A host has refused our token.
    static let refusal = CanaryCommand(
        "git-credential-mojoauth erase",
        input: World.gitRequest(Stage.host, ["username": "oauth2", "password": token]))

    /// What runs under a fault of the issuer, with a login whose token was refused. What becomes of each is not the matter.
    static let underFault: [CanaryCommand] =
        [CanaryCommand("git-credential-mojoauth get", exitCode: nil, asked: "access_token", input: get)]
        + ["refresh", "whoami --refresh", "login --timeout 1", "login --device --timeout 1", "logout"].map {
            CanaryCommand($0, exitCode: nil)
        }
    /// The same, with a login.
    static let logoutInBrowser = CanaryCommand("logout --browser --timeout 1", exitCode: nil)

    private static let get = World.gitRequest(Stage.host)

    private static let person: [CanaryCommand] =
        [
            "login --prompt login", "status", "status --json", "whoami", "whoami --json", "whoami --refresh",
            "list", "list --json", "refresh", "refresh --json", "refresh --if-stale 600", "refresh --if-ageing",
            "refresh --background", "refresh --audience api", "explain \(Stage.host)", "completion bash", "version",
            "help", "unlock",
        ].map { CanaryCommand($0) } + ["doctor", "doctor --json"].map { CanaryCommand($0, exitCode: nil) }

    private static let answers: [CanaryCommand] = ["get", "get --format json", "get \(Stage.host) --format header"].map
    {
        CanaryCommand($0, asked: "access_token")
    }

    private static let running: [CanaryCommand] = ["--env", "--file", "--descriptor"].map { way in
        CanaryCommand("run --host \(Stage.host) \(way) CANARY -- sh -c : \(child)\(way)")
    }

    private static let settings: [CanaryCommand] =
        [
            "configure host https://tool.example.com", "unconfigure host https://tool.example.com",
            "configure git \(Stage.host)", "configure git https://tool.example.com",
            "unconfigure git https://tool.example.com", "configure docker \(registry)",
            "configure docker tool.example.com", "unconfigure docker tool.example.com", "configure background on",
            "unconfigure background", "configure profile spare --issuer https://spare.example --client-id c --offline",
            "unconfigure profile spare",
        ].map { CanaryCommand($0) }
        + ["cargo", "go", "terraform", "pip", "uv", "bazel"].flatMap { tool in
            [CanaryCommand("configure \(tool)"), CanaryCommand("unconfigure \(tool)")]
        }
        // Whether kubectl can set a user hangs on its version.
        + ["configure kubernetes", "unconfigure kubernetes"].map { CanaryCommand($0, exitCode: nil) }

    private static let helpers: [CanaryCommand] = [
        CanaryCommand("git-credential-mojoauth get", asked: "access_token", input: get),
        CanaryCommand(
            "git-credential-mojoauth get", asked: "access_token",
            input: "capability[]=authtype\ncapability[]=state\n" + get),
        CanaryCommand("docker-credential-mojoauth get", asked: "access_token", input: registry),
        CanaryCommand("git-credential-mojoauth get", asked: "id_token", input: World.gitRequest(identity)),
        CanaryCommand("get \(identity)", asked: "id_token"),
        CanaryCommand("docker-credential-mojoauth list"),
        CanaryCommand("cargo-credential-mojoauth --cargo-plugin", asked: "access_token", input: cargo + "\n"),
        CanaryCommand("bazel-credential-mojoauth get", asked: "access_token", input: #"{"uri":"\#(Stage.host)/a"}"#),
        CanaryCommand("terraform-credentials-mojoauth get git.example.com", asked: "access_token"),
        CanaryCommand(
            "mojoauth-helper kubernetes", asked: "access_token", environment: ["KUBERNETES_EXEC_INFO": kubernetes]),
        CanaryCommand("mojoauth-helper keyring get \(Stage.host)/simple/ oauth2", asked: "access_token"),
        CanaryCommand("mojoauth-helper goauth \(Stage.host)/mod/@v/list", asked: "access_token"),
        CanaryCommand("mojoauth-helper token git.example.com", asked: "access_token"),
    ]

    private static let kept: [CanaryCommand] = [
        CanaryCommand("store", input: otherWithPassword),
        CanaryCommand("git-credential-mojoauth get", asked: typed, input: other),
        CanaryCommand("erase", input: other),
        CanaryCommand("git-credential-mojoauth store", input: otherWithPassword),
        CanaryCommand("git-credential-mojoauth erase", input: otherWithPassword),
        CanaryCommand("docker-credential-mojoauth store", input: dockerItem),
        CanaryCommand("docker-credential-mojoauth get", asked: typed, input: "other.example.com"),
        CanaryCommand("docker-credential-mojoauth erase", input: "other.example.com"),
    ]

    /// What a helper starts: the refresh, and the login with its browser.
    private static let children: [CanaryCommand] = [
        refusal,
        CanaryCommand("git-credential-mojoauth get", asked: "access_token", input: get, isWatched: true),
        CanaryCommand("logout"),
        CanaryCommand(
            "git-credential-mojoauth get", asked: "access_token", input: get, environment: ["DISPLAY": ":0"],
            isWatched: true),
    ]

    private static let ends: [CanaryCommand] = [
        // Nobody goes there: it shows the address with state and nonce, and gives up.
        CanaryCommand("login --no-browser --timeout 1", exitCode: 75, shows: ["state", "nonce"]),
        CanaryCommand("login --device --timeout 1", exitCode: 75),
        // The browser keeps no cookies: nobody is signed in there.
        CanaryCommand("login --silent", exitCode: 77),
        CanaryCommand("logout"), CanaryCommand("login --ephemeral"), CanaryCommand("logout --force"),
        CanaryCommand("login"), CanaryCommand("logout --browser --timeout 5"), CanaryCommand("login"),
        CanaryCommand("logout --all"), CanaryCommand("login"),
    ]
}
