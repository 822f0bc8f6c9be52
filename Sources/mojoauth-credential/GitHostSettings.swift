import Program
import WebAddress

/// What `configure git` writes about one host into one of git's files, and `unconfigure git` takes out again.
struct GitHostSettings {
    let file: GitConfiguration
    let origin: Origin

    private var helper: String { "credential.\(origin).helper" }
    private var proactiveAuth: String { "http.\(origin).proactiveAuth" }

    /// The empty value ends the list of helpers before ours: they are neither asked for this host nor told its token.
    private static let lines = ["", "mojoauth"]
    /// Send what the helper has with the first request, instead of waiting to be refused.
    private static let proactive = "auto"

    /// - Throws: when git cannot read the file.
    func check() throws(Complaint) {
        _ = try file.values(helper)
    }

    /// - Returns: the lines that tell what was done.
    func write() throws(Complaint) -> String {
        let found = try file.values(helper)
        var report: String
        if Array(found.suffix(2)) == Self.lines {
            report = "git has \(helper) set already.\n"
        } else {
            for line in Self.lines { try file.add(helper, line) }
            let others = found.filter { !$0.isEmpty }.map { HelperSetting.name(of: $0) }.joined(separator: ", ")
            report = "Set \(helper) to \"\" and \"mojoauth\" in git's \(file.scopeName) configuration.\n"
            if !others.isEmpty { report += "The values before them count no more: \(others).\n" }
        }
        guard try GitConfiguration.knowsProactiveAuth() else { return report }
        // Whatever a person has set there is left alone.
        guard try file.values(proactiveAuth).isEmpty else { return report }
        try file.add(proactiveAuth, Self.proactive)
        return report + "Set \(proactiveAuth) to \"\(Self.proactive)\" there: a request fewer for each command.\n"
    }

    /// - Returns: the lines that tell what was done; none when there was nothing to undo.
    func remove() throws(Complaint) -> String {
        var report = ""
        let found = try file.values(helper)
        // "mojoauth" without the empty value is a line that a person wrote.
        if let index = found.indices.last(where: { $0 > 0 && found[$0] == "mojoauth" && found[$0 - 1].isEmpty }) {
            try removeHelper(found, at: index)
            report = "Removed \"\" and \"mojoauth\" from \(helper) in git's \(file.scopeName) configuration.\n"
            // Without our helper beside it, it is a person's.
            if try file.values(proactiveAuth) == [Self.proactive] {
                try file.remove(proactiveAuth, Self.proactive)
                report += "Removed \(proactiveAuth) there.\n"
            }
        }
        return report
    }

    private func removeHelper(_ found: [String], at index: Int) throws(Complaint) {
        if found.count(where: { $0 == "mojoauth" }) == 1, found.count(where: \.isEmpty) == 1 {
            for line in Self.lines { try file.remove(helper, line) }
            return
        }
        // git cannot take away one of two equal lines: all are, and the others come back in their order.
        var kept = found
        kept.removeSubrange(index - 1...index)
        try file.removeAll(helper)
        for line in kept { try file.add(helper, line) }
    }
}
