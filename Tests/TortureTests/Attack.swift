import Foundation
import Synchronization

/// What a process of this machine, of any user, may do to the port of a login that waits.
struct Attack: Sendable {
    var name: String
    /// How many requests or connections there are before the real redirect comes.
    var count: Int
    /// Made on threads of its own again and again, with the port, and a number of its own each time; false: enough.
    var strike: @Sendable (_ port: Int, _ number: Int, _ crowd: Crowd) -> Bool

    /// What the attackers share.
    final class Crowd: Sendable {
        private let made = Mutex(0)
        private let isOver = Mutex(false)
        private let held = Mutex<[CInt]>([])
        private let answers = Mutex<Set<String>>([])

        var strikes: Int { made.withLock { $0 } }
        var hasEnded: Bool { isOver.withLock { $0 } }
        /// Every different answer.
        var words: [String] { answers.withLock { Array($0) } }

        func count() { made.withLock { $0 += 1 } }
        func hear(_ answer: String) { _ = answers.withLock { $0.insert(answer) } }
        /// Stays open until the end.
        func hold(_ descriptor: CInt) { held.withLock { $0.append(descriptor) } }

        func end() {
            isOver.withLock { $0 = true }
            let descriptors = held.withLock { held in
                // Once: by the next time a number may be another's.
                defer { held = [] }
                return held
            }
            for descriptor in descriptors { close(descriptor) }
        }
    }

    /// Starts it and returns once it is in full swing; it goes on until the crowd is told to end.
    func begin(_ port: Int, threads: Int = 4) -> Crowd {
        let crowd = Crowd()
        let numbers = Mutex(0)
        let next: @Sendable () -> Int = {
            numbers.withLock {
                $0 += 1; return $0
            }
        }
        for _ in 0..<threads {
            Thread.detachNewThread { [self] in
                while !crowd.hasEnded, strike(port, next(), crowd) { crowd.count() }
            }
        }
        while crowd.strikes < count { usleep(1000) }
        return crowd
    }
}

extension Attack {
    /// A request that is answered.
    private static func requests(
        _ name: String, _ count: Int, _ text: @escaping @Sendable (_ port: Int, _ number: Int) -> String
    ) -> Attack {
        Attack(name: name, count: count) { port, number, crowd in
            crowd.hear(RawClient.exchange(port, text(port, number)))
            return true
        }
    }

    private static func get(_ path: String, host: String, _ more: String = "") -> String {
        "GET \(path) HTTP/1.1\r\nHost: \(host)\r\n\(more)\r\n"
    }

    /// As long as a state is.
    private static func guess(_ number: Int) -> String {
        let digits = String(number)
        return String(repeating: "A", count: 43 - digits.count) + digits
    }

    static func all(_ times: Int) -> [Attack] {
        [
            Attack(name: "200 idle sockets", count: 200) { port, number, crowd in
                guard number <= 200 else { return false }
                crowd.hold(RawClient.connect(port))
                return true
            },
            Attack(name: "100 connections of slow bytes", count: 100) { port, number, crowd in
                guard number <= 100 else { return false }
                let descriptor = RawClient.connect(port)
                Thread.detachNewThread {
                    while !crowd.hasEnded, RawClient.send(descriptor, "G") { usleep(20_000) }
                    close(descriptor)
                }
                return true
            },
            requests("wrong states", times) { port, number in
                get("/callback?code=c&state=\(guess(number))", host: "127.0.0.1:\(port)")
            },
            requests("errors with wrong states", times) { port, number in
                get("/callback?error=access_denied&state=\(guess(number))", host: "127.0.0.1:\(port)")
            },
            requests("guesses of the way to the issuer", times) { port, number in
                get("/start/\(guess(number))", host: "127.0.0.1:\(port)")
            },
            requests("wrong paths", times) { port, number in
                get(number.isMultiple(of: 2) ? "/favicon.ico" : "/../\(number)", host: "127.0.0.1:\(port)")
            },
            requests("foreign hosts", times) { port, number in
                get("/callback?code=c&state=\(guess(number))", host: "evil\(number).example:\(port)")
            },
            requests("foreign origins", times) { port, number in
                get(
                    "/callback?code=c&state=\(guess(number))", host: "127.0.0.1:\(port)",
                    "Origin: https://evil.example\r\n")
            },
            requests("bodies of a megabyte", times / 10) { port, _ in
                "POST /callback HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\nContent-Length: 1000000\r\n"
                    + "Content-Type: application/x-www-form-urlencoded\r\n\r\n"
                    + String(repeating: "x", count: 1_000_000)
            },
        ]
    }
}
