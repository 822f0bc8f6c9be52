import Configuration
import HelperCommands
import JSON
import Keyring
import Login
import OpenIDConnect
import Options
import Program
import SessionStore
import WebAddress

enum LoginCommand: Command {
    struct Values: ProfileOption, JSONOption {
        var profile: String?
        var isJSON = false
        var options = LoginFlow.Options()
        var port: Int?
        var usesDevice = false
        var isSilent = false
        var isEphemeral = false
        var isForHelper = false
        var notifies = false
    }

    static let name = "login"
    static let summary = "Sign in with the browser"
    static let defaults = Values()

    static var table: OptionTable<Values> {
        OptionTable(
            command: "mojoauth-credential login", summary: summary,
            description: """
                Examples:
                  mojoauth-credential login
                  mojoauth-credential login --no-browser       over SSH: open the printed address elsewhere,
                                                               and paste here the one that it ends at
                  mojoauth-credential login --device           type a code on the phone instead
                  mojoauth-credential login --silent           in a script: exit code 77 if a person is needed
                """,
            rows: [
                .profile, .json,
                OptionRow("no-browser", help: "Print the address instead of opening a browser") { values, _ in
                    values.options.opensBrowser = false
                },
                OptionRow("device", help: "Show a code to enter on another device (RFC 8628)") { values, _ in
                    values.usesDevice = true
                },
                OptionRow(
                    "timeout", value: "SECONDS",
                    help: "How long to wait (default 180, 30 with --silent, with --device as long as the code lives)"
                ) {
                    (values, text) throws(OptionFault) in
                    values.options.deadline = try OptionRow<Values>.seconds(text, in: 1...3600)
                },
                OptionRow("port", value: "PORT", help: "Listen on this port alone (for ssh -L)") {
                    (values, text) throws(OptionFault) in
                    guard let port = Int(text), (1...65535).contains(port) else {
                        throw OptionFault("\"\(text)\" is not a port")
                    }
                    values.port = port
                },
                OptionRow("silent", help: "Only if the issuer needs to ask nothing (prompt=none)") { values, _ in
                    values.isSilent = true
                },
                OptionRow(
                    "ephemeral", help: "Keep the login in the keyring's memory: it ends with the keyring's process"
                ) {
                    values, _ in
                    values.isEphemeral = true
                },
                OptionRow(
                    "for-helper", help: "Not if a login was abandoned in the last ten minutes (for the helpers)"
                ) { values, _ in
                    values.isForHelper = true
                },
                OptionRow("notify", help: "Ask by a notification on the desktop first (for the helpers)") { values, _ in
                    values.notifies = true
                },
                OptionRow("param", value: "NAME=VALUE", help: "An extra parameter for the issuer; may be repeated") {
                    (values, text) throws(OptionFault) in
                    guard let equals = text.utf8.firstIndex(of: UInt8(ascii: "=")), equals > text.startIndex else {
                        throw OptionFault("\"\(text)\" is not of the form NAME=VALUE")
                    }
                    let name = String(text[..<equals])
                    guard !AuthorizationRequest.protocolParameters.contains(name) else {
                        throw OptionFault("\"\(name)\" is a parameter of the protocol and cannot be set")
                    }
                    values.options.parameters.set(name, String(text[text.utf8.index(after: equals)...]))
                },
                parameter("connection", "NAME", "Sign in through this identity provider (google, apple, ...)"),
                parameter("ui-locales", "LIST", "Languages of the login page, best first"),
                parameter("acr-values", "LIST", "Authentication contexts, one of which the login must have"),
                OptionRow("prompt", value: "WORDS", help: "login, consent, select_account or none") {
                    (values, text) throws(OptionFault) in
                    // OpenID Connect Core section 3.1.2.1; some issuers know "create" as well (Prompt Create 1.0).
                    let known: Set<String> = ["login", "consent", "select_account", "none", "create"]
                    let words = text.split(separator: " ").map(String.init)
                    guard !words.isEmpty, words.allSatisfy(known.contains), !words.contains("none") || words.count == 1
                    else { throw OptionFault("\"\(text)\" is not login, consent or select_account, nor none alone") }
                    values.options.parameters.set("prompt", words.joined(separator: " "))
                },
                parameter("login-hint", "TEXT", "The address or number to sign in with"),
                OptionRow("max-age", value: "SECONDS", help: "Refuse a sign-in at the issuer that is older") {
                    (values, text) throws(OptionFault) in
                    values.options.parameters.set("max_age", String(try OptionRow<Values>.seconds(text)))
                },
            ])
    }

