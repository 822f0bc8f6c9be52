/// What both sides of git's protocol can do beyond names and passwords (git 2.46).
package struct GitCapabilities: OptionSet, Sendable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// `authtype`, `credential`, `ephemeral`.
    package static let authtype = GitCapabilities(rawValue: 1)
    /// `state[]`, `continue`.
    package static let state = GitCapabilities(rawValue: 2)
}
