/// Everything that crosses a world's session bus while something runs, as dbus-monitor tells it.
package final class BusMonitor {
    /// A method call as it was sent.
    package struct Call: Sendable, Equatable {
        package let sender: String
        package let member: String
    }

    package enum Form: Sendable {
        /// A line for each message.
        case profile
        /// What the messages carry.
        case contents
    }

    private let world: World
    private let server: Server
    private var marks = 0

    /// Returns once it listens.
    package init(in world: World, _ form: Form) throws {
        self.world = world
        server = try world.serve(
            Tool.dbusMonitor.path(), ["--session"] + (form == .profile ? ["--profile"] : []))
        // A monitor loses its name: that is the last thing that it is told as an ordinary client.
        _ = try server.waitForLine("the monitor") { $0.contains("NameLost") ? true : nil }
    }

    /// All that was said on the bus until now.
    package func text() throws -> String {
        marks += 1
        let mark = "Number\(marks)Reached"
        let emitted = try world.run(
            .gdbus, ["emit", "--session", "--object-path", "/mark", "--signal", "com.example.Mark.\(mark)"])
        guard emitted.exitCode == 0 else { throw MissingPart(description: "gdbus emit: \(emitted)") }
        // Messages keep their order, so that nothing before the mark is still to come.
        _ = try server.waitForLine("the mark") { $0.contains(mark) ? true : nil }
        return server.log
    }

    /// The method calls of every client until now, in their order. In the form `profile` only.
    package func calls() throws -> [Call] {
        var calls: [Call] = []
        for line in try text().split(separator: "\n") {
            // Kind, time, serial, sender, destination, path, interface, member.
            let fields = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
            if fields.count == 8, fields[0] == "mc" { calls.append(Call(sender: fields[3], member: fields[7])) }
        }
        return calls
    }
}
