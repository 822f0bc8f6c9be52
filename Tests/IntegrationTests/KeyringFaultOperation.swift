import TestSupport
import Testing

/// What a person or a program asks of ours while something is wrong with the keyring.
struct KeyringOperation: Sendable, CustomTestStringConvertible {
    /// What it does to the keyring when it succeeds.
    enum Effect: Sendable {
        case reads
        case changes(KeyringStage.Kind)
        case removes(KeyringStage.Kind)
    }

    let name: String
    let program: String
    let arguments: [String]
    var input = ""
    let effect: Effect

    var testDescription: String { name }

    /// A helper knows one exit code for a failure.
    var failure: Int32 { program == "mojoauth-credential" ? 69 : 1 }

    /// Does it talk to the issuer, once the token was refused?
    var asksTheIssuer: Bool { ["git get", "refresh", "login", "logout"].contains(name) }

    /// In an order in which each finds what it needs, should they succeed.
    static let all: [KeyringOperation] = [
        command("status", .reads),
        git("get", SignedIn.host, .reads),
        docker("get", "git.example.com", .reads),
        KeyringOperation(
            name: "git get, foreign host", program: "git-credential-mojoauth", arguments: ["get"],
            input: World.gitRequest(KeyringStage.gitServer), effect: .reads),
        git("store", KeyringStage.gitServer, .changes(.git), ["username": "bob", "password": KeyringStage.another]),
        git("erase", KeyringStage.gitServer, .removes(.git), ["username": "bob"]),
        docker(
            "store",
            #"{"ServerURL":"\#(KeyringStage.dockerServer)","Username":"bob","Secret":"\#(KeyringStage.another)"}"#,
            .changes(.docker)),
        docker("erase", KeyringStage.dockerServer, .removes(.docker)),
        command("refresh", .changes(.login)),
        command("login", .changes(.login)),
        command("logout", .removes(.login)),
    ]

    private static func command(_ name: String, _ effect: Effect) -> KeyringOperation {
        KeyringOperation(name: name, program: "mojoauth-credential", arguments: [name], effect: effect)
    }

    private static func git(
        _ operation: String, _ host: String, _ effect: Effect, _ attributes: [String: String] = [:]
    ) -> KeyringOperation {
        KeyringOperation(
            name: "git \(operation)", program: "git-credential-mojoauth", arguments: [operation],
            input: World.gitRequest(host, attributes), effect: effect)
    }

    private static func docker(_ action: String, _ input: String, _ effect: Effect) -> KeyringOperation {
        KeyringOperation(
            name: "docker \(action)", program: "docker-credential-mojoauth", arguments: [action], input: input,
            effect: effect)
    }

    /// What it said that no caller waits for.
    func words(_ outcome: Outcome) -> [String] {
        answer(outcome) == nil ? [outcome.errors, outcome.text] : [outcome.errors]
    }

    /// What is for the caller: standard output of a `get` that succeeds.
    func answer(_ outcome: Outcome) -> Answer? {
        guard name.contains("get"), outcome.exitCode == 0 else { return nil }
        return Answer(
            outcome.text,
            asked: name.contains("foreign") ? [KeyringStage.kept, KeyringStage.another] : ["access_token"])
    }

    /// Its complaint, which docker reads on standard output.
    func complaint(_ outcome: Outcome) -> String {
        program.hasPrefix("docker") && outcome.exitCode != 0 ? outcome.text : outcome.errors
    }

    func start(in world: World, environment: [String: String?]) throws -> Execution {
        try world.start(program, arguments, input: input, environment: environment)
    }
}
