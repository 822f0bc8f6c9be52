import SessionStore
import Testing

@Suite struct SessionKeyTests {
    static let key = SessionKey(profile: "default", issuer: "https://acme.example", clientID: "mojoauth-cli")

    struct Row: Sendable, CustomTestStringConvertible {
        let kind: SessionKey.Kind
        let name: String
        var testDescription: String { name }
    }

    /// Always these five, whatever the kind: a superset would replace the wrong item.
    @Test(arguments: [
        Row(kind: .authState, name: "auth-state"), Row(kind: .damagedAuthState, name: "auth-state-damaged"),
        Row(kind: .clientSecret, name: "client-secret"),
    ])
    func attributes(_ row: Row) {
        #expect(
            Self.key.attributes(row.kind) == [
                "application": "mojoauth-credential", "kind": row.name, "profile": "default",
                "issuer": "https://acme.example", "client_id": "mojoauth-cli",
            ])
    }

    @Test(arguments: [
        SessionKey(profile: "work", issuer: "https://acme.example", clientID: "mojoauth-cli"),
        SessionKey(profile: "default", issuer: "https://acme.example/", clientID: "mojoauth-cli"),
        SessionKey(profile: "default", issuer: "https://other.example", clientID: "mojoauth-cli"),
        SessionKey(profile: "default", issuer: "https://acme.example", clientID: "other"),
        SessionKey(profile: "Default", issuer: "https://acme.example", clientID: "mojoauth-cli"),
    ])
    func anotherOfAnyIsAnotherLogin(other: SessionKey) {
        #expect(other != Self.key)
        #expect(other.attributes(.authState) != Self.key.attributes(.authState))
    }
}
