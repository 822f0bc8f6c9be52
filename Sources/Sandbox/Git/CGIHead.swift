/// The head of a CGI answer (RFC 3875 section 6.2), and what follows it.
struct CGIHead {
    var status = 200
    var headers: [HTTPResponse.Header] = []
    var rest: [UInt8] = []

    init(status: Int) {
        self.status = status
    }

    /// nil while the empty line has not come.
    init?(parsing bytes: [UInt8]) {
        var position = 0
        while let end = bytes[position...].firstIndex(of: 0x0A) {
            var line = bytes[position..<end]
            if line.last == 0x0D { line = line.dropLast() }
            position = end + 1
            if line.isEmpty {
                rest = Array(bytes[position...])
                return
            }
            add(String(decoding: line, as: UTF8.self))
        }
        return nil
    }

    private mutating func add(_ line: String) {
        guard let colon = line.firstIndex(of: ":") else { return }
        let name = String(line[..<colon])
        let value = String(line[line.index(after: colon)...].drop { $0 == " " })
        if name.lowercased() == "status" {
            status = Int(value.prefix { $0.isNumber }) ?? 500
        } else {
            headers.append(HTTPResponse.Header(name: name, value: value))
        }
    }
}
