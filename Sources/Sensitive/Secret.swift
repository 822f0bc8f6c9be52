import Glibc

/// Bytes that must not be seen: a token, a password, a verifier.
///
/// The buffer is wiped when the last copy goes, two secrets are compared in constant time, and every way of printing
/// one gives `<redacted>`. It promises no more: a `String` made by ``text`` is an ordinary string.
package struct Secret: Sendable {
    private let storage: Storage

    /// Copies `bytes`.
    package init(_ bytes: some Collection<UInt8>) {
        storage = Storage(count: bytes.count)
        storage.buffer.copyBytes(from: bytes)
    }

    /// Copies the UTF-8 form of `text`.
    package init(_ text: String) {
        self.init(text.utf8)
    }

    /// Length in bytes.
    package var count: Int { storage.buffer.count }

    package var isEmpty: Bool { count == 0 }

    /// Lends the bytes; they are gone once the last copy of the secret is.
    package func withBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        try withExtendedLifetime(storage) { try body(UnsafeRawBufferPointer(storage.buffer)) }
    }

    /// The secret as text; nil when the bytes are not UTF-8.
    package var text: String? {
        withBytes { String(validating: $0, as: UTF8.self) }
    }
}

extension Secret: Equatable {
    /// Compares in a time that depends on the lengths alone.
    package static func == (left: Secret, right: Secret) -> Bool {
        guard left.count == right.count else { return false }
        return left.withBytes { leftBytes in
            right.withBytes { rightBytes in
                var difference: UInt8 = 0
                for index in 0..<leftBytes.count {
                    difference |= leftBytes[index] ^ rightBytes[index]
                }
                return difference == 0
            }
        }
    }
}

extension Secret: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    package var description: String { "<redacted>" }
    package var debugDescription: String { "<redacted>" }
    package var customMirror: Mirror { Mirror(self, children: []) }
}

extension Secret {
    /// Owner of the buffer.
    ///
    /// Sendable although it holds a pointer: the buffer is written by `Secret.init` alone, before the value is shared.
    private final class Storage: @unchecked Sendable {
        let buffer: UnsafeMutableRawBufferPointer

        init(count: Int) {
            buffer = .allocate(byteCount: count, alignment: 1)
        }

        deinit {
            // explicit_bzero, because the compiler may drop a plain store to memory that is about to be freed.
            if let start = buffer.baseAddress { explicit_bzero(start, buffer.count) }
            buffer.deallocate()
        }
    }
}
