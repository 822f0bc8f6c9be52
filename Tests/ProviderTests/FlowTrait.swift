import Program
import Synchronization
import Testing
import TestSupport

/// Makes a test a row of the table.
struct FlowTrait: TestTrait, TestScoping {
    let provider: String
    let flow: String
    let verdict: String

    /// What the test notes while it runs.
    final class Note: Sendable {
        fileprivate let seconds = Mutex<Double?>(nil)
        fileprivate let hasFailed = Mutex(false)
    }

    @TaskLocal static var note: Note?

    func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        let note = Note()
        let began = Clock.monotonic()
        defer {
            let seconds = note.seconds.withLock { $0 } ?? (Clock.monotonic() - began)
            let hasFailed = note.hasFailed.withLock { $0 }
            TableTrait.table?.add(
                .init(provider: provider, flow: flow, seconds: seconds, verdict: hasFailed ? "FAILED" : verdict))
        }
        let watch = IssueHandlingTrait.compactMapIssues { issue in
            note.hasFailed.withLock { $0 = true }
            return issue
        }
        do {
            try await FlowTrait.$note.withValue(note) {
                try await watch.provideScope(for: test, testCase: testCase, performing: function)
            }
        } catch {
            note.hasFailed.withLock { $0 = true }
            throw error
        }
    }
}

extension Trait where Self == FlowTrait {
    /// - Parameter verdict: what the test shows when it passes.
    static func flow(_ provider: any Provider.Type, _ flow: String, _ verdict: String) -> Self {
        FlowTrait(provider: provider.name, flow: flow, verdict: verdict)
    }
}

extension Outcome {
    /// Makes this command's time the one in the table: the rest of the test is preparation.
    func timed() -> Outcome {
        FlowTrait.note?.seconds.withLock { $0 = seconds }
        return self
    }
}
