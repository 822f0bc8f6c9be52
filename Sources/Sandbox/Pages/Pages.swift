import Markup
import WebAddress

/// The pages of the sandbox, in the frame that all pages of ours have.
enum Pages {
    /// A whole page.
    ///
    /// - Parameters:
    ///   - title: of the page and of its heading.
    ///   - content: markup, escaped already.
    ///   - status: of the answer.
    ///   - targets: origins besides our own where a form of the page may end up: browsers hold redirects after a
    ///     form against `form-action` too.
    /// - Returns: the answer with its security headers.
    static func page(_ title: String, _ content: String, status: Int = 200, targets: [String] = []) -> HTTPResponse {
        let page = Page(
            title: title, site: "MojoAuth sandbox", mark: .house, content: content,
            footer: "This is a practice sign-in page on your own computer. Nothing leaves it.")
        var response = HTTPResponse(status: status, type: "text/html; charset=utf-8", body: Array(page.html.utf8))
        let hash = Digest.base64(Digest.sha256(Array(Page.style.utf8)))
        let actions = (["'self'"] + targets).joined(separator: " ")
        response.set(
            "Content-Security-Policy",
            "default-src 'none'; style-src 'sha256-\(hash)'; form-action \(actions); frame-ancestors 'none'; base-uri 'none'"
        )
        response.set("Referrer-Policy", "no-referrer")
        response.set("X-Frame-Options", "DENY")
        return response
    }

    /// A page that asks for nothing.
    static func notice(_ title: String, _ text: String) -> HTTPResponse {
        page(title, HTML.paragraph(text))
    }

    /// A page that says what went wrong.
    static func problem(_ title: String, _ text: String, status: Int) -> HTTPResponse {
        page(title, #"<p role="alert">\#(HTML.escape(text))</p>"#, status: status)
    }

    static func welcome(issuer: String) -> HTTPResponse {
        page(
            "An OpenID provider to practise with",
            "<p>Its issuer is <strong>\(HTML.escape(issuer))</strong> and its one client "
                + "<strong>\(HTML.escape(Issuer.clientID))</strong>.</p>")
    }

    /// The origin of a redirect URI, as a policy names it.
    static func origin(of uri: String) -> String {
        if let url = WebURL(uri) { return url.origin.description }
        return uri.prefix { $0 != ":" } + ":"
    }
}
