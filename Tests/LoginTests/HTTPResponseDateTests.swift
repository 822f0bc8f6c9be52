import Login
import Testing

/// The Date header of an answer, in the forms of RFC 9110 section 5.6.7.
@Suite struct HTTPResponseDateTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let header: String?
        let seconds: Int?
        var testDescription: String { header ?? "none" }

        init(_ header: String?, _ seconds: Int?) {
            self.header = header
            self.seconds = seconds
        }
    }

    @Test(arguments: [
        Row("Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777),
        Row("Sunday, 06-Nov-94 08:49:37 GMT", 784_111_777),
        Row("Sun Nov  6 08:49:37 1994", 784_111_777),
        Row("Thu, 01 Jan 1970 00:00:00 GMT", 0),
        Row("Fri, 29 Feb 2036 23:59:59 GMT", 2_087_942_399),
        Row(nil, nil), Row("", nil), Row("now", nil), Row("784111777", nil), Row("06 Foo 1994 08:49:37 GMT", nil),
        Row("Sun, 32 Nov 1994 08:49:37 GMT", nil), Row("Sun, 06 Nov 1994 25:49:37 GMT", nil),
        Row("1994-11-06T08:49:37Z", nil),
    ])
    func isRead(_ row: Row) {
        let headers = row.header.map { ["date": $0] } ?? [:]
        #expect(HTTPResponse(status: 200, headers: headers).date == row.seconds)
    }
}
