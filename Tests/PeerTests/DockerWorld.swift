import TestSupport
import Testing

/// Where docker's tools are told of a helper.
enum HelperSetting: String, CaseIterable, Sendable {
    case credHelpers, credsStore

    func configuration(for server: String) -> String {
        switch self {
        case .credHelpers: #"{"credHelpers":{"\#(server)":"mojoauth"}}"#
        case .credsStore: #"{"credsStore":"mojoauth"}"#
        }
    }
}

/// An issuer, a registry whose Basic password is its token, and a login.
struct DockerWorld {
    let world: World
    let sandbox: Sandbox
    let registry: DockerRegistry
    var server: String { registry.server }
    var image: String { "\(registry.server)/hello:latest" }

    init(_ setting: HelperSetting) throws {
        world = try World()
        sandbox = try Sandbox(in: world, ["--auto", "alice@example.com"])
        registry = try DockerRegistry(in: world, keySet: sandbox.keySet)
        try world.configure(sandbox, hosts: ["http://\(registry.server)": [:]])
        try world.useHelperForDocker(setting.configuration(for: registry.server))
        let login = try world.run("mojoauth-credential", ["login"])
        try #require(login.exitCode == 0, "\(login)")
    }

    /// The stored login, byte for byte.
    func state() throws -> String? { try world.secret(["kind": "auth-state"]) }
}
