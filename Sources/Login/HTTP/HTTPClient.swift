import CGLib
import CSoup
import Program
import Sensitive
import WebAddress

/// The one HTTP client of all calls: no redirect is followed, no cookie kept, nothing sent to a server whose
/// certificate or pinned key does not hold, and every request has one deadline and every answer one size.
package final class HTTPClient {
    package let loop: EventLoop
    package let settings: HTTPSettings
    private let session: UnsafeMutablePointer<SoupSession>
    /// Loopback is never proxied; a proxy resolver belongs to a session.
    private let loopbackSession: UnsafeMutablePointer<SoupSession>

    /// - Throws: ``HTTPSetupError`` for certificates that cannot be read or a proxy that is none.
    package init(_ settings: HTTPSettings, loop: EventLoop) throws(HTTPSetupError) {
        let database = try settings.caFile.map(Self.trustDatabase)
        defer { if let database { g_object_unref(database) } }
        let resolver = try settings.proxy.makeResolver()
        defer { if let resolver { g_object_unref(UnsafeMutableRawPointer(resolver)) } }
        self.loop = loop
        self.settings = settings
        // A session answers in the context that is the default when it is made.
        session = loop.perform { Self.makeSession(trusting: database) }
        loopbackSession = loop.perform { Self.makeSession(trusting: database) }
        if settings.proxy.isSet { soup_session_set_proxy_resolver(session, resolver) }
        soup_session_set_proxy_resolver(loopbackSession, nil)
    }

    deinit {
        loop.perform {
            for session in [session, loopbackSession] {
                soup_session_abort(session)
                g_object_unref(session)
            }
        }
    }

    private static func trustDatabase(_ path: String) throws(HTTPSetupError) -> UnsafeMutablePointer<GTlsDatabase> {
        // A file without any certificate makes a database that trusts nobody, without a word.
        var failure: UnsafeMutablePointer<GError>?
        let certificates = g_tls_certificate_list_new_from_file(path, &failure)
        guard failure == nil else { throw .caFile(path, why: GLibError(adopting: failure).text) }
        let isEmpty = certificates == nil
        g_list_free_full(certificates) { g_object_unref($0) }
        guard !isEmpty else { throw .caFile(path, why: "it holds no certificate") }
        guard let database = g_tls_file_database_new(path, &failure) else {
            throw .caFile(path, why: GLibError(adopting: failure).text)
        }
        return database
    }

    private static func makeSession(
        trusting database: UnsafeMutablePointer<GTlsDatabase>?
    ) -> UnsafeMutablePointer<SoupSession> {
        let session: UnsafeMutablePointer<SoupSession> = soup_session_new()
        soup_session_set_user_agent(session, "mojoauth-credential/\(Version.text)")
        // An answer is counted as it comes: what is small on the wire shall not grow here.
        soup_session_remove_feature_by_type(session, soup_content_decoder_get_type())
        if let database { soup_session_set_tls_database(session, database) }
        return session
    }

    /// Sends a request and reads the whole answer.
    ///
    /// - Throws: ``HTTPError``; not for any status of the server's.
    package func send(_ request: HTTPRequest) throws(HTTPError) -> HTTPResponse {
        let session = request.url.origin.host.isLoopback ? loopbackSession : session
        guard let exchange = HTTPExchange(request, settings, loop) else {
            throw HTTPError(.other("the address cannot be used"), request.url.origin)
        }
        // Never the query: it may carry more than an address.
        let call = "\(request.method.rawValue) \(request.url.origin)\(request.url.path)"
        do throws(HTTPError) {
            let response = try exchange.run(in: session)
            Steps.note("\(call): \(response.status), \(response.body.count) bytes")
            return response
        } catch {
            Steps.note("\(call): \(error)")
            throw error
        }
    }
}
