import Configuration
import HelperCommands
import Keyring
import Program

/// What the examinations have in common: the configuration as far as it can be read, the profile, the keyring.
struct Patient {
    /// Or why there is none.
    let configuration: Result<Configuration, Complaint>
    /// Or why there is none.
    let profile: Result<Profile, Complaint>
    let keyring = SecretServiceClient(allowsPrompts: { false })

    /// - Parameter profileName: as an option gave it.
    init(profileName: String?) {
        do throws(Complaint) {
            let desk = try Desk(mayPrompt: false)
            configuration = .success(desk.configuration)
            profile = Self.profile(profileName, desk)
        } catch {
            configuration = .failure(error)
            profile = .failure(error)
        }
    }

    private static func profile(_ name: String?, _ desk: Desk) -> Result<Profile, Complaint> {
        do throws(Complaint) {
            return .success(try desk.profile(name))
        } catch {
            return .failure(error)
        }
    }

    /// The host entries that can be read.
    var hosts: [HostEntry] { (try? configuration.get())?.hosts ?? [] }

    /// Runs a program of others.
    ///
    /// - Returns: its exit status and the lines it wrote; nil when it is not there or took longer than 5 seconds.
    static func run(_ program: String, _ arguments: [String]) -> (status: Int32, output: String)? {
        var child = ChildProcess(named: program, arguments: arguments)
        child.errors = .null
        guard let result = (try? child.capture(within: 5)) ?? nil, result.status != 127 else { return nil }
        return (result.status, String(decoding: result.output, as: UTF8.self))
    }
}
