import Synchronization

/// The programs that a ``World`` starts while a test runs, by their paths.
package final class ProgramLog: Sendable {
    /// That of the test that is running; nil where nobody wants to know.
    @TaskLocal package static var current: ProgramLog?

    private let started = Mutex<Set<String>>([])

    package init() {}

    package var paths: Set<String> { started.withLock { $0 } }

    func add(_ path: String) { started.withLock { _ = $0.insert(path) } }
}
