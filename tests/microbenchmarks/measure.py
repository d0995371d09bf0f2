"""Runs the microbenchmarks beside this file on the GPU that is there; prints CSV rows on stdout."""
import sys, os, time
import numpy as np, cupy as cp
HERE = os.path.dirname(os.path.abspath(__file__))
p = cp.cuda.runtime.getDeviceProperties(0)
print(f"# {p['name'].decode()} sm_{p['major']}{p['minor']} {p['multiProcessorCount']} SMs")
print("bench,variant,ilp,warps,value,unit,least,most")
cache = {}
def kernel(file, name, **defines):
    key = (file, tuple(sorted(defines.items())))
    if key not in cache:
        src = "".join(f"#define {k} {v}\n" for k, v in defines.items()) + open(f"{HERE}/{file}").read().replace("__global__", "extern \"C\" __global__")
        mod = cp.RawModule(code=src, options=("--ftz=true",), backend="nvrtc")
        cache[key] = (mod, mod.get_function(name))
    return cache[key]
def ticks(fn, warps, args, n, tuned=None):
    t = cp.zeros(64, dtype=cp.int32)
    fn((1,), (32 * warps,), (t, *args, np.int32(n)))
    t = t.get().astype(np.int64)[: 2 * warps]
    return int(t[1::2].max() - t[0::2].min())
def rate(fn, warps, args, n, per):
    """Cycles for each unit of work, by the difference of two lengths; median, least, most of 9."""
    ticks(fn, warps, args, n)
    got = sorted((ticks(fn, warps, args, 2 * n) - ticks(fn, warps, args, n)) / (n * per) for _ in range(9))
    return got[4], got[0], got[8]
def row(bench, variant, ilp, warps, v, unit):
    print(f"{bench},{variant},{ilp},{warps},{v[0]:.4f},{unit},{v[1]:.4f},{v[2]:.4f}", flush=True)
WARPS = [1, 2, 3, 4, 5, 6, 8, 10, 12, 16, 20, 24, 28, 32]
NAMES = {0: "ffma", 1: "fadd", 2: "imad", 3: "dfma", 4: "mufu_ex2", 5: "iadd_lop", 6: "shfl"}
TYPES = {0: np.float32, 1: np.float32, 2: np.int32, 3: np.float64, 4: np.float32, 5: np.int32, 6: np.int32}
for op, name in NAMES.items():
    ty = TYPES[op]
    for ilp in (1, 2, 4, 8):
        _, fn = kernel("arith.cu", "chains", OP=op, ILP=ilp)
        # Instructions a chain and thread in an iteration, times chains.
        per = {1: 64, 2: 32 * 2, 4: 16 * 4, 8: 8 * 8}[ilp]
        b, c = (ty(0.999), ty(0.001)) if ty != np.int32 else (ty(3), ty(7))
        out = cp.zeros(1024, dtype=ty)
        def args(): return (out, b, c)
        for warps in WARPS:
            def one(n):
                t = cp.zeros(64, dtype=cp.int32)
                fn((1,), (32 * warps,), (t, out, b, c, np.int32(n)))
                t = t.get().astype(np.int64)[: 2 * warps]
                return int(t[1::2].max() - t[0::2].min())
            one(32)
            got = sorted((one(64) - one(32)) / (32 * per * warps) for _ in range(7))
            row("arith", name, ilp, warps, (got[3], got[0], got[6]), "cycles an instruction of the SM")
for ways in (1, 2, 4, 8, 16, 32):
    for ilp in (1, 2, 4, 8):
        _, fn = kernel("shared.cu", "chase_shared", WAYS=ways, ILP=ilp)
        per = 32 if ilp <= 1 else 64
        per = {1: (8 + 8 + 16) * 1, 2: 32 * 2, 4: 16 * 4, 8: 8 * 8}[ilp]
        out = cp.zeros(1024, dtype=cp.int32)
        for warps in WARPS:
            v = rate(fn, warps, (out,), 16, per * warps)
            row("shared", f"{ways}way", ilp, warps, v, "cycles an instruction of the SM")
out = cp.zeros(1024, dtype=cp.int32); far = cp.zeros(65536, dtype=cp.int32)
for op, name in {0: "barrier", 1: "shared_atomic", 3: "global_atomic", 2: "constant", 4: "syncwarp"}.items():
    for lanes in ((1, 2, 4, 8, 16, 32) if op in (1, 2, 3) else (1,)):
        mod, fn = kernel("units.cu", "units", OP=op, LANES=lanes)
        if op == 2:
            table = cp.ndarray((1024,), cp.int32, mod.get_global("table"))
            table[:] = cp.arange(1024, dtype=cp.int32) * 4
        for warps in ([1, 2, 4, 8, 16, 32] if op in (1, 2, 3) else WARPS):
            v = rate(fn, warps, (out, far), 4, 64)
            row("units", f"{name}{lanes if op in (1,2,3) else ''}", 1, warps, v, "cycles a round of the block")
big = cp.zeros(64 << 20, dtype=cp.uint8)
ring = cp.zeros(1, dtype=cp.uint64)
for stride in (32, 64, 128, 256, 1024):
    for size in [1 << s for s in range(12, 23)] + [160 << 10, 192 << 10, 208 << 10, 224 << 10, 240 << 10]:
        if size // stride < 16: continue
        _, fn = kernel("chase.cu", "chase", STRIDE=stride, SIZE=size, ROUNDS=2)
        def one(n):
            t = cp.zeros(4, dtype=cp.int32)
            fn((1,), (1,), (t, ring, big, np.int32(n)))
            t = t.get(); return int(t[1]) - int(t[0])
        m = max(16, min(size // stride // 16, 2048))
        got = sorted((one(2 * m) - one(m)) / (16 * m) for _ in range(5))
        row("chase", f"stride{stride}", 1, size, (got[2], got[0], got[4]), "cycles a load")
