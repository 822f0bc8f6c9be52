import Foundation
import TestSupport
import Testing

/// Requests that no client ought to make, on the real programs: exit code, both streams byte for byte, and a keyring
/// that is what it was.
@Suite(.serialized) struct BadInputTests {
    struct Row: Sendable, CustomTestStringConvertible {
        var name: String
        var arguments: [String]
        /// What is read; nil: `redirection` says it.
        var input: [UInt8] = []
        /// Of a shell, in place of the input: `<&-`, `>/dev/full`.
        var redirection: String?
        var exitCode: Int32 = 1
        var output = ""
        var errors = ""

        var testDescription: String { name }

        /// git's protocol: errors stand on standard error, behind the program's name.
        static func git(
            _ name: String, _ operation: String, _ input: String, exit: Int32 = 1, error: String? = nil
        ) -> Row {
            Row(
                name: "git \(operation): \(name)", arguments: ["git-credential-mojoauth", operation],
                input: Array(input.utf8), exitCode: exit,
                errors: error.map { "git-credential-mojoauth: error: \($0)\n" } ?? "")
        }

        /// docker's protocol: errors stand on standard output.
        static func docker(_ name: String, _ action: String, _ input: String, exit: Int32 = 1, _ output: String) -> Row
        {
            Row(
                name: "docker \(action): \(name)", arguments: ["docker-credential-mojoauth", action],
                input: Array(input.utf8), exitCode: exit, output: output.isEmpty ? "" : output + "\n")
        }
    }

    private static let noServer = "git's request names no protocol and host"
    private static let place = "protocol=https\nhost=code.example.org\n"
    private static func understood(_ why: String) -> String { "git's request is not understood: \(why)" }
    private static func notKeyValue(_ line: Int) -> String {
        understood("line \(line) of the request is not of the form key=value")
    }

    static let gitRows: [Row] =
        ["get", "store", "erase"].flatMap { operation in
            [
                .git("nothing", operation, "", error: noServer),
                .git("a blank line", operation, "\n", error: noServer),
                .git("blank lines", operation, "\n\n\n\(place)\n", error: noServer),
                .git("no equals sign", operation, "protocol\n\n", error: notKeyValue(1)),
                .git("no equals sign further down", operation, "\(place)x\n\n", error: notKeyValue(3)),
                .git("a line of blanks", operation, "\(place)  \n\n", error: notKeyValue(3)),
                .git(
                    "CR LF", operation, "protocol=https\r\nhost=x\r\n\r\n",
                    error: understood("protocol with a carriage return")),
                .git(
                    "CR in host", operation, "protocol=https\nhost=x\r.example\n\n",
                    error: understood("host with a carriage return")),
                .git(
                    "CR alone between lines", operation, "protocol=https\rhost=x\r\r",
                    error: understood("protocol with a carriage return")),
                .git(
                    "NUL in a value", operation, "\(place)username=bob\0eve\n\n",
                    error: understood("request with a NUL byte")),
                .git("NUL in a key", operation, "proto\0col=https\n\n", error: understood("request with a NUL byte")),
                .git(
                    "url with LF", operation, "url=https://x%0aprotocol=https/\n\n",
                    error: understood("url with a control character behind a percent sign")),
                .git(
                    "url with CR", operation, "url=https://x%0D/\n\n",
                    error: understood("url with a control character behind a percent sign")),
                .git(
                    "url with NUL", operation, "url=https://x%00/\n\n",
                    error: understood("url with a control character behind a percent sign")),
                .git(
                    "url with LF in the username", operation, "url=https://a%0ab@x/\n\n",
                    error: understood("url with a control character behind a percent sign")),
                .git(
                    "url with LF in the path", operation, "url=https://x/a%0ab\n\n",
                    error: understood("url with a control character behind a percent sign")),
                .git(
                    "url without a scheme", operation, "url=x.example/y\n\n", error: understood("url without a scheme")),
                .git("empty url", operation, "url=\n\n", error: understood("url without a scheme")),
                .git(
                    "ephemeral is no boolean", operation, "\(place)ephemeral=perhaps\n\n",
                    error: understood("ephemeral is neither true nor false")),
                .git("JSON", operation, "{\"protocol\":\"https\"}\n", error: notKeyValue(1)),
            ]
        } + [
            .git("no protocol", "get", "host=code.example.org\n\n", error: noServer),
            .git("no protocol", "store", "host=x\nusername=u\npassword=p\n\n", error: noServer),
            .git("empty protocol", "get", "protocol=\nhost=x\n\n", error: noServer),
            .git("no host", "get", "protocol=https\n\n", error: noServer),
            .git("empty key", "get", "=x\n\n", error: noServer),
            .git("empty erase", "erase", "password=pw\n\n", error: noServer),
            .git("nothing to keep", "store", "\(place)\n", exit: 0),
            .git("a username alone", "store", "\(place)username=bob\n\n", exit: 0),
            .git("a password alone", "store", "\(place)password=x\n\n", exit: 0),
            .git("ephemeral", "store", "\(place)username=bob\npassword=x\nephemeral=1\n\n", exit: 0),
            .git("another password", "erase", "\(place)username=bob\npassword=not it\n\n", exit: 0),
            .git("another host", "erase", "protocol=https\nhost=evil.example\n\n", exit: 0),
            .git("another host", "get", "protocol=https\nhost=evil.example\n\n", exit: 0),
            .git("unknown", "frobnicate", "x", exit: 0),
            .git("GET", "GET", place, exit: 0),
            .git("empty", "", place, exit: 0),
        ]

