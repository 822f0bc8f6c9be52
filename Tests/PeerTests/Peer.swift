import Foundation
import TestSupport
import Testing

/// A credential helper of others that keeps its items in the keyring, where ours keeps its own for foreign hosts.
enum Peer: String, CaseIterable, Sendable, CustomTestStringConvertible {
    /// git-credential-libsecret as Debian's git comes with it, in source.
    case debianLibsecret = "git-credential-libsecret of Debian's git"
    /// git-credential-libsecret of the current git.
    case currentLibsecret = "git-credential-libsecret of a current git"
    /// docker-credential-secretservice of Debian.
    case secretService = "docker-credential-secretservice"

    static let forGit: [Peer] = [.debianLibsecret, .currentLibsecret]

    var testDescription: String { rawValue }

    /// Does it keep `password_expiry_utc` and `oauth_refresh_token`?
    var keepsTokenState: Bool { self == .currentLibsecret }

    private static let debianSource = "/usr/share/doc/git/contrib/credential/libsecret"

    /// The program, built in the world's scratch folder where there is only its source.
    func program(in world: World) throws -> String {
        switch self {
        case .debianLibsecret:
            let folder = world.scratch.path("libsecret")
            let program = "\(folder)/git-credential-libsecret"
            if FileManager.default.fileExists(atPath: program) { return program }
            guard FileManager.default.fileExists(atPath: "\(Peer.debianSource)/Makefile") else {
                throw MissingPart(
                    description: "\(Peer.debianSource) is missing: git was installed without its documentation")
            }
            try FileManager.default.copyItem(atPath: Peer.debianSource, toPath: folder)
            let built = try world.run("make", ["-C", folder])
            guard built.exitCode == 0 else { throw MissingPart(description: "make -C \(folder): \(built)") }
            return program
        case .currentLibsecret:
            return try "\(GitClient.currentFolder())/source/contrib/credential/libsecret/git-credential-libsecret"
        case .secretService:
            return "docker-credential-secretservice"
        }
    }

    /// Runs it with an operation.
    @discardableResult
    func run(_ operation: String, _ input: String, in world: World) throws -> Outcome {
        try world.run(program(in: world), [operation], input: input)
    }
}
