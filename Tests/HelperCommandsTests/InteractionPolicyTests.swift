import Configuration
import HelperCommands
import HelperProtocol
import Testing
import WebAddress

/// When a helper may ask a person: a browser for a login, or the keyring's prompt.
@Suite struct InteractionPolicyTests {
    struct Row: Sendable, CustomTestStringConvertible {
        var name: String
        var caller = InteractionPolicy.Caller.git
        var entry: HostEntry.Interaction?
        var variables: [String: String] = [:]
        var terminal = false
        var setting: String?
        var isAbandoned = false
        var logsIn: Bool
        var unlocks: Bool

        var testDescription: String { name }

        init(
            _ name: String, by caller: InteractionPolicy.Caller = .git, entry: HostEntry.Interaction? = nil,
            _ variables: [String: String] = [:], terminal: Bool = false, setting: String? = nil,
            abandoned: Bool = false, logsIn: Bool,
            unlocks: Bool
        ) {
            (self.name, self.caller, self.entry, self.variables) = (name, caller, entry, variables)
            isAbandoned = abandoned
            (self.terminal, self.setting, self.logsIn, self.unlocks) = (terminal, setting, logsIn, unlocks)
        }
    }

    private static let x11 = ["DISPLAY": ":0"]
    private static let wayland = ["WAYLAND_DISPLAY": "wayland-0"]
    private static let ssh = ["SSH_CONNECTION": "192.0.2.1 1 192.0.2.2 22"]

