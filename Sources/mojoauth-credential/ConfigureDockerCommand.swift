import CGLib
import Glibc
import JSON
import Options
import Program
import WebAddress

enum ConfigureDockerCommand: Command {
    struct Values: ProfileOption {
        var profile: String?
        var allowsInsecure = false
    }

    static let name = "docker"
    static let summary = "Let docker, skopeo and podman take the token for a registry"
    static let defaults = Values()
    static let wordKind = WordKind.authority

    static var table: OptionTable<Values> {
        OptionTable(
            command: "mojoauth-credential configure docker", parameters: "REGISTRY", summary: summary,
            description: """
                Adds a host entry to the configuration file, and the registry to "credHelpers" of docker's config.json.

                Example:
                  mojoauth-credential configure docker registry.example.com
                """,
            rows: [
                .profile,
                OptionRow("allow-insecure", help: "The registry speaks http, on loopback alone") { values, _ in
                    values.allowsInsecure = true
                },
            ])
    }

    static func run(_ values: Values, _ words: [String]) throws(Complaint) -> ExitCode {
        let scheme = values.allowsInsecure ? "http" : "https"
        guard words.count == 1, let origin = Origin(scheme: scheme, authority: words[0]) else {
            throw Complaint(
                "the registry must be one HOST or HOST:PORT, without a scheme",
                hint: "see 'mojoauth-credential configure docker --help'", exitCode: .usage)
        }
        let entry = try ConfiguredHost.ensure(
            origin, profile: values.profile, allowsInsecure: values.allowsInsecure, desk: Desk())
        let file = try DockerConfigurationFile.user()
        let changed = try file.setHelper("mojoauth", for: words[0])
        StandardStream.writeError(
            entry
                + (changed
                    ? "Set credHelpers[\"\(words[0])\"] to \"mojoauth\" in \(file.path).\n"
                    : "\(file.path) has credHelpers[\"\(words[0])\"] set already.\n"))
        return .success
    }
}

/// docker's config.json, of which one member is ours to change.
struct DockerConfigurationFile {
    let path: String

    /// `$DOCKER_CONFIG/config.json`, else `~/.docker/config.json`.
    static func user() throws(Complaint) -> DockerConfigurationFile {
        if let folder = ProcessEnvironment["DOCKER_CONFIG"] {
            return DockerConfigurationFile(path: folder + "/config.json")
        }
        guard let home = ProcessEnvironment["HOME"] else {
            throw Complaint("HOME is not set, so docker's config.json cannot be found", exitCode: .configuration)
        }
        return DockerConfigurationFile(path: home + "/.docker/config.json")
    }

    /// - Returns: whether the file had to be changed.
    func setHelper(_ helper: String, for server: String) throws(Complaint) -> Bool {
        var configuration = try read()
        var helpers = configuration["credHelpers"]?.object ?? JSONObject()
        guard helpers[server] != .string(helper) else { return false }
        helpers[server] = .string(helper)
        configuration["credHelpers"] = .object(helpers)
        try write(configuration)
        return true
    }

    /// Empty when there is no file.
    func read() throws(Complaint) -> JSONObject {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            if errno == ENOENT { return JSONObject() }
            throw Complaint("cannot read \(path): \(String(cString: strerror(errno)))", exitCode: .configuration)
        }
        defer { close(descriptor) }
        guard let bytes = try? StandardStream.read(descriptor: descriptor, limit: 4 << 20) else {
            throw Complaint("cannot read \(path)", exitCode: .configuration)
        }
        if bytes.isEmpty { return JSONObject() }
        do throws(JSONError) {
            guard let object = try JSONValue(parsing: bytes).object else {
                throw JSONError(.notContainer)
            }
            return object
        } catch {
            throw Complaint(
                "\(path): \(error.description)", hint: "mend the file; it was not changed", exitCode: .configuration)
        }
    }

    private func write(_ configuration: JSONObject) throws(Complaint) {
        let text = try Report.text(.object(configuration))
        let folder = String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)])
        guard g_mkdir_with_parents(folder, 0o700) == 0 else {
            throw Complaint("cannot make \(folder): \(String(cString: strerror(errno)))", exitCode: .configuration)
        }
        var failure: UnsafeMutablePointer<GError>?
        // Atomic, and synced: docker finds the old file or the new one.
        let flags = GFileSetContentsFlags(
            rawValue: G_FILE_SET_CONTENTS_CONSISTENT.rawValue | G_FILE_SET_CONTENTS_DURABLE.rawValue)
        guard g_file_set_contents_full(path, text, gssize(text.utf8.count), flags, 0o600, &failure) != 0 else {
            let reason = failure.map { String(cString: $0.pointee.message) } ?? "no reason given"
            g_clear_error(&failure)
            throw Complaint("cannot write \(path): \(reason)", exitCode: .configuration)
        }
    }
}
