import Glibc
import HelperCommands
import Program

/// `mojoauth-helper`: every helper protocol, under the name that its caller runs. It links no network and never opens
/// a socket but the session bus's.
@main enum Main {
    static func main() {
        Hardening.harden()
        exit(HelperProgram.run(CommandLine.arguments))
    }
}
