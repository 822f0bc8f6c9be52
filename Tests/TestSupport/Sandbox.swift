import Foundation

/// `mojoauth-sandbox serve` in a world: a real issuer on loopback.
package final class Sandbox {
    package let issuer: String
    package let clientID: String
    private let world: World
    private let control: String
    private let logFile: String
    package let server: Server

    /// One line of its log.
    package struct Request: Sendable, Decodable {
        package var method: String
        package var path: String
        package var grantType: String?
        package var status: Int

        private enum CodingKeys: String, CodingKey {
            case method, path, status
            case grantType = "grant_type"
        }
    }

    private struct Ready: Decodable {
        var issuer: String
        var clientID: String
        var control: String

        private enum CodingKeys: String, CodingKey {
            case issuer, control
            case clientID = "client_id"
        }
    }

    /// - Parameter options: of `serve`, beyond port, ready file and log.
    package init(in world: World, name: String = "sandbox", _ options: [String] = []) throws {
        self.world = world
        let folder = try world.scratch.folder(name)
        logFile = "\(folder)/log"
        let readyFile = "\(folder)/ready"
        server = try world.serve(
            "mojoauth-sandbox",
            ["serve", "--port", "0", "--ready-file", readyFile, "--log", logFile] + options)
        let ready = try Sandbox.waitForFile(readyFile, of: server)
        (issuer, clientID, control) = (ready.issuer, ready.clientID, ready.control)
    }

    /// Where its keys are.
    package var keySet: String { "\(issuer)/.well-known/jwks.json" }

    /// Every request so far, oldest first.
    package func requests() throws -> [Request] {
        let text = String(decoding: try Data(contentsOf: URL(fileURLWithPath: logFile)), as: UTF8.self)
        return try text.split(separator: "\n").map { try JSONDecoder().decode(Request.self, from: Data($0.utf8)) }
    }

    /// How many token requests of this grant were made, whatever became of them.
    package func tokenRequests(_ grantType: String) throws -> Int {
        try requests().count { $0.grantType == grantType }
    }

    package func refreshes() throws -> Int { try tokenRequests("refresh_token") }

    /// Switches a fault on, from the next request on.
    package func startFault(_ name: String) throws { try changeFault("PUT", name) }

    package func stopFault(_ name: String) throws { try changeFault("DELETE", name) }

    /// Nobody listens at the issuer's address any more.
    package func stop() { server.child.stop() }

    private func changeFault(_ method: String, _ name: String) throws {
        let answer = try world.http(
            method, "\(issuer)/sandbox/faults/\(name)", headers: ["Authorization": "Bearer \(control)"])
        guard (200..<300).contains(answer.status) else {
            throw MissingPart(description: "\(method) fault \(name): \(answer)")
        }
    }

    private static func waitForFile(_ file: String, of server: Server) throws -> Ready {
        // The file comes whole, by a rename, once the sandbox listens; its coming is all there is to wait for.
        let deadline = Date(timeIntervalSinceNow: 20)
        while server.child.isRunning, Date() < deadline {
            if let data = FileManager.default.contents(atPath: file) {
                return try JSONDecoder().decode(Ready.self, from: data)
            }
            usleep(2000)
        }
        throw Overdue(description: "mojoauth-sandbox did not come up; its output was:\n\(server.log)")
    }
}
