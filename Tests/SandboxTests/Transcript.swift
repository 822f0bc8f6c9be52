import JOSE
import JSON
import OpenIDConnect
import Program
import Sandbox
import WebAddress

/// Everything that the sandbox says to a client from discovery to logout; nil where the connection ended instead.
struct Transcript {
    var metadata: LoopbackClient.Answer?
    var authorization: LoopbackClient.Answer?
    /// The parameters of the authorization response.
    var response = FormFields()
    var token: LoopbackClient.Answer?
    /// Seconds that the token request took.
    var tokenSeconds = 0.0
    var keys: LoopbackClient.Answer?
    var refresh: LoopbackClient.Answer?
    var userinfo: LoopbackClient.Answer?
    var revocation: LoopbackClient.Answer?
    var device: LoopbackClient.Answer?
    var logout: LoopbackClient.Answer?
    let issuer: String
    /// `kid` of the login before the fault.
    let keyBefore: JSONValue?

    /// Signs in and goes on, with a grant made before the fault for what the fault keeps from happening.
    ///
    /// - Parameters:
    ///   - sandbox: with `--auto`.
    ///   - before: tokens of a login without any fault.
    init(of sandbox: RunningSandbox, before: JSONObject) throws {
        issuer = sandbox.issuer
        keyBefore = try TestClient.part(0, of: before["id_token"]?.string ?? "")["kid"]
        var client = try TestClient(sandbox)
        metadata = try? client.send("GET", "/.well-known/openid-configuration")
        authorization = try? client.send("GET", client.authorization())
        if let location = authorization?.values("Location").first {
            response = WebURL(location).flatMap { FormFields(parsing: $0.query ?? "") } ?? FormFields()
        }
        let start = Clock.monotonic()
        token = try? client.token(client.redemption(of: response["code"] ?? ""))
        tokenSeconds = Clock.monotonic() - start
        keys = try? client.send("GET", "/.well-known/jwks.json")
        refresh = try? client.token(client.refresh(with: before["refresh_token"]?.string ?? ""))
        // A token of before is no good once the keys have changed: the newest is tried.
        let accessToken = Self.object(refresh)["access_token"]?.string ?? before["access_token"]?.string ?? ""
        userinfo = try? client.send("GET", "/oauth/userinfo", headers: [("Authorization", "Bearer \(accessToken)")])
        device = try? client.send(
            "POST", "/oauth2/device", form: FormFields(["client_id": "mojoauth-cli", "scope": "openid"]))
        revocation = try? client.send(
            "POST", "/oauth2/revoke", form: FormFields(["client_id": "mojoauth-cli", "token": accessToken]))
        logout = try? client.send("GET", "/oauth/logout")
    }

    static func object(_ answer: LoopbackClient.Answer?) -> JSONObject {
        answer.flatMap { try? JSONValue(parsing: $0.body).object } ?? JSONObject()
    }

    var idToken: String { Self.object(token)["id_token"]?.string ?? "" }

    /// The claims of the ID token, verified or not.
    var claims: JSONObject { (try? TestClient.part(1, of: idToken)) ?? JSONObject() }

    var header: JSONObject { (try? TestClient.part(0, of: idToken)) ?? JSONObject() }

    var refreshedClaims: JSONObject {
        (try? TestClient.part(1, of: Self.object(refresh)["id_token"]?.string ?? "")) ?? JSONObject()
    }

    /// Why the ID token does not verify by the key set; nil when it does.
    var refusal: JOSEError? {
        do throws(JOSEError) {
            _ = try KeySet(parsing: keys?.body ?? []).verify(idToken, allowed: Set(SignatureAlgorithm.allCases))
            return nil
        } catch {
            return error
        }
    }
}
