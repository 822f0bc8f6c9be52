import Foundation

/// git's own http-backend under Apache: smart HTTP, pushes allowed.
package final class GitServer {
    /// Scheme, host and port: what a host entry of our configuration names.
    package let origin: String
    private let world: World
    private let apache: ApacheServer
    private let repositories: String
    /// Names, each in angle brackets: subjects, and `jti` of tokens.
    private let refusals: String

    /// A server whose repositories are open to bearers of the sandbox's tokens only.
    package convenience init(in world: World, keySet: String) throws {
        try self.init(in: world, name: "git", .token(keySet: keySet))
    }

    /// A server of others, with the account of ``ForeignAccount``.
    package convenience init(foreignIn world: World) throws {
        try self.init(in: world, name: "foreign-git", .password)
    }

    private init(in world: World, name: String, _ protection: Protection) throws {
        self.world = world
        _ = try Tool.git.path()
        let root = try world.scratch.folder(name, mode: 0o755)
        repositories = try world.scratch.folder("\(name)/repositories", mode: 0o755)
        try world.scratch.write(ForeignAccount.passwordLine + "\n", to: "\(name)/htpasswd", mode: 0o644)
        refusals = try world.scratch.write("\n", to: "\(name)/refused", mode: 0o644)
        // mod_oauth2 offers Bearer by itself; git before 2.46 can only answer Basic.
        let challenge = #"Header always merge WWW-Authenticate "Basic realm=\"git\"""#
        apache = try ApacheServer(
            in: world, name: name, modules: ["alias", "env", "cgi"] + protection.modules,
            directives: """
                SetEnv GIT_PROJECT_ROOT \(repositories)
                SetEnv GIT_HTTP_EXPORT_ALL 1
                ScriptAlias /git/ /usr/lib/git-core/git-http-backend/
                <Location /git/>
                \(protection.directives(root: root, challenges: challenge))
                </Location>
                <LocationMatch ^/git/>
                AuthMerging And
                Require expr "!(file('\(refusals)') -strmatch '*<%{REMOTE_USER}>*') \
                && !(file('\(refusals)') -strmatch '*<%{reqenv:OAUTH2_CLAIM_jti}>*')"
                </LocationMatch>
                """)
        origin = apache.origin
    }

    /// Makes a repository with one commit, which holds the file README.
    ///
    /// - Returns: the URL to clone it from.
    package func makeRepository(_ name: String) throws -> String {
        let bare = "\(repositories)/\(name).git"
        let work = try world.scratch.folder("seed-\(name)")
        let identity = ["-c", "user.name=Test", "-c", "user.email=test@example.com"]
        let initialise = ["-c", "init.defaultBranch=main", "init", "--quiet"]
        try git(initialise + ["--bare", bare])
        try git(["-C", bare, "config", "http.receivepack", "true"])
        try git(initialise + [work])
        try world.scratch.write("hello\n", to: "seed-\(name)/README")
        try git(["-C", work, "add", "README"])
        try git(["-C", work] + identity + ["commit", "--quiet", "-m", "first"])
        try git(["-C", work, "push", "--quiet", bare, "main"])
        if geteuid() == 0 {
            let outcome = try world.run("chown", ["-R", "www-data:www-data", bare])
            guard outcome.exitCode == 0 else { throw MissingPart(description: "chown: \(outcome)") }
        }
        return "\(origin)/git/\(name).git"
    }

    /// From now on a good token is refused with 401, as after a revocation: one by its `jti`, or all of a subject.
    package func refuse(_ name: String) throws {
        let names = try String(contentsOfFile: refusals, encoding: .utf8)
        try (names + "<\(name)>\n").write(toFile: refusals, atomically: false, encoding: .utf8)
    }

    /// How many requests came, let in or not.
    package var requests: Int { apache.log.matches(of: /HTTP\/1\.1 \d{3} user=/).count }

    /// How many requests were refused with 401.
    package var refusedRequests: Int { apache.log.matches(of: /HTTP\/1\.1 401\b/).count }

    /// Who made each request that was let in, oldest first.
    package var users: [String] {
        apache.log.matches(of: /" ?200 user=(\S+)|HTTP\/1\.1 200 user=(\S+)/).map { String($0.1 ?? $0.2 ?? "") }
    }

    package var log: String { apache.log }

    private func git(_ arguments: [String]) throws {
        let outcome = try world.run(.git, arguments)
        guard outcome.exitCode == 0 else { throw MissingPart(description: "git: \(outcome)") }
    }
}
