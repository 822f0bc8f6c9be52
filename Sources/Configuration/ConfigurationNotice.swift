/// Something that is ignored, and that its author should know of.
package struct ConfigurationNotice: Sendable, Equatable, CustomStringConvertible {
    package var file: String
    package var line: Int?
    package var text: String

    /// `FILE:LINE: TEXT`.
    package var description: String {
        line.map { "\(file):\($0): \(text)" } ?? "\(file): \(text)"
    }
}
