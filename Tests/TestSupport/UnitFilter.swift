import Foundation

/// What systemd would do with a unit's system calls, without systemd: SystemCallFilter, RestrictNamespaces and
/// RestrictAddressFamilies as the unit has them at each run. Its further lines bind nothing here.
package struct UnitFilter {
    private let script: String
    private let unit: String

    /// - Parameter unit: the path of a unit file.
    package init(in world: World, unit: String) throws {
        script = try world.scratch.write(Self.script, to: "unit-filter.py")
        self.unit = unit
    }

    /// The command line that runs a command under the filter.
    package func command(_ words: [String]) throws -> (program: String, arguments: [String]) {
        (Tool.python.rawValue, [script, unit] + words)
    }

    private static let script = """
        import errno, os, re, socket, subprocess, sys
        import seccomp as S

        unit = open(sys.argv[1]).read()
        def setting(name):
            return re.search(rf"^{name}=(.*)$", unit, re.M).group(1).split()

        def members(group):
            told = subprocess.run(["systemd-analyze", "syscall-filter", group], capture_output=True, text=True, check=True)
            for line in told.stdout.splitlines()[1:]:
                word = line.strip()
                if word.startswith("@"): yield from members(word)
                elif word and not word.startswith("#"): yield word

        allowed = {name for word in setting("SystemCallFilter") for name in members(word)}
        assert setting("SystemCallErrorNumber") == ["EPERM"] and len(allowed) > 200
        rules = S.SyscallFilter(S.ERRNO(errno.EPERM))
        # RestrictNamespaces=yes: clone without their flags, and no clone3, whose flags a filter cannot see.
        assert setting("RestrictNamespaces") == ["yes"]
        namespaces = 0x7e020080
        rules.add_rule(S.ALLOW, "clone", S.Arg(0, S.MASKED_EQ, namespaces, 0))
        rules.add_rule(S.ERRNO(errno.ENOSYS), "clone3")
        for family in setting("RestrictAddressFamilies"):
            rules.add_rule(S.ALLOW, "socket", S.Arg(0, S.EQ, getattr(socket, family)))
        for name in allowed - {"clone", "clone3", "unshare", "setns", "socket"}:
            # A name that this machine's processor does not have is none to allow.
            try: rules.add_rule(S.ALLOW, name)
            except RuntimeError: pass
        rules.load()
        os.execvp(sys.argv[2], sys.argv[2:])

        """
}
