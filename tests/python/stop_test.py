# SPDX-License-Identifier: Apache-2.0
"""Ctrl-C, progress functions and threads."""

import os
import pathlib
import shutil
import signal
import tempfile
import threading
import time
import unittest

import numpy as np
import reconverge
from kernels import BLOCK_SUM, CUDA, ENDLESS, ROUNDS

ENDLESS_EXPERIMENT = f"""
machine: functional
buffers: {{result: {{type: u32, count: 1}}}}
launches: [{{program: rounds.ptx, grid: 1, block: 1, arguments: [result, {ENDLESS}]}}]
"""


class Interrupts(unittest.TestCase):
    """The test is that the run ends: without a stop it takes hours, and ctest's limit ends the test."""

    def interrupted(self, run):
        begun = threading.Event()

        def progress(_):
            begun.set()

        def interrupt():
            begun.wait()
            os.kill(os.getpid(), signal.SIGINT)

        thread = threading.Thread(target=interrupt)
        thread.start()
        with self.assertRaises(KeyboardInterrupt):
            run(progress)
        thread.join()

    def test_kernels(self):
        for machine in ("functional", "timed"):
            kernel = reconverge.Kernel(ROUNDS, machine=machine)
            result = np.full(1, 7, np.uint32)
            self.interrupted(lambda progress: kernel[1, 1](result, ENDLESS, progress=progress))
            self.assertEqual(result[0], 7)
            kernel[1, 1](result, 3)
            self.assertEqual(result[0], (((3 ^ 3) + 3 ^ 2) + 3) ^ 1)

    def test_experiments(self):
        with tempfile.TemporaryDirectory() as folder:
            (pathlib.Path(folder) / "rounds.ptx").write_text(ROUNDS)
            experiment = reconverge.Experiment.parse(ENDLESS_EXPERIMENT, f"{folder}/endless.yaml")
            self.interrupted(lambda progress: experiment.run(progress=progress))

    def test_sweeps(self):
        """Two endless runs at a time: in one process, the second one would not begin."""
        with tempfile.TemporaryDirectory() as folder:
            (pathlib.Path(folder) / "rounds.ptx").write_text(ROUNDS)
            experiment = reconverge.Experiment.parse(ENDLESS_EXPERIMENT, f"{folder}/endless.yaml")
            values = {"launches[0].grid": [1, 2]}
            sizes = set()

            def both(progress):
                sizes.add(progress.all)
                if sizes == {1, 2}:
                    raise LookupError("both run")

            with self.assertRaisesRegex(LookupError, "both run"):
                experiment.sweep(values, jobs=2, progress=both)
            self.interrupted(lambda progress: experiment.sweep(values, jobs=2, progress=progress))
            signals = threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT))
            signals.start()
            with self.assertRaises(KeyboardInterrupt):
                experiment.sweep(values, jobs=2)
            signals.join()

    @unittest.skipUnless(shutil.which("clang-14"), "clang-14 is not installed")
    def test_compilations(self):
        signals = threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT))
        # Each constant expression takes clang minutes: a function that calls itself some hundred million times.
        slow = """
template <unsigned long n, int bit> struct Slow { static constexpr unsigned long value =
  Slow<n * 2, bit - 1>::value + Slow<n * 2 + 1, bit - 1>::value; };
template <unsigned long n> struct Slow<n, 0> { static constexpr unsigned long value = n; };
""" + CUDA.replace("SCALE", "Slow<1, 40>::value")
        signals.start()
        with self.assertRaises(KeyboardInterrupt):
            reconverge.Kernel(slow)
        signals.join()


class Progress(unittest.TestCase):
    def test_false_stops_a_launch(self):
        for machine in ("functional", "timed"):
            seen = []

            def third(progress):
                seen.append((progress.part, progress.done, progress.all, progress.unit))
                return len(seen) < 3

            result = np.zeros(1, np.uint32)
            with self.assertRaisesRegex(reconverge.Interrupted, "rounds"):
                reconverge.Kernel(ROUNDS, machine=machine)[1, 1](result, ENDLESS, progress=third)
            self.assertEqual(seen, [("rounds", 0, 1, "blocks")] * 3)

    def test_exceptions_stop_a_launch(self):
        def fail(_):
            raise LookupError("of the test")

        with self.assertRaisesRegex(LookupError, "of the test"):
            reconverge.Kernel(ROUNDS)[1, 1](np.zeros(1, np.uint32), ENDLESS, progress=fail)

    def test_cycles_grow(self):
        cycles = []

        def stop_when_grown(progress):
            cycles.append(progress.cycles)
            return len(set(cycles)) < 3

        with self.assertRaises(reconverge.Interrupted):
            reconverge.Kernel(ROUNDS, machine="timed")[1, 1](np.zeros(1, np.uint32), ENDLESS, progress=stop_when_grown)
        self.assertEqual(cycles, sorted(cycles))

    def test_a_launch_within_a_progress_function(self):
        values = np.arange(100, dtype=np.uint32)
        device = reconverge.Device("timed")
        sums = []

        def launch_another(_):
            own = np.zeros(1, np.uint32)
            for machine in ("functional", "timed"):
                reconverge.Kernel(BLOCK_SUM, machine=machine)[1, 128](values, own, 100)
                sums.append(int(own[0]))
            with self.assertRaisesRegex(reconverge.InputError, "running a launch"):
                reconverge.Kernel(BLOCK_SUM, device=device)[1, 128](values, own, 100)

        own = np.zeros(1, np.uint32)
        reconverge.Kernel(BLOCK_SUM, device=device)[1, 128](values, own, 100, progress=launch_another)
        self.assertEqual((own[0], sums[:2]), (4950, [4950, 4950]))


class Threads(unittest.TestCase):
    def test_python_runs_during_a_launch(self):
        """Another thread sees the launch run, and ends it: the launch does not hold Python's lock."""
        stop = threading.Event()
        begun = threading.Event()

        def progress(_):
            begun.set()
            return not stop.is_set()

        def end():
            begun.wait()
            time.sleep(0.01)
            stop.set()

        thread = threading.Thread(target=end)
        thread.start()
        with self.assertRaises(reconverge.Interrupted):
            reconverge.Kernel(ROUNDS)[1, 1](np.zeros(1, np.uint32), ENDLESS, progress=progress)
        thread.join()

    def test_launches_of_several_threads(self):
        values = np.arange(3000, dtype=np.uint32)
        expected = np.add.reduceat(values, range(0, 3000, 256))
        wrong = []

        def launch(machine):
            for _ in range(3):
                sums = np.zeros(12, np.uint32)
                reconverge.Kernel(BLOCK_SUM, machine=machine, set={"gpu.sms": 2})[12, 256](values, sums, 3000)
                if not np.array_equal(sums, expected):
                    wrong.append(machine)

        threads = [threading.Thread(target=launch, args=(machine,)) for machine in ("timed", "functional", "timed")]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(wrong, [])


if __name__ == "__main__":
    unittest.main()
