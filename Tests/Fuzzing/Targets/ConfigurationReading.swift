import Configuration
import Glibc
import WebAddress

/// A configuration file: everything that is read from it, and a key that is written into it.
enum ConfigurationReading {
    private static let path: String = {
        let folder = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
        return "\(folder)/fuzz-configuration.\(getpid())"
    }()
    private static let environment = ConfigurationEnvironment(configFile: path)

    static func run(_ bytes: [UInt8]) {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        check(write(descriptor, bytes, bytes.count) == bytes.count, "\(path) cannot be written")
        close(descriptor)
        defer { unlink(path) }
        guard let configuration = try? Configuration.load(environment: environment) else { return }
        look(at: configuration)
        change(configuration)
    }

    private static func look(at configuration: Configuration) {
        for name in configuration.profileNames {
            check(configuration.hasProfile(named: name), "a profile that is named is not there")
            guard let profile = try? configuration.profile(named: name) else { continue }
            check(profile.name == name, "another profile")
            check(profile.issuerURL.origin.isTrustworthy, "an issuer that may not see a token")
            check(!profile.redirectURIs.isEmpty, "no redirect URI")
        }
        for entry in configuration.hosts {
            // The hot path compares texts, this one parsed values: they must agree on every origin.
            let found = try? configuration.hostEntry(for: entry.origin)
            check(found == entry, "\(entry.origin) is not found by its own origin")
            check(entry.origin.isTrustworthy, "a host that may not see a token")
        }
        for problem in configuration.problems { check(!problem.text.isEmpty, "a problem without words") }
        for notice in configuration.notices { check(!notice.text.isEmpty, "a notice without words") }
    }

    /// A key that is written is read again, and nothing else has changed.
    private static func change(_ before: Configuration) {
        guard let name = before.profileNames.first, var profile = try? before.profile(named: name) else { return }
        let writer = ConfigurationWriter(environment: environment)
        guard let after = try? writer.preview([.init("leeway", "7")], in: .profile(name)) else {
            return check(false, "a key could not be written")
        }
        profile.leeway = 7
        check((try? after.profile(named: name)) == profile, "another profile was written")
        check(after.profileNames == before.profileNames, "other profiles were written")
        check(after.hostLabels == before.hostLabels, "other hosts were written")
    }
}
