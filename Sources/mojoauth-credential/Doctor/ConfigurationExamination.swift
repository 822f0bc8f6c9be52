import Configuration
import HelperCommands
import Program

/// The configuration files, with file and line of what is wrong in them.
enum ConfigurationExamination: Examination {
    static let title = "configuration"

    static func findings(on patient: Patient) -> [Finding] {
        let configuration: Configuration
        do throws(Complaint) {
            configuration = try patient.configuration.get()
        } catch {
            return [.bad("files", error)]
        }
        var findings: [Finding] = []
        if !configuration.sources.isEmpty {
            findings.append(.ok("files", configuration.sources.joined(separator: ", ")))
        }
        findings += configuration.problems.map { .bad("fault", Complaint($0)) }
        findings += configuration.notices.map { .warning("notice", $0.description, hint: "what it says is ignored") }
        if configuration.defaults.busSession == .plain { findings.append(plainBusSession) }
        do throws(Complaint) {
            let profile = try patient.profile.get()
            findings.append(.ok("profile", "\"\(profile.name)\", client \(profile.clientID) at \(profile.issuer)"))
        } catch {
            // A faulty profile was told above, with its line.
            if !findings.contains(where: { $0.text == error.message }) { findings.append(.bad("profile", error)) }
        }
        return findings
    }

    private static let plainBusSession = Finding.warning(
        "secrets on the bus",
        "not encrypted when a helper reads them: who can listen on this session bus sees the login",
        hint: "remove bus-session=plain from [defaults], unless the time that it saves is worth that")
}
