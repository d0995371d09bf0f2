"""Texture fetches by the formulas of the CUDA C++ Programming Guide, section "Texture Fetching", in exact fractions.

Writes expected.txt, which the tests of the compiler package compare with what kernels fetch:

    python3 tests/textures/reference.py > tests/textures/expected.txt

A texture holds i % 97 at element i. A line is a fetch: dimensions, filter, address mode, whether coordinates are
normalized, the coordinates' bits, and the result's bits. The extents are 13, 7, and 5.
"""

import itertools
import math
import random
import struct
from fractions import Fraction

EXTENT = (13, 7, 5)


def bits(value):
    return struct.unpack("<I", struct.pack("<f", value))[0]


def single(value):
    return struct.unpack("<f", struct.pack("<f", value))[0]


def texel(index):
    """T[i, j, k]; None beyond a border."""
    if None in index:
        return Fraction(0)
    i, j, k = index + (0,) * (3 - len(index))
    return Fraction((i + EXTENT[0] * (j + EXTENT[1] * k if len(index) > 2 else j)) % 97)


def addressed(index, extent, mode):
    if 0 <= index < extent:
        return index
    if mode == "border":
        return None
    if mode == "wrap":
        return index % extent
    return min(max(index, 0), extent - 1)


def scaled(x, extent, mode, normalized):
    x = Fraction(x)
    if not normalized:
        return x
    whole = math.floor(x)
    if mode == "wrap":
        x -= whole
    elif mode == "mirror":
        x = x - whole if whole % 2 == 0 else 1 - (x - whole)
    return x * extent


def axis(x, extent, mode, normalized, linear):
    """Pairs of an index and its weight."""
    x = scaled(x, extent, mode, normalized)
    if not linear:
        return [(addressed(math.floor(x), extent, mode), Fraction(1))]
    x -= Fraction(1, 2)
    first = math.floor(x)
    # 9 bits, 8 of them fractional, so that 1 is exactly represented.
    weight = Fraction(math.floor((x - first) * 256 + Fraction(1, 2)), 256)
    return [
        (addressed(first, extent, mode), 1 - weight),
        (addressed(first + 1, extent, mode), weight),
    ]


def fetch(at, mode, normalized, linear):
    axes = [axis(x, extent, mode, normalized, linear) for x, extent in zip(at, EXTENT)]
    total = Fraction(0)
    for taps in itertools.product(*axes):
        weight = math.prod(weight for _, weight in taps)
        if weight:
            total += weight * texel(tuple(index for index, _ in taps))
    # Fractions of 24 bits over small numbers are exact doubles.
    return single(float(total))


def main():
    draw = random.Random(19)
    for dims in (1, 2, 3):
        for linear in (False, True):
            for mode, normalized in (
                ("clamp", False),
                ("border", False),
                ("clamp", True),
                ("wrap", True),
                ("mirror", True),
                ("border", True),
            ):
                for number in range(32):
                    at = []
                    for extent in EXTENT[:dims]:
                        size = 1 if normalized else extent
                        if number % 4 == 0:
                            # At an edge or a middle of a texel, or beyond the last one.
                            x = draw.randrange(-extent, 3 * extent) / 2 / (extent if normalized else 1)
                        else:
                            x = draw.uniform(-2, 3) * size
                        at.append(single(x))
                    result = bits(fetch(at, mode, normalized, linear))
                    words = " ".join(f"{bits(x):08x}" for x in at)
                    print(
                        dims,
                        "linear" if linear else "point",
                        mode,
                        "normalized" if normalized else "texels",
                        words,
                        f"{result:08x}",
                    )


main()
