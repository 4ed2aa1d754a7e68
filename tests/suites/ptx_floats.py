# SPDX-License-Identifier: Apache-2.0
"""Tests of ptx_tests for arithmetic on floating-point numbers."""

import math
import struct

import floats
from floats import DOWN, F16, F32, NEAREST, UP, ZERO
from ptx_tests import Test, draw, equal, equal_float, halves, halves_in_memory, read, size, sweep

ROUNDINGS = (NEAREST, ZERO, DOWN, UP)
ONE = {"input": 4}
AB = {"input_a": 4, "input_b": 4}
ABC = {**AB, "input_c": 4}
OUT = ("output", 4)


def _sign_tests():
    for name, of in [("abs", lambda a: a & ~F32.sign_bit), ("neg", lambda a: a ^ F32.sign_bit)]:
        for ftz in (False, True):
            check = equal_float(F32, lambda a, of=of, ftz=ftz: F32.flush(of(a)) if ftz else of(a))
            yield Test(name + "_ftz" * ftz, name, {"FTZ": ".ftz" * ftz}, ONE, OUT, sweep(), check)


def _arithmetic(name, operate, parameters, zeros=False):
    """add, sub, mul and fma in all roundings, with flushed subnormals and saturation. `zeros`: the suite takes either zero."""

    def result(mode, ftz, saturating):
        def of(*operands):
            if ftz:
                operands = [F32.flush(bits) for bits in operands]
            bits = operate(F32, *operands, mode, ftz)
            return F32.saturate(bits) if saturating else bits

        return of

    for mode in ROUNDINGS:
        for ftz in (False, True):
            for saturating in (False, True):
                words = {"RND": "." + mode, "FLUSH": ".ftz" * ftz, "SAT": ".sat" * saturating}
                label = f"{name}_{mode}{'_ftz' * ftz}{'_sat' * saturating}_f32"
                check = equal_float(F32, result(mode, ftz, saturating), zeros)
                yield Test(label, name + "_f", words, parameters, OUT, draw(*["f32"] * len(parameters)), check)


def _minmax():
    def result(is_min, ftz, propagates):
        def order(bits):  # of numbers: -0 is below 0
            return -(bits ^ F16.sign_bit) - 1 if bits & F16.sign_bit else bits

        def of(a, b):
            a, b = (F16.flush(bits) if ftz else bits for bits in (a, b))
            if F16.is_nan(a) or F16.is_nan(b):
                return F16.nan if propagates or F16.is_nan(a) == F16.is_nan(b) else b if F16.is_nan(a) else a
            return min(a, b, key=order) if is_min else max(a, b, key=order)

        return of

    for name in ("min", "max"):
        for ftz in (False, True):
            for propagates in (False, True):
                words = {"TYPE_SIZE": "2", "TYPE": "f16", "BTYPE": "b16"}
                words["OP"] = f"{name}{'.ftz' * ftz}{'.NaN' * propagates}.f16"
                check = equal_float(F16, result(name == "min", ftz, propagates))
                label = f"{name}{'_ftz' * ftz}{'_nan' * propagates}"
                yield Test(label, "minmax", words, {"input_a": 2, "input_b": 2}, ("output", 2), sweep(halves_in_memory), check)


def _testp():
    kinds = {
        "finite": lambda a: not F32.is_nan(a) and not F32.is_infinite(a),
        "infinite": F32.is_infinite,
        "number": lambda a: not F32.is_nan(a),
        "notanumber": F32.is_nan,
        "normal": lambda a: not (F32.is_nan(a) or F32.is_infinite(a) or F32.is_subnormal(a)),
        "subnormal": F32.is_subnormal,
    }
    for mode, of in kinds.items():
        words = {"MODE": mode, "TYPE": "f32", "TYPE_SIZE": "4"}
        yield Test(f"testp_{mode}_f32", "testp", words, ONE, OUT, sweep(), equal(lambda a, of=of: int(of(a))))


ORDERED = {
    "eq": lambda a, b: a == b,
    "ne": lambda a, b: a != b,
    "lt": lambda a, b: a < b,
    "le": lambda a, b: a <= b,
    "gt": lambda a, b: a > b,
    "ge": lambda a, b: a >= b,
}
UNSIGNED = {"lo": ORDERED["lt"], "ls": ORDERED["le"], "hi": ORDERED["gt"], "hs": ORDERED["ge"]}
COMBINED = {"and": lambda a, b: a and b, "or": lambda a, b: a or b, "xor": lambda a, b: a != b}


