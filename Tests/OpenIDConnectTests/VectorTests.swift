import OpenIDConnect
import Sensitive
import Testing
import WebAddress

/// The vectors of the standards, as the reference quotes them.
@Suite struct VectorTests {
    /// RFC 7636 appendix B.
    @Test func codeChallenge() {
        let verifier = CodeVerifier(Secret("dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"), .fixed)
        #expect(verifier.challenge == "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM")
    }

    /// 32 random bytes, base64url, 43 characters.
    @Test func stateNonceAndVerifierAre43Characters() {
        let token = Ceremony.fixed.token()
        #expect(token.text == "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8")
        #expect(token.count == 43)
        #expect(CodeVerifier(.fixed).secret.count == 43)
        #expect(Ceremony.repeating(0xFF).token().text == "__________________________________________8")
    }

    /// RFC 6749 section 2.3.1: form-encoded first.
    @Test func basicAuthentication() {
        let client = ClientRegistration(
            id: "1PpG/Q 1", authentication: .basic(Secret("z/tZ9VwFZqApmIQ+ZH1I5pLk/uB4ud:X2/8bL+wfFTt1rFw=")))
        var form = FormFields()
        #expect(
            client.authenticate(&form)?.text
                == "Basic MVBwRyUyRlErMTp6JTJGdFo5VndGWnFBcG1JUSUyQlpIMUk1cExrJTJGdUI0dWQlM0FYMiUyRjhiTCUyQndmRlR0MXJGdyUzRA=="
        )
        #expect(form.isEmpty)
    }

    /// AppAuth's form encoding, both ways.
    @Test func formEncoding() {
        let plain = "t _9V-F*I+Z1Lk.u7:2/8L+w="
        let encoded = "t+_9V-F*I%2BZ1Lk.u7%3A2%2F8L%2Bw%3D"
        #expect(FormFields.encode(plain) == encoded)
        #expect(FormFields.decode(encoded) == plain)
        #expect(FormFields(parsing: "a=b+c&d=b%20c")?.fields.map(\.value) == ["b c", "b c"])
    }
}
