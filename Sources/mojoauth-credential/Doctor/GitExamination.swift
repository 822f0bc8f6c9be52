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
        let served = patient.hosts.filter { HelperSetting.asksUs(for: $0.origin, in: settings) }
        var findings = [Finding.ok("git", version.words)]
        guard !served.isEmpty else { return findings }
        findings.append(.helper("git-credential-mojoauth", of: "git"))
        return findings + served.map { helpers(of: $0.origin, in: settings) }
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