def _set_integers():
    def test(comparison, kind, combination, flag):
        def of(a, b):
            holds = {**ORDERED, **UNSIGNED}[comparison](read(a, kind), read(b, kind))
            holds = COMBINED[combination](holds, flag) if combination else holds
            return 0xFFFFFFFF if holds else 0

        words = {"STYPE": kind, "DTYPE": "u32", "STYPE_SIZE": str(size(kind)), "DTYPE_SIZE": "4", "CMP": comparison}
        words.update(BOOL_OP="." + combination if combination else "", OP_SUFFIX=f", {int(flag)}" if combination else "")
        middle = f"_{combination}" if combination else ""
        end = f"_{str(flag).lower()}" if combination else ""
        parameters = {"input_a": 2, "input_b": 2}
        name = f"set_{comparison}{middle}_u32_{kind}{end}"
        return Test(name, "set", words, parameters, ("output_d", 4), sweep(halves), equal(of))

    for comparison in (*ORDERED, *UNSIGNED):
        for kind in ("u16", "s16") if comparison in ORDERED else ("u16",):
            yield test(comparison, kind, "", False)
            for combination in COMBINED:
                for flag in (True, False):
                    yield test(comparison, kind, combination, flag)


def _set_floats():
    def compare(comparison, a, b):
        unordered = math.isnan(a) or math.isnan(b)
        if comparison in ("num", "nan"):
            return unordered == (comparison == "nan")
        if comparison in ORDERED:
            return not unordered and ORDERED[comparison](a, b)
        return unordered or ORDERED[comparison[:-1]](a, b)

    def result(comparison, combination, ftz):
        def of(a, b, flag):
            a, b = (F32.to_float(F32.flush(bits) if ftz else bits) for bits in (a, b))
            return F32.one if COMBINED[combination](compare(comparison, a, b), bool(flag)) else 0

        return of

    for comparison in (*ORDERED, *(name + "u" for name in ORDERED), "num", "nan"):
        for ftz in (True, False):
            for combination in COMBINED:
                words = {"TYPE": "f32", "TYPE_SIZE": "4", "CMP": comparison, "BOOL_OP": combination, "FTZ": ".ftz" * ftz}
                name = f"set_{comparison}_{combination}{'_ftz' * ftz}_f32_f32"
                check = equal(result(comparison, combination, ftz))
                parameters = {**AB, "input_c": 1}
                yield Test(name, "set_bool", words, parameters, ("output_d", 4), draw("f32", "f32", "flag"), check)


def _reciprocals():
    def rounded(mode, ftz):
        return lambda a: floats.divide(F32, F32.one, F32.flush(a) if ftz else a, mode, ftz)

    def approximate(ftz):
        def check(operands, result):
            exact = rounded(NEAREST, False)(F32.flush(operands[0]) if ftz else operands[0])
            exact = F32.flush(exact) if ftz else exact
            return within_last_places(exact, result, 1)

        return check

    for ftz in (False, True):
        for mode in ROUNDINGS:
            words = {"MODE": mode + ".ftz" * ftz}
            yield Test(f"rcp_{mode}{'_ftz' * ftz}", "rcp", words, ONE, OUT, sweep(), equal_float(F32, rounded(mode, ftz)))
        yield Test("rcp_approx" + "_ftz" * ftz, "rcp", {"MODE": "approx" + ".ftz" * ftz}, ONE, OUT, sweep(), approximate(ftz))


def _square_roots():
    def rounded(mode, ftz):
        return lambda a: floats.square_root(F32, F32.flush(a) if ftz else a, mode)

    def approximate(ftz):
        def check(operands, result):
            a = F32.flush(operands[0]) if ftz else operands[0]
            special = F32.is_zero(a) or F32.is_nan(a) or F32.is_infinite(a) or a & F32.sign_bit
            if special:
                return equal_float(F32, rounded(NEAREST, ftz))(operands, result)
            return within(math.sqrt(F32.to_float(a)), result, relative=2**-23)

        return check

    for ftz in (False, True):
        yield Test("sqrt_approx" + "_ftz" * ftz, "sqrt", {"MODE": "approx" + ".ftz" * ftz}, ONE, OUT, sweep(), approximate(ftz))
        for mode in ROUNDINGS:
            words = {"MODE": mode + ".ftz" * ftz}
            yield Test(f"sqrt_{mode}{'_ftz' * ftz}", "sqrt", words, ONE, OUT, sweep(), equal_float(F32, rounded(mode, ftz)))


def _divisions():
    def exact(a, b, mode, ftz):
        if ftz:
            a, b = F32.flush(a), F32.flush(b)
        return floats.divide(F32, a, b, mode, ftz)

    def near(ftz):
        return lambda operands, result: within_last_places(exact(*operands, NEAREST, ftz), result, 2)

    def approximate(ftz):
        def check(operands, result):
            right = exact(*operands, NEAREST, ftz)
            a, b = (F32.to_float(F32.flush(bits) if ftz else bits) for bits in operands)
            if (F32.is_nan(right) and F32.is_nan(result)) or (F32.is_infinite(right) and right == result) or abs(b) < 2.0**-126:
                return None
            if abs(b) <= 2.0**126:
                return within_last_places(right, result, 2)
            if math.isinf(a):
                return None if F32.is_nan(result) else F32.nan
            return None if F32.is_zero(result) else 0

        return check

    for ftz in (False, True):
        checks = {"approx": approximate(ftz), "full": near(ftz)}
        for mode in ROUNDINGS:
            checks[mode] = equal_float(F32, lambda a, b, mode=mode, ftz=ftz: exact(a, b, mode, ftz))
        for variant, check in checks.items():
            words = {"VARIANT": "." + variant, "FLUSH": ".ftz" * ftz}
            yield Test(f"div_{variant}{'_ftz' * ftz}_f32", "div", words, AB, OUT, draw("f32", "f32"), check)


