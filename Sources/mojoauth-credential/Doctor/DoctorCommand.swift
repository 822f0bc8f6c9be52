import Glibc
import Options
import Program

/// `doctor`: what works on this machine, what does not, and what to do about it.
enum DoctorCommand: Command {
    struct Values: ProfileOption, JSONOption {
        var profile: String?
        var isJSON = false
    }

    static let name = "doctor"
    static let summary = "Look at everything that a login depends on"
    static let defaults = Values()

    static var table: OptionTable<Values> {
        OptionTable(
            command: "mojoauth-credential doctor", summary: summary,
            description: """
                Each line is ok, warning or bad. The exit code is 0 unless one is bad, else that of the first bad line.
                Nothing is unlocked, asked or changed.

                Examples:
                  mojoauth-credential doctor
                  mojoauth-credential doctor --json
                """,
            rows: [.profile, .json])
    }

    static func run(_ values: Values, _ words: [String]) throws(Complaint) -> ExitCode {
        try noWords(words)
        let doctor = Doctor(Patient(profileName: values.profile))
        try print(values.isJSON ? try Report.text(doctor.json) : doctor.text(.of(descriptor: STDOUT_FILENO)))
        return doctor.exitCode
    }
}
