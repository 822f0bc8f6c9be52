import Configuration
import Foundation
import Testing
import WebAddress

@Suite struct ConfigurationWriterTests {
    private let folder: TemporaryFolder
    private let environment: ConfigurationEnvironment
    private let file = "home/mojoauth-credential/config"

    init() throws {
        folder = try TemporaryFolder()
        environment = ConfigurationEnvironment(
            configHome: folder.path + "/home", configDirectories: folder.path + "/etc", home: folder.path)
    }

    private var writer: ConfigurationWriter { ConfigurationWriter(environment: environment) }

    private func addProfile() throws {
        try writer.set(
            [.init("issuer", "https://acme.example"), .init("client-id", "0a1b2c")], in: .profile("default"))
    }

    @Test func makesFileAndFolders() throws {
        try addProfile()
        try writer.set([.init("url", "https://git.example.com")], in: .host(label: "git"))
        let text = try folder.read(file)
        #expect(text.hasPrefix("# "))
        #expect(
            text.hasSuffix(
                "\n[profile default]\nissuer=https://acme.example\nclient-id=0a1b2c\n\n[host git]\nurl=https://git.example.com\n"
            ))
        #expect(try folder.mode(file) == 0o600)
        #expect(try folder.mode("home/mojoauth-credential") == 0o700 && folder.mode("home") == 0o700)
        let loaded = try Configuration.load(environment: environment)
        #expect(loaded.hosts.map(\.label) == ["git"] && loaded.notices.isEmpty)
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: folder.path + "/home/mojoauth-credential") == ["config"]
        )
    }

    /// A comment stands above a key that is new, and whatever is in it ends with its line.
    @Test func writesCommentsOfNewKeys() throws {
        try addProfile()
        var known = ConfigurationWriter.Setting("client-id", "other")
        known.comment = "not written: the key is there"
        var new = ConfigurationWriter.Setting("leeway", "5")
        new.comment = "one\n[host evil]\u{0}\rtwo\u{7F}"
        try writer.set([known, new], in: .profile("default"))
        let text = try folder.read(file)
        #expect(text.hasSuffix("\nclient-id=other\n# one[host evil]two\nleeway=5\n"), "\(text)")
        #expect(try Configuration.load(environment: environment).hostLabels.isEmpty)
    }

    @Test func previewWritesNothing() throws {
        try addProfile()
        let before = try folder.read(file)
        let preview = try writer.preview([.init("issuer", "https://other.example")], in: .profile("default"))
        #expect(try preview.profile(named: "default").issuer == "https://other.example")
        #expect(try preview.profile(named: "default").clientID == "0a1b2c")
        #expect(throws: ConfigurationError.self) {
            try writer.preview([.init("issuer", "gopher://other.example")], in: .profile("default"))
        }
        #expect(throws: ConfigurationError.self) {
            try writer.preview([.init("client-id", "x")], in: .profile("new"))
        }
        #expect(try folder.read(file) == before)
    }

    @Test func previewMakesNoFile() throws {
        let settings = [
            ConfigurationWriter.Setting("issuer", "https://acme.example"), .init("client-id", "0a1b2c"),
        ]
        #expect(try writer.preview(settings, in: .profile("default")).profileNames == ["default"])
        #expect(!FileManager.default.fileExists(atPath: folder.path + "/home/mojoauth-credential"))
    }

    @Test func keepsWhatItWasNotAskedToChange() throws {
        try folder.write(
            file,
            """
            # top

              [profile default]
            # about the issuer
            issuer = https://acme.example
            client-id=x

            # about git
            [host git]
            url=https://git.example.com
            colour=red
            # end
            """, mode: 0o644)
        try writer.set([.init("client-id", "y"), .init("leeway", "5")], in: .profile("default"))
        try writer.set([.init("colour", nil as String?), .init("token", "id")], in: .host(label: "git"))
        #expect(
            try folder.read(file) == """
                # top

                  [profile default]
                # about the issuer
                issuer = https://acme.example
                client-id=y
                leeway=5

                # about git
                [host git]
                url=https://git.example.com
                token=id
                # end
                """)
        #expect(try folder.mode(file) == 0o600)
    }

    @Test func removesAGroupAndNothingElse() throws {
        try folder.write(
            file, "[profile a]\nissuer=https://a\nclient-id=x\n\n# about b\n[profile b]\nissuer=https://b\n")
        #expect(try writer.remove(.profile("a")))
        #expect(try folder.read(file) == "# about b\n[profile b]\nissuer=https://b\n")
        #expect(try !writer.remove(.profile("a")))
        #expect(try !writer.remove(.host(label: "b")))
        #expect(try writer.remove(.profile("b")))
        #expect(try folder.read(file) == "# about b\n")
    }

    @Test func valuesComeBackAsTheyWent() throws {
        let scopes = ["openid", "a;b", "c\\d"]
        try addProfile()
        try writer.set(
            [
                .init("scopes", .list(["openid", "a;b"])), .init("parameter-x", " a\\b ;é"),
                .init("parameter-y", "=#["),
            ],
            in: .profile("default"))
        let profile = try Configuration.load(environment: environment).profile(named: "default")
        #expect(profile.scopes == Array(scopes.prefix(2)))
        #expect(profile.parameters["x"] == "a\\b ;é" && profile.parameters["y"] == "=#[")
        #expect(throws: ConfigurationError.self) {
            try writer.set([.init("scopes", .list(scopes))], in: .profile("default"))
        }
    }

    @Test func appendsToAFileWithoutAFinalLineFeed() throws {
        try folder.write(file, "[profile default]\nissuer=https://acme.example")
        try addProfile()
        #expect(try folder.read(file) == "[profile default]\nissuer=https://acme.example\nclient-id=0a1b2c\n")
    }

    struct BadRow: Sendable, CustomTestStringConvertible {
        let name: String
        let group: ConfigurationWriter.Group
        let settings: [ConfigurationWriter.Setting]
        var testDescription: String { name }
    }

    @Test(arguments: [
        BadRow(name: "incomplete profile", group: .profile("b"), settings: [.init("issuer", "https://b")]),
        BadRow(name: "bad value", group: .profile("default"), settings: [.init("leeway", "x")]),
        BadRow(
            name: "unknown profile", group: .host(label: "a"),
            settings: [
                .init("url", "https://a"), .init("profile", "z"),
            ]),
        BadRow(name: "same origin", group: .host(label: "b"), settings: [.init("url", "https://git.example.com:443")]),
        BadRow(
            name: "line feed in a value", group: .profile("default"), settings: [.init("connection", "a\n[host x]")]),
        BadRow(name: "NUL in a value", group: .profile("default"), settings: [.init("connection", "a\u{0}")]),
        BadRow(name: "blank in a name", group: .profile("a b"), settings: []),
        BadRow(name: "bracket in a name", group: .host(label: "[::1]"), settings: [.init("url", "https://[::1]")]),
        BadRow(name: "empty name", group: .profile(""), settings: []),
        BadRow(name: "line feed in a name", group: .profile("a\nb"), settings: []),
        BadRow(name: "equals sign in a key", group: .profile("default"), settings: [.init("a=b", "c")]),
        BadRow(name: "header as a key", group: .profile("default"), settings: [.init("[x]", "c")]),
        BadRow(name: "comment as a key", group: .profile("default"), settings: [.init("#x", "c")]),
        BadRow(name: "empty key", group: .profile("default"), settings: [.init("", "c")]),
        BadRow(name: "bad default", group: .defaults, settings: [.init("foreign", "x")]),
    ])
    func refusesAndLeavesTheFile(row: BadRow) throws {
        try addProfile()
        try writer.set([.init("url", "https://git.example.com")], in: .host(label: "git"))
        let before = try folder.read(file)
        #expect(throws: ConfigurationError.self) { try writer.set(row.settings, in: row.group) }
        #expect(try folder.read(file) == before)
    }

    @Test func writesThroughNoLink() throws {
        let real = try folder.write("real", "")
        try folder.write("home/mojoauth-credential/other", "")
        try FileManager.default.createSymbolicLink(atPath: folder.path + "/" + file, withDestinationPath: real)
        let error = #expect(throws: ConfigurationError.self) { try addProfile() }
        #expect(error?.text.contains("symbolic link") == true)
        #expect(try folder.read("real") == "")
    }

    @Test func writesThroughNoLinkedFolder() throws {
        try folder.write("real/config", "")
        try folder.write("home/other", "")
        try FileManager.default.createSymbolicLink(
            atPath: folder.path + "/home/mojoauth-credential", withDestinationPath: folder.path + "/real")
        #expect(throws: ConfigurationError.self) { try addProfile() }
        #expect(try folder.read("real/config") == "")
    }

    @Test func systemFilesAreReadAndNeverWritten() throws {
        try folder.write(
            "etc/mojoauth-credential/config", "[profile default]\nissuer=https://sys.example\nclient-id=s\n")
        try writer.set([.init("leeway", "1")], in: .profile("default"))
        let loaded = try Configuration.load(environment: environment)
        #expect(try loaded.profile(named: "default").issuer == "https://sys.example")
        #expect(try loaded.profile(named: "default").leeway == 1)
        #expect(try folder.read("etc/mojoauth-credential/config").hasSuffix("client-id=s\n"))
    }
}
