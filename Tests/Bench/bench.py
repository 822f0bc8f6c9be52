#!/usr/bin/python3 -B
"""bench.py PROGRAMS GIT [--rounds N] [--only PART...] [--readme README.md] [--plot FILE.svg]

Times the helpers as their callers run them, whole processes, in turn with those of others, on a private bus, keyring and
issuer. PROGRAMS is the folder of the release programs, GIT that of Tests/Conformance/make-git. Prints a table; a ratio is
the median over the rounds of ours divided by the other's of the same round, with the quartiles behind it.
"""

import argparse
import datetime
import os
import platform
import shutil
import subprocess
import sys
import tempfile

from cold import cold_tables
from plot import plot
from scale import scale_series
from tables import Contender, Table, markdown
from world import World

HERE = os.path.dirname(os.path.realpath(__file__))
PARTS = ["main", "cold", "scale"]


def main_tables(world, rounds):
    """Each operation beside the peers that offer it."""
    ours, docker = world.git_helper, world.docker_helper
    old, new = world.libsecret("debian"), world.libsecret("current")
    secret_tool = ["secret-tool", "lookup", "protocol", "https", "server", "peer.example", "user", "u"]
    floor = [world.floor, "protocol", "https", "server", "peer.example", "user", "u"]
    get = world.input("get", "protocol=https\nhost=git.ours.example\n\n")
    get_peer = world.input("get-peer", "protocol=https\nhost=peer.example\n\n")
    miss = world.input("miss", "protocol=https\nhost=nobody.example\n\n")
    store = {name: world.input(f"store-{name}", credential(f"store-{name}.example", world.token)) for name in "on"}
    erase = {name: world.input(f"erase-{name}", credential(f"store-{name}.example")) for name in "on"}
    registry = world.input("registry", "registry.ours.example")
    registry_peer = world.input("registry-peer", "https://registry.peer.example")
    nothing = world.input("nothing", "")
    size = len(world.token)
    return [
        Table("git get", rounds, [
            Contender("git-credential-mojoauth", ours + ["get"], get, least=size),
            Contender("git-credential-libsecret (Debian)", [old, "get"], get_peer, least=size),
            Contender("git-credential-libsecret (current)", [new, "get"], get_peer, least=size),
            Contender("secret-tool lookup", secret_tool, nothing, least=size),
            Contender("floor", floor, nothing, least=size),
        ]),
        Table("git get, bus-session=plain", rounds, [
            Contender("git-credential-mojoauth", ours + ["get"], get, least=size,
                      variable=f"MOJOAUTH_CONFIG={world.plain_configuration()}"),
            Contender("git-credential-libsecret (Debian)", [old, "get"], get_peer, least=size),
        ]),
        Table("docker get", rounds, [
            Contender("docker-credential-mojoauth", docker + ["get"], registry, least=size),
            Contender("docker-credential-secretservice", ["docker-credential-secretservice", "get"], registry_peer,
                      least=size),
        ]),
        Table("git get, nothing there", rounds, [
            Contender("git-credential-mojoauth", ours + ["get"], miss),
            Contender("git-credential-libsecret (Debian)", [old, "get"], miss),
            Contender("git-credential-libsecret (current)", [new, "get"], miss),
        ]),
        Table("git store", rounds, [
            Contender("git-credential-mojoauth", ours + ["store"], store["o"]),
            Contender("(erase)", ours + ["erase"], erase["o"], shown=False),
            Contender("git-credential-libsecret (current)", [new, "store"], store["n"]),
            Contender("(erase) ", [new, "erase"], erase["n"], shown=False),
        ]),
        Table("git erase", rounds, [
            Contender("(store)", ours + ["store"], store["o"], shown=False),
            Contender("git-credential-mojoauth", ours + ["erase"], erase["o"]),
            Contender("(store) ", [new, "store"], store["n"], shown=False),
            Contender("git-credential-libsecret (current)", [new, "erase"], erase["n"]),
        ]),
        Table("docker list", rounds, [
            Contender("docker-credential-mojoauth", docker + ["list"], nothing, least=2),
            Contender("docker-credential-secretservice", ["docker-credential-secretservice", "list"], nothing,
                      least=2),
        ]),
    ]


def credential(host, password=None):
    secret = f"password={password}\n" if password else ""
    return f"protocol=https\nhost={host}\nusername=u\n{secret}\n"


def processor():
    with open("/proc/cpuinfo", encoding="utf-8") as file:
        names = [line.split(":", 1)[1].strip() for line in file if line.startswith("model name")]
    return f"{names[0] if names else platform.machine()}, {os.cpu_count()} cores"


def version(command):
    lines = subprocess.run(command, capture_output=True, text=True, check=False).stdout.splitlines()
    return lines[0] if lines else "?"


def load():
    """How busy the machine is with other things, and what that does to the figures."""
    average = os.getloadavg()[0]
    doubt = "" if average < 1 else ": not quiet, so that the ratios stand, and the times do not"
    return f"load {average:.1f} at the start{doubt}"


def installed_size(programs):
    """Of the three programs, stripped, in bytes."""
    total = 0
    with tempfile.TemporaryDirectory() as folder:
        for name in ["mojoauth-helper", "mojoauth-credential", "mojoauth-sandbox"]:
            copy = shutil.copy(f"{programs}/{name}", folder)
            subprocess.run(["strip", "--strip-unneeded", copy], check=True)
            total += os.path.getsize(copy)
    return total


def replace_block(path, text):
    """Puts the text between the two marks that the file has for it."""
    begin, end = "<!-- bench: begin -->\n", "<!-- bench: end -->"
    with open(path, encoding="utf-8") as file:
        before, rest = file.read().split(begin, 1)
    with open(path, "w", encoding="utf-8") as file:
        file.write(before + begin + text + end + rest.split(end, 1)[1])


def measured(world, options):
    """Each table as soon as it is measured."""
    if "main" in options.only:
        for table in main_tables(world, options.rounds):
            yield table.measure(world)
    if "cold" in options.only:
        yield from cold_tables(world, max(10, options.rounds // 4))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("programs")
    parser.add_argument("git")
    parser.add_argument("--rounds", type=int, default=120)
    parser.add_argument("--only", nargs="+", choices=PARTS, default=PARTS)
    parser.add_argument("--readme")
    parser.add_argument("--plot")
    options = parser.parse_args()
    with World(os.path.realpath(options.programs), os.path.realpath(options.git), HERE) as world:
        lines = [
            f"{datetime.date.today()}, {processor()}, {platform.system()} {platform.release()}",
            ", ".join(version(command) for command in [
                [f"{world.programs}/mojoauth-credential", "version"], ["git", "--version"],
                [f"{options.git}/bin/git", "--version"], ["gnome-keyring-daemon", "--version"]]),
            f"token of {len(world.token)} bytes, {options.rounds} rounds after a warm-up of 10; {load()}",
        ]
        print("\n".join(lines), flush=True)
        tables = []
        for table in measured(world, options):
            print(table.text(), flush=True)
            tables.append(table)
        size = installed_size(options.programs)
        print(f"installed, stripped: {size / 1e6:.1f} MB", flush=True)
        if "scale" in options.only:
            series = []
            for panel in scale_series(world, max(10, options.rounds // 6)):
                print(panel.text(), flush=True)
                series.append(panel)
            if options.plot:
                plot(series, options.plot)
        if options.readme:
            replace_block(options.readme, markdown(tables, lines, size))
    return 0


if __name__ == "__main__":
    sys.exit(main())
