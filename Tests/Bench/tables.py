"""What ran, how long it took, and how that is told."""

import statistics
import subprocess
from dataclasses import dataclass, field

WARMUP = 10


@dataclass
class Contender:
    name: str
    command: list
    input: str
    status: int = 0
    # Bytes that it must write: an answer that is no answer is not timed.
    least: int = 0
    # False: runs only to put things back.
    shown: bool = True
    # NAME=VALUE, for its environment.
    variable: str = ""

    def line(self):
        return "\t".join([self.name, self.input, str(self.status), str(self.least), self.variable] + self.command)


def run(world, contenders, rounds, at_once=1, warmup=WARMUP):
    """Seconds and peak KiB of each round, by the contender's name."""
    answer = subprocess.run(
        [world.runner, str(rounds), str(warmup), str(at_once)], input="\n".join(c.line() for c in contenders) + "\n",
        stdout=subprocess.PIPE, text=True, env=world.environment, check=True)
    results = {contender.name: [] for contender in contenders}
    for line in answer.stdout.splitlines():
        name, seconds, memory = line.split("\t")
        results[name].append((float(seconds), int(memory)))
    return results


def quartiles(values):
    low, middle, high = statistics.quantiles(values, n=4)
    return low, middle, high


@dataclass
class Table:
    title: str
    rounds: int
    contenders: list
    # Name, median seconds, (low, middle, high) of ours divided by it, peak KiB.
    rows: list = field(default_factory=list)
    note: str = ""

    def measure(self, world):
        results = run(world, self.contenders, self.rounds)
        ours = [seconds for seconds, _ in results[self.contenders_shown()[0].name]]
        for contender in self.contenders_shown():
            times = [seconds for seconds, _ in results[contender.name]]
            ratio = quartiles([mine / theirs for mine, theirs in zip(ours, times)])
            self.rows.append((contender.name, statistics.median(times), ratio,
                              statistics.median(memory for _, memory in results[contender.name])))
        return self

    def contenders_shown(self):
        return [contender for contender in self.contenders if contender.shown]

    def cells(self):
        """The rows as texts: whose, milliseconds, ours divided by it, MiB."""
        for index, (name, seconds, ratio, memory) in enumerate(self.rows):
            ratio = "" if index == 0 or not ratio else "{1:.2f} ({0:.2f} to {2:.2f})".format(*ratio)
            yield name, f"{seconds * 1000:.2f}", ratio, f"{memory / 1024:.1f}" if memory else ""

    def text(self):
        lines = [f"\n{self.title}"]
        for name, seconds, ratio, memory in self.cells():
            peak = f"{memory:>6} MiB" if memory else ""
            lines.append(f"  {name:36}{seconds:>9} ms  {ratio:24}{peak}".rstrip())
        return "\n".join(lines + ([f"  {self.note}"] if self.note else []))


def markdown(tables, head, size):
    lines = [f"{line}  " for line in head] + [f"the three programs, stripped: {size / 1e6:.1f} MB", ""]
    lines += ["| operation | program | median, ms | ours to it | peak, MiB |", "|---|---|--:|---|--:|"]
    for table in tables:
        for index, (name, seconds, ratio, memory) in enumerate(table.cells()):
            lines.append(f"| {table.title if index == 0 else ''} | {name} | {seconds} | {ratio} | {memory} |")
    notes = [f"{table.title}: {table.note}.  " for table in tables if table.note]
    return "\n".join(lines + [""] + notes) + "\n"
