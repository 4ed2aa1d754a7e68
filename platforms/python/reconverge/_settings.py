# SPDX-License-Identifier: Apache-2.0
"""Values of parameters as the text that experiments have, and what belongs to the whole process."""

from __future__ import annotations

import json
import os
import pathlib
from typing import Any

from . import _reconverge


def text_of_value(value: Any) -> str:
    """YAML of one line: True is ``true``, lists and dicts are in brackets."""
    if isinstance(value, str):
        return value
    if hasattr(value, "item") and not isinstance(value, (list, dict)):
        value = value.item()  # a number of NumPy
    return json.dumps(value) if isinstance(value, (bool, list, tuple, dict)) else str(value)


def load_plugin(file: str | os.PathLike[str]) -> None:
    """Adds the divergence schemes and machines of a shared library, as ``--plugin`` of the program does.

    Experiments, kernels and devices that are made afterwards can name them. The library stays loaded; a second call
    with the same file has no effect. Raises InputError for a library that is no plugin of this version.
    """
    _reconverge.load_plugin(os.fspath(file))


def data_folder() -> pathlib.Path:
    """The folder of the shipped files: ``yaml/experiments``, ``yaml/platforms`` and ``platforms/kernels``."""
    return pathlib.Path(_reconverge.data_folder())
