import Foundation
import Testing
import TestSupport

/// What our processes are while they run, and what they leave to those that they start.
@Suite(.serialized) struct ProtectionTests {
    // MARK: Rights

    /// A copy that runs with rights that whoever starts it does not have.
    private func elevated(_ program: String, in world: World) throws -> String {
        let copy = world.scratch.path("elevated-\(program)")
        try FileManager.default.copyItem(atPath: InstalledPrograms.builtFolder() + "/\(program)", toPath: copy)
        if geteuid() == 0 {
            #expect(chown(copy, 65534, 65534) == 0 && chmod(copy, 0o6755) == 0)
        } else {
            var groups = [gid_t](repeating: 0, count: 64)
            let count = getgroups(64, &groups)
            let other = try #require(
                groups.prefix(Int(max(0, count))).first { $0 != getegid() }, "this needs root, or a second group")
            #expect(chown(copy, geteuid(), other) == 0 && chmod(copy, 0o2755) == 0)
        }
        return copy
    }

    @Test(arguments: [("mojoauth-credential", Int32(78)), ("mojoauth-sandbox", 78), ("mojoauth-helper", 1)])
    func setUserIDIsRefused(_ program: String, _ exitCode: Int32) throws {
        let world = try World(.noBus)
        let outcome = try world.run(try elevated(program, in: world), ["--version"])
        #expect(outcome.exitCode == exitCode, "\(outcome)")
        #expect(outcome.output.isEmpty, "\(outcome)")
        #expect(outcome.errors.hasPrefix("elevated-\(program): error: "), "\(outcome)")
        #expect(outcome.errors.contains("set-user-id") && outcome.errors.contains(": hint: "), "\(outcome)")
    }

    // MARK: Memory

    /// The programs that a shell of ours runs, as /proc has them.
    ///
    /// - Parameter prefix: what starts the program in its own place.
    private func waiting(
        _ world: World, _ program: String, under prefix: [String] = [], _ body: (String) throws -> Void
    ) throws {
        let terminal = try PseudoTerminal()
        let command = prefix + [program, program.hasPrefix("git") ? "get" : "store"]
        try terminal.start(world, command[0], Array(command.dropFirst()))
        // It reads the terminal: it has gone through all that comes first once it waits.
        let shell = try #require(terminal.process)
        let deadline = Date(timeIntervalSinceNow: 20)
        while Date() < deadline {
            let children = (try? String(contentsOfFile: "/proc/\(shell)/task/\(shell)/children", encoding: .utf8)) ?? ""
            if let child = children.split(separator: " ").first,
                let name = try? String(contentsOfFile: "/proc/\(child)/cmdline", encoding: .utf8),
                name.hasPrefix(program), try String(contentsOfFile: "/proc/\(child)/wchan", encoding: .utf8) != "0"
            {
                try body("/proc/\(child)")
                terminal.type("\u{3}")
                _ = try terminal.finish()
                return
            }
            usleep(5000)
        }
        Issue.record("\(program) did not come to wait: \(terminal.text)")
    }

    @Test(arguments: ["mojoauth-credential", "git-credential-mojoauth"]) func noCoreFile(_ program: String) throws {
        try waiting(World(.noBus), program) { process in
            let limits = try String(contentsOfFile: "\(process)/limits", encoding: .utf8)
            #expect(limits.contains(/Max core file size +0\b/), "\(limits)")
        }
    }

    /// Whoever may trace a process may read its environment. The helper may be traced: KeePassXC asks for its name.
    @Test(arguments: [("mojoauth-credential", false), ("git-credential-mojoauth", true)])
    func isClosedToDebuggers(_ program: String, isReadable: Bool) throws {
        let world = try World(.noBus)
        // Root's capabilities open everything.
        let bare = geteuid() == 0 ? ["setpriv", "--bounding-set=-all", "--inh-caps=-all"] : []
        try waiting(world, program, under: bare) { process in
            let reading = bare + ["cat", "\(process)/environ"]
            let outcome = try world.run(reading[0], Array(reading.dropFirst()))
            #expect((outcome.exitCode == 0) == isReadable, "\(outcome)")
            #expect(outcome.text.contains("XDG_CONFIG_HOME=") == isReadable, "\(outcome)")
        }
    }

    // MARK: What is inherited

    /// A refresh that is left behind keeps nothing of the caller's: one that waits for the end of its pipe would wait
    /// for the issuer.
    @Test func aRefreshBehindKeepsNoDescriptorOfTheCallers() throws {
        let signedIn = try SignedIn()
        try signedIn.sandbox.startFault("slow-token=3")
        // In the last fifth of its life, and not stale yet.
        let now = Int(Date().timeIntervalSince1970)
        let ageing = try signedIn.state()
            .replacing(/"expires_at":[0-9]+/, with: "\"expires_at\":\(now + 100)", maxReplacements: 1)
            .replacing(/"received_at":[0-9]+/, with: "\"received_at\":\(now - 1000)", maxReplacements: 1)
        let item = ["xdg:schema": "com.mojoauth.Credential"].merging(signedIn.attributes) { $1 }
        try signedIn.world.storeSecret(ageing, label: "ageing", attributes: item)
        let file = signedIn.world.scratch.path("callers")
        let request = try signedIn.world.scratch.write(World.gitRequest(SignedIn.host), to: "request")
        let outcome = try signedIn.world.run(
            "sh", ["-c", "exec 9>\"$1\"; git-credential-mojoauth get <\"$2\"", "sh", file, request])
        #expect(outcome.exitCode == 0 && outcome.attributes["password"] != nil, "\(outcome)")
        let deadline = Date(timeIntervalSinceNow: 20)
        var seen = false
        // The issuer notes the refresh as it comes: the child lives for as long as the answer takes.
        while try !seen || signedIn.sandbox.refreshes() == 0 {
            try #require(Date() < deadline, "nothing was left behind, or it was not seen")
            for process in try FileManager.default.contentsOfDirectory(atPath: "/proc") where Int32(process) != nil {
                let command = (try? String(contentsOfFile: "/proc/\(process)/cmdline", encoding: .utf8)) ?? ""
                guard command.contains("--if-ageing") else { continue }
                seen = true
                for link in (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/fd")) ?? [] {
                    let target = try? FileManager.default.destinationOfSymbolicLink(
                        atPath: "/proc/\(process)/fd/\(link)")
                    #expect(target != file, "\(command)")
                }
            }
            usleep(20_000)
        }
    }
}
