import TestSupport

/// canaille's pages, as a person meets them.
extension Chromium {
    /// Types the name, then the password on a page of its own, each ended by Enter: half a second after the last key
    /// the page asks the server about a field and puts an empty one in its place.
    func signInToCanaille() throws {
        try type(Alice.username + Chromium.enter, into: "input[name=login]")
        try type(Alice.password + Chromium.enter, into: "input[name=password]")
    }

    /// The key, as WebDriver spells it.
    private static let enter = "\u{E007}"

    func acceptAtCanaille() throws { try click("button[name=answer][value=accept]") }

    func denyAtCanaille() throws { try click("button[name=answer][value=deny]") }
}
