# SPDX-License-Identifier: Apache-2.0
"""Tests of ptx_tests for instructions on whole numbers and bits."""

from ptx_tests import TYPES, Test, clamp, draw, equal, halves, halves_in_memory, read, signed, size, sweep, unsigned

MASK = 0xFFFFFFFF
ABC = {"input_a": 4, "input_b": 4, "input_c": 4}
THREE = {"input0": 4, "input1": 4, "input2": 4}


def _spread_bytes(index):
    """Two words whose outer bytes are swept."""
    first, second, third, fourth = index.to_bytes(4, "little")
    return first | second << 24, third | fourth << 24


def _sum_tests(name, sign):
    def result(kind, saturating):
        def of(a, b):
            total = read(a, kind) + sign * read(b, kind)
            return unsigned(clamp(total, kind) if saturating else total, TYPES[kind][0])

        return of

    for label, kind, saturating in [("u16", "u16", False), ("i16", "s16", False), ("sat_s32", "s32", True)]:
        words = {"TYPE": kind, "SAT": ".sat" if saturating else "", "TYPE_SIZE": str(size(kind))}
        operands = sweep(_spread_bytes if saturating else halves)
        parameters = {"input_a": size(kind), "input_b": size(kind)}
        yield Test(f"{name}_{label}", name, words, parameters, ("output", size(kind)), operands, equal(result(kind, saturating)))


def _with_carry():
    def result(is_sub, carry_out):
        def of(a, b, carry):
            # CC.CF of a subtraction is the carry of a + ~b + CC.CF.
            total = a + (b ^ MASK if is_sub else b) + carry
            return (total & MASK) | (total >> 32 if carry_out else carry) << 32

        return of

    for kind in ("u32", "s32"):
        for is_sub in (False, True):
            for carry_out in (False, True):
                name = "subc" if is_sub else "addc"
                words = {"OP": name, "TYPE": kind, "CC": ".cc" if carry_out else ""}
                label = f"{name}{'_cc' if carry_out else ''}_{kind}"
                check = equal(result(is_sub, carry_out))
                yield Test(label, "addc_subc", words, ABC, ("output", 8), draw(32, 32, "flag"), check)


def _madc():
    def result(carry_out):
        def of(a, b, c, carry):
            total = (a * b & MASK) + c + carry
            return (total & MASK) | (total >> 32 if carry_out else carry) << 32

        return of

    for kind in ("u32", "s32"):
        for carry_out in (False, True):
            words = {"TYPE": kind, "CC": ".cc" if carry_out else ""}
            name = f"madc{'_cc' if carry_out else ''}_{kind}"
            parameters = {**ABC, "input_d": 4}
            yield Test(name, "madc", words, parameters, ("output", 8), draw(32, 32, 32, "flag"), equal(result(carry_out)))


def _field_operand(bits, value):
    """32-bit fields take the lowest byte of position and length, 64-bit fields all of the word."""
    return value & 0xFF if bits == 32 else value


def _bfe():
    def result(kind):
        bits, is_signed = TYPES[kind]

        def of(value, position, length):
            position, length = _field_operand(bits, position), _field_operand(bits, length)
            field = value >> position & ((1 << length) - 1)
            if is_signed and length and value >> min(position + length - 1, bits - 1) & 1:
                field |= -1 << min(length, max(bits - position, 0))
            return unsigned(field, bits)

        return of

    for kind in ("u32", "s32", "u64", "s64"):
        words = {"TYPE": kind, "TYPE_SIZE": str(size(kind))}
        parameters = {"input": size(kind), "positions": 4, "lengths": 4}
        operands = draw(TYPES[kind][0], "field", "field")
        yield Test(f"bfe_rng_{kind}", "bfe", words, parameters, ("output", size(kind)), operands, equal(result(kind)))


