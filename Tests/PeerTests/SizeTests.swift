import TestSupport
import Testing

/// Secrets of a megabyte: in through every protocol, out to docker and by hand, byte for byte; git, which cuts lines,
/// gets an error instead of the beginning of one.
@Suite(.serialized) struct SizeTests {
    private static let megabyte: String = {
        var random = SeededGenerator(seed: 1)
        let letters = Array("abcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
        return String(decoding: (0..<(1 << 20)).map { _ in random.pick(letters) }, as: UTF8.self)
    }()
    /// The longest value whose line, with `password=` and its LF, git reads whole.
    private static let longest = 65535 - "password=\n".utf8.count
    private static let place = "protocol=https\nhost=code.example.org\n"

    @Test func gitStoresWhatItCouldNotReadBack() throws {
        let world = try World()
        let stored = try world.run(
            "git-credential-mojoauth", ["store"], input: "\(Self.place)username=bob\npassword=\(Self.megabyte)\n\n")
        #expect(stored.exitCode == 0 && stored.output.isEmpty && stored.errors.isEmpty, "\(stored.exitCode)")
        #expect(try world.secret(["server": "code.example.org"]) == Self.megabyte)
        let got = try world.run("git-credential-mojoauth", ["get"], input: Self.place + "\n")
        #expect(got.exitCode == 1 && got.output.isEmpty)
        #expect(
            got.errors == "git-credential-mojoauth: error: the credential cannot be given to git: "
                + "password longer than the 65535 bytes that git reads\n", "\(got.errors)")
        // What is too long to be said can still be erased, compared with what was sent.
        let erased = try world.run(
            "git-credential-mojoauth", ["erase"], input: "\(Self.place)username=bob\npassword=\(Self.megabyte)\n\n")
        #expect(erased.exitCode == 0 && erased.errors.isEmpty)
        #expect(try world.items([:]).isEmpty)
    }

    @Test(arguments: [(longest - 1, true), (longest, true), (longest + 1, false)]) func lineToGitIsWholeOrNone(
        _ length: Int, _ fits: Bool
    ) throws {
        let world = try World()
        let password = String(Self.megabyte.prefix(length))
        try world.run(
            "git-credential-mojoauth", ["store"], input: "\(Self.place)username=bob\npassword=\(password)\n\n")
        let got = try world.run("git-credential-mojoauth", ["get"], input: Self.place + "\n")
        #expect(got.exitCode == (fits ? 0 : 1), "\(got.errors)")
        #expect(got.text == (fits ? "username=bob\npassword=\(password)\n" : ""))
        // And git itself reads it.
        let filled = try GitClient.current.run(
            ["-c", "credential.helper=mojoauth", "credential", "fill"], in: world, input: Self.place + "\n")
        #expect((filled.attributes["password"] == password) == fits, "\(filled.errors)")
    }

    @Test func challengeOfAMegabyteChangesNothing() throws {
        let world = try World()
        try world.run("git-credential-mojoauth", ["store"], input: "\(Self.place)username=bob\npassword=pw\n\n")
        let got = try world.run(
            "git-credential-mojoauth", ["get"],
            input: "\(Self.place)wwwauth[]=Basic realm=\"\(Self.megabyte)\"\nwwwauth[]=Bearer host=x\n\n")
        #expect(got.text == "username=bob\npassword=pw\n", "\(got.exitCode), \(got.errors)")
    }

    /// By the name that docker runs, and by hand.
    @Test func dockerGetsAMegabyteBack() throws {
        let world = try World()
        let object = #"{"ServerURL":"registry.example.org","Username":"bob","Secret":"\#(Self.megabyte)"}"#
        let stored = try world.dockerCredential("store", object)
        #expect(stored.exitCode == 0 && stored.output.isEmpty, "\(stored.text.prefix(200))")
        #expect(try world.secret(["docker_cli": "1"]) == Self.megabyte)
        #expect(try world.dockerCredential("get", "registry.example.org").text == object + "\n")
        let byHand = try world.run("mojoauth-helper", ["docker", "get"], input: "registry.example.org")
        #expect(byHand.text == object + "\n")
        #expect(try Peer.secretService.run("get", "registry.example.org", in: world).text == object + "\n")
    }

    /// A token of ours of that size, wherever the issuer gets its ideas.
    @Test func tokenOfAMegabyteGoesWhereItCan() throws {
        let docker = try DockerWorld(.credHelpers)
        let world = docker.world
        let state = try #require(try docker.state())
        let token = try #require(state.firstMatch(of: /"access_token":"([^"]+)"/)?.1)
        let item = try #require(try world.items(["kind": "auth-state"]).first)
        try world.storeLargeSecret(
            state.replacing(token, with: Self.megabyte), label: "login", attributes: world.attributes(ofItem: item))
        #expect(try world.items([:]).count == 1)

        let byHand = try world.run("mojoauth-credential", ["get"])
        #expect(byHand.text == Self.megabyte + "\n", "\(byHand.exitCode), \(byHand.errors)")
        let url = try world.run("mojoauth-credential", ["get", "--format", "header", "http://\(docker.server)"])
        #expect(url.text == "Authorization: Bearer \(Self.megabyte)\n", "\(url.exitCode), \(url.errors)")
        let answer = try world.dockerCredential("get", docker.server)
        #expect(
            answer.text == #"{"ServerURL":"\#(docker.server)","Username":"oauth2","Secret":"\#(Self.megabyte)"}"# + "\n"
        )
        let git = try world.gitCredential("get", "http://\(docker.server)")
        #expect(git.exitCode == 1 && git.text == "quit=1\n")
        #expect(git.errors.split(separator: "\n").first?.contains("password longer than the 65535 bytes") == true)
    }
}

extension World {
    /// secret-tool reads 8,192 bytes and no more: libsecret itself takes the rest.
    fileprivate func storeLargeSecret(_ secret: String, label: String, attributes: [String: String]) throws {
        let script = """
            import ctypes, sys
            secret = ctypes.CDLL("libsecret-1.so.0")
            class Attribute(ctypes.Structure): _fields_ = [("name", ctypes.c_char_p), ("type", ctypes.c_int)]
            class Schema(ctypes.Structure):
                _fields_ = [("name", ctypes.c_char_p), ("flags", ctypes.c_int), ("attributes", Attribute * 32),
                            ("reserved", ctypes.c_int), ("more", ctypes.c_void_p * 7)]
            words = [word.encode() for word in sys.argv[2:]]
            pairs = dict(zip(words[1::2], words[2::2]))
            schema = Schema(name=pairs.pop(b"xdg:schema"))
            for index, name in enumerate(pairs): schema.attributes[index] = Attribute(name, 0)
            glib = ctypes.CDLL("libglib-2.0.so.0")
            glib.g_hash_table_new.restype = ctypes.c_void_p
            table = ctypes.c_void_p(glib.g_hash_table_new(glib.g_str_hash, glib.g_str_equal))
            for name, value in pairs.items():
                glib.g_hash_table_insert(table, ctypes.c_char_p(name), ctypes.c_char_p(value))
            text = open(sys.argv[1], "rb").read()
            stored = secret.secret_password_storev_sync(
                ctypes.byref(schema), table, None, ctypes.c_char_p(words[0]), ctypes.c_char_p(text), None, None)
            sys.exit(0 if stored else 1)

            """
        let outcome = try run(
            .python,
            [
                scratch.write(script, to: "store-large.py"), scratch.write(secret, to: "large-secret"), label,
            ] + attributes.flatMap { [$0.key, $0.value] })
        guard outcome.exitCode == 0 else { throw MissingPart(description: "libsecret did not store: \(outcome)") }
    }
}
