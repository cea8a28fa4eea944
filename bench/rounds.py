"""Engines side by side: each in a process of its own, timed in rounds in which they take turns.

Only one works at a time. Before each turn, the threads of the one before go to sleep: that takes --pause
seconds, or longer where they still use the processors. What the waiting ones spend of the processors in a
turn is measured, so that one that spins cannot pass unseen.
"""

import json
import pathlib
import statistics
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).parent

# The most runs of a turn, so that their times stay a short line.
MOST_RUNS = 2000

# Engines sleep when together they take less than this share of a processor in so many seconds.
QUIET_SHARE, QUIET_SECONDS = 0.02, 0.02

# The seconds after which a turn begins even if they do not sleep.
MOST_SECONDS = 1.0


class EngineError(RuntimeError):
    """An engine could not do what it was asked for."""


class Process:
    """A worker (worker.py, or another program that speaks its protocol)."""

    def __init__(self, engine, command=None, log=None):
        self.engine = engine
        self.log = open(log, "w") if log else subprocess.DEVNULL
        command = command or [sys.executable, str(HERE / "worker.py"), engine]
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self.log, text=True
        )

    def ask(self, do, **request):
        """Sends a request and waits for its answer."""
        try:
            print(json.dumps({"do": do, **request}), file=self.process.stdin, flush=True)
            line = self.process.stdout.readline()
        except BrokenPipeError:
            line = ""
        if not line:
            raise EngineError(f"{self.engine} ended with status {self.process.wait()}")
        answer = json.loads(line)
        if "error" in answer:
            raise EngineError(f"{self.engine}: {answer['error']}")
        return answer

    def run(self, runs):
        """The times of some runs, in ms."""
        return [nanoseconds / 1e6 for nanoseconds in self.ask("run", runs=runs)["times_ns"]]

    def processor_ms(self):
        """What all its threads have spent of the processors, in ms."""
        total = 0
        for task in pathlib.Path(f"/proc/{self.process.pid}/task").iterdir():
            try:
                total += int((task / "schedstat").read_text().split()[0])
            except OSError:  # The thread has ended since it was listed.
                pass
        return total / 1e6

    def ended(self):
        """Whether it has ended, by itself or by a fault."""
        return self.process.poll() is not None

    def close(self):
        """Ends it."""
        self.process.stdin.close()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.process.stdout.close()
        if self.log is not subprocess.DEVNULL:
            self.log.close()


def runs_per_turn(milliseconds, turn):
    """So many runs that a turn takes about `turn` seconds."""
    return max(1, min(MOST_RUNS, round(turn * 1e3 / max(milliseconds, 1e-3))))


def shares(count, parts):
    """`count` in at most `parts` nearly equal shares, none of them empty."""
    parts = min(count, parts)
    return [count // parts + (index < count % parts) for index in range(parts)]


def interleave(workers, rounds, pause, turn, limit=10.0, progress=lambda done: None):
    """Times in ms by engine, and the share of a processor that each takes while it waits.

    All have run before: a first run is not like the others. A turn is one untimed run, then as many as
    take `turn` seconds. The one that starts changes from round to round. An engine whose first run
    here takes more than `limit` seconds is not run again.
    """
    times, runs = {}, {}
    for name, worker in workers.items():
        first = worker.run(1)
        times[name] = [] if first[0] < limit * 1e3 else first
        runs[name] = runs_per_turn(first[0], turn)
    playing = [name for name in workers if not times[name]]
    idle, waited = dict.fromkeys(workers, 0.0), dict.fromkeys(workers, 0.0)
    for index in range(rounds):
        for name in playing if index % 2 == 0 else reversed(playing):
            await_quiet(workers.values(), pause)
            before = {other: workers[other].processor_ms() for other in workers if other != name}
            start = time.perf_counter()
            workers[name].run(1)
            times[name] += workers[name].run(runs[name])
            elapsed = (time.perf_counter() - start) * 1e3
            for other, spent in before.items():
                idle[other] += workers[other].processor_ms() - spent
                waited[other] += elapsed
        progress(index + 1)
    return times, {name: idle[name] / waited[name] if waited[name] else 0.0 for name in workers}


def await_quiet(workers, pause):
    """Waits for `pause` seconds, and until all workers sleep, but not for ever."""
    end = time.perf_counter() + MOST_SECONDS
    time.sleep(pause)
    while time.perf_counter() < end:
        before = sum(worker.processor_ms() for worker in workers)
        time.sleep(QUIET_SECONDS)
        spent = sum(worker.processor_ms() for worker in workers) - before
        if spent < QUIET_SHARE * QUIET_SECONDS * 1e3:
            return


def summary(times):
    """Median, least and 95th percentile of some times in ms."""
    ordered = sorted(times)
    return {
        "median_ms": statistics.median(ordered),
        "min_ms": ordered[0],
        "p95_ms": ordered[min(len(ordered) * 95 // 100, len(ordered) - 1)],
        "runs": len(ordered),
    }
