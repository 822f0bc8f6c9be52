#!/usr/bin/python3 -B
"""link_order.py PROGRAMS GIT FILE: writes the functions that the helpers run, for the linker to lay side by side.

A page of a program costs time and memory when it is first touched, and functions lie in the order of their modules: a
`get` would touch nearly every page of the Swift runtime. callgrind tells which functions run.
"""

import os
import re
import subprocess
import sys

from bench import credential
from world import World

HEAD = """# The functions that a helper runs, in the order of their first run: the linker lays them side by side.
# Written by 'make link-order'; names that are not there are no error.
"""


def functions(world, command, text):
    """The names of the helper's own functions in one run."""
    profile = f"{world.folder}/callgrind"
    subprocess.run(
        ["valgrind", "--tool=callgrind", "--demangle=no", "--compress-strings=no", f"--callgrind-out-file={profile}",
         *command], input=text, text=True, env=world.environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        check=True)
    names, is_ours = [], False
    with open(profile, encoding="utf-8") as file:
        for line in file:
            if line.startswith("ob="):
                is_ours = line.rstrip().endswith("/mojoauth-helper")
            elif line.startswith("fn=") and is_ours:
                # A function within itself has a number behind its name.
                name = re.sub(r"'\d+$", "", line.rstrip().removeprefix("fn="))
                if re.fullmatch(r"[A-Za-z_$.][\w$.]*", name):
                    names.append(name)
    return names


def main():
    programs, git, path = sys.argv[1:]
    with World(os.path.realpath(programs), os.path.realpath(git), os.path.dirname(os.path.realpath(__file__))) as world:
        runs = [
            (world.git_helper + ["get"], "protocol=https\nhost=git.ours.example\n\n"),
            (world.docker_helper + ["get"], "registry.ours.example"),
            (world.git_helper + ["get"], "protocol=https\nhost=peer.example\n\n"),
            (world.git_helper + ["get"], "protocol=https\nhost=nobody.example\n\n"),
            (world.git_helper + ["store"], credential("order.example", "password")),
            (world.git_helper + ["erase"], credential("order.example")),
        ]
        order = dict.fromkeys(name for command, text in runs for name in functions(world, command, text))
    with open(path, "w", encoding="utf-8") as file:
        file.write(HEAD + "".join(f"{name}\n" for name in order))
    print(f"{path}: {len(order)} functions")


if __name__ == "__main__":
    main()
