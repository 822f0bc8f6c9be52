import Foundation
import TestSupport
import Testing

/// kubectl, which edits its file itself.
extension ToolTests {
    private static let kubeconfig = """
        apiVersion: v1
        clusters:
        - cluster:
            server: https://git.example.com
          name: one
        - cluster:
            server: https://third.example.com:6443
          name: two
        contexts:
        - context:
            cluster: two
            user: alice
          name: foreign
        - context:
            cluster: one
            user: alice
          name: it's mine
        current-context: foreign
        kind: Config
        preferences: {}
        users:
        - name: alice
          user:
            token: hunter2

        """

    private func kubectl(_ world: World, _ words: String...) throws -> Outcome {
        try world.run("kubectl", ["config"] + words)
    }

    /// The kubectl that is there, or one that stands in for an older one, as Debian 12 has it: that knows no
    /// `interactiveMode`, so that the file stays, and the lines are printed.
    enum Kubectl: CaseIterable, Sendable {
        case installed
        case older
    }

    /// - Returns: whether kubectl can set the user.
    private func use(_ kubectl: Kubectl, in world: World) throws -> Bool {
        let option = "--exec-interactive-mode"
        if kubectl == .older {
            let real = try Tool.kubectl.path()
            try world.scratch.write(
                """
                #!/bin/sh
                case "$*" in *\(option)=*) echo 'error: unknown flag: \(option)' >&2; exit 1;; esac
                exec \(real) "$@" | sed '/\(option)/d'

                """, to: "bin/kubectl", mode: 0o755)
        }
        return try self.kubectl(world, "set-credentials", "--help").text.contains(option)
    }

    /// `configure kubernetes`; where kubectl cannot set the user, the person puts the lines that it prints into the file.
    ///
    /// - Returns: what is printed once the user is there.
    private func setUser(_ world: World, _ isSetByKubectl: Bool) throws -> String {
        if isSetByKubectl {
            return try run(
                world, ["configure", "kubernetes"], says: ["Set the user mojoauth in", "To let a context"]
            ).text
        }
        let before = try world.scratch.read("home/.kube/config")
        let refused = try run(world, ["configure", "kubernetes"], says: ["kubectl did not set the user"], exitCode: 78)
        #expect(refused.text.hasPrefix("- name: mojoauth\n"), "\(refused)")
        #expect(try world.scratch.read("home/.kube/config") == before)
        try world.scratch.write(before + refused.text, to: "home/.kube/config")
        return try run(world, ["configure", "kubernetes"], says: ["has the user mojoauth already"]).text
    }

