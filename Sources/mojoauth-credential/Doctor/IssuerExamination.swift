import Configuration
import Login
import OpenIDConnect
import Program
import WebAddress

/// The way to the issuer, what it says of itself, and whether its clock is ours.
enum IssuerExamination: Examination {
    static let title = "issuer"

    /// Seconds for one answer.
    private static let deadline = 8.0

    static func findings(on patient: Patient) -> [Finding] {
        guard let profile = try? patient.profile.get() else { return [] }
        let http: HTTPClient
        do throws(HTTPSetupError) {
            var settings = try HTTPSettings(profile)
            settings.deadline = deadline
            http = try HTTPClient(settings, loop: EventLoop())
        } catch {
            return [.bad("connection", Complaint(LoginError.setup(error)))]
        }
        let way = [
            Finding.ok("certificates", profile.caFile.map { "those of \($0) alone" } ?? "the system's"),
            .ok("proxy", proxy(http.settings.proxy, profile)),
        ]
        do throws(DiscoveryError) {
            let metadata = try Discovery(http: http).metadata(of: profile)
            return way
                + [.ok("metadata", "acceptable; \(IssuerOffers(metadata).text)"), clock(profile, http)].compactMap(
                    \.self)
        } catch {
            let told = Finding.bad("metadata", Complaint(LoginError.discovery(error, issuer: profile.issuer)))
            // A clock that is off may be why; an issuer out of reach has none to compare with.
            return way + [told, error.hasAnswer ? clock(profile, http) : nil].compactMap(\.self)
        }
    }

    /// Never its user information: a password may stand there.
    private static func proxy(_ environment: ProxyEnvironment, _ profile: Profile) -> String {
        if profile.issuerURL.origin.host.isLoopback { return "none for an issuer on loopback" }
        guard let value = environment.https ?? environment.all else { return "the desktop's, if it has one" }
        let bytes = value.utf8
        let scheme = bytes.place(of: "://".utf8)?.upperBound ?? bytes.startIndex
        let user = bytes.lastIndex(of: UInt8(ascii: "@")).map { bytes.index(after: $0) }
        let name = String(value[max(scheme, user ?? scheme)...])
        let issuer = profile.issuerURL.origin.host.name
        if environment.exceptions.contains(where: { $0 == "*" || $0.lowercased() == issuer }) {
            return "\(name), which no_proxy keeps the issuer from"
        }
        let exceptions =
            environment.exceptions.isEmpty ? "" : ", but not for \(environment.exceptions.joined(separator: ", "))"
        return name + exceptions
    }

    /// Nil when the issuer does not say what time it has.
    private static func clock(_ profile: Profile, _ http: HTTPClient) -> Finding? {
        let location = ProviderMetadata.location(issuer: profile.issuerURL)
        guard let theirs = (try? http.send(.get(location)))?.date else { return nil }
        let difference = Clock.now() - theirs
        let seconds = abs(difference)
        let words = "\(seconds) s \(difference > 0 ? "ahead of" : "behind") the issuer's"
        guard seconds > profile.leeway else { return .ok("clock", seconds < 2 ? "the issuer's" : words) }
        let hint = "set the clock: 'timedatectl set-ntp true'"
        // Beyond it no ID token is taken.
        guard seconds > IDTokenRules.oldestIssue else { return .warning("clock", words, hint: hint) }
        return .bad("clock", Complaint(words, hint: hint, exitCode: .unacceptableAnswer))
    }
}
