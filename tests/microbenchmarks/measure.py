"""Runs the microbenchmarks beside this file on the GPU that is there; prints CSV rows on stdout.

`measure.py first` is what h200.csv began with; `ops constant atomics stream dram` are the rest; `turns`
is turns.csv, `depth` depth.csv."""
import sys, os, time
import numpy as np, cupy as cp
HERE = os.path.dirname(os.path.abspath(__file__))
p = cp.cuda.runtime.getDeviceProperties(0)
print(f"# {p['name'].decode()} sm_{p['major']}{p['minor']} {p['multiProcessorCount']} SMs")
print("bench,variant,ilp,warps,value,unit,least,most")
cache = {}
def kernel(file, name, ftz=True, **defines):
    key = (file, ftz, tuple(sorted(defines.items())))
    if key not in cache:
        src = "".join(f"#define {k} {v}\n" for k, v in defines.items()) + open(f"{HERE}/{file}").read().replace("__global__", "extern \"C\" __global__")
        mod = cp.RawModule(code=src, options=("--ftz=true",) if ftz else (), backend="nvrtc")
        cache[key] = (mod, mod.get_function(name))
    return cache[key]
def ticks(fn, warps, args, n, tuned=None):
    t = cp.zeros(64, dtype=cp.int32)
    fn((1,), (32 * warps,), (t, *args, np.int32(n)))
    t = t.get().astype(np.int64)[: 2 * warps]
    return int(t[1::2].max() - t[0::2].min())
def plain(fn, warps, args):
    t = cp.zeros(64, dtype=cp.int32)
    fn((1,), (32 * warps,), (t, *args))
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
def first():
    NAMES = {0: "ffma", 1: "fadd", 2: "imad", 3: "dfma", 4: "mufu_ex2", 5: "iadd_lop", 6: "shfl", 7: "ffma_3reg"}
    TYPES = {0: np.float32, 1: np.float32, 2: np.int32, 3: np.float64, 4: np.float32, 5: np.int32, 6: np.int32, 7: np.float32}
    for op, name in NAMES.items():
        ty = TYPES[op]
        for ilp in (1, 2, 4, 8):
            _, fn = kernel("arith.cu", "chains", OP=op, ILP=ilp)
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
                row("arith", name, ilp, warps, (got[3], got[0], got[6]), "cycles per instruction of the SM")
    for ways in (1, 2, 4, 8, 16, 32):
        for ilp in (1, 2, 4, 8):
            _, fn = kernel("shared.cu", "chase_shared", WAYS=ways, ILP=ilp)
            per = 32 if ilp <= 1 else 64
            per = {1: (8 + 8 + 16) * 1, 2: 32 * 2, 4: 16 * 4, 8: 8 * 8}[ilp]
            out = cp.zeros(1024, dtype=cp.int32)
            for warps in WARPS:
                v = rate(fn, warps, (out,), 16, per * warps)
                row("shared", f"{ways}way", ilp, warps, v, "cycles per instruction of the SM")
    out = cp.zeros(1024, dtype=cp.int32); far = cp.zeros(65536, dtype=cp.int32)
    for op, name in {0: "barrier", 1: "shared_atomic", 3: "global_atomic", 2: "constant", 4: "syncwarp"}.items():
        for lanes in ((1, 2, 4, 8, 16, 32) if op in (1, 2, 3) else (1,)):
            mod, fn = kernel("units.cu", "units", OP=op, LANES=lanes)
            if op == 2:
                table = cp.ndarray((1024,), cp.int32, mod.get_global("table"))
                table[:] = cp.arange(1024, dtype=cp.int32) * 4
            for warps in ([1, 2, 4, 8, 16, 32] if op in (1, 2, 3) else WARPS):
                v = rate(fn, warps, (out, far), 4, 64)
                row("units", f"{name}{lanes if op in (1,2,3) else ''}", 1, warps, v, "cycles per round of the block")
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
            row("chase", f"stride{stride}", 1, size, (got[2], got[0], got[4]), "cycles per load")

