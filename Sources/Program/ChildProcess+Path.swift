import CGLib

extension ChildProcess {
    /// A program of somebody else's that PATH has, started by env, which ends with 127 where it is not there.
    package init(named program: String, arguments: [String]) {
        self.init(path: "/usr/bin/env", arguments: ["env", program] + arguments)
    }

    /// Where PATH has a program; a path stands for itself. Nil when nothing there can be run.
    package static func path(of program: String) -> String? {
        guard let found = g_find_program_in_path(program) else { return nil }
        defer { g_free(found) }
        return String(cString: found)
    }
}
