# SPDX-License-Identifier: Apache-2.0
"""Values of parameters as the text that experiments have."""

from __future__ import annotations

import json
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


def data_folder() -> pathlib.Path:
    """The folder of the shipped files: ``yaml/experiments``, ``yaml/platforms`` and ``platforms/kernels``."""
    return pathlib.Path(_reconverge.data_folder())
