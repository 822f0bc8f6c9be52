import Program

/// uv: its `keyring-provider`, and the program that it then runs, which is pip's.
enum UVTool: KeyringUser {
    static let name = "uv"
    static let summary = "Let uv take the token for a package index"
    static let description = """
        Sets keyring-provider at the head of ~/.config/uv/uv.toml, and makes a link named "keyring" to this helper in
        a folder of its own, ~/.local/share/mojoauth-credential/keyring. The line that puts this folder into PATH is
        printed: it is the person's to add. uv asks for an index whose URL names a user, https://oauth2@HOST/.

        Where uv.toml sets it itself it is left alone and the lines are printed.

        Example:
          mojoauth-credential configure uv
        """
    static let undoDescription = """
        Takes the lines out of uv.toml again, and the link away unless pip needs it.

        Example:
          mojoauth-credential unconfigure uv
        """

    static func setting() throws(Complaint) -> ToolSetting {
        ToolSetting(
            // A key that stands in no table stands before all of them.
            file: try .inConfiguration("uv/uv.toml"), language: .toml, undo: undo, place: .begin,
            lines: ["keyring-provider = \"subprocess\""], rivals: ["keyring-provider"])
    }

    static var other: any KeyringUser.Type { PipTool.self }
}
