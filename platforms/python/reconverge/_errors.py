# SPDX-License-Identifier: Apache-2.0
"""Exceptions. Each has the place that its message names."""

from __future__ import annotations


class Error(Exception):
    """The base of all exceptions of Reconverge; itself raised for faults of the host or of Reconverge.

    message: the whole message: ``FILE:LINE:COLUMN: what is wrong; what to do``
    file, line, column: the place; ``""`` and 0 if it is unknown. Lines and columns count from 1.
    hint: what to do, or ``""``
    problem: what is wrong, without place and hint
    """

    def __init__(self, message: str, file: str = "", line: int = 0, column: int = 0, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.file = file
        self.line = line
        self.column = column
        self.hint = hint

    @property
    def problem(self) -> str:
        place = ":".join(str(part) for part in (self.file, self.line, self.column) if part)
        end = f"; {self.hint}" if self.hint else ""
        return self.message.removeprefix(f"{place}: ").removesuffix(end)

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), (self.message, self.file, self.line, self.column, self.hint)


class InputError(Error, ValueError):
    """A file, text, value or argument was refused; nothing ran."""


class ExecutionError(Error):
    """A kernel failed: an access outside every buffer, a trap, a deadlock ... ``line`` is the line of its PTX."""


class OutputError(Error):
    """A file of a report could not be written."""


class Interrupted(Error):
    """A progress function has stopped a launch."""
