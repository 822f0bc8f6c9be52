import Foundation
import Testing
import TestSupport

/// The first minutes of somebody who has just installed it: what is typed, and how long the machine takes.
@Suite(.serialized) struct NewUserTests {
    @Test func threeCommandsFromNothingToAClone() throws {
        let world = try World()
        let sandbox = try Sandbox(in: world, ["--auto", "alice@example.com"])
        let git = try GitServer(in: world, keySet: sandbox.keySet)
        let url = try git.makeRepository("private")
        let terminal = try PseudoTerminal(columns: 200)
        // The world's variable keeps git from asking at the terminal, which a person's shell does not.
        try terminal.start(
            world, "bash", ["--norc", "--noprofile", "-i"],
            environment: [
                "PS1": "ready> ", "HISTFILE": nil, "GIT_TERMINAL_PROMPT": nil, "BROWSER": try world.followingBrowser(),
            ])
        var commands = 0
        var began = ContinuousClock.now
        /// The time from the key to the next prompt; what the person types in between is not counted as a command.
        func type(_ command: String, _ answers: [(question: String, answer: String)] = []) throws {
            try terminal.wait { $0.components(separatedBy: "ready> ").count == commands + 2 ? true : nil }
            if commands == 0 { began = ContinuousClock.now }
            commands += 1
            terminal.type(command + "\n")
            for (question, answer) in answers {
                try terminal.wait(for: question)
                terminal.type(answer + "\n")
            }
        }
        try type(
            "mojoauth-credential configure profile",
            [("Issuer (such as ", sandbox.issuer), ("Client id: ", sandbox.clientID)])
        try type("mojoauth-credential configure git --allow-insecure \(git.origin)")
        let folder = world.scratch.path("home/private")
        try type("git clone \(url) \(folder)")
        try terminal.wait(within: 60) { $0.components(separatedBy: "ready> ").count == commands + 2 ? true : nil }
        let seconds = (ContinuousClock.now - began).components.seconds
        #expect(try world.scratch.read("home/private/README") == "hello\n", "\(terminal.text)\n\(git.log)")
        #expect(commands <= 4 && seconds < 60, "\(commands) commands in \(seconds) s")
        // Once more: no question, no browser.
        #expect(try world.clone(url, into: "again").exitCode == 0)
        #expect(try sandbox.tokenRequests("authorization_code") == 1)
    }
}