def _bfi():
    def result(bits):
        def of(a, b, position, length):
            position, length = _field_operand(bits, position), _field_operand(bits, length)
            mask = unsigned(((1 << length) - 1) << position, bits)
            return b & ~mask | a << position & mask

        return of

    for bits in (32, 64):
        words = {"TYPE": f"b{bits}", "TYPE_SIZE": str(bits // 8)}
        parameters = {"input_a": bits // 8, "input_b": bits // 8, "positions": 4, "lengths": 4}
        operands = draw(bits, bits, "field", "field")
        yield Test(f"bfi_rng_b{bits}", "bfi", words, parameters, ("output", bits // 8), operands, equal(result(bits)))


def _brev():
    words = {"TYPE": "b32", "TYPE_SIZE": "4"}
    yield Test("brev_b32", "brev", words, {"input": 4}, ("output", 4), sweep(), equal(lambda a: int(f"{a:032b}"[::-1], 2)))


def _parts(value, bits, is_signed):
    parts = [value >> place & ((1 << bits) - 1) for place in range(0, 32, bits)]
    return [signed(part, bits) for part in parts] if is_signed else parts


def _dot_product():
    def result(bits_of_a, skipped, a_signed, b_signed):
        def of(a, b, c):
            products = zip(_parts(a, bits_of_a, a_signed), _parts(b, 8, b_signed)[skipped:])
            return c + sum(x * y for x, y in products) & MASK

        return of

    for instruction, bits_of_a, skipped in [("dp4a", 8, 0), ("dp2a.lo", 16, 0), ("dp2a.hi", 16, 2)]:
        for a in ("u32", "s32"):
            for b in ("u32", "s32"):
                text = f"{instruction}.{a}.{b}"
                check = equal(result(bits_of_a, skipped, a == "s32", b == "s32"))
                yield Test(text.replace(".", "_"), "dot_product", {"DPINST": text}, THREE, ("output", 4), draw(32, 32, 32), check)


def _mad():
    def result(mode, kind, wide, saturating):
        bits = TYPES[kind][0]

        def of(a, b, c):
            product = read(a, kind) * read(b, kind)
            if mode == "hi":
                product >>= bits
            elif mode == "lo":
                product = read(product, kind)
            total = product + read(c, wide)
            return unsigned(clamp(total, wide) if saturating else total, TYPES[wide][0])

        return of

    variants = [(mode, kind, kind, False) for mode in ("lo", "hi") for kind in ("u16", "s16")]
    variants += [("wide", "u16", "u32", False), ("wide", "s16", "s32", False), ("hi", "s32", "s32", True)]
    for mode, kind, wide, saturating in variants:
        words = {"STYPE": kind, "STYPE_SIZE": str(size(kind)), "DTYPE": wide, "DTYPE_SIZE": str(size(wide))}
        words.update(MODE=mode, SAT=".sat" if saturating else "")
        name = f"mad_{mode}{'_sat' if saturating else ''}_{kind}"
        parameters = {"input_a": size(kind), "input_b": size(kind), "input_c": size(wide)}
        operands = draw(TYPES[kind][0], TYPES[kind][0], TYPES[wide][0])
        yield Test(name, "mad", words, parameters, ("output", size(wide)), operands, equal(result(mode, kind, wide, saturating)))


def _mul():
    def result(mode, kind):
        return lambda a, b: unsigned(read(a, kind) * read(b, kind) >> (16 if mode == "hi" else 0), 32 if mode == "wide" else 16)

    for kind in ("u16", "s16"):
        for mode in ("lo", "hi", "wide"):
            target = kind[0] + "32" if mode == "wide" else kind
            words = {"TYPE_IN": kind, "TYPE_OUT": target, "TYPE_IN_SIZE": "2", "TYPE_OUT_SIZE": str(size(target)), "MODE": mode}
            parameters = {"input_a": 2, "input_b": 2}
            operands = sweep(halves_in_memory)
            yield Test(f"mul_{mode}_{kind}", "mul", words, parameters, ("output", size(target)), operands, equal(result(mode, kind)))


def _mul24():
    def result(kind, mode):
        def of(a, b):
            if kind == "s32":
                product = signed(a, 24) * signed(b, 24)
            else:
                product = unsigned(a, 24) * unsigned(b, 24)
            return unsigned(product >> (16 if mode == "hi" else 0), 32)

        return of

    for kind in ("u32", "s32"):
        for mode in ("lo", "hi"):
            words = {"MODE": mode, "TYPE": kind}
            parameters = {"input0": 4, "input1": 4}
            yield Test(f"mul24_{mode}_{kind}", "mul24", words, parameters, ("output", 4), draw(32, 32), equal(result(kind, mode)))


# The bytes that each mode of prmt selects, lowest first, by the lowest two bits of the selector.
PERMUTATIONS = {
    "f4e": [(0, 1, 2, 3), (1, 2, 3, 4), (2, 3, 4, 5), (3, 4, 5, 6)],
    "b4e": [(0, 7, 6, 5), (1, 0, 7, 6), (2, 1, 0, 7), (3, 2, 1, 0)],
    "rc8": [(0,) * 4, (1,) * 4, (2,) * 4, (3,) * 4],
    "ecl": [(0, 1, 2, 3), (1, 1, 2, 3), (2, 2, 2, 3), (3, 3, 3, 3)],
    "ecr": [(0, 0, 0, 0), (0, 1, 1, 1), (0, 1, 2, 2), (0, 1, 2, 3)],
    "rc16": [(0, 1, 0, 1), (2, 3, 2, 3), (0, 1, 0, 1), (2, 3, 2, 3)],
}


def _prmt():
    def result(mode):
        def of(a, b, c):
            source = (a | b << 32).to_bytes(8, "little")
            if mode:
                return int.from_bytes(bytes(source[index] for index in PERMUTATIONS[mode][c & 3]), "little")
            nibbles = [c >> place & 15 for place in (0, 4, 8, 12)]
            picked = [(0xFF if source[n & 7] & 0x80 else 0) if n & 8 else source[n & 7] for n in nibbles]
            return int.from_bytes(bytes(picked), "little")

        return of

    for mode in ("", *PERMUTATIONS):
        name = f"prmt_{mode}" if mode else "prmt"
        operands = sweep(lambda index: (0x04030201, 0x08070605, index), values=1 << 16)
        yield Test(name, "prmt", {"MODE": "." + mode if mode else ""}, THREE, ("output", 4), operands, equal(result(mode)))


def _sad():
    def operands(index):
        a, b = index >> 16 & 0xFF, index >> 24
        return a >> 4 << 12 | a & 15, b >> 4 << 12 | b & 15, index & 0xFFFF

    parameters = {"input0": 2, "input1": 2, "input2": 2}
    for kind in ("u16", "s16"):
        check = equal(lambda a, b, c, kind=kind: unsigned(c + abs(read(a, kind) - read(b, kind)), 16))
        yield Test(f"sad_{kind}", "sad", {"TYPE": kind}, parameters, ("output", 2), sweep(operands), check)


def _shf():
    def result(direction, mode):
        def of(a, b, c):
            shift = min(c, 32) if mode == "clamp" else c & 31
            both = b << 32 | a
            return unsigned((both << shift) >> 32 if direction == "l" else both >> shift, 32)

        return of

    for direction in ("l", "r"):
        for mode in ("clamp", "wrap"):
            words = {"DIR": direction, "MODE": mode}
            check = equal(result(direction, mode))
            yield Test(f"shf_{direction}_{mode}_b32", "shf", words, ABC, ("output", 4), draw(32, 32, "shift"), check)


def _shift():
    shifts = {
        "shl.b16": lambda a, b: unsigned(a << b, 16) if b < 16 else 0,
        "shr.u16": lambda a, b: a >> min(b, 16),
        "shr.s16": lambda a, b: unsigned(signed(a, 16) >> min(b, 16), 16),
    }
    for text, of in shifts.items():
        parameters = {"input_a": 2, "input_b": 2}
        yield Test(text.replace(".", "_"), "shift", {"OP": text}, parameters, ("output", 2), sweep(halves_in_memory), equal(of))


def _vshr():
    def result(target, source, mode, saturating, adds):
        def of(a, b, c):
            shifted = read(a, source) >> (min(b, 32) if mode == "clamp" else b & 31)
            shifted = clamp(shifted, target) if saturating else shifted
            return unsigned(shifted + (c if adds else 0), 32)

        return of

    for mode in ("clamp", "wrap"):
        for adds in (False, True):
            for saturating in (False, True):
                for target, source in [("u32", "s32"), ("u32", "u32"), ("s32", "s32"), ("s32", "u32")]:
                    words = {"DTYPE": target, "ATYPE": source, "SAT": ".sat" if saturating else "", "MODE": "." + mode}
                    words.update(OP2=".add" if adds else "", OP2_ARGS=", c" if adds else "")
                    name = f"vshr_{target}_{source}_u32{'_sat' if saturating else ''}_{mode}{'_add' if adds else ''}"
                    check = equal(result(target, source, mode, saturating, adds))
                    yield Test(name, "vshr", words, THREE, ("output", 4), draw(32, "shift", 32), check)


def tests():
    """By the module of the suite."""
    return {
        "add": list(_sum_tests("add", 1)),
        "sub": list(_sum_tests("sub", -1)),
        "addc_subc": list(_with_carry()),
        "madc": list(_madc()),
        "bfe": list(_bfe()),
        "bfi": list(_bfi()),
        "brev": list(_brev()),
        "dot_product": list(_dot_product()),
        "mad": list(_mad()),
        "mul": list(_mul()),
        "mul24": list(_mul24()),
        "prmt": list(_prmt()),
        "sad": list(_sad()),
        "shf": list(_shf()),
        "shift": list(_shift()),
        "vshr": list(_vshr()),
    }
