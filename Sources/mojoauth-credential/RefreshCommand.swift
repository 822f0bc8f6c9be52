import Configuration
import HelperCommands
import JSON
import Login
import OpenIDConnect
import Options
import Program
import Sensitive
import SessionStore

enum RefreshCommand: Command {
    struct Values: ProfileOption, JSONOption {
        var profile: String?
        var isJSON = false
        var need = SessionRefresh.Need.always
        var isIfStale = false
        var isIfAgeing = false
        var handover: Int32?
        var target = TokenTarget.standard
        var isOfIDToken = false
        var isBackground = false
    }

    static let name = "refresh"
    static let summary = "Renew the login's token now"
    static let defaults = Values()

    static var table: OptionTable<Values> {
        OptionTable(
            command: "mojoauth-credential refresh", summary: summary,
            description: """
                Examples:
                  mojoauth-credential refresh
                  mojoauth-credential refresh --if-stale 600     before a long job
                """,
            rows: [
                .profile, .json,
                OptionRow(
                    "if-stale", value: "SECONDS",
                    help: "Only if the token lives for no more than SECONDS (or half its life, if that is less)"
                ) {
                    (values, text) throws(OptionFault) in
                    values.need = .stale(minimumLifetime: try OptionRow<Values>.seconds(text))
                    values.isIfStale = true
                },
                OptionRow("if-ageing", help: "Only in the last fifth of the token's life") { values, _ in
                    values.need = .ageing
                    values.isIfAgeing = true
                },
                OptionRow("audience", value: "NAME", help: "The token of hosts that name this audience") {
                    values, text in
                    values.target.audience = text
                },
                OptionRow("resource", value: "URI", help: "The token of hosts that name this resource") {
                    values, text in
                    values.target.resource = text
                },
                OptionRow("background", help: "Every login that is due, asking nobody (for the timer)") { values, _ in
                    values.isBackground = true
                },
                OptionRow("id-token", help: "The ID token, for hosts with token=id") { values, _ in
                    values.isOfIDToken = true
                },
                OptionRow(
                    "handover", value: "FD", help: "Write the state to this inherited descriptor (for the helpers)"
                ) {
                    (values, text) throws(OptionFault) in
                    guard let number = Int32(text), (3...1023).contains(number) else {
                        throw OptionFault("\"\(text)\" is not a descriptor from 3 to 1023")
                    }
                    values.handover = number
                },
            ])
    }

    static func run(_ values: Values, _ words: [String]) throws(Complaint) -> ExitCode {
        try noWords(words)
        try checkCombination(values)
        if values.isBackground {
            guard values.profile == nil, values.need == .always, values.target == .standard, !values.isOfIDToken,
                !values.isJSON, values.handover == nil
            else {
                throw Complaint(
                    "--background goes with no other option", hint: "see 'mojoauth-credential refresh --help'",
                    exitCode: .usage)
            }
            return try BackgroundRefresh.run()
        }
        let desk = try Desk()
        let profile = try desk.profile(values.profile)
        let target = values.isOfIDToken ? TokenTarget.idToken : values.target
        let outcome = try ProcessRenewal().refresh(profile: profile.name, target: target, values.need)
        if let handover = values.handover {
            let state = AuthStateCoding.encode(outcome.state).withBytes { Array($0) }
            // A caller that has given up no longer reads; the state is saved all the same.
            try? StandardStream.write(state, descriptor: handover)
        }
        if let unsaved = outcome.unsaved { ProcessRenewal.warn(unsaved) }
        if values.isJSON {
            try print(
                StatusReport(profile: profile, state: outcome.state, hosts: desk.hosts(of: profile), now: Clock.now())
                    .json())
        } else if values.handover == nil, let token = outcome.state.token(for: target) {
            try print("token of profile \"\(profile.name)\" good until \(Moment(token.expiresAt).local)\n")
        }
        return outcome.unsaved == nil ? .success : .keyringUnavailable
    }

    private static func checkCombination(_ values: Values) throws(Complaint) {
        var faults: [String] = []
        if values.isIfStale, values.isIfAgeing { faults.append("--if-stale and --if-ageing") }
        if values.isOfIDToken, values.target != .standard { faults.append("--id-token and --audience or --resource") }
        guard let fault = faults.first else { return }
        throw Complaint(
            "\(fault) exclude each other", hint: "see 'mojoauth-credential refresh --help'", exitCode: .usage)
    }
}
