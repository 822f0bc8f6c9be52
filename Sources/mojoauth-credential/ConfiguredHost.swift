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

    /// Removes the entry of an origin, as it was written by ``ensure(_:profile:allowsInsecure:desk:)``.
    ///
    /// - Parameter use: who else still makes use of the entry; nil when nobody does.
    /// - Returns: the line that tells what was done; none when there is no entry.
    static func release(
        _ origin: Origin, desk: Desk, use: () throws(Complaint) -> String?
    ) throws(Complaint) -> String {
        let entry: HostEntry
        do throws(ConfigurationError) {
            guard let found = try desk.configuration.hostEntry(for: origin) else { return "" }
            entry = found
        } catch {
            throw Complaint(error)
        }
        var reason = try use()
        if entry.file != desk.configuration.userFile || !entry.holdsNothingMore {
            reason = "it holds more than 'configure' writes, or stands in a file that is not yours"
        }
        if let reason { return "Kept [host \(entry.label)] in \(entry.file): \(reason).\n" }
        do throws(ConfigurationError) {
            guard try ConfigurationWriter().remove(.host(label: entry.label)) else { return "" }
        } catch {
            throw Complaint(error)
        }
        return "Removed [host \(entry.label)] from \(entry.file).\n"
    }

    /// A label is a name for people; the origin decides.
    private static func label(for origin: Origin, taken: Set<String>) -> String {
        let base = String(origin.authority.map { $0 == "[" || $0 == "]" ? "-" : $0 })
        guard taken.contains(base) else { return base }
        return (2...).lazy.map { "\(base)-\($0)" }.first { !taken.contains($0) } ?? base
    }
}

extension HostEntry {
    /// Beside its origin and its profile: what a person has added is not for a command to throw away.
    fileprivate var holdsNothingMore: Bool {
        var plain = HostEntry(label: label, origin: origin)
        (plain.profileName, plain.allowsInsecure, plain.file, plain.line) = (profileName, allowsInsecure, file, line)
        return self == plain
    }
}
