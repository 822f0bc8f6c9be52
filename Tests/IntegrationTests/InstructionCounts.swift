import Foundation
import TestSupport

/// What callgrind counted, by object file.
struct InstructionCounts: CustomStringConvertible {
    /// By the last part of the file's path.
    private var counts: [String: Int] = [:]

    /// - Parameter text: a file of callgrind's without compressed names and positions.
    init(callgrind text: String) {
        var object = ""
        var isOfCall = false
        for line in text.split(separator: "\n") {
            if line.hasPrefix("ob=") {
                object = line.split(separator: "/").last.map(String.init) ?? ""
            } else if line.hasPrefix("calls=") {
                isOfCall = true
            } else if line.first?.isNumber == true {
                // The line behind calls= is what the called function took, which is counted there.
                if !isOfCall { counts[object, default: 0] += line.split(separator: " ").last.flatMap { Int($0) } ?? 0 }
                isOfCall = false
            }
        }
    }

    var total: Int { counts.values.reduce(0, +) }

    /// Of all objects whose names begin so.
    func of(_ prefix: String) -> Int { counts.filter { $0.key.hasPrefix(prefix) }.values.reduce(0, +) }

    var description: String {
        counts.sorted { $0.value > $1.value }.prefix(10).map { "\($0.key) \($0.value)" }.joined(separator: ", ")
    }
}

/// The number of the tree.
struct InstructionBudget {
    var instructions: Int
    var toolchain: String

    static func kept() throws -> InstructionBudget {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        let file = folder.appending(path: "Golden/instructions.txt")
        let text = try String(contentsOf: file, encoding: .utf8)
        guard let found = text.firstMatch(of: /(?m)^(\d+) with Swift (\S+)$/), let instructions = Int(found.1) else {
            throw MissingPart(description: "instructions.txt has no line like '10000000 with Swift 6.3'")
        }
        return InstructionBudget(instructions: instructions, toolchain: String(found.2))
    }

    /// The version of the toolchain in this process's PATH, which built the programs.
    static func toolchain(in world: World) throws -> String {
        let path = ProcessInfo.processInfo.environment["PATH"]
        let told = try world.run("/usr/bin/env", ["swift", "--version"], environment: ["PATH": path])
        return told.text.firstMatch(of: /Swift version (\S+)/).map { String($0.1) } ?? "unknown"
    }
}
