import Foundation

/// Headless Chromium, driven through chromedriver as a person would drive it: open, type, click, read.
///
/// It resolves no name but loopback's, so nothing leaves the machine.
package final class Chromium {
    private let world: World
    private let driver: String
    private let session: String

    package struct Failure: Error, CustomStringConvertible, Sendable {
        package var description: String

        package init(description: String) {
            self.description = description
        }
    }

    /// WebDriver's name of an element reference (W3C WebDriver, section 12.1).
    private static let elementKey = "element-6066-11e4-a52e-4f735466cecf"

    package init(in world: World) throws {
        self.world = world
        let server = try world.serve(Tool.chromedriver.path(), ["--port=0"])
        let port = try server.waitForLine("chromedriver's port") {
            $0.firstMatch(of: /started successfully on port (\d+)/).map { String($0.1) }
        }
        driver = "http://127.0.0.1:\(port)"
        let arguments = [
            "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
            "--no-default-browser-check", "--disable-background-networking", "--disable-component-update",
            "--disable-sync", "--password-store=basic", "--window-size=1000,800",
            "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1 , EXCLUDE localhost",
            "--user-data-dir=\(try world.scratch.folder("chromium"))",
        ]
        // The browser dies with its driver, as the driver dies with the test.
        let binary = try world.scratch.write(
            "#!/bin/sh\nexec \(Tool.setpriv.path()) --pdeathsig KILL -- \(Tool.chromium.path()) \"$@\"\n",
            to: "chromium-with-driver", mode: 0o700)
        let options: [String: Any] = ["binary": binary, "args": arguments]
        let wanted: [String: Any] = [
            "browserName": "chrome", "goog:chromeOptions": options, "timeouts": ["implicit": 0, "pageLoad": 20000],
        ]
        let answer = try Chromium.call(
            world, "POST", "\(driver)/session", ["capabilities": ["alwaysMatch": wanted]])
        guard let id = (answer as? [String: Any])?["sessionId"] as? String else {
            throw Failure(description: "chromedriver opened no session: \(answer)")
        }
        session = "\(driver)/session/\(id)"
    }

    deinit {
        _ = try? call("DELETE", "")
    }

    package func open(_ url: String) throws { try call("POST", "/url", ["url": url]) }

    package func type(_ text: String, into selector: String) throws {
        try call("POST", "/element/\(find(selector))/value", ["text": text])
    }

    package func click(_ selector: String) throws {
        try call("POST", "/element/\(find(selector))/click", [:])
    }

    /// From the next page on, none of a page's own scripts runs.
    package func disableScripts() throws {
        try call(
            "POST", "/goog/cdp/execute", ["cmd": "Emulation.setScriptExecutionDisabled", "params": ["value": true]])
    }

    /// Light or dark, as the person's desktop would ask for it.
    package func prefer(dark: Bool) throws {
        let feature = ["name": "prefers-color-scheme", "value": dark ? "dark" : "light"]
        try call(
            "POST", "/goog/cdp/execute", ["cmd": "Emulation.setEmulatedMedia", "params": ["features": [feature]]])
    }

    /// Makes the page this large, in CSS pixels.
    package func resize(width: Int, height: Int) throws {
        let params = ["width": width, "height": height, "deviceScaleFactor": 1, "mobile": false] as [String: Any]
        try call("POST", "/goog/cdp/execute", ["cmd": "Emulation.setDeviceMetricsOverride", "params": params])
    }

    /// Signs out everywhere.
    package func forgetCookies() throws {
        try call("POST", "/goog/cdp/execute", ["cmd": "Network.clearBrowserCookies", "params": [String: String]()])
    }

    /// The text of one element, or of the page.
    package func text(_ selector: String = "body") throws -> String {
        try call("GET", "/element/\(find(selector))/text") as? String ?? ""
    }

    package func url() throws -> String { try call("GET", "/url") as? String ?? "" }

    package func title() throws -> String { try call("GET", "/title") as? String ?? "" }

    /// What a script in the page returns.
    @discardableResult
    package func evaluate(_ script: String) throws -> Any {
        try call("POST", "/execute/sync", ["script": script, "args": [String]()])
    }

    /// Waits until the page's text holds `text`.
    package func waitForText(_ text: String, seconds: Double = 15) throws {
        try retry(until: "the page shows “\(text)”", seconds: seconds) { try self.text().contains(text) ? true : nil }
    }

    /// Writes a picture of the page (PNG).
    package func screenshot(to file: String) throws {
        guard let text = try call("GET", "/screenshot") as? String, let data = Data(base64Encoded: text) else {
            throw Failure(description: "chromedriver gave no screenshot")
        }
        try data.write(to: URL(fileURLWithPath: file))
    }

    /// The element's reference, once the page has it.
    private func find(_ selector: String) throws -> String {
        try retry(until: "the page has \(selector)", seconds: 15) {
            let answer = try self.call("POST", "/elements", ["using": "css selector", "value": selector])
            return ((answer as? [[String: String]])?.first)?[Chromium.elementKey]
        }
    }

    @discardableResult
    private func retry<Answer>(until what: String, seconds: Double, _ look: () throws -> Answer?) throws -> Answer {
        let deadline = Date(timeIntervalSinceNow: seconds)
        var lastFailure: any Error = Failure(description: "")
        repeat {
            do {
                if let answer = try look() { return answer }
            } catch {
                // A page that is just being replaced makes element references stale.
                lastFailure = error
            }
        } while Date() < deadline
        let page = (try? "\(url())\n\(text())") ?? "\(lastFailure)"
        throw Failure(description: "waited \(seconds) s until \(what); the page is\n\(page)")
    }

    @discardableResult
    private func call(_ method: String, _ path: String, _ body: [String: Any]? = nil) throws -> Any {
        try Chromium.call(world, method, session + path, body)
    }

    private static func call(_ world: World, _ method: String, _ url: String, _ body: [String: Any]?) throws -> Any {
        let text = try body.map { String(decoding: try JSONSerialization.data(withJSONObject: $0), as: UTF8.self) }
        let answer = try world.http(
            method, url, headers: ["Content-Type": "application/json"], body: text, timeout: 60)
        guard let object = try JSONSerialization.jsonObject(with: Data(answer.body.utf8)) as? [String: Any],
            let value = object["value"]
        else { throw Failure(description: "chromedriver: \(answer)") }
        guard answer.status == 200 else {
            let message = (value as? [String: Any])?["message"] as? String ?? answer.body
            throw Failure(description: "chromedriver: \(message)")
        }
        return value
    }
}
