/// What a client of the listener may take: it can be anybody on this machine.
package struct ListenerLimits: Sendable {
    /// Seconds that a connection may stay silent.
    package var silence = 5
    /// Seconds that a connection may live in all, unless its request is the one we wait for.
    package var connection = 15.0
    /// Connections at once; the oldest goes when one more comes.
    package var connections = 300
    /// Bytes of a form_post answer.
    package var body = 65536
    /// Requests with our state that wait for the outcome: a browser may load the address twice.
    package var held = 8

    package init() {}
}
