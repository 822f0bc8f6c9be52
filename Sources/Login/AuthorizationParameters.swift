import Configuration
import OpenIDConnect
import WebAddress

/// The extra parameters of an authorization request: the profile's, and in their place those of this one login.
struct AuthorizationParameters {
    let fields: FormFields
    /// In seconds.
    let maxAge: Int?
    let authenticationContexts: [String]
    /// The issuer must ask nothing (OpenID Connect Core section 3.1.2.1).
    var isSilent: Bool { fields["prompt"] == "none" }

    init(profile: Profile, login: FormFields) throws(LoginError) {
        var own = profile.parameters
        own.append("connection", profile.connection)
        own.append("ui_locales", Self.list(profile.uiLocales))
        own.append("acr_values", Self.list(profile.acrValues))
        own.append("prompt", Self.list(profile.prompt))
        own.append("max_age", profile.maxAge.map { "\($0)" })
        var fields = FormFields()
        for field in own.fields where login[field.name] == nil { fields.append(field.name, field.value) }
        for field in login.fields { fields.append(field.name, field.value) }
        self.fields = fields
        maxAge = fields["max_age"].flatMap { Int($0) }
        if let value = fields["max_age"], (maxAge ?? -1) < 0 { throw .parameter(name: "max_age", value: value) }
        authenticationContexts = fields["acr_values"]?.split(separator: " ").map(String.init) ?? []
    }

    private static func list(_ words: [String]) -> String? {
        words.isEmpty ? nil : words.joined(separator: " ")
    }
}
