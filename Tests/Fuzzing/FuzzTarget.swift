import Glibc

/// A parser that libFuzzer feeds: what is done with an input, and what must then be true.
struct FuzzTarget: Sendable {
    let name: String
    let run: @Sendable ([UInt8]) -> Void

    private init(_ name: String, _ run: @escaping @Sendable ([UInt8]) -> Void) {
        self.name = name
        self.run = run
    }

    static let all = [
        FuzzTarget("git", GitReading.run), FuzzTarget("docker", DockerReading.run),
        FuzzTarget("requests", RequestReading.run),
        FuzzTarget("configuration", ConfigurationReading.run), FuzzTarget("callback", CallbackReading.run),
        FuzzTarget("pasted", PastedReading.run), FuzzTarget("metadata", MetadataReading.run),
        FuzzTarget("token", TokenReading.run), FuzzTarget("jwt", JWTReading.run),
        FuzzTarget("keys", KeySetReading.run), FuzzTarget("state", StateReading.run),
    ]

    /// The one that this process is about: the environment's `FUZZ_TARGET`.
    static let chosen: FuzzTarget = {
        let name = getenv("FUZZ_TARGET").map { String(cString: $0) } ?? ""
        guard let target = all.first(where: { $0.name == name }) else {
            fatalError("FUZZ_TARGET must be one of \(all.map(\.name).joined(separator: " "))")
        }
        return target
    }()

    /// Seconds of processor time that an input may take; the sanitizer alone makes everything two or three times slower.
    static let limit = 1.0
}

/// Ends the process, which is how libFuzzer learns of a failure.
func check(_ isTrue: @autoclosure () -> Bool, _ otherwise: @autoclosure () -> String) {
    guard isTrue() else { fatalError(otherwise()) }
}

@_cdecl("LLVMFuzzerTestOneInput")
func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    let began = processorTime()
    FuzzTarget.chosen.run(bytes)
    let seconds = processorTime() - began
    check(seconds < FuzzTarget.limit, "an input of \(count) bytes took \(seconds) s")
    return 0
}

/// Not the time of day: the machine may have other work.
private func processorTime() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}
