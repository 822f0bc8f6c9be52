import Testing
import TestSupport

/// The test world itself: what it promises to the other suites.
@Suite struct WorldTests {
    @Test func keyringIsPrivateUnlockedAndEmpty() throws {
        let world = try World(programs: false)
        #expect(try world.items([:]).isEmpty)
        try world.storeSecret("s3cret", label: "probe", attributes: ["service": "probe"])
        #expect(try world.secret(["service": "probe"]) == "s3cret")
        let items = try world.items(["service": "probe"])
        #expect(items.count == 1)
        let item = try #require(items.first)
        #expect(try world.attributes(ofItem: item)["service"] == "probe")
        #expect(try world.label(ofItem: item) == "probe")
    }

    @Test func lockedKeyringAsksThePrompterThatItWasGiven() throws {
        let world = try World(.noService, programs: false)
        try world.startKeyring(
            prompter: world.keep(MockPrompter(in: world, [.cancel, .password(KeyringDaemon.password)])))
        try world.storeSecret("s3cret", label: "probe", attributes: ["service": "probe"])
        try world.lockKeyring()
        #expect(try world.secret(["service": "probe"]) == nil)
        #expect(try world.secret(["service": "probe"]) == "s3cret")
    }

    @Test func daemonThatComesUpWithAnotherPasswordIsLocked() throws {
        let world = try World(programs: false)
        try world.storeSecret("s3cret", label: "probe", attributes: ["service": "probe"])
        world.keyring?.kill()
        try world.startKeyring(password: "wrong")
        #expect(try world.secret(["service": "probe"]) == nil)
        #expect(try world.items(["service": "probe"]).count == 1)
    }

    @Test func nothingCanBeStartedOnTheBusByName() throws {
        let world = try World(.noService, programs: false)
        let outcome = try world.run(.secretTool, ["lookup", "service", "probe"])
        #expect(outcome.exitCode != 0)
        #expect(outcome.errors.contains("not provided by any .service files"))
    }

    @Test func environmentHoldsNothingOfTheMachines() throws {
        let world = try World(.noBus, programs: false)
        let names = try world.run("env").attributes.keys
        for name in ["DISPLAY", "WAYLAND_DISPLAY", "BROWSER", "DBUS_SESSION_BUS_ADDRESS", "http_proxy", "LD_PRELOAD"] {
            #expect(!names.contains(name))
        }
    }

    @Test func programThatDoesNotEndIsKilledAtTheLimit() throws {
        let world = try World(.noBus, programs: false)
        #expect(throws: Overdue.self) { try world.run("sleep", ["60"], timeout: 0.2) }
    }

    @Test func missingProgramIsAnErrorThatNamesIt() throws {
        let world = try World(.noBus, programs: false)
        let error = #expect(throws: MissingPart.self) { try world.run("no-such-program") }
        #expect(error?.description.contains("no-such-program") == true)
    }

    @Test(arguments: Tool.allCases) func everyToolIsThereOrItsPackageIsNamed(_ tool: Tool) throws {
        do throws(MissingPart) {
            _ = try tool.path()
        } catch {
            Issue.record("\(error)")
        }
    }
}
