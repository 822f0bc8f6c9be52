import Foundation
import TestSupport

/// Looks for secrets in texts.
enum LeakSearch {
    /// The secrets that stand in one of the texts, plain or in base64.
    static func find(_ secrets: [String], in texts: [String]) -> [String] {
        let all = Data(texts.joined(separator: "\n").utf8)
        return secrets.filter { secret in
            let plain = Data(secret.utf8)
            return all.range(of: plain) != nil || all.range(of: plain.base64EncodedData()) != nil
        }
    }

    /// Names and contents of what the programs may have written: home, temporary and runtime folders and that of the
    /// locks. The keyring's own files are left out: what is in them is its affair.
    static func files(of world: World) -> [String] {
        let own = ["home", "tmp", "run", "etc-xdg"].map(world.scratch.path)
        let locks = getpwuid(geteuid()).map { String(cString: $0.pointee.pw_dir) + "/.local/state/mojoauth-credential" }
        return (own + [locks].compactMap(\.self)).flatMap { root -> [String] in
            let files = FileManager.default.enumerator(atPath: root)?.compactMap { $0 as? String } ?? []
            return files.filter { !$0.contains("keyrings/") }.map { file in
                let data = FileManager.default.contents(atPath: "\(root)/\(file)") ?? Data()
                return file + "\n" + String(decoding: data, as: UTF8.self)
            }
        }
    }
}
