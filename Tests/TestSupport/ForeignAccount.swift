/// The one account of servers that have nothing to do with our issuer: their users have passwords.
package enum ForeignAccount {
    package static let user = "alice"
    package static let password = "wonderland"
    /// Both as a line of a password file (bcrypt, cost 5).
    static let passwordLine = "alice:$2y$05$54O7mGaLD2GOEEAoh4orkOwLS5YZ4YTSi2R0Tu7Ij9U16tgNxHfhO"
}
