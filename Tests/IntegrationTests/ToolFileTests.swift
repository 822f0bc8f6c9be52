import Foundation
import Testing
import TestSupport

/// The files of tools that `configure` changes and `unconfigure` puts back: to the byte, or not at all.
@Suite(.serialized) struct ToolFileTests {
    static let profile = "[profile default]\nissuer=https://acme.example\nclient-id=cli\n"
    static let hosts = "\n[host a]\nurl=https://git.example.com\n\n[host b]\nurl=https://other.example.com:8443\n"

    struct File: Sendable, CustomTestStringConvertible {
        let tool: String
        /// Below the home folder.
        let path: String
        /// A line of ours.
        let line: String
        /// Texts that come back to the byte.
        let good: [String]
        /// Texts in which the lines might mean something else.
        let refused: [String]
        var testDescription: String { tool }
    }

    private static let files = [
        File(
            tool: "cargo", path: ".cargo/config.toml",
            line: "global-credential-providers = [\"cargo:token\", \"cargo-credential-mojoauth\"]",
            good: [
                "", "\n", "[build]\njobs = 2\n", "[build]\njobs = 2", "# a comment\r\n[net]\r\nretry = 3\r\n",
                "[registry]\ndefault = \"mine\"\n", "[registry]", "[registry]\n[net]\nretry = 1",
                "[registries.mine]\nindex = \"sparse+https://git.example.com/index/\"\n# registry of mine\n\n\n",
                "[net]\nretry = 1\n[registry]\ndefault = \"x\" # x\n",
            ],
            refused: [
                "[registry]\nglobal-credential-providers = [\"cargo:libsecret\"]\n",
                "registry.default = \"mine\"\n", "[ registry ]\ndefault = \"mine\"\n", "[\"registry\"]\n",
                "registry = { default = \"mine\" }\n", "[source.x]\nregistry = \"https://a.example\"\n",
                "[env]\nA = \"\"\"\n[registry]\n\"\"\"\n", "[env]\nA = '''\n'''\n", "[\"\\u0072egistry\"]\n",
                "[registry]\n[registry]\n",
            ]),
        File(
            tool: "terraform", path: ".terraformrc", line: "credentials_helper \"mojoauth\" {",
            good: [
                "", "plugin_cache_dir = \"$HOME/.cache\"\n", "disable_checkpoint = true",
                "credentials \"app.example.com\" {\n  token = \"x\"\n}\n# end\n",
            ],
            refused: [
                "credentials_helper \"other\" {\n}\n", "/* a\n", "a = <<EOF\nEOF\n",
                "  credentials_helper \"mojoauth\" {}\n",
            ]),
        File(
            tool: "pip", path: ".config/pip/pip.conf", line: "keyring-provider = subprocess",
            good: [
                "", "[global]\ntimeout = 60\n", "[global]", "[install]\nuser = true\n; x\n", "[global]\n# x\nquiet = 1",
                "[list]\nformat = columns\n\n[global]\nindex-url = https://oauth2@git.example.com/simple\n",
            ],
            refused: [
                "[global]\nkeyring-provider = import\n", "[global]\nkeyring_provider = auto\n",
                "[global]\n  timeout = 60\n", "[global]\n\ttimeout = 60\n", "[ global ]\ntimeout = 60\n",
                "[global]\n[global]\n",
            ]),
        File(
            tool: "uv", path: ".config/uv/uv.toml", line: "keyring-provider = \"subprocess\"",
            good: [
                "", "\n", "[[index]]\nurl = \"https://oauth2@git.example.com/simple\"\n", "offline = true",
                "# keyring-provider = \"disabled\"\n[pip]\nstrict = true\n", "a = '''\n[x]\n'''\n",
            ],
            refused: [
                "keyring-provider = \"disabled\"\n", "[pip]\nkeyring-provider = \"disabled\"\n",
                "\"keyring-provider\" = \"disabled\"", "\u{FEFF}offline = true\n",
            ]),
        File(
            tool: "bazel", path: ".bazelrc", line: "common --credential_helper=git.example.com=",
            good: [
                "", "build --jobs=4\n", "build --jobs=4 # x", "startup --host_jvm_args=-Xmx1g\n\n",
                "common --credential_helper=third.example.com=/opt/helper\n", "build --copt=a \\\n  --copt=b\n",
            ],
            refused: [
                "common --credential_helper=git.example.com=/opt/helper\n",
                "build --experimental_credential_helper=other.example.com=x\n", "build --copt=a \\",
            ]),
    ]

