import Foundation
import Testing
import TestSupport

/// What `configure` wrote, read by the tools themselves.
@Suite(.serialized) struct ToolTests {
    private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().path

    static func world(_ configuration: String = ToolFileTests.profile + ToolFileTests.hosts) throws -> World {
        let world = try World(.noBus)
        try world.writeConfiguration(configuration)
        return world
    }

    /// One of the programs that `make test` installs below `.build`.
    private static func client(_ name: String, in folder: String = "package-clients") throws -> String {
        let program = "\(root)/.build/\(folder)/bin/\(name)"
        guard access(program, X_OK) == 0 else {
            throw MissingPart(description: "\(program) is missing: run `make .build/\(folder)/ready`")
        }
        return program
    }

    func run(
        _ world: World, _ words: [String], says: [String] = [], exitCode: Int32 = 0,
        environment: [String: String?] = [:], sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> Outcome {
        let outcome = try world.run("mojoauth-credential", words, environment: environment)
        #expect(outcome.exitCode == exitCode, "\(words): \(outcome)", sourceLocation: sourceLocation)
        for word in says {
            #expect(outcome.errors.contains(word), "\(word): \(outcome)", sourceLocation: sourceLocation)
        }
        return outcome
    }

    /// A program that notes how it was started.
    private func standIn(_ world: World, _ name: String, _ script: String = "") throws {
        try world.scratch.write(
            "#!/bin/sh\necho \"$0 $*\" >>\(world.scratch.path("calls"))\n\(script)\n", to: name, mode: 0o755)
    }

    private func calls(_ world: World) throws -> String { try world.scratch.read("calls") }

    /// A PATH without tools: that of the world's programs alone.
    func bare(_ world: World) -> [String: String?] { ["PATH": world.scratch.path("bin")] }

    // MARK: cargo, terraform, pip, uv, go

    private func cargo() throws -> String {
        for folder in Tool.folders + ["\(NSHomeDirectory())/.cargo/bin"] where access("\(folder)/cargo", X_OK) == 0 {
            return "\(folder)/cargo"
        }
        throw MissingPart(description: "cargo is missing")
    }

    @Test(arguments: ["", "[registry]\ndefault = \"mine\"", "[net]\nretry = 1\n"]) func cargoStartsTheProvider(
        _ before: String
    ) throws {
        let world = try Self.world()
        let mine = "[registries.mine]\nindex = \"sparse+https://git.example.com/index/\"\n"
        try world.scratch.write(mine + before, to: "home/.cargo/config.toml")
        _ = try run(world, ["configure", "cargo"])
        try? FileManager.default.removeItem(atPath: world.scratch.path("bin/cargo-credential-mojoauth"))
        try standIn(
            world, "bin/cargo-credential-mojoauth",
            #"echo '{"v":[1]}'; read -r line; echo '{"Err":{"kind":"url-not-supported"}}'"#)
        let rustup = ProcessInfo.processInfo.environment["RUSTUP_HOME"] ?? "\(NSHomeDirectory())/.rustup"
        let outcome = try world.run(
            try cargo(), ["logout", "--registry", "mine"],
            environment: [
                "RUSTUP_HOME": rustup, "RUSTUP_TOOLCHAIN": "stable", "CARGO_HOME": world.scratch.path("home/.cargo"),
            ])
        // cargo's own file of tokens is asked behind ours.
        #expect(outcome.exitCode == 0, "\(outcome)")
        #expect(try calls(world).hasSuffix("cargo-credential-mojoauth --cargo-plugin\n"))
    }

    @Test func terraformStartsTheLink() throws {
        let world = try Self.world()
        try world.scratch.write("disable_checkpoint = true\n", to: "home/.terraformrc")
        _ = try run(world, ["configure", "terraform"], says: ["Linked ", "Wrote to "])
        let link = "home/.terraform.d/plugins/terraform-credentials-mojoauth"
        let target = try FileManager.default.destinationOfSymbolicLink(atPath: world.scratch.path(link))
        #expect(target.hasSuffix("/mojoauth-helper") && access(target, X_OK) == 0, "\(target)")
        try FileManager.default.removeItem(atPath: world.scratch.path(link))
        try standIn(world, link, "echo '{}'")
        let state = """
            terraform {
              backend "remote" {
                hostname     = "127.0.0.1"
                organization = "x"
                workspaces { name = "y" }
              }
            }

            """
        try world.scratch.write(state, to: "work/main.tf")
        let outcome = try world.run("terraform", ["-chdir=\(world.scratch.path("work"))", "init", "-no-color"])
        #expect(!outcome.errors.contains("CLI configuration"), "\(outcome)")
        #expect(try calls(world).contains("terraform-credentials-mojoauth get 127.0.0.1\n"), "\(outcome)")
        // What is no link of ours is nobody's to take away, or to replace.
        _ = try run(world, ["unconfigure", "terraform"], says: ["Removed the block"])
        #expect(FileManager.default.fileExists(atPath: world.scratch.path(link)))
        _ = try run(world, ["configure", "terraform"], says: ["is no link to mojoauth-helper"], exitCode: 78)
        #expect(try world.scratch.read("home/.terraformrc") == "disable_checkpoint = true\n")
    }

    private static let keyring = "home/.local/share/mojoauth-credential/keyring"

    @Test func pipReadsItsFile() throws {
        let world = try Self.world()
        try world.scratch.write("[global]\ntimeout = 61\n", to: "home/.config/pip/pip.conf")
        _ = try run(world, ["configure", "pip"])
        let outcome = try world.run(try Self.client("pip"), ["config", "list"])
        #expect(outcome.text.contains("global.keyring-provider='subprocess'"), "\(outcome)")
        #expect(outcome.text.contains("global.timeout='61'"), "\(outcome)")
    }

    @Test func uvReadsItsFile() throws {
        let world = try Self.world()
        try world.scratch.write("[[index]]\nurl = \"https://git.example.com/simple\"\n", to: "home/.config/uv/uv.toml")
        _ = try run(world, ["configure", "uv"])
        let outcome = try world.run(try Self.client("uv"), ["pip", "list", "--show-settings"])
        #expect(outcome.text.contains("keyring_provider: Subprocess"), "\(outcome)")
    }

    /// pip and uv run one program, which stays as long as one of them asks for it.
    @Test func keyringProgramIsALinkInAFolderOfItsOwn() throws {
        let world = try Self.world()
        let folder = world.scratch.path(Self.keyring)
        let line = "export PATH='\(folder)':\"$PATH\"\n"
        let first = try run(
            world, ["configure", "pip", "--host", "https://git.example.com"],
            says: ["Linked \(folder)/keyring", "add this line to ~/.profile", ": https://oauth2@git.example.com/\n"])
        #expect(first.text == line)
        #expect(try run(world, ["configure", "uv"]).text == line)
        // In PATH there is nothing left to add.
        let path = try world.run("sh", ["-c", "\(line)printf %s \"$PATH\""]).text
        #expect(path == "\(folder):\(world.environment["PATH"] ?? "")")
        #expect(try run(world, ["configure", "pip"], environment: ["PATH": path]).output.isEmpty)
        // Another one there is told of.
        try standIn(world, "bin/keyring")
        _ = try run(world, ["configure", "pip"], says: ["it then stands before \(world.scratch.path("bin/keyring"))"])
        _ = try run(world, ["unconfigure", "pip"])
        #expect(access("\(folder)/keyring", X_OK) == 0)
        _ = try run(world, ["unconfigure", "uv"], says: ["Removed \(folder)/keyring"])
        #expect(access(folder, F_OK) != 0)
    }

    @Test func linkThatIsNotOursStays() throws {
        let world = try Self.world()
        try world.scratch.write("mine", to: "\(Self.keyring)/keyring")
        _ = try run(world, ["configure", "uv"], says: ["is no link to mojoauth-helper", "move it away"], exitCode: 78)
        #expect(try world.scratch.read("\(Self.keyring)/keyring") == "mine")
        #expect(!FileManager.default.fileExists(atPath: world.scratch.path("home/.config/uv/uv.toml")))
    }

    /// An upgrade may move the programs.
    @Test func linkToOlderProgramsIsMended() throws {
        let world = try Self.world()
        let link = world.scratch.path("\(Self.keyring)/keyring")
        try world.scratch.folder(Self.keyring)
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "/opt/older/mojoauth-helper")
        _ = try run(world, ["configure", "uv"], says: ["Linked \(link)"])
        #expect(access(link, X_OK) == 0)
    }

    private func go(_ world: World, _ words: String...) throws -> Outcome {
        try world.run(try Self.client("go"), ["env"] + words)
    }

    @Test(arguments: [nil, "netrc;git /srv/x", "/opt/helper --flag; netrc"] as [String?])
    func goSetsItselfAndTakesItBack(_ before: String?) throws {
        let world = try Self.world()
        let path = "\(Self.root)/.build/package-clients/bin:\(world.environment["PATH"] ?? "")"
        world.set(["PATH": path])
        if let before { #expect(try go(world, "-w", "GOAUTH=\(before)").exitCode == 0) }
        let file = try? world.scratch.read("home/.config/go/env")
        let value = "mojoauth-helper goauth;\(before ?? "netrc")"
        _ = try run(
            world, ["configure", "go"], says: ["Set GOAUTH to \"\(value)\"", "It was \"\(before ?? "netrc")\""])
        #expect(try go(world, "GOAUTH").text == value + "\n")
        _ = try run(world, ["configure", "go"], says: ["already; nothing was changed"])
        // What the environment says is not taken for what go's file says.
        _ = try run(world, ["configure", "go"], says: ["already"], environment: ["GOAUTH": "off"])
        _ = try run(world, ["unconfigure", "go"], says: ["GOAUTH"])
        #expect(try world.scratch.read("home/.config/go/env") == file ?? "")
        _ = try run(world, ["unconfigure", "go"], says: ["Nothing to undo for go"])
    }

    @Test func goThatIsOffOrNotThere() throws {
        let world = try Self.world()
        let missing = try run(
            world, ["configure", "go"], says: ["there is no go in PATH"], exitCode: 78, environment: bare(world))
        #expect(missing.text == "go env -w GOAUTH='mojoauth-helper goauth;netrc'\n")
        #expect(try go(world, "-w", "GOAUTH=off").exitCode == 0)
        world.set(["PATH": "\(Self.root)/.build/package-clients/bin:\(world.environment["PATH"] ?? "")"])
        _ = try run(world, ["configure", "go"], says: ["GOAUTH is off", "go env -u GOAUTH"], exitCode: 78)
        #expect(try world.scratch.read("home/.config/go/env") == "GOAUTH=off\n")
        // A go before 1.24 knows no such variable.
        try standIn(world, "older/go", "echo")
        let older = ["PATH": "\(world.scratch.path("older")):\(world.environment["PATH"] ?? "")"] as [String: String?]
        _ = try run(
            world, ["configure", "go"], says: ["this go knows no GOAUTH", "Go 1.24"], exitCode: 78, environment: older)
    }

    // MARK: The doctor

    private func doctor(_ world: World, environment: [String: String?] = [:]) throws -> String {
        let text = try world.run("mojoauth-credential", ["doctor"], environment: environment).text
        guard let start = text.firstRange(of: "\nother tools\n") else { return "" }
        return String(text[start.upperBound...])
    }

    @Test func doctorSaysWhichToolCannotStartTheHelper() throws {
        let world = try Self.world()
        #expect(try doctor(world).isEmpty)
        for tool in ["cargo", "terraform", "pip", "uv", "bazel"] { _ = try run(world, ["configure", tool]) }
        let folder = world.scratch.path(Self.keyring)
        for name in ["cargo-credential-mojoauth", "bazel-credential-mojoauth"] {
            try? FileManager.default.removeItem(atPath: world.scratch.path("bin/\(name)"))
            try standIn(world, "bin/\(name)")
        }
        _ = try run(world, ["configure", "bazel"])
        let well = try doctor(world, environment: ["PATH": "\(folder):\(world.environment["PATH"] ?? "")"])
        for line in [
            "ok       cargo: asks \(world.scratch.path("bin/cargo-credential-mojoauth"))\n",
            "ok       terraform: asks ",
            "ok       pip: asks \(folder)/keyring\n", "ok       uv: asks \(folder)/keyring\n",
            "ok       bazel: asks \(world.scratch.path("bin/bazel-credential-mojoauth"))\n",
        ] { #expect(well.contains(line), "\(line): \(well)") }
        #expect(!well.contains("bad "), "\(well)")
        for file in [
            "bin/cargo-credential-mojoauth", "bin/bazel-credential-mojoauth", "\(Self.keyring)/keyring",
            "home/.terraform.d/plugins/terraform-credentials-mojoauth",
        ] { try FileManager.default.removeItem(atPath: world.scratch.path(file)) }
        let plugin = world.scratch.path("home/.terraform.d/plugins/terraform-credentials-mojoauth")
        try FileManager.default.createSymbolicLink(atPath: plugin, withDestinationPath: "/opt/older/mojoauth-helper")
        let ill = try doctor(world)
        for line in [
            "bad      cargo: cargo-credential-mojoauth is not in PATH\n",
            "bad      terraform: \(plugin) leads to nothing\n",
            "bad      pip: \(folder)/keyring is missing\n", "bad      uv: \(folder)/keyring is missing\n",
            "bad      bazel: \(world.scratch.path("bin/bazel-credential-mojoauth")) cannot be started\n",
            "-> run 'mojoauth-credential configure terraform' again\n",
        ] { #expect(ill.contains(line), "\(line): \(ill)") }
    }

    @Test func doctorSaysThatAnotherKeyringIsRun() throws {
        let world = try Self.world()
        _ = try run(world, ["configure", "pip"])
        #expect(try doctor(world).contains("bad      pip: runs no program named keyring, and not"))
        try standIn(world, "bin/keyring")
        #expect(try doctor(world).contains("bad      pip: runs \(world.scratch.path("bin/keyring")), and not"))
    }
}
