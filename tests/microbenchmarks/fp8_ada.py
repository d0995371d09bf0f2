"""Sums of products of 8-bit floats on Ada, in exact arithmetic: fp8_ada.csv, in the form of fp8.csv.

No such chip was at hand. The summation is as Xie et al. state it ("MMA-Sim", arXiv:2511.10909, 2025), who compared it with
one: 16 products at a time; all summands are cut 13 bits below the first bit of the largest exponent and added; a single
keeps 13 bits after the first one, cut; a half is rounded to nearest.
"""
from fractions import Fraction as F
import struct

M = 0xFFFFFFFF


def next_word(state):
    state = (state * 1664525 + 1013904223) & M
    return state, state ^ (state >> 15)


def floor_log(value):
    """The exponent of the first bit of a positive fraction."""
    e = value.numerator.bit_length() - value.denominator.bit_length()
    return e if F(2) ** e <= value else e - 1


def decode(code, fraction_bits, bias):
    """The value, and the exponent that its significand has in the unit."""
    sign = -1 if code & 0x80 else 1
    exponent, fraction = code % 128 >> fraction_bits, code % (1 << fraction_bits)
    scale = F(1, 1 << fraction_bits)
    if exponent == 0:
        return sign * fraction * scale * F(2) ** (1 - bias), 1 - bias
    return sign * (1 + fraction * scale) * F(2) ** (exponent - bias), exponent - bias


def of_bits(value, bits, least):
    """A number with its exponent in the unit."""
    return value, max(floor_log(abs(value)), least) if value else least


def single(word):
    return F(struct.unpack("<f", struct.pack("<I", word))[0])


def half(word):
    return F(struct.unpack("<e", struct.pack("<H", word))[0])


def cut(value, unit):
    """Toward zero, to a multiple of a unit."""
    whole = abs(value) / unit
    whole = whole.numerator // whole.denominator
    return (whole if value >= 0 else -whole) * unit


def to_single(value):
    if value == 0:
        return 0
    value = cut(value, F(2) ** (max(floor_log(abs(value)), -126) - 13))
    return struct.unpack("<I", struct.pack("<f", float(value)))[0]


def to_half(value):
    # Python rounds a double to a half to nearest even; all values here fit a double.
    assert F(float(value)) == value
    try:
        return struct.unpack("<H", struct.pack("<e", float(value)))[0]
    except OverflowError:
        return 0x7C00 if value > 0 else 0xFC00


def add(products, total, least):
    summands = [(a[0] * b[0], a[1] + b[1]) for a, b in products if a[0] * b[0]]
    if total:
        summands.append(of_bits(total, None, least))
    if not summands:
        return F(0)
    unit = F(2) ** (max(e for _, e in summands) - 13)
    return sum((cut(value, unit) for value, _ in summands), F(0))


def row(types, mask, seed):
    left = (2, 15) if types & 1 else (3, 7)
    right = (2, 15) if types & 2 else (3, 7)
    a, b, c, h = [], [], [], []
    for lane in range(32):
        state = (seed * 2654435761 + lane * 40503) & M
        words = []
        for _ in range(12):
            state, word = next_word(state)
            words.append(word)
        a.append([word & mask for word in words[:4]])
        b.append([word & mask for word in words[4:6]])
        bits = [w & 0x807FFFFF | (119 + (w >> 23) % 16) << 23 for w in words[6:10]]
        c.append([single(w) for w in bits])
        h.append([w & 0xBBFFBBFF for w in words[10:12]])
    singles, halves = [[0] * 4 for _ in range(32)], [[0] * 2 for _ in range(32)]
    for i in range(16):
        for j in range(8):
            lane, register = i % 8 * 4 + j // 2, i // 8 * 2 + j % 2
            products = []
            for k in range(32):
                one = a[i % 8 * 4 + k % 16 // 4][i // 8 + k // 16 * 2] >> k % 4 * 8 & 0xFF
                two = b[j * 4 + k % 16 // 4][k // 16] >> k % 4 * 8 & 0xFF
                products.append((decode(one, *left), decode(two, *right)))
            total = c[lane][register]
            for part in (products[:16], products[16:]):
                bits = to_single(add(part, total, -126))
                total = single(bits)
            singles[lane][register] = bits
            total = half(h[lane][i // 8] >> j % 2 * 16 & 0xFFFF)
            for part in (products[:16], products[16:]):
                bits = to_half(add(part, total, -14))
                total = half(bits)
            halves[lane][i // 8] |= bits << j % 2 * 16
    hashes = []
    for lists in (singles, halves):
        value = 2166136261
        for word in (word for words in lists for word in words):
            value = (value ^ word) * 16777619 & M
        hashes.append(value)
    return "%d,%08x,%d,%08x,%08x" % (types, mask, seed, *hashes)


print("types,mask,seed,singles,halves")
for mask in (0xBFBFBFBF, 0xBBBBBBBB):
    for types in range(4):
        for seed in range(1, 4):
            print(row(types, mask, seed))
