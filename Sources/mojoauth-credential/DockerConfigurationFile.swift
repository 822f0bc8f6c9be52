import HelperProtocol
import JSON
import Program

/// docker's config.json, of which one member is ours to change; every other byte stays.
struct DockerConfigurationFile {
    private static let helpers = "credHelpers"
    private static let helper = "mojoauth"

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

    enum Change: Equatable {
        case none
        case added
        /// Another helper stood there.
        case replaced(String)
    }

    func setHelper(for server: String) throws(Complaint) -> Change {
        let old = try read()
        let before = Self.members(old)[server]
        if before == .string(Self.helper) { return .none }
        guard !old.isEmpty else {
            try PersonalFile(path: path).write(
                Array("{\n\t\"credHelpers\": {\n\t\t\"\(server)\": \"\(Self.helper)\"\n\t}\n}\n".utf8))
            return .added
        }
        try edit(old) { (text: inout JSONText) throws(JSONError) in
            try text.set(Self.helpers, server, to: Self.helper)
        }
        return before.map { .replaced($0.string ?? "no helper's name") } ?? .added
    }

    /// - Returns: the names under which the server stood, for this helper.
    func removeHelper(for server: String) throws(Complaint) -> [String] {
        let old = try read()
        let names = Self.names(of: server, in: Self.members(old))
        guard !names.isEmpty else { return [] }
        try edit(old) { (text: inout JSONText) throws(JSONError) in
            for name in names { _ = try text.remove(Self.helpers, name) }
        }
        return names
    }

    /// What in the file makes docker ask this helper for a server; nil when nothing does.
    ///
    /// - Parameter everyHost: does `credsStore`, which is about every registry, count?
    func mention(of server: String, everyHost: Bool = true) throws(Complaint) -> String? {
        let bytes = try read()
        if let name = Self.names(of: server, in: Self.members(bytes)).first {
            return "docker's credHelpers[\"\(name)\"] names this helper"
        }
        guard everyHost else { return nil }
        let store = (try? JSONValue(parsing: bytes))?.object?["credsStore"]?.string
        return store == Self.helper ? "docker's credsStore asks this helper for every registry" : nil
    }

    private static func members(_ bytes: [UInt8]) -> JSONObject {
        (try? JSONValue(parsing: bytes))?.object?[helpers]?.object ?? JSONObject()
    }

    /// docker's clients spell one registry in many ways, and so may a person have done.
    private static func names(of server: String, in helpers: JSONObject) -> [String] {
        let asked = try? DockerServer(server)
        return helpers.members.filter { member in
            guard member.value == .string(helper) else { return false }
            guard let asked, let theirs = try? DockerServer(member.name) else { return member.name == server }
            return asked.matches(theirs)
        }.map(\.name)
    }

    /// What it says; empty when there is no file.
    func contents() throws(Complaint) -> JSONObject {
        let bytes = try read()
        return (try? JSONValue(parsing: bytes))?.object ?? JSONObject()
    }

    // MARK: The file

    /// Empty when there is no file, or nothing in it.
    private func read() throws(Complaint) -> [UInt8] {
        let bytes = try PersonalFile(path: path).read() ?? []
        if bytes.isEmpty { return [] }
        do throws(JSONError) {
            _ = try JSONText(bytes)
        } catch {
            throw unusable(error)
        }
        return bytes
    }

    private func unusable(_ error: JSONError) -> Complaint {
        Complaint("\(path): \(error.description)", hint: "mend the file; it was not changed", exitCode: .configuration)
    }

    private func edit(
        _ old: [UInt8], _ change: (inout JSONText) throws(JSONError) -> Void
    ) throws(Complaint) {
        var text: JSONText
        do throws(JSONError) {
            text = try JSONText(old)
            try change(&text)
            // What is written is what docker can read.
            text = try JSONText(text.bytes)
        } catch {
            throw unusable(error)
        }
        try PersonalFile(path: path).write(text.bytes)
    }
}
