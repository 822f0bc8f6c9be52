import Foundation
import Synchronization

/// Reads argument lists and environments of a world's processes from /proc for as long as it lives.
final class ProcessWatch: Sendable {
    private let mark: String
    private let seen = Mutex<Set<String>>([])
    private let isOver = Mutex(false)
    private let ended = DispatchSemaphore(value: 0)

    /// - Parameter mark: what stands in the environment of every process of that world: the path of its scratch folder.
    init(_ mark: String) {
        self.mark = mark
        Thread.detachNewThread { [self] in
            while !isOver.withLock({ $0 }) { look() }
            ended.signal()
        }
    }

    /// Ends the watch.
    ///
    /// - Returns: a text for each different process.
    func end() -> [String] {
        isOver.withLock { $0 = true }
        ended.wait()
        return seen.withLock { Array($0) }
    }

    private func look() {
        let processes = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        for process in processes where process.allSatisfy(\.isNumber) {
            // Of a process that hides from debuggers only root reads the environment; its arguments everybody does.
            let parts = ["cmdline", "environ"].map { name in
                FileManager.default.contents(atPath: "/proc/\(process)/\(name)").map {
                    String(decoding: $0.map { $0 == 0 ? 0x20 : $0 }, as: UTF8.self)
                } ?? ""
            }
            let text = parts.joined(separator: "\n")
            guard text.contains(mark) else { continue }
            _ = seen.withLock { $0.insert(text) }
        }
    }
}
