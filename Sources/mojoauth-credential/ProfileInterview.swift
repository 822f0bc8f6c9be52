import Configuration
import HelperCommands
import Login
import Program
import Sensitive
import WebAddress

/// Asks at the terminal for what a new profile lacks.
struct ProfileInterview {
    private let name: String

    init(_ name: String) {
        self.name = name
    }

    /// Adds issuer and client id to the settings of a profile that no file has; each with a comment for its reader.
    ///
    /// - Returns: the settings as they are when the profile is there already, or when there is nobody to ask.
    func complete(
        _ settings: [ConfigurationWriter.Setting]
    ) throws(Complaint) -> [ConfigurationWriter.Setting] {
        guard !hasProfile else { return settings }
        var issuer = text("issuer", in: settings)
        var clientID = text("client-id", in: settings)
        do throws(TerminalQuestion.Failure) {
            if issuer == nil {
                issuer = try ask(
                    "Issuer (such as https://PROJECT.auth.mojoauth.com): ", "an https URL", accepting: Self.isIssuer)
            }
            // Who could not answer the first is not asked the second.
            if issuer != nil, clientID == nil { clientID = try ask("Client id: ", "one word") { !$0.contains(" ") } }
        } catch {
            if error == .noTerminal { return settings }
            throw Complaint("no answer was given; nothing was written", exitCode: .cancelled)
        }
        guard let issuer, let clientID else {
            throw Complaint(
                "profile \"\(name)\" needs an issuer and a client id; nothing was written",
                hint: "see 'mojoauth-credential configure profile --help'", exitCode: .usage)
        }
        var first = ConfigurationWriter.Setting("issuer", issuer)
        first.comment = "Where the login is made, byte for byte as the issuer's metadata spells it."
        var second = ConfigurationWriter.Setting("client-id", clientID)
        second.comment = "This program at the issuer, from its dashboard."
        return [first, second] + settings.filter { $0.key != "issuer" && $0.key != "client-id" }
    }

    /// Of a configuration that cannot be read nobody knows; whoever writes it will say why.
    private var hasProfile: Bool { (try? Configuration.load())?.hasProfile(named: name) ?? true }

    private func text(_ key: String, in settings: [ConfigurationWriter.Setting]) -> String? {
        guard case .text(let text) = settings.last(where: { $0.key == key })?.value else { return nil }
        return text
    }

    private static func isIssuer(_ text: String) -> Bool { WebURL(text)?.origin.isTrustworthy ?? false }

    /// - Returns: nil after three answers that cannot be right.
    private func ask(
        _ question: String, _ expected: String, accepting isGood: (String) -> Bool
    ) throws(TerminalQuestion.Failure) -> String? {
        for _ in 0..<3 {
            let answer = try TerminalQuestion(isSecret: false).ask(question).text ?? ""
            let words = answer.split(separator: " ").joined(separator: " ")
            if !words.isEmpty, isGood(words) { return words }
            StandardStream.writeError("That is not \(expected).\n")
        }
        return nil
    }
}
