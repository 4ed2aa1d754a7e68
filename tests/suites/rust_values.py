# SPDX-License-Identifier: Apache-2.0
"""Reads arrays of Rust literals, as tests write inputs and outputs: [1u32, 2], [f32::NAN, -0.5], [half::f16::from_bits(0x38d3)]."""

import math
import re
import struct
from typing import NamedTuple, Union

PACKED = {"u8": "B", "u16": "H", "u32": "I", "u64": "Q", "i8": "b", "i16": "h", "i32": "i", "i64": "q", "f16": "e", "f32": "f", "f64": "d"}

_TOKEN = re.compile(
    r"""\s*(?:
    (?P<number>0x[0-9a-fA-F_]+?(?=u8|u16|u32|u64|[ui]\d|[^\w]|$) | 0b[01_]+ | \d[\d_]*(?:\.\d[\d_]*)?(?:[eE][+-]?\d+)?)
      (?P<suffix>[ui](?:8|16|32|64)|f(?:16|32|64))?
    | (?P<path>[A-Za-z_]\w*(?:::[A-Za-z_]\w*)*)
    | (?P<mark>[-/().])
    )""",
    re.VERBOSE,
)


class NotUnderstood(Exception):
    """Rust that this reader does not know."""


class Value(NamedTuple):
    type: Union[str, None]  # None: that of the other elements
    number: Union[int, float]


class Array(NamedTuple):
    type: str
    numbers: list

    def packed(self):
        return struct.pack(f"<{len(self.numbers)}{PACKED[self.type]}", *self.numbers)

    @property
    def size(self):
        return struct.calcsize(PACKED[self.type])


def without_comments(text):
    return re.sub(r"//[^\n]*|/\*.*?\*/", "", text, flags=re.DOTALL)


def split_arguments(text):
    """What commas outside of brackets separate; a comma at the end separates nothing."""
    parts, depth, start = [], 0, 0
    for place, character in enumerate(text):
        if character in "([{":
            depth += 1
        elif character in ")]}":
            depth -= 1
        elif character == "," and depth == 0:
            parts.append(text[start:place].strip())
            start = place + 1
    last = text[start:].strip()
    return parts + [last] if last else parts


def matching_bracket(text, opening):
    """The place of the bracket that closes the one at `opening`."""
    depth = 0
    for place in range(opening, len(text)):
        if text[place] in "([{":
            depth += 1
        elif text[place] in ")]}":
            depth -= 1
            if depth == 0:
                return place
    raise NotUnderstood(f"no end of the bracket in '{text[opening:opening + 40]}'")


def array(text):
    """[a, b, ...] as an array of one type, that of the elements that name one."""
    text = text.strip()
    if not (text.startswith("[") and text.endswith("]")) or ";" in text:
        raise NotUnderstood(f"'{text[:40]}' is no list of values")
    values = [_Expression(part).value() for part in split_arguments(text[1:-1])]
    types = {value.type for value in values} - {None}
    if len(types) > 1 or not values:
        raise NotUnderstood(f"elements of {len(types)} types in '{text[:40]}'")
    floating = any(isinstance(value.number, float) for value in values)
    kind = types.pop() if types else "f64" if floating else "i32"
    numbers = [float(value.number) if kind[0] == "f" else value.number for value in values]
    return Array(kind, numbers)


def _float_of_bits(kind, bits):
    return struct.unpack("<" + PACKED[kind], bits.to_bytes(struct.calcsize(PACKED[kind]), "little"))[0]


def _constant(kind, name):
    bits = 8 * struct.calcsize(PACKED[kind])
    if kind[0] == "f":
        known = {"NAN": math.nan, "INFINITY": math.inf, "NEG_INFINITY": -math.inf}
    elif kind[0] == "u":
        known = {"MAX": (1 << bits) - 1, "MIN": 0}
    else:
        known = {"MAX": (1 << (bits - 1)) - 1, "MIN": -1 << (bits - 1)}
    return known.get({"max_value": "MAX", "min_value": "MIN"}.get(name, name))


class _Expression:
    """One element: a literal, a constant or a conversion of a type, with `-` before and `/` between."""

    def __init__(self, text):
        self.text = text
        self.tokens = []
        place = 0
        while place < len(text):
            token = _TOKEN.match(text, place)
            if not token:
                raise NotUnderstood(f"'{text[place:].strip()}' in '{text}'")
            self.tokens.append(token)
            place = token.end()

    def value(self):
        result = self._operand()
        while self._accept("/"):
            other = self._operand()
            result = Value(result.type or other.type, result.number / other.number)
        if self.tokens:
            raise NotUnderstood(f"'{self.text}'")
        return result

    def _accept(self, mark):
        if self.tokens and self.tokens[0]["mark"] == mark:
            self.tokens.pop(0)
            return True
        return False

    def _operand(self):
        if self._accept("-"):
            value = self._operand()
            return Value(value.type, -value.number)
        token = self.tokens.pop(0) if self.tokens else None
        if token and token["number"]:
            return self._literal(token)
        if token and token["path"]:
            return self._path(token["path"].split("::"))
        raise NotUnderstood(f"'{self.text}'")

    @staticmethod
    def _literal(token):
        digits = token["number"].replace("_", "")
        if digits[:2] in ("0x", "0b"):
            return Value(token["suffix"], int(digits, 0))
        if any(mark in digits for mark in ".eE"):
            return Value(token["suffix"], float(digits))
        return Value(token["suffix"], int(digits))

    def _path(self, names):
        kind = names[-2] if len(names) > 1 else None
        if names[-2:] == ["consts", "PI"] and names[-3] in PACKED:
            return Value(names[-3], math.pi)
        if kind not in PACKED:
            raise NotUnderstood(f"'{self.text}'")
        if names[-1] in ("from_bits", "from_f32", "from_f64"):
            if not self._accept("("):
                raise NotUnderstood(f"'{self.text}'")
            argument = self._operand().number
            result = Value(kind, _float_of_bits(kind, argument) if names[-1] == "from_bits" else float(argument))
            self._close()
        else:
            result = Value(kind, _constant(kind, names[-1]))
            if self._accept("("):
                self._close()
        if result.number is None:
            raise NotUnderstood(f"'{self.text}'")
        return self._bits(result) if self._accept(".") else result

    def _close(self):
        if not self._accept(")"):
            raise NotUnderstood(f"'{self.text}'")

    def _bits(self, value):
        token = self.tokens.pop(0) if self.tokens else None
        if not token or token["path"] != "to_bits" or not self._accept("("):
            raise NotUnderstood(f"'{self.text}'")
        self._close()
        bits = int.from_bytes(struct.pack("<" + PACKED[value.type], value.number), "little")
        return Value("u" + value.type[1:], bits)
