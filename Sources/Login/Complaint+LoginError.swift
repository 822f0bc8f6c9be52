import Configuration
import Glibc
import JOSE
import OpenIDConnect
import Program

extension Complaint {
    /// What a person is told about a failed login, refresh or revocation: the one place where this module's errors get
    /// their message, hint and exit code.
    package init(_ error: LoginError) {
        switch error {
        case .setup(let error):
            self.init("\(error)", hint: Self.hint(for: error), exitCode: .configuration)
        case .discovery(let error, let issuer):
            self.init(error, issuer: issuer)
        case .listener(let error):
            self.init(
                "\(error)",
                hint: error.isTaken
                    ? "end what uses the port, or say another one that is registered: --port, or redirect-uri in the profile"
                    : "check redirect-uri in the profile",
                exitCode: error.isTaken ? .temporary : .configuration)
        case .parameter(let name, let value):
            self.init(
                "parameter \(name) cannot be \"\(value)\"", hint: "give a number of seconds", exitCode: .configuration)
        case .denied(let error):
            let why = error.detail.map { ": \($0)" } ?? ""
            self.init(
                "the login was denied\(why)", hint: "nothing was changed; run login again to retry",
                exitCode: .cancelled)
        case .refused(let error):
            self.init(authorization: error)
        case .unacceptableRedirect(let error):
            self.init(
                "the answer to the login is not acceptable: \(error)",
                hint: "another issuer may have answered; check issuer in the profile", exitCode: .unacceptableAnswer)
        case .timedOut(let seconds, let redirectURI, let clientID, let issuer):
            self.init(
                "login timed out: no answer came to \(redirectURI) within \(seconds) s",
                hint:
                    "is exactly this redirect URI registered for client \"\(clientID)\" at \(issuer)? then run login again",
                exitCode: .temporary)
        case .noBrowser:
            self.init(
                "there is no browser here that could sign in without asking",
                hint: "run mojoauth-credential login", exitCode: .loginRequired)
        case .interrupted(let signal):
            let name = String(cString: strsignal(signal)).lowercased()
            self.init("login ended by a signal (\(name)); nothing was changed", exitCode: .cancelled)
        case .deviceFlowNotOffered(let issuer):
            self.init(
                "\(issuer) does not offer the device flow", hint: "leave --device out", exitCode: .configuration)
        case .codeNotEntered(let seconds):
            self.init(
                "login timed out: the code was not entered and confirmed within \(seconds) s",
                hint: "run login again for a new code", exitCode: .temporary)
        case .tokenEndpoint(let error):
            self.init(error)
        case .idToken(let failure):
            self.init(failure)
        case .noRefreshToken:
            self.init(
                "the login has no refresh token", hint: "run mojoauth-credential login", exitCode: .loginRequired)
        case .badTokenEndpoint(let text):
            self.init(
                "the stored login names no usable token endpoint (\"\(text)\")",
                hint: "run mojoauth-credential login", exitCode: .loginRequired)
        case .notSaved(let complaint):
            self = complaint
        }
    }

    /// The same, with a hint that names the login of this profile.
    package func naming(profile: String) -> Complaint {
        guard profile != Profile.defaultName else { return self }
        let command = "mojoauth-credential login"
        return Complaint(
            message, hint: hint?.replacing("run \(command)", with: "run \(command) --profile \(profile)"),
            exitCode: exitCode)
    }

    /// What a person is told when the userinfo endpoint was of no help.
    package init(_ failure: UserInfoEndpoint.Failure, issuer: String) {
        switch failure {
        case .discovery(let error): self.init(error, issuer: issuer)
        case .notOffered:
            self.init("the issuer has no userinfo endpoint", hint: "leave --refresh out", exitCode: .configuration)
        case .document(let document):
            if case .status(401) = document.reason {
                self.init(
                    "\(document)", hint: "run mojoauth-credential refresh, then try again", exitCode: .loginRequired)
            } else {
                let hint = Self.hint(for: document, notFound: "check the issuer's userinfo endpoint")
                self.init("\(document)", hint: hint, exitCode: Self.exitCode(for: document))
            }
        case .claims(let error):
            self.init("\(error)", hint: "nothing was kept; log in again", exitCode: .unacceptableAnswer)
        }
    }

    // MARK: Setup and discovery

    private static func hint(for error: HTTPSetupError) -> String {
        switch error {
        case .caFile: "let ca-file in the profile name a readable file of certificates in PEM"
        case .pin: "check pin-sha256 in the profile"
        case .proxy(let variable): "set \(variable) to http://host:port, or unset it"
        }
    }

    private init(_ error: DiscoveryError, issuer: String) {
        switch error {
        case .untrustworthyIssuer:
            self.init("\(error)", hint: "let issuer in the profile begin with https://", exitCode: .configuration)
        case .document(let document):
            self.init(
                "\(error)", hint: Self.hint(for: document, notFound: "check issuer (\(issuer)) in the profile"),
                exitCode: Self.exitCode(for: document))
        case .metadata(.issuerMismatch(_, let found)):
            self.init(
                "\(error)", hint: "if \"\(found)\" is the right one, write it in the profile as issuer, byte for byte",
                exitCode: .unacceptableAnswer)
        case .metadata(.missing(let name)):
            self.init(
                "\(error)", hint: "let the profile name it: \(Self.profileKey(name))", exitCode: .unacceptableAnswer)
        case .metadata:
            self.init("\(error)", hint: "ask whoever runs the issuer", exitCode: .unacceptableAnswer)
        }
    }

