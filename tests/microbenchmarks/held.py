"""Instructions after a matrix product: cycles for which dispatch holds them; prints CSV rows on stdout.

A kernel with a loop of HMMA is compiled by nvcc, and the machine code of the loop is replaced: `held.py make FOLDER` writes
the kernels there (needs nvcc of CUDA 13), `held.py run FOLDER` times them on the GPU with one warp. A loop has 40 times a
product, in a chosen cycle after it another instruction, and NOPs up to 30 cycles; the cycles held are what a round takes
longer than with NOP in its place. What the kernels compute has no meaning. E: a read of an even register, O: of an odd one,
reads of one bank in a row; a product without a sum has RZ in its place. In a run of products every product
follows six cycles after the one before, and the instruction stands behind every eighth."""
import json, os, struct, subprocess, sys
SOURCE = r"""extern "C" __global__ void chains(unsigned *times, float *out, const unsigned *in)
{
    float c[8][4] = {};
    const unsigned *words = in + threadIdx.x;
    unsigned a[4] = {words[0], words[1024], words[2048], words[3072]}, b[2] = {words[4096], words[5120]};
    __syncthreads();
    const unsigned start = clock();
#pragma unroll 1
    for (int round = 0; round < 64; round++)
#pragma unroll
        for (int k = 0; k < 40; k++)
#pragma unroll
            for (int chain = 0; chain < 8; chain++)
                asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3},{%4,%5,%6,%7},{%8,%9},{%0,%1,%2,%3};"
                    : "+f"(c[chain][0]), "+f"(c[chain][1]), "+f"(c[chain][2]), "+f"(c[chain][3])
                    : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
    const unsigned end = clock();
    float sum = 0;
    for (int chain = 0; chain < 8; chain++) sum += c[chain][0] + c[chain][3];
    out[threadIdx.x] = sum;
    if (threadIdx.x % 32 == 0) { times[2 * (threadIdx.x / 32)] = start; times[2 * (threadIdx.x / 32) + 1] = end; }
}"""
FREE = 39
def section(cubin, wanted):
    at, = struct.unpack_from("<Q", cubin, 0x28)
    num, names = struct.unpack_from("<HH", cubin, 0x3C)
    sections = [struct.unpack_from("<IIQQQQIIQQ", cubin, at + 64 * k) for k in range(num)]
    for part in sections:
        name = sections[names][4] + part[0]
        if cubin[name : cubin.index(b"\0", name)] == wanted:
            return part[4], part[5]
def with_stall(words, stall, wait=0):
    """Sets the stall count; no yield, no scoreboards."""
    return words[0], words[1] & (1 << 41) - 1 | stall << 41 | 1 << 45 | 7 << 46 | 7 << 49 | wait << 52
def branch(words, from_, to):
    part = (to - from_ - 16) // 4
    return words[0] & 0xFFFF | (part & 0xFF) << 16 | (part >> 8 & (1 << 30) - 1) << 34, words[1] & ~0x3FFFF | part >> 38 & 0x3FFFF
def make(folder):
    os.makedirs(folder, exist_ok=True)
    open(f"{folder}/held.cu", "w").write(SOURCE)
    subprocess.run([os.environ.get("NVCC", "nvcc"), "-O3", "-arch=sm_90", "-cubin", f"{folder}/held.cu", "-o", f"{folder}/held.cubin"], check=True)
    cubin = open(f"{folder}/held.cubin", "rb").read()
    start, size = section(cubin, b".text.chains")
    code = [struct.unpack_from("<QQ", cubin, start + 16 * k) for k in range(size // 16)]
    first = lambda opcode: next(k for k, words in enumerate(code) if words[0] & 0xFFF == opcode)
    loop, end = first(0x23C), first(0x947)
    others = [code[k] for k in range(loop, end) if code[k][0] & 0xFFF not in (0x23C, 0x918)]
    count, compare = others[0], others[1]
    compare = compare[0] & 0xFFFFFFFF | 8 << 32, compare[1]
    hmma, nop, back = code[loop + 8], code[first(0x918)], code[end]
    def product(stall, sums=8):
        low = hmma[0] & ~0xFFFFFF0000 & (1 << 64) - 1 | 8 << 16 | 4 << 24 | 2 << 32
        return with_stall((low, hmma[1] & ~0xFF | sums), stall)
    low = lambda op, a, b: op | FREE << 16 | a << 24 | b << 32
    kinds = {
        "MOV of a constant": (0x7802 | FREE << 16 | 5 << 32, 0xF00), "MOV E": (low(0x7202, 0, 4), 0xF00), "MOV O": (low(0x7202, 0, 5), 0xF00),
        "FADD EE": (low(0x7221, 4, 2), 0), "FADD OO": (low(0x7221, 5, 3), 0), "FADD EO": (low(0x7221, 4, 3), 0),
        "FFMA EEE": (low(0x7223, 4, 2), 0x10000 | 6), "IMAD of RZ": (low(0x7224, 255, 255), 0x78E0200 | 255), "ISETP": compare, "NOP": nop}
    def fill(cycles):
        return [with_stall(nop, min(11, cycles - done)) for done in range(0, cycles, 11)]
    cases = {}
    def case(name, body):
        assert loop + len(body) + 4 < end
        patched = bytearray(cubin)
        put = lambda place, words: struct.pack_into("<QQ", patched, start + 16 * place, *words)
        put(loop - 1, with_stall(nop, 7, 32))
        body = body + [with_stall(count, 5), with_stall(compare, 11)] + fill(11)
        for k, words in enumerate(body):
            put(loop + k, words)
        at = loop + len(body)
        put(at, with_stall(branch(back, 16 * at, 16 * loop), 11))
        put(at + 1, with_stall(branch((back[0] & ~0xF000 | 0x7000, back[1]), 16 * (at + 1), 16 * (end + 1)), 5))
        open(f"{folder}/{len(cases)}.cubin", "wb").write(patched)
        cases[name] = len(cases)
    def both(stall, sums=8):
        return [product(min(stall, 11), sums)] + fill(max(0, stall - 11))
    for name, words in kinds.items():
        for after in list(range(1, 15)) + [18, *range(20, 27)]:
            case(f"{name},{after}", (both(after) + [with_stall(words, 1)] + fill(29 - after)) * 40)
    for name in ("MOV of a constant", "FADD EE", "NOP"):
        for after in range(1, 13):
            case(f"{name} after a product without a sum,{after}", (both(after, 255) + [with_stall(kinds[name], 1)] + fill(29 - after)) * 40)
    json.dump(list(cases), open(f"{folder}/names.json", "w"))
def run(folder):
    import cupy as cp
    out, words = cp.zeros(1024, dtype=cp.float32), cp.zeros(8192, dtype=cp.uint32)
    took = {}
    for number, name in enumerate(json.load(open(f"{folder}/names.json"))):
        kernel = cp.RawModule(path=f"{folder}/{number}.cubin").get_function("chains")
        runs = []
        for _ in range(6):
            times = cp.zeros(64, dtype=cp.uint32)
            kernel((1,), (32,), (times, out, words))
            runs.append(int(times[1]) - int(times[0]))
        took[name] = min(runs) / 320
    print(f"# {cp.cuda.runtime.getDeviceProperties(0)['name'].decode()}")
    print("instruction,cycles after the product,cycles held")
    for name, cycles in took.items():
        base = took[("NOP after a product without a sum" if "without" in name else "NOP") + "," + name.split(",")[1]]
        print(f"{name},{cycles - base:.2f}")
{"make": make, "run": run}[sys.argv[1]](sys.argv[2])
