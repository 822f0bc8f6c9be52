import Glibc
import Sensitive
import Testing

@Suite struct SecretTests {
    @Test func printsNothing() {
        let secret = Secret("hunter2")
        var dumped = ""
        dump(secret, to: &dumped)
        for shown in ["\(secret)", String(reflecting: secret), String(describing: [secret]), dumped] {
            #expect(!shown.contains("hunter2"))
        }
        #expect("\(secret)" == "<redacted>")
    }

    @Test(arguments: [
        ("", "", true), ("a", "a", true), ("a", "b", false), ("a", "", false), ("abc", "abd", false),
        ("abc", "ab", false),
    ])
    func comparesByContent(left: String, right: String, equal: Bool) {
        #expect((Secret(left) == Secret(right)) == equal)
    }

    @Test func keepsBytes() {
        let bytes: [UInt8] = [0, 0xFF, 10, 13]
        #expect(Secret(bytes).withBytes { Array($0) } == bytes)
        #expect(Secret(bytes).text == nil)
        #expect(Secret("zürich").text == "zürich")
        #expect(Secret("").isEmpty)
    }

    /// P3: memory as the kernel reads it, which may also read what its owner has given back.
    ///
    /// All that it needs is made at first: else it would take the very place that is to be looked at.
    private final class Memory {
        private let descriptor = open("/proc/self/mem", O_RDONLY | O_CLOEXEC)
        private let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: 100, alignment: 1)

        deinit {
            close(descriptor)
            bytes.deallocate()
        }

        /// Are they the middle of the pattern? In front of it the allocator writes down what it needs.
        func hasPattern(at address: UInt) -> Bool {
            bytes.initializeMemory(as: UInt8.self, repeating: 0)
            // A page that was given back to the system holds nothing.
            _ = pread(descriptor, bytes.baseAddress, bytes.count, off_t(address) + 2000)
            return bytes.indices.allSatisfy { bytes[$0] == Self.pattern(2000 + $0) }
        }

        static func pattern(_ index: Int) -> UInt8 { UInt8(truncatingIfNeeded: index &* 7 &+ 3) }
    }

    /// Larger than what malloc keeps for the next of the same size, smaller than what it gives back to the system.
    private static let pattern = (0..<4096).map(Memory.pattern)

    @Test func isWipedWithItsLastCopy() {
        let memory = Memory()
        for _ in 0..<20 {
            var secret: Secret? = Secret(Self.pattern)
            var copy = secret
            let address = secret?.withBytes { UInt(bitPattern: $0.baseAddress) } ?? 0
            secret = nil
            #expect(memory.hasPattern(at: address))
            _ = copy.take()
            let isThere = memory.hasPattern(at: address)
            #expect(!isThere)
        }
    }

    /// What nobody wipes is seen in this way, but for a time or two when another thread has the place already.
    @Test func wouldBeSeenIfItWereNotWiped() {
        let memory = Memory()
        var seen = 0
        for _ in 0..<20 {
            let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 4096, alignment: 1)
            buffer.copyBytes(from: Self.pattern)
            let address = UInt(bitPattern: buffer.baseAddress)
            buffer.deallocate()
            if memory.hasPattern(at: address) { seen += 1 }
        }
        #expect(seen > 0)
    }
}
