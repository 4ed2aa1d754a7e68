# SPDX-License-Identifier: Apache-2.0
"""The package as a whole: its names, its stubs, and its tutorial."""

import ast
import os
import pathlib
import subprocess
import sys
import unittest

import reconverge
from reconverge import _reconverge

FOLDER = pathlib.Path(reconverge.__file__).resolve().parent


class Package(unittest.TestCase):
    def test_stubs_have_the_names_of_the_module(self):
        tree = ast.parse((FOLDER / "_reconverge.pyi").read_text())
        classes = {node.name: {part.name for part in node.body if isinstance(part, ast.FunctionDef)}
                   for node in tree.body if isinstance(node, ast.ClassDef)}
        bound = {name: {part for part, value in vars(kind).items() if not part.startswith("__") or
                        part == "__init__" and not hasattr(kind, "load") and callable(value)}
                 for name, kind in vars(_reconverge).items() if isinstance(kind, type)}
        for name, parts in bound.items():
            # Classes without a constructor have pybind11's, which refuses.
            own = {part for part in parts if part != "__init__"} - {"_pybind11_conduit_v1_"}
            self.assertEqual(classes[name] - {"__init__"}, own, name)
        self.assertEqual(set(classes), set(bound))
        self.assertTrue((FOLDER / "py.typed").exists())

    def test_exported_names_are_there_and_have_documentation(self):
        for name in reconverge.__all__:
            value = getattr(reconverge, name)
            if name != "__version__":
                self.assertTrue(value.__doc__, name)
        program = subprocess.run([os.environ["RECONVERGE_PROGRAM"], "--version"], capture_output=True, text=True)
        self.assertEqual(f"reconverge {reconverge.__version__}", program.stdout.strip())

    def test_importing_and_running_prints_nothing(self):
        code = ("import reconverge, numpy; from kernels import SAXPY; x = numpy.ones(1, 'f');"
                "reconverge.Kernel(SAXPY, machine='timed')[1, 1](1, x, x, 1); print('pandas' in __import__('sys').modules)")
        ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True,
                               cwd=pathlib.Path(__file__).parent)
        self.assertEqual((ended.stdout, ended.stderr), ("False\n", ""))


if __name__ == "__main__":
    unittest.main()
