import Testing

/// Prints the table once everything in the suite has run.
struct TableTrait: SuiteTrait, TestScoping {
    @TaskLocal static var table: FlowTable?

    func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        let table = FlowTable()
        defer { print("\n\(table.text)\n") }
        try await TableTrait.$table.withValue(table) { try await function() }
    }
}

extension Trait where Self == TableTrait {
    static var table: Self { Self() }
}
