import OpenIDConnect
import Testing

@Suite struct Base64URLTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let name: String
        let bytes: [UInt8]
        let text: String
        var testDescription: String { name }
    }

    /// RFC 4648 section 10, and the two characters that differ from plain base64.
    @Test(arguments: [
        Row(name: "nothing", bytes: [], text: ""),
        Row(name: "one byte", bytes: Array("f".utf8), text: "Zg"),
        Row(name: "two bytes", bytes: Array("fo".utf8), text: "Zm8"),
        Row(name: "three bytes", bytes: Array("foo".utf8), text: "Zm9v"),
        Row(name: "four bytes", bytes: Array("foob".utf8), text: "Zm9vYg"),
        Row(name: "five bytes", bytes: Array("fooba".utf8), text: "Zm9vYmE"),
        Row(name: "six bytes", bytes: Array("foobar".utf8), text: "Zm9vYmFy"),
        Row(name: "dash and underscore", bytes: [0xFB, 0xFF, 0xBF], text: "-_-_"),
        Row(name: "zeros", bytes: [0, 0, 0, 0], text: "AAAAAA"),
        Row(name: "ones", bytes: [0xFF, 0xFF], text: "__8"),
    ])
    func goesBothWays(_ row: Row) {
        #expect(Base64URL.encode(row.bytes) == row.text)
        #expect(Base64URL.decode(row.text) == row.bytes)
    }

    struct Bad: Sendable, CustomTestStringConvertible {
        let name: String
        let text: String
        var testDescription: String { name }
    }

    @Test(arguments: [
        Bad(name: "one character", text: "A"),
        Bad(name: "five characters", text: "AAAAA"),
        Bad(name: "padding of one", text: "Zm8="),
        Bad(name: "padding of two", text: "Zg=="),
        Bad(name: "padding alone", text: "="),
        Bad(name: "padding in the middle", text: "Zg==Zg"),
        Bad(name: "left-over bits of one byte", text: "Zh"),
        Bad(name: "left-over bits of two bytes", text: "Zm9"),
        Bad(name: "lowest left-over bit of one byte", text: "AB"),
        Bad(name: "highest left-over bit of one byte", text: "AI"),
        Bad(name: "lowest left-over bit of two bytes", text: "AAB"),
        Bad(name: "highest left-over bit of two bytes", text: "AAC"),
        Bad(name: "plus sign", text: "+_-_"),
        Bad(name: "slash", text: "-/-_"),
        Bad(name: "blank before", text: " Zm9v"),
        Bad(name: "blank inside", text: "Zm 9v"),
        Bad(name: "blank after", text: "Zm9v "),
        Bad(name: "line end after", text: "Zm9v\n"),
        Bad(name: "tab inside", text: "Zm\t9v"),
        Bad(name: "full stop", text: "Zm.9"),
        Bad(name: "letter beyond ASCII", text: "Zm9é"),
        Bad(name: "full-width letter", text: "Ｚm9v"),
        Bad(name: "NUL", text: "Zm9v\0"),
        Bad(name: "tilde", text: "Zm9~"),
    ])
    func refuses(_ row: Bad) {
        #expect(Base64URL.decode(row.text) == nil)
    }

    @Test func everyLengthComesBack() {
        for count in 0..<100 {
            let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 167 &+ 13) }
            #expect(Base64URL.decode(Base64URL.encode(bytes)) == bytes)
        }
    }

    /// Of all texts of one, two and three characters exactly one spells each byte string.
    @Test func everyByteStringHasOneSpelling() {
        let alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
        var accepted = 0
        for first in alphabet {
            for second in alphabet where Base64URL.decode("\(first)\(second)") != nil { accepted += 1 }
        }
        #expect(accepted == 256)
    }

    @Test(arguments: [
        Row(name: "nothing", bytes: [], text: ""),
        Row(name: "one byte", bytes: Array("f".utf8), text: "Zg=="),
        Row(name: "two bytes", bytes: Array("fo".utf8), text: "Zm8="),
        Row(name: "three bytes", bytes: Array("foo".utf8), text: "Zm9v"),
        Row(name: "plus sign and slash", bytes: [0xFB, 0xFF, 0xBF], text: "+/+/"),
    ])
    func plainBase64(_ row: Row) {
        #expect(Base64.encode(row.bytes) == row.text)
    }
}
