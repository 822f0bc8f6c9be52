/// A private D-Bus session bus on which nothing can be started by name: what a test does not start is not there.
package final class SessionBus {
    package let address: String
    private let server: Server

    init(in scratch: Scratch, environment: [String: String]) throws {
        let configuration = try scratch.write(
            """
            <!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
              "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
            <busconfig>
              <type>session</type>
              <listen>unix:path=\(scratch.path("run/bus"))</listen>
              <auth>EXTERNAL</auth>
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
}
