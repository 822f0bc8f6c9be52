import HelperProtocol
import JSON
import WebAddress

/// What docker writes to a helper, and docker's own configuration, in which we change one member.
enum DockerReading {
    static func run(_ bytes: [UInt8]) {
        if let server = try? DockerServer(parsing: bytes) { compare(server) }
        if let credential = try? DockerCredential(parsing: bytes) { answer(credential) }
        if let text = try? JSONText(bytes) { edit(text) }
    }

    private static func compare(_ server: DockerServer) {
        check(server.matches(server), "a server does not match itself")
        guard let again = try? DockerServer(server.spelling) else { return check(false, "a spelling cannot be read") }
        check(again == server, "another server when it is read again")
        for origin in server.origins {
            check(
                Origin(scheme: origin.scheme, authority: origin.authority) == origin,
                "\(origin) is another origin when it is read again")
        }
    }

    private static func answer(_ credential: DockerCredential) {
        compare(credential.server)
        guard let written = try? credential.serialized(), let again = try? DockerCredential(parsing: written) else {
            return check(false, "an answer of ours cannot be read")
        }
        check(again == credential, "another credential when it is read again")
        guard let list = try? DockerCredential.serialize(list: [(credential.server.spelling, credential.username)])
        else { return check(false, "no list") }
        let names = (try? JSONValue(parsing: list))?.object?.members.map(\.name)
        check(names == [credential.server.spelling], "another server in the list")
    }

    private static func edit(_ text: JSONText) {
        guard let before = (try? JSONValue(parsing: text.bytes))?.object else { return check(false, "no object") }
        let (outer, inner) = ("credHelpers", "registry.example.com")
        var changed = text
        guard (try? changed.set(outer, inner, to: "mojoauth")) != nil else {
            return check(before[outer] != nil && before[outer]?.object == nil, "a member could not be set")
        }
        guard let during = (try? JSONValue(parsing: changed.bytes))?.object else {
            return check(false, "not JSON any more")
        }
        check(during[outer]?.object?[inner]?.string == "mojoauth", "the member is not there")
        let others = before.members.filter { $0.name != outer }
        check(during.members.filter { $0.name != outer } == others, "another member changed")
        check((try? changed.remove(outer, inner)) == true, "the member could not be removed")
        guard let after = (try? JSONValue(parsing: changed.bytes))?.object else {
            return check(false, "not JSON any more")
        }
        check(after.members.filter { $0.name != outer } == others, "another member changed")
        let kept = before[outer]?.object?.members.filter { $0.name != inner } ?? []
        check(after[outer]?.object?.members ?? [] == kept, "another registry changed")
    }
}
