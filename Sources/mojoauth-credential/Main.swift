import Glibc
import Program

/// `mojoauth-credential`: everything that a person types, and the refreshes and logins that the helpers start.
@main enum Main {
    static func main() {
        Hardening.harden()
        Hardening.hideFromDebuggers()
        exit(CommandDispatcher.run(Array(CommandLine.arguments.dropFirst())).rawValue)
    }
}
