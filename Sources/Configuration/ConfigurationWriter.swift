import CGLib
import Glibc

/// Changes the person's own file and nothing in it but what was asked for: comments, order, other groups stay.
package struct ConfigurationWriter {
    package enum Group: Sendable {
        case profile(String)
        case host(label: String)
        case defaults
    }

    package enum Value: Sendable {
        case text(String)
        case list([String])
    }

    package struct Setting: Sendable {
        package var key: String
        /// Nil removes the key.
        package var value: Value?
        /// Stands above the key where it is new; one line.
        package var comment: String?

        package init(_ key: String, _ value: Value?) {
            self.key = key
            self.value = value
        }

        package init(_ key: String, _ text: String?) {
            self.init(key, text.map { .text($0) })
        }
    }

    private let environment: ConfigurationEnvironment

    package init(environment: ConfigurationEnvironment = .process) {
        self.environment = environment
    }

    /// Sets keys of a group, which is made if there is none.
    ///
    /// The result is parsed together with the other files before anything is written: a group that would not load is
    /// refused, and the file stays as it is.
    ///
    /// - Throws: ``ConfigurationError``: what the load would throw, or `.untrusted` or `.unwritable`.
    package func set(_ settings: [Setting], in group: Group) throws(ConfigurationError) {
        _ = try change(group) { (text: inout ConfigurationText) throws(ConfigurationError) in
            try text.set(settings, in: group)
            return true
        }
    }

    /// What the configuration would be with these settings; nothing is written.
    ///
    /// - Throws: what ``set(_:in:)`` would.
    package func preview(_ settings: [Setting], in group: Group) throws(ConfigurationError) -> Configuration {
        let (path, old) = try read()
        var text = ConfigurationText(try ConfigurationFile(path: path, bytes: old ?? Array(Self.header.utf8)))
        try text.set(settings, in: group)
        return try check(text, path, group)
    }

    /// Removes a group.
    ///
    /// - Returns: whether there was one.
    package func remove(_ group: Group) throws(ConfigurationError) -> Bool {
        try change(nil) { (text: inout ConfigurationText) throws(ConfigurationError) in text.remove(group) }
    }

    private func change(
        _ checked: Group?, _ edit: (inout ConfigurationText) throws(ConfigurationError) -> Bool
    ) throws(ConfigurationError) -> Bool {
        guard let path = try environment.userFile() else { throw Self.homeless }
        let folder = try ConfigurationFolder(of: path)
        let (_, old) = try read()
        var text = ConfigurationText(try ConfigurationFile(path: path, bytes: old ?? Array(Self.header.utf8)))
        guard try edit(&text) else { return false }
        _ = try check(text, path, checked)
        try folder.replace(with: text.bytes)
        return true
    }

    private static var homeless: ConfigurationError {
        ConfigurationError(.unwritable, file: "configuration", "there is no home directory to write it to")
    }

    private func read() throws(ConfigurationError) -> (path: String, bytes: [UInt8]?) {
        guard let path = try environment.userFile() else { throw Self.homeless }
        return (path, try CheckedFile.read(path, owner: environment.effectiveUser, flags: O_NOFOLLOW))
    }

    private func check(
        _ text: ConfigurationText, _ path: String, _ group: Group?
    ) throws(ConfigurationError) -> Configuration {
        var files = [try ConfigurationFile(path: path, bytes: text.bytes)]
        for other in environment.systemFiles() {
            guard let bytes = try CheckedFile.read(other, owner: environment.effectiveUser) else { continue }
            files.append(try ConfigurationFile(path: other, bytes: bytes))
        }
        let result = try Configuration(files: files, userFile: path)
        do throws(ConfigurationError) {
            switch group {
            case .profile(let name): _ = try result.profile(named: name)
            case .host(let label): _ = try result.checkedHost(labelled: label)
            case .defaults, nil: break
            }
        } catch {
            guard error.file == path else { throw error }
            // Its line is one of a text that nobody will see.
            throw ConfigurationError(.unacceptable, file: path, "nothing was written: \(error.text)")
        }
        return result
    }

    private static var header: String {
        "# Profiles and hosts of mojoauth-credential; the keys are in mojoauth-credential.conf(5).\n"
    }
}
