import Foundation
import Testing
import TestSupport

/// A git that clones and pushes: Debian's, which knows names and passwords, or a current one, which knows more.
enum GitClient: String, CaseIterable, Sendable, CustomTestStringConvertible {
    case debian
    case current

    var testDescription: String { "\(rawValue) git" }

    /// The folder of Tests/Conformance/make-git.
    static func currentFolder() throws -> String {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(path: "../..").standardized
        let folder =
            ProcessInfo.processInfo.environment["MOJOAUTH_CURRENT_GIT"]
            ?? root.appending(path: ".build/current-git").path
        guard FileManager.default.fileExists(atPath: "\(folder)/complete") else {
            throw MissingPart(
                description: "no current git in \(folder): run `make conformance`, or name it in MOJOAUTH_CURRENT_GIT")
        }
        return folder
    }

    /// Can it send `Authorization: Bearer`, and ask a helper again?
    var knowsAuthtype: Bool { self == .current }

    private func path() throws -> String {
        self == .debian ? try Tool.git.path() : try "\(GitClient.currentFolder())/bin/git"
    }

    func run(
        _ arguments: [String], in world: World, input: String = "", environment: [String: String?] = [:]
    ) throws -> Outcome {
        // git looks for its helpers in the PATH of the world, and for git itself in its own folder.
        try world.run(path(), arguments, input: input, environment: environment)
    }

    func clone(_ url: String, into name: String, in world: World) throws -> Outcome {
        try run(["clone", url, world.scratch.path(name)], in: world)
    }

    func fetch(_ name: String, in world: World) throws -> Outcome {
        try run(["-C", world.scratch.path(name), "fetch", "origin"], in: world)
    }

    /// Commits a file in a clone and pushes it.
    func push(_ name: String, file: String, in world: World) throws -> Outcome {
        let work = ["-C", world.scratch.path(name)]
        try world.scratch.write("\(file)\n", to: "\(name)/\(file)")
        for arguments in [["add", file], ["commit", "--quiet", "-m", "add \(file)"]] {
            let outcome = try run(work + arguments, in: world)
            guard outcome.exitCode == 0 else { return outcome }
        }
        return try run(work + ["push", "origin", "HEAD"], in: world)
    }
}
