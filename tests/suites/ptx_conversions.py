# SPDX-License-Identifier: Apache-2.0
"""Tests of ptx_tests for conversions: cvt in all combinations of types and modifiers, those that are no PTX among them."""

import floats
from floats import F16, F32, F64, NEAREST
from ptx_tests import TYPES, Test, clamp, draw, equal, equal_float, limits, read, size, sweep, unsigned

FORMATS = {"f16": F16, "f32": F32, "f64": F64}
SOURCES = ("s16", "u16", "s32", "u32", "f16", "f32")
TARGETS = ("s16", "u16", "s32", "u32", "s64", "u64", "f16", "f32", "f64")
ROUNDINGS = ("", "rni", "rzi", "rmi", "rpi", "rn", "rz", "rm", "rp")


def _is_ptx(target, source, rounding, ftz, saturating):
    to_float, from_float = target in FORMATS, source in FORMATS
    narrows = size(target) < size(source)
    if saturating and not to_float and not from_float:
        same_sign = target[0] == source[0]
        if (same_sign and not narrows) or (source[0] == "u" and target[0] == "s" and size(target) > size(source)):
            return False
    if ftz and "f32" not in (target, source):
        return False
    if rounding == "":
        return (to_float and from_float and not narrows) or not (to_float or from_float)
    if rounding.endswith("i"):
        return from_float and (not to_float or target == source)
    return to_float and (not from_float or narrows)


def _integers(target, source, saturating):
    def of(a):
        value = read(a, source)
        return unsigned(clamp(value, target) if saturating else value, TYPES[target][0])

    return equal(of)


def _to_float(target, source, mode, saturating):
    form = FORMATS[target]

    def of(a):
        bits = floats.from_integer(form, read(a, source), mode)
        return form.saturate(bits) if saturating else bits

    return equal(of)


def _to_integer(target, source, mode, ftz):
    form = FORMATS[source]
    low, high = limits(target)

    def check(operands, result):
        bits = form.flush(operands[0]) if ftz else operands[0]
        if form.is_nan(bits):
            return None  # the suite accepts any result: GPUs differ
        number = floats.decode(form, bits)
        if number.magnitude is None:
            value = low if number.sign else high
        else:
            value = floats.round_integer(number, mode) * (-1 if number.sign else 1)
        right = unsigned(clamp(value, target), TYPES[target][0])
        return None if right == result else right

    return check


def _between_floats(target, source, rounding, ftz, saturating):
    form, mode = FORMATS[target], (rounding or NEAREST)[:2]

    def of(a):
        # On GPUs, .ftz does not flush operands of a narrowing conversion.
        if ftz and source == "f32" and target != "f16":
            a = F32.flush(a)
        bits = floats.convert(FORMATS[source], form, a, mode)
        if rounding.endswith("i") and not form.is_nan(a) and not form.is_infinite(a):
            number = floats.decode(form, a)
            bits = floats.encode(form, floats.Number(number.sign, floats.round_integer(number, mode), 0), NEAREST)
        bits = F32.flush(bits) if ftz and target == "f32" else bits
        return form.saturate(bits) if saturating else bits

    return equal_float(form, of)


def _check(target, source, rounding, ftz, saturating):
    mode = rounding[:2] or NEAREST
    if target not in FORMATS:
        if source not in FORMATS:
            return _integers(target, source, saturating)
        return _to_integer(target, source, mode, ftz)
    if source not in FORMATS:
        return _to_float(target, source, mode, saturating)
    return _between_floats(target, source, rounding, ftz, saturating)


def _cvt():
    for rounding in ROUNDINGS:
        for ftz in (False, True):
            for saturating in (False, True):
                for source in SOURCES:
                    for target in TARGETS:
                        yield _cvt_test(target, source, rounding, ftz, saturating)


