import Foundation
import Testing
import TestSupport

/// Hosts with a token of their own, in the login's one item.
@Suite(.serialized) struct AudienceTests {
    private static let api = "https://api.example.com"
    private static let files = "https://files.example.com"
    private static let person = "https://who.example.com"

    private func signedIn(_ options: String...) throws -> SignedIn {
        try SignedIn(
            options,
            hosts: [
                SignedIn.host: [:], Self.api: ["audience": "urn:api"],
                Self.files: ["resource": "https://files.example"],
                Self.person: ["token": "id"],
            ])
    }

    private func token(_ signedIn: SignedIn, _ host: String) throws -> String {
        let outcome = try signedIn.world.gitCredential("get", host)
        return try #require(outcome.attributes["password"], "\(outcome)")
    }

    /// A token's audience, however many it names.
    private func audience(_ token: String) throws -> [String] {
        let segments = token.split(separator: ".")
        try #require(segments.count == 3)
        let base64 = segments[1].map { $0 == "-" ? "+" : $0 == "_" ? "/" : $0 }
        let padding = Array(repeating: Character("="), count: (4 - base64.count % 4) % 4)
        let bytes = try #require(Data(base64Encoded: String(base64 + padding)))
        let claims = try JSONSerialization.jsonObject(with: bytes) as? [String: Any]
        return claims?["aud"] as? [String] ?? [claims?["aud"] as? String].compactMap(\.self)
    }

    @Test func eachHostGetsTheTokenThatIsForIt() throws {
        let signedIn = try signedIn()
        #expect(try audience(token(signedIn, Self.api)) == ["urn:api"])
        #expect(try audience(token(signedIn, Self.files)) == ["https://files.example"])
        #expect(try audience(token(signedIn, SignedIn.host)) == [signedIn.sandbox.issuer])
        #expect(try audience(token(signedIn, Self.person)) == [signedIn.sandbox.clientID])
        // One request for each token that had to be made, none for one that is there, and one item for all.
        #expect(try signedIn.sandbox.refreshes() == 2)
        for host in [Self.api, Self.files, SignedIn.host, Self.person] { _ = try token(signedIn, host) }
        #expect(try signedIn.sandbox.refreshes() == 2)
        #expect(try signedIn.world.items(["application": "mojoauth-credential"]).count == 1)
    }

    @Test func aRefusedTokenIsRenewedForItsHostAlone() throws {
        let signedIn = try signedIn()
        let (refused, other) = (try token(signedIn, Self.api), try token(signedIn, SignedIn.host))
        _ = try signedIn.world.gitCredential("erase", Self.api, ["username": "oauth2", "password": refused])
        let renewed = try token(signedIn, Self.api)
        #expect(renewed != refused)
        #expect(try audience(renewed) == ["urn:api"])
        #expect(try token(signedIn, SignedIn.host) == other)
    }
}
