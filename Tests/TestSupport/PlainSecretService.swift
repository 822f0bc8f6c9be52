/// A Secret Service that cannot encrypt: it has one git credential, `bob` and `hunter2` of `https://code.example.org`.
package final class PlainSecretService {
    private let server: Server

    /// - Parameters:
    ///   - world: one with a bus and without a keyring.
    ///   - algorithms: of the sessions that it opens. Returns once the service owns its name.
    package init(in world: World, offers algorithms: [String]) throws {
        let script = try world.scratch.write(PlainSecretService.script, to: "plain-service.py")
        // Debian's own, which finds Debian's modules.
        server = try world.serve("/usr/bin/python3", ["-u", script] + algorithms)
        _ = try server.waitForLine("the plain keyring") { $0 == "ready" ? true : nil }
    }

    /// The algorithms that sessions were asked for, in their order: it writes each down before it answers.
    package func askedFor() throws -> [String] {
        _ = try server.waitForLine("a request for a session") { $0.hasPrefix("asked for ") ? true : nil }
        return server.log.split(separator: "\n").filter { $0.hasPrefix("asked for ") }.map { String($0.dropFirst(10)) }
    }

    private static let script = """
        import dbus, dbus.service, dbus.mainloop.glib, sys
        from gi.repository import GLib

        dbus.mainloop.glib.DBusGMainLoop(set_as_default=True)
        bus = dbus.SessionBus()
        root = "/org/freedesktop/secrets"
        item_path, session_path = root + "/collection/vault/1", root + "/session/1"
        attributes = {"xdg:schema": "org.git.Password", "protocol": "https", "server": "code.example.org", "user": "bob"}

        class NotSupported(dbus.DBusException):
            _dbus_error_name = "org.freedesktop.DBus.Error.NotSupported"

        class Service(dbus.service.Object):
            @dbus.service.method("org.freedesktop.Secret.Service", in_signature="sv", out_signature="vo")
            def OpenSession(self, algorithm, _):
                print("asked for", algorithm)
                if algorithm not in sys.argv[1:]: raise NotSupported("no such algorithm")
                return dbus.String("", variant_level=1), dbus.ObjectPath(session_path)

            @dbus.service.method("org.freedesktop.Secret.Service", in_signature="a{ss}", out_signature="aoao")
            def SearchItems(self, asked):
                found = asked.items() <= attributes.items()
                return dbus.Array([item_path] if found else [], signature="o"), dbus.Array([], signature="o")

        class Item(dbus.service.Object):
            @dbus.service.method("org.freedesktop.DBus.Properties", in_signature="ss", out_signature="v")
            def Get(self, interface, name): return dbus.Dictionary(attributes, signature="ss", variant_level=1)

            @dbus.service.method("org.freedesktop.Secret.Item", in_signature="o", out_signature="(oayays)")
            def GetSecret(self, session):
                return dbus.Struct(
                    (dbus.ObjectPath(session), dbus.ByteArray(b""), dbus.ByteArray(b"hunter2"), "text/plain"),
                    signature="oayays")

        service = Service(bus, root)
        item = Item(bus, item_path)
        name = dbus.service.BusName("org.freedesktop.secrets", bus)
        print("ready")
        GLib.MainLoop().run()

        """
}
