import JSON

/// Why a request is not understood, or a token cannot be handed over. Never quotes a secret.
package struct RequestFault: Error, Sendable, Equatable, CustomStringConvertible {
    package var description: String
    package var hint: String?
    /// The arguments are wrong: the usage line says it.
    package var isUsage = false

    package init(_ description: String, hint: String? = nil) {
        self.description = description
        self.hint = hint
    }

    package static var usage: RequestFault {
        var fault = RequestFault("the arguments are none of this protocol's")
        fault.isUsage = true
        return fault
    }
}

extension JSONObject {
    /// Parses a request that is one object. No caller sends more than a few kilobytes.
    init(request bytes: [UInt8]) throws(RequestFault) {
        let value: JSONValue
        do throws(JSONError) {
            value = try JSONValue(parsing: bytes, maximumSize: 1 << 20)
        } catch {
            throw RequestFault(error.description)
        }
        guard let object = value.object else { throw RequestFault("JSON, but not an object") }
        self = object
    }

    /// A member that must be there.
    func text(_ name: String) throws(RequestFault) -> String {
        guard let value = self[name] else { throw RequestFault("\(name) is missing") }
        guard let text = value.string else { throw RequestFault("\(name) is not a string") }
        return text
    }

    /// An answer of one line.
    func line() throws(RequestFault) -> [UInt8] {
        do throws(JSONError) {
            return try JSONValue.object(self).serialized() + [0x0A]
        } catch {
            throw RequestFault("the answer is not text that JSON can carry")
        }
    }
}
