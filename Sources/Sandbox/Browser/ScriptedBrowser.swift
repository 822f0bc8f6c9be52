import Program
import WebAddress

/// Who sits at the scripted browser.
package struct Visitor: Sendable {
    package var email: String
    package var denies = false

    package init(email: String, denies: Bool = false) {
        self.email = email
        self.denies = denies
    }
}

/// A browser without scripts that answers the sandbox's pages by itself: follows redirects, keeps cookies, fills
/// forms, down to the client's own page. It never leaves loopback.
package struct ScriptedBrowser {
    private static let maximumSteps = 30

    private let client: LoopbackClient
    private let visitor: Visitor
    private let cookieFile: String?
    private var cookies: CookieJar

    package init(visitor: Visitor, cookieFile: String? = nil) throws(Complaint) {
        client = try LoopbackClient()
        self.visitor = visitor
        self.cookieFile = cookieFile
        cookies = if let cookieFile { try CookieJar(file: cookieFile) } else { CookieJar() }
    }

    /// Opens a URL and goes on until a page has nothing more to fill in.
    ///
    /// - Returns: the last page.
    /// - Throws: ``Complaint`` when a page is an error, when a form cannot be filled, or when nobody answers.
    package mutating func visit(_ address: String) throws(Complaint) -> WebPage {
        guard let start = WebURL(address) else {
            throw Complaint("'\(address)' is not a web address", exitCode: .usage)
        }
        var next = Step(method: "GET", url: start, form: nil)
        for _ in 0..<Self.maximumSteps {
            switch try take(next) {
            case .step(let step): next = step
            case .page(let page):
                if let cookieFile { try cookies.write(to: cookieFile) }
                return page
            }
        }
        throw Complaint("gave up after \(Self.maximumSteps) pages and redirects", exitCode: .protocolFailure)
    }

    private struct Step {
        var method: String
        var url: WebURL
        var form: FormFields?
    }

    private enum Outcome {
        case step(Step)
        case page(WebPage)
    }

    private mutating func take(_ step: Step) throws(Complaint) -> Outcome {
        let host = step.url.origin.host.name
        var headers: [(name: String, value: String)] = [("Accept", "text/html")]
        if let cookie = cookies.header(for: host) { headers.append(("Cookie", cookie)) }
        let answer = try client.send(step.method, step.url, headers: headers, form: step.form)
        for header in answer.values("Set-Cookie") { cookies.take(header, from: host) }
        let place = "\(step.url.origin)\(step.url.path)"
        if (300..<400).contains(answer.status) {
            guard let location = answer.values("Location").first, let url = Self.resolve(location, against: step.url)
            else {
                throw Complaint("\(place) redirects to nowhere", exitCode: .protocolFailure)
            }
            let keepsMethod = answer.status == 307 || answer.status == 308
            return .step(Step(method: keepsMethod ? step.method : "GET", url: url, form: keepsMethod ? step.form : nil))
        }
        let page = WebPage(url: step.url, markup: answer.text)
        guard answer.status < 400 else {
            throw Complaint(
                "\(place) answers \(answer.status)" + (page.title.map { ": \($0)" } ?? ""), exitCode: .protocolFailure)
        }
        guard let form = page.form else { return .page(page) }
        return .step(try fill(form, of: page))
    }

    private func fill(_ form: WebPage.Form, of page: WebPage) throws(Complaint) -> Step {
        guard let url = Self.resolve(form.action, against: page.url) else {
            throw Complaint("the form of '\(page.title ?? "a page")' goes nowhere", exitCode: .protocolFailure)
        }
        // The sandbox says what was wrong with the last answer: the same answer again would not help.
        if let remark = page.text(id: "remark") {
            throw Complaint("the page says: \(remark)", exitCode: .protocolFailure)
        }
        var fields = FormFields()
        for control in form.controls where control.tag == "input" {
            guard let name = control.name else { continue }
            switch control.id {
            case "email": fields.append(name, visitor.email)
            case "code": fields.append(name, page.text(id: "shown-code"))
            default: fields.append(name, control.attributes["value"] ?? "")
            }
        }
        let pressed = visitor.denies ? ["deny", "continue"] : ["allow", "continue"]
        let button = pressed.lazy.compactMap { id in form.controls.first { $0.tag == "button" && $0.id == id } }.first
        guard let button else {
            throw Complaint("'\(page.title ?? "a page")' has no button to press", exitCode: .protocolFailure)
        }
        if let name = button.name { fields.append(name, button.attributes["value"] ?? "") }
        return form.isPost
            ? Step(method: "POST", url: url, form: fields)
            : Step(method: "GET", url: url.replacing(path: url.path).adding(query: fields), form: nil)
    }

    /// An address as a page spells it: absolute, or a path of the same origin.
    private static func resolve(_ address: String, against base: WebURL) -> WebURL? {
        if address.hasPrefix("/"), !address.hasPrefix("//") { return WebURL("\(base.origin)\(address)") }
        return WebURL(address)
    }
}
