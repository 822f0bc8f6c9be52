import Markup
import OpenIDConnect
import Program

/// A page of ours in the browser: how a sign-in ended, or why a request is not taken.
package struct ResultPage: Sendable, Equatable {
    package var status: Int
    package var title: String
    /// Paragraphs of plain text; text from outside is welcome, here and below.
    package var paragraphs: [String]
    var mark = Page.Mark.unclear
    var person: Person?
    /// What is so, by name: above the paragraphs.
    var facts: [Fact] = []

    struct Person: Sendable, Equatable {
        var name: String
        var detail: String?
    }

    struct Fact: Sendable, Equatable {
        var name: String
        var text: String
    }

    package init(status: Int, title: String, _ paragraphs: String...) {
        self.status = status
        self.title = title
        self.paragraphs = paragraphs
    }

    private func marked(_ mark: Page.Mark, person: Person? = nil, facts: [Fact] = []) -> ResultPage {
        var page = self
        page.mark = mark
        page.person = person
        page.facts = facts
        return page
    }

    private static let close = "You can close this tab."
    private static let waiting = "A sign-in that is under way here goes on."

    /// - Parameters:
    ///   - person: name or e-mail address, when the issuer told one.
    ///   - detail: the address beside a name.
    ///   - profile: whose login this is.
    package static func signedIn(
        issuer: String, person: String?, detail: String? = nil, profile: String? = nil
    ) -> ResultPage {
        var facts = [Fact(name: "Signed in at", text: issuer)]
        if let profile { facts.append(Fact(name: "Profile", text: profile)) }
        return ResultPage(status: 200, title: "Signed in", "The terminal goes on by itself. \(close)").marked(
            .done, person: person.map { Person(name: $0, detail: detail == $0 ? nil : detail) }, facts: facts)
    }

    package static func signedOut(issuer: String) -> ResultPage {
        ResultPage(status: 200, title: "Signed out", "You are signed out at \(issuer).", close).marked(.done)
    }

    /// - Parameter why: a full clause without a final period.
    package static func notSignedOut(_ why: String) -> ResultPage {
        ResultPage(status: 400, title: "Not signed out", close).marked(
            .failed, facts: [Fact(name: "What happened", text: why)])
    }

    package static let denied = ResultPage(
        status: 403, title: "Not signed in", "The sign-in was cancelled or denied. Nothing was changed.",
        "To try again, start it once more in the terminal. \(close)"
    ).marked(.stopped)

    /// - Parameters:
    ///   - why: what was tried, on what, and why it failed, as the terminal says it.
    ///   - hint: what to do next.
    package static func failed(_ why: String, hint: String? = nil) -> ResultPage {
        var facts = [Fact(name: "What happened", text: why)]
        if let hint { facts.append(Fact(name: "What to do", text: hint)) }
        return ResultPage(
            status: 400, title: "Sign-in failed", "Nothing was saved. The terminal says the same. \(close)"
        ).marked(.failed, facts: facts)
    }

    package static let timedOut = ResultPage(
        status: 408, title: "Too late", "The sign-in took longer than it may. Start it again in the terminal."
    ).marked(.failed)
    package static let wrongLogin = ResultPage(
        status: 400, title: "Another sign-in", "This answer does not belong to the sign-in that is waiting here.",
        "Perhaps it comes from an older tab. \(waiting)")
    package static let malformed = ResultPage(
        status: 400, title: "Not an answer", "This address carries no answer to a sign-in. \(waiting)")
    package static let expired = ResultPage(
        status: 410, title: "Used already", "This address was good for one visit. \(waiting)",
        "If that was not you, start the sign-in again in the terminal.")
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
        var parts: [String] = []
        if let person { parts.append(HTML.person(person.name, detail: person.detail)) }
        if !facts.isEmpty { parts.append(HTML.facts(facts.map { ($0.name, $0.text) })) }
        parts += paragraphs.map(HTML.paragraph)
        return Page(
            title: title, site: "mojoauth-credential", mark: mark, content: parts.joined(separator: "\n"),
            footer: "A page of mojoauth-credential on your own computer."
        ).html
    }

    /// Allows our own style by its digest and nothing else.
    private static let policy: String = {
        let digest = Base64.encode(Ceremony.system.digest(.sha256, Array(Page.style.utf8)))
        return "default-src 'none'; style-src 'sha256-\(digest)'; base-uri 'none'; form-action 'none'; "
            + "frame-ancestors 'none'"
    }()
}
