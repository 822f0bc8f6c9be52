import Configuration
import Login
import Program

/// Which browser a login opens and why, and whether the redirect's ports are free.
enum BrowserExamination: Examination {
    static let title = "sign-in"

    static func findings(on patient: Patient) -> [Finding] {
        guard let profile = try? patient.profile.get() else { return [] }
        return browser(profile) + ports(profile)
    }

    private static func browser(_ profile: Profile) -> [Finding] {
        let choice = BrowserChoice.current(profile: profile.browser)
        let commands = choice.commands(for: profile.issuer)
        var findings: [Finding] = commands.prefix { $0.path == nil }.map { command in
            .warning(
                "browser", "\(command.source.rawValue) names \(command.arguments[0]), which is not there",
                hint: "correct it, or leave it out")
        }
        if let command = commands.first(where: { $0.path != nil }) {
            findings.append(.ok("browser", "\(command.name), because \(command.source.rawValue) names it"))
        } else {
            let why =
                choice.hasDesktop ? "the desktop has none for https" : "neither DISPLAY nor WAYLAND_DISPLAY is set"
            findings.append(
                .warning(
                    "browser", "none: \(why)",
                    hint: "login prints the address to open; 'login --device' asks for a code on another device"))
        }
        return findings
    }

    private static func ports(_ profile: Profile) -> [Finding] {
        var findings: [Finding] = []
        var taken: ListenError?
        for uri in profile.redirectURIs {
            do throws(ListenError) {
                _ = try LoopbackListener(binding: [uri], loop: EventLoop())
                findings.append(
                    .ok("redirect URI", "\(uri): \(uri.port == nil ? "a port is free" : "its port is free")"))
            } catch {
                taken = error
                findings.append(
                    .warning(
                        "redirect URI", "\(uri): \(error.isTaken ? "its port is taken" : error.description)",
                        hint: "the next one of the profile is used meanwhile"))
            }
        }
        guard let taken, !findings.contains(where: { $0.verdict == .ok }) else { return findings }
        // None is left: a login fails.
        return [.bad("redirect URIs", Complaint(LoginError.listener(taken)))]
    }
}
