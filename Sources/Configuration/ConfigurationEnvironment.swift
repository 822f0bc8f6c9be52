import CGLib
import Glibc

/// What decides which files are read, and whose they may be.
package struct ConfigurationEnvironment: Sendable {
    /// `MOJOAUTH_CONFIG`: the one file, instead of all others.
    package var configFile: String?
    /// `XDG_CONFIG_HOME`.
    package var configHome: String?
    /// `XDG_CONFIG_DIRS`, separated by colons.
    package var configDirectories: String?
    package var home: String?
    /// Besides root, the only owner whose files are read.
    package var effectiveUser: uid_t

    package init(
        configFile: String? = nil, configHome: String? = nil, configDirectories: String? = nil, home: String? = nil,
        effectiveUser: uid_t = geteuid()
    ) {
        self.configFile = configFile
        self.configHome = configHome
        self.configDirectories = configDirectories
        self.home = home
        self.effectiveUser = effectiveUser
    }

    /// That of this process. An empty variable counts as unset.
    package static var process: Self {
        // The passwd entry is a look-up that may go far: only when HOME is missing.
        let home = variable("HOME") ?? g_get_home_dir().map { String(cString: $0) }
        return Self(
            configFile: variable("MOJOAUTH_CONFIG"), configHome: variable("XDG_CONFIG_HOME"),
            configDirectories: variable("XDG_CONFIG_DIRS"), home: home)
    }

    private static func variable(_ name: String) -> String? {
        guard let value = getenv(name), value[0] != 0 else { return nil }
        return String(cString: value)
    }

    /// The person's own file: what the writer writes; nil when there is no home.
    ///
    /// - Throws: ``ConfigurationError`` `.badVariable` for a relative `MOJOAUTH_CONFIG`: a checked-out repository could
    ///   hold a file of that name.
    package func userFile() throws(ConfigurationError) -> String? {
        if let configFile {
            guard configFile.hasPrefix("/") else {
                throw ConfigurationError(
                    .badVariable, file: configFile, "MOJOAUTH_CONFIG must be an absolute path, not \(quote(configFile))"
                )
            }
            return configFile
        }
        // The base directory specification: a relative path is ignored.
        if let configHome, configHome.hasPrefix("/") { return configHome + Self.name }
        return home.map { $0 + "/.config" + Self.name }
    }

    /// The files that lie under the person's own, nearest first.
    func systemFiles() -> [String] {
        guard configFile == nil else { return [] }
        return (configDirectories ?? "/etc/xdg").split(separator: ":").map { String($0) + Self.name }.filter {
            $0.hasPrefix("/")
        }
    }

    private static var name: String { "/mojoauth-credential/config" }
}
