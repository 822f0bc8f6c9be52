import Markup
import WebAddress

/// The pages a person walks through. The `id` of every field and button is part of the sandbox's interface: scripted
/// browsers use `#email`, `#code`, `#shown-code`, `#user-code`, `#continue`, `#back`, `#allow` and `#deny`.
extension Pages {
    /// The page for where a flow stands.
    static func page(of flow: LoginFlow, action: String) -> HTTPResponse {
        var targets: [String] = []
        var client = Issuer.clientName
        switch flow.purpose {
        case .authorization(let request): targets = [origin(of: request.redirectURI)]
        case .device: client = "a device"
        }
        let start = """
            <form method="post" action="\(HTML.escape(action))">
            \(HTML.hidden("form", flow.formToken))\(HTML.hidden("step", flow.step.rawValue))
            """
        let remark = Self.remark(flow.remark)
        return switch flow.step {
        case .identify:
            page("Sign in", identify(flow, client: client, start: start, remark: remark), targets: targets)
        case .verify: page("Check your inbox", verify(flow, start: start, remark: remark), targets: targets)
        case .consent: page("Allow access?", consent(flow, client: client, start: start), targets: targets)
        }
    }

    private static func identify(_ flow: LoginFlow, client: String, start: String, remark: String) -> String {
        """
        <p>to continue to <strong>\(HTML.escape(client))</strong></p>
        \(start)
        <label for="email">E-mail address</label>
        <input type="email" id="email" name="email" value="\(HTML.escape(flow.typedEmail))" autocomplete="username" \
        required autofocus\(described(flow.remark))>
        \(remark)
        <button type="submit" id="continue">Continue</button>
        </form>
        """
    }

    private static func verify(_ flow: LoginFlow, start: String, remark: String) -> String {
        """
        <p>A code would be on its way to <strong>\(HTML.escape(flow.person?.email ?? ""))</strong>. \
        No mail leaves this sandbox, so here it is:</p>
        <output id="shown-code">\(HTML.escape(flow.code))</output>
        \(start)
        <label for="code">6-digit code</label>
        <input type="text" class="code" id="code" name="code" inputmode="numeric" pattern="[0-9]{6}" maxlength="6" \
        autocomplete="one-time-code" required autofocus\(described(flow.remark))>
        \(remark)
        <button type="submit" id="continue" name="decision" value="verify">Sign in</button>
        <button type="submit" id="back" name="decision" value="back" class="second" formnovalidate>\
        Use another address</button>
        </form>
        """
    }

    private static func consent(_ flow: LoginFlow, client: String, start: String) -> String {
        let items = flow.scopes.map { scope in
            "<li><strong>\(HTML.escape(scope))</strong> &ndash; \(HTML.escape(meaning(of: scope)))</li>"
        }
        return """
            <p><strong id="client">\(HTML.escape(client))</strong> asks to act for</p>
            \(flow.person.map { HTML.person($0.name, detail: $0.email) } ?? "")
            <p>It would get:</p>
            <ul id="scopes">
            \(items.joined(separator: "\n"))
            </ul>
            \(start)
            <button type="submit" id="allow" name="decision" value="allow">Allow</button>
            <button type="submit" id="deny" name="decision" value="deny" class="second">Deny</button>
            </form>
            """
    }

    /// What was wrong with the last answer, said aloud at once.
    private static func remark(_ text: String?) -> String {
        text.map { #"<p class="remark" id="remark" role="alert">\#(HTML.escape($0))</p>"# } ?? ""
    }

    /// Ties the field to the remark for those who hear the page.
    private static func described(_ remark: String?) -> String {
        remark == nil ? "" : #" aria-invalid="true" aria-describedby="remark""#
    }

    private static func meaning(of scope: String) -> String {
        switch scope {
        case "openid": "who you are"
        case "profile": "your name and picture"
        case "email": "your e-mail address"
        case "offline_access": "access that lasts while you are away"
        default: "something of its own"
        }
    }

    /// Where a device's code is typed.
    static func device(remark: String?) -> HTTPResponse {
        page(
            "Connect a device",
            """
            <p>Type the code that your device shows.</p>
            <form method="get" action="/device">
            <label for="user-code">Code on the device</label>
            <input type="text" class="code" id="user-code" name="user_code" autocomplete="off" autocapitalize="characters" \
            maxlength="9" required autofocus\(described(remark))>
            \(Self.remark(remark))
            <button type="submit" id="continue">Continue</button>
            </form>
            """)
    }

    /// The authorization response as a form (OAuth 2.0 Form Post Response Mode). Without a script somebody has to
    /// press the button.
    static func formPost(_ answer: AuthorizationAnswer) -> HTTPResponse {
        let fields = answer.fields.fields.map { HTML.hidden($0.name, $0.value) }.joined()
        return page(
            "One more step",
            """
            <p>You are done here. Go back to <strong>\(HTML.escape(Issuer.clientName))</strong>.</p>
            <form method="post" action="\(HTML.escape(answer.redirectURI))">
            \(fields)
            <button type="submit" id="continue" autofocus>Continue</button>
            </form>
            """, targets: [origin(of: answer.redirectURI)])
    }

    /// Asks before signing out somebody whom nobody vouched for.
    static func confirmLogout(_ fields: FormFields, action: String) -> HTTPResponse {
        let hidden = fields.fields.filter { $0.name != "confirmed" }.map { HTML.hidden($0.name, $0.value) }.joined()
        return page(
            "Sign out?",
            """
            <p>\(HTML.escape(Issuer.clientName)) asks to sign you out at this browser.</p>
            <form method="post" action="\(HTML.escape(action))">
            \(hidden)\(HTML.hidden("confirmed", "yes"))
            <button type="submit" id="continue">Sign out</button>
            </form>
            """, targets: fields["post_logout_redirect_uri"].map { [origin(of: $0)] } ?? [])
    }
}
