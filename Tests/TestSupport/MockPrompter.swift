import Foundation

/// Somebody who answers the keyring's prompts: gcr's own mock prompter, played from a script.
///
/// To be handed to ``World/startKeyring(password:prompter:)``: the daemon asks only the prompter it was started with.
package final class MockPrompter {
    package enum Action: Sendable {
        case password(String)
        case cancel
        case confirm
        /// Milliseconds that each later answer takes.
        case delay(Int)

        fileprivate var word: String {
            switch self {
            case .password(let password): "password:\(password)"
            case .cancel: "cancel"
            case .confirm: "confirm"
            case .delay(let milliseconds): "delay:\(milliseconds)"
            }
        }
    }

    /// Its unique name on the bus.
    let busName: String
    private let server: Server

    /// - Parameter world: one that has a bus.
    package init(in world: World, _ actions: [Action]) throws {
        let script = try world.scratch.write(MockPrompter.script, to: "mock-prompter.py")
        server = try world.serve(Tool.python.path(), ["-u", script] + actions.map(\.word))
        busName = try server.waitForLine("the prompter's bus name") { $0.hasPrefix(":") ? $0 : nil }
    }

    /// Waits until it is asked for something.
    package func waitUntilAsked() throws(Overdue) {
        _ = try server.waitForLine("a prompt") { $0 == "asked" ? true : nil }
    }

    private static let script = """
        import ctypes, sys, time
        gcr = ctypes.CDLL("libgcr-base-3.so.1")
        gcr.gcr_mock_prompter_start.restype = ctypes.c_char_p
        gcr.gcr_mock_prompter_expect_password_ok.argtypes = [ctypes.c_char_p, ctypes.c_void_p]
        gcr.gcr_mock_prompter_expect_confirm_ok.argtypes = [ctypes.c_void_p]
        name = gcr.gcr_mock_prompter_start().decode()
        for word in sys.argv[1:]:
            kind, _, value = word.partition(":")
            if kind == "password": gcr.gcr_mock_prompter_expect_password_ok(value.encode(), None)
            elif kind == "cancel": gcr.gcr_mock_prompter_expect_password_cancel()
            elif kind == "confirm": gcr.gcr_mock_prompter_expect_confirm_ok(None)
            elif kind == "delay": gcr.gcr_mock_prompter_set_delay_msec(ctypes.c_uint(int(value)))
            else: sys.exit("unknown action " + word)
        print(name)
        # libgcr tells nobody when it is asked; it is looked at.
        while not gcr.gcr_mock_prompter_is_prompting(): time.sleep(0.005)
        print("asked")
        while True: time.sleep(60)

        """
}
