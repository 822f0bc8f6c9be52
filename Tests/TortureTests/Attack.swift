import Foundation
import Program
import Synchronization
import TestSupport

/// What a process of this machine, of any user, may do to the port of a login that waits.
struct Attack: Sendable {
    var name: String
    /// How many requests or connections there are before the real redirect comes.
    var count: Int
    /// Made on threads of its own again and again, with the port, and a number of its own each time.
    var strike: @Sendable (_ port: Int, _ number: Int, _ crowd: Crowd) -> Strike
    /// Is every request answered? Else it only opens connections.
    var isAnswered = true

    enum Strike: Sendable {
        case done
        /// There was no connection, or no answer on it: it does not count.
        case failed
        /// Enough.
        case over
    }

    /// What the attackers share.
    final class Crowd: Sendable {
        private let made = Mutex(0)
        private let isOver = Mutex(false)
        private let held = Mutex<[CInt]>([])
        private let answers = Mutex<Set<String>>([])

        var strikes: Int { made.withLock { $0 } }
        /// Connections that stay open.
        var connections: Int { held.withLock { $0.count } }
        var hasEnded: Bool { isOver.withLock { $0 } }
        /// Every different answer.
        var words: [String] { answers.withLock { Array($0) } }

        func count() { made.withLock { $0 += 1 } }
        func hear(_ answer: String) { _ = answers.withLock { $0.insert(answer) } }
        /// Does something with a connection unless it was closed.
        ///
        /// - Returns: whether it was there, and what was done went well.
        func holds(_ descriptor: CInt, _ act: () -> Bool) -> Bool {
            held.withLock { $0.contains(descriptor) && act() }
        }

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
    ///
    /// - Throws: ``Overdue`` when it does not come to that.
    func begin(_ port: Int, threads: Int = 4) throws(Overdue) -> Crowd {
        let crowd = Crowd()
        let numbers = Mutex(0)
        let next: @Sendable () -> Int = {
            numbers.withLock {
                $0 += 1; return $0
            }
        }
        for _ in 0..<threads {
            Thread.detachNewThread { [self] in
                while !crowd.hasEnded {
                    switch strike(port, next(), crowd) {
                    case .done: crowd.count()
                    case .failed: usleep(1000)
                    case .over: return
                    }
                }
            }
        }
        let deadline = Clock.monotonic() + 120
        while crowd.strikes < count {
            guard Clock.monotonic() < deadline else {
                crowd.end()
                throw Overdue(description: "\(name): \(crowd.strikes) of \(count) strikes were made")
            }
            usleep(1000)
        }
        return crowd
    }
}

extension Attack {
    /// A request that is answered.
    ///
    /// - Parameter isCut: the other side may end the connection before all is sent, and its answer is lost then.
    private static func requests(
        _ name: String, _ count: Int, isCut: Bool = false,
        _ text: @escaping @Sendable (_ port: Int, _ number: Int) -> String
    ) -> Attack {
        Attack(name: name, count: count) { port, number, crowd in
            let answer = RawClient.exchange(port, text(port, number))
            if answer.isEmpty { return isCut ? .done : .failed }
            crowd.hear(answer)
            return .done
        }
    }

    /// A connection that says nothing by itself.
    private static func connections(
        _ name: String, _ count: Int,
        then: @escaping @Sendable (_ descriptor: CInt, _ crowd: Crowd) -> Void = { _, _ in }
    ) -> Attack {
        Attack(
            name: name, count: count,
            strike: { port, _, crowd in
                guard crowd.connections < count else { return .over }
                let descriptor = RawClient.connect(port)
                guard descriptor >= 0 else { return .failed }
                crowd.hold(descriptor)
                then(descriptor, crowd)
                return .done
            }, isAnswered: false)
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
            connections("200 idle sockets", 200),
            connections("100 connections of slow bytes", 100) { descriptor, crowd in
                Thread.detachNewThread {
                    while crowd.holds(descriptor, { RawClient.send(descriptor, "G") }) { usleep(20_000) }
                }
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
            requests("bodies of a megabyte", times / 10, isCut: true) { port, _ in
                "POST /callback HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\nContent-Length: 1000000\r\n"
                    + "Content-Type: application/x-www-form-urlencoded\r\n\r\n"
                    + String(repeating: "x", count: 1_000_000)
            },
        ]
    }
}
