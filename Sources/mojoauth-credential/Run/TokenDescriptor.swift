import CGLib
import Glibc
import Program
import Sensitive

/// A secret as an open file in memory: nobody has a name for it, nobody can change it.
enum TokenDescriptor {
    /// Shells use the numbers below for redirections of a script.
    private static let lowest: CInt = 10

    /// - Returns: a descriptor that a command inherits.
    static func open(_ secret: Secret) throws(Complaint) -> CInt {
        let memory = mojoauth_memory_file("token")
        guard memory >= 0 else { throw failed(errno) }
        defer { close(memory) }
        do throws(StandardStream.Failure) {
            try StandardStream.write(secret.withBytes { Array($0) }, descriptor: memory)
        } catch {
            throw failed(error.errno)
        }
        // At its begin for whoever reads the descriptor itself; who opens /dev/fd/N begins there in any case.
        guard lseek(memory, 0, SEEK_SET) == 0, mojoauth_seal(memory) == 0 else { throw failed(errno) }
        let inherited = fcntl(memory, F_DUPFD, lowest)
        guard inherited >= 0 else { throw failed(errno) }
        return inherited
    }

    private static func failed(_ code: CInt) -> Complaint {
        Complaint(
            "no file in memory for the token: \(String(cString: strerror(code)))", hint: "use --file or --env",
            exitCode: .configuration)
    }
}
