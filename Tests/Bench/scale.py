"""How a get grows: with the items in the keyring, the host entries, the token's size and the helpers at once."""

import json
import statistics
from dataclasses import dataclass, field

from tables import Contender, run

ITEMS = [1, 100, 10_000]
ENTRIES = [1, 100, 1000]
TOKENS = [1, 4, 16, 60]
DOCKER_TOKENS = [1, 16, 256, 1024]
AT_ONCE = [1, 4, 16, 64]


@dataclass
class Panel:
    title: str
    unit: str
    # By name of the program: pairs of how many and median milliseconds.
    series: dict = field(default_factory=dict)

    def add(self, count, results):
        for name, values in results.items():
            median = statistics.median(seconds for seconds, _ in values)
            self.series.setdefault(name, []).append((count, median * 1000))

    def text(self):
        lines = [f"\n{self.title} ({self.unit})"]
        for name, points in self.series.items():
            told = ", ".join(f"{count}: {milliseconds:.2f}" for count, milliseconds in points)
            lines.append(f"  {name:36}{told} ms")
        return "\n".join(lines)


def git_contenders(world, least=1):
    get = world.input("scale-get", "protocol=https\nhost=git.ours.example\n\n")
    peer = world.input("scale-peer", "protocol=https\nhost=peer.example\n\n")
    return [
        Contender("git-credential-mojoauth", world.git_helper + ["get"], get, least=least),
        Contender("git-credential-libsecret", [world.libsecret("current"), "get"], peer, least=least),
    ]


def docker_contenders(world, least=1):
    ours = world.input("scale-registry", "registry.ours.example")
    peer = world.input("scale-registry-peer", "https://registry.peer.example")
    return [
        Contender("docker-credential-mojoauth", world.docker_helper + ["get"], ours, least=least),
        Contender("docker-credential-secretservice", ["docker-credential-secretservice", "get"], peer, least=least),
    ]


def scale_series(world, rounds):
    """Each panel as soon as it is measured. The items come last: the keyring is started anew for them."""
    yield tokens(
        world, rounds, Panel("size of the token, git", "KiB"), TOKENS, git_contenders, protocol="https",
        server="peer.example")
    yield tokens(
        world, rounds, Panel("size of the token, docker", "KiB"), DOCKER_TOKENS, docker_contenders,
        server="https://registry.peer.example")
    at_once = Panel("helpers at once", "processes")
    for count in AT_ONCE:
        at_once.add(count, run(world, git_contenders(world), max(5, rounds // count), at_once=count, warmup=2))
    yield at_once
    yield entries(world, rounds)
    yield items(world, rounds)


def tokens(world, rounds, panel, sizes, contenders, **peers_item):
    """A token of so many KiB in our login and, written there directly, in the peer's item.

    The peers cannot store the larger ones themselves: Debian's git-credential-libsecret reads no line of over 1023 bytes,
    docker-credential-secretservice none of over 64 KiB.
    """
    kept = world.state()
    for size in sizes:
        token = "t" * size * 1024
        world.set_state(kept.replace(json.dumps(world.token), json.dumps(token)))
        for item in world.items(**peers_item):
            item.SetSecret(world.secret(token))
        panel.add(size, run(world, contenders(world, len(token)), rounds, warmup=3))
    world.set_state(kept)
    world.store_for_peers(world.token)
    return panel


def entries(world, rounds):
    panel = Panel("host entries in the configuration", "entries")
    there = 1
    for count in ENTRIES:
        world.add_hosts("default", [f"host-{number}.example" for number in range(there, count)])
        there = count
        panel.add(count, run(world, git_contenders(world), rounds, warmup=3))
    return panel


def items(world, rounds):
    panel = Panel("items of others in the keyring", "items")
    for count in ITEMS:
        world.fill_keyring(count)
        panel.add(count, run(world, git_contenders(world), rounds, warmup=3))
    return panel
