import Foundation
import Program
import SessionStore
import TestSupport

/// A keyring with a login and a credential each of git's and of docker's, to which something is going to happen.
final class KeyringStage {
    static let gitServer = "https://code.example.org"
    static let dockerServer = "r.example.org"
    /// The password of both before the strike, and the one that a `store` would put in its place.
    static let (kept, another) = ("canary-kept-5dbf1c02", "canary-another-81e6a7")

    /// What an item is.
    enum Kind: String, Sendable, CaseIterable {
        case login
        case git
        case docker

        /// What finds it, whoever keeps it.
        fileprivate var search: [String: String] {
            switch self {
            case .login: ["application": "mojoauth-credential"]
            case .git: ["server": "code.example.org"]
            case .docker: ["docker_cli": "1"]
            }
        }
    }

    let world: World
    let sandbox: Sandbox
    private let issuerSecrets: IssuerSecrets
    private let keePassXC: KeePassXC?
    private(set) var prompter: MockPrompter?
    /// What was in it before the strike.
    private(set) var remembered: [Kind: [String]] = [:]

    /// - Parameter service: starts the Secret Service; nil is gnome-keyring.
    init(_ service: (World) throws -> KeePassXC?) throws {
        world = try World(.noService)
        keePassXC = try service(world)
        issuerSecrets = try IssuerSecrets(in: world)
        sandbox = try Sandbox(in: world, issuerSecrets.options + ["--auto", "alice@example.com"])
        try world.configure(sandbox, hosts: [SignedIn.host: [:]])
        try logIn()
        let git = try world.gitCredential("store", Self.gitServer, ["username": "bob", "password": Self.kept])
        let docker = try world.dockerCredential(
            "store", #"{"ServerURL":"\#(Self.dockerServer)","Username":"bob","Secret":"\#(Self.kept)"}"#)
        guard git.exitCode == 0, docker.exitCode == 0 else {
            throw MissingPart(description: "the keyring was not filled: \(git)\n\(docker)")
        }
    }

    func logIn() throws {
        let outcome = try world.run("mojoauth-credential", ["login"])
        guard outcome.exitCode == 0 else { throw MissingPart(description: "login: \(outcome)") }
    }

    // MARK: What is in it

    /// The secrets of each kind, as others see them.
    func contents() throws -> [Kind: [String]] {
        var result: [Kind: [String]] = [:]
        for kind in Kind.allCases {
            result[kind] = try world.items(kind.search).map { item in
                let own: Set<String> = ["Path", "Title", "URL", "UserName", "Uuid", "gkr:compat:hashed"]
                let attributes = try world.attributes(ofItem: item).filter { !own.contains($0.key) && $0.value != "" }
                return try world.secret(attributes) ?? "(no secret)"
            }.sorted()
        }
        return result
    }

    /// The items of each kind, by their object paths.
    func items() throws -> [Kind: [String]] {
        var result: [Kind: [String]] = [:]
        for kind in Kind.allCases { result[kind] = try world.items(kind.search).sorted() }
        return result
    }

    /// The names of the secrets, the issuer's and those that were stored, that stand in what the programs said or wrote,
    /// or in an answer beside the one that was asked for; each with the beginning of that text.
    func leaks(in words: [String], answers: [Answer]) throws -> [String] {
        try issuerSecrets.leaks(in: words, answers: answers, of: world, others: [Self.kept, Self.another])
    }

    /// How often somebody was sent to the issuer's page.
    func visits() throws -> Int { try sandbox.requests().count { $0.path.hasPrefix("/oauth/authorize") } }

    /// Does anybody hold the lock of the login's renewal?
    var isRenewing: Bool {
        let key = SessionKey(profile: "default", issuer: sandbox.issuer, clientID: sandbox.clientID)
        return (try? SessionLock.acquire(key, .refresh, within: 0)) == nil
    }

    func remember() throws { remembered = try contents() }

    // MARK: What happens to it

    /// Locks it. Whoever is there to be asked answers like this, over and over; with none nobody is there.
    func lock(answers: [MockPrompter.Action] = [], delay: Int = 0) throws {
        if !answers.isEmpty, prompter == nil {
            let script = [MockPrompter.Action.delay(delay)] + repeatElement(answers, count: 40).flatMap(\.self)
            let prompter = try MockPrompter(in: world, script)
            self.prompter = prompter
            world.keyring?.kill()
            try world.startKeyring(prompter: prompter)
        }
        try world.lockKeyring()
    }

    /// Starts it again from what is on disk, still locked, with nobody to ask.
    func restartLocked() throws {
        world.keyring?.kill()
        try world.startKeyring(password: "not its password")
    }

    /// Starts KeePassXC again with its database locked, and nobody at its window.
    func lockKeePassXC() throws { try keePassXC?.open(in: world, isLocked: true) }

    /// The host has refused the token: whoever asks for one needs the issuer.
    func refuseToken() throws {
        let given = try world.gitCredential("get", SignedIn.host)
        guard let token = given.attributes["password"] else { throw MissingPart(description: "no token: \(given)") }
        _ = try world.gitCredential("erase", SignedIn.host, ["username": "oauth2", "password": token])
    }

    /// Waits until somebody is connected to the stopped issuer.
    func waitForRequest() throws {
        guard let port = sandbox.issuer.split(separator: ":").last.flatMap({ Int($0) }) else {
            throw MissingPart(description: "no port in \(sandbox.issuer)")
        }
        let name = String(port, radix: 16, uppercase: true)
        // local, remote, state: one that ends at the issuer, established (01).
        let entry = " 0100007F:" + String(repeating: "0", count: 4 - name.count) + name + " 01 "
        let deadline = Date(timeIntervalSinceNow: 20)
        while Date() < deadline {
            if try KernelSocket.whole("/proc/net/tcp").contains(entry) { return }
            usleep(2000)
        }
        throw Overdue(description: "the issuer was not asked")
    }

    private var folder: String { world.scratch.path("home/.local/share/keyrings") }

    /// Takes its files away.
    func takeAway() throws {
        world.keyring?.kill()
        try FileManager.default.moveItem(atPath: folder, toPath: folder + ".away")
    }

    private func putBack() throws {
        guard FileManager.default.fileExists(atPath: folder + ".away") else { return }
        try FileManager.default.removeItem(atPath: folder)
        try FileManager.default.moveItem(atPath: folder + ".away", toPath: folder)
    }

    /// Lets bus and daemon go on, and returns once the daemon has carried out what was left in its socket.
    ///
    /// A search stands in line behind all of that. A ping does not: GDBus answers it in a thread of its own, before calls
    /// that wait for the daemon's main loop.
    func goOn() throws {
        world.bus?.thaw()
        world.keyring?.thaw()
        _ = try world.items(Kind.login.search)
    }

    /// Ends whatever went wrong: another bus, and the keyring unlocked on it.
    func recover() throws {
        if let keePassXC {
            try keePassXC.open(in: world)
            return
        }
        prompter = nil
        world.keyring?.kill()
        world.bus?.kill()
        sandbox.server.child.signal(SIGCONT)
        try? world.startKeyringByName(nil)
        try putBack()
        try world.startBus()
        try world.startKeyring()
    }
}
