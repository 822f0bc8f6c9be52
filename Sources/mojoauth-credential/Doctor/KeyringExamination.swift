import Glibc
import HelperCommands
import Keyring
import Program

/// The session bus, who provides the Secret Service on it, and the collection that logins go to.
enum KeyringExamination: Examination {
    static let title = "keyring"

    static func findings(on patient: Patient) -> [Finding] {
        var findings: [Finding] = []
        do throws(KeyringError) {
            findings.append(.ok("session bus", try patient.keyring.openBus()))
        } catch {
            return [.bad("session bus", Complaint(error))]
        }
        let collection: CollectionFacts?
        do throws(KeyringError) {
            collection = try patient.keyring.defaultCollectionFacts()
        } catch {
            return findings + [.bad("Secret Service", Complaint(error))]
        }
        findings.append(provider(patient.keyring))
        return findings + [self.collection(collection)]
    }

    private static func provider(_ keyring: SecretServiceClient) -> Finding {
        guard let process = (try? keyring.providerProcess()) ?? nil, let program = program(of: process) else {
            return .warning("Secret Service", "somebody provides it, and the bus does not tell who")
        }
        let name = program.split(separator: "/").last.map(String.init) ?? program
        let version = version(of: program).map { " (\($0))" } ?? ""
        return .ok("Secret Service", "\(name)\(version), process \(process)")
    }

    /// Its file; one with capabilities hides it, and then its first argument must do.
    private static func program(of process: Int32) -> String? {
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = readlink("/proc/\(process)/exe", &buffer, buffer.count - 1)
        if count > 0 { return String(decoding: buffer.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self) }
        let descriptor = open("/proc/\(process)/cmdline", O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        let bytes = (try? StandardStream.read(descriptor: descriptor, limit: 65536)) ?? []
        let word = bytes.prefix { $0 != 0 }
        return word.isEmpty ? nil : String(decoding: word, as: UTF8.self)
    }

    /// Package and version as Debian's package manager tells; nil where it does not know.
    private static func version(of program: String) -> String? {
        guard let found = Patient.run("dpkg-query", ["-S", program]), found.status == 0,
            let package = found.output.split(separator: ":").first.map(String.init),
            let told = Patient.run("dpkg-query", ["-W", "-f=${Package} ${Version}", package]), told.status == 0
        else { return nil }
        return told.output
    }

    private static func collection(_ facts: CollectionFacts?) -> Finding {
        let subject = "default collection"
        guard let facts else { return .bad(subject, Complaint(KeyringError.noDefaultCollection)) }
        guard facts.isLocked else { return .ok(subject, "\"\(facts.label)\", unlocked") }
        var complaint = Complaint(KeyringError.locked)
        complaint.message = "\"\(facts.label)\" is locked"
        return .bad(subject, complaint)
    }
}
