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

    @Test(arguments: InstalledPrograms.programs) func everyProgramRunsWithoutASwiftInstallation(_ name: String) throws {
        let world = try World(.noBus)
        let outcome = try world.run(.readelf, ["-d", InstalledPrograms.builtFolder() + "/\(name)"])
        #expect(outcome.exitCode == 0)
        #expect(!outcome.text.contains("libswift"), "\(outcome)")
        #expect(try world.run(name, ["--version"], environment: ["PATH": "/nonexistent"]).exitCode == 0)
    }
}
