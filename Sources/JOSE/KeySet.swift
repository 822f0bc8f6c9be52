import JSON

/// The issuer's keys (RFC 7517 section 5) as fetched from its `jwks_uri`.
package struct KeySet: Sendable, Equatable {
    let keys: [JSONWebKey]

    /// Parses a JWK Set. A key that is bad or of a foreign type does not spoil the others.
    ///
    /// - Throws: ``JOSEError`` `.malformedKeySet` for what is no JSON object with a list `keys`.
    package init(parsing bytes: some Collection<UInt8>) throws(JOSEError) {
        let value: JSONValue
        do {
            value = try JSONValue(parsing: bytes)
        } catch {
            throw .malformedKeySet("\(error)")
        }
        guard let object = value.object else { throw .malformedKeySet("not a JSON object") }
        try self.init(decoding: object)
    }

    package init(decoding object: JSONObject) throws(JOSEError) {
        guard let elements = object["keys"]?.array else { throw .malformedKeySet("it has no list 'keys'") }
        keys = elements.compactMap { $0.object.map(JSONWebKey.init(decoding:)) }
    }

    /// How many keys the set has, of use or not.
    package var count: Int { keys.count }
}
