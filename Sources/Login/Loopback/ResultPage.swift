import OpenIDConnect
import Program

/// A page of ours in the browser: one quiet design, nothing loaded from elsewhere, no script.
package struct ResultPage: Sendable, Equatable {
    package var status: Int
    package var title: String
    /// Paragraphs of plain text; text from outside is welcome.
    package var paragraphs: [String]

    package init(status: Int, title: String, _ paragraphs: String...) {
        self.status = status
        self.title = title
        self.paragraphs = paragraphs
    }

    private static let close = "You can close this tab."
    private static let waiting = "A sign-in that is under way here goes on."

    /// - Parameter person: name or e-mail address, when the issuer told one.
    package static func signedIn(issuer: String, person: String?) -> ResultPage {
        let who = person.map { " as \($0)" } ?? ""
        return ResultPage(status: 200, title: "Signed in", "You are signed in at \(issuer)\(who).", close)
    }

    package static func signedOut(issuer: String) -> ResultPage {
        ResultPage(status: 200, title: "Signed out", "You are signed out at \(issuer).", close)
    }

    /// - Parameter why: a full clause without a final period.
    package static func notSignedOut(_ why: String) -> ResultPage {
        ResultPage(status: 400, title: "Not signed out", "\(why).", close)
    }

    package static let denied = ResultPage(
        status: 403, title: "Not signed in", "The sign-in was cancelled or denied. Nothing was changed.", close)

    /// - Parameter why: a full clause without a final period.
    package static func failed(_ why: String) -> ResultPage {
        ResultPage(
            status: 400, title: "Sign-in failed", "\(why).",
            "Nothing was saved. The terminal where the sign-in was started tells what to do next.")
    }

    package static let timedOut = ResultPage(
        status: 408, title: "Too late", "The sign-in took longer than it may. Start it again in the terminal.")
    package static let wrongLogin = ResultPage(
        status: 400, title: "Another sign-in", "This answer does not belong to the sign-in that is waiting here.",
        "Perhaps it comes from an older tab. \(waiting)")
    package static let malformed = ResultPage(
        status: 400, title: "Not an answer", "This address carries no answer to a sign-in. \(waiting)")
    package static let expired = ResultPage(
        status: 410, title: "Used already", "This address was good for one visit. \(waiting)")
    package static let notFound = ResultPage(
        status: 404, title: "Nothing here", "Only a sign-in is waited for at this address.")
    package static let foreignHost = ResultPage(
        status: 403, title: "Another host", "This address was reached under a name that is not its own.")
    package static let foreignOrigin = ResultPage(
        status: 403, title: "Another origin", "A page of another site sent this request. \(waiting)")
    package static let notAllowed = ResultPage(
        status: 405, title: "Not allowed", "This address takes the redirect of a sign-in and nothing else.")
    package static let tooLarge = ResultPage(
        status: 413, title: "Too large", "This is larger than an answer to a sign-in can be.")

    // MARK: HTML

    var reply: ServerReply {
        var headers = [(name: "Content-Security-Policy", value: Self.policy)]
        if status == 405 { headers.append((name: "Allow", value: "GET, POST")) }
        return ServerReply(status: status, headers: headers, html: html)
    }

    package var html: String {
        let body = paragraphs.map { "<p>\(Self.escape($0))</p>" }.joined(separator: "\n")
        let title = Self.escape(title)
        return """
            <!doctype html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta name="color-scheme" content="light dark">
            <title>\(title)</title>
            <style>\(Self.style)</style>
            </head>
            <body>
            <main>
            <h1>\(title)</h1>
            \(body)
            </main>
            </body>
            </html>

            """
    }

    private static let style = """
        :root { color-scheme: light dark; --ground: #f6f6f4; --ink: #1d1d1b; --quiet: #5c5c58; --card: #fff; --line: #dcdcd6 }
        @media (prefers-color-scheme: dark) {
        :root { --ground: #1b1b1a; --ink: #ececea; --quiet: #a9a9a4; --card: #262625; --line: #3b3b39 } }
        body { margin: 0; min-height: 100vh; display: grid; place-items: center; background: var(--ground);
        color: var(--ink); font: 1rem/1.5 system-ui, sans-serif }
        main { box-sizing: border-box; width: min(30rem, calc(100vw - 2rem)); margin: 1rem; padding: 2rem;
        background: var(--card); border: 1px solid var(--line); border-radius: .75rem; overflow-wrap: anywhere }
        h1 { margin: 0 0 1rem; font-size: 1.5rem; line-height: 1.2 }
        p { margin: .5rem 0; color: var(--quiet) }
        """

    /// Allows our own style by its digest and nothing else.
    private static let policy: String = {
        let digest = Base64.encode(Ceremony.system.digest(.sha256, Array(style.utf8)))
        return "default-src 'none'; style-src 'sha256-\(digest)'; base-uri 'none'; form-action 'none'; "
            + "frame-ancestors 'none'"
    }()

    private static func escape(_ text: String) -> String {
        var out = ""
        for character in DisplayText.clean(text) {
            switch character {
            case "&": out += "&amp;"
            case "<": out += "&lt;"
            case ">": out += "&gt;"
            case "\"": out += "&quot;"
            case "'": out += "&#39;"
            default: out.append(character)
            }
        }
        return out
    }
}