    @Test(arguments: Kubectl.allCases) func userIsSetAndTakenBack(_ kubectl: Kubectl) throws {
        let world = try Self.world()
        try world.scratch.write(Self.kubeconfig, to: "home/.kube/config")
        let line = try setUser(world, try use(kubectl, in: world))
        // Contexts of other servers are not named.
        #expect(line == "kubectl config set-context 'it'\\''s mine' --user=mojoauth\n")
        let exec = try self.kubectl(
            world, "view", "--raw", "--output=jsonpath={.users[?(@.name==\"mojoauth\")].user.exec}")
        for member in [
            #""command":"mojoauth-helper""#, #""args":["kubernetes"]"#, #""provideClusterInfo":true"#,
            #""apiVersion":"client.authentication.k8s.io/v1""#,
        ] { #expect(exec.text.contains(member), "\(member): \(exec)") }
        let configured = try world.scratch.read("home/.kube/config")
        // An older kubectl does not show it.
        #expect(configured.contains("interactiveMode: IfAvailable\n"))
        let again = try run(world, ["configure", "kubernetes"], says: ["has the user mojoauth already"])
        #expect(again.text == line)
        #expect(try world.scratch.read("home/.kube/config") == configured)
        // The line that was printed, as it is.
        #expect(try world.run("sh", ["-c", line]).exitCode == 0)
        #expect(try run(world, ["configure", "kubernetes"]).output.isEmpty)
        _ = try run(
            world, ["unconfigure", "kubernetes"], says: ["Removed the user mojoauth", "still name it: it's mine"])
        #expect(try self.kubectl(world, "set-context", "it's mine", "--user=alice").exitCode == 0)
        #expect(try world.scratch.read("home/.kube/config") == Self.kubeconfig)
        _ = try run(world, ["unconfigure", "kubernetes"], says: ["Nothing to undo for kubernetes"])
    }

    @Test(arguments: Kubectl.allCases) func kubeconfigThatKubectlWouldWriteAnewIsLeftAlone(_ kubectl: Kubectl) throws {
        let world = try Self.world()
        let text = "# mine\n" + Self.kubeconfig
        try world.scratch.write(text, to: "home/.kube/config")
        let outcome = try run(
            world, ["configure", "kubernetes"],
            says: ["without comments; --rewrite lets it", "hint: put the lines above"],
            exitCode: 78)
        #expect(outcome.text.hasPrefix("- name: mojoauth\n  user:\n    exec:\n"), "\(outcome)")
        #expect(try world.scratch.read("home/.kube/config") == text)
        // The lines do what kubectl would have done.
        try world.scratch.write(text + outcome.text, to: "home/.kube/config")
        _ = try run(world, ["configure", "kubernetes"], says: ["has the user mojoauth already"])
        try world.scratch.write(text, to: "home/.kube/config")
        guard try use(kubectl, in: world) else {
            _ = try run(
                world, ["configure", "kubernetes", "--rewrite"], says: ["kubectl did not set the user"], exitCode: 78)
            #expect(try world.scratch.read("home/.kube/config") == text)
            return
        }
        _ = try run(world, ["configure", "kubernetes", "--rewrite"], says: ["Set the user mojoauth"])
        _ = try run(world, ["unconfigure", "kubernetes"], says: ["Removed the user mojoauth"])
        #expect(try world.scratch.read("home/.kube/config") == Self.kubeconfig)
    }

    @Test func kubeconfigThatIsNoneOfOurs() throws {
        let world = try Self.world()
        for (text, says) in [
            ("users: [\n", "kubectl cannot read"), ("a: b: c\n", "kubectl cannot read"),
            (Self.kubeconfig.replacing("alice", with: "mojoauth"), "has a user mojoauth that is not ours"),
        ] {
            try world.scratch.write(text, to: "home/.kube/config")
            let outcome = try run(
                world, ["configure", "kubernetes"], says: [says, "it was not changed"], exitCode: 78)
            #expect(outcome.output.isEmpty && !outcome.errors.contains("hunter2"), "\(outcome)")
            #expect(try world.scratch.read("home/.kube/config") == text)
            _ = try run(world, ["unconfigure", "kubernetes"], says: ["Nothing to undo"])
        }
        try world.scratch.write(Self.kubeconfig, to: "home/.kube/config")
        let missing = try run(
            world, ["configure", "kubernetes"], says: ["there is no kubectl in PATH"], exitCode: 78,
            environment: bare(world))
        #expect(missing.text.hasPrefix("- name: mojoauth\n"), "\(missing)")
    }

    @Test(arguments: Kubectl.allCases) func kubeconfigIsTheFirstOfTheVariable(_ kubectl: Kubectl) throws {
        let world = try Self.world()
        try world.scratch.write(Self.kubeconfig, to: "home/.kube/config")
        let isSet = try use(kubectl, in: world)
        world.set(["KUBECONFIG": "\(world.scratch.path("one")):\(world.scratch.path("two"))"])
        try world.scratch.write(Self.kubeconfig, to: "two")
        _ = try run(
            world, ["configure", "kubernetes"], says: [world.scratch.path("one")], exitCode: isSet ? 0 : 78)
        #expect(try world.scratch.read("two") == Self.kubeconfig)
        #expect(((try? world.scratch.read("one")) ?? "").contains("mojoauth-helper") == isSet)
    }
}
