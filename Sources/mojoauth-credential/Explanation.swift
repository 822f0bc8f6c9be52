import Configuration
import HelperCommands
import JSON
import Keyring
import Program
import SessionStore
import WebAddress

/// Why a URL would or would not get a token, rule by rule. No secret is read, nothing is unlocked, nobody is asked.
struct Explanation {
    struct Rule {
        enum Result: String {
            case holds
            case fails
            /// Decides nothing.
            case note
        }

        var name: String
        var result: Result
        var text: String
    }

    enum Verdict: String {
        case token
        case loginRequired = "login-required"
        case keyringUnavailable = "keyring-unavailable"
        case refused

        var exitCode: ExitCode {
            switch self {
            case .token: .success
            case .loginRequired: .loginRequired
            case .keyringUnavailable: .keyringUnavailable
            case .refused: .configuration
            }
        }
    }

    let url: WebURL
    private let configuration: Configuration
    private let find: (SessionKey, SessionKey.Kind) throws(KeyringError) -> [Item]
    private let policies: [(caller: String, policy: InteractionPolicy)]
    private(set) var rules: [Rule] = []
    private(set) var verdict = Verdict.token
    private var sentence = ""

    /// - Parameters:
    ///   - find: the items under a key, locked or not; it must unlock none.
    ///   - policies: who else may be asked to log in, now.
    init(
        _ url: WebURL, configuration: Configuration, policies: [(caller: String, policy: InteractionPolicy)],
        find: @escaping (SessionKey, SessionKey.Kind) throws(KeyringError) -> [Item]
    ) {
        self.url = url
        self.configuration = configuration
        self.policies = policies
        self.find = find
        explainAddress()
        let entry = explainEntry()
        explainUser(entry)
        if let entry, let profile = explainProfile(entry) { explainToken(entry, profile) }
        conclude(entry)
    }

    private mutating func explainToken(_ entry: HostEntry, _ profile: Profile) {
        add("token", .note, Self.token(entry))
        for (caller, policy) in policies {
            let refusal = policy.refusesLogin(entry, profile)
            add(caller, .note, refusal.map { "opens no login now: \($0.message)" } ?? "may open a login now")
        }
        explainLogin(profile)
    }

    private mutating func add(_ name: String, _ result: Rule.Result, _ text: String) {
        rules.append(Rule(name: name, result: result, text: text))
    }

    // MARK: The rules

    private mutating func explainAddress() {
        let origin = url.origin
        let hasMore = !["", "/"].contains(url.path) || url.query != nil || url.fragment != nil
        add("url", .holds, "asked for as \(origin)" + (hasMore ? "; what stands behind the host plays no part" : ""))
        switch (origin.scheme, origin.host.isLoopback) {
        case ("https", _): add("scheme", .holds, "https")
        case (_, true): add("scheme", .holds, "http, on loopback: good if its entry says allow-insecure=true")
        default: add("scheme", .fails, "no token goes over http beyond loopback")
        }
        let labels = origin.host.name.split(separator: ".")
        let form = labels.contains { $0.hasPrefix("xn--") } ? ": the ASCII form of other letters" : ""
        add("host", .holds, "\(origin.host.urlSpelling), compared whole\(form)")
        let isDefault = Origin.defaultPort(of: origin.scheme) == origin.port
        add("port", .holds, "\(origin.port)" + (isDefault ? ", the default of \(origin.scheme)" : ""))
    }

    private mutating func explainEntry() -> HostEntry? {
        do throws(ConfigurationError) {
            if let entry = try configuration.hostEntry(for: url.origin) {
                add("entry", .holds, "\(Self.place(entry)) names \(entry.origin)")
                return entry
            }
            add("entry", .fails, "no host entry names \(url.origin)")
        } catch {
            add("entry", .fails, error.description)
        }
        let nearby = configuration.hosts.compactMap { NearbyEntry($0, for: url) }
        for near in nearby.prefix(3) {
            add("near", .note, "\(Self.place(near.entry)) names \(near.entry.origin): \(near.difference)")
        }
        let text =
            switch configuration.defaults.foreign {
            case .keep: "foreign=keep: a host without an entry gets what was stored for it by its own tools, no token"
            case .ignore: "foreign=ignore: a host without an entry gets nothing at all"
            }
        add("foreign", .note, text)
        return nil
    }

    private static func place(_ entry: HostEntry) -> String {
        "[host \(entry.label)] (\(entry.file), line \(entry.line))"
    }

