import CGLib
import WebAddress

extension Profile {
    init(name: String, _ group: GroupReader) throws(ConfigurationError) {
        let issuer = try group.required(try group.string("issuer"), "issuer")
        let clientID = try group.required(try group.string("client-id"), "client-id")
        guard let issuerURL = WebURL(issuer), issuerURL.origin.isTrustworthy, issuerURL.query == nil,
            issuerURL.fragment == nil, issuerURL.userInfo == nil
        else {
            throw group.error(
                "issuer", expected: "an https URL (or http on loopback) without query, fragment and user", found: issuer
            )
        }
        // RFC 6749 appendix A.1.
        guard clientID.utf8.allSatisfy({ (0x20...0x7E).contains($0) }) else {
            throw group.error("client-id", expected: "printable ASCII characters", found: clientID)
        }
        self.init(name: name, issuer: issuer, issuerURL: issuerURL, clientID: clientID)
        (file, line) = group.place
        clientAuthentication = try group.choice("client-auth") ?? clientAuthentication
        try readRequest(group)
        try readEndpoints(group)
        try readTrust(group)
        minimumLifetime = try group.seconds("min-lifetime", in: 0...Self.longest) ?? minimumLifetime
        maximumSession = try group.seconds("max-session", in: 1...Self.longest)
        leeway = try group.seconds("leeway", in: 0...3600) ?? leeway
        isEphemeral = try group.flag("ephemeral") ?? isEphemeral
    }

    /// Ten years, in seconds: more is a slip of the pen.
    private static var longest: Int { 315_360_000 }

    private mutating func readRequest(_ group: GroupReader) throws(ConfigurationError) {
        if let scopes = try group.list("scopes") {
            // RFC 6749 section 3.3.
            for scope in scopes
            where !scope.utf8.allSatisfy({ $0 == 0x21 || (0x23...0x5B).contains($0) || (0x5D...0x7E).contains($0) }) {
                throw group.error("scopes", expected: "scopes separated by ;", found: scope)
            }
            self.scopes = scopes
        }
        if let texts = try group.list("redirect-uri") {
            redirectURIs = []
            for text in texts {
                guard let uri = RedirectURI(text) else {
                    throw group.error(
                        "redirect-uri",
                        expected: "http://127.0.0.1:PORT/PATH (or [::1], localhost, or without a port)", found: text)
                }
                redirectURIs.append(uri)
            }
        }
        connection = try group.string("connection")
        uiLocales = try Self.words("ui-locales", group)
        acrValues = try Self.words("acr-values", group)
        prompt = try Self.words("prompt", group)
        // OpenID Connect Core section 3.1.2.1.
        if prompt.contains("none"), prompt.count > 1 {
            throw group.error("prompt", expected: "none to stand alone", found: prompt.joined(separator: ";"))
        }
        maxAge = try group.seconds("max-age", in: 0...Self.longest)
        for key in group.keys where key.hasPrefix(Self.parameterPrefix) {
            let name = String(key.dropFirst(Self.parameterPrefix.count))
            if Self.protocolParameters.contains(name) {
                throw group.error(key, "\(quote(name)) belongs to the protocol and cannot be set")
            }
            if let own = Self.parametersWithKeys[name] {
                throw group.error(key, "has a key of its own: \(own)")
            }
            guard !name.isEmpty, let value = try group.string(key) else {
                throw group.error(key, "names no parameter")
            }
            parameters.append(name, value)
        }
    }

    /// A `;` list of words that the request joins by spaces.
    private static func words(_ key: String, _ group: GroupReader) throws(ConfigurationError) -> [String] {
        let words = try group.list(key) ?? []
        for word in words where word.utf8.contains(0x20) {
            throw group.error(key, expected: "words separated by ;", found: word)
        }
        return words
    }

    private mutating func readEndpoints(_ group: GroupReader) throws(ConfigurationError) {
        for name in EndpointName.allCases {
            guard let text = try group.string(name.key) else { continue }
            // http only beside an issuer that is on loopback itself.
            guard let url = WebURL(text), url.fragment == nil, url.userInfo == nil,
                url.origin.scheme == "https" || (url.origin.isTrustworthy && issuerURL.origin.host.isLoopback)
            else {
                throw group.error(
                    name.key,
                    expected: "an https URL (or http on loopback when the issuer is) without fragment and user",
                    found: text)
            }
            endpointOverrides[name] = url
        }
    }

    private mutating func readTrust(_ group: GroupReader) throws(ConfigurationError) {
        if let path = try group.string("ca-file") {
            guard path.hasPrefix("/") else { throw group.error("ca-file", expected: "an absolute path", found: path) }
            caFile = path
        }
        if let pins = try group.list("pin-sha256") {
            for pin in pins where !Self.isPin(pin) {
                throw group.error("pin-sha256", expected: "the base64 form of a SHA-256 (44 characters)", found: pin)
            }
            self.pins = pins
        }
        if let command = try group.string("browser") {
            guard let words = Self.shellWords(command),
                words.dropFirst().contains(where: { $0.utf8.place(of: "%s".utf8) != nil })
            else {
                throw group.error("browser", expected: "a command with %s where the URL goes", found: command)
            }
            browser = words
        }
    }

    /// 32 bytes in base64: 43 characters, the last of which carries two zero bits, and one `=`.
    private static func isPin(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        guard bytes.count == 44, bytes[43] == UInt8(ascii: "="), "AEIMQUYcgkosw048".utf8.contains(bytes[42]) else {
            return false
        }
        return bytes.dropLast().allSatisfy {
            switch $0 {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "+"), UInt8(ascii: "/"): true
            default: false
            }
        }
    }

    private static func shellWords(_ command: String) -> [String]? {
        var count: gint = 0
        var words: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
        guard g_shell_parse_argv(command, &count, &words, nil) != 0, let words else { return nil }
        defer { g_strfreev(words) }
        return (0..<Int(count)).compactMap { index in words[index].map { String(cString: $0) } }
    }

    // MARK: Names

    static let parameterPrefix = "parameter-"

    static let keys: Set<String> = Set(EndpointName.allCases.map(\.key)).union([
        "issuer", "client-id", "client-auth", "scopes", "redirect-uri", "connection", "ui-locales", "acr-values",
        "prompt",
        "max-age", "min-lifetime", "max-session", "leeway", "ca-file", "pin-sha256", "browser", "ephemeral",
    ])

    /// What only the login itself may send (RFC 6749, RFC 7636, RFC 9101, OpenID Connect Core).
    package static let protocolParameters: Set<String> = [
        "response_type", "response_mode", "client_id", "client_secret", "client_assertion", "client_assertion_type",
        "redirect_uri", "scope", "state", "nonce", "code_challenge", "code_challenge_method", "code_verifier", "code",
        "grant_type", "refresh_token", "request", "request_uri", "registration", "id_token_hint", "iss",
        "error", "dpop_jkt",
    ]

    private static let parametersWithKeys = [
        "connection": "connection", "ui_locales": "ui-locales", "acr_values": "acr-values", "prompt": "prompt",
        "max_age": "max-age",
    ]
}
