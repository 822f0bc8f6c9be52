/// docker-registry with token authentication: a service of its own turns an account's credential into a token.
///
/// The service takes the account of ``ForeignAccount`` and, as password, any access token that the sandbox's userinfo
/// endpoint knows: how a registry takes tokens of an issuer in practice.
package final class TokenRegistry {
    /// `host:port`, as docker spells a server.
    package let server: String
    private let service: Server

    /// - Parameter issuer: whose access tokens are good; nil: of none.
    package init(in world: World, issuer: String? = nil) throws {
        let folder = try world.scratch.folder("token-registry")
        let (key, certificate) = ("\(folder)/key.pem", "\(folder)/cert.pem")
        let made = try world.run(
            "openssl",
            [
                "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=test-registry", "-days", "1", "-keyout",
                key, "-out", certificate,
            ])
        guard made.exitCode == 0 else { throw MissingPart(description: "openssl req: \(made)") }
        let script = try world.scratch.write(TokenRegistry.script, to: "token-registry/service.py")
        service = try world.serve(
            Tool.python.path(),
            [
                "-u", script, key, certificate, issuer.map { "\($0)/oauth/userinfo" } ?? "",
                "\(ForeignAccount.user):\(ForeignAccount.password)",
            ])
        let port = try service.waitForLine("the token service's port") {
            $0.firstMatch(of: /^listening on (\d+)$/).map { String($0.1) }
        }
        (_, server) = try DockerRegistry.start(
            in: world, name: "token-registry",
            authentication: """
                auth:
                  token:
                    realm: http://127.0.0.1:\(port)/token
                    service: test-registry
                    issuer: test-issuer
                    rootcertbundle: \(certificate)
                """)
    }

    /// What the service was asked, a line a request.
    package var log: String { service.log }

    private static let script = #"""
        import base64, http.server, json, os, subprocess, sys, time, urllib.parse, urllib.request
        key, certificate, userinfo, account = sys.argv[1:]
        encode = lambda data: base64.urlsafe_b64encode(data).rstrip(b"=").decode()
        der = subprocess.run(["openssl", "x509", "-in", certificate, "-outform", "DER"], capture_output=True, check=True)
        identity = "identity-" + encode(os.urandom(9))

        def token(subject, scopes):
            access = [dict(zip(("type", "name", "actions"), (s.split(":")[0], s.split(":")[1], s.split(":")[-1].split(","))))
                      for s in scopes if s.count(":") == 2]
            now = int(time.time())
            header = {"typ": "JWT", "alg": "RS256", "x5c": [base64.b64encode(der.stdout).decode()]}
            claims = {"iss": "test-issuer", "sub": subject, "aud": "test-registry", "exp": now + 60, "nbf": now - 5,
                      "iat": now, "jti": encode(os.urandom(9)), "access": access}
            text = encode(json.dumps(header).encode()) + "." + encode(json.dumps(claims).encode())
            made = subprocess.run(["openssl", "dgst", "-sha256", "-sign", key], input=text.encode(), capture_output=True)
            return text + "." + encode(made.stdout)

        def is_good(user, password):
            if user + ":" + password == account: return True
            if not userinfo: return False
            request = urllib.request.Request(userinfo, headers={"Authorization": "Bearer " + password})
            try: return urllib.request.urlopen(request).status == 200
            except OSError: return False

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            def log_message(self, *words): pass
            def answer(self, status, value):
                body = json.dumps(value).encode()
                self.send_response(status)
                if status == 401: self.send_header("WWW-Authenticate", 'Basic realm="test"')
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)
            def grant(self, subject, scopes, offline):
                made = token(subject, scopes)
                answer = {"token": made, "access_token": made, "expires_in": 60}
                if offline and subject + ":" in account: answer["refresh_token"] = identity
                self.answer(200, answer)
            def do_GET(self):
                query = urllib.parse.parse_qs(urllib.parse.urlparse(self.path).query)
                scheme, _, value = self.headers.get("Authorization", "").partition(" ")
                user, _, password = base64.b64decode(value if scheme == "Basic" else "").decode().partition(":")
                good = is_good(user, password)
                print("basic", user or "-", "granted" if good else "refused")
                if not good: return self.answer(401, {"errors": [{"code": "UNAUTHORIZED"}]})
                self.grant(user, " ".join(query.get("scope", [])).split(), "offline_token" in query)
            def do_POST(self):
                if "chunked" in self.headers.get("Transfer-Encoding", ""):
                    body = b""
                    while True:
                        size = int(self.rfile.readline(), 16)
                        body += self.rfile.read(size)
                        self.rfile.readline()
                        if size == 0: break
                else: body = self.rfile.read(int(self.headers["Content-Length"]))
                form = {name: values[0] for name, values in urllib.parse.parse_qs(body.decode()).items()}
                grant = form.get("grant_type", "-")
                if grant == "password": good = is_good(form.get("username", ""), form.get("password", ""))
                else: good = grant == "refresh_token" and form.get("refresh_token") == identity
                print(grant, form.get("username", "-"), "granted" if good else "refused")
                if not good: return self.answer(401, {"error": "invalid_grant"})
                subject = form.get("username") or account.partition(":")[0]
                self.grant(subject, form.get("scope", "").split(), form.get("access_type") == "offline")

        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        print("listening on", server.server_address[1])
        server.serve_forever()

        """#
}
