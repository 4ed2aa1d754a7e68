# SPDX-License-Identifier: Apache-2.0
"""Floating-point arithmetic on bits: results are computed exactly and rounded once, in any of the four directions.

The suites' own expectations round to double precision first; where the two differ, the exact result is the one of IEEE 754.
"""

import math
from dataclasses import dataclass
from typing import NamedTuple

NEAREST, ZERO, DOWN, UP = "rn", "rz", "rm", "rp"


@dataclass(frozen=True)
class Format:
    exponent_bits: int
    fraction_bits: int

    @property
    def width(self):
        return 1 + self.exponent_bits + self.fraction_bits

    @property
    def bias(self):
        return (1 << (self.exponent_bits - 1)) - 1

    @property
    def lowest_exponent(self):
        """Of a normal number."""
        return 1 - self.bias

    @property
    def infinity(self):
        return ((1 << self.exponent_bits) - 1) << self.fraction_bits

    @property
    def sign_bit(self):
        return 1 << (self.width - 1)

    @property
    def nan(self):
        return self.infinity | 1 << (self.fraction_bits - 1)

    @property
    def one(self):
        return self.bias << self.fraction_bits

    def is_nan(self, bits):
        return bits & (self.sign_bit - 1) > self.infinity

    def is_infinite(self, bits):
        return bits & (self.sign_bit - 1) == self.infinity

    def is_subnormal(self, bits):
        return 0 < bits & (self.sign_bit - 1) < 1 << self.fraction_bits

    def is_zero(self, bits):
        return bits & (self.sign_bit - 1) == 0

    def flush(self, bits):
        """A subnormal number becomes a zero of its sign."""
        return bits & self.sign_bit if self.is_subnormal(bits) else bits

    def saturate(self, bits):
        """Into [0, 1]; NaN and negative zero become zero."""
        if self.is_nan(bits) or bits & self.sign_bit:
            return 0
        return min(bits, self.one)

    def to_float(self, bits):
        """As Python's double, which holds every number of the formats here."""
        if self.is_nan(bits):
            return math.nan
        number = decode(self, bits)
        if number.magnitude is None:
            return -math.inf if number.sign else math.inf
        value = math.ldexp(number.magnitude, number.exponent)
        return -value if number.sign else value


F16 = Format(5, 10)
F32 = Format(8, 23)
F64 = Format(11, 52)


class Number(NamedTuple):
    """(-1)^sign * magnitude * 2^exponent; no magnitude is infinity. NaN is none."""

    sign: int
    magnitude: int
    exponent: int


def decode(form, bits):
    sign = int(bool(bits & form.sign_bit))
    if form.is_infinite(bits):
        return Number(sign, None, 0)
    fraction = bits & ((1 << form.fraction_bits) - 1)
    exponent = bits >> form.fraction_bits & ((1 << form.exponent_bits) - 1)
    if exponent:
        fraction |= 1 << form.fraction_bits
    return Number(sign, fraction, max(exponent, 1) - form.bias - form.fraction_bits)


def round_integer(number, mode):
    """The magnitude of the whole number that a finite number rounds to."""
    if number.exponent >= 0:
        return number.magnitude << number.exponent
    return _shift_right(number.sign, number.magnitude, -number.exponent, mode)


def _shift_right(sign, magnitude, shift, mode):
    kept = magnitude >> shift
    rest = magnitude & ((1 << shift) - 1)
    if mode == NEAREST:
        half = 1 << (shift - 1)
        kept += rest > half or (rest == half and kept & 1)
    elif mode != ZERO:
        kept += rest > 0 and bool(sign) == (mode == DOWN)
    return int(kept)


def _rounded_to(sign, magnitude, exponent, last, mode):
    """magnitude * 2^exponent as a multiple of 2^last."""
    if last <= exponent:
        return magnitude << (exponent - last)
    return _shift_right(sign, magnitude, last - exponent, mode)


