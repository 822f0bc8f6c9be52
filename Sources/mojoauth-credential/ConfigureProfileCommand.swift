import Configuration
import HelperCommands
import Login
import Options
import Program
import Sensitive
import SessionStore

enum ConfigureProfileCommand: Command {
    struct Values {
        var settings: [ConfigurationWriter.Setting] = []
        var redirectURIs: [String] = []
        var readsClientSecret = false
        var isOffline = false
    }

    static let name = "profile"
    static let summary = "Write a profile into the configuration file"
    static let defaults = Values()
    static let wordKind = WordKind.profile

    static var table: OptionTable<Values> {
        OptionTable(
            command: "mojoauth-credential configure profile", parameters: "[NAME]", summary: summary,
            description: """
                Options that are left out keep what the file has. An empty value removes a key. Of a new profile, issuer
                and client id are asked at the terminal when they are left out.

                With a new issuer, its metadata is fetched first: nothing is written unless it can be used.

                Examples:
                  mojoauth-credential configure profile
                  mojoauth-credential configure profile --issuer https://acme.auth.mojoauth.com --client-id 0a1b2c
                  mojoauth-credential configure profile work --browser 'firefox -P work %s'
                """,
            rows: [
                text("issuer", "URL", "The project's issuer, as its metadata spells it"),
                text("client-id", "ID", "The client id of the project's dashboard"),
                text("client-auth", "METHOD", "none (default), basic or post").choosing(
                    Profile.ClientAuthentication.allCases.map(\.rawValue)),
                OptionRow("client-secret-stdin", help: "Read the client secret from standard input into the keyring") {
                    values, _ in values.readsClientSecret = true
                },
                list("scopes", "LIST", "Scopes, separated by spaces (default: openid profile email)"),
                OptionRow("redirect-uri", value: "URI", help: "A redirect URI on loopback; may be given several times")
                {
                    values, text in values.redirectURIs.append(text)
                },
                text("browser", "COMMAND", "Browser command with %s for the URL"),
                text("ca-file", "FILE", "Certificates to trust instead of the system's"),
                OptionRow("offline", help: "Do not ask the issuer; write what is given") { values, _ in
                    values.isOffline = true
                },
                text("min-lifetime", "SECONDS", "How long a token must still live to be handed out (default 60)"),
            ])
    }

    private static func text(_ key: String, _ value: String, _ help: String) -> OptionRow<Values> {
        OptionRow(key, value: value, help: help) { values, text in
            values.settings.append(.init(key, text.isEmpty ? nil : text))
        }
    }

    private static func list(_ key: String, _ value: String, _ help: String) -> OptionRow<Values> {
        OptionRow(key, value: value, help: help) { values, text in
            let words = text.split(separator: " ").map(String.init)
            values.settings.append(.init(key, words.isEmpty ? nil : .list(words)))
        }
    }

    static func run(_ values: Values, _ words: [String]) throws(Complaint) -> ExitCode {
        guard words.count <= 1 else {
            throw Complaint(
                "one profile name at most", hint: "see 'mojoauth-credential configure profile --help'", exitCode: .usage
            )
        }
        let name = words.first ?? Profile.defaultName
        var settings = values.settings
        if !values.redirectURIs.isEmpty {
            let uris = values.redirectURIs.filter { !$0.isEmpty }
            settings.append(.init("redirect-uri", uris.isEmpty ? nil : .list(uris)))
        }
        if !values.readsClientSecret || !settings.isEmpty { settings = try ProfileInterview(name).complete(settings) }
        guard !settings.isEmpty || values.readsClientSecret else {
            throw Complaint(
                "nothing to write into profile \"\(name)\"", hint: "give at least --issuer and --client-id",
                exitCode: .usage)
        }
        if !settings.isEmpty { try write(settings, name, isOffline: values.isOffline) }
        if values.readsClientSecret { try storeClientSecret(name) }
        return .success
    }

    private static func write(
        _ settings: [ConfigurationWriter.Setting], _ name: String, isOffline: Bool
    ) throws(Complaint) {
        let namesIssuer = settings.contains { $0.key == "issuer" && $0.value != nil }
        let offers = namesIssuer && !isOffline ? try ask(settings, name) : nil
        do throws(ConfigurationError) {
            try ConfigurationWriter().set(settings, in: .profile(name))
            let configuration = try Configuration.load()
            let profile = try configuration.profile(named: name)
            report(profile, offers, file: configuration.userFile ?? "the configuration file")
        } catch {
            throw Complaint(error)
        }
    }

    /// Asks the issuer that is to be written.
    ///
    /// - Returns: what it offers, in words.
    /// - Throws: when it cannot be reached, or must not be used.
    private static func ask(
        _ settings: [ConfigurationWriter.Setting], _ name: String
    ) throws(Complaint) -> String {
        let profile: Profile
        do throws(ConfigurationError) {
            profile = try ConfigurationWriter().preview(settings, in: .profile(name)).profile(named: name)
        } catch {
            throw Complaint(error)
        }
        do throws(LoginError) {
            return try IssuerOffers(of: profile).text
        } catch {
            var complaint = Complaint(error)
            complaint.message = "nothing was written: \(complaint.message)"
            complaint.hint = [complaint.hint, "--offline writes the profile all the same"].compactMap(\.self)
                .joined(separator: "; ")
            throw complaint
        }
    }

    /// From standard input, so that it stands in no argument list and no environment.
    private static func storeClientSecret(_ name: String) throws(Complaint) {
        let desk = try Desk()
        let profile = try desk.profile(name)
        var bytes: [UInt8]
        do throws(StandardStream.Failure) {
            bytes = try StandardStream.readInput(limit: 65536)
        } catch {
            throw Complaint("cannot read the client secret: \(error.description)", exitCode: .protocolFailure)
        }
        // The line end of `echo` or of an editor is not part of it.
        if bytes.last == 10 { bytes.removeLast() }
        if bytes.last == 13 { bytes.removeLast() }
        let secret = Secret(bytes)
        guard let text = secret.text, !text.isEmpty, !text.unicodeScalars.contains(where: { $0.value < 0x20 }) else {
            throw Complaint(
                "the client secret on standard input is not one line of text",
                hint: "pipe it in, without anything else",
                exitCode: .usage)
        }
        try desk.stored { store throws(SessionStoreError) in try store.saveClientSecret(secret, SessionKey(profile)) }
        StandardStream.writeError("The client secret of profile \"\(name)\" is in the keyring.\n")
        if profile.clientAuthentication == .none {
            StandardStream.writeError("It is not used while the profile says client-auth=none: set basic or post.\n")
        }
    }

    private static func report(_ profile: Profile, _ offers: String?, file: String) {
        let uris = profile.redirectURIs.map { "  \($0)\n" }.joined()
        let option = profile.name == Profile.defaultName ? "" : " --profile \(profile.name)"
        let text = """
            Wrote profile "\(profile.name)" to \(file).
            \(offers.map { "\(profile.issuer) \($0).\n" } ?? "")\
            Register as redirect URI\(profile.redirectURIs.count == 1 ? "" : "s") of client \(profile.clientID):
            \(uris)Next: mojoauth-credential login\(option)

            """
        StandardStream.writeError(text)
    }
}
