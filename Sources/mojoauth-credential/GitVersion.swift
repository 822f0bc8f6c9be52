/// What `git --version` says.
struct GitVersion {
    let text: String
    private let number: (major: Int, minor: Int)

    init?(_ output: String) {
        guard let word = output.split(whereSeparator: { $0 == " " || $0 == "\n" }).dropFirst(2).first else {
            return nil
        }
        let parts = word.split(separator: ".")
        guard parts.count >= 2, let major = Int(parts[0]), let minor = Int(parts[1]) else { return nil }
        text = String(word)
        number = (major, minor)
    }

    /// With it came authtype and `http.proactiveAuth`.
    var knowsProactiveAuth: Bool { number >= (2, 46) }

    var words: String {
        knowsProactiveAuth
            ? "\(text): renews a refused token within the command, can send it unasked (http.proactiveAuth)"
            : "\(text): a refused token is renewed by the next command (2.46 does so within the same)"
    }
}
