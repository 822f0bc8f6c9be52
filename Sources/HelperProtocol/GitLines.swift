import Sensitive

/// `key=value` lines that git reads whole.
struct GitLines {
    private(set) var bytes: [UInt8] = []

    mutating func append(_ key: String, _ value: String) throws(GitProtocolError) {
        try append(key, Array(value.utf8))
    }

    mutating func append(_ key: String, _ value: Secret) throws(GitProtocolError) {
        try append(key, value.withBytes { Array($0) })
    }

    mutating func append(_ key: String, _ value: [UInt8]) throws(GitProtocolError) {
        guard key.utf8.count + value.count + 2 <= GitResponse.maximumLine else {
            throw GitProtocolError(reason: .lineTooLong(key: key))
        }
        guard !value.contains(where: { $0 == 0x0A || $0 == 0x0D || $0 == 0 }) else {
            throw GitProtocolError(reason: .unsafeValue(key: key))
        }
        bytes += key.utf8
        bytes.append(UInt8(ascii: "="))
        bytes += value
        bytes.append(0x0A)
    }
}