    private static func parameter(_ option: String, _ value: String, _ help: String) -> OptionRow<Values> {
        let name = String(option.map { $0 == "-" ? "_" : $0 })
        return OptionRow(option, value: value, help: help) { values, text in values.options.parameters.set(name, text) }
    }

    static func run(_ values: Values, _ words: [String]) throws(Complaint) -> ExitCode {
        try noWords(words)
        try checkCombination(values)
        let desk = try Desk()
        let profile = try desk.profile(values.profile)
        if values.notifies { return try LoginRequest(profiles: [profile], occasion: .helperRefused).make() }
        let state = try logIn(profile.name, values)
        if values.isJSON {
            try print(
                StatusReport(profile: profile, state: state, hosts: desk.hosts(of: profile), now: Clock.now()).json())
        } else {
            try print(
                "signed in as \(DisplayText.clean(state.person ?? state.subject ?? "unknown")) (profile \"\(profile.name)\")\n"
            )
        }
        return .success
    }

    private static func checkCombination(_ values: Values) throws(Complaint) {
        var faults: [String] = []
        if values.usesDevice, !values.options.opensBrowser { faults.append("--device and --no-browser") }
        if values.usesDevice, values.port != nil { faults.append("--device and --port") }
        if values.usesDevice, values.isSilent { faults.append("--device and --silent") }
        if values.isSilent, values.options.parameters["prompt"] != nil { faults.append("--silent and --prompt") }
        guard let fault = faults.first else { return }
        throw Complaint(
            "\(fault) exclude each other", hint: "see 'mojoauth-credential login --help'", exitCode: .usage)
    }

    /// Seconds for an issuer that has nothing to ask.
    private static let silentDeadline = 30

    /// Another login of the same profile may be waiting for its person: it is waited for, and its result is ours.
    private static let patience = 240.0

    /// Signs in and stores the login; the one that was there stays until the new one is complete.
    static func logIn(_ name: String, _ values: Values) throws(Complaint) -> AuthState {
        let desk = try Desk()
        let profile = try desk.profile(name)
        let key = SessionKey(profile)
        let collection = profile.isEphemeral || values.isEphemeral ? Collection.session : .default
        // Before the person is sent to the browser: is there a place for the login?
        try prepare(desk, key, collection)
        let start = Clock.now()
        let lock = try acquireLock(key, desk)
        defer { withExtendedLifetime(lock) {} }
        if lock.hasWaited, let made = madeMeanwhile(desk.store, key, since: start) { return made }
        if values.isForHelper {
            // A helper found no login that is good; one that is there now came from another helper's window.
            if let state = (try? desk.store.find(key)) ?? nil, isGood(state, profile) { return state }
            // And when that window was closed, nine more would be no better.
            if AbandonedLogin.isRecent(key, at: Clock.now()) { throw InteractionPolicy.abandoned(profile: name) }
        }

        let issuer = try Issuer(profile, desk: desk)
        var options = values.options
        options.redirectURIs = try values.port.map { (port) throws(Complaint) in try redirectURIs(profile, port: port) }
        if values.isSilent { options.parameters.set("prompt", "none") }
        let prompt = options.parameters["prompt"] ?? profile.prompt.joined(separator: " ")
        if prompt == "none" {
            options.deadline = options.deadline ?? silentDeadline
            // Nobody looks at whose browser it is: a login of Alice's does not become one of Bob's unseen.
            let standing = (try? desk.store.find(key)) ?? nil
            options.subject = standing?.subject
            options.idTokenHint = standing?.storedIDToken
        }
        let display = ProgressDisplay(loop: issuer.http.loop)
        // Before anything else is said, an error too.
        defer { display.end() }
        let announce: (LoginProgress) -> Void = { display.show($0) }
        func keep(_ state: AuthState) throws(Complaint) {
            try save(state, key, collection, desk)
            AbandonedLogin.forget(key)
        }
        do throws(LoginError) {
            if values.usesDevice {
                return try DeviceFlow(
                    profile: profile, client: issuer.client, http: issuer.http, announce: announce
                ).run(options, save: keep)
            }
            return try LoginFlow(
                profile: profile, client: issuer.client, http: issuer.http, browser: .current(profile: profile.browser),
                terminal: TerminalLines.ofProcess, announce: announce
            ).run(options, save: keep)
        } catch {
            if error.isAbandonment, !values.isSilent { AbandonedLogin.record(key, at: Clock.now()) }
            throw Complaint(error).naming(profile: name)
        }
    }

