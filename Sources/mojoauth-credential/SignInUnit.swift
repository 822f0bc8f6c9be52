import HelperCommands
import Program

/// A login outside of the timer's unit: that one may do little more than renew, and its browser would inherit it.
enum SignInUnit {
    /// Are we a unit of systemd's? It names each run of one.
    static var isNeeded: Bool { ProcessEnvironment["INVOCATION_ID"] != nil }

    /// Runs the login as a unit of its own, in the environment of the person's desktop, and waits for its end.
    static func logIn(profile: String) throws(Complaint) {
        let program = (ChildProcess.ownDirectory() ?? "/usr/bin") + "/mojoauth-credential"
        let words = [
            // The browser stays when the login has ended.
            "--user", "--quiet", "--collect", "--wait", "--property=KillMode=process", "--", program,
            "login", "--for-helper", "--profile", profile,
        ]
        let status: Int32
        do throws(ChildProcess.SpawnFailure) {
            let process = try ChildProcess(named: "systemd-run", arguments: words).spawn()
            status = ChildProcess.wait(for: process)
        } catch {
            throw Complaint(error.description, exitCode: .loginRequired)
        }
        if status != 0 { throw .loginNotCompleted(profile: profile, status: status) }
    }
}
