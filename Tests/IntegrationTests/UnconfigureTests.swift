import Foundation
import Testing
import TestSupport

/// What `configure` wrote, `unconfigure` takes back: to the byte, and nothing else.
@Suite(.serialized) struct UnconfigureTests {
    private static let profile = "[profile default]\nissuer=https://acme.example\nclient-id=cli\n"
    private static let gitFile = "home/.gitconfig"
    private static let dockerFile = "home/.docker/config.json"

    private static func world(_ configuration: String = profile) throws -> World {
        let world = try World(.noBus)
        try world.writeConfiguration(configuration)
        return world
    }

    @discardableResult
    private func run(
        _ world: World, _ words: String..., says: [String] = [], exitCode: Int32 = 0,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> Outcome {
        let outcome = try world.run("mojoauth-credential", words)
        #expect(outcome.exitCode == exitCode, "\(outcome)", sourceLocation: sourceLocation)
        for word in says {
            #expect(outcome.errors.contains(word), "\(word): \(outcome)", sourceLocation: sourceLocation)
        }
        return outcome
    }

    // MARK: git

    @Test(arguments: [
        "", "[user]\n\tname = A\n",
        "# a comment\n[core]\n; another\n\teditor = vi # of mine\n\n\n[alias]\n  co=checkout\n",
        "[credential]\n\thelper = store\n\thelper = cache --timeout 30\n",
        "[credential \"https://git.example.com\"]\n\tuseHttpPath = true # kept\n\n[user]\n\tname = A\n",
        "[credential \"https://git.example.com\"]\n\t# mine\n\thelper = store\n\tusername = bob\n[user]\n\tname = A\n",
        "[credential \"https://git.example.com\"]\n\thelper = cache\n[http \"https://git.example.com\"]\n\tsslVerify = true\n",
        "[credential \"https://other.example.com\"]\n\thelper =\n\thelper = mojoauth\n",
    ]) func gitIsAsItWas(_ before: String) throws {
        let world = try Self.world()
        try world.scratch.write(before, to: Self.gitFile)
        try run(world, "configure", "git", SignedIn.host, says: ["Wrote [host git.example.com]", "Set credential."])
        let helpers = try world.run(.git, ["config", "--global", "--get-all", "credential.\(SignedIn.host).helper"])
        #expect(helpers.text.hasSuffix("\nmojoauth\n"), "\(helpers)")
        try run(
            world, "unconfigure", "git", SignedIn.host,
            says: ["Removed \"\" and \"mojoauth\"", "Removed [host git.example.com]"])
        #expect(try world.scratch.read(Self.gitFile) == before)
        #expect(try !world.scratch.read("home/.config/mojoauth-credential/config").contains("[host"))
        try run(world, "unconfigure", "git", SignedIn.host, says: ["Nothing to undo for https://git.example.com.\n"])
        #expect(try world.scratch.read(Self.gitFile) == before)
    }

    /// Where a person's own lines are equal to ours git can tell none from the other: values and their order stay.
    @Test(arguments: [["", "store"], ["mojoauth"], ["store", "", "cache"], ["", "mojoauth", "store"]])
    func equalLinesOfAPersonStay(_ values: [String]) throws {
        let world = try Self.world()
        let key = "credential.\(SignedIn.host).helper"
        for value in values { try world.run(.git, ["config", "--global", "--add", key, value]) }
        try run(world, "configure", "git", SignedIn.host)
        let configured = try world.run(.git, ["config", "--global", "--get-all", key]).text
        #expect(configured == (values + ["", "mojoauth"]).map { "\($0)\n" }.joined())
        try run(world, "unconfigure", "git", SignedIn.host)
        let left = try world.run(.git, ["config", "--global", "--get-all", key]).text
        #expect(left == values.map { "\($0)\n" }.joined())
    }

    @Test func eachOfGitsFilesIsItsOwn() throws {
        let world = try Self.world()
        let repository = try world.scratch.folder("repository")
        try world.run(.git, ["init", "--quiet", repository])
        let before = try world.scratch.read("repository/.git/config")
        func here(_ words: String...) throws -> Outcome {
            try world.run("env", ["-C", repository, "mojoauth-credential"] + words)
        }
        #expect(try here("configure", "git", "--local", SignedIn.host).exitCode == 0)
        #expect(try here("configure", "git", SignedIn.host).exitCode == 0)
        // The entry stays while another of git's files names the helper.
        let first = try here("unconfigure", "git", "--local", SignedIn.host)
        #expect(first.errors.contains("Kept [host git.example.com]"), "\(first)")
        #expect(try world.scratch.read("repository/.git/config") == before)
        let second = try here("unconfigure", "git", "--global", SignedIn.host)
        #expect(second.errors.contains("Removed [host git.example.com]"), "\(second)")
        // Outside of a repository there is no such file.
        let outside = try world.run(
            "env", ["-C", "/", "mojoauth-credential", "unconfigure", "git", "--local", SignedIn.host])
        #expect(outside.exitCode == 78, "\(outside)")
    }

    @Test(arguments: ["unconfigure", "configure"]) func refusesWhatIsNoHostOfGits(_ command: String) throws {
        let world = try Self.world()
        for word in [
            "", "git.example.com", "ssh://git.example.com", "https://", "https://bob@git.example.com", "https://a:0",
        ] {
            try run(world, command, "git", word, exitCode: 64)
            #expect(throws: (any Error).self) { try world.scratch.read(Self.gitFile) }
        }
        try run(world, command, "git", exitCode: 64)
        try run(world, command, "git", SignedIn.host, SignedIn.host, exitCode: 64)
    }

    @Test func httpIsRefusedWithTheWordThatHelps() throws {
        let world = try Self.world()
        try run(
            world, "configure", "git", "http://127.0.0.1:3000",
            says: ["hint: for a host on loopback, say --allow-insecure"], exitCode: 64)
        try run(
            world, "configure", "git", "http://git.example.com",
            says: ["http://git.example.com is not https", "say https\n"], exitCode: 64)
        try run(
            world, "configure", "git", "--allow-insecure", "http://git.example.com", says: ["loopback"], exitCode: 78)
        try run(world, "configure", "git", "--allow-insecure", "http://127.0.0.1:3000", says: ["Wrote [host"])
        // An entry that allows it already needs no word.
        try run(world, "configure", "git", "http://127.0.0.1:3000", says: ["already"])
    }

    // MARK: docker

    @Test(arguments: [
        "{}", "{\n\t\"auths\": {\n\t\t\"a\": {}\n\t},\n\t\"credsStore\": \"secretservice\"\n}",
        "{\"credHelpers\":{\"b.example\":\"pass\"},\"HttpHeaders\":{\"n\":1.50}}",
        "{\r\n  \"proxies\" : {},\r\n  \"credHelpers\" : { \"z.example\" : \"mojoauth\" , \"a.example\" : \"x\" }\r\n}\r\n",
    ]) func dockerIsAsItWas(_ before: String) throws {
        let world = try Self.world()
        try world.scratch.write(before, to: Self.dockerFile)
        try run(world, "configure", "docker", "registry.example.com", says: ["Wrote [host", "Set credHelpers"])
        #expect(try world.scratch.read(Self.dockerFile).contains("registry.example.com"))
        try run(world, "configure", "docker", "registry.example.com", says: ["set already"])
        try run(
            world, "unconfigure", "docker", "registry.example.com",
            says: ["Removed credHelpers[\"registry.example.com\"]", "Removed [host registry.example.com]"])
        #expect(try world.scratch.read(Self.dockerFile) == before)
        try run(
            world, "unconfigure", "docker", "registry.example.com",
            says: ["Nothing to undo for registry.example.com.\n"])
        #expect(try world.scratch.read(Self.dockerFile) == before)
    }

    @Test func dockerFileIsMadeAndKept() throws {
        let world = try Self.world()
        try run(world, "configure", "docker", "registry.example.com:5000")
        #expect(
            try world.scratch.read(Self.dockerFile)
                == "{\n\t\"credHelpers\": {\n\t\t\"registry.example.com:5000\": \"mojoauth\"\n\t}\n}\n")
        // As docker itself may spell it.
        try run(world, "unconfigure", "docker", "https://registry.example.com:5000/v2/", says: ["Removed credHelpers"])
        #expect(try world.scratch.read(Self.dockerFile) == "{\n}\n")
    }