    private static func acquireLock(_ key: SessionKey, _ desk: Desk) throws(Complaint) -> SessionLock {
        do throws(SessionStoreError) {
            return try SessionLock.acquire(key, .login, within: 0)
        } catch {
            guard case .lockTimedOut = error else { throw Complaint(error) }
        }
        StandardStream.writeError("another login of profile \"\(key.profile)\" is under way: waiting for it\n")
        do throws(SessionStoreError) {
            return try SessionLock.acquire(key, .login, within: patience)
        } catch {
            guard case .lockTimedOut = error else { throw Complaint(error) }
            throw Complaint(
                "another login of profile \"\(key.profile)\" has been under way for \(Int(patience)) s",
                hint: "finish or end that one, then try again", exitCode: .temporary)
        }
    }

    private static func prepare(_ desk: Desk, _ key: SessionKey, _ collection: Collection) throws(Complaint) {
        do throws(KeyringError) {
            try desk.store.client.prepareToStore(in: collection)
        } catch {
            throw Complaint(error)
        }
        try desk.stored { store throws(SessionStoreError) in try store.checkReplaceable(key) }
    }

    /// A login that another process completed while we waited for its lock.
    private static func madeMeanwhile(
        _ store: SessionStore, _ key: SessionKey, since start: NumericDate
    ) -> AuthState? {
        guard let state = (try? store.find(key)) ?? nil, state.isAuthorized, state.loggedInAt >= start else {
            return nil
        }
        return state
    }

    private static func isGood(_ state: AuthState, _ profile: Profile) -> Bool {
        state.isAuthorized && state.isUsable(at: Clock.now())
            && !state.exceedsSession(profile.maximumSession, at: Clock.now())
    }

    /// The refresh lock keeps a refresh of the old login from being written over the new one.
    private static func save(
        _ state: AuthState, _ key: SessionKey, _ collection: Collection, _ desk: Desk
    ) throws(Complaint) {
        try desk.stored { store throws(SessionStoreError) in
            let lock = try SessionLock.acquire(key, .refresh, within: 30)
            defer { withExtendedLifetime(lock) {} }
            if try store.save(state, key, in: collection, moves: true) {
                StandardStream.writeError(
                    "the login that was there is damaged and was kept aside: 'mojoauth-credential list' shows it, "
                        + "'mojoauth-credential logout --profile \(key.profile) --force' removes it with the login\n")
            }
        }
    }

    private static func redirectURIs(_ profile: Profile, port: Int) throws(Complaint) -> [RedirectURI] {
        let first = profile.redirectURIs.first
        guard let uri = RedirectURI("http://\(first?.host ?? "127.0.0.1"):\(port)\(first?.path ?? "/callback")") else {
            throw Complaint("port \(port) makes no redirect URI", exitCode: .usage)
        }
        return [uri]
    }
}
