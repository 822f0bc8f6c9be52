import TestSupport

/// canaille's pages, as a person meets them.
extension Chromium {
    /// Types the name, then the password on a page of its own.
    func signInToCanaille() throws {
        try type(Alice.username, into: "input[name=login]")
        try click("button[name=answer]")
        try type(Alice.password, into: "input[name=password]")
        try click("form button[type=submit]")
    }

    func acceptAtCanaille() throws { try click("button[name=answer][value=accept]") }

    func denyAtCanaille() throws { try click("button[name=answer][value=deny]") }
}
