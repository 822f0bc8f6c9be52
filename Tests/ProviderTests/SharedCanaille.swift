import Testing

/// One canaille for all tests of a suite: it takes seconds to start.
struct SharedCanaille: SuiteTrait, TestScoping {
    @TaskLocal static var current: Result<Canaille, any Error>?

    func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        try await SharedCanaille.$current.withValue(Result { try Canaille() }) { try await function() }
    }
}

extension Trait where Self == SharedCanaille {
    static var canaille: Self { Self() }
}
