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
}
