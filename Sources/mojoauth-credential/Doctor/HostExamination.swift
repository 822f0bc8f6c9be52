import Configuration
import JSON
import WebAddress

/// The hosts of the configuration that no tool is known to ask us for.
enum HostExamination: Examination {
    static let title = "hosts"

    static func findings(on patient: Patient) -> [Finding] {
        let git = HelperSetting.all()
        // A file that cannot be read was told above.
        let docker = (try? DockerConfigurationFile.user().contents()) ?? JSONObject()
        return patient.hosts.compactMap { host in
            let asked = DockerExamination.helper(for: host.origin, in: docker)
            if let asked, asked != "mojoauth" {
                return .warning(
                    host.origin.description, "docker asks \(asked) instead",
                    hint: "run 'mojoauth-credential configure docker \(host.origin.authority)'")
            }
            guard asked == nil, !HelperSetting.asksUs(for: host.origin, in: git) else { return nil }
            return .ok(host.origin.description, "neither git nor docker asks for it; other tools and 'get' may")
        }
    }
}
