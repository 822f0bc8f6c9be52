import Configuration
import Foundation
import Testing
import WebAddress

@Suite struct ConfigurationFilesTests {
    private static let profile = "[profile default]\nissuer=https://acme.example\nclient-id=x\n"

    private func environment(_ folder: TemporaryFolder) -> ConfigurationEnvironment {
        ConfigurationEnvironment(
            configHome: folder.path + "/home", configDirectories: "\(folder.path)/one:relative:\(folder.path)/two",
            home: folder.path + "/nowhere")
    }

    @Test func nearerFilesWinKeyByKey() throws {
        let folder = try TemporaryFolder()
        try folder.write(
            "home/mojoauth-credential/config",
            "[profile default]\nclient-id=mine\n[host git]\nurl=https://mine.example\n[defaults]\nforeign=ignore\n")
        try folder.write(
            "one/mojoauth-credential/config",
            "[profile default]\nissuer=https://one.example\nclient-id=one\nleeway=1\n[profile extra]\n"
                + "[host git]\nurl=https://one.example\nusername=one\n")
        try folder.write(
            "two/mojoauth-credential/config",
            "[profile default]\nissuer=https://two.example\nleeway=2\nmin-lifetime=2\n[defaults]\nbus-session=plain\n")
        let loaded = try Configuration.load(environment: environment(folder))
        let profile = try loaded.profile(named: "default")
        #expect(profile.clientID == "mine" && profile.issuer == "https://one.example")
        #expect(profile.leeway == 1 && profile.minimumLifetime == 2)
        #expect(loaded.defaults.foreign == .ignore && loaded.defaults.busSession == .plain)
        #expect(loaded.profileNames == ["default", "extra"] && loaded.hostLabels == ["git"])
        #expect(loaded.hosts.map(\.origin.description) == ["https://mine.example"])
        #expect(loaded.hosts.map(\.username) == ["one"])
        let one = try #require(Origin(scheme: "https", authority: "one.example"))
        #expect(try loaded.hostEntry(for: one) == nil)
        #expect(loaded.sources.count == 3 && loaded.userFile == folder.path + "/home/mojoauth-credential/config")
    }

    @Test func anErrorNamesTheFileItIsIn() throws {
        let folder = try TemporaryFolder()
        try folder.write("home/mojoauth-credential/config", Self.profile)
        let file = try folder.write("two/mojoauth-credential/config", "[profile default]\nleeway=x\n")
        let loaded = try Configuration.load(environment: environment(folder))
        let error = #expect(throws: ConfigurationError.self) { try loaded.profile(named: "default") }
        #expect(error?.file == file && error?.line == 2)
    }

