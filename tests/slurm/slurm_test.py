# SPDX-License-Identifier: Apache-2.0
"""slurm_test.py PROGRAM SAXPY [POINTS]: a sweep on a real Slurm cluster whose parts are killed in the middle.

The command that watches is killed and started again, a node is killed with its jobs, and the sweep is interrupted and
continued. The node returns and is killed again. In the end each point has one result, and no point was run to its end twice."""

import collections
import pathlib
import re
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time

import cluster

SKIPPED = 77


class Sweep:
    """A sweep of small points, and the command that watches it."""

    def __init__(self, program, saxpy, folder, points):
        self.folder = folder / "sweep"
        slots = points // 20
        space = folder / "space.yaml"
        space.write_text(f"experiments: [{saxpy}]\n"
                         "sweep:\n"
                         "  gpu.sms: {from: 1, to: 20, step: 1}\n"
                         f"  gpu.sm.warp_slots: {{from: 1, to: {slots}, step: 1}}\n")
        self.points = 20 * slots
        self.words = [program, "sweep", str(space), "--out", str(self.folder), "--engine", "slurm", "--set",
                      "machine=functional", "--batch", "20", "--poll", "300", "--lease", "5"]
        self.process = None

    def start(self):
        self.process = subprocess.Popen(self.words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)

    def count(self):
        """Points with a result."""
        try:
            with sqlite3.connect(f"file:{self.folder}/sweep.sqlite?mode=ro", uri=True) as store:
                return store.execute("SELECT count(*) FROM runs").fetchone()[0]
        except sqlite3.OperationalError:
            return 0

    def wait_for(self, count):
        while self.count() < count:
            if self.process.poll() is not None:
                raise AssertionError(f"the sweep ended with {self.count()} results: {self.process.stdout.read()}")
            time.sleep(0.1)

    def finish(self):
        output, _ = self.process.communicate(timeout=600)
        return self.process.returncode, output


def ends(folder):
    """How often each point was run to its end, from the logs of all tasks; and how often one was begun."""
    ended = collections.Counter()
    begun = collections.Counter()
    for log in folder.glob("logs/*/*.log"):
        for line in log.read_text().splitlines():
            if found := re.match(r"end ([0-9a-f]{64}) ok$", line):
                ended[found[1]] += 1
            if found := re.match(r"begin ([0-9a-f]{64}) ", line):
                begun[found[1]] += 1
    return ended, begun


def check(condition, text):
    if not condition:
        raise AssertionError(text)


def run(program, saxpy, points, folder, slurm):
    try:
        sweep = Sweep(program, saxpy, folder, points)
        points = sweep.points
        sweep.start()
        sweep.wait_for(points // 20)
        first_jobs = slurm.jobs()
        sweep.process.kill()
        sweep.process.wait()
        print(f"{sweep.count()} results when the watching command was killed", flush=True)

        sweep.start()
        sweep.wait_for(points // 5)
        check(slurm.jobs() == first_jobs, "the command that started again submitted a second job")
        slurm.kill_node("n1")
        print(f"{sweep.count()} results when a node was killed", flush=True)
        sweep.wait_for(points // 2)

        sweep.process.send_signal(signal.SIGINT)
        code, output = sweep.finish()
        check(code == 130, f"an interrupted sweep ended with {code}: {output}")
        check(slurm.jobs() == [], f"jobs remain after an interrupt: {slurm.jobs()}")
        print(f"{sweep.count()} results when the sweep was interrupted", flush=True)

        slurm.start_node("n1")
        sweep.start()
        sweep.wait_for(points * 3 // 5)
        slurm.wait_for(lambda: slurm.processes_of("n1"), 60)
        slurm.kill_node("n1")
        print(f"{sweep.count()} results when the node was killed again", flush=True)
        code, output = sweep.finish()
        print(output, flush=True)
        check(code == 0, f"the sweep ended with {code}")
        check(sweep.count() == points, f"{points} points, and {sweep.count()} results")
        check(not (sweep.folder / "spool").exists(), "the spool remains")
        with sqlite3.connect(f"file:{sweep.folder}/sweep.sqlite?mode=ro", uri=True) as store:
            ok, different = store.execute("SELECT sum(status = 'ok'), count(DISTINCT digest) FROM runs").fetchone()
            generations = store.execute("SELECT count(*) FROM submissions").fetchone()[0]
        check(ok == points and different == points, f"{ok} points are ok, {different} are different")
        check(generations >= 3, "what the killed node left was not submitted again")
        ended, begun = ends(sweep.folder)
        twice = [digest for digest, count in ended.items() if count > 1]
        check(not twice, f"{len(twice)} points were run to their end twice")
        check(len(ended) == points, f"{len(ended)} points ended in the logs")
        print(f"{points} points in {generations} submissions: each has one result, {sum(begun.values()) - points} were "
              "begun again")
    finally:
        slurm.close()


def main():
    lacks = cluster.missing()
    if lacks:
        print(f"skipped: there is no {', '.join(lacks)} (Debian: slurmctld, slurmd, slurm-client, munge)")
        return SKIPPED
    points = int(sys.argv[3]) if len(sys.argv) > 3 else 1000
    with tempfile.TemporaryDirectory(prefix="reconverge-slurm-") as folder:
        try:
            slurm = cluster.Cluster(folder)
        except RuntimeError as error:
            print(f"skipped: Slurm's daemons do not start on this host: {error}")
            return SKIPPED
        run(sys.argv[1], sys.argv[2], points, pathlib.Path(folder), slurm)
    return 0


if __name__ == "__main__":
    sys.exit(main())
