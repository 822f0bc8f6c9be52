import Options
import Program

/// Turns the systemd timer of the person's session on or off.
enum ConfigureBackgroundCommand: Command {
    struct Values {}

    static let name = "background"
    static let summary = "Renew logins ahead of their expiry, by a systemd timer"
    static let defaults = Values()
    static var wordKind: WordKind { .one(of: ["on", "off"]) }

    /// For systemd, in seconds.
    private static let patience = 20.0
    private static let timer = "mojoauth-credential-refresh.timer"

    static var table: OptionTable<Values> {
        OptionTable(
            command: "mojoauth-credential configure background", parameters: "on|off", summary: summary,
            description: """
                It never opens a prompt or a browser: when a login is needed, the desktop shows a notification.

                Examples:
                  mojoauth-credential configure background on
                  mojoauth-credential configure background off     before the package is removed
                """, rows: [])
    }

    static func run(_ values: Values, _ words: [String]) throws(Complaint) -> ExitCode {
        guard words.count == 1, words == ["on"] || words == ["off"] else {
            throw Complaint(
                "say on or off", hint: "see 'mojoauth-credential configure background --help'", exitCode: .usage)
        }
        let isOn = words == ["on"]
        let change = isOn ? "enable" : "disable"
        let words = ["--user", "--quiet", change, "--now", timer]
        let result: (status: Int32, output: [UInt8])?
        do throws(ChildProcess.SpawnFailure) {
            result = try ChildProcess(named: "systemctl", arguments: words).capture(within: patience)
        } catch {
            throw failed(error.description)
        }
        switch result?.status {
        case 0: break
        case nil: throw failed("systemctl --user \(change) \(timer) was ended after \(Int(patience)) s")
        case 127: throw failed("there is no systemctl here")
        default: throw failed("systemctl --user \(change) \(timer) ended with \(result?.status ?? -1)")
        }
        StandardStream.writeError(
            isOn
                ? "Enabled and started \(timer): logins are renewed every five minutes while you are at this desktop.\n"
                : "Stopped and disabled \(timer).\n")
        return .success
    }

    private static func failed(_ why: String) -> Complaint {
        Complaint(
            "the timer could not be changed: \(why)",
            hint:
                "is the unit there ('make install' or the package)? without systemd let the session run "
                + "'mojoauth-credential refresh --background' now and then",
            exitCode: .configuration)
    }
}
