import Testing
import TestSupport

/// What the hot program costs, counted where counting comes out the same on every machine. The numbers of the tree lie in
/// `Golden`; times are `make bench`'s.
@Suite(.serialized) struct CostTests {
    /// An operation as its caller runs it.
    private struct Operation {
        var name: String
        var program = "git-credential-mojoauth"
        var word: String
        var input: String
    }

    private static let foreign = "https://code.example.org"

    private static let operations: [Operation] = [
        Operation(name: "get", word: "get", input: World.gitRequest(SignedIn.host)),
        Operation(name: "docker get", program: "docker-credential-mojoauth", word: "get", input: "git.example.com"),
        Operation(name: "miss", word: "get", input: World.gitRequest("https://nobody.example.org")),
        Operation(
            name: "store", word: "store",
            input: World.gitRequest(foreign, ["username": "bob", "password": "one"])),
        Operation(
            name: "store again", word: "store",
            input: World.gitRequest(foreign, ["username": "bob", "password": "two"])),
        Operation(name: "get of another's", word: "get", input: World.gitRequest(foreign)),
        Operation(name: "erase", word: "erase", input: World.gitRequest(foreign, ["username": "bob"])),
    ]

    /// The calls that each operation makes on the session bus, by name and in their order.
    @Test(arguments: ["encrypted", "plain"]) func roundTrips(_ session: String) throws {
        let signedIn = try SignedIn()
        let world = signedIn.world
        try world.choose(busSession: session)
        let monitor = try BusMonitor(in: world, .profile)
        var text = ""
        var seen: Set<String> = []
        for operation in Self.operations {
            let outcome = try world.run(operation.program, [operation.word], input: operation.input)
            #expect(outcome.exitCode == 0 && outcome.errors.isEmpty, "\(operation.name): \(outcome)")
            let calls = try monitor.calls().filter { !seen.contains($0.sender) }
            seen.formUnion(calls.map(\.sender))
            // The mark's sender calls nobody but the bus. RemoveMatch is a goodbye that the end may overtake.
            let ours = calls.filter { call in
                call.member != "RemoveMatch"
                    && calls.contains { $0.sender == call.sender && $0.member == "SearchItems" }
            }
            text += "\(operation.name): \(ours.map(\.member).joined(separator: " "))\n"
        }
        try Golden.expect("round-trips-\(session)", text)
    }

    /// The instructions of a whole `get` but for libgcrypt's, whose number hangs on the keys of the exchange.
    @Test func instructions() throws {
        let signedIn = try SignedIn()
        let world = signedIn.world
        let profile = world.scratch.path("callgrind")
        let helper = world.scratch.path("bin/git-credential-mojoauth")
        let outcome = try world.run(
            .valgrind,
            [
                "--tool=callgrind", "--compress-strings=no", "--compress-pos=no", "--callgrind-out-file=\(profile)",
                helper, "get",
            ], input: World.gitRequest(SignedIn.host))
        #expect(outcome.exitCode == 0 && outcome.attributes["password"] != nil, "\(outcome)")
        let counts = InstructionCounts(callgrind: try world.scratch.read("callgrind"))
        let counted = counts.total - counts.of("libgcrypt")
        #expect(counts.of("libgcrypt") > 1_000_000 && counts.of("mojoauth-helper") > 100_000, "\(counts)")

        let kept = try InstructionBudget.kept()
        let toolchain = try InstructionBudget.toolchain(in: world)
        // Another toolchain brings another Swift runtime, of which this counts a part.
        let allowed = kept.instructions * (toolchain == kept.toolchain ? 105 : 120) / 100
        #expect(counted <= allowed, "\(counted) of \(allowed), with Swift \(toolchain): \(counts)")
        #expect(counted >= kept.instructions * 80 / 100, "\(counted): write the lower number down")
    }
}
