import Foundation
import Synchronization

/// Reads argument lists and environments of a world's processes from /proc for as long as it lives.
final class ProcessWatch: Sendable {
    /// A process at the moment it was looked at.
    struct Sighting: Sendable, Hashable {
        /// Its arguments, and in lines of their own its environment.
        var text: String
        /// The arguments of the process that had started it, unless that was gone.
        var parent: String
    }

    private let mark: String
    private let seen = Mutex<Set<Sighting>>([])
    private let isOver = Mutex(false)
    private let ended = DispatchSemaphore(value: 0)

    /// - Parameter mark: what stands in the environment of every process of that world: the path of its scratch folder.
    init(_ mark: String) {
        self.mark = mark
        Thread.detachNewThread { [self] in
            // Those that are there already are looked at once: the fewer there are, the shorter may one live and be seen.
            let processes = Self.processes()
            look(at: processes)
            while !isOver.withLock({ $0 }) { look(at: Self.processes().subtracting(processes)) }
            ended.signal()
        }
    }

    /// Ends the watch.
    ///
    /// - Returns: each different process.
    func end() -> [Sighting] {
        isOver.withLock { $0 = true }
        ended.wait()
        return seen.withLock { Array($0) }
    }

    private static func processes() -> Set<String> {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        return Set(names.filter { $0.utf8.first.map { (0x30...0x39).contains($0) } ?? false })
    }

    private func look(at processes: Set<String>) {
        for process in processes {
            // Of a process that hides from debuggers only root reads the environment; its arguments everybody does. The
            // environment is read first: at its start a process has that last, and so is never seen with it under no
            // arguments or its parent's. One that has ended since has none, and nobody can say what it was.
            let environment = words(process, "environ")
            let arguments = words(process, "cmdline")
            let text = arguments + "\n" + environment
            guard !arguments.isEmpty, text.contains(mark) else { continue }
            // The name, which may hold anything, stands in parentheses; behind it come the state and the parent.
            let fields = words(process, "stat").split(separator: ")").last?.split(separator: " ") ?? []
            let parent = fields.count > 1 ? words(String(fields[1]), "cmdline") : ""
            _ = seen.withLock { $0.insert(Sighting(text: text, parent: parent)) }
        }
    }

    /// A file of a process, with blanks for NUL; empty once it is gone.
    private func words(_ process: String, _ name: String) -> String {
        FileManager.default.contents(atPath: "/proc/\(process)/\(name)").map {
            String(decoding: $0.map { $0 == 0 ? 0x20 : $0 }, as: UTF8.self)
        } ?? ""
    }
}
