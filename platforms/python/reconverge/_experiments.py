# SPDX-License-Identifier: Apache-2.0
"""Experiments, their reports, and sweeps."""

from __future__ import annotations

import io
import itertools
import json
import os
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy

from . import _reconverge
from ._errors import InputError
from ._kernels import ProgressFunction
from ._settings import text_of_value


class Report:
    """The report of a run.

    json, table: the texts of ``report.json`` and of the table that the program prints
    partial: whether the run was stopped before its end
    passed: whether all checks of the report passed
    warnings: about programs and parameters
    printed: what kernels have printed
    outputs: files of results, such as the outputs of launches, by name: their bytes
    """

    def __init__(self, report: _reconverge.ExperimentReport) -> None:
        self.json = report.json
        self.table = report.table
        self.partial = report.partial
        self.passed = report.passed
        self.warnings = report.warnings
        self.printed = report.printed
        self.outputs = report.outputs

    @property
    def data(self) -> dict[str, Any]:
        """``report.json`` as a dict."""
        return json.loads(self.json)

    @property
    def figures(self) -> dict[str, float]:
        """Of the whole run: those of ``tracing`` if rays are traced, otherwise those of ``total``."""
        data = self.data
        return data["tracing" if "tracing" in data else "total"]["figures"]

    def array(self, name: str) -> numpy.ndarray[Any, Any]:
        """The output ``name``, a file that ends with ``.npy``."""
        if name not in self.outputs:
            raise InputError(f"the report has no output '{name}'; outputs: {', '.join(self.outputs) or 'none'}")
        return numpy.load(io.BytesIO(self.outputs[name]))

    def frame(self) -> Any:
        """A pandas frame with a row for each launch or stage and for each sum, and a column for each figure."""
        from ._frames import report_frame

        return report_frame(self)

    def __repr__(self) -> str:
        state = "partial" if self.partial else "passed" if self.passed else "a check failed"
        return f"Report({self.data['experiment']}: {state})"


class Run:
    """One run of a sweep: its settings by path, and its report."""

    def __init__(self, settings: dict[str, str], report: Report) -> None:
        self.settings = settings
        self.report = report

    def __repr__(self) -> str:
        return f"Run({self.settings}, {self.report})"


class Experiment(Mapping[str, str]):
    """An experiment: its parameters as a mapping from paths to values, which can be set, validated and run.

        experiment = reconverge.Experiment("saxpy.yaml")
        experiment["gpu.sms"] = 4
        report = experiment.run()

    Raises InputError with file, line and column.
    """

    def __init__(self, file: str | os.PathLike[str]) -> None:
        self._experiment = _reconverge.Experiment.load(os.fspath(file))

    @classmethod
    def parse(cls, yaml: str, name: str = "experiment.yaml") -> Experiment:
        """The same from YAML; paths in it are relative to the folder of ``name``."""
        experiment = cls.__new__(cls)
        experiment._experiment = _reconverge.Experiment.parse(yaml, name)
        return experiment

    @property
    def name(self) -> str:
        return self._experiment.name

    def __getitem__(self, path: str) -> str:
        """The text of a parameter's value: ``"48 KiB"``. Raises InputError with the nearest name."""
        return self._experiment.get(path)

    def __setitem__(self, path: str, value: Any) -> None:
        """Sets a parameter, or a value such as ``launches.saxpy.block``. A refused value changes nothing."""
        self._experiment.set(path, text_of_value(value))

    def set(self, values: Mapping[str, Any]) -> None:
        for path, value in values.items():
            self[path] = value

    def __iter__(self) -> Iterator[str]:
        return (path for path, _, _, _ in self._experiment.parameters)

    def __len__(self) -> int:
        return len(self._experiment.parameters)

    def __contains__(self, path: object) -> bool:
        return any(path == known for known in self)

    def parameters_frame(self) -> Any:
        """A pandas frame with value, origin and source of each parameter."""
        from ._frames import frame_of

        columns = ["path", "value", "origin", "source"]
        return frame_of([dict(zip(columns, entry)) for entry in self._experiment.parameters]).set_index("path")

    def dump(self) -> str:
        """YAML that loads to the same parameters, with the origin of each value."""
        return self._experiment.dump()

    def validate(self) -> dict[str, Any]:
        """Checks everything except the run itself: programs, buffers, whether the platform holds each kernel.

        Returns what ``reconverge validate --json`` prints, and ``warnings``. Raises InputError and ExecutionError.
        """
        text, warnings = self._experiment.validate()
        return {**json.loads(text), "warnings": warnings}

    def run(self, folder: str | os.PathLike[str] = "", *, force: bool = False, threads: int = 1, max_cycles: int = 0,
            progress: ProgressFunction | None = None) -> Report:
        """Runs the experiment.

        folder: gets the files of the report, as with ``reconverge run --out``; ``""``: no files are written
        force: write also into a folder that holds other files
        threads: of the host; results do not depend on it
        max_cycles: simulated, of all launches together, after which the report is partial; 0: no limit
        progress: called with a Progress at most ten times a second; False stops the run, whose report is then partial

        Raises InputError, ExecutionError, OutputError, and what ``progress`` raises; Ctrl-C raises KeyboardInterrupt.
        """
        place = _reconverge.ReportFolder(os.fspath(folder), force)
        return Report(self._experiment.run(place, threads, max_cycles, progress))

    def sweep(self, values: Mapping[str, Sequence[Any]], *, jobs: int | None = None, threads: int = 1,
              max_cycles: int = 0, progress: ProgressFunction | None = None) -> list[Run]:
        """Runs every combination of the values, the last path varying fastest; the experiment keeps its own values.

        jobs: runs at a time, each in its process; None: as many as the host has cores. 1: in this process,
            one run after the other. Results do not depend on it
        threads, max_cycles: of each run, as for ``run``
        progress: as for ``run``, called on this thread for each run in progress; False stops the run that it is about

        ``sweep_frame`` makes a pandas frame of the result. All combinations are checked before the first one runs. A
        run that fails ends the sweep with the exception of the first combination that fails. Raises InputError,
        ExecutionError, and what ``progress`` raises; Ctrl-C raises KeyboardInterrupt.
        """
        if jobs is not None and jobs < 1:
            raise InputError(f"jobs is {jobs}; give a number from 1 on, or None for all cores")
        changed = []
        for combination in itertools.product(*values.values()):
            experiment = self.copy()
            experiment.set(dict(zip(values, combination)))
            changed.append((dict(zip(values, map(text_of_value, combination))), experiment))
        reports = _reconverge.run_sweep([experiment._experiment for _, experiment in changed], jobs or 0, threads,
                                        max_cycles, progress)
        return [Run(settings, Report(report)) for (settings, _), report in zip(changed, reports)]

    def copy(self) -> Experiment:
        made = type(self).__new__(type(self))
        made._experiment = self._experiment.copy()
        return made

    def __repr__(self) -> str:
        return f"Experiment({self.name})"
