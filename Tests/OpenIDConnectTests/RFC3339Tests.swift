import Testing

@testable import OpenIDConnect

@Suite struct RFC3339Tests {
    struct Row: Sendable, CustomTestStringConvertible {
        let name: String
        let text: String
        let seconds: NumericDate
        var testDescription: String { name }

        init(_ name: String, _ text: String, _ seconds: NumericDate) {
            self.name = name
            self.text = text
            self.seconds = seconds
        }
    }

    @Test(arguments: [
        Row("the epoch", "1970-01-01T00:00:00Z", 0),
        Row("the second before", "1969-12-31T23:59:59Z", -1),
        Row("a day of our time", "2023-11-14T22:13:20Z", 1_700_000_000),
        Row("the last second of 32 bits", "2038-01-19T03:14:07Z", 2_147_483_647),
        Row("fraction dropped", "2023-11-14T22:13:20.999999999Z", 1_700_000_000),
        Row("fraction of one digit", "2023-11-14T22:13:20.5Z", 1_700_000_000),
        Row("lower-case letters", "2023-11-14t22:13:20z", 1_700_000_000),
        Row("offset of zero", "2023-11-14T22:13:20+00:00", 1_700_000_000),
        Row("unknown local offset", "2023-11-14T22:13:20-00:00", 1_700_000_000),
        Row("east", "2023-11-15T03:43:20+05:30", 1_700_000_000),
        Row("west", "2023-11-14T14:13:20-08:00", 1_700_000_000),
        Row("fraction and offset", "2023-11-14T23:13:20.123+01:00", 1_700_000_000),
        Row("offset over midnight", "2023-11-15T22:12:20+23:59", 1_700_000_000),
        Row("leap day", "2024-02-29T00:00:00Z", 1_709_164_800),
        Row("the day after a leap day", "2024-03-01T00:00:00Z", 1_709_251_200),
        Row("leap day of a year divisible by 400", "2000-02-29T12:00:00Z", 951_825_600),
        Row("end of February in a common year", "2023-02-28T23:59:59Z", 1_677_628_799),
        Row("end of February in 2100", "2100-02-28T23:59:59Z", 4_107_542_399),
        Row("March of 2100", "2100-03-01T00:00:00Z", 4_107_542_400),
        Row("last day of the year", "2023-12-31T23:59:59Z", 1_704_067_199),
        Row("leap second", "2016-12-31T23:59:60Z", 1_483_228_800),
        Row("the first year", "0001-01-01T00:00:00Z", -62_135_596_800),
        Row("the last year", "9999-12-31T23:59:59Z", 253_402_300_799),
    ])
    func parses(_ row: Row) {
        #expect(RFC3339.parse(row.text) == row.seconds)
    }

    struct Bad: Sendable, CustomTestStringConvertible {
        let name: String
        let text: String
        var testDescription: String { name }

        init(_ name: String, _ text: String) {
            self.name = name
            self.text = text
        }
    }

    @Test(arguments: [
        Bad("empty", ""),
        Bad("a date alone", "2023-11-14"),
        Bad("no offset", "2023-11-14T22:13:20"),
        Bad("a blank for the T", "2023-11-14 22:13:20Z"),
        Bad("no seconds", "2023-11-14T22:13Z"),
        Bad("no colons", "2023-11-14T221320Z"),
        Bad("no dashes", "20231114T22:13:20Z"),
        Bad("month zero", "2023-00-14T22:13:20Z"),
        Bad("month 13", "2023-13-14T22:13:20Z"),
        Bad("day zero", "2023-11-00T22:13:20Z"),
        Bad("31 November", "2023-11-31T22:13:20Z"),
        Bad("32 January", "2023-01-32T22:13:20Z"),
        Bad("leap day of a common year", "2023-02-29T00:00:00Z"),
        Bad("leap day of 1900", "1900-02-29T00:00:00Z"),
        Bad("leap day of 2100", "2100-02-29T00:00:00Z"),
        Bad("30 February", "2024-02-30T00:00:00Z"),
        Bad("hour 24", "2023-11-14T24:00:00Z"),
        Bad("minute 60", "2023-11-14T22:60:20Z"),
        Bad("second 61", "2023-11-14T22:13:61Z"),
        Bad("two-digit year", "23-11-14T22:13:20Z"),
        Bad("five-digit year", "12023-11-14T22:13:20Z"),
        Bad("signed year", "-023-11-14T22:13:20Z"),
        Bad("sign inside a number", "2023-11-14T22:+3:20Z"),
        Bad("blank inside a number", "2023- 1-14T22:13:20Z"),
        Bad("fraction without digits", "2023-11-14T22:13:20.Z"),
        Bad("comma for the fraction", "2023-11-14T22:13:20,5Z"),
        Bad("fraction with a letter", "2023-11-14T22:13:20.5aZ"),
        Bad("fraction without offset", "2023-11-14T22:13:20.5"),
        Bad("offset without colon", "2023-11-14T22:13:20+0100"),
        Bad("offset of hours alone", "2023-11-14T22:13:20+01"),
        Bad("offset of 24 hours", "2023-11-14T22:13:20+24:00"),
        Bad("offset of 60 minutes", "2023-11-14T22:13:20+01:60"),
        Bad("offset without sign", "2023-11-14T22:13:2001:00"),
        Bad("name of a zone", "2023-11-14T22:13:20 GMT"),
        Bad("something after the Z", "2023-11-14T22:13:20Z."),
        Bad("line end after the Z", "2023-11-14T22:13:20Z\n"),
        Bad("blank before", " 2023-11-14T22:13:20Z"),
        Bad("digits beyond ASCII", "２０２３-11-14T22:13:20Z"),
        Bad("HTTP's form", "Tue, 14 Nov 2023 22:13:20 GMT"),
    ])
    func refuses(_ row: Bad) {
        #expect(RFC3339.parse(row.text) == nil)
    }
}
