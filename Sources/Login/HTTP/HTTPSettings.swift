import Configuration
import WebAddress

/// How requests are made: whom to trust, through which proxy, within which limits.
package struct HTTPSettings: Sendable {
    /// Certificates in PEM that stand in place of the system's; nil trusts the system's.
    package var caFile: String?
    /// Keys one of which the server must have, besides being trusted; none: any.
    package var pins: [KeyPin]
    package var proxy: ProxyEnvironment
    /// For a whole request, from the look-up of the name to the last byte, in seconds.
    package var deadline = 20.0
    /// Of an answer's body, in bytes.
    package var sizeLimit = 1 << 20

    package init(caFile: String? = nil, pins: [KeyPin] = [], proxy: ProxyEnvironment = .none) {
        self.caFile = caFile
        self.pins = pins
        self.proxy = proxy
    }

    /// What a profile asks for, and the environment's proxies.
    package init(_ profile: Profile) throws(HTTPSetupError) {
        var pins: [KeyPin] = []
        for text in profile.pins {
            guard let pin = KeyPin(text) else { throw .pin(text) }
            pins.append(pin)
        }
        self.init(caFile: profile.caFile, pins: pins, proxy: .current)
    }
}
