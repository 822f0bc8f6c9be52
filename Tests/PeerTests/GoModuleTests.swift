import TestSupport
import Testing

/// Go, which downloads a module through a proxy that wants a token for everything.
@Suite(.serialized, .clients) struct GoModuleTests {
    @Test(arguments: Situation.allCases) func downloadsAModule(_ situation: Situation) throws {
        let packages = try situation.make()
        let world = packages.world
        let folder = try world.scratch.folder("go")
        try world.scratch.write(
            "module example.org/main\n\ngo 1.20\n\nrequire example.com/hello v1.0.0\n", to: "go/go.mod")
        let outcome = try world.run(
            PackageWorld.client("bin/go"), ["-C", folder, "mod", "download"],
            environment: [
                "GOAUTH": "mojoauth-helper goauth", "GOPROXY": "\(packages.server.origin)/go", "GONOSUMDB": "*",
                "GOTOOLCHAIN": "local", "GOPATH": world.scratch.path("gopath"), "GOFLAGS": "-modcacherw",
                "SSL_CERT_FILE": packages.server.authorityFile,
            ])
        #expect((outcome.exitCode == 0) == situation.succeeds, "\(outcome)\n\(packages.server.log)")
        #expect(
            packages.server.served.contains("/go/example.com/hello/@v/v1.0.0.zip") == situation.succeeds,
            "\(packages.server.log)")
        #expect(packages.server.served.isEmpty != situation.succeeds, "\(packages.server.log)")
        #expect(try packages.sandbox.refreshes() == (situation == .staleToken ? 1 : 0))
    }
}
