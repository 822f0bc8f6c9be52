import Foundation
import Testing
import TestSupport

/// `make install` and `make uninstall`, into a folder of the test's.
@Suite struct InstallTests {
    private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().path

    @Test func installsWhatCallersRunAndUninstallsAllOfIt() throws {
        let world = try World(.noBus)
        let staging = world.scratch.path("staging")
        let arguments = [
            "-C", Self.root, "BUILD=\(try InstalledPrograms.builtFolder())", "DESTDIR=\(staging)", "PREFIX=/usr",
        ]
        let installed = try world.run("make", arguments + ["install"])
        #expect(installed.exitCode == 0, "\(installed)")
        for name in InstalledPrograms.helperNames {
            let target = try FileManager.default.destinationOfSymbolicLink(atPath: "\(staging)/usr/bin/\(name)")
            #expect(target == "mojoauth-helper")
        }
        // Started through the link, a helper is its caller's: git's own words are understood.
        let outcome = try world.run(
            "\(staging)/usr/bin/docker-credential-mojoauth", ["version"], environment: ["PATH": "/usr/bin:/bin"])
        #expect(outcome.text.hasPrefix("docker-credential-mojoauth "), "\(outcome)")
        let pages = try world.run("find", [staging, "-name", "*.[1-9]"]).text
        for name in try ManualPage.all() {
            #expect(pages.contains("/share/man/man\(name.suffix(1))/\(name)"), "\(pages)")
        }
        for file in [
            "bash-completion/completions/mojoauth-credential", "zsh/site-functions/_mojoauth-credential",
            "fish/vendor_completions.d/mojoauth-credential.fish",
        ] {
            let script = try String(contentsOfFile: "\(staging)/usr/share/\(file)", encoding: .utf8)
            #expect(script.contains("mojoauth-credential"), "\(file)")
        }

        #expect(try world.run("make", arguments + ["uninstall"]).exitCode == 0)
        #expect(try world.run("find", [staging, "-not", "-type", "d"]).text.isEmpty)
    }
}
