import Glibc
import Program

/// Our programs and the libraries they run on.
enum ProgramExamination: Examination {
    static let title = "programs"

    static func findings(on patient: Patient) -> [Finding] {
        [.ok("mojoauth-credential", Version.text), helper, libraries].compactMap(\.self)
    }

    /// The helpers start this program from the folder in which both lie.
    private static var helper: Finding {
        let folder = ChildProcess.ownDirectory() ?? "?"
        let path = "\(folder)/mojoauth-helper"
        guard access(path, X_OK) == 0 else {
            return .bad(
                "mojoauth-helper",
                Complaint(
                    "\(path) is missing", hint: "install the programs again, into one folder", exitCode: .configuration)
            )
        }
        return .ok("mojoauth-helper", path)
    }

    /// As the package manager knows them; nil where it is another than Debian's.
    private static var libraries: Finding? {
        let packages = [
            "libglib2.0-0", "libsecret-1-0", "libsoup-3.0-0", "libcjose0", "libjansson4", "libqrencode4",
        ]
        let format = "-f=${Package} ${Version}\\n"
        guard let answer = Patient.run("dpkg-query", ["-W", format] + packages), !answer.output.isEmpty else {
            return nil
        }
        return .ok("libraries", answer.output.split(separator: "\n").joined(separator: ", "))
    }
}
