"""Banks of the register file: rows of instructions whose registers are chosen; prints CSV rows on stdout.

No compiler lets one choose registers, so a kernel of 240 FFMA is compiled by NVRTC and the machine code of
these is replaced: `banks.py make FOLDER` writes the kernels there (needs NVRTC of CUDA 13 alone), `banks.py
run FOLDER` times them on the GPU. What the kernels compute has no meaning. e: even registers (0 to 4 of
them, by number), o: odd ones, z: RZ; a K reads two even and one odd register, K3 three even ones, L an odd
one, M an even one, Z none. Encoding: destination in bits 16 to 23, operands in 24 to 31, 32 to 39 and 64 to
71, kept operands (`.reuse`) in 122 to 124, cycles until the next instruction in 105 to 108."""
import ctypes, json, os, struct, sys
VALUES = 40
SOURCE = ('extern "C" __global__ void chains(int *ticks, float *out, float b, float c, int n) {'
    + "".join(f"float x{k} = threadIdx.x + {k};" for k in range(VALUES))
    + "__syncthreads(); int start = clock();\n#pragma unroll 1\nfor (int i = 0; i < n; i++) {"
    + "".join(f"x{k} = fmaf(x{k}, b, c);" for k in range(VALUES)) * 6
    + "} int end = clock(); int warp = threadIdx.x / 32;"
    + "if (threadIdx.x % 32 == 0) { ticks[2 * warp] = start; ticks[2 * warp + 1] = end; } out[threadIdx.x] = "
    + " + ".join(f"x{k}" for k in range(VALUES)) + ";}")
WARPS = (1, 4, 8, 12, 16, 32)
# Opcode and what else is in the words.
OPS = {"FFMA": (0x7223, 0x10000), "FADD": (0x7221, 0x10000), "FMUL": (0x7220, 0x410000), "IADD3": (0x7210, 0x07FFE000),
    "IMAD": (0x7224, 0x078E0200), "LOP3": (0x7212, 0x078E7800), "SHF": (0x7219, 0x10E00), "SEL": (0x7207, 0x04000000)}
def compiled():
    nvrtc = ctypes.CDLL(os.environ.get("NVRTC", "libnvrtc.so.13"))
    program, size = ctypes.c_void_p(), ctypes.c_size_t()
    options = [b"--gpu-architecture=sm_90", b"--ftz=true"]
    nvrtc.nvrtcCreateProgram(ctypes.byref(program), SOURCE.encode(), b"banks.cu", 0, None, None)
    assert nvrtc.nvrtcCompileProgram(program, len(options), (ctypes.c_char_p * len(options))(*options)) == 0
    nvrtc.nvrtcGetCUBINSize(program, ctypes.byref(size))
    cubin = ctypes.create_string_buffer(size.value)
    nvrtc.nvrtcGetCUBIN(program, cubin)
    return cubin.raw
def text_of(cubin):
    """Offset and size of the machine code (ELF, 64 bits)."""
    at, = struct.unpack_from("<Q", cubin, 0x28)
    num, names = struct.unpack_from("<HH", cubin, 0x3C)
    sections = [struct.unpack_from("<IIQQQQIIQQ", cubin, at + 64 * k) for k in range(num)]
    for section in sections:
        name = sections[names][4] + section[0]
        if cubin[name : cubin.index(b"\0", name)] == b".text.chains":
            return section[4], section[5]
def words(op, d, a, b, c, reuse="", stall=1):
    low, high = OPS[op]
    low |= d << 16 | a << 24 | b << 32
    high |= 0 if op in ("FADD", "FMUL", "SEL") else c
    kept = sum({"a": 1, "b": 2, "c": 4}[x] for x in reuse)
    return low, high | 7 << 46 | 7 << 49 | (stall < 3) << 45 | stall << 41 | kept << 58
