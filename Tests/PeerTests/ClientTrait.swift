import Synchronization
import TestSupport
import Testing

/// Notes which clients the tests of a suite ran and what came of it, and prints a line for each at the suite's end.
struct ClientTrait: SuiteTrait, TestTrait, TestScoping {
    var isRecursive: Bool { true }

    func scopeProvider(for test: Test, testCase: Test.Case?) -> Self? {
        test.isSuite || testCase != nil ? self : nil
    }

    func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        let suite = String(test.sourceLocation.fileName.prefix { $0 != "." })
        guard testCase != nil else {
            defer { ClientList.shared.finish(suite) }
            return try await function()
        }
        let programs = ProgramLog()
        let hasFailed = FailureNote()
        defer { ClientList.shared.add(programs.paths, suite, hasFailed: hasFailed.isSet) }
        let watch = IssueHandlingTrait.compactMapIssues { issue in
            hasFailed.set()
            return issue
        }
        do {
            try await ProgramLog.$current.withValue(programs) {
                try await watch.provideScope(for: test, testCase: testCase, performing: function)
            }
        } catch {
            hasFailed.set()
            throw error
        }
    }

    private final class FailureNote: Sendable {
        private let flag = Mutex(false)

        var isSet: Bool { flag.withLock { $0 } }

        func set() { flag.withLock { $0 = true } }
    }
}

extension Trait where Self == ClientTrait {
    static var clients: Self { Self() }
}
