import Foundation
import Testing
import TestSupport

/// What the programs are linked to: the hot one carries nothing that only the cold one needs.
@Suite struct LinkageTests {
    @Test func helperLoadsNeitherNetworkNorSignaturesNorSwift() throws {
        let world = try World(.noBus)
        let outcome = try world.run(
            .readelf, ["-d", InstalledPrograms.builtFolder() + "/mojoauth-helper"])
        let libraries = outcome.text.matches(of: /\(NEEDED\).*\[(.+)\]/).map { String($0.1) }
        #expect(libraries.contains { $0.hasPrefix("libsecret") || $0.hasPrefix("libgio") }, "\(outcome)")
        for unwanted in [
            "libqrencode", "libsoup", "libcjose", "libcurl", "libFoundation", "libswift", "libstdc++", "libgcc_s",
        ] {
            #expect(!libraries.contains { $0.hasPrefix(unwanted) }, "\(libraries)")
        }
    }

    /// RFC 8252 section 8.12: a login page belongs to the person's own browser.
    @Test(arguments: InstalledPrograms.programs) func noProgramCarriesAWebView(_ name: String) throws {
        let world = try World(.noBus)
        let outcome = try world.run(.readelf, ["-d", InstalledPrograms.builtFolder() + "/\(name)"])
        let libraries = outcome.text.matches(of: /\(NEEDED\).*\[(.+)\]/).map { $0.1.lowercased() }
        #expect(!libraries.isEmpty, "\(outcome)")
        for view in ["webkit", "javascriptcore", "webengine", "libcef", "gtk", "qt"] {
            #expect(!libraries.contains { $0.contains(view) }, "\(libraries)")
        }
    }

    @Test(arguments: InstalledPrograms.programs) func everyProgramRunsWithoutASwiftInstallation(_ name: String) throws {
        let world = try World(.noBus)
        let outcome = try world.run(.readelf, ["-d", InstalledPrograms.builtFolder() + "/\(name)"])
        #expect(outcome.exitCode == 0)
        #expect(!outcome.text.contains("libswift"), "\(outcome)")
        #expect(try world.run(name, ["--version"], environment: ["PATH": "/nonexistent"]).exitCode == 0)
    }

    /// The linker lays side by side what a helper runs; a list of names that are gone would do nothing, without a word.
    @Test func linkOrderNamesFunctionsThatAreThere() throws {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        let list = try String(contentsOf: folder.appending(path: "../../packaging/link-order"), encoding: .utf8)
        let names = list.split(separator: "\n").filter { !$0.hasPrefix("#") }
        #expect(names.count > 500)

        let world = try World(.noBus)
        let outcome = try world.run(
            .readelf, ["--symbols", "--wide", InstalledPrograms.builtFolder() + "/mojoauth-helper"])
        let symbols = Set(outcome.text.split(separator: "\n").compactMap { $0.split(separator: " ").last })
        let missing = names.filter { !symbols.contains($0) }
        #expect(missing.count < names.count / 4, "run 'make link-order': \(missing.count) of \(names.count) are gone")
    }

    @Test func helperIsLinkedForFewPages() throws {
        let world = try World(.noBus)
        let outcome = try world.run(
            .readelf, ["--dynamic", "--wide", InstalledPrograms.builtFolder() + "/mojoauth-helper"])
        #expect(outcome.text.contains("(RELR)"), "relocations are not packed: \(outcome)")
    }
}
