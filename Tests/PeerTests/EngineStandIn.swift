import TestSupport

/// What `docker login` asks of the engine when nothing was typed: whether the registry takes a stored credential. The
/// engine itself wants a machine to itself; this asks the registry as it does, and does nothing else.
final class EngineStandIn {
    private let server: Server

    init(in world: World) throws {
        let socket = world.scratch.path("engine.sock")
        let script = try world.scratch.write(Self.script, to: "engine.py")
        server = try world.serve(Tool.python.path(), ["-u", script, socket])
        _ = try server.waitForLine("the stand-in's readiness") { $0 == "ready" ? true : nil }
        world.set(["DOCKER_HOST": "unix://\(socket)"])
    }

    var log: String { server.log }

    private static let script = #"""
        import base64, http.server, json, os, socketserver, sys, urllib.error, urllib.request

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            def address_string(self): return "client"
            def log_message(self, *words): pass
            def answer(self, status, value):
                body = json.dumps(value).encode()
                self.send_response(status)
                self.send_header("Api-Version", "1.41")
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                if self.command != "HEAD": self.wfile.write(body)
            def do_HEAD(self): self.answer(200, "OK")
            def do_GET(self): self.answer(200, "OK")
            def do_POST(self):
                asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                address = asked["serveraddress"].split("://")[-1].rstrip("/")
                pair = base64.b64encode((asked["username"] + ":" + asked["password"]).encode()).decode()
                request = urllib.request.Request("http://" + address + "/v2/", headers={"Authorization": "Basic " + pair})
                try: status = urllib.request.urlopen(request).status
                except urllib.error.HTTPError as error: status = error.code
                print("auth", asked["username"], status)
                if status == 200: self.answer(200, {"Status": "Login Succeeded", "IdentityToken": ""})
                else: self.answer(401, {"message": "unauthorized"})

        class Listener(socketserver.ThreadingMixIn, socketserver.UnixStreamServer): pass
        listener = Listener(sys.argv[1], Handler)
        print("ready")
        listener.serve_forever()

        """#
}