def cases(regs):
    mod = [[r for r in regs if r % 4 == k] for k in range(4)]
    R = {"e0": mod[0][0], "e0b": mod[0][1], "e0c": mod[0][2], "e2": mod[2][0], "e2b": mod[2][1], "e2c": mod[2][2],
        "o1": mod[1][0], "o1b": mod[1][1], "o1c": mod[1][2], "o3": mod[3][0], "z": 255}
    even, odd = [r for r in regs if r % 2 == 0], [r for r in regs if r % 2]
    D = [r for r in regs if r not in even[:8] + odd[:8]]
    def alike(op, operands, reuse=""):
        chosen = ([R[x] for x in operands.split()] + [255])[:3]
        name = f"{op} {operands}" + (f" reuse {reuse}" if reuse else "")
        return name, [(op, D[k], *chosen, reuse, 1) for k in range(8)]
    for operands in ("e0 e0 e0,e0 e0 o1,e0 o1 e0,o1 e0 e0,e0 e0 e2,e0 e0 e0b,e0 e2 o1,e0 e0b o1,e0 o1 e2,o1 e0 e2,o1 e0 e0b,"
        "e0 o1 o3,o1 o3 e0,o1 e0 o3,o1 o1b e0,e0 e2 e0b,e0 e0b e0c,o1 o1b o1c,o1 o3 o1b,e0 o1 z,e0 e2 z,z z z,e0 o1 o1,e0 e2 e2").split(","):
        yield alike("FFMA", operands)
    for operands, reuse in (("e0 e2 o1", "a"), ("e0 e2 o1", "b"), ("e0 e2 o1", "c"), ("e0 e2 o1", "bc"), ("e0 e2 e0b", "a"),
        ("e0 e2 e0b", "bc"), ("e0 e2 e0b", "abc")):
        yield alike("FFMA", operands, reuse)
    for op, operands in (("FADD", "e0 o1"), ("FADD", "e0 e2"), ("FADD", "e0 e0"), ("FMUL", "e0 e2"), ("IADD3", "e0 e2 o1"),
        ("IADD3", "e0 e2 e0b"), ("IMAD", "e0 o1 z"), ("IMAD", "e0 e2 o1"), ("IMAD", "e0 e2 e0b"), ("LOP3", "e0 e2 o1"),
        ("LOP3", "e0 e2 e0b"), ("SHF", "e0 e2 e0b"), ("SEL", "e0 e2")):
        yield alike(op, operands)
    one = lambda d, *operands: ("FFMA", d, *operands, "", 1)
    K, K3 = one(D[0], R["e0"], R["e2"], R["o1"]), one(D[0], R["e0"], R["e2"], R["e0b"])
    KO = one(D[1], R["o1"], R["o3"], R["e0"])
    L, M, Z = (one(D[1], x, x, 255) for x in (R["o1"], R["e0"], 255))
    kinds = {"K": K, "K3": K3, "KO": KO, "L": L, "M": M, "Z": Z}
    for row in ("K Z,K L,K M,K KO,K3 Z,K3 L,K3 M,K3 KO,K3 Z Z,K3 L L,K3 K,K K Z Z,K3 K3 Z Z Z Z,K K K Z Z Z,K Z Z,M Z").split(","):
        yield f"row {row}", [kinds[x] for x in row.split()]
    # Chains: each instruction needs the result of the one before it, or before that one.
    x, w, y = R["e2b"], R["e2c"], R["o3"]
    link = lambda x, b, c, reuse, stall: ("FFMA", x, x, R[b], R[c], reuse, stall)
    for b, c in (("e0", "o1"), ("o1", "z"), ("e0", "e0b"), ("e0", "z")):
        yield f"chain e {b} {c}", [link(x, b, c, "", 4)]
    yield "chain e e0 o1 reuse bc", [link(x, "e0", "o1", "bc", 4)]
    yield "2 chains e e", [link(x, "e0", "o1", "", 1), link(w, "e0", "o1", "", 3)]
    yield "2 chains e reuse bc e", [link(x, "e0", "o1", "bc", 1), link(w, "e0", "o1", "", 3)]
    yield "2 chains e reuse bc o", [link(x, "e0", "o1", "bc", 1), link(y, "e0", "o1", "", 3)]
def make(folder):
    cubin = compiled()
    at, size = text_of(cubin)
    places = [k for k in range(at, at + size, 16) if struct.unpack_from("<Q", cubin, k)[0] & 0xFFF == 0x223]
    regs = sorted({cubin[k + 2] for k in places})
    assert len(places) == 6 * VALUES
    os.makedirs(folder, exist_ok=True)
    names = []
    for name, pattern in cases(regs):
        patched = bytearray(cubin)
        for step, place in enumerate(places):
            struct.pack_into("<QQ", patched, place, *words(*pattern[step % len(pattern)]))
        open(f"{folder}/{len(names)}.cubin", "wb").write(patched)
        names.append(name)
    json.dump(names, open(f"{folder}/names.json", "w"))
def run(folder):
    import cupy as cp, numpy as np
    out = cp.zeros(1024, dtype=cp.float32)
    print(f"# {cp.cuda.runtime.getDeviceProperties(0)['name'].decode()}")
    print("case,warps,cycles an instruction of a scheduler,least,most")
    for number, name in enumerate(json.load(open(f"{folder}/names.json"))):
        kernel = cp.RawModule(path=f"{folder}/{number}.cubin").get_function("chains")
        for warps in WARPS:
            def one(n):
                ticks = cp.zeros(64, dtype=cp.int32)
                kernel((1,), (32 * warps,), (ticks, out, np.float32(0.999), np.float32(0.001), np.int32(n)))
                ticks = ticks.get().astype(np.int64)[: 2 * warps]
                return int(ticks[1::2].max() - ticks[0::2].min())
            one(16)
            got = sorted((one(64) - one(32)) / (32 * 6 * VALUES * max(1, warps / 4)) for _ in range(5))
            print(f"{name},{warps},{got[2]:.4f},{got[0]:.4f},{got[4]:.4f}", flush=True)
{"make": make, "run": run}[sys.argv[1]](sys.argv[2])
