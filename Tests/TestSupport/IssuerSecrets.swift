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

    /// The names of the secrets that stand where none may, each with the beginning of the text it stands in: what the
    /// programs said, files of theirs, and answers beside the secret that was asked for.
    ///
    /// - Parameters:
    ///   - words: standard errors, and standard output where it is no answer to a caller.
    ///   - others: secrets that did not come from the issuer.
    package func leaks(in words: [String], answers: [Answer] = [], of world: World, others: [String] = []) throws
        -> [String]
    {
        let issued = try all()
        guard !issued.isEmpty else { throw MissingPart(description: "the issuer noted no secret in \(file)") }
        let secrets = issued.map(\.value) + others
        let texts = words + LeakSearch.files(of: world)
        var leaks: [String: String] = [:]
        for secret in LeakSearch.find(secrets, in: texts) {
            leaks[secret] = texts.first { !LeakSearch.find([secret], in: [$0]).isEmpty } ?? "between two texts"
        }
        for (answer, found) in zip(answers, LeakSearch.find(secrets, inEach: answers.map(\.text))) {
            let named = Set(issued.filter { answer.asked.contains($0.name) }.map(\.value)).union(answer.asked)
            guard let asked = found.first(where: { named.contains($0) }) else {
                for secret in found { leaks[secret] = "an answer to \(answer.asked)" }
                continue
            }
            // What is in it is a part of it: an ID token holds the nonce.
            let rest = answer.text.replacing(asked, with: "")
            for secret in LeakSearch.find(found.filter { $0 != asked }, in: [rest]) {
                leaks[secret] = "an answer to \(answer.asked)"
            }
        }
        return leaks.map { secret, place in
            let name = issued.first { $0.value == secret }?.name ?? "another's secret"
            // A log is no place for it either.
            return "\(name) in: \(place.replacing(secret, with: "…").prefix(200))"
        }
    }
}
