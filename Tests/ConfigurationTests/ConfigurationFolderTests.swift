import Glibc
import Testing

@testable import Configuration

@Suite struct ConfigurationFolderTests {
    /// A writer that was stopped keeps its lock.
    @Test func aWriterIsWaitedForOnlySoLong() throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/config"
        let descriptor = open(folder.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        defer { close(descriptor) }
        try #require(flock(descriptor, LOCK_EX) == 0)
        let error = #expect(throws: ConfigurationError.self) { _ = try ConfigurationFolder(of: path, patience: 0.2) }
        #expect(error?.description.contains("another program keeps its folder locked") == true)
        flock(descriptor, LOCK_UN)
        _ = try ConfigurationFolder(of: path, patience: 0.2)
    }

    /// A mark behind the last slash belongs to the name.
    @Test func aNameMayBeginWithAMark() throws {
        let folder = try TemporaryFolder()
        let name = "\u{301}config"
        try ConfigurationFolder(of: "\(folder.path)/\(name)").replace(with: Array("x".utf8))
        #expect(try folder.read(name) == "x")
    }
}
