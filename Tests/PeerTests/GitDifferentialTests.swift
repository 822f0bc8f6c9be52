import TestSupport
import Testing

/// Made-up requests through git-credential-libsecret and through ours, each with a keyring of its own: the answers are
/// equal, or the difference has a reason.
@Suite(.serialized, .clients) struct GitDifferentialTests {
    private static let scenarios = 60

    @Test(arguments: Peer.forGit) func answersAreEqualOrDifferForAReason(_ peer: Peer) throws {
        var random = SeededGenerator(seed: 4)
        var compared = 0
        var counts = [Int](repeating: 0, count: GitDifference.table.count)
        let (theirs, ours) = (try World(), try World())
        for _ in 0..<Self.scenarios {
            let requests = GeneratedRequest.scenario(&random)
            for (index, request) in requests.enumerated() {
                let theirOutcome = try peer.run(request.operation, request.input, in: theirs)
                let ourOutcome = try ours.run(
                    "git-credential-mojoauth", [request.operation], input: request.input)
                compared += 1
                let step = GitDifference.Step(
                    peer: peer, request: request, past: Array(requests[..<index]), theirs: .init(theirOutcome),
                    ours: .init(ourOutcome))
                // stderr is silent whenever the exit code says success.
                #expect(ourOutcome.exitCode != 0 || ourOutcome.errors.isEmpty, "\(request): \(ourOutcome)")
                if step.theirs == step.ours { continue }
                guard let found = GitDifference.table.firstIndex(where: { $0.explains(step) }) else {
                    Issue.record(
                        """
                        no reason for a difference
                        \(step.everything.map(\.description).joined(separator: "\n"))
                        theirs: \(theirOutcome)
                        ours: \(ourOutcome)
                        """)
                    break
                }
                counts[found] += 1
                if GitDifference.table[found].endsScenario { break }
            }
            try forget(theirs)
            try forget(ours)
        }
        #expect(compared >= 300)
        print("\(peer.rawValue): \(compared) pairs compared, \(compared - counts.reduce(0, +)) equal")
        for (difference, count) in zip(GitDifference.table, counts) where count > 0 {
            print("    \(count) \(difference.reason)")
        }
    }

    /// Empties a keyring between two scenarios.
    private func forget(_ world: World) throws {
        for scheme in ["https", "http", "smtp"] { try world.run(.secretTool, ["clear", "protocol", scheme]) }
        #expect(try world.items([:]).isEmpty)
    }
}
