/// A Secret Service that is not gnome-keyring: it has one default collection, which is locked, and takes no password.
package final class OtherSecretService {
    private let server: Server

    /// - Parameter world: one with a bus and without a keyring. Returns once the service owns its name.
    package init(in world: World) throws {
        let script = try world.scratch.write(OtherSecretService.script, to: "other-service.py")
        // Debian's own, which finds Debian's modules.
        server = try world.serve("/usr/bin/python3", ["-u", script])
        _ = try server.waitForLine("the other keyring") { $0 == "ready" ? true : nil }
    }

    private static let script = """
        import dbus, dbus.service, dbus.mainloop.glib
        from gi.repository import GLib

        dbus.mainloop.glib.DBusGMainLoop(set_as_default=True)
        bus = dbus.SessionBus()
        vault = "/org/freedesktop/secrets/collection/vault"

        class Service(dbus.service.Object):
            @dbus.service.method("org.freedesktop.Secret.Service", in_signature="s", out_signature="o")
            def ReadAlias(self, name): return dbus.ObjectPath(vault)

            @dbus.service.method("org.freedesktop.Secret.Service", in_signature="a{ss}", out_signature="aoao")
            def SearchItems(self, attributes): return ([], [])

        class Collection(dbus.service.Object):
            @dbus.service.method("org.freedesktop.DBus.Properties", in_signature="ss", out_signature="v")
            def Get(self, interface, name): return {"Locked": True, "Label": "Vault"}[name]

        service = Service(bus, "/org/freedesktop/secrets")
        collection = Collection(bus, vault)
        name = dbus.service.BusName("org.freedesktop.secrets", bus)
        print("ready")
        GLib.MainLoop().run()

        """
}
