import CGLib
import Program

/// Which browsers may be tried, in this order: those of `$BROWSER`, the profile's, the desktop's default.
package struct BrowserChoice: Sendable {
    /// `$BROWSER`: commands separated by colons.
    package var environment: String?
    /// The profile's command.
    package var profile: [String]?
    /// Is there a screen for the desktop's browser to show itself on?
    package var hasDesktop: Bool

    package init(environment: String?, profile: [String]?, hasDesktop: Bool) {
        self.environment = environment
        self.profile = profile
        self.hasDesktop = hasDesktop
    }

    /// - Parameter profile: the profile's command.
    package static func current(profile: [String]?) -> BrowserChoice {
        BrowserChoice(
            environment: ProcessEnvironment["BROWSER"], profile: profile,
            hasDesktop: ProcessEnvironment["DISPLAY"] != nil || ProcessEnvironment["WAYLAND_DISPLAY"] != nil)
    }

    package func commands(for url: String) -> [BrowserCommand] {
        var commands = (environment ?? "").split(separator: ":").compactMap {
            BrowserCommand(.environment, line: String($0), url: url)
        }
        if let command = profile.flatMap({ BrowserCommand(.profile, template: $0, url: url) }) {
            commands.append(command)
        }
        if hasDesktop, let command = Self.desktopCommand(for: url) { commands.append(command) }
        return commands
    }

    /// The handler that the person chose for https. GIO finds it and we start it: GIO's own launch reports success for
    /// a browser that fails, and lends it our streams and session.
    private static func desktopCommand(for url: String) -> BrowserCommand? {
        guard let handler = g_app_info_get_default_for_uri_scheme("https") else { return nil }
        defer { g_object_unref(UnsafeMutableRawPointer(handler)) }
        // One that wants a terminal has nowhere to go: ours is not its.
        if g_desktop_app_info_get_boolean(handler, "Terminal") != 0 { return nil }
        return g_app_info_get_commandline(handler).flatMap {
            BrowserCommand(desktopEntry: String(cString: $0), url: url)
        }
    }
}