    @Test func oneOriginInTwoFilesIsAmbiguous() throws {
        let folder = try TemporaryFolder()
        let mine = try folder.write("home/mojoauth-credential/config", "\n[host a]\nurl=https://x.example\n")
        try folder.write("one/mojoauth-credential/config", "[host b]\nurl=https://x.example\n")
        let error = #expect(throws: ConfigurationError.self) {
            try Configuration.load(environment: environment(folder))
        }
        #expect(error?.kind == .ambiguous && error?.line == 2 && error?.text.contains("\(mine):3") == true)
    }

    @Test func homeStandsInForConfigHome() throws {
        let folder = try TemporaryFolder()
        try folder.write(".config/mojoauth-credential/config", Self.profile)
        for configHome in [nil, "relative"] {
            let environment = ConfigurationEnvironment(
                configHome: configHome, configDirectories: folder.path, home: folder.path)
            #expect(try Configuration.load(environment: environment).profileNames == ["default"])
        }
    }

    @Test func theNamedFileStandsAlone() throws {
        let folder = try TemporaryFolder()
        try folder.write("one/mojoauth-credential/config", Self.profile)
        let file = try folder.write("own", "[profile own]\n")
        var environment = environment(folder)
        environment.configFile = file
        #expect(try Configuration.load(environment: environment).profileNames == ["own"])
        environment.configFile = folder.path + "/missing"
        #expect(try Configuration.load(environment: environment).profileNames.isEmpty)
        environment.configFile = "own"
        #expect(throws: ConfigurationError.self) { try Configuration.load(environment: environment) }
    }

    @Test(arguments: [
        (0o600, true), (0o644, true), (0o444, true), (0o400, true), (0o660, false), (0o622, false), (0o602, false),
        (0o620, false), (0o777, false),
    ])
    func refusesWhatOthersCanWrite(mode: Int, accepted: Bool) throws {
        let folder = try TemporaryFolder()
        let environment = ConfigurationEnvironment(configFile: try folder.write("config", Self.profile, mode: mode))
        if accepted {
            #expect(try Configuration.load(environment: environment).profileNames == ["default"])
        } else {
            let error = #expect(throws: ConfigurationError.self) { try Configuration.load(environment: environment) }
            #expect(error?.kind == .untrusted && error?.text.contains(String(mode, radix: 8)) == true)
        }
    }

    @Test func refusesAnotherOwner() throws {
        let folder = try TemporaryFolder()
        let file = try folder.write("config", Self.profile)
        var environment = ConfigurationEnvironment(configFile: file)
        if getuid() == 0 {
            #expect(chown(file, 4242, 4242) == 0)
        } else {
            environment.effectiveUser = getuid() + 1
        }
        let error = #expect(throws: ConfigurationError.self) { try Configuration.load(environment: environment) }
        #expect(error?.kind == .untrusted && error?.text.contains("belongs to user") == true)
        if getuid() == 0 {
            environment.effectiveUser = 4242
            #expect(try Configuration.load(environment: environment).profileNames == ["default"])
        }
    }

    @Test func followsLinksAndChecksWhatTheyLeadTo() throws {
        let folder = try TemporaryFolder()
        let file = try folder.write("real", Self.profile)
        let link = folder.path + "/link"
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: file)
        let environment = ConfigurationEnvironment(configFile: link)
        #expect(try Configuration.load(environment: environment).profileNames == ["default"])
        #expect(chmod(file, 0o666) == 0)
        #expect(throws: ConfigurationError.self) { try Configuration.load(environment: environment) }
    }

    @Test func refusesWhatIsNoFile() throws {
        let folder = try TemporaryFolder()
        let pipe = folder.path + "/pipe"
        #expect(mkfifo(pipe, 0o600) == 0)
        for path in [folder.path, pipe, "/dev/null"] {
            let error = #expect(throws: ConfigurationError.self) {
                try Configuration.load(environment: ConfigurationEnvironment(configFile: path))
            }
            #expect(error?.kind == .untrusted)
        }
        let loop = folder.path + "/loop"
        try FileManager.default.createSymbolicLink(atPath: loop, withDestinationPath: loop)
        let error = #expect(throws: ConfigurationError.self) {
            try Configuration.load(environment: ConfigurationEnvironment(configFile: loop))
        }
        #expect(error?.kind == .unreadable)
    }

    @Test func refusesWhatIsTooLarge() throws {
        let folder = try TemporaryFolder()
        let comment = "#" + String(repeating: "x", count: (1 << 20) - 2) + "\n"
        let environment = ConfigurationEnvironment(configFile: try folder.write("config", comment))
        #expect(try Configuration.load(environment: environment).profileNames.isEmpty)
        try folder.write("config", comment + "\n")
        #expect(throws: ConfigurationError.self) { try Configuration.load(environment: environment) }
    }

    @Test func refusesBytesThatAreNotText() throws {
        let folder = try TemporaryFolder()
        let file = try folder.write("config", "")
        try Data(Array("[host a]\n# ".utf8) + [0xE9, 0x0A]).write(to: URL(fileURLWithPath: file))
        let error = #expect(throws: ConfigurationError.self) {
            try Configuration.load(environment: ConfigurationEnvironment(configFile: file))
        }
        #expect(error?.kind == .malformed && error?.line == 2 && error?.text == "is not UTF-8")
    }

    @Test func aThousandHostsAreFoundQuickly() throws {
        let hosts = (0..<1000).map { "[host h\($0)]\nurl=https://host\($0).example.com:8443\nusername=u\($0)\n" }
        let folder = try TemporaryFolder()
        let environment = ConfigurationEnvironment(
            configFile: try folder.write("config", Self.profile + hosts.joined()))
        let origin = try #require(Origin(scheme: "https", authority: "host999.example.com:8443"))
        let clock = ContinuousClock()
        var fastest = Duration.seconds(60)
        for _ in 0..<5 {
            let spent = try clock.measure {
                let loaded = try Configuration.load(environment: environment)
                #expect(try loaded.hostEntry(for: origin)?.username == "u999")
            }
            fastest = min(fastest, spent)
        }
        // Far above what is measured, far below what anything quadratic takes.
        #expect(fastest < .milliseconds(250))
        #expect(try Configuration.load(environment: environment).hosts.count == 1000)
    }
}
