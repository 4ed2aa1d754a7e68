# SPDX-License-Identifier: Apache-2.0
"""What goes into the instructions of ptx_tests. The suite sweeps all 2^32 inputs, or draws as many; here are the ones where instructions
have corners, and others at random, the same ones in every run."""

import struct

from floats import F32

EDGES_16 = sorted(
    {0, 1, 2, 3, 7, 8, 15, 16, 17, 31, 32, 33, 63, 64, 65, 127, 128, 255, 256}
    | {0x7FFE, 0x7FFF, 0x8000, 0x8001, 0xFFFE, 0xFFFF, 0xFF80, 0xFF7F, 0x5555, 0xAAAA}
    | {0x0400, 0x03FF, 0x8400, 0x83FF, 0x3C00, 0xBC00, 0x3C01, 0x7BFF, 0x7C00, 0xFC00, 0x7E00, 0x7C01}  # corners of f16
)
EDGES_32 = sorted(
    {0, 1, 2, 3, 31, 32, 33, 63, 64, 255, 256, 0xFFFF, 0x10000}
    | {0x7FFFFFFE, 0x7FFFFFFF, 0x80000000, 0x80000001, 0xFFFFFFFE, 0xFFFFFFFF, 0xFFFF8000, 0xFFFF7FFF, 0x55555555, 0xAAAAAAAA}
)


def _f32_corners():
    positive = {0, 1, 2, 0x007FFFFE, 0x007FFFFF, 0x00800000, 0x00800001, 0x00FFFFFF, 0x7F7FFFFF, 0x7F800000, 0x7F800001, 0x7FC00000, 0x7FFFFFFF}
    for exponent in range(-149, 128):
        if exponent in range(-30, 70) or exponent % 8 == 0 or exponent in (-127, -126, -125, 125, 126, 127):
            biased = exponent + F32.bias
            power = biased << 23 if biased > 0 else 1 << (exponent + 149)
            positive |= {power, power + 1, max(power - 1, 0), power | 0x400000, power | 0x400001}
    for half in range(1, 40):  # ties between whole numbers
        positive.add(int.from_bytes(struct.pack("<f", half / 2), "little"))
    for half in (0x33000000, 0x33800000, 0x387FC000, 0x387FE000, 0x477FE000, 0x477FEFFF, 0x477FF000, 0x477FF001):  # corners of f16
        positive |= {half - 1, half, half + 1}
    return sorted(positive | {bits | F32.sign_bit for bits in positive})


F32_CORNERS = _f32_corners()
# The pairs that the suite selects from, and a few more.
F32_FEW = [0, F32.one, 0x41200000, 1, 0x007FFFFF, 0x00800000, 0x3F7FFFFF, 0x3F800001, 0x7F7FFFFF, 0x7F800000, 0x7FC00000]
F32_FEW += [bits | F32.sign_bit for bits in F32_FEW]


def swept(rng, count, values):
    """Of 0 ... values - 1: all, or the corners of one and of two operands and others at random."""
    if values <= count:
        return list(range(values))
    if values == 1 << 16:
        corners = set(EDGES_16)
    else:
        corners = {high << 16 | low for high in EDGES_16 for low in EDGES_16} | set(F32_CORNERS)
    while len(corners) < count:
        corners.add(rng.randrange(values))
    return _at_most(rng, sorted(corners), count)


def drawn(rng, count, kinds):
    """Tuples of operands of these kinds: the name of a drawing function below, or a number of bits."""
    rows = []
    if all(kind == "f32" for kind in kinds[:2]) and len(kinds) > 1:
        rows = [[a, b] + [_draw(rng, kind) for kind in kinds[2:]] for a in F32_FEW for b in F32_FEW]
    while len(rows) < count:
        row = [_draw(rng, kind) for kind in kinds]
        if kinds[:2] == ["f32", "f32"] and len(rows) % 2:  # magnitudes close to each other, in sums and in products
            row[1] = _near(rng, row[0])
            if len(row) > 2 and kinds[2] == "f32":
                row[2] = _near(rng, _product_of(row[0], row[1]))
        rows.append(row)
    return [tuple(row) for row in _at_most(rng, rows, count)]


def _at_most(rng, rows, count):
    return rows if len(rows) <= count else rng.sample(rows, count)


def _near(rng, bits):
    exponent = (bits >> 23 & 0xFF) + rng.randrange(-26, 27)
    return rng.getrandbits(1) << 31 | min(max(exponent, 0), 254) << 23 | rng.getrandbits(23)


def _product_of(a, b):
    exponent = (a >> 23 & 0xFF) + (b >> 23 & 0xFF) - F32.bias
    return min(max(exponent, 0), 254) << 23


def _draw(rng, kind):
    if kind == "f32":
        return rng.choice(F32_FEW) if rng.random() < 0.05 else rng.getrandbits(32)
    if kind == "flag":
        return rng.getrandbits(1)
    if kind == "field":  # a position or a length in a word
        return rng.getrandbits(9) if rng.random() < 0.5 else rng.randrange(70)
    if kind == "shift":
        return rng.randrange(70) if rng.random() < 0.5 else rng.getrandbits(32)
    edges = {16: EDGES_16, 32: EDGES_32}.get(kind, [0, 1, (1 << kind) - 1, 1 << (kind - 1), (1 << (kind - 1)) - 1])
    return rng.choice(edges) if rng.random() < 0.2 else rng.getrandbits(kind)

