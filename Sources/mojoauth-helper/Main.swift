import Glibc
import HelperCommands
import Program

/// `mojoauth-helper`: every helper protocol, under the name that its caller runs. It links no network and never opens
/// a socket but the session bus's.
@main enum Main {
    static func main() {
        // It knows no other exit code for a failure.
        Hardening.harden(refusal: ExitCode.protocolFailure.rawValue)
        exit(HelperProgram.run(CommandLine.arguments))
    }
}