    private static let miss = "credentials not found in native keychain"

    static let dockerRows: [Row] = [
        .docker("nothing", "get", "", "no credentials server URL"),
        .docker("blanks", "get", " \n\t\r\n ", "no credentials server URL"),
        .docker("nothing", "erase", "", "no credentials server URL"),
        .docker("an unknown server", "get", "unknown.example", miss),
        .docker("an unknown server", "erase", "unknown.example", exit: 0, ""),
        .docker("two lines", "get", "a.example\nb.example", "credentials server URL is not printable text"),
        .docker("NUL", "get", "a.example\0b", "credentials server URL is not printable text"),
        .docker("JSON", "get", #"{"ServerURL":"registry.example.org"}"#, miss),
        .docker("nothing", "store", "", "empty where JSON was expected"),
        .docker("no JSON", "store", "registry.example.org", "not valid JSON (at byte 8)"),
        .docker("a list", "store", "[]", "JSON, but not an object"),
        .docker("a string", "store", "\"x\"", "JSON, but neither an object nor an array (at byte 3)"),
        .docker("an empty object", "store", "{}", "no credentials server URL"),
        .docker(
            "an empty server", "store", #"{"ServerURL":"","Username":"u","Secret":"s"}"#, "no credentials server URL"),
        .docker("no username", "store", #"{"ServerURL":"x.example","Secret":"s"}"#, "no credentials username"),
        .docker(
            "a null username", "store", #"{"ServerURL":"x.example","Username":null,"Secret":"s"}"#,
            "no credentials username"),
        .docker(
            "a number as server", "store", #"{"ServerURL":7,"Username":"u","Secret":"s"}"#, "ServerURL is not a string"),
        .docker(
            "a list as secret", "store", #"{"ServerURL":"x.example","Username":"u","Secret":["s"]}"#,
            "Secret is not a string"),
        .docker(
            "a key twice", "store", #"{"ServerURL":"x.example","ServerURL":"y.example","Username":"u","Secret":"s"}"#,
            "a JSON object names one member twice (at byte 36)"),
        .docker(
            "a lone surrogate", "store", #"{"ServerURL":"x.example","Username":"u","Secret":"\ud800"}"#,
            "not valid JSON (at byte 57)"),
        .docker(
            "NUL in the secret", "store", #"{"ServerURL":"x.example","Username":"u","Secret":"a\u0000b"}"#,
            "not valid JSON (at byte 59)"),
        .docker("cut off", "store", #"{"ServerURL":"x.example","Usern"#, "not valid JSON (at byte 31)"),
        .docker(
            "something behind it", "store", #"{"ServerURL":"x.example","Username":"u","Secret":"s"} x"#,
            "not valid JSON (at byte 55)"),
        .docker("unknown", "frobnicate", "", "docker-credential-mojoauth: unknown action: frobnicate"),
        .docker("GET", "GET", "x", "docker-credential-mojoauth: unknown action: GET"),
        .docker("empty", "", "x", "docker-credential-mojoauth: unknown action: "),
        Row(
            name: "docker: no action", arguments: ["docker-credential-mojoauth"],
            errors: "usage: docker-credential-mojoauth get|store|erase|list|version\n"),
        Row(
            name: "docker: two words", arguments: ["docker-credential-mojoauth", "get", "x"],
            errors: "usage: docker-credential-mojoauth get|store|erase|list|version\n"),
        Row(
            name: "git: no operation", arguments: ["git-credential-mojoauth"],
            errors: "usage: git-credential-mojoauth get|store|erase|capability\n"),
        Row(
            name: "helper: no word", arguments: ["mojoauth-helper"],
            errors: "usage: mojoauth-helper git|docker|kubernetes|cargo|bazel|terraform|keyring|goauth|token ...\n"),
        Row(
            name: "helper: unknown word", arguments: ["mojoauth-helper", "svn", "get"],
            errors: "usage: mojoauth-helper git|docker|kubernetes|cargo|bazel|terraform|keyring|goauth|token ...\n"),
        Row(
            name: "docker get: not UTF-8", arguments: ["docker-credential-mojoauth", "get"], input: [0x61, 0xFF],
            output: "credentials server URL is not printable text\n"),
        Row(
            name: "docker store: not UTF-8", arguments: ["docker-credential-mojoauth", "store"],
            input: Array(#"{"ServerURL":"x.example","Username":"u","Secret":""#.utf8) + [0xFF, 0x22, 0x7D],
            output: "not valid JSON (at byte 50)\n"),
        Row(
            name: "git store: not UTF-8", arguments: ["git-credential-mojoauth", "store"],
            input: Array("\(place)password=x\nusername=".utf8) + [0xFF, 0x0A, 0x0A],
            errors:
                "git-credential-mojoauth: error: the credential cannot be kept: the keyring takes text in UTF-8 alone\n"
        ),
        Row(
            name: "git get: not UTF-8", arguments: ["git-credential-mojoauth", "get"],
            input: Array("\(place)username=".utf8) + [0xFF, 0x0A, 0x0A], exitCode: 0),
    ]

    private static let large = "larger than the limit"

    static let streamRows: [Row] = [
        Row(
            name: "git: closed stdin", arguments: ["git-credential-mojoauth", "get"], redirection: "<&-",
            errors: "git-credential-mojoauth: error: cannot read git's request: Bad file descriptor\n"),
        Row(
            name: "git: a folder as stdin", arguments: ["git-credential-mojoauth", "get"], redirection: "</",
            errors: "git-credential-mojoauth: error: cannot read git's request: Is a directory\n"),
        Row(
            name: "git: an endless line", arguments: ["git-credential-mojoauth", "get"], redirection: "</dev/zero",
            errors: "git-credential-mojoauth: error: cannot read git's request: \(large)\n"),
        Row(
            name: "docker: closed stdin", arguments: ["docker-credential-mojoauth", "get"], redirection: "<&-",
            output: "cannot read the request: Bad file descriptor\n"),
        Row(
            name: "docker: an endless line", arguments: ["docker-credential-mojoauth", "get"],
            redirection: "</dev/zero", output: "cannot read the request: \(large)\n"),
        Row(
            name: "git: closed stdout", arguments: ["git-credential-mojoauth", "get"], input: Array("\(place)\n".utf8),
            redirection: ">&-", errors: "git-credential-mojoauth: error: cannot write the answer: Bad file descriptor\n"
        ),
        Row(
            name: "git: a full stdout", arguments: ["git-credential-mojoauth", "get"], input: Array("\(place)\n".utf8),
            redirection: ">/dev/full",
            errors: "git-credential-mojoauth: error: cannot write the answer: No space left on device\n"),
        Row(
            name: "git: closed stderr", arguments: ["git-credential-mojoauth", "get"], input: Array("x\n".utf8),
            redirection: "2>&-"),
        Row(
            name: "git: a miss into a closed stdout", arguments: ["git-credential-mojoauth", "get"],
            input: Array("protocol=https\nhost=evil.example\n\n".utf8), redirection: ">&-", exitCode: 0),
        Row(
            name: "docker: closed stdout", arguments: ["docker-credential-mojoauth", "get"],
            input: Array("registry.example.org".utf8), redirection: ">&-"),
        Row(
            name: "docker: a full stdout", arguments: ["docker-credential-mojoauth", "get"],
            input: Array("registry.example.org".utf8), redirection: ">/dev/full"),
        Row(
            name: "docker: everything closed", arguments: ["docker-credential-mojoauth", "list"],
            redirection: "<&- >&- 2>&-"),
        Row(
            name: "git: a million lines", arguments: ["git-credential-mojoauth", "get"], redirection: "</million",
            exitCode: 0, output: "username=bob\npassword=pw\n"),
        Row(
            name: "git: too many lines", arguments: ["git-credential-mojoauth", "get"], redirection: "</too-many",
            errors: "git-credential-mojoauth: error: cannot read git's request: \(large)\n"),
    ]

    @Test func everyRowAnswersAsItShallAndLeavesTheKeyring() throws {
        let world = try World()
        try world.gitCredential("store", "https://code.example.org", ["username": "bob", "password": "pw"])
        try world.dockerCredential("store", #"{"ServerURL":"registry.example.org","Username":"bob","Secret":"pw"}"#)
        let million = try world.scratch.write(
            Self.place + String(repeating: "x=y\n", count: 1_000_000) + "\n", to: "million")
        let tooMany = try world.scratch.write(String(repeating: "abcdef=y\n", count: 2_000_000), to: "too-many")
        let before = try contents(world)
        for row in Self.gitRows + Self.dockerRows + Self.streamRows {
            let input = world.scratch.path("input")
            try Data(row.input).write(to: URL(fileURLWithPath: input))
            let redirection = (row.redirection ?? "").replacing("/million", with: million)
                .replacing("/too-many", with: tooMany)
            // A later redirection of the same stream is the one that counts.
            let outcome = try world.run(
                "sh", ["-c", "exec \"$@\" <\(input) \(redirection)", "sh"] + row.arguments, timeout: 30)
            #expect(outcome.exitCode == row.exitCode, "\(row.name): \(outcome)")
            #expect(outcome.text == row.output, "\(row.name): \(outcome)")
            #expect(outcome.errors == row.errors, "\(row.name): \(outcome)")
            #expect(outcome.seconds < 10, "\(row.name): \(outcome.seconds)")
            #expect(try contents(world) == before, "\(row.name)")
        }
    }

    /// Every item with its attributes and its secret.
    private func contents(_ world: World) throws -> [String] {
        try world.items([:]).sorted().map { path in
            let attributes = try world.attributes(ofItem: path)
            return try "\(path) \(attributes.sorted { $0.key < $1.key }) \(world.secret(attributes) ?? "")"
        }
    }
}
