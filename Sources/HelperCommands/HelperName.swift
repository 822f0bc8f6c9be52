/// What the hot program calls itself while it speaks one protocol.
package struct HelperName: Sendable {
    static let own = "mojoauth-helper"

    let word: String
    let link: String?

    /// What its messages begin with: its link, but for one that bears the name of somebody else's program.
    package var program: String { ownLink ?? Self.own }

    /// How it is run, for a usage line.
    package var invocation: String { ownLink ?? "\(Self.own) \(word)" }

    private var ownLink: String? { link.flatMap { $0.hasSuffix("-mojoauth") ? $0 : nil } }
}
