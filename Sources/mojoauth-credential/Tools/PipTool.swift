import Program

/// pip: its `keyring-provider`, and the program that it then runs.
enum PipTool: KeyringUser {
    static let name = "pip"
    static let summary = "Let pip take the token for a package index"
    static let description = """
        Sets keyring-provider in the person's pip.conf, and makes a link named "keyring" to this helper in a folder of
        its own, ~/.local/share/mojoauth-credential/keyring. The line that puts this folder into PATH is printed: it
        is the person's to add. pip asks for an index whose URL names a user, https://oauth2@HOST/. Needs pip 23.1.

        Where pip.conf sets it itself it is left alone and the lines are printed.

        Example:
          mojoauth-credential configure pip
        """
    static let undoDescription = """
        Takes the lines out of pip.conf again, and the link away unless uv needs it.

        Example:
          mojoauth-credential unconfigure pip
        """

    static func setting() throws(Complaint) -> ToolSetting {
        ToolSetting(
            file: try .inConfiguration("pip/pip.conf"), language: .ini, undo: undo, table: "global",
            lines: ["keyring-provider = subprocess"], rivals: ["keyring-provider", "keyring_provider"])
    }

    static var other: any KeyringUser.Type { UVTool.self }
}
