import CGLib
import Glibc

/// Tells a bus who we are: the mechanism EXTERNAL of the D-Bus Specification, "Authentication Protocol", by which the kernel
/// vouches for the user of a socket.
///
/// All that a client has to say goes out at once, and one line comes back. The specification lets a client begin before it has
/// the answer, as long as no message follows.
struct BusHandshake {
    enum Outcome {
        case known
        /// The bus wants something else, or has hung up.
        case refused
        case late
    }

    let descriptor: CInt
    /// In seconds.
    let limit: Double

    /// An identifier of 32 digits follows OK.
    private static let longestAnswer = 64

    func run() -> Outcome {
        let deadline = g_get_monotonic_time() + gint64(limit * 1e6)
        // The number's digits, each by its character's code in hexadecimal.
        var user = ""
        for digit in String(geteuid()) { user += "3\(digit)" }
        // The byte before the first line is for credentials, on systems that send them by hand.
        let words = Array("\0AUTH EXTERNAL \(user)\r\nBEGIN\r\n".utf8)
        // A new socket has room for so little.
        guard send(descriptor, words, words.count, CInt(MSG_NOSIGNAL)) == words.count else { return .refused }
        var answer: [UInt8] = []
        while !answer.ends(with: "\r\n") {
            guard answer.count < Self.longestAnswer else { return .refused }
            let left = (deadline - g_get_monotonic_time() + 999) / 1000
            var watched = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            let ready = poll(&watched, 1, CInt(max(left, 0)))
            if ready == 0 { return .late }
            if ready < 0, errno != EINTR { return .refused }
            var chunk = [UInt8](repeating: 0, count: Self.longestAnswer)
            let count = recv(descriptor, &chunk, chunk.count, CInt(MSG_DONTWAIT))
            if count < 0, errno == EAGAIN || errno == EINTR { continue }
            guard count > 0 else { return .refused }
            answer += chunk[..<count]
        }
        return answer.starts(with: "OK ".utf8) ? .known : .refused
    }
}

extension [UInt8] {
    fileprivate func ends(with text: String) -> Bool { suffix(text.utf8.count).elementsEqual(text.utf8) }
}
