import CGLib
import Configuration
import Program
import WebAddress

/// git, and which helpers it asks for the hosts that we serve.
enum GitExamination: Examination {
    static let title = "git"

    static func findings(on patient: Patient) -> [Finding] {
        guard let answer = Patient.run("git", ["--version"]), let version = GitVersion(answer.output) else {
            return [.warning("git", "is not there", hint: "install git, if you use it")]
        }
        let settings = HelperSetting.all()
        let served = patient.hosts.filter {
            HelperSetting.helpers(of: $0.origin, in: settings).contains(where: \.isOurs)
        }
        var findings = [Finding.ok("git", version.words)]
        guard !served.isEmpty else { return findings }
        findings.append(program)
        return findings + served.map { helpers(of: $0.origin, in: settings) }
    }

    /// Does git ask our helper for this host?
    static func asksUs(for host: HostEntry) -> Bool {
        HelperSetting.helpers(of: host.origin, in: HelperSetting.all()).contains(where: \.isOurs)
    }

    private static var program: Finding {
        guard let found = g_find_program_in_path("git-credential-mojoauth") else {
            return .bad(
                "git-credential-mojoauth",
                Complaint(
                    "is not in PATH, so git cannot start it", hint: "add the folder of mojoauth-credential to PATH",
                    exitCode: .configuration))
        }
        defer { g_free(found) }
        return .ok("git-credential-mojoauth", String(cString: found))
    }

    private static func helpers(of origin: Origin, in settings: [HelperSetting]) -> Finding {
        let others = HelperSetting.helpers(of: origin, in: settings).filter { !$0.isOurs }
        guard let other = others.first else { return .ok(origin.description, "asks our helper alone") }
        let names = others.map { "\(HelperSetting.name(of: $0.value)) (\($0.source))" }.joined(separator: ", ")
        return .bad(
            origin.description,
            Complaint(
                "other helpers would store its token: \(names)",
                hint: "remove \(other.shownKey) there, or run 'mojoauth-credential configure git \(origin)' again",
                exitCode: .configuration))
    }
}
