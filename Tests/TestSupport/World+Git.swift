/// git as a person who configured `credential.helper = mojoauth` runs it.
extension World {
    /// The literal line of the manual, and an identity to commit under.
    package func useHelperForGit() throws {
        for (name, value) in [
            ("credential.helper", "mojoauth"), ("user.name", "Test"), ("user.email", "test@example.com"),
        ] {
            let outcome = try run(.git, ["config", "--global", name, value])
            guard outcome.exitCode == 0 else { throw MissingPart(description: "git config: \(outcome)") }
        }
    }

    /// `git clone` into a folder of the scratch folder.
    package func clone(_ url: String, into name: String) throws -> Outcome {
        try run(.git, ["clone", url, scratch.path(name)])
    }

    /// Commits a file in a clone and pushes it.
    package func push(from name: String, file: String) throws -> Outcome {
        let work = scratch.path(name)
        try scratch.write("\(file)\n", to: "\(name)/\(file)")
        for arguments in [["add", file], ["commit", "--quiet", "-m", "add \(file)"]] {
            let outcome = try run(.git, ["-C", work] + arguments)
            guard outcome.exitCode == 0 else { return outcome }
        }
        return try run(.git, ["-C", work, "push", "origin", "HEAD"])
    }
}
