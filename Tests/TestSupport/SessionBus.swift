import Foundation

/// A private D-Bus session bus. Nothing can be started by name but what a test puts into the folder `services`.
package final class SessionBus {
    package let address: String
    private let server: Server

    init(in scratch: Scratch, environment: [String: String]) throws {
        // One that was killed leaves its socket.
        unlink(scratch.path("run/bus"))
        let configuration = try scratch.write(
            """
            <!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
              "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
            <busconfig>
              <type>session</type>
              <listen>unix:path=\(scratch.path("run/bus"))</listen>
              <auth>EXTERNAL</auth>
              <servicedir>\(try scratch.folder("services"))</servicedir>
              <policy context="default">
                <allow send_destination="*" eavesdrop="true"/>
                <allow eavesdrop="true"/>
                <allow own="*"/>
              </policy>
            </busconfig>
            """, to: "bus.conf")
        server = try Server(
            Tool.dbusDaemon.path(), ["--config-file=\(configuration)", "--nofork", "--nopidfile", "--print-address"],
            environment: environment)
        address = try server.waitForLine("the bus address") { $0.hasPrefix("unix:") ? $0 : nil }
    }

    /// Nothing is passed on from now on; who connects waits.
    package func freeze() { server.child.signal(SIGSTOP) }

    package func thaw() { server.child.signal(SIGCONT) }

    /// Ends it as a crash would, and waits until it is gone.
    package func kill() {
        server.child.signal(SIGKILL)
        _ = server.child.wait(seconds: 10)
    }
}
