# SPDX-License-Identifier: Apache-2.0
"""The tutorial prints what its README shows."""

import importlib.util
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

FOLDER = pathlib.Path(__file__).resolve().parents[2] / "examples/python"


@unittest.skipUnless(shutil.which("clang-14") and importlib.util.find_spec("pandas"),
                     "clang-14 or pandas is not installed")
class Tutorial(unittest.TestCase):
    def test_it_prints_what_its_readme_shows(self):
        with tempfile.TemporaryDirectory() as elsewhere:
            printed = subprocess.run([sys.executable, FOLDER / "tutorial.py"], cwd=elsewhere, capture_output=True,
                                     text=True)
        self.assertEqual(printed.stderr, "")
        shown = (FOLDER / "README.md").read_text().split("<!-- output -->\n```\n")[1].split("```\n")[0]
        self.assertEqual(printed.stdout, shown)


if __name__ == "__main__":
    unittest.main()
