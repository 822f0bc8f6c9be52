import Foundation
import Testing
import TestSupport

/// The proxy of the desktop, as GNOME keeps it, and that of the environment.
@Suite(.serialized) struct ProxyTests {
    /// A world whose GNOME settings name a proxy for https, and whose issuer is beyond it.
    private func world(desktopProxy port: Int?) throws -> World {
        let world = try World()
        try world.configure(issuer: "https://issuer.invalid", clientID: "c")
        world.set(["GSETTINGS_BACKEND": "keyfile", "XDG_CURRENT_DESKTOP": "GNOME"])
        if let port {
            let folder = try world.scratch.folder("home/.config/glib-2.0/settings")
            try Data(
                "[system/proxy]\nmode='manual'\n[system/proxy/https]\nhost='127.0.0.1'\nport=\(port)\n".utf8
            ).write(to: URL(fileURLWithPath: "\(folder)/keyfile"))
        }
        return world
    }

    private func login(_ world: World, _ environment: [String: String?] = [:]) throws -> Outcome {
        let outcome = try world.run("mojoauth-credential", ["login", "--no-browser"], environment: environment)
        #expect(outcome.exitCode == 75, "\(outcome)")
        return outcome
    }

    @Test func withoutAnyProxyTheIssuerIsAsked() throws {
        let outcome = try login(world(desktopProxy: nil))
        #expect(outcome.errors.contains("issuer.invalid"))
        #expect(!outcome.errors.contains("proxy"), "\(outcome)")
    }

    @Test func theDesktopsProxyIsUsed() throws {
        let outcome = try login(world(desktopProxy: FreePort.find()))
        #expect(outcome.errors.contains("proxy: connection refused"), "\(outcome)")
    }

    @Test func theEnvironmentsProxyWins() throws {
        let world = try world(desktopProxy: FreePort.find())
        let direct = try login(world, ["https_proxy": "http://proxy.invalid:3128", "no_proxy": "issuer.invalid"])
        #expect(direct.errors.contains("the host name issuer.invalid is not known"), "\(direct)")
        #expect(!direct.errors.contains("proxy"), "\(direct)")
    }

    @Test func theEnvironmentsProxyIsNotForLoopback() throws {
        let world = try World()
        let sandbox = try Sandbox(in: world, ["--auto", "alice@example.com"])
        try world.configure(sandbox)
        let port = try FreePort.find()
        let outcome = try world.run(
            "mojoauth-credential", ["login"],
            environment: ["https_proxy": "http://127.0.0.1:\(port)", "all_proxy": "http://127.0.0.1:\(port)"])
        #expect(outcome.exitCode == 0, "\(outcome)")
    }
}
