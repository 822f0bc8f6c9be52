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

    /// How many secrets stand where none may: in what the programs said, in files of theirs, and in answers beside the
    /// one that was asked for.
    ///
    /// - Parameters:
    ///   - words: standard errors, and standard output where it is no answer to a caller.
    ///   - others: secrets that did not come from the issuer.
    package func leaks(in words: [String], answers: [Answer] = [], of world: World, others: [String] = []) throws -> Int
    {
        let issued = try all()
        guard !issued.isEmpty else { throw MissingPart(description: "the issuer noted no secret in \(file)") }
        let secrets = issued.map(\.value) + others
        var leaked = Set(LeakSearch.find(secrets, in: words + LeakSearch.files(of: world)))
        for (answer, found) in zip(answers, LeakSearch.find(secrets, inEach: answers.map(\.text))) {
            let named = Set(issued.filter { answer.asked.contains($0.name) }.map(\.value)).union(answer.asked)
            guard let asked = found.first(where: { named.contains($0) }) else {
                leaked.formUnion(found)
                continue
            }
            // What is in it is a part of it: an ID token holds the nonce.
            let rest = answer.text.replacing(asked, with: "")
            leaked.formUnion(LeakSearch.find(found.filter { $0 != asked }, in: [rest]))
        }
        return leaked.count
    }
}
