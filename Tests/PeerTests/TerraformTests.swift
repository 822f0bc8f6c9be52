import TestSupport
import Testing

/// Terraform, which fetches a module from a private registry.
@Suite(.serialized, .clients) struct TerraformTests {
    private static func terraform(_ packages: PackageWorld, _ arguments: [String], input: String = "") throws -> Outcome
    {
        let world = packages.world
        // Terraform takes the address for a registry's only when it has a dot.
        try world.scratch.write(
            """
            module "hello" {
              source  = "127.0.0.1:\(packages.server.port)/team/hello/null"
              version = "1.0.0"
            }

            """, to: "terraform/main.tf")
        let settings = try world.scratch.write("credentials_helper \"mojoauth\" {}\n", to: "terraform.rc")
        try world.scratch.folder("home/.terraform.d/plugins")
        let link = world.scratch.path("home/.terraform.d/plugins/terraform-credentials-mojoauth")
        let linked = try world.run("ln", ["-sfn", world.scratch.path("bin/mojoauth-helper"), link])
        guard linked.exitCode == 0 else { throw MissingPart(description: "ln: \(linked)") }
        return try world.run(
            Tool.terraform.path(), ["-chdir=\(world.scratch.path("terraform"))"] + arguments, input: input,
            environment: [
                "TF_CLI_CONFIG_FILE": settings, "SSL_CERT_FILE": packages.server.authorityFile,
                "CHECKPOINT_DISABLE": "1",
            ])
    }

    @Test(arguments: Situation.allCases) func fetchesAModule(_ situation: Situation) throws {
        let packages = try situation.make()
        let outcome = try Self.terraform(packages, ["get", "-no-color"])
        #expect((outcome.exitCode == 0) == situation.succeeds, "\(outcome)\n\(packages.server.log)")
        #expect(
            packages.server.served.contains("/terraform/team/hello/null/1.0.0/download") == situation.succeeds,
            "\(packages.server.log)")
        #expect(packages.server.served.isEmpty != situation.succeeds, "\(packages.server.log)")
        #expect(try packages.sandbox.refreshes() == (situation == .staleToken ? 1 : 0))
    }

    /// `terraform logout` does not end a login that others use.
    @Test func logoutSaysWhatEndsTheLogin() throws {
        let packages = try PackageWorld()
        let outcome = try Self.terraform(packages, ["logout", "-no-color", "127.0.0.1:\(packages.server.port)"])
        #expect(outcome.exitCode != 0, "\(outcome)")
        #expect((outcome.errors + outcome.text).contains("mojoauth-credential logout"), "\(outcome)")
        #expect(try packages.world.items([:]).count == 1)
    }
}
