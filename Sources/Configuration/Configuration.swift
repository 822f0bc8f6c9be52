import WebAddress

/// The profiles and hosts of all configuration files.
///
/// Loading cuts the files into groups and learns which origin belongs to which host entry; an entry or a profile is
/// parsed when it is asked for, and its faults concern nobody else.
package struct Configuration: Sendable {
    /// Nearest first.
    let files: [ConfigurationFile]
    /// Host entries that have an origin: which one by the origin's text, and their labels. Text and number, because the
    /// runtime has that dictionary ready, while the first of another type costs the hot path a tenth of a millisecond.
    private let entries: [String: Int]
    private let labels: [String]
    /// The person's own file, whether it exists or not; nil without a home.
    package let userFile: String?
    package let defaults: Defaults

    /// Loads the files that `environment` names. A file that is not there is none.
    ///
    /// - Throws: ``ConfigurationError`` for a file that cannot be read, is not trusted or is no key file, for a
    ///   repeated group, for two entries of one origin and for a wrong value in `[defaults]`. Not for faults inside
    ///   one profile or host.
    package static func load(
        environment: ConfigurationEnvironment = .process
    ) throws(ConfigurationError) -> Configuration {
        let userFile = try environment.userFile()
        var files: [ConfigurationFile] = []
        for path in (userFile.map { [$0] } ?? []) + environment.systemFiles() {
            guard let bytes = try CheckedFile.read(path, owner: environment.effectiveUser) else { continue }
            files.append(try ConfigurationFile(path: path, bytes: bytes))
        }
        return try Configuration(files: files, userFile: userFile)
    }

    /// A configuration of texts instead of files, nearest first.
    package init(texts: [(path: String, text: String)]) throws(ConfigurationError) {
        var files: [ConfigurationFile] = []
        for (path, text) in texts { files.append(try ConfigurationFile(path: path, bytes: Array(text.utf8))) }
        try self.init(files: files, userFile: texts.first?.path)
    }

    init(files: [ConfigurationFile], userFile: String?) throws(ConfigurationError) {
        self.files = files
        self.userFile = userFile
        (entries, labels) = try Self.index(files)
        defaults = try Defaults(GroupReader(.defaults, "defaults", in: files))
    }

    // MARK: Origins

    private static func index(
        _ files: [ConfigurationFile]
    ) throws(ConfigurationError) -> (entries: [String: Int], labels: [String]) {
        var entries: [String: Int] = [:]
        var labels: [String] = []
        entries.reserveCapacity(files.reduce(0) { $0 + $1.sections.count })
        var misspelled: [(label: String, origin: String)] = []
        for (depth, file) in files.enumerated() {
            for section in file.sections where section.kind == .host {
                guard let range = section.url,
                    !files[..<depth].contains(where: { $0.section(.host, section.name)?.url != nil })
                else { continue }
                guard let origin = HostEntry.originText(of: file.bytes[range]) else {
                    let text = String(decoding: file.bytes[range], as: UTF8.self)
                    if let origin = guess(text) { misspelled.append((section.name, origin.description)) }
                    continue
                }
                if let other = entries.updateValue(labels.count, forKey: origin) {
                    throw duplicate(origin, section, of: file, first: labels[other], in: files)
                }
                labels.append(section.name)
            }
        }
        // The entry's own error is said when its host asks, instead of taking the host for a stranger.
        for (label, origin) in misspelled where entries[origin] == nil {
            entries[origin] = labels.count
            labels.append(label)
        }
        return (entries, labels)
    }

    /// The origin that a faulty `url` is most likely about: a path behind it, or no scheme before it.
    private static func guess(_ text: String) -> Origin? {
        WebURL(text)?.origin ?? WebURL("https://" + text)?.origin
    }

    private static func duplicate(
        _ origin: String, _ section: ConfigurationFile.Section, of file: ConfigurationFile, first label: String,
        in files: [ConfigurationFile]
    ) -> ConfigurationError {
        var place = ""
        for other in files {
            if let first = other.section(.host, label), first.url != nil {
                place = other.path == file.path ? "line \(first.urlLine)" : "\(other.path):\(first.urlLine)"
                break
            }
        }
        return ConfigurationError(
            .ambiguous, file: file.path, line: section.urlLine,
            "[\(section.title)] names \(origin), as [host \(label)] does in \(place)")
    }

    // MARK: Looking up

    /// The entry that names this very origin; nil when none does.
    ///
    /// - Throws: ``ConfigurationError`` for faults of that entry, and `.unknownProfile` when no file has its profile.
    package func hostEntry(for origin: Origin) throws(ConfigurationError) -> HostEntry? {
        guard let entry = entries[origin.description] else { return nil }
        return try checkedHost(labelled: labels[entry])
    }

    func checkedHost(labelled label: String) throws(ConfigurationError) -> HostEntry {
        let group = try GroupReader(.host, label, in: files)
        let entry = try HostEntry(label: label, group)
        guard hasProfile(named: entry.profileName) else {
            let place = group.place(of: "profile")
            throw ConfigurationError(
                .unknownProfile, file: place.file, line: place.line,
                "[host \(label)] needs the profile \(quote(entry.profileName)), which no file has")
        }
        return entry
    }

    package func hasProfile(named name: String) -> Bool {
        files.contains { $0.section(.profile, name) != nil }
    }

    /// - Throws: ``ConfigurationError`` `.unknownProfile` when no file has it, or what is wrong with it.
    package func profile(named name: String) throws(ConfigurationError) -> Profile {
        let group = try GroupReader(.profile, name, in: files)
        guard group.exists else {
            throw ConfigurationError(
                .unknownProfile, file: userFile ?? files.first?.path ?? "configuration",
                "there is no profile \(quote(name))")
        }
        return try Profile(name: name, group)
    }

    /// The files that were read, nearest first.
    package var sources: [String] { files.map(\.path) }

    /// In the order of the files, each once.
    package var profileNames: [String] { names(of: .profile) }

    /// The labels of all host entries, in the order of the files, each once.
    package var hostLabels: [String] { names(of: .host) }

    private func names(of kind: ConfigurationFile.Kind) -> [String] {
        var seen: Set<String> = []
        return files.flatMap(\.sections).filter { $0.kind == kind && seen.insert($0.name).inserted }.map(\.name)
    }
}
