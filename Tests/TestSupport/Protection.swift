/// Who may enter a location of an Apache server.
enum Protection {
    /// Bearers of a token that the issuer's keys verify: as Basic password, or in a Bearer header.
    case token(keySet: String)
    /// The one account of ``ForeignAccount``.
    case password

    var modules: [String] {
        switch self {
        case .token: ["oauth2"]
        case .password: ["authn_file", "auth_basic"]
        }
    }

    /// - Parameters:
    ///   - root: the server's folder, where the password file lies.
    ///   - challenges: authentication schemes that a refusal offers.
    func directives(root: String, challenges: String) -> String {
        switch self {
        case .token(let keySet):
            // Without `expiry=1` the module keeps a verified token and accepts it past its end.
            """
            AuthType oauth2
            AuthName test
            OAuth2AcceptTokenIn basic
            OAuth2AcceptTokenIn header
            OAuth2TokenVerify jwks_uri \(keySet) verify.exp=required&verify.iat=required&expiry=1
            OAuth2TargetPass remote_user_claim=sub
            \(challenges)
            Require valid-user
            """
        case .password:
            """
            AuthType Basic
            AuthName test
            AuthBasicProvider file
            AuthUserFile \(root)/htpasswd
            Require valid-user
            """
        }
    }
}
