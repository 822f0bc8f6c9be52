import Configuration
import HelperCommands
import Program
import WebAddress

/// The host entry that `configure git`, `configure docker` and `configure host` make sure of.
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

    /// Refuses http that was not allowed, unless the entry that is there allows it.
    static func checkScheme(_ origin: Origin, allowsInsecure: Bool, desk: Desk) throws(Complaint) {
        guard origin.scheme == "http", !allowsInsecure, try find(origin, desk) == nil else { return }
        throw Complaint(
            "\(origin) is not https",
            hint:
                origin.host.isLoopback
                ? "for a host on loopback, say --allow-insecure" : "no token goes over http beyond loopback: say https",
            exitCode: .usage)
    }

    private static func find(_ origin: Origin, _ desk: Desk) throws(Complaint) -> HostEntry? {
        do throws(ConfigurationError) {
            return try desk.configuration.hostEntry(for: origin)
        } catch {
            throw Complaint(error)
        }
    }

    /// Removes the entries of these origins, as they were written by ``ensure(_:profile:allowsInsecure:desk:)``.
    ///
    /// - Parameters:
    ///   - done: the lines that tell what was done before; told also when an entry cannot be removed. Nil where the
    ///     entry is all there is to undo.
    ///   - use: who else still makes use of an entry; nil when nobody does.
    /// - Returns: all that was done. That an entry stays is worth a word only when something else went.
    static func release(
        _ origins: [Origin], done: String?, desk: Desk, use: (Origin) throws(Complaint) -> String?
    ) throws(Complaint) -> String {
        var lines = done ?? ""
        for origin in origins {
            do throws(Complaint) {
                let line = try release(origin, desk, use)
                if done == nil || !lines.isEmpty || !line.hasPrefix(Self.kept) { lines += line }
            } catch {
                StandardStream.writeError(lines)
                throw error
            }
        }
        return lines
    }

    private static let kept = "Kept"

    private static func release(
        _ origin: Origin, _ desk: Desk, _ use: (Origin) throws(Complaint) -> String?
    ) throws(Complaint) -> String {
        guard let entry = try find(origin, desk) else { return "" }
        var reason = try use(origin)
        if entry.file != desk.configuration.userFile || !entry.holdsNothingMore {
            reason = "it holds more than 'configure' writes, or stands in a file that is not yours"
        }
        if let reason { return "\(kept) [host \(entry.label)] in \(entry.file): \(reason).\n" }
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
