import Options

/// How a command gets the token, and the variable that holds it or says where it is.
enum TokenWay {
    case environment(String)
    case file(String)
    case descriptor(String)

    static var standardVariable: String { "MOJOAUTH_TOKEN" }

    /// Programs, the shell and the loader go by these: a token in them would do harm, and be told around.
    private static let taken: Set<String> = [
        "PATH", "HOME", "USER", "LOGNAME", "SHELL", "PWD", "OLDPWD", "IFS", "ENV", "TERM", "LANG", "TMPDIR", "TZ",
        "DISPLAY",
    ]

    /// - Throws: ``OptionFault`` for what is no name (POSIX, Base Definitions, section 3.216), or one that is taken.
    static func check(variable name: String) throws(OptionFault) {
        let isName =
            name.utf8.first.map { isLetter($0) } ?? false
            && name.utf8.allSatisfy { isLetter($0) || (0x30...0x39).contains($0) }
        guard isName else {
            throw OptionFault("a variable's name has letters, digits and _ alone, and no digit in front")
        }
        guard !taken.contains(name), !["LD_", "LC_", "BASH", "XDG_"].contains(where: { name.hasPrefix($0) }) else {
            throw OptionFault("\(name) has a meaning of its own: take another name")
        }
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte) || byte == 0x5F
    }
}
