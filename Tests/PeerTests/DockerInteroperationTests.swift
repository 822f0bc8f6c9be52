import Foundation
import TestSupport
import Testing

/// Credentials of foreign registries: one store with docker-credential-secretservice.
@Suite(.serialized, .clients) struct DockerInteroperationTests {
    struct Row: Sendable, CustomTestStringConvertible {
        var server: String
        var username = "bob"
        var secret = "s3cret"
        var testDescription: String { "\(server), \(username)" }

        func object(secret: String? = nil) throws -> String {
            let members = ["ServerURL": server, "Username": username, "Secret": secret ?? self.secret]
            return String(decoding: try JSONEncoder().encode(members), as: UTF8.self)
        }
    }

    static let rows: [Row] = [
        Row(server: "registry.example.org"),
        Row(server: "https://registry.example.org"),
        Row(server: "https://index.docker.io/v1/"),
        Row(server: "registry.example.org:5000"),
        Row(server: "http://127.0.0.1:5000"),
        Row(server: "https://index.docker.io/v1/access-token", secret: "eyJhbGciOiJSUzI1NiJ9.e30.c2ln"),
        Row(server: "registry.example.org", username: "<token>", secret: "refresh token"),
        Row(server: "registry.example.org", username: "bøb", secret: "pass \"word\" \\ é €"),
    ]

    private struct Answer: Decodable, Equatable {
        var ServerURL: String
        var Username: String
        var Secret: String
    }

    private func decoded(_ outcome: Outcome) -> Answer? {
        try? JSONDecoder().decode(Answer.self, from: Data(outcome.output))
    }

    @Test(arguments: rows) func oursAndTheirsAreOneStore(_ row: Row) throws {
        let world = try World()
        let peer = Peer.secretService
        func expect(_ outcome: Outcome, _ secret: String, _ step: String) {
            #expect(outcome.exitCode == 0 && outcome.errors.isEmpty, "\(step): \(outcome)")
            let wanted = Answer(ServerURL: row.server, Username: row.username, Secret: secret)
            #expect(decoded(outcome) == wanted, "\(step): \(outcome)")
        }
        let miss = try peer.run("get", row.server, in: world)
        let ourMiss = try world.dockerCredential("get", row.server)
        #expect(ourMiss.exitCode == miss.exitCode && ourMiss.text == miss.text, "\(miss)\n\(ourMiss)")

        // Theirs: found, listed, replaced, erased by ours.
        let kept = try peer.run("store", row.object(), in: world)
        #expect(kept.exitCode == 0, "\(kept)")
        expect(try world.dockerCredential("get", row.server), row.secret, "found")
        let list = try JSONDecoder().decode(
            [String: String].self, from: Data(world.dockerCredential("list", "unused").output))
        #expect(list == [row.server: row.username])
        #expect(try world.dockerCredential("store", row.object(secret: "second")).exitCode == 0)
        expect(try peer.run("get", row.server, in: world), "second", "replaced")
        #expect(try world.items([:]).count == 1)
        #expect(try world.dockerCredential("erase", row.server).exitCode == 0)
        #expect(try world.items([:]).isEmpty)

        // Ours: found, listed, replaced, erased by theirs.
        #expect(try world.dockerCredential("store", row.object()).exitCode == 0)
        expect(try peer.run("get", row.server, in: world), row.secret, "found by theirs")
        let theirList = try JSONDecoder().decode(
            [String: String].self, from: Data(peer.run("list", "unused", in: world).output))
        #expect(theirList == [row.server: row.username])
        #expect(try peer.run("store", row.object(secret: "third"), in: world).exitCode == 0)
        expect(try world.dockerCredential("get", row.server), "third", "replaced by theirs")
        #expect(try peer.run("erase", row.server, in: world).exitCode == 0)
        #expect(try world.items([:]).isEmpty)
    }
}
