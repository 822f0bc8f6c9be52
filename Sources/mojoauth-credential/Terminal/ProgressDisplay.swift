import Login
import Program

/// What a login or a sign-out shows on standard error while it goes on.
///
/// A pipe gets plain lines. A terminal gets the same lines, and below them one live line that counts down what is waited
/// for; it is gone at the end, also after Ctrl-C.
final class ProgressDisplay {
    private let loop: EventLoop
    /// Nil for plain lines.
    private let screen: TerminalScreen?
    private var wait: (text: String, until: Double)?
    private var timer: EventSource?
    private var isLineShown = false
    /// Somebody may be typing here: nothing is drawn over it.
    private var isForTyping = false

    /// - Parameter loop: the one that waits; the live line is drawn from it.
    init(loop: EventLoop) {
        self.loop = loop
        screen = TerminalScreen()
    }

    func show(_ step: LoginProgress) {
        clear()
        guard let screen else { return write(step) }
        switch step {
        case .waiting(_, let seconds): countDown("waiting for the browser", seconds, step)
        case .enterCode(let code, let address, let complete, let seconds):
            StandardStream.writeError(Self.codeText(code, address, complete, screen))
            countDown("waiting for the code to be entered", seconds, step)
        case .pasteWelcome:
            isForTyping = true
            stop()
            write(step)
        case .received, .codeAccepted:
            stop()
            write(step)
        default:
            write(step)
            draw()
        }
    }

    /// Takes the live line away.
    func end() {
        clear()
        stop()
    }

    private func write(_ step: LoginProgress) {
        StandardStream.writeError("\(DisplayText.cleanLines(step.description))\n")
    }

    private func countDown(_ text: String, _ seconds: Int, _ step: LoginProgress) {
        guard !isForTyping else {
            return StandardStream.writeError("\(DisplayText.cleanLines(step.description)); Ctrl-C gives up\n")
        }
        wait = (text, Clock.monotonic() + Double(seconds))
        timer = loop.timer(after: 1, repeats: true) { [unowned self] in draw() }
        draw()
    }

    private func stop() {
        wait = nil
        timer?.cancel()
        timer = nil
    }

    private func draw() {
        guard let wait, let screen else { return }
        let left = max(0, Int((wait.until - Clock.monotonic()).rounded()))
        let clock = "\(left / 60):\(left % 60 < 10 ? "0" : "")\(left % 60)"
        let text = "\(clock) left, Ctrl-C gives up: \(wait.text)"
        // One that wraps could not be drawn over; what a narrow terminal cuts off is what matters least.
        let line = screen.style.paint(String(text.prefix(screen.columns - 1)), .dim)
        StandardStream.writeError("\r\u{1B}[K\(line)")
        isLineShown = true
    }

    private func clear() {
        guard isLineShown else { return }
        StandardStream.writeError("\r\u{1B}[K")
        isLineShown = false
    }

    /// The code large, and for a phone the address to scan.
    private static func codeText(_ code: String, _ address: String, _ complete: String?, _ screen: TerminalScreen)
        -> String
    {
        let spaced = DisplayText.clean(code, limit: 64).map(String.init).joined(separator: " ")
        var text = """
            on any device, open \(DisplayText.clean(address))
            and enter the code

                \(screen.style.paint(spaced, .bold))


            """
        if let complete { text += "or open \(DisplayText.clean(complete)) and compare the code\n" }
        guard screen.isUTF8, let picture = QRCode(complete ?? address), picture.width <= screen.columns else {
            return text
        }
        return text + "or scan this:\n" + picture.lines(screen.style).map { $0 + "\n" }.joined()
    }
}
