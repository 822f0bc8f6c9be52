/// "Did you mean": the nearest of a few words.
package enum Suggestion {
    /// The word nearest to `typed` within two edits, or nil.
    package static func nearest(to typed: String, among words: [String]) -> String? {
        words.map { ($0, distance(Array(typed), Array($0))) }.filter { $0.1 <= 2 }.min { $0.1 < $1.1 }?.0
    }

    /// Levenshtein distance.
    private static func distance(_ left: [Character], _ right: [Character]) -> Int {
        var row = Array(0...right.count)
        for (i, leftCharacter) in left.enumerated() {
            var diagonal = row[0]
            row[0] = i + 1
            for (j, rightCharacter) in right.enumerated() {
                let substitution = diagonal + (leftCharacter == rightCharacter ? 0 : 1)
                diagonal = row[j + 1]
                row[j + 1] = min(substitution, row[j] + 1, row[j + 1] + 1)
            }
        }
        return row[right.count]
    }
}
