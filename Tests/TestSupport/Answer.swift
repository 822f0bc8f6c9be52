/// What a program answered to a caller: it holds the one secret that was asked for, and no other.
package struct Answer: Sendable {
    package var text: String
    /// What may stand in it, one of them: a name among the issuer's secrets, such as `access_token`, or a secret that
    /// came from elsewhere.
    package var asked: Set<String>

    package init(_ text: String, asked: Set<String>) {
        (self.text, self.asked) = (text, asked)
    }
}
