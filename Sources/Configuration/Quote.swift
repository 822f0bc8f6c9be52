/// A value as an error message shows it: in quotes, cut where it is long.
func quote(_ text: some StringProtocol) -> String {
    text.utf8.count <= 120 ? "\"\(text)\"" : "\"\(text.prefix(100))...\""
}
