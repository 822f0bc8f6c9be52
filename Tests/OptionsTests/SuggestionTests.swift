import Options
import Testing

@Suite struct SuggestionTests {
    static let words = ["login", "logout", "status", "refresh", "get", "store", "erase", "list", "configure"]

    struct Row: Sendable, CustomTestStringConvertible {
        let typed: String
        let meant: String?
        var testDescription: String { typed.isEmpty ? "(empty)" : typed }

        init(_ typed: String, _ meant: String?) {
            self.typed = typed
            self.meant = meant
        }
    }

    @Test(arguments: [
        Row("login", "login"), Row("logni", "login"), Row("loginn", "login"), Row("ogin", "login"),
        Row("lgin", "login"),
        Row("logut", "logout"), Row("statsu", "status"), Row("refersh", "refresh"), Row("config", nil),
        Row("configre", "configure"), Row("lits", "list"), Row("Get", "get"),
    ])
    func nearest(_ row: Row) {
        #expect(Suggestion.nearest(to: row.typed, among: Self.words) == row.meant)
    }

    @Test(arguments: [
        Row("", nil), Row("x", nil), Row("frobnicate", nil), Row("LOGIN", nil), Row("loginloginlogin", nil),
        Row("statistics", nil), Row("ログイン", nil), Row("réfrêsé", nil),
    ])
    func nothingIsNear(_ row: Row) {
        #expect(Suggestion.nearest(to: row.typed, among: Self.words) == row.meant)
    }

    @Test func theNearerWins() {
        #expect(Suggestion.nearest(to: "lost", among: ["list", "lo", "lose"]) == "list")
        #expect(Suggestion.nearest(to: "lose", among: ["list", "lost", "lose"]) == "lose")
        #expect(Suggestion.nearest(to: "login", among: []) == nil)
    }
}