def encode(form, number, mode, inexact=False, ftz=False):
    """Rounds. `inexact`: the true magnitude is a little greater, by less than the last bit. `ftz`: what is below the normal numbers
    when it is rounded with an unbounded exponent becomes zero."""
    sign, magnitude, exponent = number
    signed = form.sign_bit if sign else 0
    if magnitude is None:
        return signed | form.infinity
    if inexact:
        magnitude, exponent = 2 * magnitude + 1, exponent - 1
    if magnitude == 0:
        return signed
    leading = exponent + magnitude.bit_length() - 1
    if ftz and leading < form.lowest_exponent:
        digits = _rounded_to(sign, magnitude, exponent, leading - form.fraction_bits, mode)
        if leading < form.lowest_exponent - 1 or digits >> (form.fraction_bits + 1) == 0:
            return signed
    last = max(leading, form.lowest_exponent) - form.fraction_bits
    kept = _rounded_to(sign, magnitude, exponent, last, mode)
    # A carry out of the fraction increments the exponent field, as it should.
    bits = ((last + form.fraction_bits - form.lowest_exponent) << form.fraction_bits) + kept
    if bits >= form.infinity:
        away = mode == NEAREST or (mode == DOWN and sign) or (mode == UP and not sign)
        bits = form.infinity if away else form.infinity - 1
    return signed | bits


def convert(source, target, bits, mode):
    if source.is_nan(bits):
        return target.nan
    return encode(target, decode(source, bits), mode)


def from_integer(form, value, mode):
    return encode(form, Number(int(value < 0), abs(value), 0), mode)


def _sum(form, a, b, mode, ftz):
    if a.magnitude is None or b.magnitude is None:
        if a.magnitude is None and b.magnitude is None and a.sign != b.sign:
            return form.nan
        return encode(form, a if a.magnitude is None else b, mode)
    exponent = min(a.exponent, b.exponent)
    total = sum((-1) ** x.sign * x.magnitude << (x.exponent - exponent) for x in (a, b))
    sign = int(total < 0)
    if total == 0:
        both_zero = a.magnitude == 0 and b.magnitude == 0 and a.sign == b.sign
        sign = a.sign if both_zero else int(mode == DOWN)
    return encode(form, Number(sign, abs(total), exponent), mode, ftz=ftz)


def add(form, a, b, mode, ftz=False):
    if form.is_nan(a) or form.is_nan(b):
        return form.nan
    return _sum(form, decode(form, a), decode(form, b), mode, ftz)


def subtract(form, a, b, mode, ftz=False):
    return add(form, a, b ^ form.sign_bit, mode, ftz)


def _product(a, b):
    sign = a.sign ^ b.sign
    if a.magnitude is None or b.magnitude is None:
        return None if 0 in (a.magnitude, b.magnitude) else Number(sign, None, 0)
    return Number(sign, a.magnitude * b.magnitude, a.exponent + b.exponent)


def multiply(form, a, b, mode, ftz=False):
    if form.is_nan(a) or form.is_nan(b):
        return form.nan
    product = _product(decode(form, a), decode(form, b))
    return form.nan if product is None else encode(form, product, mode, ftz=ftz)


def fused(form, a, b, c, mode, ftz=False):
    if form.is_nan(a) or form.is_nan(b) or form.is_nan(c):
        return form.nan
    product = _product(decode(form, a), decode(form, b))
    return form.nan if product is None else _sum(form, product, decode(form, c), mode, ftz)


def divide(form, a, b, mode, ftz=False):
    if form.is_nan(a) or form.is_nan(b):
        return form.nan
    a, b = decode(form, a), decode(form, b)
    sign = a.sign ^ b.sign
    if a.magnitude is None or b.magnitude == 0:
        undefined = b.magnitude is None or (a.magnitude == 0 and b.magnitude == 0)
        return form.nan if undefined else encode(form, Number(sign, None, 0), mode)
    if b.magnitude is None:
        return encode(form, Number(sign, 0, 0), mode)
    more = 2 * form.width
    quotient, rest = divmod(a.magnitude << more, b.magnitude)
    return encode(form, Number(sign, quotient, a.exponent - b.exponent - more), mode, rest != 0, ftz)


def square_root(form, a, mode):
    if form.is_nan(a):
        return form.nan
    number = decode(form, a)
    if number.magnitude == 0:
        return a
    if number.sign:
        return form.nan
    if number.magnitude is None:
        return a
    more = 2 * form.width + (number.exponent & 1)
    square = number.magnitude << more
    root = math.isqrt(square)
    return encode(form, Number(0, root, (number.exponent - more) // 2), mode, root * root != square)
