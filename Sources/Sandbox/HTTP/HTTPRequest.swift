import WebAddress

/// A request as the issuer sees it: read whole, nothing of libsoup in it.
struct HTTPRequest {
    var method: String
    /// Percent-decoded, dot segments removed.
    var path: String
    /// As spelled, without the question mark.
    var rawQuery: String?
    var headers: [(name: String, value: String)] = []
    var body: [UInt8] = []

    /// The value of a header; nil when it is absent or given twice.
    func header(_ name: String) -> String? {
        let values = headers.filter { $0.name.lowercased() == name.lowercased() }
        return values.count == 1 ? values[0].value : nil
    }

    /// nil when the query is not form-urlencoded.
    var query: FormFields? {
        FormFields(parsing: rawQuery ?? "")
    }

    /// The fields of a form in the body; nil when it is none.
    var form: FormFields? {
        let type = header("Content-Type")?.prefix { $0 != ";" }.lowercased()
        guard type == "application/x-www-form-urlencoded", let text = String(validating: body, as: UTF8.self) else {
            return nil
        }
        return FormFields(parsing: text)
    }

    /// A cookie's value: the first of its name.
    func cookie(_ name: String) -> String? {
        for pair in (header("Cookie") ?? "").split(separator: ";") {
            let halves = pair.split(separator: "=", maxSplits: 1)
            if halves.count == 2, halves[0].drop(while: { $0 == " " }) == name { return String(halves[1]) }
        }
        return nil
    }

    /// The token of `Authorization: Bearer`.
    var bearer: String? {
        authorization("bearer")
    }

    /// User name and password of `Authorization: Basic` (RFC 7617).
    var basic: (user: String, password: String)? {
        guard let bytes = authorization("basic").flatMap(Digest.decodeBase64),
            let text = String(validating: bytes, as: UTF8.self), let colon = text.firstIndex(of: ":")
        else { return nil }
        return (String(text[..<colon]), String(text[text.index(after: colon)...]))
    }

    private func authorization(_ scheme: String) -> String? {
        guard let halves = header("Authorization")?.split(separator: " ", maxSplits: 1), halves.count == 2,
            halves[0].lowercased() == scheme
        else { return nil }
        return String(halves[1])
    }
}
