import JOSE
import JSON
import OpenIDConnect
import Testing

@Suite struct SigningKeyTests {
    @Test(arguments: SignatureAlgorithm.allCases)
    func everyAlgorithmVerifies(_ algorithm: SignatureAlgorithm) throws {
        let key = try SigningKey(generating: algorithm, keyID: "k")
        let token = try key.sign(payload: Tokens.claims)
        let verified = try Tokens.set([.object(try key.publicJWK)]).verify(token, allowed: [algorithm])
        #expect(verified.header.algorithm == algorithm)
        #expect(verified.header.keyID == "k")
        #expect(try JSONValue(parsing: verified.payload) == .object(Tokens.claims))
    }

    @Test func extrasReplaceAndAddHeaderMembers() throws {
        let extras = JSONObject([.init(name: "typ", value: "at+jwt"), .init(name: "kid", value: "other")])
        let header = try JWSHeader(parsing: try Tokens.known(Tokens.rsa).sign(header: extras, payload: Tokens.claims))
        #expect(header.type == "at+jwt")
        #expect(header.keyID == "other")
    }

    @Test func publicJWKHasNoPrivateNumber() throws {
        for key in [Tokens.rsa, Tokens.p256] {
            let names = try Tokens.known(key).publicJWK.members.map(\.name)
            #expect(!names.contains { ["d", "p", "q", "dp", "dq", "qi"].contains($0) })
        }
    }
}
