import Login

/// The address that a person pastes at the terminal.
enum PastedReading {
    /// libFuzzer calls from one thread.
    private nonisolated(unsafe) static var waiting = Waiting()

    static func run(_ bytes: [UInt8]) {
        let filled = waiting.filled(bytes)
        let refusal = waiting.listener.take(.text(String(decoding: filled, as: UTF8.self)))
        check(refusal?.description.isEmpty != true, "a refusal without words")
        let isTaken = waiting.hasTaken(filled)
        check(isTaken == (refusal == nil), "taken and refused")
        guard isTaken else { return }
        waiting.listener.close()
        waiting = Waiting()
    }
}
