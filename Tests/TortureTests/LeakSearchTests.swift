import Foundation
import Testing

@testable import TestSupport

/// A search that finds nothing is worth what it would have found.
@Suite struct LeakSearchTests {
    /// Its bytes meet every rule of the encodings: blanks, signs, and what base64 writes as `+` and `/`.
    private static let secret = "canary 1>>?>?~~\u{F6}/+&secret"

    private static let forms: [(name: String, text: String)] = {
        let bytes = Array(secret.utf8)
        let hex = bytes.map { String(format: "%02x", $0) }.joined()
        let escapes = bytes.map { String(format: "%%%02X", $0) }.joined()
        let allowed = CharacterSet(charactersIn: "abcdefghijklmnopqrstuvwxyz0123456789-._~")
        let escaped = secret.addingPercentEncoding(withAllowedCharacters: allowed) ?? ""
        let basic = ["", "i", "id", "id:", "alice@example.com:"].flatMap { user in
            ["", "x", "xy"].map { end in
                ("base64 between \"\(user)\" and \"\(end)\"", Data("\(user)\(secret)\(end)".utf8).base64EncodedString())
            }
        }
        let url = basic.map { form in
            (form.0 + ", for URLs", form.1.replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: ""))
        }
        return [
            ("plain", secret), ("percent-encoded", escaped),
            ("percent-encoded, small digits", escaped.replacing(/%../) { $0.output.lowercased() }),
            ("a form's field", escaped.replacing("%20", with: "+")), ("every byte percent-encoded", escapes),
            ("every byte percent-encoded, small digits", escapes.lowercased()), ("hexadecimal", hex),
            ("hexadecimal, capitals", hex.uppercased()),
        ] + basic + url
    }()

    @Test(arguments: forms.map(\.name)) func isFound(_ name: String) throws {
        let text = try #require(Self.forms.first { $0.name == name }).text
        let around = ["before", "Authorization: Basic \(text)\r\n", "after"]
        #expect(LeakSearch.find([Self.secret, "another canary"], in: around) == [Self.secret])
        // The text before and after is no part of what is looked for, and half of it is nothing.
        #expect(LeakSearch.find([Self.secret], in: [String(text.dropFirst(text.count / 2))]).isEmpty)
    }

    @Test func whatIsNotThereIsNotFound() {
        let others = ["", "canary", Data("canary".utf8).base64EncodedString(), "63616e617279", "%63%61%6E"]
        #expect(LeakSearch.find([Self.secret], in: others).isEmpty)
    }

    /// An answer holds the one secret that was asked for.
    @Test(arguments: [
        ("access-token-0123", 0), ("access-token-0123 access-token-0123", 0), ("", 0),
        ("access-token-0123 access-token-4567", 1), ("access-token-0123 refresh-token-0123", 1),
        ("refresh-token-0123", 1), ("refresh-token-0123 of-another-host", 2),
    ]) func answerHoldsOneSecret(_ text: String, _ leaked: Int) throws {
        let world = try World(.noBus, programs: false)
        let secrets = try IssuerSecrets(in: world)
        let lines = [
            "access_token access-token-0123", "access_token access-token-4567", "refresh_token refresh-token-0123",
        ]
        try world.scratch.write(lines.joined(separator: "\n"), to: "issuer/secrets")
        let answer = Answer(text, asked: ["access_token"])
        #expect(try secrets.leaks(in: [], answers: [answer], of: world, others: ["of-another-host"]).count == leaked)
    }

    /// Each form is needed: what one row finds, no other form than its own does.
    @Test func everyFormIsLookedFor() {
        let texts = Self.forms.map(\.text)
        for form in LeakSearch.forms(of: Self.secret) {
            let text = String(decoding: form, as: UTF8.self)
            #expect(texts.contains { $0.contains(text) }, "no row needs \(text)")
        }
    }
}
