import HelperProtocol
import Sensitive
import Testing

@Suite struct DockerCredentialTests {
    @Test func storesAndAnswers() throws {
        let text =
            #"{"ServerURL":"https://A.example/v1/","Username":"\u003ctoken\u003e","Secret":"s\n\"é ","Extra":[1]}"#
        let credential = try DockerCredential(parsing: bytes(text + "\n"))
        #expect(credential.server.spelling == "https://A.example/v1/" && credential.isIdentityToken)
        #expect(credential.secret == Secret("s\n\"é "))
        #expect(
            String(decoding: try credential.serialized(), as: UTF8.self)
                == #"{"ServerURL":"https://A.example/v1/","Username":"<token>","Secret":"s\n\"é "}"# + "\n")
    }

    @Test func anEmptySecretIsLegal() throws {
        for text in [#"{"ServerURL":"a","Username":"u"}"#, #"{"ServerURL":"a","Username":"u","Secret":""}"#] {
            #expect(try DockerCredential(parsing: bytes(text)).secret.isEmpty)
        }
    }

    @Test func aMegabyteComesBackWhole() throws {
        let secret = String(repeating: "x", count: 1 << 20)
        let text = "{\"ServerURL\":\"a\",\"Username\":\"u\",\"Secret\":\"\(secret)\"}"
        let credential = try DockerCredential(parsing: bytes(text))
        #expect(try credential.serialized() == bytes(text + "\n") && !credential.isIdentityToken)
    }

    @Test(arguments: [
        (#"{}"#, DockerError.noServer), (#"{"Username":"u","Secret":"s"}"#, .noServer),
        (#"{"ServerURL":"","Username":"u","Secret":"s"}"#, .noServer),
        (#"{"ServerURL":" ","Username":"u","Secret":"s"}"#, .noServer),
        (#"{"ServerURL":null,"Username":"u","Secret":"s"}"#, .noServer),
        (#"{"serverurl":"a","Username":"u","Secret":"s"}"#, .noServer),
        (#"{"ServerURL":"a","Secret":"s"}"#, .noUsername),
        (#"{"ServerURL":"a","Username":"","Secret":"s"}"#, .noUsername),
        (#"{"ServerURL":"a","Username":null}"#, .noUsername),
    ])
    func namesWhatIsMissing(text: String, error: DockerError) {
        #expect(throws: error) { try DockerCredential(parsing: bytes(text)) }
    }

    @Test(arguments: [
        "", " \n", "a", "a.example", "null", "\"a\"", "1", "[]", "[{}]", "{", #"{"ServerURL":"a""#, #"{"ServerURL":a}"#,
        #"{"ServerURL":1,"Username":"u","Secret":"s"}"#, #"{"ServerURL":"a","Username":["u"],"Secret":"s"}"#,
        #"{"ServerURL":"a","Username":"u","Secret":{}}"#, #"{"ServerURL":"a","Username":"u","Secret":true}"#,
        #"{"ServerURL":"a","ServerURL":"b","Username":"u","Secret":"s"}"#,
        #"{"ServerURL":"a","Username":"u","Secret":"\u0000"}"#, #"{"ServerURL":"a\nb","Username":"u","Secret":"s"}"#,
        #"{"ServerURL":"a","Username":"u","Secret":"s"} x"#, #"{"ServerURL":"a","Username":"u","Secret":"s"}{}"#,
        #"{"ServerURL":"a","Username":"u","Secret":"\ud800"}"#, "{'ServerURL':'a'}",
        #"{"ServerURL":"a","Username":"u","Secret":"s",}"#,
    ])
    func refuses(text: String) {
        let error = #expect(throws: DockerError.self) { try DockerCredential(parsing: bytes(text)) }
        #expect(error != .notFound && error?.description.isEmpty == false)
    }

    @Test func refusesBytesThatAreNotText() throws {
        let broken = bytes(#"{"ServerURL":"a","Username":"u","Secret":""#) + [0xFF] + bytes("\"}")
        #expect(throws: DockerError.self) { try DockerCredential(parsing: broken) }
        let credential = DockerCredential(server: try DockerServer("a"), username: "u", secret: Secret([0xFF]))
        #expect(throws: DockerError.self) { try credential.serialized() }
    }

    @Test func errorsQuoteNoSecret() {
        let text = #"{"ServerURL":"a","Username":"u","Secret":"hunter2" hunter2}"#
        let error = #expect(throws: DockerError.self) { try DockerCredential(parsing: bytes(text)) }
        #expect(error?.description.contains("hunter2") == false)
    }

    @Test func lists() throws {
        #expect(try DockerCredential.serialize(list: []) == bytes("{}\n"))
        let list = try DockerCredential.serialize(list: [("https://b/v1/", "u"), ("a", "é"), ("https://b/v1/", "v")])
        #expect(list == bytes(#"{"https://b/v1/":"u","a":"é"}"# + "\n"))
        let many = (0..<20_000).map { (server: "host\($0).example", username: "u") }
        #expect(try DockerCredential.serialize(list: many).count > 20_000)
    }

    @Test func fixedTexts() {
        #expect(DockerError.notFound.line == "credentials not found in native keychain\n")
        #expect(DockerError.noServer.description == "no credentials server URL")
        #expect(DockerError.noUsername.description == "no credentials username")
        #expect(
            DockerError.unknownAction("x", program: "docker-credential-mojoauth").description
                == "docker-credential-mojoauth: unknown action: x")
        #expect(
            DockerCredential.versionLine(program: "docker-credential-mojoauth", version: "1.2")
                == "docker-credential-mojoauth 1.2\n")
    }

    @Test func items() throws {
        let credential = DockerCredential(
            server: try DockerServer("https://A.example/v1/"), username: "u", secret: Secret("s"))
        let attributes = DockerStoredItem.attributes(for: credential)
        #expect(
            attributes == [
                "label": "Docker Credentials", "docker_cli": "1", "server": "https://A.example/v1/", "username": "u",
            ])
        let entry = try #require(DockerStoredItem.entry(attributes: attributes))
        #expect(entry.server == credential.server && entry.username == "u")
        #expect(DockerStoredItem.entry(attributes: ["server": "a"]) == nil)
        #expect(DockerStoredItem.entry(attributes: ["username": "u"]) == nil)
        #expect(DockerStoredItem.entry(attributes: ["server": "", "username": "u"]) == nil)
        #expect(DockerStoredItem.label(for: credential) == "https://A.example/v1/")
    }
}
