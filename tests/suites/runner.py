# SPDX-License-Identifier: Apache-2.0
"""Runs one kernel by the program, through a launch file (docs/launch.md), and gives back what its output buffer holds."""

import pathlib
import re
import subprocess
from dataclasses import dataclass, field
from typing import NamedTuple, Optional

MACHINES = ("functional", "timed")
SECONDS = 300  # after which a run counts as failed


class Buffer(NamedTuple):
    size: int  # bytes of an element
    count: int
    contents: Optional[bytes] = None


@dataclass
class Kernel:
    source: str
    name: str
    block: int
    grid: int
    buffers: dict  # name -> Buffer
    arguments: list  # names of buffers
    output: str
    dynamic_shared: int = 0


class Outcome(NamedTuple):
    status: str  # "ran", "refused" or "failed"
    message: str = ""
    output: bytes = b""


@dataclass
class Runner:
    program: pathlib.Path
    platform: pathlib.Path
    prepared: set = field(default_factory=set)

    def run(self, kernel, machine, folder):
        if folder not in self.prepared:
            self._prepare(kernel, folder)
            self.prepared.add(folder)
        out = folder / machine
        outcome = self._call("run", folder / "launch.yaml", "--set", f"machine={machine}", "--out", out, "--force", "--quiet")
        if outcome.status != "ran":
            return outcome
        output = out / "output.bin"
        return outcome._replace(output=output.read_bytes()) if output.exists() else Outcome("failed", "the program wrote no output")

    def compile(self, program, kernel):
        """Decodes a kernel and does not run it."""
        return self._call("inspect", "program", program, "--entry", kernel)

    def _call(self, *arguments):
        try:
            done = subprocess.run([self.program, *arguments], capture_output=True, text=True, errors="replace", timeout=SECONDS, check=False)
        except subprocess.TimeoutExpired:
            return Outcome("failed", f"no end after {SECONDS} seconds")
        if done.returncode == 0:
            return Outcome("ran")
        lines = done.stderr.strip().splitlines()
        errors = [line for line in lines if "error: " in line] or lines or [f"exit code {done.returncode}, no message"]
        return Outcome("refused" if done.returncode == 2 else "failed", errors[0])

    def _prepare(self, kernel, folder):
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "kernel.ptx").write_text(kernel.source, encoding="utf-8")
        lines = [f"extends: {self.platform}", f"name: {folder.name}", "buffers:"]
        for name, buffer in kernel.buffers.items():
            contents = ""
            if buffer.contents is not None:
                (folder / f"{name}.bin").write_bytes(buffer.contents)
                contents = f", raw: {name}.bin"
            lines.append(f"  {name}: {{type: u{8 * buffer.size}, count: {buffer.count}{contents}}}")
        shared = f", dynamic_shared: {kernel.dynamic_shared}" if kernel.dynamic_shared else ""
        launch = f"program: kernel.ptx, kernel: {kernel.name}, grid: {kernel.grid}, block: {kernel.block}"
        lines += ["launches:", f"  - {{{launch}, arguments: [{', '.join(kernel.arguments)}]{shared}}}"]
        lines += ["outputs:", f"  - {{buffer: {kernel.output}, raw: output.bin}}", ""]
        (folder / "launch.yaml").write_text("\n".join(lines), encoding="utf-8")


def kind(message):
    """A message without its place, and without what differs from test to test of one kind."""
    message = re.sub(r"^reconverge: error: ", "", message)
    message = re.sub(r"^\S*?:\d+(:\d+)?: ", "", message)
    return re.sub(r"^launches\[\d+\]\S*: ", "", message)
