/// The members of a JSON object in their order; no name stands twice.
package struct JSONObject: Sendable, Equatable {
    package struct Member: Sendable, Equatable {
        package var name: String
        package var value: JSONValue

        package init(name: String, value: JSONValue) {
            self.name = name
            self.value = value
        }
    }

    package private(set) var members: [Member] = []

    package init() {}

    /// A later member replaces the value of an earlier one of the same name.
    package init(_ members: [Member]) {
        for member in members { self[member.name] = member.value }
    }

    /// Takes members whose names are known to differ.
    package init(distinct members: [Member]) {
        self.members = members
    }

    /// The value of a member; setting nil removes it, setting a new name appends it.
    package subscript(name: String) -> JSONValue? {
        get { members.first { $0.name == name }?.value }
        set {
            let index = members.firstIndex { $0.name == name }
            switch (index, newValue) {
            case (let index?, let value?): members[index].value = value
            case (let index?, nil): members.remove(at: index)
            case (nil, let value?): members.append(Member(name: name, value: value))
            case (nil, nil): break
            }
        }
    }

    package var isEmpty: Bool { members.isEmpty }
}