def turns():
    """Loads of chosen warps: those of one scheduler, and of several."""
    out = cp.zeros(1024, dtype=cp.int32)
    masks = (0x1, 0x11, 0x111, 0x1111, 0x3, 0x7, 0xf, 0x1f, 0x3f, 0x7f, 0xff, 0x3ff, 0xfff, 0x33)
    print("ways,ilp,mask,value,unit,least,most,each")
    for ways in (1, 2, 4, 8):
        for ilp in range(1, 9):
            _, fn = kernel("turns.cu", "turns", WAYS=ways, ILP=ilp)
            for mask in masks:
                own = [warp for warp in range(32) if mask >> warp & 1]
                def one(n):
                    t = cp.zeros(64, dtype=cp.int32)
                    fn((1,), (32 * mask.bit_length(),), (t, out, np.uint32(mask), np.int32(n)))
                    t = t.get().astype(np.int64)
                    each = [int(t[2 * warp + 1] - t[2 * warp]) for warp in own]
                    return int(max(t[2 * warp + 1] for warp in own) - min(t[2 * warp] for warp in own)), each
                one(16)
                got = sorted((one(32)[0] - one(16)[0]) / 16 for _ in range(5))
                each = " ".join(f"{(two - once) / 16:.1f}" for once, two in zip(one(16)[1], one(32)[1]))
                print(f"{ways},{ilp},{mask:#x},{got[2]:.3f},cycles a round,{got[0]:.2f},{got[4]:.2f},{each}", flush=True)
def depth():
    """Stores in a row until a warp has to wait: clocks of each warp, the least of five runs."""
    out = cp.zeros(1024, dtype=cp.int32)
    print("mask,length,each")
    for length in range(2, 42, 2):
        _, fn = kernel("depth.cu", "depth", WAYS=32, LENGTH=length)
        for mask in (0x1, 0x3, 0xf):
            own = [warp for warp in range(4) if mask >> warp & 1]
            def one():
                t = cp.zeros(8, dtype=cp.int32)
                fn((1,), (32 * mask.bit_length(),), (t, out, np.uint32(mask), np.int32(2)))
                t = t.get().astype(np.int64)
                return [int(t[2 * warp + 1] - t[2 * warp]) for warp in own]
            each = min((one() for _ in range(5)), key=sum)
            print(f"{mask:#x},{length},{' '.join(map(str, each))}", flush=True)
def ops():
    """Straight rows of instructions: latency of one chain of one warp, results a clock of many."""
    names = "FFMA FADD FMUL EX2 LG2 RSQRT SIN SQRT FDIV FDIVIDEF CONVERT DFMA DADD DMUL DDIV SHL IMAD POPC SHFL IDIV UDIV"
    for name in names.split():
        c_type, ty = "float", np.float32
        if name.startswith("D"): c_type, ty = "double", np.float64
        if name in ("SHL", "IMAD", "POPC", "SHFL", "IDIV"): c_type, ty = "int", np.int32
        if name == "UDIV": c_type, ty = "unsigned", np.uint32
        given = cp.array([12, 3, 5, 6, 7, 8, 9, 10, 11, 13], dtype=ty)
        out = cp.zeros(1024, dtype=ty)
        # As `warpscope validate` compiles them: what divides and takes roots correctly without --ftz.
        ftz = name not in ("FDIV", "SQRT")
        for what, ilp, warps in (("latency", 1, 1), ("throughput", 4, 32)):
            both = [kernel("ops.cu", "ops", ftz=ftz, OP=name, T=c_type, ILP=ilp, LENGTH=n)[1] for n in (16, 32)]
            one = lambda fn: plain(fn, warps, (out, given))
            one(both[0]), one(both[1])
            got = sorted((one(both[1]) - one(both[0])) / 16 for _ in range(9))
            each = 2 if name == "CONVERT" else 1
            if what == "latency":
                row("ops", f"latency {name.lower()}", ilp, warps, [got[k] / each for k in (4, 0, 8)], "cycles")
            else:
                num = 32 * warps * ilp * each
                row("ops", f"throughput {name.lower()}", ilp, warps, [num / got[k] for k in (4, 8, 0)], "results per clock per SM")
