# SPDX-License-Identifier: Apache-2.0
"""Experiments, reports and frames, compared with the command line."""

import csv
import json
import os
import pathlib
import sqlite3
import subprocess
import tempfile
import unittest

import numpy as np
import reconverge
from kernels import TREE

try:
    import pandas
except ImportError:
    pandas = None

PROGRAM = os.environ["RECONVERGE_PROGRAM"]
SAXPY = TREE / "yaml/experiments/saxpy.yaml"
COLLATZ = TREE / "yaml/experiments/collatz.yaml"
RAYS = TREE / "yaml/experiments/conference.yaml"


class WithFolder(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def program(self, *words):
        return subprocess.run([PROGRAM, *map(str, words)], check=True, capture_output=True, text=True).stdout


class Experiments(WithFolder):
    def test_report_is_that_of_the_program(self):
        experiment = reconverge.Experiment(SAXPY)
        experiment["gpu.sms"] = 3
        experiment["launches.saxpy.block"] = 128
        report = experiment.run()
        printed = self.program("run", SAXPY, "--set", "gpu.sms=3", "--set", "launches.saxpy.block=128", "--json",
                               "--out", self.folder / "program")
        self.assertEqual(report.json, printed)
        self.assertTrue(report.passed)
        self.assertFalse(report.partial)
        self.assertEqual(report.data["launches"][0]["block"], [128, 1, 1])
        self.assertEqual(report.figures["cycles"], json.loads(printed)["total"]["figures"]["cycles"])
        np.testing.assert_array_equal(report.array("y.npy"), 1.0 + np.arange(4096))
        with self.assertRaisesRegex(reconverge.InputError, "y.npy"):
            report.array("x.npy")

    def test_folder_is_that_of_the_program(self):
        reconverge.Experiment(SAXPY).run(self.folder / "python")
        self.program("run", SAXPY, "--out", self.folder / "program")
        for ours in sorted((self.folder / "python").iterdir()):
            if ours.name not in ("manifest.json", ".lock"):
                self.assertEqual(ours.read_bytes(), (self.folder / "program" / ours.name).read_bytes(), ours.name)
        names = lambda name: {each.name for each in (self.folder / name).iterdir()}
        self.assertEqual(names("python"), names("program"))
        with self.assertRaises(reconverge.OutputError):
            (self.folder / "other").mkdir()
            (self.folder / "other" / "report.json").write_text("{}")
            reconverge.Experiment(SAXPY).run(self.folder / "other")

    def test_rays(self):
        experiment = reconverge.Experiment(RAYS)
        experiment.set({"workload.width": 16, "workload.height": 12, "gpu.sms": 1})
        units = set()
        report = experiment.run(progress=lambda progress: units.add(progress.unit))
        self.assertTrue(report.passed)
        self.assertEqual(units, {"rays"})
        self.assertEqual(report.figures, report.data["tracing"]["figures"])

    def test_validate(self):
        experiment = reconverge.Experiment(SAXPY)
        valid = experiment.validate()
        (expected,) = json.loads(self.program("validate", SAXPY, "--json"))
        valid.pop("warnings")
        self.assertEqual(valid, expected)
        experiment = reconverge.Experiment(COLLATZ)
        experiment["gpu.sm.register_file.registers"] = 1024
        with self.assertRaises(reconverge.InputError) as caught:
            experiment.validate()
        self.assertEqual(caught.exception.file.split("/")[-1], "collatz.yaml")
        self.assertGreater(caught.exception.line, 1)

    def test_parameters(self):
        experiment = reconverge.Experiment(SAXPY)
        self.assertEqual(experiment["gpu.sms"], "15")
        with self.assertRaises(reconverge.InputError) as caught:
            experiment["gpu.sms"] = "many"
        self.assertNotIn("--", str(caught.exception))
        with self.assertRaisesRegex(reconverge.InputError, "gpu.sms"):
            experiment["gpu.smss"]
        self.assertEqual(experiment["gpu.sms"], "15")
        experiment["profile"] = True
        self.assertEqual(experiment["profile"], "true")
        self.assertIn("gpu.sms", experiment)
        self.assertEqual(len(list(experiment)), len(experiment))
        self.assertIn("sms: {value: 15,", experiment.dump())
        self.assertEqual(experiment.copy()["profile"], "true")

    def test_text(self):
        yaml = SAXPY.read_text()
        experiment = reconverge.Experiment.parse(yaml, str(SAXPY))
        self.assertEqual(experiment.run().json, reconverge.Experiment(SAXPY).run().json)
        with self.assertRaisesRegex(reconverge.InputError, "save it to a file"):
            experiment.run(self.folder / "report")
        with self.assertRaises(reconverge.InputError) as caught:
            reconverge.Experiment.parse(yaml.replace("block: 256", "blok: 256"), str(SAXPY)).run()
        self.assertEqual(caught.exception.line, yaml[:yaml.index("block: 256")].count("\n") + 1)
        self.assertIn("block", caught.exception.message)

    def test_stopped_by_progress(self):
        parts = []
        report = reconverge.Experiment(SAXPY).run(progress=lambda progress: parts.append(progress.part) or False)
        self.assertTrue(report.partial)
        self.assertEqual(parts, ["saxpy"])
        report = reconverge.Experiment(SAXPY).run(max_cycles=100)
        self.assertTrue(report.partial)

    def test_progress_that_raises(self):
        def fail(_):
            raise ZeroDivisionError("of the test")

        with self.assertRaisesRegex(ZeroDivisionError, "of the test"):
            reconverge.Experiment(SAXPY).run(progress=fail)

    def test_sweep(self):
        runs = reconverge.Experiment(SAXPY).sweep({"gpu.sms": [1, 4], "launches.saxpy.block": [64, 256]})
        self.assertEqual([tuple(run.settings.values()) for run in runs],
                         [("1", "64"), ("1", "256"), ("4", "64"), ("4", "256")])
        self.program("run", SAXPY, "--sweep", "gpu.sms=1,4", "--sweep", "launches.saxpy.block=64,256", "--out",
                     self.folder / "sweep", "--quiet")
        with open(self.folder / "sweep/runs.csv", newline="") as table:
            cycles = [float(row["cycles"]) for row in csv.DictReader(table)]
        self.assertEqual([run.report.figures["cycles"] for run in runs], cycles)
        with self.assertRaises(reconverge.InputError):
            reconverge.Experiment(SAXPY).sweep({"gpu.sms": [1, "many"]})

    def test_sweep_gives_the_same_with_any_number_of_jobs(self):
        for file, values in ((SAXPY, {"gpu.sms": [1, 2, 4], "machine": ["timed", "functional"]}),
                             (COLLATZ, {"gpu.sm.scheme": ["mimd", "reconvergence_stack"], "profile": [True, False]}),
                             (RAYS, {"workload.width": [16, 17], "workload.height": [12]})):
            experiment = reconverge.Experiment(file)
            whole = lambda run: (run.settings, *vars(run.report).items())
            expected = [whole(run) for run in experiment.sweep(values, jobs=1)]
            self.assertEqual([whole(run) for run in experiment.sweep(values, jobs=3)], expected)
        with self.assertRaisesRegex(reconverge.InputError, "jobs is 0"):
            experiment.sweep(values, jobs=0)
        self.assertEqual(experiment.sweep({"gpu.sms": []}), [])

    def test_sweep_with_progress(self):
        for jobs in (1, 3):
            seen = []

            def stop_those_with_one_block(progress):
                seen.append((progress.part, progress.all, progress.unit))
                return progress.all != 1

            values = {"launches.saxpy.block": [64, 1024], "launches.saxpy.threads": [64, 4096]}
            runs = reconverge.Experiment(SAXPY).sweep(values, jobs=jobs, progress=stop_those_with_one_block)
            self.assertEqual([run.report.partial for run in runs], [True, False, True, False])
            self.assertEqual(set(seen), {("saxpy", blocks, "blocks") for blocks in (1, 4, 64)})
            partial = reconverge.Experiment(SAXPY).sweep({"gpu.sms": [1, 2]}, jobs=jobs, max_cycles=100)
            self.assertEqual([run.report.partial for run in partial], [True, True])

    def test_sweep_that_fails(self):
        caught = []
        for jobs in (1, 3):
            experiment = reconverge.Experiment(SAXPY)
            with self.assertRaisesRegex(reconverge.ExecutionError, "190 in kernel") as failure:
                experiment.sweep({"buffers.x.count": [4096, 100, 200]}, jobs=jobs)
            caught.append(failure.exception)
            self.assertEqual(caught[-1].file.split("/")[-1], "saxpy.ptx")
            self.assertGreater(caught[-1].line, 1)
            with self.assertRaises(reconverge.InputError):
                experiment.sweep({"gpu.sm.register_file.registers": [65536, 16]}, jobs=jobs)

            def fail(_):
                raise ZeroDivisionError("of the test")

            with self.assertRaisesRegex(ZeroDivisionError, "of the test"):
                experiment.sweep({"gpu.sms": [1, 2, 3]}, jobs=jobs, progress=fail)
        self.assertEqual(vars(caught[0]), vars(caught[1]))


@unittest.skipUnless(pandas, "pandas is not installed")
class Frames(WithFolder):
    def test_report_frame(self):
        report = reconverge.Experiment(SAXPY).run(self.folder / "report")
        frame = report.frame()
        self.assertEqual(list(frame.index), ["saxpy", "total"])
        self.assertEqual(frame.loc["total", "cycles"], report.figures["cycles"])
        pandas.testing.assert_frame_equal(frame, reconverge.report_frame(self.folder / "report"))
        self.assertEqual(reconverge.Experiment(SAXPY).parameters_frame().loc["gpu.sms", "value"], "15")

    def test_sweep_frame(self):
        self.program("run", SAXPY, "--sweep", "gpu.sms=1,4", "--out", self.folder / "sweep", "--quiet")
        frame = reconverge.sweep_frame(self.folder / "sweep")
        self.assertEqual(list(frame["gpu.sms"]), [1, 4])
        ours = reconverge.sweep_frame(reconverge.Experiment(SAXPY).sweep({"gpu.sms": [1, 4]}))
        self.assertEqual(list(ours["cycles"]), list(frame["cycles"]))
        with self.assertRaisesRegex(reconverge.InputError, "no such file"):
            reconverge.sweep_frame(self.folder / "nothing")

    def test_frame_of_a_database(self):
        path = self.folder / "sweep.sqlite"
        with sqlite3.connect(path) as database:
            database.execute("CREATE TABLE runs (run TEXT, cycles REAL)")
            database.execute("INSERT INTO runs VALUES ('a', 7), ('b', 8)")
            database.execute("CREATE VIEW results AS SELECT * FROM runs WHERE cycles > 7")
        database.close()
        frame = reconverge.sweep_frame(path)
        self.assertEqual(frame.to_dict("records"), [{"run": "b", "cycles": 8.0}])


if __name__ == "__main__":
    unittest.main()
