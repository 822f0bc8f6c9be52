/// Who waits for the answer of a request.
package enum RequestCaller: Sendable, Equatable {
    /// Somebody who may be asked to sign in.
    case person
    /// A program in whose midst nobody signs in. The keyring may ask for its password, as it does for git.
    case program
    /// A program that gives up before a person could answer anything.
    case hurriedProgram
    /// A program that shows nobody what is written to standard error.
    case silentProgram
}
