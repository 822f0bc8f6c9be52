import TestSupport

/// glewlwyd's pages, as a person meets them.
extension Chromium {
    /// Types name and password.
    func signInToGlewlwyd() throws {
        try type(Alice.username, into: "#username")
        try type(Alice.password, into: "#password")
        try click("#loginbut")
    }

    /// Grants what the client asks for, box by box: `openid` cannot be left out, the rest is not ticked beforehand.
    func grantAtGlewlwyd(_ scopes: [String]) throws {
        for scope in scopes { try click("#grant-\(scope)") }
        if !scopes.isEmpty { try click("button.btn-primary") }
        try click("button[title^=Continue]")
    }

    /// Types the code that the device shows.
    func typeDeviceCodeAtGlewlwyd(_ code: String) throws {
        try type(code, into: "input[maxlength='9']")
        try click("button.btn-primary")
    }

    /// Says yes to the question whether the session shall end.
    func endSessionAtGlewlwyd() throws {
        // A click before the client's name has come breaks the page.
        try waitForText("MojoAuth CLI wishes")
        try click("button.btn-danger:not(.dropdown-toggle)")
    }
}