    /// git hands the user's name in the URL on; docker knows none.
    private mutating func explainUser(_ entry: HostEntry?) {
        guard let info = url.userInfo, !info.isEmpty else {
            return add("username", .holds, "none in the URL")
        }
        let halves = Array(info.utf8).split(
            separator: UInt8(ascii: ":"), maxSplits: 1, omittingEmptySubsequences: false)
        guard let bytes = FormFields.percentDecode(Array(halves.first ?? [])),
            let name = String(validating: bytes, as: UTF8.self),
            !name.unicodeScalars.contains(where: { $0.value < 0x20 || $0.value == 0x7F })
        else {
            return add("username", .fails, "the user's name in the URL is none that git would send")
        }
        guard halves.count == 1 else {
            return add("username", .fails, "the URL brings a password: git sends that one, and asks no helper")
        }
        guard let entry else { return add("username", .note, "\"\(name)\" in the URL") }
        guard name.isEmpty || name == entry.username else {
            return add(
                "username", .fails,
                "git asks for the user \"\(name)\", and the entry serves \"\(entry.username)\" alone")
        }
        add("username", .holds, "\"\(name)\", as the entry has it")
    }

    private mutating func explainProfile(_ entry: HostEntry) -> Profile? {
        let profile: Profile
        do throws(ConfigurationError) {
            profile = try configuration.profile(named: entry.profileName)
        } catch {
            add("profile", .fails, error.description)
            return nil
        }
        add("profile", .holds, "\"\(profile.name)\": client \(profile.clientID) of \(profile.issuer)")
        return profile
    }

    private static func token(_ entry: HostEntry) -> String {
        let kind =
            switch (entry.tokenKind, entry.audience, entry.resource) {
            case (.id, _, _): "the ID token"
            case (_, let audience?, _): "an access token for the audience \"\(audience)\""
            case (_, _, let resource?): "an access token for the resource \"\(resource)\""
            default: "the login's access token"
            }
        return "\(kind), as Bearer or as the password of \"\(entry.username)\""
    }

    private mutating func explainLogin(_ profile: Profile) {
        let key = SessionKey(profile)
        do throws(KeyringError) {
            if profile.clientAuthentication != .none, try find(key, .clientSecret).isEmpty {
                add(
                    "secret", .fails,
                    "client-auth=\(profile.clientAuthentication.rawValue), and no client secret is in the keyring")
            }
            let items = try find(key, .authState)
            guard !items.isEmpty else {
                verdict = .loginRequired
                return add("login", .fails, "none is stored")
            }
            let isLocked = items.allSatisfy(\.isLocked)
            add("login", .holds, isLocked ? "one is stored, and the keyring is locked" : "one is stored")
        } catch {
            verdict = .keyringUnavailable
            add("login", .fails, error.description)
        }
    }

    // MARK: The verdict

    /// What the configuration forbids counts before what a login would mend.
    private mutating func conclude(_ entry: HostEntry?) {
        if let failed = rules.first(where: { $0.result == .fails && $0.name != "login" }) {
            verdict = .refused
            sentence = "\(url.origin) gets no token: \(failed.text)"
            return
        }
        let profile = entry?.profileName ?? Profile.defaultName
        let option = profile == Profile.defaultName ? "" : " --profile \(profile)"
        sentence =
            switch verdict {
            case .loginRequired: "\(url.origin) would get a token after 'mojoauth-credential login\(option)'"
            case .keyringUnavailable: "\(url.origin) would get a token if the keyring could be reached"
            case .token, .refused: "\(url.origin) gets a token of profile \"\(profile)\""
            }
    }

    var text: String {
        let width = rules.map(\.name.count).max() ?? 0
        let marks: [Rule.Result: String] = [.holds: "yes", .fails: "NO ", .note: " - "]
        let lines = rules.map { rule in
            let padding = String(repeating: " ", count: width - rule.name.count)
            return "\(marks[rule.result] ?? "")  \(rule.name)\(padding)  \(DisplayText.clean(rule.text))\n"
        }
        return lines.joined() + "verdict: \(DisplayText.clean(sentence))\n"
    }

    func json() throws(Complaint) -> String {
        var object = JSONObject()
        object["origin"] = .string(url.origin.description)
        object["verdict"] = .string(verdict.rawValue)
        object["text"] = .string(sentence)
        object["rules"] = .array(
            rules.map { rule in
                ["rule": .string(rule.name), "result": .string(rule.result.rawValue), "text": .string(rule.text)]
            })
        return try Report.text(.object(object))
    }
}
