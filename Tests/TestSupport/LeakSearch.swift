import Foundation

/// Looks for secrets in texts, in every form that a program may put them into.
package enum LeakSearch {
    /// The secrets that stand in one of the texts.
    package static func find(_ secrets: [String], in texts: [String]) -> [String] {
        find(secrets, inEach: [texts.joined(separator: "\n")]).flatMap(\.self)
    }

    /// The secrets that stand in each of the texts.
    package static func find(_ secrets: [String], inEach texts: [String]) -> [[String]] {
        let texts = texts.map { Array($0.utf8) }
        var found = texts.map { _ in [String]() }
        for secret in secrets {
            let forms = forms(of: secret)
            for (index, text) in texts.enumerated() where forms.contains(where: { contains(text, $0) }) {
                found[index].append(secret)
            }
        }
        return found
    }

    /// Plain, percent-encoded, in hexadecimal digits, and in base64 at each of its three alignments: in a Basic header
    /// it stands behind a user's name.
    static func forms(of secret: String) -> Set<[UInt8]> {
        let bytes = Array(secret.utf8)
        let hex = bytes.map { String(format: "%02x", $0) }
        let unreserved = Set("-._~".utf8)
        let escaped = bytes.map { byte in
            let isPlain = unreserved.contains(byte) || UnicodeScalar(byte).properties.isAlphabetic && byte < 0x80
            return isPlain || (0x30...0x39).contains(byte)
                ? String(UnicodeScalar(byte)) : String(format: "%%%02X", byte)
        }.joined()
        let everyByte = hex.map { "%" + $0 }.joined()
        let texts = [
            secret, escaped, lowerDigits(escaped), escaped.replacing("%20", with: "+"), everyByte,
            everyByte.uppercased(), hex.joined(), hex.joined().uppercased(),
        ]
        let encoded = (0..<3).map { base64(bytes, behind: $0) }
        let url = encoded.map { $0.replacing("+", with: "-").replacing("/", with: "_") }
        return Set((texts + encoded + url).map { Array($0.utf8) })
    }

    /// What base64 makes of these bytes alone when others stand in front of them and behind: the characters at the edges
    /// hold bits of theirs, and are cut.
    private static func base64(_ bytes: [UInt8], behind count: Int) -> String {
        let text = Data([UInt8](repeating: 0, count: count) + bytes).base64EncodedString()
        let first = (count * 8 + 5) / 6
        let end = (count + bytes.count) * 8 / 6
        return String(text.prefix(end).dropFirst(first))
    }

    /// Of the escapes alone.
    private static func lowerDigits(_ text: String) -> String {
        text.replacing(/%[0-9A-F]{2}/) { $0.output.lowercased() }
    }

    private static func contains(_ text: [UInt8], _ form: [UInt8]) -> Bool {
        text.withUnsafeBytes { text in
            guard var start = text.baseAddress, let first = form.first, form.count <= text.count else { return false }
            let end = start + text.count - form.count + 1
            while start < end, let found = memchr(start, CInt(first), end - start) {
                if memcmp(found, form, form.count) == 0 { return true }
                start = UnsafeRawPointer(found) + 1
            }
            return false
        }
    }

    /// Names and contents of what the programs may have written: home, temporary and runtime folders and that of the
    /// locks. The keyring's own files are left out: what is in them is its affair.
    package static func files(of world: World) -> [String] {
        let own = ["home", "tmp", "run", "etc-xdg"].map(world.scratch.path)
        let locks = getpwuid(geteuid()).map { String(cString: $0.pointee.pw_dir) + "/.local/state/mojoauth-credential" }
        return (own + [locks].compactMap(\.self)).flatMap { root -> [String] in
            let files = FileManager.default.enumerator(atPath: root)?.compactMap { $0 as? String } ?? []
            return files.filter { !$0.contains("keyrings") }.map { file in
                let data = FileManager.default.contents(atPath: "\(root)/\(file)") ?? Data()
                return file + "\n" + String(decoding: data, as: UTF8.self)
            }
        }
    }
}
