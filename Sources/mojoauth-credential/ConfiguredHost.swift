import Configuration
import HelperCommands
import Program
import WebAddress

/// The host entry that `configure git` and `configure docker` make sure of.
struct ConfiguredHost {
    /// Finds the entry of an origin, or writes one for a profile.
    ///
    /// - Returns: the lines that tell what was done.
    static func ensure(
        _ origin: Origin, profile: String?, allowsInsecure: Bool, desk: Desk
    ) throws(Complaint) -> String {
        let name = try desk.profile(profile).name
        do throws(ConfigurationError) {
            if let entry = try desk.configuration.hostEntry(for: origin) {
                guard profile == nil || entry.profileName == name else {
                    throw ConfigurationError(
                        .ambiguous, file: entry.file, line: entry.line,
                        "[host \(entry.label)] already serves \(origin) from profile \"\(entry.profileName)\"")
                }
                return "\(origin) is served from profile \"\(entry.profileName)\" already ([host \(entry.label)]).\n"
            }
            let label = label(for: origin, taken: Set(desk.configuration.hostLabels))
            var settings: [ConfigurationWriter.Setting] = [.init("url", origin.description)]
            if name != Profile.defaultName { settings.append(.init("profile", name)) }
            if allowsInsecure { settings.append(.init("allow-insecure", "true")) }
            try ConfigurationWriter().set(settings, in: .host(label: label))
            return
                "Wrote [host \(label)] for \(origin) to \(desk.configuration.userFile ?? "the configuration file").\n"
        } catch {
            throw Complaint(error)
        }
    }

    /// A label is a name for people; the origin decides.
    private static func label(for origin: Origin, taken: Set<String>) -> String {
        let base = String(origin.authority.map { $0 == "[" || $0 == "]" ? "-" : $0 })
        guard taken.contains(base) else { return base }
        return (2...).lazy.map { "\(base)-\($0)" }.first { !taken.contains($0) } ?? base
    }
}
