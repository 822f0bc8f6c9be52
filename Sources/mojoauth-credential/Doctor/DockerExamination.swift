import Configuration
import JSON
import Program
import WebAddress

/// docker's configuration, as far as it names us.
enum DockerExamination: Examination {
    static let title = "docker"

    static func findings(on patient: Patient) -> [Finding] {
        let configuration: JSONObject
        let path: String
        do throws(Complaint) {
            let file = try DockerConfigurationFile.user()
            path = file.path
            configuration = try file.contents()
        } catch {
            return [.bad("config.json", error)]
        }
        let helpers = configuration["credHelpers"]?.object?.members.filter { $0.value == "mojoauth" } ?? []
        let isStore = configuration["credsStore"] == "mojoauth"
        guard isStore || !helpers.isEmpty else { return [] }
        var findings = [docker, .helper("docker-credential-mojoauth", of: "docker")]
        if isStore { findings.append(.ok("credsStore", "mojoauth, in \(path)")) }
        for helper in helpers {
            findings.append(registry(helper.name, patient.hosts, configuration))
        }
        return findings
    }

    /// Which helper docker asks for an origin; nil when its file names none.
    static func helper(for origin: Origin, in configuration: JSONObject) -> String? {
        configuration["credHelpers"]?.object?[origin.authority]?.string
            ?? (configuration["credsStore"] == "mojoauth" ? "mojoauth" : nil)
    }

    /// podman, buildah and skopeo read the same file, so that docker need not be there.
    private static var docker: Finding {
        let version = Patient.run("docker", ["--version"])?.output.split(separator: "\n").first.map(String.init)
        return .ok("docker", version ?? "is not there; podman, buildah and skopeo read this file too")
    }

    private static func registry(_ name: String, _ hosts: [HostEntry], _ configuration: JSONObject) -> Finding {
        guard hosts.contains(where: { $0.origin.authority == name }) else {
            return .warning(
                name, "credHelpers names us for it, and no host entry does: what docker login stores is kept for it",
                hint: "run 'mojoauth-credential configure docker \(name)' to serve the login's token")
        }
        guard configuration["auths"]?.object?[name]?.object?["auth"] == nil else {
            return .warning(
                name, "config.json still holds a password for it", hint: "run 'docker logout \(name)'")
        }
        return .ok(name, "asks our helper")
    }
}
