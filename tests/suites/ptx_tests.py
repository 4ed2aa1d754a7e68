# SPDX-License-Identifier: Apache-2.0
"""The tests of ptx_tests, github.com/vosen/ptx_tests: one kernel `run` for each variant of an instruction, made of the suite's templates
(src/testcase/*.ptx). What an instruction should give is translated from the suite's Rust (src/testcase/*.rs, functions `host_verify`)."""

import random
from dataclasses import dataclass
from typing import Callable

import inputs

FOLDER = "src/testcase"
BLOCK = 128  # threads
HEADER = ".version 7.8\n.target sm_90\n.address_size 64\n"  # the suite's header

TYPES = {"u8": (8, False), "s8": (8, True), "u16": (16, False), "s16": (16, True), "u32": (32, False), "s32": (32, True)}
TYPES.update({"u64": (64, False), "s64": (64, True)})


def size(kind):
    return int(kind[1:]) // 8


@dataclass
class Test:
    name: str
    template: str
    replaced: dict  # <WORD> of the template -> text
    inputs: dict  # name of a parameter -> bytes of an element
    output: tuple  # the same
    rows: Callable  # (random generator, count) -> tuples of operands, as bits
    check: Callable  # (operands, result) -> None if it is right, or the right result
    valid: bool = True  # False: not valid PTX, must be rejected

    def source(self, templates):
        body = templates[self.template]
        for word, text in self.replaced.items():
            body = body.replace(f"<{word}>", text)
        names = [*self.inputs, self.output[0]]
        signature = ", ".join(f".param .u64 {name}" for name in names)
        loads = "".join(f".reg .u64 {name}_addr;\nld.param.u64 {name}_addr, [{name}];\n" for name in names)
        return f"{HEADER}.entry run({signature})\n{{\n{loads}{body}\nret;\n}}\n"

    def operands(self, count):
        rows = self.rows(random.Random(self.name), count)
        whole = len(rows) + -len(rows) % BLOCK  # whole blocks: the kernels do no bounds check
        return [rows[index % len(rows)] for index in range(whole)]


def equal(expected):
    """A check: the result has the bits of expected(*operands)."""

    def check(operands, result):
        right = expected(*operands)
        return None if right == result else right

    return check


def equal_float(form, expected, zeros=False):
    """The same for numbers: any NaN is as good as another, and with `zeros` any zero."""

    def check(operands, result):
        right = expected(*operands)
        same = right == result or (form.is_nan(right) and form.is_nan(result))
        same = same or (zeros and form.is_zero(right) and form.is_zero(result))
        return None if same else right

    return check


def sweep(to_operands=lambda index: (index,), values=1 << 32):
    return lambda rng, count: [to_operands(index) for index in inputs.swept(rng, count, values)]


def halves(index):
    """Two operands of 16 bits, the first in the upper half."""
    return index >> 16, index & 0xFFFF


def halves_in_memory(index):
    """The same as the suite reads them from memory."""
    return index & 0xFFFF, index >> 16


def draw(*kinds):
    return lambda rng, count: inputs.drawn(rng, count, list(kinds))


def unsigned(value, bits):
    return value & ((1 << bits) - 1)


def signed(value, bits):
    value = unsigned(value, bits)
    return value - (1 << bits) if value >> (bits - 1) else value


def read(value, kind):
    """The number that bits of an integer type stand for."""
    bits, is_signed = TYPES[kind]
    return signed(value, bits) if is_signed else unsigned(value, bits)


def limits(kind):
    bits, is_signed = TYPES[kind]
    return (-1 << (bits - 1), (1 << (bits - 1)) - 1) if is_signed else (0, (1 << bits) - 1)


def clamp(value, kind):
    low, high = limits(kind)
    return min(max(value, low), high)
