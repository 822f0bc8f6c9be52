/// The whole configuration looked at: what `doctor`, `status` and `list` want, and no helper pays for.
extension Configuration {
    /// The host entries without a fault, in the order of the files.
    package var hosts: [HostEntry] {
        var entries: [HostEntry] = []
        for label in hostLabels {
            if let entry = try? checkedHost(labelled: label) { entries.append(entry) }
        }
        return entries
    }

    /// What is wrong with single profiles and hosts, in the order of the files, profiles first.
    package var problems: [ConfigurationError] {
        var problems: [ConfigurationError] = []
        for name in profileNames {
            do throws(ConfigurationError) { _ = try profile(named: name) } catch { problems.append(error) }
        }
        for label in hostLabels {
            do throws(ConfigurationError) {
                _ = try checkedHost(labelled: label)
            } catch  where error.kind != .unknownProfile {
                problems.append(error)
            } catch {}
        }
        return problems
    }

    /// What is ignored: unknown groups and keys, hosts of profiles that no file has.
    package var notices: [ConfigurationNotice] {
        files.flatMap { file in file.sections.flatMap { notices($0, of: file) } } + hostsWithoutProfile
    }

    private func notices(_ section: ConfigurationFile.Section, of file: ConfigurationFile) -> [ConfigurationNotice] {
        let known: Set<String>
        switch section.kind {
        case .profile: known = Profile.keys
        case .host: known = HostEntry.keys
        case .defaults: known = Defaults.keys
        case .other:
            let kind = section.name.split(separator: " ").first
            let why = kind == "profile" || kind == "host" ? ": its name must be one word" : ""
            return [
                ConfigurationNotice(file: file.path, line: section.line, text: "unknown group [\(section.name)]" + why)
            ]
        }
        return file.lines(of: section).dropFirst().compactMap { line in
            guard let (range, _) = line.split(file.bytes), file.bytes[line.text].first != UInt8(ascii: "#") else {
                return nil
            }
            let key = String(decoding: file.bytes[range], as: UTF8.self)
            if known.contains(key) { return nil }
            if section.kind == .profile, key.hasPrefix(Profile.parameterPrefix) { return nil }
            let text =
                key == "client-secret"
                ? "[\(section.title)] client-secret is ignored: the keyring holds it, no file does"
                : "[\(section.title)] has an unknown key \(quote(key))"
            return ConfigurationNotice(file: file.path, line: line.number, text: text)
        }
    }

    private var hostsWithoutProfile: [ConfigurationNotice] {
        var notices: [ConfigurationNotice] = []
        for label in hostLabels {
            do throws(ConfigurationError) {
                _ = try checkedHost(labelled: label)
            } catch  where error.kind == .unknownProfile {
                notices.append(ConfigurationNotice(file: error.file, line: error.line, text: error.text))
            } catch {}
        }
        return notices
    }
}
