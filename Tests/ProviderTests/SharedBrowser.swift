import Testing
import TestSupport

/// One Chromium for all tests of a suite, which run one after the other: to start it is most of what a login costs.
struct SharedBrowser: SuiteTrait, TestScoping {
    private final class Window: @unchecked Sendable {
        // Sendable: a suite with this trait is serialized.
        let browser: Chromium

        init() throws { browser = try Chromium(in: World(.noBus, programs: false)) }
    }

    @TaskLocal private static var window: Result<Window, any Error>?

    /// The suite's browser, with every cookie gone.
    static func signedOut() throws -> Chromium {
        let browser = try #require(window, "the suite lacks the trait .browser").get().browser
        // What the last page still asks for could bring a cookie back.
        try browser.open("about:blank")
        try browser.forgetCookies()
        return browser
    }

    func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        try await SharedBrowser.$window.withValue(Result { try Window() }) { try await function() }
    }
}

extension Trait where Self == SharedBrowser {
    static var browser: Self { Self() }
}