    static let rows: [Row] = [
        // Is a person there?
        Row("git on X11", x11, logsIn: true, unlocks: true),
        Row("git on Wayland", wayland, logsIn: true, unlocks: true),
        Row("git on a console", terminal: true, logsIn: true, unlocks: true),
        Row("git in a timer", logsIn: false, unlocks: true),
        Row("kubectl on X11", by: .tool(.person), x11, logsIn: true, unlocks: true),
        Row("kubectl on a console", by: .tool(.person), terminal: true, logsIn: true, unlocks: true),
        Row("kubectl in a script", by: .tool(.person), logsIn: false, unlocks: true),
        Row(
            "Cargo, entry says never", by: .tool(.person), entry: .never, x11, terminal: true, logsIn: false,
            unlocks: true),
        Row("Cargo where git asks nobody", by: .tool(.person), x11, setting: "false", logsIn: true, unlocks: true),
        Row("Cargo after an abandoned login", by: .tool(.person), x11, abandoned: true, logsIn: false, unlocks: true),
        // A keyring's prompt is shown for them as for git, but where the tool does not wait for an answer.
        Row("pip on X11", by: .tool(.program), x11, terminal: true, logsIn: false, unlocks: true),
        Row(
            "Terraform, entry says auto", by: .tool(.program), entry: .auto, x11, terminal: true, logsIn: false,
            unlocks: true),
        Row("pip over SSH", by: .tool(.program), ssh, terminal: true, logsIn: false, unlocks: false),
        Row("Go on X11", by: .tool(.silentProgram), x11, terminal: true, logsIn: false, unlocks: true),
        Row("Bazel on X11", by: .tool(.hurriedProgram), x11, terminal: true, logsIn: false, unlocks: false),
        Row(
            "Bazel, entry says auto", by: .tool(.hurriedProgram), entry: .auto, x11, terminal: true, logsIn: false,
            unlocks: false),
        Row("Bazel without a desktop", by: .tool(.hurriedProgram), terminal: true, logsIn: false, unlocks: false),
        Row("git over SSH with a terminal", ssh, terminal: true, logsIn: true, unlocks: false),
        Row("git over SSH without one", ssh, logsIn: false, unlocks: false),
        Row(
            "git over SSH, known by its terminal", ["SSH_TTY": "/dev/pts/1"], terminal: true, logsIn: true,
            unlocks: false),
        Row("git over SSH with X11 forwarded", ssh.merging(x11) { $1 }, logsIn: true, unlocks: true),
        Row("a graphical client of git", x11.merging(["GIT_TERMINAL_PROMPT": "0"]) { $1 }, logsIn: true, unlocks: true),
        Row("a script's git on a console", ["GIT_TERMINAL_PROMPT": "0"], terminal: true, logsIn: false, unlocks: true),
        Row(
            "a console's git, prompt wanted", ["GIT_TERMINAL_PROMPT": "1"], terminal: true, logsIn: true, unlocks: true),
        // Was it told not to ask?
        Row("background maintenance", x11, terminal: true, setting: "false", logsIn: false, unlocks: false),
        Row("credential.interactive=never", x11, terminal: true, setting: "never", logsIn: false, unlocks: false),
        Row("credential.interactive=no", x11, setting: "no", logsIn: false, unlocks: false),
        Row("credential.interactive=off", x11, setting: "off", logsIn: false, unlocks: false),
        Row("credential.interactive=0", x11, setting: "0", logsIn: false, unlocks: false),
        Row("credential.interactive=False", x11, setting: "False", logsIn: false, unlocks: false),
        Row("credential.interactive=true", x11, setting: "true", logsIn: true, unlocks: true),
        Row("credential.interactive=auto", x11, setting: "auto", logsIn: true, unlocks: true),
        Row("credential.interactive=always, nobody there", setting: "always", logsIn: false, unlocks: true),
        Row("credential.interactive without a value", x11, setting: "", logsIn: true, unlocks: true),
        Row("GCM_INTERACTIVE=never", x11.merging(["GCM_INTERACTIVE": "never"]) { $1 }, logsIn: false, unlocks: false),
        Row("GCM_INTERACTIVE=Never", x11.merging(["GCM_INTERACTIVE": "Never"]) { $1 }, logsIn: false, unlocks: false),
        Row("GCM_INTERACTIVE=0", x11.merging(["GCM_INTERACTIVE": "0"]) { $1 }, logsIn: false, unlocks: false),
        Row("GCM_INTERACTIVE=false", x11.merging(["GCM_INTERACTIVE": "false"]) { $1 }, logsIn: false, unlocks: false),
        Row("GCM_INTERACTIVE=auto", x11.merging(["GCM_INTERACTIVE": "auto"]) { $1 }, logsIn: true, unlocks: true),
        Row("GCM_INTERACTIVE=always", x11.merging(["GCM_INTERACTIVE": "always"]) { $1 }, logsIn: true, unlocks: true),
        // What the entry says.
        Row("git, entry never", entry: .never, x11, terminal: true, logsIn: false, unlocks: true),
        Row("git, entry auto", entry: .auto, x11, logsIn: true, unlocks: true),
        Row("git, entry auto, nobody there", entry: .auto, logsIn: false, unlocks: true),
        Row("git, entry auto, told never", entry: .auto, x11, setting: "never", logsIn: false, unlocks: false),
        // No second window for whom the first was one too many.
        Row("git, login just abandoned", x11, terminal: true, abandoned: true, logsIn: false, unlocks: true),
        Row(
            "docker, login just abandoned", by: .docker, entry: .auto, x11, abandoned: true, logsIn: false,
            unlocks: true),
        // docker asks nobody unless the entry says so; git's setting is not about it.
        Row("docker on a desktop", by: .docker, x11, terminal: true, logsIn: false, unlocks: true),
        Row("docker, entry auto", by: .docker, entry: .auto, x11, logsIn: true, unlocks: true),
        Row("docker, entry auto, on a console", by: .docker, entry: .auto, terminal: true, logsIn: true, unlocks: true),
        Row("docker, entry auto, nobody there", by: .docker, entry: .auto, logsIn: false, unlocks: true),
        Row("docker, entry never", by: .docker, entry: .never, x11, logsIn: false, unlocks: true),
        Row(
            "docker, entry auto, git told never", by: .docker, entry: .auto, x11, setting: "never", logsIn: true,
            unlocks: true),
        Row(
            "docker, GIT_TERMINAL_PROMPT=0", by: .docker, entry: .auto, ["GIT_TERMINAL_PROMPT": "0"], terminal: true,
            logsIn: true, unlocks: true),
        Row(
            "docker, GCM_INTERACTIVE=never", by: .docker, entry: .auto,
            x11.merging(["GCM_INTERACTIVE": "never"]) { $1 },
            logsIn: false, unlocks: false),
        Row("docker over SSH", by: .docker, ssh, logsIn: false, unlocks: false),
        // A person at the command line.
        Row("a person on a console", by: .person, terminal: true, logsIn: true, unlocks: true),
        Row("a person over SSH", by: .person, ssh, terminal: true, logsIn: true, unlocks: false),
        Row("a script of a person's", by: .person, logsIn: false, unlocks: true),
        Row("a person, git told never", by: .person, terminal: true, setting: "never", logsIn: true, unlocks: true),
    ]

