import Foundation
import TestSupport
import Testing

/// Made-up requests through docker-credential-secretservice and through ours, each with a keyring of its own.
@Suite(.serialized, .clients) struct DockerDifferentialTests {
    struct Request: Sendable, CustomStringConvertible {
        var action: String
        var input: String
        /// The server that it is about, as spelled.
        var server = ""
        var description: String { "\(action) \(input)" }
    }

    struct Step {
        var request: Request
        var past: [Request]
        var theirs: Outcome
        var ours: Outcome

        /// A server that was spelled in two ways up to here.
        var hasTwoSpellings: Bool {
            Set((past + [request]).map(\.server)).filter { !$0.isEmpty }.count > 1
        }

        /// Two usernames were stored for one server.
        var hasTwoUsers: Bool { past.contains { $0.action == "store" && $0.input.contains("eve") } }
    }

    struct Difference: Sendable {
        var reason: String
        var endsScenario = false
        var explains: @Sendable (Step) -> Bool
    }

    static let table: [Difference] = [
        Difference(reason: "an error's words: clients compare those of a miss and of missing fields alone") {
            $0.theirs.exitCode == 1 && $0.ours.exitCode == 1 && !sentinels.contains($0.theirs.text)
        },
        Difference(reason: "theirs calls the erasing of nothing an error: `docker logout` then warns") {
            $0.request.action == "erase" && $0.theirs.exitCode == 1 && $0.ours.exitCode == 0 && $0.ours.output.isEmpty
        },
        Difference(reason: "an empty secret that was kept is no miss") {
            $0.request.action == "get" && $0.theirs.text == "credentials not found in native keychain\n"
                && $0.ours.text.hasSuffix(#""Secret":""}"# + "\n")
        },
        Difference(reason: "one registry is one entry for ours, however it is spelled", endsScenario: true) {
            $0.request.action != "store" && $0.hasTwoSpellings
        },
        Difference(reason: "a registry has one account for ours, the one stored last", endsScenario: true) {
            $0.request.action != "store" && $0.hasTwoUsers
        },
    ]

    /// What clients compare as text.
    private static let sentinels: Set<String> = [
        "credentials not found in native keychain\n", "no credentials server URL\n", "no credentials username\n",
    ]

    private static func scenario(_ random: inout SeededGenerator) -> [Request] {
        let spellings = random.pick([
            ["registry.example.org"], ["registry.example.org:5000"], ["https://index.docker.io/v1/"],
            [
                "registry.example.org", "https://registry.example.org", "registry.example.org/v2/",
                "Registry.example.org",
            ],
            ["docker.io", "https://index.docker.io/v1/"],
        ])
        return (0..<random.pick([5, 6, 7, 8])).map { _ in
            let server = random.isOnce(in: 15) ? "" : random.pick(spellings)
            switch random.pick(["store", "store", "get", "get", "get", "erase", "list", "odd"]) {
            case "store":
                let user = random.isOnce(in: 12) ? "" : random.pick(["bob", "bob", "bob", "eve"])
                let secret = random.pick(["one", "two", "p w=é \\\"x\\\"", ""])
                let object = #"{"ServerURL":"\#(server)","Username":"\#(user)","Secret":"\#(secret)"}"#
                return Request(action: "store", input: object, server: server)
            case "list": return Request(action: "list", input: "unused")
            case "odd":
                return random.pick([
                    Request(action: "store", input: "not JSON"), Request(action: "store", input: "{}"),
                    Request(action: "store", input: #"{"ServerURL":7}"#), Request(action: "get", input: "  \n"),
                    Request(action: "frobnicate", input: ""),
                ])
            case let action: return Request(action: action, input: server, server: server)
            }
        }
    }

    /// A list's members have no order.
    private static func isSame(_ step: Step) -> Bool {
        guard step.theirs.exitCode == step.ours.exitCode else { return false }
        if step.theirs.output == step.ours.output { return true }
        let objects = [step.theirs, step.ours].map {
            try? JSONDecoder().decode([String: String].self, from: Data($0.output))
        }
        return objects[0] != nil && objects[0] == objects[1]
    }

    @Test func answersAreEqualOrDifferForAReason() throws {
        var random = SeededGenerator(seed: 5)
        var compared = 0
        var counts = [Int](repeating: 0, count: Self.table.count)
        let (theirs, ours) = (try World(), try World())
        for _ in 0..<50 {
            let requests = Self.scenario(&random)
            for (index, request) in requests.enumerated() {
                let step = Step(
                    request: request, past: Array(requests[..<index]),
                    theirs: try Peer.secretService.run(request.action, request.input, in: theirs),
                    ours: try ours.dockerCredential(request.action, request.input))
                compared += 1
                #expect(step.ours.errors.isEmpty, "\(request): \(step.ours)")
                if Self.isSame(step) { continue }
                guard let found = Self.table.firstIndex(where: { $0.explains(step) }) else {
                    let past = requests[...index].map(\.description).joined(separator: "\n")
                    Issue.record("no reason for a difference\n\(past)\ntheirs: \(step.theirs)\nours: \(step.ours)")
                    break
                }
                counts[found] += 1
                if Self.table[found].endsScenario { break }
            }
            for world in [theirs, ours] { try world.run(.secretTool, ["clear", "docker_cli", "1"]) }
        }
        print("\(Peer.secretService.rawValue): \(compared) pairs compared, \(compared - counts.reduce(0, +)) equal")
        for (difference, count) in zip(Self.table, counts) where count > 0 {
            print("    \(count) \(difference.reason)")
        }
    }
}
