# SPDX-License-Identifier: Apache-2.0
"""The tests of ZLUDA, github.com/vosen/ZLUDA: programs in ptx/src/test/spirv_run, inputs and outputs in its mod.rs.

Each kernel takes an input and an output buffer and is launched with one thread, that of test_ptx_warp! with 64 and no input.
"""

import math
import re
import struct
from typing import NamedTuple, Optional

from rust_values import PACKED, Array, NotUnderstood, array, matching_bracket, split_arguments, without_comments

FOLDER = "ptx/src/test/spirv_run"
DYNAMIC_SHARED = 1024  # bytes of every launch
# The second warp of these programs accesses memory beyond its arrays, which GPUs do not notice; the expected results
# are those of the first.
ONE_WARP = ("ldmatrix", "mma_m16n8k16_f32_bf16_bf16_f32_2x")


class Test(NamedTuple):
    name: str  # also the kernel's name
    program: str  # relative to FOLDER
    input: Optional[Array]
    output: Optional[Array]  # None: the program is only compiled
    threads: int

    @property
    def label(self):
        """The name, with the folder of variants."""
        return self.program.removesuffix(".ptx")


def read(text):
    """The tests of mod.rs, in order, and what could not be read, as (name, reason)."""
    text = without_comments(text)
    tests, unread = [], []
    for macro in re.finditer(r"\b(test_ptx|test_ptx_with_32|test_ptx_warp)!\s*\(", text):
        opening = macro.end() - 1
        arguments = split_arguments(text[opening + 1 : matching_bracket(text, opening)])
        try:
            tests += _tests(macro[1], arguments)
        except NotUnderstood as error:
            unread.append((arguments[0], str(error)))
    return tests, unread


def _tests(macro, arguments):
    name, *arrays = arguments
    arrays = [array(text) for text in arrays]
    program = name + ".ptx"
    if not arrays:
        return [Test(name, program, None, None, 0)]
    if macro == "test_ptx_warp":
        if len(arrays) != 1:
            raise NotUnderstood(f"{len(arrays)} lists of values")
        return [Test(name, program, None, arrays[0], 32 if name in ONE_WARP else 64)]
    if len(arrays) != 2:
        raise NotUnderstood(f"{len(arrays)} lists of values")
    tests = [Test(name, program, *arrays, 1)]
    if macro == "test_ptx_with_32":
        tests.append(Test(name, "32/" + program, *arrays, 1))
    return tests


def parameters(source, kernel):
    """How many parameters the kernel has."""
    entry = re.search(rf"\.entry\s+{re.escape(kernel)}\s*\((.*?)\)", without_comments(source), re.DOTALL)
    return len(re.findall(r"\.param\b", entry[1])) if entry else 0


def difference(expected, got):
    """What Rust's == of the elements says is different, in words; None where nothing is."""
    values = struct.unpack(f"<{len(expected.numbers)}{PACKED[expected.type]}", got)
    wanted = struct.unpack(f"<{len(expected.numbers)}{PACKED[expected.type]}", expected.packed())
    wrong = [index for index, (value, right) in enumerate(zip(values, wanted)) if value != right]
    if not wrong:
        return None
    first = wrong[0]
    pair = f"{_shown(values[first], expected.type)}, expected {_shown(wanted[first], expected.type)}"
    return f"{len(wrong)} of {len(values)} values, the first at {first}: {pair}"


def _shown(value, kind):
    bits = int.from_bytes(struct.pack("<" + PACKED[kind], value), "little")
    digits = 2 * struct.calcsize(PACKED[kind])
    return f"{value} (0x{bits:0{digits}x})" if not (isinstance(value, float) and math.isnan(value)) else f"NaN (0x{bits:0{digits}x})"