    private static func profileKey(_ name: String) -> String {
        name == "jwks_uri" ? "jwks-endpoint" : name.split(separator: "_").joined(separator: "-")
    }

    private static func hint(for error: DocumentError, notFound: String) -> String? {
        switch error.reason {
        case .http(let error): hint(for: error)
        case .notFound, .status, .redirected, .notObject, .json: notFound
        case .unavailable(_, let pause?): "try again in \(pause) s"
        case .unavailable: "try again later"
        case .html: "\(notFound), and whether this network wants a sign-in of its own"
        }
    }

    private static func exitCode(for error: DocumentError) -> ExitCode {
        switch error.reason {
        case .http(let error): exitCode(for: error)
        case .unavailable, .html: .temporary
        case .notFound, .redirected, .status: .configuration
        case .json, .notObject: .unacceptableAnswer
        }
    }

    // MARK: The network

    private static func hint(for error: HTTPError) -> String? {
        switch error.reason {
        case .nameNotResolved: "check issuer in the profile, and the network"
        case .refused, .unreachable, .cut, .other, .timedOut: "check the network and try again"
        case .tls: "if the issuer has a private authority, let ca-file in the profile name its certificate"
        case .pinMismatch:
            "if the issuer changed its key, renew pin-sha256 in the profile; else do not trust this network"
        case .tooLarge: "check the issuer's endpoints"
        case .proxy: "check https_proxy and no_proxy, or the desktop's proxy settings"
        case .interrupted: nil
        }
    }

    private static func exitCode(for error: HTTPError) -> ExitCode {
        switch error.reason {
        case .tls, .pinMismatch, .tooLarge: .unacceptableAnswer
        case .interrupted: .cancelled
        default: .temporary
        }
    }

    // MARK: The issuer's answers

    /// An error of the authorization endpoint (RFC 6749 section 4.1.2.1, OpenID Connect Core section 3.1.2.6).
    private init(authorization error: OAuthError) {
        let message = "the issuer did not let the login through: \(error)"
        switch error.code {
        case "login_required", "consent_required", "interaction_required", "account_selection_required":
            self.init(
                message, hint: "run mojoauth-credential login without --silent and without prompt=none",
                exitCode: .loginRequired)
        case "unauthorized_client", "invalid_scope", "unsupported_response_type", "invalid_client":
            self.init(
                message, hint: "compare client-id, scopes and redirect-uri in the profile with the issuer's settings",
                exitCode: .configuration)
        default:
            let isTransient = error.meaning == .transient
            self.init(
                message,
                hint: isTransient
                    ? "try again later"
                    : "compare redirect-uri and the parameters in the profile with the issuer's settings",
                exitCode: isTransient ? .temporary : .issuerError)
        }
    }

    private init(_ error: TokenEndpointError) {
        let login = "run mojoauth-credential login"
        switch error {
        case .http(let error):
            self.init("\(error)", hint: Self.hint(for: error), exitCode: Self.exitCode(for: error))
        case .oauth(let oauth, _):
            switch oauth.meaning {
            case .grantRefused: self.init("\(error)", hint: login, exitCode: .loginRequired)
            case .configuration:
                self.init(
                    "\(error)",
                    hint: "compare client-id, client-auth and scopes in the profile with the issuer's settings",
                    exitCode: .configuration)
            case .transient: self.init("\(error)", hint: "try again later", exitCode: .temporary)
            case .other where oauth.code == "invalid_target":
                self.init(
                    "\(error)", hint: "check audience and resource in the host's entry", exitCode: .configuration)
            case .other:
                self.init("\(error)", hint: "ask whoever runs the issuer what it means", exitCode: .issuerError)
            }
        case .unavailable(_, let pause):
            let hint = pause.map { "try again in \($0) s" } ?? "try again later"
            self.init("\(error)", hint: hint, exitCode: .temporary)
        case .notJSON:
            self.init(
                "\(error)", hint: "try again later; a proxy or a network that wants a sign-in may have answered",
                exitCode: .temporary)
        case .refusedWithoutReason, .message:
            self.init(
                "\(error)", hint: "\(login), and ask whoever runs the issuer if that does not help",
                exitCode: .loginRequired)
        case .redirected, .unexpectedStatus:
            self.init("\(error)", hint: "check the issuer's endpoints", exitCode: .configuration)
        case .malformedJSON, .unacceptable, .deviceAuthorization:
            self.init("\(error)", hint: "ask whoever runs the issuer", exitCode: .unacceptableAnswer)
        }
    }

    private init(_ failure: IDTokenFailure) {
        switch failure {
        case .keySetUnavailable(let document):
            self.init(
                "\(failure)", hint: Self.hint(for: document, notFound: "check jwks_uri in the issuer's metadata"),
                exitCode: Self.exitCode(for: document))
        case .claims(.expired), .claims(.notYetValid), .claims(.issuedInTheFuture), .claims(.issuedLongAgo):
            self.init("\(failure)", hint: "set the clock of this machine", exitCode: .unacceptableAnswer)
        case .claims(.authenticatedTooLongAgo), .claims(.wrongAuthenticationContext):
            self.init("\(failure)", hint: "log in again and sign in anew at the issuer", exitCode: .unacceptableAnswer)
        case .claims(.wrongIssuer), .claims(.wrongAudience), .claims(.wrongAuthorizedParty):
            self.init("\(failure)", hint: "check issuer and client-id in the profile", exitCode: .unacceptableAnswer)
        default:
            self.init(
                "\(failure)", hint: "nothing was saved; ask whoever runs the issuer", exitCode: .unacceptableAnswer)
        }
    }
}