def constants():
    for level, stride, size, warm, rounds in (("l1", 64, 1024, 2, 16), ("l15", 64, 6144, 2, 16), ("l2", 256, 65536, 0, 3)):
        for addresses in (1, 2, 4, 8, 16, 32):
            mod, fn = kernel("constant.cu", "constants", STRIDE=stride, SIZE=size, GROUP=32 // addresses, WARM=warm)
            ring = cp.ndarray((16384,), cp.int32, mod.get_global("ring"))
            out = cp.zeros(32, dtype=cp.int32)
            def one(n):
                # New contents: nothing of it is in a cache of the SM.
                ring[:] = (cp.arange(16384, dtype=cp.int32) * 4 + stride) % size
                return ticks(fn, 1, (out,), n)
            one(rounds)
            got = sorted((one(2 * rounds) - one(rounds)) / (32 * rounds) for _ in range(9))
            row("constant", level, addresses, 1, [got[k] for k in (4, 0, 8)], "cycles")
def atomics():
    out = cp.zeros(1024, dtype=cp.int32); far = cp.zeros(1024, dtype=cp.int32)
    for shared, name in ((1, "shared"), (0, "global")):
        for lanes in (1, 2, 4, 8, 16, 32):
            costs = []
            for with_it in (1, 0):
                _, fn = kernel("atomics.cu", "atomics", SHARED=shared, LANES=lanes, ATOMIC=with_it)
                costs.append(rate(fn, 1, (out, far), 8, 16))
            row("atomics", name, lanes, 1, [costs[0][0] - costs[1][0], costs[0][1] - costs[1][2], costs[0][2] - costs[1][1]], "cycles")
def stream():
    data = cp.zeros(8 << 30, dtype=cp.uint8); out = cp.zeros(1024, dtype=cp.float32)
    cold = [0]
    for level in ("l1", "l2", "dram"):
        for width in (4, 8, 16):
            for flight in (1, 4):
                for warps in (1, 2, 4, 8, 16, 32):
                    a_round, rounds = 32 * warps * width * flight, 32
                    size = {"l1": max(4096, a_round), "l2": 1 << 20}.get(level, 1 << 24)
                    ty = {4: "float", 8: "float2", 16: "float4"}[width]
                    _, fn = kernel("stream.cu", "stream", TYPE=ty, WIDTH=width, FLIGHT=flight, SIZE=size, THREADS=32 * warps, WARM=int(level != "dram"))
                    def one(n):
                        at = 0
                        if level == "dram":
                            cold[0] = (cold[0] + (32 << 20)) % (8 << 30); at = cold[0]
                        return ticks(fn, warps, (out, data[at:]), n)
                    one(rounds)
                    got = sorted(a_round * rounds / (one(2 * rounds) - one(rounds)) for _ in range(9))
                    row("stream", f"{level} width{width} flight{flight}", 1, warps, [got[k] for k in (4, 0, 8)], "bytes per clock per SM")
def dram():
    size, stride = 192 << 20, 128
    big = cp.zeros(size, dtype=cp.uint8); ring = cp.zeros(1, dtype=cp.uint64)
    _, fn = kernel("chase.cu", "chase", STRIDE=stride, SIZE=size, ROUNDS=1)
    def one(n):
        t = cp.zeros(4, dtype=cp.int32)
        fn((1,), (1,), (t, ring, big, np.int32(n)))
        t = t.get(); return int(t[1]) - int(t[0])
    got = sorted((one(4096) - one(2048)) / (16 * 2048) for _ in range(5))
    row("dram", "chase", 1, 1, (got[2], got[0], got[4]), "cycles")
for name in sys.argv[1:]:
    {"first": first, "turns": turns, "depth": depth, "ops": ops, "constant": constants, "atomics": atomics, "stream": stream, "dram": dram}[name]()
