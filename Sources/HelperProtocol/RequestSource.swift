/// Where a request stands.
package enum RequestSource: Sendable, Equatable {
    /// In the arguments alone; nothing else is read.
    case arguments
    /// All of standard input.
    case standardInput
    /// Standard input, a request a line, each answered before the next is read.
    case lines
    /// A variable of the environment.
    case variable(String)
}
