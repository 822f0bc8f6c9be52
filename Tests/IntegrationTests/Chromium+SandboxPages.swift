import TestSupport

extension Chromium {
    /// Goes through the sandbox's pages as a person does: address, the code that the page shows, consent.
    func signIn(email: String) throws {
        try type(email, into: "#email")
        try click("#continue")
        try type(text("#shown-code"), into: "#code")
        try click("#continue")
        try click("#allow")
    }
}
