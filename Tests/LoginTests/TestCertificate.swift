import Foundation

/// A self-signed certificate and its key, made by openssl.
struct TestCertificate {
    let folder: URL
    var path: String { folder.appending(path: "certificate.pem").path }
    var keyPath: String { folder.appending(path: "key.pem").path }
    /// SHA-256 of the public key, base64.
    let pin: String

    init(names: String = "IP:127.0.0.1", days: String = "2") throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "login-tests-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let certificate = folder.appending(path: "certificate.pem").path
        let key = folder.appending(path: "key.pem").path
        try Self.run(
            """
            openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -subj /CN=test \
            -addext 'subjectAltName=\(names)' -days \(days) -keyout '\(key)' -out '\(certificate)' 2>/dev/null
            """)
        pin = try Self.run(
            """
            openssl x509 -in '\(certificate)' -noout -pubkey | openssl pkey -pubin -outform der \
            | openssl dgst -sha256 -binary | openssl base64
            """)
    }

    func remove() {
        try? FileManager.default.removeItem(at: folder)
    }

    @discardableResult
    static func run(_ script: String) throws -> String {
        let process = Process()
        process.executableURL = URL(filePath: "/bin/sh")
        process.arguments = ["-c", script]
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let bytes = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw TestFailure("failed: \(script)") }
        return String(decoding: bytes, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
    }
}