def within_last_places(right, result, places):
    same = F32.is_nan(right) and F32.is_nan(result)
    return None if same or abs(right - result) <= places else right


def nearest(value):
    """The bits of the f32 nearest to a double."""
    try:
        return int.from_bytes(struct.pack("<f", value), "little")
    except OverflowError:
        return F32.infinity | (F32.sign_bit if value < 0 else 0)


def within(precise, result, absolute=0.0, relative=0.0):
    """Bounds of the suite: the distance from a double."""
    got = F32.to_float(result)
    if got == precise or (math.isnan(precise) and math.isnan(got)):
        return None
    return None if abs(precise - got) <= max(absolute, abs(relative * precise)) else nearest(precise)


def _sine_bound(a, result, precise):
    if abs(a) <= float(F32.to_float(0x40C90FDB)):  # 2 pi
        return within(precise, result, absolute=2**-20.5)
    if abs(a) <= F32.to_float(0x439D1463):  # 100 pi
        return within(precise, result, absolute=2**-14.7)
    return None


def _exponential(a):
    try:
        return 2.0**a
    except OverflowError:
        return math.inf


# Name: results for -infinity, -0, 0 and infinity; for other negative numbers; and the check of the remaining ones.
APPROXIMATE = {
    "sin": ((F32.nan, F32.sign_bit, 0, F32.nan), None, lambda a, result, ftz: _sine_bound(a, result, math.sin(a))),
    "cos": ((F32.nan, F32.one, F32.one, F32.nan), None, lambda a, result, ftz: _sine_bound(a, result, math.cos(a))),
    "lg2": (
        (F32.nan, F32.infinity | F32.sign_bit, F32.infinity | F32.sign_bit, F32.infinity),
        F32.nan,
        lambda a, result, ftz: within(math.log2(a), result, **{"absolute" if 0.5 < a < 2 else "relative": 2**-22}),
    ),
    "rsqrt": (
        (F32.nan, F32.infinity | F32.sign_bit, F32.infinity, 0),
        F32.nan,
        lambda a, result, ftz: within(1 / math.sqrt(a), result, relative=2**-22.9),
    ),
    "ex2": (
        (0, F32.one, F32.one, F32.infinity),
        None,
        lambda a, result, ftz: within_last_places(F32.flush(nearest(_exponential(a))) if ftz else nearest(_exponential(a)), result, 2),
    ),
    "tanh": (
        (F32.one | F32.sign_bit, F32.sign_bit, 0, F32.one),
        None,
        lambda a, result, ftz: within(math.tanh(a), result, relative=2**-11),
    ),
}


def _approximate(name, ftz):
    corners, negative, bound = APPROXIMATE[name]
    special = dict(zip((F32.infinity | F32.sign_bit, F32.sign_bit, 0, F32.infinity), corners))

    def check(operands, result):
        a = F32.flush(operands[0]) if ftz else operands[0]
        right = F32.nan if F32.is_nan(a) else special.get(a)
        if right is None and negative is not None and a & F32.sign_bit:
            right = negative
        if right is None:
            return bound(F32.to_float(a), result, ftz)
        return equal_float(F32, lambda bits: right)(operands, result)

    words = {"FTZ": ".ftz" * ftz, "FLUSH": ".ftz" * ftz, "MODE": "approx" + ".ftz" * ftz}
    return Test(f"{name}_approx{'_ftz' * ftz}", name, words, ONE, OUT, sweep(), check)


def tests():
    """By the module of the suite."""
    signs = list(_sign_tests())
    by_module = {
        "abs": [test for test in signs if test.template == "abs"],
        "neg": [test for test in signs if test.template == "neg"],
        "add_f": list(_arithmetic("add", floats.add, AB, zeros=True)),
        "sub_f": list(_arithmetic("sub", floats.subtract, AB)),
        "mul_f": list(_arithmetic("mul", floats.multiply, AB)),
        "fma_f": list(_arithmetic("fma", floats.fused, ABC, zeros=True)),
        "minmax": list(_minmax()),
        "testp": list(_testp()),
        "set": [*_set_integers(), *_set_floats()],
        "rcp": list(_reciprocals()),
        "sqrt": list(_square_roots()),
        "div": list(_divisions()),
    }
    for name in APPROXIMATE:
        by_module[name] = [_approximate(name, ftz) for ftz in ((False,) if name == "tanh" else (False, True))]
    return by_module
