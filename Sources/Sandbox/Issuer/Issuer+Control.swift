import JSON
import Sensitive
import WebAddress

extension Issuer {
    static let controlPath = "/sandbox/faults"

    /// Faults turned on and off while it runs: `PUT` and `DELETE` of `/sandbox/faults/NAME`, `GET` of the list.
    func controlFaults(_ request: HTTPRequest) -> HTTPResponse {
        guard let bearer = request.bearer, Secret(bearer) == control else {
            var response = HTTPResponse.text("this takes the control secret of the ready file", status: 401)
            response.set("WWW-Authenticate", "Bearer realm=\"sandbox\"")
            return response
        }
        let rest = request.path.dropFirst(Self.controlPath.count)
        if rest.isEmpty, request.method == "GET" { return listFaults() }
        guard rest.hasPrefix("/") else { return .text("no such path", status: 404) }
        let spelled = String(rest.dropFirst())
        do {
            var setting = try FaultSetting(parsing: spelled)
            guard let query = request.query else { return .text("the query cannot be read", status: 400) }
            if let value = query["value"] { setting.value = value }
            if let at = query["at"] {
                guard let number = Int(at), number > 0 else { return .text("at is not a number", status: 400) }
                setting.occasion = number
            }
            switch request.method {
            case "PUT": faults.turnOn(setting)
            case "DELETE": faults.turnOff(setting.name)
            default: return .text("PUT turns a fault on, DELETE off", status: 405)
            }
            return HTTPResponse(status: 204)
        } catch {
            return .text(error.description, status: error == .unknownName(spelled) ? 404 : 400)
        }
    }

    private func listFaults() -> HTTPResponse {
        var object = JSONObject()
        object["faults"] = .array(faults.settings.map { .string($0.name) })
        return .json(object)
    }
}
