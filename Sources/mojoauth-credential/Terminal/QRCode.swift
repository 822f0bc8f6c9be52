import CQREncode
import Program

/// A QR code (ISO/IEC 18004) of a text, for a phone to read from the terminal.
struct QRCode {
    /// Modules on a side, without the quiet zone.
    let size: Int
    private let isDark: [Bool]

    /// Light modules around it that a reader needs.
    private static let quietZone = 4

    /// Nil for a text that is too long.
    init?(_ text: String) {
        guard let code = QRcode_encodeString8bit(text, 0, QR_ECLEVEL_M) else { return nil }
        defer { QRcode_free(code) }
        size = Int(code.pointee.width)
        // The lowest bit of a byte is the module; the others tell what it is for.
        isDark = (0..<size * size).map { code.pointee.data[$0] & 1 == 1 }
    }

    /// Columns that it takes.
    var width: Int { size + 2 * Self.quietZone }

    /// Two modules, one above the other, in each character.
    ///
    /// With colours, dark on light whatever the terminal's own are; without, the blocks are the light ones, which is
    /// right on a dark terminal and inverted on a light one.
    func lines(_ style: TerminalStyle) -> [String] {
        stride(from: -Self.quietZone, to: size + Self.quietZone, by: 2).map { row in
            let cells = (-Self.quietZone..<size + Self.quietZone).map { column in
                let (upper, lower) = (dark(row, column), dark(row + 1, column))
                return style.isColoured ? Self.block(upper, lower) : Self.block(!upper, !lower)
            }
            // Black on bright white.
            return style.isColoured ? "\u{1B}[30;107m\(cells.joined())\u{1B}[0m" : cells.joined()
        }
    }

    private static func block(_ upper: Bool, _ lower: Bool) -> String {
        switch (upper, lower) {
        case (true, true): "\u{2588}"
        case (true, false): "\u{2580}"
        case (false, true): "\u{2584}"
        case (false, false): " "
        }
    }

    private func dark(_ row: Int, _ column: Int) -> Bool {
        (0..<size).contains(row) && (0..<size).contains(column) && isDark[row * size + column]
    }
}