def _cvt_test(target, source, rounding, ftz, saturating):
    modifiers = ("." + rounding if rounding else "") + ".ftz" * ftz + ".sat" * saturating
    words = {
        "INPUT": source,
        "INPUT_LD": f"b{8 * size(source)}",
        "INPUT_SIZE": str(size(source)),
        "OUTPUT": target,
        "OUTPUT_ST": f"b{8 * size(target)}",
        "OUTPUT_SIZE": str(size(target)),
        "MODIFIERS": modifiers,
    }
    valid = _is_ptx(target, source, rounding, ftz, saturating)
    check = _check(target, source, rounding, ftz, saturating) if valid else None
    name = f"cvt{modifiers.replace('.', '_')}_{target}_{source}"
    operands = sweep(values=1 << 8 * size(source))
    return Test(name, "cvt", words, {"input": size(source)}, ("output", size(target)), operands, check, valid)


def _cvt_pack():
    for kind in ("u8", "s8"):

        def of(a, b, c, kind=kind):
            low, high = (unsigned(clamp(read(value, "s32"), kind), 8) for value in (b, a))
            return unsigned(c << 16 | high << 8 | low, 32)

        parameters = {"input_a": 4, "input_b": 4, "input_c": 4}
        name = f"cvt_pack_sat_{kind}_s32_b32"
        yield Test(name, "cvt_pack", {"TYPE": kind}, parameters, ("output", 4), draw(32, 32, 32), equal(of))


# The eight-bit formats: e5m2 is the upper half of f16; e4m3 has no infinity, and one NaN of each sign.
def _e4m3_to_f16(bits):
    if bits & 0x7F == 0x7F:
        return F16.nan
    exponent, fraction = bits >> 3 & 15, bits & 7
    number = floats.Number(bits >> 7, fraction | 8 if exponent else fraction, max(exponent, 1) - 7 - 3)
    return floats.encode(F16, number, NEAREST)


def _e5m2_to_f16(bits):
    return bits << 8


class EightBits:
    def __init__(self, name, to_f16, largest):
        self.name = name
        self.to_f16 = to_f16
        self.largest = largest
        self.values = [F16.to_float(to_f16(bits)) for bits in range(largest + 1)]

    def is_nan(self, bits):
        return F16.is_nan(self.to_f16(bits))

    def of_f32(self, bits):
        """The nearest number, of two the one with an even last bit."""
        if F32.is_nan(bits):
            return 0x7F
        magnitude = min(abs(F32.to_float(bits)), self.values[-1])
        nearest = min(range(self.largest + 1), key=lambda code: (abs(self.values[code] - magnitude), code & 1))
        return bits >> 31 << 7 | nearest


EIGHT_BITS = (EightBits("e4m3", _e4m3_to_f16, 0x7E), EightBits("e5m2", _e5m2_to_f16, 0x7B))


def _from_eight_bits():
    def checked(form):
        def check(operands, result):
            right = [form.to_f16(operands[0] & 0xFF), form.to_f16(operands[0] >> 8)]
            got = [result & 0xFFFF, result >> 16]
            same = all(a == b or (F16.is_nan(a) and F16.is_nan(b)) for a, b in zip(right, got))
            return None if same else right[1] << 16 | right[0]

        return check

    for form in EIGHT_BITS:
        operands = sweep(lambda index: (index << 8 | index,), values=1 << 8)
        words = {"INPUT": form.name + "x2"}
        yield Test(f"cvt_rn_f16x2_{form.name}", "cvt_rn_f16x2_f8x2type", words, {"input": 2}, ("output", 4), operands, checked(form))


def _to_eight_bits():
    def checked(form):
        def check(operands, result):
            right = form.of_f32(operands[0])
            same = all(right == got or (form.is_nan(right) and form.is_nan(got)) for got in (result & 0xFF, result >> 8))
            return None if same else right << 8 | right

        return check

    for form in EIGHT_BITS:
        template, words = "cvt_rn_satfinite_f8x2_f32", {"OUTPUT": form.name + "x2"}
        name = f"cvt_rn_satfinite_{form.name}x2_f32"
        yield Test(name, template, words, {"input": 4}, ("output", 2), sweep(), checked(form))


def tests():
    """By the module of the suite."""
    return {
        "cvt": list(_cvt()),
        "cvt_pack": list(_cvt_pack()),
        "cvt_rn_f16x2_f8x2type": list(_from_eight_bits()),
        "cvt_rn_satfinite_f8x2_f32": list(_to_eight_bits()),
    }
