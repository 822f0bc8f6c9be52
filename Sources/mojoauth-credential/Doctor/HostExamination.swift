import Configuration
import JSON
import WebAddress

/// The hosts of the configuration that no tool is known to ask us for.
enum HostExamination: Examination {
    static let title = "hosts"

    static func findings(on patient: Patient) -> [Finding] {
        patient.hosts.compactMap { host in
            let asked = DockerExamination.helper(for: host)
            if let asked, asked != "mojoauth" {
                return .warning(
                    host.origin.description, "docker asks \(asked) instead",
                    hint: "run 'mojoauth-credential configure docker \(host.origin.authority)'")
            }
            guard asked == nil, !GitExamination.asksUs(for: host) else { return nil }
            return .ok(host.origin.description, "neither git nor docker asks for it; other tools and 'get' may")
        }
    }
}
