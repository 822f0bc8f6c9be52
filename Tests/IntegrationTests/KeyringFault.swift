import Foundation
import TestSupport
import Testing

/// Something that goes wrong with the keyring, and what every operation owes a person then.
struct KeyringFault: Sendable, CustomTestStringConvertible {
    struct Expectation: Sendable {
        var exitCode: Int32
        /// One of these is in the complaint; none: there is no complaint.
        var words: [String] = []
        /// Is what the operation does in the keyring afterwards? Else not a byte of it has changed.
        var takesEffect = false
        /// It has failed; the daemon stores the renewed login all the same, once it goes on.
        var comesLate = false
        /// It may also come when the service has gone already, and succeed without a word.
        var mayFindNobody = false
    }

    enum Manner: Sendable {
        /// All operations at once: none succeeds.
        case together
        /// One after the other, each after another strike.
        case inTurn
    }

    let name: String
    var manner = Manner.together
    /// Of the operations.
    var environment: @Sendable (World) -> [String: String?] = { _ in [:] }
    /// Starts the Secret Service.
    var service: @Sendable (World) throws -> KeePassXC? = {
        try $0.startKeyring()
        return nil
    }
    var strike: @Sendable (KeyringStage) throws -> Void = { _ in }
    /// What happens once the operations run.
    var meanwhile: @Sendable (KeyringStage) throws -> Void = { _ in }
    /// Do bus and daemon go on when all have ended? What was left in their sockets is carried out then.
    var goesOn = false
    /// Must the keyring be brought up again before it can be looked at?
    var recovers = true
    /// Is a renewal cut short, that holds the login's lock? Whoever renews next does not wait for it.
    var cutsRenewal = false
    var operations = KeyringOperation.all
    /// Those that `make test` runs; `make torture` runs all.
    var sample: Set<String>?
    /// Does the token need the issuer? Then whoever reads it changes the login.
    var renews = false
    /// In seconds: five for a dead daemon, and what processes need besides on a busy machine.
    var limit = 6.5
    var minimum = 0.0
    var isForTortureAlone = false
    let expectation: @Sendable (KeyringOperation) -> Expectation

    var testDescription: String { name }

    /// Every operation fails with one of these words, and changes nothing.
    static func fails(_ words: String...) -> @Sendable (KeyringOperation) -> Expectation {
        { operation in Expectation(exitCode: operation.failure, words: words) }
    }

    /// The service goes away. What comes after that finds nobody: for a host of another's it has nothing to say.
    @Sendable static func losesTheService(_ operation: KeyringOperation) -> Expectation {
        Expectation(
            exitCode: operation.failure, words: [vanished, absent], mayFindNobody: operation.isForeignGet)
    }

    /// Every operation succeeds, but for `status`, which never asks a person to unlock a keyring.
    @Sendable static func works(_ operation: KeyringOperation) -> Expectation {
        Expectation(exitCode: 0, takesEffect: true)
    }

    @Sendable static func worksOnceUnlocked(_ operation: KeyringOperation) -> Expectation {
        operation.name == "status" ? Expectation(exitCode: 69, words: [locked]) : works(operation)
    }

    static let locked = "the keyring is locked"
    static let dismissed = "its prompt was dismissed or could not be shown"
    static let silent = "the keyring did not answer within 5 seconds"
    static let vanished = "the keyring service went away during the call"
    static let absent = "no Secret Service on the session bus"

    /// A prompt is open for these.
    static let prompting = KeyringOperation.all.filter { $0.name != "status" }
}
