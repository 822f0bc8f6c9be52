import Glibc
import Program

@main enum Main {
    static func main() {
        Hardening.harden()
        exit(Dispatcher.run(Array(CommandLine.arguments.dropFirst())).rawValue)
    }
}
