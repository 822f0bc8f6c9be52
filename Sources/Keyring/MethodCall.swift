import CGLib

/// A call of a D-Bus method: the D-Bus Specification, "Message Protocol".
final class MethodCall {
    /// What came back. Not a `Result`: to make a type of that one takes Swift 90,000 instructions, in front of every fetch.
    enum Answer {
        /// A tuple.
        case success(Variant)
        case failure(ReportedError)
    }

    let method: String
    /// The type that the answer must have.
    let reply: String
    /// Whom on the bus.
    let destination: String
    private let message: OpaquePointer

    /// - Parameters:
    ///   - parameters: a floating tuple, which the call takes over.
    ///   - reply: the type of the answer.
    init(
        _ path: String, _ interface: String, _ method: String, _ parameters: OpaquePointer?, reply: String,
        to destination: String = SecretServiceClient.busName
    ) {
        (self.method, self.reply, self.destination) = (method, reply, destination)
        message = g_dbus_message_new_method_call(destination, path, interface, method)
        if let parameters { g_dbus_message_set_body(message, parameters) }
    }

    deinit {
        g_object_unref(UnsafeMutableRawPointer(message))
    }

    func start(on connection: OpaquePointer) -> LimitedWait.Start {
        // GDBus's own time-out (25 s) lies behind our limit.
        LimitedWait.Start { [message] in
            g_dbus_connection_send_message_with_reply(
                connection, message, G_DBUS_SEND_MESSAGE_FLAGS_NONE, -1, nil, $0, $1, $2)
        }
    }

    /// - Parameter result: what the call ended with; taken over.
    /// - Returns: the answer, and the unique name of whoever gave it.
    func finish(_ result: OpaquePointer, on connection: OpaquePointer) -> (answer: Answer, sender: String?) {
        defer { g_object_unref(UnsafeMutableRawPointer(result)) }
        var failure: UnsafeMutablePointer<GError>?
        guard let answer = g_dbus_connection_send_message_with_reply_finish(connection, result, &failure) else {
            return (.failure(SecretServiceClient.take(&failure)), nil)
        }
        defer { g_object_unref(UnsafeMutableRawPointer(answer)) }
        if g_dbus_message_to_gerror(answer, &failure) != 0 {
            return (.failure(SecretServiceClient.take(&failure)), nil)
        }
        let body = Variant(adopting: g_variant_ref_sink(g_dbus_message_get_body(answer) ?? NewVariant.tuple()))
        return (.success(body), g_dbus_message_get_sender(answer).map { String(cString: $0) })
    }
}
