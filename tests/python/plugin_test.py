# SPDX-License-Identifier: Apache-2.0
"""Plugins: schemes and machines of shared libraries, compared with the built-in ones."""

import json
import os
import pathlib
import subprocess
import tempfile
import unittest

import numpy as np
import reconverge
from kernels import SAXPY, TREE

SCHEME = os.environ["RECONVERGE_TEST_PLUGIN"]
MACHINE = os.environ["RECONVERGE_TEST_MACHINE"]
COLLATZ = TREE / "yaml/experiments/collatz.yaml"


class Plugins(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        with cls.failing("smallest_scheme"):
            reconverge.Device("timed", set={"gpu.sm.scheme": "smallest_scheme"})
        cls.before = reconverge.Experiment(COLLATZ)
        reconverge.load_plugin(SCHEME)
        reconverge.load_plugin(pathlib.Path(MACHINE))
        reconverge.load_plugin(SCHEME)  # has no effect

    @staticmethod
    def failing(text):
        return unittest.TestCase().assertRaisesRegex(reconverge.InputError, text)

    def test_scheme_of_an_experiment(self):
        own = self.before.run()
        with self.failing("smallest_scheme"):
            self.before["gpu.sm.scheme"] = "smallest_scheme"
        experiment = reconverge.Experiment(COLLATZ)
        experiment["gpu.sm.scheme"] = "smallest_scheme"
        with tempfile.TemporaryDirectory() as folder:
            report = experiment.run(folder)
            manifest = json.loads((pathlib.Path(folder) / "manifest.json").read_text())
        self.assertEqual(report.data["platform"]["scheme"], "smallest_scheme")
        self.assertEqual(report.figures, own.figures)
        self.assertIn("libsmallest_scheme.so", json.dumps(manifest["inputs"]))

    def test_scheme_of_a_device(self):
        values = np.ones(100, np.float32)
        cycles = [reconverge.Kernel(SAXPY, machine="timed", set=settings)[1, 128](2.0, values, values.copy(), 100).cycles
                  for settings in ({}, {"gpu.sm.scheme": "smallest_scheme"})]
        self.assertEqual(cycles[0], cycles[1])

    def test_machine(self):
        experiment = reconverge.Experiment(COLLATZ)
        experiment.set({"machine": "ideal_mimd", "ideal_mimd.lanes": 1})
        figures = experiment.run().figures
        self.assertEqual((figures["lane_use"], figures["cycles"]), (1, figures["thread_instructions"]))
        values = np.ones(100, np.float32)
        kernel = reconverge.Kernel(SAXPY, machine="ideal_mimd", set={"ideal_mimd.lanes": 1})
        result = kernel[1, 128](2.0, values, values.copy(), 100)
        self.assertEqual(result.cycles, result.thread_instructions)

    def test_refused_as_by_the_program(self):
        for file in (str(TREE / "no_such_plugin.so"), str(COLLATZ)):
            program = subprocess.run([os.environ["RECONVERGE_PROGRAM"], "validate", COLLATZ, "--plugin", file],
                                     capture_output=True, text=True)
            self.assertEqual(program.returncode, 2)
            with self.assertRaises(reconverge.InputError) as caught:
                reconverge.load_plugin(file)
            self.assertEqual(program.stderr, f"reconverge: error: {caught.exception}\n")
            self.assertEqual(caught.exception.file, file)


if __name__ == "__main__":
    unittest.main()