    @Test(arguments: rows) func asks(_ row: Row) throws {
        let policy = InteractionPolicy(
            caller: row.caller, variable: { row.variables[$0] }, hasTerminal: { row.terminal },
            gitSetting: { row.setting }, isAbandoned: { _ in row.isAbandoned })
        var entry = HostEntry(
            label: "x", origin: try #require(Origin(scheme: "https", authority: "git.example.com")))
        entry.interactive = row.entry
        #expect((policy.refusesLogin(entry, try Fixtures.profile()) == nil) == row.logsIn)
        #expect(policy.allowsKeyringPrompt == row.unlocks)
    }

    /// git is another process, started only where a person would be asked.
    @Test(arguments: [
        (HostEntry.Interaction.never, InteractionPolicy.Caller.git), (.auto, .docker), (.never, .docker),
    ]) func asksGitOnlyWhereItMatters(_ interaction: HostEntry.Interaction, _ caller: InteractionPolicy.Caller) throws {
        var entry = HostEntry(
            label: "x", origin: try #require(Origin(scheme: "https", authority: "git.example.com")))
        entry.interactive = interaction
        var asked = 0
        let policy = InteractionPolicy(
            caller: caller, variable: { _ in nil }, hasTerminal: { true },
            gitSetting: {
                asked += 1
                return nil
            }, isAbandoned: { _ in false })
        _ = policy.refusesLogin(entry, try Fixtures.profile())
        #expect(asked == 0)
    }

    /// The desktop is told only where a person is, nobody sees our lines, and nobody said not to ask.
    @Test func notifies() throws {
        let x11 = ["DISPLAY": ":0"]
        let rows: [(what: String, policy: InteractionPolicy, isTold: Bool)] = [
            ("docker behind an editor", policy(.docker, x11), true),
            ("docker behind an editor, on Wayland", policy(.docker, ["WAYLAND_DISPLAY": "wayland-0"]), true),
            ("docker at a terminal", policy(.docker, x11, hasTerminal: true), false),
            ("docker of cron", policy(.docker, [:]), false),
            ("docker, told never", policy(.docker, x11.merging(["GCM_INTERACTIVE": "never"]) { $1 }), false),
            ("git, told never", policy(.git, x11, gitSetting: "false"), false),
            ("git, an entry that forbids windows", policy(.git, x11), true),
            ("after a login that was let pass", policy(.docker, x11, isAbandoned: true), false),
            ("pip behind an editor", policy(.tool(.program), x11), true),
            ("pip at a terminal", policy(.tool(.program), x11, hasTerminal: true), false),
            ("Go behind an editor", policy(.tool(.silentProgram), x11), true),
            ("Go at a terminal, which shows nothing", policy(.tool(.silentProgram), x11, hasTerminal: true), true),
            ("Go without a desktop", policy(.tool(.silentProgram), [:], hasTerminal: true), false),
            (
                "Go, which says never itself",
                policy(.tool(.silentProgram), x11.merging(["GCM_INTERACTIVE": "never"]) { $1 }, hasTerminal: true), true
            ),
            (
                "Go after a login that was let pass",
                policy(.tool(.silentProgram), x11, hasTerminal: true, isAbandoned: true), false
            ),
        ]
        for row in rows {
            #expect(row.policy.shouldNotify(try Fixtures.profile()) == row.isTold, "\(row.what)")
        }
    }

    private func policy(
        _ caller: InteractionPolicy.Caller, _ variables: [String: String], hasTerminal: Bool = false,
        gitSetting: String? = nil, isAbandoned: Bool = false
    ) -> InteractionPolicy {
        InteractionPolicy(
            caller: caller, variable: { variables[$0] }, hasTerminal: { hasTerminal }, gitSetting: { gitSetting },
            isAbandoned: { _ in isAbandoned })
    }
}
