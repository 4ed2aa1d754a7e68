# SPDX-License-Identifier: Apache-2.0
"""Reports and sweeps as pandas frames. Only these functions need pandas."""

from __future__ import annotations

import json
import os
import pathlib
import sqlite3
from collections.abc import Iterable
from typing import Any, Union

from ._errors import InputError
from ._experiments import Report, Run

Path = Union[str, "os.PathLike[str]"]


def _pandas() -> Any:
    try:
        import pandas
    except ImportError:
        raise ImportError("frames need pandas; Debian: apt-get install python3-pandas") from None
    return pandas


def frame_of(rows: Iterable[dict[str, Any]]) -> Any:
    return _pandas().DataFrame(list(rows))


def report_frame(report: Report | Path) -> Any:
    """A row for each launch or stage and for each sum of a report, and a column for each figure.

    report: a Report, a ``report.json``, or the folder that holds one
    """
    if isinstance(report, Report):
        data = report.data
    else:
        path = pathlib.Path(report)
        data = json.loads((path / "report.json" if path.is_dir() else path).read_text(encoding="utf-8"))
    parts = data.get("launches", data.get("stages"))
    if parts is None:
        raise InputError(f"{report}: this is no report of a run; give the report.json of `reconverge run`")
    rows = parts + [data[name] for name in ("tracing", "total") if name in data]
    return frame_of({"name": row["name"], **row["figures"]} for row in rows).set_index("name")


def sweep_frame(sweep: Iterable[Run] | Path) -> Any:
    """A row for each run: its settings and its figures.

    sweep: what ``Experiment.sweep`` returns; or the ``runs.csv`` of ``reconverge run --sweep`` or the folder that holds
        it; or a database of sweeps, ``.sqlite``, whose view ``results`` is read
    """
    if not isinstance(sweep, (str, os.PathLike)):
        return frame_of({**run.settings, "partial": run.report.partial, **run.report.figures} for run in sweep)
    path = pathlib.Path(sweep)
    if path.is_dir():
        path = path / "runs.csv"
    if not path.is_file():
        raise InputError(f"{path}: there is no such file; give a runs.csv, its folder, or a database of sweeps")
    if path.suffix != ".sqlite":
        return _pandas().read_csv(path)
    connection = sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)
    try:
        return _pandas().read_sql_query("SELECT * FROM results", connection)
    finally:
        connection.close()
