/// Configuration of our programs, written as a person writes it.
extension World {
    /// The path of our configuration file.
    package var configurationFile: String { scratch.path("home/.config/mojoauth-credential/config") }

    /// Writes the whole file.
    package func writeConfiguration(_ text: String) throws {
        try scratch.folder("home/.config/mojoauth-credential")
        try scratch.write(text, to: "home/.config/mojoauth-credential/config")
    }

    /// Writes a profile `default` for this issuer, with any free port for the redirect and a browser of the test's, and
    /// a host entry for each origin.
    package func configure(
        issuer: String, clientID: String, profile: [String: String] = [:], hosts: [String: [String: String]] = [:],
        browser: BrowserStub? = nil
    ) throws {
        var keys = ["issuer": issuer, "client-id": clientID, "redirect-uri": "http://127.0.0.1/callback"]
        keys["browser"] = try browser?.command ?? followingBrowser()
        keys.merge(profile) { $1 }
        var text = group("profile default", keys)
        for (number, host) in hosts.sorted(by: { $0.key < $1.key }).enumerated() {
            text += group("host host\(number)", ["url": host.key, "allow-insecure": "true"].merging(host.value) { $1 })
        }
        try writeConfiguration(text)
    }

    package func configure(
        _ sandbox: Sandbox, profile: [String: String] = [:], hosts: [String: [String: String]] = [:],
        browser: BrowserStub? = nil
    ) throws {
        try configure(
            issuer: sandbox.issuer, clientID: sandbox.clientID, profile: profile, hosts: hosts, browser: browser)
    }

    /// A browser that goes where it is sent and touches nothing: enough for `mojoauth-sandbox serve --auto`.
    ///
    /// - Returns: the command for a profile's key `browser`, or for `BROWSER`. What the last page says lands in `browser-page`.
    package func followingBrowser() throws -> String {
        let script = try scratch.write(
            """
            #!/bin/sh
            exec \(Tool.curl.path()) --silent --location --noproxy '*' --cookie-jar \(scratch.path("browser-cookies")) \\
              --output \(scratch.path("browser-page")) "$1"

            """, to: "following-browser", mode: 0o700)
        return "\(script) %s"
    }

    private func group(_ name: String, _ keys: [String: String]) -> String {
        "[\(name)]\n" + keys.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)\n" }.joined() + "\n"
    }
}
