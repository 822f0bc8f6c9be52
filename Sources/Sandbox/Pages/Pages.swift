import WebAddress

/// The frame of every page: one quiet design, light and dark, no script, nothing from elsewhere.
enum Pages {
    /// The sandbox's mark, also the picture of everybody who signs in.
    static let mark = """
        <svg xmlns="http://www.w3.org/2000/svg" width="40" height="40" viewBox="0 0 40 40" aria-hidden="true">\
        <rect width="40" height="40" rx="11" fill="#4338ca"/>\
        <path d="M11 28V13l9 9 9-9v15" fill="none" stroke="#fff" stroke-width="3.5" stroke-linecap="round" \
        stroke-linejoin="round"/></svg>
        """

    private static let style = """
        :root{color-scheme:light dark;--page:#f5f5f7;--card:#fff;--line:#d6d6de;--text:#1b1b22;--soft:#5c5c69;\
        --accent:#4338ca;--on-accent:#fff;--bad:#b42318}
        @media(prefers-color-scheme:dark){:root{--page:#131318;--card:#1d1d24;--line:#3a3a47;--text:#f0f0f4;\
        --soft:#a9a9b8;--accent:#8b85ff;--on-accent:#14132b;--bad:#ff8a80}}
        *{box-sizing:border-box}
        body{margin:0;min-height:100vh;display:flex;flex-direction:column;align-items:center;justify-content:center;\
        padding:1rem;background:var(--page);color:var(--text);font:1rem/1.5 system-ui,sans-serif}
        main{width:100%;max-width:25rem;padding:2rem 1.75rem;background:var(--card);border:1px solid var(--line);\
        border-radius:1rem;overflow-wrap:anywhere}
        h1{margin:1rem 0 .25rem;font-size:1.5rem;line-height:1.25}
        p{margin:.25rem 0 1rem;color:var(--soft)}
        strong{color:var(--text)}
        label{display:block;margin:1rem 0 .375rem;font-weight:600}
        input:not([type=hidden]){width:100%;padding:.7rem .8rem;font:inherit;color:inherit;background:transparent;\
        border:1px solid var(--soft);border-radius:.6rem}
        input.code{font-size:1.4rem;letter-spacing:.3em;text-align:center}
        button{width:100%;margin-top:1rem;padding:.75rem;font:inherit;font-weight:600;border-radius:.6rem;cursor:pointer;\
        color:var(--on-accent);background:var(--accent);border:1px solid var(--accent)}
        button.second{color:var(--text);background:transparent;border-color:var(--soft)}
        input:focus-visible,button:focus-visible{outline:3px solid var(--accent);outline-offset:2px}
        output{display:block;margin:.5rem 0 1rem;padding:.75rem;text-align:center;font:600 1.75rem/1.2 ui-monospace,monospace;\
        letter-spacing:.2em;border:1px dashed var(--soft);border-radius:.6rem}
        ul{margin:.75rem 0;padding:0;list-style:none;border-top:1px solid var(--line)}
        li{padding:.6rem 0;border-bottom:1px solid var(--line)}
        .remark{margin:1rem 0 0;color:var(--bad);font-weight:600}
        footer{max-width:25rem;margin-top:1rem;font-size:.875rem;text-align:center;color:var(--soft)}
        @media(max-width:24rem){main{padding:1.5rem 1.1rem}}
        """

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
        let markup = """
            <!DOCTYPE html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <title>\(HTML.escape(title)) - MojoAuth sandbox</title>
            <style>\(style)</style>
            </head>
            <body>
            <main>
            \(mark)
            <h1>\(HTML.escape(title))</h1>
            \(content)
            </main>
            <footer>This is a practice sign-in page on your own computer. Nothing leaves it.</footer>
            </body>
            </html>

            """
        var response = HTTPResponse(status: status, type: "text/html; charset=utf-8", body: Array(markup.utf8))
        let hash = Digest.base64(Digest.sha256(Array(style.utf8)))
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
        page(title, "<p>\(HTML.escape(text))</p>")
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
