import Foundation

/// The codes, tokens, verifiers, states, nonces and secrets that passed a sandbox, and the search for them.
package struct IssuerSecrets: Sendable {
    private let file: String

    /// For ``Sandbox``, which writes them down.
    package var options: [String] { ["--secrets", file] }

    package init(in world: World) throws {
        file = try world.scratch.folder("issuer") + "/secrets"
    }

    /// Everything that must not be seen, by name.
    package func all() throws -> [(name: String, value: String)] {
        try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n").map { line in
            let parts = line.split(separator: " ", maxSplits: 1)
            return (String(parts[0]), String(parts[1]))
        }
    }

    /// How many secrets stand where none may: in what the programs said, and in files of theirs.
    ///
    /// - Parameters:
    ///   - words: standard errors, and standard output where it is no answer to a caller.
    ///   - others: secrets that did not come from the issuer.
    package func leaks(in words: [String], of world: World, others: [String] = []) throws -> Int {
        let secrets = try all().map(\.value)
        guard !secrets.isEmpty else { throw MissingPart(description: "the issuer noted no secret in \(file)") }
        return LeakSearch.find(secrets + others, in: words + LeakSearch.files(of: world)).count
    }
}
