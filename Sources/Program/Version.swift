/// The version of all programs here.
package enum Version {
    package static let text = "0.1.0"
}
