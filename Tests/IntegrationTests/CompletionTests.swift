import Testing
import TestSupport

/// Completions in the shells themselves.
@Suite(.serialized) struct CompletionTests {
    private func world() throws -> World {
        let world = try World(.noBus)
        try world.writeConfiguration(
            """
            [profile default]
            issuer=https://acme.example
            client-id=a
            [profile work]
            issuer=https://work.example
            client-id=b
            [host one]
            url=https://git.example.com:8443
            [host two]
            url=https://registry.example.com

            """)
        return world
    }

    struct Row: Sendable, CustomTestStringConvertible {
        /// As it stands on the command line, behind the program's name.
        let typed: String
        let candidates: [String]
        var testDescription: String { typed }

        init(_ typed: String, _ candidates: String...) {
            self.typed = typed
            self.candidates = candidates
        }
    }

    private static let rows = [
        Row("sta", "status"), Row("lo", "login", "logout"), Row("status --p", "--profile"),
        Row("status --profile ", "default", "work"), Row("login -p w", "work"),
        Row("status --profile=w", "--profile=work"), Row("get --format=h", "--format=header"),
        Row("get --format h", "header"),
        Row("get https://g", "https://git.example.com:8443"),
        Row("get https://git.example.com:8", "https://git.example.com:8443"),
        Row(
            "configure ", "profile", "git", "docker", "host", "kubernetes", "cargo", "go", "terraform", "pip", "uv",
            "bazel", "background"),
        Row("unconfigure c", "cargo"), Row("configure cargo --host https://r", "https://registry.example.com"),
        Row("configure kubernetes --r", "--rewrite"), Row("run --d", "--descriptor"),
        Row("run --host https://r", "https://registry.example.com"),
        Row("configure docker reg", "registry.example.com"),
        Row("configure profile --client-auth ", "none", "basic", "post"), Row("completion z", "zsh"),
        Row("help unl", "unlock"), Row("nonsense "), Row("status --profile nobody"), Row("version x"),
    ]

    @Test(arguments: rows) func bash(_ row: Row) throws {
        let script = """
            source <(mojoauth-credential completion bash)
            COMP_LINE="mojoauth-credential \(row.typed)" COMP_POINT=${#COMP_LINE}
            COMP_POINT=${#COMP_LINE}
            _mojoauth_credential
            (( ${#COMPREPLY[@]} )) && printf '%s\\n' "${COMPREPLY[@]}" || true
            """
        let outcome = try world().run("bash", ["--norc", "--noprofile", "-c", script])
        #expect(outcome.exitCode == 0 && outcome.errors.isEmpty, "\(outcome)")
        // bash has cut the word at its last colon or equals sign, and puts back what stands before it.
        let typed = row.typed.split(separator: " ", omittingEmptySubsequences: false).last.map(String.init) ?? ""
        let kept = typed.lastIndex { ":=".contains($0) }.map { String(typed[...$0]) } ?? ""
        #expect(outcome.text.split(separator: "\n").map { kept + $0 } == row.candidates, "\(outcome)")
    }

    /// The key itself, in a shell that a person types at.
    @Test func bashAtTheKeyboard() throws {
        let terminal = try PseudoTerminal(columns: 160)
        try terminal.start(try world(), "bash", ["--norc", "--noprofile", "-i"], environment: ["PS1": "ready> "])
        try terminal.wait(for: "ready> ")
        terminal.type("source <(mojoauth-credential completion bash); echo sour''ced\n")
        try terminal.wait(for: "sourced")
        terminal.type("mojoauth-credential get https://gi\t")
        try terminal.wait(for: "mojoauth-credential get https://git.example.com:8443 ")
    }

    @Test(arguments: rows) func fish(_ row: Row) throws {
        let outcome = try world().run(
            "fish",
            [
                "--no-config", "-c",
                "mojoauth-credential completion fish | source; complete -C 'mojoauth-credential \(row.typed)'",
            ])
        #expect(outcome.exitCode == 0 && outcome.errors.isEmpty, "\(outcome)")
        let words = outcome.text.split(separator: "\n").map { $0.prefix { $0 != "\t" } }
        #expect(words.map(String.init) == row.candidates, "\(outcome)")
    }

    @Test func fishCompletesFiles() throws {
        let world = try world()
        let file = try world.scratch.write("", to: "issuer-ca.pem")
        let outcome = try world.run(
            "fish",
            [
                "--no-config", "-c",
                "mojoauth-credential completion fish | source; "
                    + "complete -C 'mojoauth-credential configure profile --ca-file \(file.dropLast(4))'",
            ])
        #expect(outcome.text.hasPrefix(file), "\(outcome)")
    }

    @Test(arguments: [
        ("sta", "status "), ("status --prof", "status --profile "), ("login -p w", "login -p work "),
        ("get https://g", "get https://git.example.com:8443 "), ("configure doc", "configure docker "),
    ])
    func zsh(_ typed: String, _ completed: String) throws {
        let world = try world()
        // The key shows the whole line afterwards: what zsh draws is only what differs from before.
        let setup = try world.scratch.write(
            """
            autoload -U compinit; compinit -D -u
            source <(mojoauth-credential completion zsh)
            complete-and-show() { zle expand-or-complete; zle -M "now <$BUFFER>" }
            zle -N complete-and-show
            bindkey '^I' complete-and-show
            echo sourced

            """, to: "setup.zsh")
        let terminal = try PseudoTerminal(columns: 160)
        try terminal.start(world, "zsh", ["-f", "-i"], environment: ["PS1": "ready> "])
        try terminal.wait(for: "ready> ")
        terminal.type("source \(setup)\n")
        try terminal.wait(for: "sourced\r\n")
        terminal.type("mojoauth-credential \(typed)\t")
        try terminal.wait(for: "now <mojoauth-credential \(completed)>")
    }

    @Test(arguments: [["completion"], ["completion", "tcsh"], ["completion", "bash", "zsh"]])
    func needsOneShell(_ arguments: [String]) throws {
        let outcome = try World(.noBus).run("mojoauth-credential", arguments)
        #expect(outcome.exitCode == 64 && outcome.output.isEmpty && outcome.errors.contains("bash, zsh or fish"))
    }
}
