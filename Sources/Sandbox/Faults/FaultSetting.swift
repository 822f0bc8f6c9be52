/// A fault that is turned on: `NAME[=VALUE][@N]`.
package struct FaultSetting: Sendable, Equatable {
    package var name: String
    package var value: String?
    /// Strikes at this request to its endpoint alone, counted from when it was turned on; nil: at every one.
    package var occasion: Int?

    package init(name: String, value: String? = nil, occasion: Int? = nil) {
        self.name = name
        self.value = value
        self.occasion = occasion
    }

    /// Parses the spelling of `--fault`.
    ///
    /// - Throws: ``Failure`` for a name that is not in the table or a number that is none.
    package init(parsing text: String) throws(Failure) {
        var rest = text[...]
        var occasion: Int?
        if let at = rest.lastIndex(of: "@") {
            guard let number = Int(rest[rest.index(after: at)...]), number > 0 else { throw .badOccasion(text) }
            occasion = number
            rest = rest[..<at]
        }
        let halves = rest.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let name = String(halves[0])
        guard Fault.find(name) != nil else { throw .unknownName(name) }
        self.init(name: name, value: halves.count > 1 ? String(halves[1]) : nil, occasion: occasion)
    }

    package enum Failure: Error, Sendable, Equatable, CustomStringConvertible {
        case unknownName(String)
        case badOccasion(String)

        package var description: String {
            switch self {
            case .unknownName(let name): "there is no fault '\(name)'"
            case .badOccasion(let text): "'\(text)': what follows @ is not a number from 1 upwards"
            }
        }
    }
}
