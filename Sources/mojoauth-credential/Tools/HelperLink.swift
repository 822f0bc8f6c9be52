import CGLib
import Glibc
import Program

/// A link to the helper under the name and in the folder that a tool wants.
struct HelperLink {
    let path: String

    private static let helper = "mojoauth-helper"

    /// Where the link leads; nil when there is none.
    var target: String? {
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = readlink(path, &buffer, buffer.count - 1)
        guard count > 0 else { return nil }
        return String(decoding: buffer.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// Was it made here, whatever became of the program since?
    var isOurs: Bool { target?.split(separator: "/").last.map { $0 == Self.helper } ?? false }

    /// Does it lead to a program?
    var works: Bool { access(path, X_OK) == 0 }

    /// The helper beside this very program.
    static func program() throws(Complaint) -> String {
        let path = "\(ChildProcess.ownDirectory() ?? "?")/\(helper)"
        guard access(path, X_OK) == 0 else {
            throw Complaint(
                "\(path) is missing", hint: "install the programs again, into one folder", exitCode: .configuration)
        }
        return path
    }

    /// - Returns: whether there was something to do.
    /// - Throws: ``Complaint`` when something of somebody else's stands there.
    func make() throws(Complaint) -> Bool {
        let program = try Self.program()
        if target == program { return false }
        var status = stat()
        guard isOurs || lstat(path, &status) != 0 else {
            throw Complaint(
                "\(path) is there already, and is no link to mojoauth-helper",
                hint: "move it away, if nothing needs it",
                exitCode: .configuration)
        }
        try PersonalFile.makeFolder(of: path)
        // In one step: a tool that starts it meanwhile finds the old one or the new one.
        let temporary = "\(path).new"
        unlink(temporary)
        guard symlink(program, temporary) == 0, rename(temporary, path) == 0 else {
            throw Complaint("cannot make \(path): \(String(cString: strerror(errno)))", exitCode: .configuration)
        }
        return true
    }

    /// - Returns: whether there was one of ours.
    func remove() throws(Complaint) -> Bool {
        guard isOurs else { return false }
        guard unlink(path) == 0 else {
            throw Complaint("cannot remove \(path): \(String(cString: strerror(errno)))", exitCode: .configuration)
        }
        return true
    }
}
