import Foundation
import Testing
import TestSupport

/// Outputs that are kept beside the tests, to be read and compared.
enum Golden {
    private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(path: "Golden")

    /// Compares with `Golden/NAME.txt`. With `WRITE_GOLDEN=1` the file is written anew, and the test fails all the same.
    static func expect(_ name: String, _ text: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
        let file = folder.appending(path: "\(name).txt")
        if ProcessInfo.processInfo.environment["WRITE_GOLDEN"] == "1" {
            try text.write(to: file, atomically: true, encoding: .utf8)
            Issue.record("\(file.lastPathComponent) was written: look at it", sourceLocation: sourceLocation)
            return
        }
        let kept = try String(contentsOf: file, encoding: .utf8)
        #expect(text == kept, sourceLocation: sourceLocation)
    }

    /// A doctor's report with what differs from machine to machine replaced.
    static func settled(_ text: String, in world: World) throws -> String {
        var text = text
        // A program knows its own folder by its real name.
        let programs = URL(fileURLWithPath: try InstalledPrograms.builtFolder()).resolvingSymlinksInPath().path
        for (path, name) in [
            (world.scratch.path("home"), "HOME"), (world.scratch.path(""), "SCRATCH/"), (programs, "PROGRAMS"),
        ] {
            text = text.replacingOccurrences(of: path, with: name)
        }
        for (pattern, name) in [
            (#"127\.0\.0\.1:[0-9]+"#, "127.0.0.1:PORT"), (#"guid=[0-9a-f]+"#, "guid=GUID"),
            (#"mojoauth-credential: [0-9.]+\n"#, "mojoauth-credential: VERSION\n"),
            (#"libraries: .*"#, "libraries: VERSIONS"),
            (#"daemon( \([^)]*\))?, process [0-9]+"#, "daemon (VERSION), process PID"),
            (#"locked memory: (no limit|up to [0-9]+ KiB)"#, "locked memory: LIMIT"), (#"  git: .*"#, "  git: VERSION"),
            (#"  docker: .*"#, "  docker: VERSION"),
            (#"ok       clock: .*"#, "ok       clock: DIFFERENCE"), (#"clock: [0-9]+ s"#, "clock: SECONDS s"),
        ] {
            text = text.replacingOccurrences(of: pattern, with: name, options: .regularExpression)
        }
        return text
    }
}
