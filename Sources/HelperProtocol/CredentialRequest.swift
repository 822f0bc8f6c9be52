/// A request of a protocol that asks for the token of one server, and the answers that its caller understands.
///
/// A protocol of this kind is one file. Who gets a token, and when, is decided in one place for all of them.
package protocol CredentialRequest: Sendable {
    /// The words behind the program's name, for its usage line.
    static var usage: String { get }

    /// What the caller reads before it asks anything.
    static var greeting: [UInt8] { get }

    /// Where the caller puts its request when it runs the program with these arguments.
    ///
    /// - Throws: ``RequestFault`` `.usage` for arguments that are none of the protocol's.
    static func source(_ arguments: [String]) throws(RequestFault) -> RequestSource

    /// - Parameters:
    ///   - arguments: without the program's name.
    ///   - input: what stands at the source; empty when the arguments are all.
    init(arguments: [String], input: [UInt8]) throws(RequestFault)

    var purpose: RequestPurpose { get }

    /// Who is asked about; nil for what no entry can name.
    var server: AskedServer? { get }

    /// Who waits for the answer.
    var caller: RequestCaller { get }

    /// Seconds that the caller has for a refresh before it gives up.
    static var patience: Double { get }

    /// Hands the token over.
    func answer(_ token: ServedToken) throws(RequestFault) -> [UInt8]

    /// What is said of a server that no entry names.
    var noToken: NoTokenAnswer { get }

    /// What is said when the caller's own token was handed in to be kept.
    var acknowledgement: [UInt8] { get }

    /// A failure in the caller's own words; nil where it reads exit code and standard error.
    static func failure(_ message: String, hint: String?) -> [UInt8]?
}

extension CredentialRequest {
    package static var greeting: [UInt8] { [] }
    package var purpose: RequestPurpose { .get }
    package var caller: RequestCaller { .program }
    package static var patience: Double { 30 }
    package var acknowledgement: [UInt8] { [] }
    package static func failure(_ message: String, hint: String?) -> [UInt8]? { nil }
}
