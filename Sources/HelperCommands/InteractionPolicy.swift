import Configuration
import Glibc
import HelperProtocol
import Program
import SessionStore

/// May a person be asked: by a browser window, or by the keyring's prompt?
package struct InteractionPolicy {
    /// Which tool asks.
    package enum Caller: Sendable, Equatable {
        case git
        case docker
        case tool(RequestCaller)
        /// A person at a command line.
        case person
    }

    package let caller: Caller
    private let variable: (String) -> String?
    private let hasTerminal: () -> Bool
    private let gitSetting: () -> String?
    private let isAbandoned: (SessionKey) -> Bool

    package init(caller: Caller) {
        self.init(
            caller: caller, variable: { ProcessEnvironment[$0] }, hasTerminal: { ControllingTerminal.isThere },
            gitSetting: Self.credentialInteractive, isAbandoned: { AbandonedLogin.isRecent($0, at: Clock.now()) })
    }

    /// - Parameters:
    ///   - variable: looks a variable of the environment up; nil when it is unset or empty.
    ///   - gitSetting: git's `credential.interactive`, as it is written.
    ///   - isAbandoned: whether a login was abandoned a short while ago.
    package init(
        caller: Caller, variable: @escaping (String) -> String?, hasTerminal: @escaping () -> Bool,
        gitSetting: @escaping () -> String?, isAbandoned: @escaping (SessionKey) -> Bool
    ) {
        self.caller = caller
        self.variable = variable
        self.hasTerminal = hasTerminal
        self.gitSetting = gitSetting
        self.isAbandoned = isAbandoned
    }

    /// Why no login is opened for a host; nil when one may be.
    package func refusesLogin(_ entry: HostEntry, _ profile: Profile) -> Complaint? {
        if case .tool(let tool) = caller, tool != .person {
            return refusal("nobody is asked in the midst of this tool's work")
        }
        let asked = entry.interactive ?? (caller == .docker ? .never : .auto)
        guard asked == .auto else {
            return refusal(
                entry.interactive == nil
                    ? "docker opens none unless its entry says interactive=auto" : "interactive=never")
        }
        guard !isToldNeverToAsk else {
            return refusal("GCM_INTERACTIVE\(caller == .git ? " or git's credential.interactive" : "") says no")
        }
        guard isPersonThere else { return refusal("nobody is there: no desktop, and no terminal that may be used") }
        return isAbandoned(SessionKey(profile)) ? Self.abandoned(profile: profile.name) : nil
    }

    /// Should the person read on the desktop that a login is needed, since none was opened? Only where nobody sees our
    /// lines: behind an editor, a build or another graphical program, or behind a tool that keeps them to itself. Nothing
    /// opens but by the notification's button.
    package func shouldNotify(_ profile: Profile) -> Bool {
        guard hasDesktop, !isAbandoned(SessionKey(profile)) else { return false }
        // Go sets GCM_INTERACTIVE=never for all that it starts: it is no word of the person's.
        return caller == .tool(.silentProgram) || (!isToldNeverToAsk && !hasTerminal())
    }

    /// Why none is opened for ten minutes.
    package static func abandoned(profile: String) -> Complaint {
        let option = profile == Profile.defaultName ? "" : " --profile \(profile)"
        return Complaint(
            "a login of profile \"\(profile)\" was abandoned less than \(AbandonedLogin.pause / 60) minutes ago",
            hint: "run 'mojoauth-credential login\(option)'; no other window is opened until then",
            exitCode: .loginRequired)
    }

    /// A desktop session, or a terminal that may be used: graphical clients of git set GIT_TERMINAL_PROMPT=0.
    private var isPersonThere: Bool {
        if hasDesktop { return true }
        if caller == .git, variable("GIT_TERMINAL_PROMPT") == "0" { return false }
        return hasTerminal()
    }

    /// May the keyring open its prompt? Over SSH it would show on a screen that the person does not see; and a tool in a
    /// hurry would be gone before the person has answered.
    package var allowsKeyringPrompt: Bool {
        guard caller != .tool(.hurriedProgram), !isToldNeverToAsk else { return false }
        let isRemote = variable("SSH_CONNECTION") != nil || variable("SSH_TTY") != nil
        return hasDesktop || !isRemote
    }

    private var hasDesktop: Bool { variable("WAYLAND_DISPLAY") != nil || variable("DISPLAY") != nil }

    /// Git Credential Manager's variable, which editors and scripts set, and git's own setting, which background
    /// maintenance turns off.
    private var isToldNeverToAsk: Bool {
        let no: Set<String> = ["never", "false", "no", "off", "0"]
        if let value = variable("GCM_INTERACTIVE")?.lowercased(), no.contains(value) { return true }
        guard caller == .git, let value = gitSetting()?.lowercased() else { return false }
        return no.contains(value)
    }

    /// Without a hint: that a login is needed is said, and how to make it.
    private func refusal(_ reason: String) -> Complaint { Complaint(reason, exitCode: .loginRequired) }

    /// `git config --get credential.interactive`: git says it through its own environment as well, so git is asked.
    /// A process of its own, hence only when a person would be asked.
    private static func credentialInteractive() -> String? {
        var git = ChildProcess(named: "git", arguments: ["config", "--get", "credential.interactive"])
        git.errors = .null
        guard let (status, answer) = try? git.capture(within: 5), status == 0 else { return nil }
        return String(decoding: answer.prefix { $0 != 10 }, as: UTF8.self)
    }
}
