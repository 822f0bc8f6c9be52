import Glibc
import Sensitive
import WebAddress

extension GitRequest {
    /// Parses the lines that git writes, up to a blank line or the end.
    ///
    /// Only LF ends a line and nothing is quoted. Unknown keys are ignored, so that a newer git is understood.
    ///
    /// - Throws: ``GitProtocolError``.
    package init(parsing bytes: [UInt8]) throws(GitProtocolError) {
        guard bytes.count <= Self.maximumSize else { throw GitProtocolError(reason: .tooLarge) }
        guard !bytes.contains(0) else { throw GitProtocolError(reason: .nulByte) }
        self.init()
        var start = 0
        var number = 1
        while start < bytes.count {
            let end = Self.index(of: 0x0A, in: bytes, from: start)
            if end == start { break }
            let equals = Self.index(of: UInt8(ascii: "="), in: bytes, from: start)
            guard equals < end else { throw GitProtocolError(reason: .notKeyValue(line: number)) }
            try set(String(decoding: bytes[start..<equals], as: UTF8.self), to: bytes[(equals + 1)..<end])
            start = end + 1
            number += 1
        }
    }

    /// The first such byte at or behind `start`; the length when there is none. By memchr, since a challenge may be a
    /// megabyte long.
    private static func index(of byte: UInt8, in bytes: [UInt8], from start: Int) -> Int {
        bytes.withUnsafeBytes { buffer in
            let rest = UnsafeRawBufferPointer(rebasing: buffer[start...])
            guard let base = rest.baseAddress, let found = memchr(base, CInt(byte), rest.count) else {
                return bytes.count
            }
            return start + (UnsafeRawPointer(found) - base)
        }
    }

    private mutating func set(_ key: String, to value: ArraySlice<UInt8>) throws(GitProtocolError) {
        switch key {
        case "protocol": credential.protocol = try Self.withoutCarriageReturn(key, value)
        case "host": credential.host = try Self.withoutCarriageReturn(key, value)
        case "path": credential.path = Array(value)
        case "username": credential.username = Array(value)
        case "password": credential.password = Secret(value)
        case "url": try set(url: value)
        case "password_expiry_utc": credential.passwordExpiry = Self.time(value)
        case "oauth_refresh_token": credential.oauthRefreshToken = Secret(value)
        case "authtype": credential.authtype = Array(value)
        case "credential": credential.credential = Secret(value)
        case "ephemeral": credential.isEphemeral = try Self.boolean(key, value)
        case "continue": isContinued = try Self.boolean(key, value)
        case "wwwauth[]": Self.add(value, to: &challenges)
        case "state[]": Self.add(value, to: &states)
        case "capability[]": add(capability: value)
        default: break
        }
    }

    /// An empty value empties the list.
    private static func add(_ value: ArraySlice<UInt8>, to list: inout [[UInt8]]) {
        if value.isEmpty { list.removeAll() } else { list.append(Array(value)) }
    }

    private mutating func add(capability value: ArraySlice<UInt8>) {
        switch String(decoding: value, as: UTF8.self) {
        case "": capabilities = []
        case "authtype": capabilities.insert(.authtype)
        case "state": capabilities.insert(.state)
        default: break
        }
    }

    private static func withoutCarriageReturn(
        _ key: String, _ value: ArraySlice<UInt8>
    ) throws(GitProtocolError) -> [UInt8] {
        guard !value.contains(0x0D) else { throw GitProtocolError(reason: .carriageReturn(key: key)) }
        return Array(value)
    }

    /// Seconds since the epoch; nil for 0 and for what is no number or too large a one, which git takes for "never".
    static func time(_ value: some Collection<UInt8>) -> Int? {
        guard let number = Int(String(decoding: value, as: UTF8.self)), number > 0,
            value.allSatisfy({ (0x30...0x39).contains($0) })
        else { return nil }
        return number
    }

    /// A boolean as git-config(1) has it.
    private static func boolean(_ key: String, _ value: ArraySlice<UInt8>) throws(GitProtocolError) -> Bool {
        var text = String(decoding: value, as: UTF8.self).lowercased()
        switch text {
        case "true", "yes", "on": return true
        case "false", "no", "off", "": return false
        default:
            if let last = text.last, "kmg".contains(last) { text.removeLast() }
            guard let number = Int(text) else { throw GitProtocolError(reason: .notBoolean(key: key)) }
            return number != 0
        }
    }

    // MARK: url

    /// Takes a URL for the attributes it is made of, as git-credential(1) has it. What came before it is forgotten,
    /// except for the capabilities: they are about the caller.
    private mutating func set(url: ArraySlice<UInt8>) throws(GitProtocolError) {
        self = GitRequest(capabilities: capabilities)
        guard let colon = url.place(of: "://".utf8), colon.lowerBound > url.startIndex else {
            throw GitProtocolError(reason: .noScheme)
        }
        let rest = url[colon.upperBound...]
        let authorityEnd = rest.firstIndex { "/?#".utf8.contains($0) } ?? rest.endIndex
        var host = rest[..<authorityEnd]
        if let at = host.firstIndex(of: UInt8(ascii: "@")) {
            let user = host[..<at]
            host = host[(at + 1)...]
            let split = user.firstIndex(of: UInt8(ascii: ":")) ?? at
            credential.username = try Self.decode(user[..<split])
            if split < at { credential.password = Secret(try Self.decode(user[(split + 1)...])) }
        }
        credential.protocol = try Self.decode(url[..<colon.lowerBound], percent: false)
        credential.host = try Self.decode(host)
        let path = try Self.decode(rest[authorityEnd...].drop { $0 == UInt8(ascii: "/") })
        let length = path.lastIndex { $0 != UInt8(ascii: "/") } ?? 0
        if !path.isEmpty { credential.path = Array(path[...length]) }
    }

    private init(capabilities: GitCapabilities) {
        self.init()
        self.capabilities = capabilities
    }

    /// Undoes percent escapes; a broken one stays as it is, which is git's way.
    private static func decode(_ text: ArraySlice<UInt8>, percent: Bool = true) throws(GitProtocolError) -> [UInt8] {
        var decoded: [UInt8] = []
        decoded.reserveCapacity(text.count)
        var index = text.startIndex
        while index < text.endIndex {
            var byte = text[index]
            index += 1
            if percent, byte == UInt8(ascii: "%"), index + 1 < text.endIndex, let high = hex(text[index]),
                let low = hex(text[index + 1])
            {
                byte = high << 4 | low
                index += 2
            }
            guard byte != 0x0A, byte != 0x0D, byte != 0 else { throw GitProtocolError(reason: .controlInURL) }
            decoded.append(byte)
        }
        return decoded
    }

    private static func hex(_ byte: UInt8) -> UInt8? {
        switch byte {
        case 0x30...0x39: byte - 0x30
        case 0x41...0x46: byte - 0x41 + 10
        case 0x61...0x66: byte - 0x61 + 10
        default: nil
        }
    }
}