    private static func world(_ configuration: String = profile + hosts) throws -> World {
        let world = try World(.noBus)
        try world.writeConfiguration(configuration)
        return world
    }

    private func run(
        _ world: World, _ words: [String], says: [String] = [], exitCode: Int32 = 0,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> Outcome {
        let outcome = try world.run("mojoauth-credential", words)
        #expect(outcome.exitCode == exitCode, "\(words): \(outcome)", sourceLocation: sourceLocation)
        for word in says {
            #expect(outcome.errors.contains(word), "\(word): \(outcome)", sourceLocation: sourceLocation)
        }
        return outcome
    }

    // MARK: Their texts

    @Test(arguments: files) func textComesBackToTheByte(_ file: File) throws {
        let world = try Self.world()
        let name = "home/\(file.path)"
        for before in file.good {
            try world.scratch.write(before, to: name, mode: 0o640)
            _ = try run(world, ["configure", file.tool], says: ["Wrote to \(world.scratch.path(name)):\n", file.line])
            let configured = try world.scratch.read(name)
            let count = configured.components(separatedBy: "\n").count { $0.hasPrefix(file.line) }
            #expect(count == 1, "\(before.debugDescription): \(configured)")
            _ = try run(world, ["configure", file.tool], says: ["these lines already; nothing was changed"])
            #expect(try world.scratch.read(name) == configured)
            let mode = try FileManager.default.attributesOfItem(atPath: world.scratch.path(name))[.posixPermissions]
            #expect(mode as? Int == 0o640)
            _ = try run(world, ["unconfigure", file.tool], says: ["Removed the "])
            #expect(try world.scratch.read(name) == before, "\(before.debugDescription)")
            _ = try run(world, ["unconfigure", file.tool], says: ["Nothing to undo for \(file.tool).\n"])
            #expect(try world.scratch.read(name) == before)
        }
    }

    @Test(arguments: files) func textThatMayMeanSomethingElseIsLeftAlone(_ file: File) throws {
        let world = try Self.world()
        let name = "home/\(file.path)"
        for before in file.refused {
            try world.scratch.write(before, to: name)
            let outcome = try run(
                world, ["configure", file.tool],
                says: ["error: \(world.scratch.path(name)) was not changed: ", "hint: put the lines above into it"],
                exitCode: 78)
            // What a person adds is on standard output, and nothing else.
            let lines = outcome.text.split(separator: "\n")
            #expect(lines.contains { $0.hasPrefix(file.line) }, "\(outcome)")
            #expect(lines.allSatisfy { !$0.hasPrefix("#") }, "\(outcome)")
            #expect(try world.scratch.read(name) == before)
            _ = try run(world, ["unconfigure", file.tool])
            #expect(try world.scratch.read(name) == before)
        }
    }

    /// Who adds by hand what was printed has done all there is to do.
    @Test(arguments: files.filter { ["cargo", "pip", "uv"].contains($0.tool) }) func linesAddedByHandAreSeen(
        _ file: File
    ) throws {
        let world = try Self.world()
        try world.scratch.write(file.refused[0], to: "home/\(file.path)")
        let printed = try run(world, ["configure", file.tool], exitCode: 78).text
        try world.scratch.write(printed, to: "home/\(file.path)")
        _ = try run(world, ["configure", file.tool], says: ["these lines already; nothing was changed"])
        #expect(try world.scratch.read("home/\(file.path)") == printed)
        // They are the person's, and theirs to take away.
        _ = try run(world, ["unconfigure", file.tool])
        #expect(try world.scratch.read("home/\(file.path)") == printed)
    }

    /// What a person wrote around the block stays; what stood inside it is ours.
    @Test(arguments: files) func linesOfAPersonAroundTheBlockStay(_ file: File) throws {
        let world = try Self.world()
        let name = "home/\(file.path)"
        try world.scratch.write("# first\n", to: name)
        _ = try run(world, ["configure", file.tool])
        let block = try world.scratch.read(name)
        try world.scratch.write("# before\n" + block + "# behind", to: name)
        _ = try run(world, ["unconfigure", file.tool])
        let rest = try world.scratch.read(name)
        #expect(rest == "# before\n# first\n# behind")
    }

    @Test(arguments: files) func damagedTextIsLeftAlone(_ file: File) throws {
        let world = try Self.world()
        let name = "home/\(file.path)"
        let begin = "# >>> mojoauth-credential (undo: x)\n"
        let end = "# <<< mojoauth-credential\n"
        for text in [
            begin, "a\n" + begin + "b\n", end, end + begin, begin + begin + end, begin + end + begin + end, "a\u{0}b\n",
        ] {
            try world.scratch.write(text, to: name)
            for command in ["configure", "unconfigure"] {
                let outcome = try run(
                    world, [command, file.tool], says: [world.scratch.path(name), "hint: mend the file"], exitCode: 78)
                #expect(outcome.output.isEmpty, "\(outcome)")
                #expect(try world.scratch.read(name) == text)
            }
        }
        let bytes = Data([0x61, 0xFF, 0x0A])
        try bytes.write(to: URL(fileURLWithPath: world.scratch.path(name)))
        _ = try run(world, ["configure", file.tool], says: ["is no UTF-8 text"], exitCode: 78)
        #expect(FileManager.default.contents(atPath: world.scratch.path(name)) == bytes)
    }

    // MARK: Their places

    @Test(arguments: files) func fileIsMadeAndGoesAgain(_ file: File) throws {
        let world = try Self.world()
        let path = world.scratch.path("home/\(file.path)")
        _ = try run(world, ["configure", file.tool], says: [file.line])
        #expect(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int == 0o600)
        _ = try run(world, ["configure", file.tool], says: ["nothing was changed"])
        _ = try run(world, ["unconfigure", file.tool])
        #expect(!FileManager.default.fileExists(atPath: path))
        // A person's lines keep it.
        _ = try run(world, ["configure", file.tool])
        try world.scratch.write(try world.scratch.read("home/\(file.path)") + "# mine\n", to: "home/\(file.path)")
        _ = try run(world, ["unconfigure", file.tool])
        #expect(try world.scratch.read("home/\(file.path)") == "# mine\n")
    }

    @Test(arguments: files) func fileIsWrittenThroughALink(_ file: File) throws {
        let world = try Self.world()
        let link = world.scratch.path("home/\(file.path)")
        try world.scratch.write("# mine\n", to: "dotfile")
        try world.scratch.folder((("home/\(file.path)") as NSString).deletingLastPathComponent)
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: world.scratch.path("dotfile"))
        _ = try run(world, ["configure", file.tool])
        #expect(try world.scratch.read("dotfile").contains(file.line))
        _ = try run(world, ["unconfigure", file.tool])
        #expect(try world.scratch.read("dotfile") == "# mine\n")
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == world.scratch.path("dotfile"))
        try FileManager.default.removeItem(atPath: world.scratch.path("dotfile"))
        _ = try run(world, ["configure", file.tool], says: ["\(link) is a link to nothing"], exitCode: 78)
    }

    @Test(arguments: files) func whatIsNoFileOfThePersonsIsLeftAlone(_ file: File) throws {
        let world = try Self.world()
        let path = world.scratch.path("home/\(file.path)")
        try world.scratch.folder("home/\(file.path)")
        _ = try run(world, ["configure", file.tool], says: ["\(path) is not a regular file"], exitCode: 78)
        try FileManager.default.removeItem(atPath: path)
        #expect(mkfifo(path, 0o600) == 0)
        _ = try run(world, ["configure", file.tool], says: ["\(path) is not a regular file"], exitCode: 78)
        try FileManager.default.removeItem(atPath: path)
        // Somebody else's: root makes one, and whoever is not root has root's at hand.
        if geteuid() == 0 {
            try world.scratch.write("# theirs\n", to: "home/\(file.path)")
            #expect(chown(path, 65534, 65534) == 0)
        } else {
            try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: "/etc/passwd")
        }
        for command in ["configure", "unconfigure"] {
            _ = try run(
                world, [command, file.tool], says: ["\(path) belongs to user ", "it was not changed"], exitCode: 78)
        }
    }

    @Test func variablesNameOtherFiles() throws {
        let world = try Self.world()
        world.set([
            "CARGO_HOME": world.scratch.path("cargo"), "TF_CLI_CONFIG_FILE": world.scratch.path("terraform.rc"),
            "XDG_CONFIG_HOME": nil,
        ])
        for (tool, name) in [
            ("cargo", "cargo/config.toml"), ("terraform", "terraform.rc"), ("uv", "home/.config/uv/uv.toml"),
        ] {
            _ = try run(world, ["configure", tool], says: [world.scratch.path(name)])
            #expect(try world.scratch.read(name).contains("mojoauth"))
            _ = try run(world, ["unconfigure", tool], says: [world.scratch.path(name)])
        }
    }

    /// cargo reads the file of the older name, if there is one, in place of the newer.
    @Test func olderFileOfCargos() throws {
        let world = try Self.world()
        try world.scratch.write("[net]\n", to: "home/.cargo/config")
        _ = try run(world, ["configure", "cargo"], says: ["cargo reads", ".cargo/config in its place"], exitCode: 78)
        #expect(!FileManager.default.fileExists(atPath: world.scratch.path("home/.cargo/config.toml")))
    }

    // MARK: Hosts

    private static let tools = ["kubernetes", "cargo", "go", "terraform", "pip", "uv", "bazel"]

    @Test(arguments: tools) func onlyConfiguredHostsAreTold(_ tool: String) throws {
        let world = try Self.world()
        for (words, exitCode, says) in [
            (
                ["--host", "https://strange.example"], 78,
                "run 'mojoauth-credential configure host https://strange.example'"
            ),
            (["--host", "http://git.example.com"], 78, "no host entry names http://git.example.com"),
            (
                ["--host", "https://git.example.com", "--host", "https://git.example.com:444"], 78,
                "git.example.com:444"
            ),
            (["--host", "git.example.com"], 64, "--host names one URL"), (["--host", ""], 64, "--host names one URL"),
            (["--host", "https://alice:hunter2@git.example.com"], 64, "--host names one URL"),
            (["--host"], 64, "--host"),
            (["https://git.example.com"], 64, "takes hosts by --host alone"), (["--no-such"], 64, "--no-such"),
            (["--profile", "default"], 64, "--profile"),
        ] as [([String], Int32, String)] {
            let outcome = try run(world, ["configure", tool] + words, says: [says], exitCode: exitCode)
            #expect(outcome.output.isEmpty && !outcome.errors.contains("hunter2"), "\(outcome)")
        }
        _ = try run(world, ["unconfigure", tool, "x"], says: ["takes no words"], exitCode: 64)
        _ = try run(world, ["unconfigure", tool, "--host", "x"], exitCode: 64)
        // Nothing was made meanwhile, and without a host at all nothing is.
        try world.writeConfiguration(Self.profile)
        _ = try run(world, ["configure", tool], says: ["names no host", "configure host https://HOST"], exitCode: 78)
        let found = try world.run("find", [world.scratch.path("home"), "-type", "f", "-o", "-type", "l"]).text
        #expect(found == world.configurationFile + "\n", "\(found)")
    }

    @Test func bazelHasALineAHost() throws {
        let world = try Self.world()
        _ = try run(world, ["configure", "bazel", "--host", "https://git.example.com"])
        func hosts() throws -> [String] {
            try world.scratch.read("home/.bazelrc").matches(of: /credential_helper=([^=]+)=\//).map { String($0.1) }
        }
        #expect(try hosts() == ["git.example.com"])
        // Another one comes beside it.
        _ = try run(world, ["configure", "bazel", "--host", "https://other.example.com:8443"])
        #expect(try hosts() == ["git.example.com", "other.example.com"])
        // Without the option the lines are those of the configuration.
        try world.writeConfiguration(Self.profile + "\n[host c]\nurl=https://third.example\n")
        _ = try run(world, ["configure", "bazel"])
        #expect(try hosts() == ["third.example"])
        try world.writeConfiguration(Self.profile + "\n[host c]\nurl=https://[2001:db8::1]\n")
        _ = try run(world, ["configure", "bazel"], says: ["IPv6"], exitCode: 78)
        #expect(try hosts() == ["third.example"])
    }

    // MARK: Host entries

    @Test func hostEntryComesAndGoes() throws {
        let world = try Self.world(Self.profile)
        _ = try run(
            world, ["configure", "host", "https://k8s.example.com:6443"], says: ["Wrote [host k8s.example.com:6443]"])
        _ = try run(world, ["configure", "host", "https://k8s.example.com:6443"], says: ["already"])
        let host = ["--host", "https://k8s.example.com:6443"]
        _ = try run(world, ["configure", "cargo"] + host)
        _ = try run(world, ["unconfigure", "host", "https://k8s.example.com:6443"], says: ["Removed [host k8s"])
        _ = try run(world, ["unconfigure", "host", "https://k8s.example.com:6443"], says: ["Nothing to undo"])
        _ = try run(world, ["configure", "cargo"] + host, says: ["no host entry names"], exitCode: 78)
        #expect(try !world.scratch.read("home/.config/mojoauth-credential/config").contains("[host"))
    }

    @Test(arguments: ["configure", "unconfigure"]) func refusesWhatIsNoHost(_ command: String) throws {
        let world = try Self.world(Self.profile)
        for words in [
            [], [""], ["k8s.example.com"], ["ssh://k8s.example.com"], ["https://bob@k8s.example.com"], ["https://a:0"],
            ["https://a.example", "https://b.example"],
        ] { _ = try run(world, [command, "host"] + words, says: ["must be one URL"], exitCode: 64) }
        guard command == "configure" else { return }
        _ = try run(world, [command, "host", "http://k8s.example.com"], says: ["say https"], exitCode: 64)
        _ = try run(world, [command, "host", "http://127.0.0.1:1"], says: ["say --allow-insecure"], exitCode: 64)
        _ = try run(world, [command, "host", "--allow-insecure", "http://127.0.0.1:1"], says: ["Wrote [host"])
        _ = try run(world, [command, "host", "--profile", "work", "https://a.example"], says: ["work"], exitCode: 78)
    }

    /// An entry that a tool may need outlives `unconfigure git`, and says why.
    @Test func entryStaysForAToolThatAsksForEveryHost() throws {
        let world = try Self.world(Self.profile)
        _ = try run(world, ["configure", "git", SignedIn.host])
        _ = try run(world, ["configure", "cargo"])
        _ = try run(
            world, ["unconfigure", "git", SignedIn.host],
            says: ["Kept [host git.example.com]", "cargo asks this helper"])
        _ = try run(world, ["configure", "docker", "git.example.com"])
        _ = try run(
            world, ["unconfigure", "host", SignedIn.host], says: ["Kept [host git.example.com]", "credHelpers"])
        _ = try run(world, ["unconfigure", "docker", "git.example.com"], says: ["Kept", "cargo asks this helper"])
        _ = try run(world, ["unconfigure", "host", SignedIn.host], says: ["Removed [host git.example.com]"])
    }
}