    /// People keep such files elsewhere, and link to them.
    @Test func dockerFileIsWrittenThroughALink() throws {
        let world = try Self.world()
        try world.scratch.write("{}\n", to: "dotfiles.json")
        let link = world.dockerConfiguration
        try? FileManager.default.removeItem(atPath: link)
        try FileManager.default.createSymbolicLink(
            atPath: link, withDestinationPath: world.scratch.path("dotfiles.json"))
        try run(world, "configure", "docker", "registry.example.com")
        #expect(try world.scratch.read("dotfiles.json").contains("mojoauth"))
        try run(world, "unconfigure", "docker", "registry.example.com")
        #expect(try world.scratch.read("dotfiles.json") == "{}\n")
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == world.scratch.path("dotfiles.json"))
    }

    @Test(arguments: [
        "[]", "{", "{\"a\":1,\"a\":2}", "{\"credHelpers\":[]}", "{\"credHelpers\":\"x\"}", "\u{0}", "{\"a\":1}x",
    ]) func brokenDockerFileIsLeftAlone(_ text: String) throws {
        let world = try Self.world()
        try world.scratch.write(text, to: Self.dockerFile)
        try run(
            world, "configure", "docker", "registry.example.com", says: ["config.json", "hint: mend the file"],
            exitCode: 78)
        #expect(try world.scratch.read(Self.dockerFile) == text)
    }

    @Test func refusesWhatIsNoRegistry() throws {
        let world = try Self.world()
        for word in ["", " ", "registry.example.com/team", "a b", "a:0", "ftp://registry.example.com"] {
            try run(world, "unconfigure", "docker", word, exitCode: 64)
        }
        try run(world, "unconfigure", "docker", exitCode: 64)
        try run(world, "unconfigure", "docker", "a.example", "b.example", exitCode: 64)
    }

    // MARK: The entry, and the profile

    @Test func entryStaysWhileTheOtherToolNeedsIt() throws {
        let world = try Self.world()
        try run(world, "configure", "git", SignedIn.host)
        try run(world, "configure", "docker", "git.example.com")
        try run(
            world, "unconfigure", "docker", "git.example.com",
            says: ["Kept [host git.example.com]", "git's credential."])
        try run(world, "configure", "docker", "git.example.com")
        try run(
            world, "unconfigure", "git", SignedIn.host, says: ["Kept [host git.example.com]", "docker's credHelpers"])
        try run(world, "unconfigure", "docker", "git.example.com", says: ["Removed [host git.example.com]"])
    }

    /// The forms that are about every host.
    @Test func entryStaysForAHelperOfEveryHost() throws {
        let world = try Self.world()
        try world.useHelperForGit()
        try run(world, "configure", "docker", "git.example.com")
        try run(world, "unconfigure", "docker", "git.example.com", says: ["Kept", "git's credential.helper asks"])
        try world.useHelperForDocker(#"{"credsStore":"mojoauth"}"#)
        try run(world, "configure", "git", SignedIn.host)
        try run(world, "unconfigure", "git", SignedIn.host, says: ["Kept", "docker's credsStore asks"])
        try world.useHelperForDocker("{}")
        try run(world, "unconfigure", "git", SignedIn.host, says: ["Removed [host git.example.com]"])
    }

    @Test func entryThatAPersonMadeMoreOfStays() throws {
        let world = try Self.world(Self.profile + "\n[host mine]\nurl=https://git.example.com\naudience=build\n")
        try run(
            world, "configure", "git", SignedIn.host, says: ["served from profile \"default\" already ([host mine])"])
        try run(world, "unconfigure", "git", SignedIn.host, says: ["Kept [host mine]", "more than 'configure' writes"])
        try run(world, "unconfigure", "git", SignedIn.host, says: ["Nothing to undo"])
        #expect(try world.scratch.read("home/.config/mojoauth-credential/config").contains("audience=build"))
    }

    /// What was done before the fault was met is told all the same.
    @Test func faultyEntryIsToldBesideWhatWasUndone() throws {
        let world = try Self.world()
        try run(world, "configure", "git", SignedIn.host)
        try run(world, "configure", "docker", "git.example.com")
        try world.writeConfiguration(Self.profile + "\n[host x]\nurl=https://git.example.com\nprofile=gone\n")
        try run(
            world, "unconfigure", "git", SignedIn.host, says: ["Removed \"\" and \"mojoauth\"", "error:", "\"gone\""],
            exitCode: 78)
        try run(
            world, "unconfigure", "docker", "git.example.com", says: ["Removed credHelpers", "error:", "\"gone\""],
            exitCode: 78)
    }

    @Test func profileGoesWhenNothingNeedsIt() throws {
        let world = try Self.world("# mine\n" + Self.profile)
        try run(world, "configure", "git", SignedIn.host)
        try run(
            world, "unconfigure", "profile",
            says: ["profile \"default\" serves https://git.example.com", "unconfigure git https://git.example.com"],
            exitCode: 78)
        try run(world, "unconfigure", "git", SignedIn.host)
        try run(world, "unconfigure", "profile", says: ["Removed profile \"default\""])
        #expect(try world.scratch.read("home/.config/mojoauth-credential/config").hasPrefix("# mine\n"))
        try run(world, "unconfigure", "profile", says: ["Nothing to undo for profile \"default\""])
        try run(world, "unconfigure", "profile", "a", "b", exitCode: 64)
    }

    @Test func profileWithALoginStays() throws {
        let signedIn = try SignedIn(hosts: [:])
        try run(signedIn.world, "unconfigure", "profile", says: ["mojoauth-credential logout' first"], exitCode: 78)
        signedIn.world.keyring?.freeze()
        try run(signedIn.world, "unconfigure", "profile", says: ["the keyring did not answer"], exitCode: 69)
        signedIn.world.keyring?.thaw()
        try run(signedIn.world, "logout")
        try run(signedIn.world, "unconfigure", "profile", says: ["Removed profile"])
    }

    @Test func wordsThatAreNone() throws {
        let world = try Self.world()
        try run(world, "unconfigure", says: ["profile, git, docker, host, ", "bazel or background"], exitCode: 64)
        try run(world, "unconfigure", "podman", exitCode: 64)
    }

    @Test func anotherHelperThatIsReplacedIsTold() throws {
        let world = try World(.noBus)
        try world.configure(issuer: "http://127.0.0.1:9", clientID: "c")
        let file = try world.scratch.write(
            #"{"credHelpers": {"registry.example.com": "ecr-login"}}"#, to: "home/.docker/config.json", mode: 0o644)
        let outcome = try world.run("mojoauth-credential", ["configure", "docker", "registry.example.com"])
        #expect(outcome.exitCode == 0 && outcome.errors.contains("It was \"ecr-login\"."), "\(outcome)")
        let mode = try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int
        #expect(mode == 0o644)
    }

    @Test func systemsFileIsGivenBackToTheByte() throws {
        let world = try World(.noBus)
        try world.configure(issuer: "http://127.0.0.1:9", clientID: "c")
        let before = "[core]\n\tpager = less\n"
        let file = try world.scratch.write(before, to: "etc/gitconfig")
        world.set(["GIT_CONFIG_SYSTEM": file, "GIT_CONFIG_NOSYSTEM": nil])
        let configured = try world.run("mojoauth-credential", ["configure", "git", "--system", SignedIn.host])
        #expect(configured.exitCode == 0 && configured.errors.contains("system configuration"), "\(configured)")
        #expect(try String(contentsOfFile: file, encoding: .utf8).contains("helper = mojoauth"))
        let undone = try world.run("mojoauth-credential", ["unconfigure", "git", "--system", SignedIn.host])
        #expect(undone.exitCode == 0, "\(undone)")
        #expect(try String(contentsOfFile: file, encoding: .utf8) == before)
    }

    /// git takes a host alone for a URL of any scheme.
    @Test func anEntryThatGitNamesByItsHostAloneStays() throws {
        let world = try World(.noBus)
        try world.configure(issuer: "http://127.0.0.1:9", clientID: "c")
        #expect(try world.run("mojoauth-credential", ["configure", "git", SignedIn.host]).exitCode == 0)
        let named = try world.run(
            "git", ["config", "--global", "credential.git.example.com.helper", "mojoauth --words"])
        #expect(named.exitCode == 0)
        let undone = try world.run("mojoauth-credential", ["unconfigure", "git", SignedIn.host])
        #expect(undone.exitCode == 0 && undone.errors.contains("credential.git.example.com.helper"), "\(undone)")
        #expect(try String(contentsOfFile: world.configurationFile, encoding: .utf8).contains("url=\(SignedIn.host)"))
    }
}
