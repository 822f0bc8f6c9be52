import CGLib
import Glibc
import Sensitive

/// Unlocking with a password that we have, instead of one that a prompt asks for.
///
/// Only gnome-keyring lets anybody do that, through an interface that it keeps for its own programs: it is looked for
/// before a person is asked for the password.
extension SecretServiceClient {
    private static let ownInterface = "org.gnome.keyring.InternalUnsupportedGuiltRiddenInterface"

    /// Does the service take a password?
    package func takesPassword() throws(KeyringError) -> Bool {
        let answer = try call(
            Self.servicePath, "org.freedesktop.DBus.Introspectable", "Introspect", nil, reply: "(s)")
        return answer.map { strstr($0.child(0).string, "\"\(Self.ownInterface)\"") != nil } ?? false
    }

    /// Unlocks a collection; the password crosses the bus as encrypted as every secret does.
    ///
    /// - Returns: false when it is not the collection's password.
    package func unlock(_ collection: CollectionFacts, with password: Secret) throws(KeyringError) -> Bool {
        let parameters = NewVariant.tuple(NewVariant.path(collection.path), try encode(password))
        let call = MethodCall(
            Self.servicePath, Self.ownInterface, "UnlockWithMasterPassword", parameters, reply: "()")
        switch try answer(call) {
        case .success: return try property("Locked", of: collection.path, Self.collectionInterface)?.bool == false
        case .failure(let reported):
            if reported.remoteName == "org.gnome.keyring.Error.Denied" { return false }
            throw Self.keyringError(from: reported)
        }
    }
}
