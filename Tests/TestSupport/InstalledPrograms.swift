import Foundation
import Program

/// Our programs under the names that `make install` gives them.
package enum InstalledPrograms {
    package static let programs = ["mojoauth-helper", "mojoauth-credential", "mojoauth-sandbox"]
    /// The names that callers run, as the Makefile's `HELPER_LINKS` lists them; each is a link to `mojoauth-helper`.
    package static let helperNames: [String] = {
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(path: "../../Makefile")
            .standardized
        let makefile = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
        let list = makefile.firstMatch(of: /(?m)^HELPER_LINKS := ((?:.*\\\n)*.*)$/)?.1 ?? ""
        return list.split { $0.isWhitespace || $0 == "\\" }.map(String.init)
    }()

    /// Where they were built: `MOJOAUTH_BIN`, or else the folder of the test bundle.
    package static func builtFolder() throws(MissingPart) -> String {
        if let folder = ProcessEnvironment["MOJOAUTH_BIN"] { return folder }
        guard let folder = ChildProcess.ownDirectory() else {
            throw MissingPart(description: "the test bundle's folder is unknown: name the programs' in MOJOAUTH_BIN")
        }
        return folder
    }

    static func link(into folder: String) throws {
        let built = try builtFolder()
        for program in programs {
            guard access("\(built)/\(program)", X_OK) == 0 else {
                throw MissingPart(
                    description: "\(program) is not in \(built): build it, or name its folder in MOJOAUTH_BIN")
            }
            try FileManager.default.createSymbolicLink(
                atPath: "\(folder)/\(program)", withDestinationPath: "\(built)/\(program)")
        }
        for name in helperNames {
            try FileManager.default.createSymbolicLink(
                atPath: "\(folder)/\(name)", withDestinationPath: "mojoauth-helper")
        }
    }
}
