import Configuration
import Testing
import WebAddress

@Suite struct ProfileTests {
    @Test func defaults() throws {
        let profile = try configuration("[profile a]\nissuer=https://acme.example/\nclient-id=x\n").profile(named: "a")
        #expect(profile.issuer == "https://acme.example/")
        #expect(profile.clientAuthentication == .none && profile.scopes == ["openid", "profile", "email"])
        #expect(profile.redirectURIs == RedirectURI.defaults && profile.redirectURIs.count == 3)
        #expect(profile.redirectURIs.allSatisfy { $0.host == "127.0.0.1" && ($0.port ?? 65535) < 32768 })
        #expect(profile.parameters.isEmpty && profile.connection == nil && profile.prompt.isEmpty)
        #expect(profile.minimumLifetime == 60 && profile.leeway == 60 && profile.maximumSession == nil)
        #expect(profile.caFile == nil && profile.pins.isEmpty && profile.browser == nil && !profile.isEphemeral)
    }

    @Test func everyKey() throws {
        let loaded = try configuration(
            """
            # mine
            [profile work]
            issuer=HTTPS://Acme.example/tenant\r
            client-id=a b
            client-auth=post
            scopes=openid; api:read ;offline_access;
            redirect-uri=http://localhost:8080/oauth2callback;http://127.0.0.1/;http://[::1]:9
            parameter-login_hint=me;you
            parameter-organization=42
            connection=google
            ui-locales=de;en
            acr-values=2
            prompt=login;consent
            max-age=0
            authorization-endpoint=https://acme.example/a?env=test
            end-session-endpoint=https://other.example/logout
            min-lifetime=0
            max-session=86400
            leeway=0
            ca-file=/etc/ssl/own.pem
            pin-sha256=47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=
            browser=firefox --new-window "%s"
            ephemeral=true
            """)
        #expect(loaded.notices.isEmpty && loaded.problems.isEmpty)
        let profile = try loaded.profile(named: "work")
        #expect(profile.issuer == "HTTPS://Acme.example/tenant" && profile.clientID == "a b")
        #expect(profile.issuerURL.description == "https://acme.example/tenant")
        #expect(profile.clientAuthentication == .post && profile.scopes == ["openid", "api:read", "offline_access"])
        #expect(profile.redirectURIs.map(\.port) == [8080, nil, 9])
        #expect(
            profile.redirectURIs.map { $0.text(port: 7) } == [
                "http://localhost:8080/oauth2callback", "http://127.0.0.1:7/", "http://[::1]:9",
            ])
        #expect(profile.parameters.encoded == "login_hint=me%3Byou&organization=42")
        #expect(profile.connection == "google" && profile.uiLocales == ["de", "en"] && profile.acrValues == ["2"])
        #expect(profile.prompt == ["login", "consent"] && profile.maxAge == 0)
        #expect(profile.endpointOverrides[.authorization]?.description == "https://acme.example/a?env=test")
        #expect(profile.endpointOverrides[.endSession]?.origin.host.name == "other.example")
        #expect(profile.minimumLifetime == 0 && profile.maximumSession == 86400 && profile.leeway == 0)
        #expect(profile.caFile == "/etc/ssl/own.pem" && profile.pins.count == 1 && profile.isEphemeral)
        #expect(profile.browser == ["firefox", "--new-window", "%s"])
        #expect(profile.file == "config" && profile.line == 2)
    }

    @Test func everyEndpointHasAKey() throws {
        let lines = EndpointName.allCases.map { "\($0.key)=http://127.0.0.1:9/\($0.rawValue)\n" }.joined()
        let loaded = try configuration("[profile a]\nissuer=http://127.0.0.1:9\nclient-id=x\n" + lines)
        #expect(try loaded.profile(named: "a").endpointOverrides.count == 7)
        #expect(loaded.notices.isEmpty)
    }

    /// RFC 6749 section 3.3: the edges of what one scope may hold.
    @Test func scopesAtTheEdgesAreTaken() throws {
        let loaded = try configuration("[profile a]\nissuer=https://a.example\nclient-id=x\nscopes=!#[]~\n")
        #expect(try loaded.profile(named: "a").scopes == ["!#[]~"])
    }

    struct BadRow: Sendable, CustomTestStringConvertible {
        let line: String
        var says = ""
        var testDescription: String { line }
    }

    @Test(arguments: [
        BadRow(line: "issuer=acme.example", says: "https URL"),
        BadRow(line: "issuer=http://acme.example", says: "loopback"),
        BadRow(line: "issuer=http://127.0.0.1.evil.example"),
        BadRow(line: "issuer=https://acme.example?env=test", says: "query"),
        BadRow(line: "issuer=https://acme.example#x", says: "fragment"),
        BadRow(line: "issuer=https://me@acme.example", says: "user"),
        BadRow(line: "issuer=", says: "empty"),
        BadRow(line: "client-id="),
        BadRow(line: "client-id=é", says: "ASCII"),
        BadRow(line: "client-auth=private_key_jwt", says: "none, basic, post"),
        BadRow(line: "client-auth=BASIC"),
        BadRow(line: "scopes=openid profile", says: "separated by ;"),
        BadRow(line: "scopes=openid;;email", says: "empty element"),
        BadRow(line: "scopes=openid;openid", says: "twice"),
        BadRow(line: "scopes="),
        BadRow(line: "scopes=a\"b"),
        BadRow(line: "scopes=a\\\\b"),
        BadRow(line: "scopes=a\u{7F}b"),
        BadRow(line: "redirect-uri=https://127.0.0.1/callback", says: "http://127.0.0.1:PORT/PATH"),
        BadRow(line: "redirect-uri=com.example.app:/oauth2callback"),
        BadRow(line: "redirect-uri=http://example.com:80/callback"),
        BadRow(line: "redirect-uri=http://127.0.0.2:8080/callback"),
        BadRow(line: "redirect-uri=http://127.0.0.1.example:8080/callback"),
        BadRow(line: "redirect-uri=http://localhostx:8080/callback"),
        BadRow(line: "redirect-uri=http://LOCALHOST:8080/callback"),
        BadRow(line: "redirect-uri=HTTP://localhost:8080/callback"),
        BadRow(line: "redirect-uri=http://127.0.0.1:08080/callback"),
        BadRow(line: "redirect-uri=http://127.0.0.1:0/callback"),
        BadRow(line: "redirect-uri=http://127.0.0.1:65536/callback"),
        BadRow(line: "redirect-uri=http://127.0.0.1:8080/callback?x=1"),
        BadRow(line: "redirect-uri=http://127.0.0.1:8080/callback#x"),
        BadRow(line: "redirect-uri=http://me@127.0.0.1:8080/callback"),
        BadRow(line: "redirect-uri=http://[::1%25lo]:8080/"),
        BadRow(line: "redirect-uri=http://127.0.0.1:1/;http://127.0.0.1:1/", says: "twice"),
        BadRow(line: "parameter-state=x", says: "protocol"),
        BadRow(line: "parameter-redirect_uri=x", says: "protocol"),
        BadRow(line: "parameter-code_challenge_method=plain", says: "protocol"),
        BadRow(line: "parameter-scope=all", says: "protocol"),
        BadRow(line: "parameter-prompt=login", says: "key of its own"),
        BadRow(line: "parameter-max_age=1", says: "max-age"),
        BadRow(line: "parameter-=x", says: "names no parameter"),
        BadRow(line: "parameter-x=", says: "empty"),
        BadRow(line: "prompt=none;login", says: "alone"),
        BadRow(line: "prompt=login consent", says: "separated by ;"),
        BadRow(line: "max-age=1h", says: "seconds"),
        BadRow(line: "token-endpoint=http://acme.example/token", says: "https URL"),
        BadRow(line: "token-endpoint=http://127.0.0.1/token", says: "when the issuer is"),
        BadRow(line: "token-endpoint=/token"),
        BadRow(line: "jwks-endpoint=https://acme.example/keys#k"),
        BadRow(line: "min-lifetime=60s", says: "seconds"),
        BadRow(line: "min-lifetime=-1"),
        BadRow(line: "min-lifetime=+60"),
        BadRow(line: "min-lifetime=6.5"),
        BadRow(line: "min-lifetime=99999999999999999999"),
        BadRow(line: "max-session=0", says: "from 1"),
        BadRow(line: "leeway=3601", says: "to 3600"),
        BadRow(line: "ca-file=own.pem", says: "absolute"),
        BadRow(line: "pin-sha256=abc", says: "44 characters"),
        BadRow(line: "pin-sha256=47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFV=", says: "44 characters"),
        BadRow(line: "pin-sha256=47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFU="),
        BadRow(line: "browser=firefox", says: "%s"),
        BadRow(line: "browser=%s"),
        BadRow(line: "browser=firefox \"%s", says: "%s"),
        BadRow(line: "ephemeral=maybe", says: "true or false"),
        BadRow(line: "ephemeral=TRUE"),
    ])
    func refuses(row: BadRow) throws {
        let key = row.line.prefix { $0 != "=" }
        var lines = ["[profile a]", "issuer=https://acme.example", "client-id=x"].filter { !$0.hasPrefix(key + "=") }
        lines.append(row.line)
        let loaded = try configuration(lines.joined(separator: "\n"))
        let error = #expect(throws: ConfigurationError.self) { try loaded.profile(named: "a") }
        #expect(error?.kind == .invalidValue && error?.line == lines.count && error?.file == "config")
        #expect(error?.text.hasPrefix("[profile a] \(key): ") == true)
        #expect(error?.text.contains(row.says) ?? false || row.says.isEmpty)
    }

    @Test(arguments: ["issuer=https://acme.example\n", "client-id=x\n", ""])
    func wantsIssuerAndClient(line: String) throws {
        let loaded = try configuration("\n[profile a]\n" + line)
        let error = #expect(throws: ConfigurationError.self) { try loaded.profile(named: "a") }
        #expect(error?.kind == .missingKey && error?.line == 2)
    }
}
