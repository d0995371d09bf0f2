#!/usr/bin/env python3
"""Compares whole programs of public CUDA code: Warpscope's runs with what g++ makes of the same program.

usage: programs.py --warpscope BIN --csv OUT.csv [--include FOLDER] [--sample N] [--limit N] [--seconds S] [--jobs N] ROOT...

ROOT and FOLDER are as in kernels.py. A program is a .cu file with a main() and launches, with the checkout's own headers
in place. `warpscope launches` reads the launches from main(). Of each kernel the first launch that is read whole is run
by `warpscope run --launch N --json` with multiplications and additions apart, and the program itself, with
its launches replaced by calls of a shim (shim.h), is compiled by g++ and run. Then the buffers after the launch are compared:
integers exactly, floats with a relative tolerance of 1e-5 and doubles of 1e-9 (of the largest value of the buffer), as sums
by atomic operations and functions such as sine have other roundings; halves of 2e-3.

What a program gets on its command line: the words of the first line of arguments.txt that matches it; else those of the `run:` line
of its Makefile, with numbers cut for a simulator: each whole number is at most the cap, which is 64, then 16 if a
run is too large; and the last number at most 2 where the program's usage text calls it a number of
repetitions. Warpscope and the native program get the same words. Memory of the host that a program never writes holds the
byte 0xcd in both.

The CSV has a row a kernel with its program and a status:
  equal                all buffers that the kernel may write are equal
  differs              a buffer differs; `detail` says where first
  race                 a buffer differs, and racecheck reports threads that access it in no order
  not read             a part of the launch is not known; `detail` says which
  too large            Warpscope's run takes longer than S seconds
  shim                 g++ does not compile the program over the shim, or it ends before the launch
  does not compile     Warpscope does not compile the kernel
  fault                Warpscope's run does not finish
  no launch            no launch is read from main()

The last line counts programs: those whose kernels that main() launches are all equal, and those of which at least one is
equal and none differs.
"""
import argparse
import concurrent.futures
import csv
import json
import os
import pathlib
import re
import struct
import subprocess
import tempfile

import kernels

HERE = pathlib.Path(__file__).resolve().parent
STUBS = ("cuda_runtime.h", "cuda.h", "cuda_runtime_api.h", "device_launch_parameters.h", "helper_cuda.h", "helper_functions.h",
         "helper_string.h", "helper_timer.h", "device_functions.h", "cuda_profiler_api.h", "cublas_v2.h", "curand.h", "driver_types.h", "vector_types.h",
         "math_constants.h", "sm_20_atomic_functions.h", "helper_math_unused.h", "builtin_types.h", "math_functions.h", "cutil.h", "cooperative_groups.h", "cuda_fp16.h",
         "cooperative_groups/reduce.h", "device_atomic_functions.h", "vector_functions.h", "helper_cuda_drvapi.h", "cuda_fp16.hpp")
CODES = {"char": "b", "signed char": "b", "unsigned char": "B", "short": "h", "unsigned short": "H", "int": "i", "unsigned int": "I",
         "unsigned": "I", "long long": "q", "unsigned long long": "Q", "long": "q", "unsigned long": "Q", "bool": "B", "half": "e", "__half": "e", "float": "f", "double": "d",
         "i8": "b", "u8": "B", "i16": "h", "u16": "H", "i32": "i", "u32": "I", "i64": "q", "u64": "Q", "f16": "e", "f32": "f", "f64": "d"}
TOLERANCE = {"half": 2e-3, "__half": 2e-3, "float": 1e-5, "double": 1e-9, "f16": 2e-3, "f32": 1e-5, "f64": 1e-9}
GXX = ["g++", "-std=c++17", "-O1", "-fwrapv", "-ffp-contract=off", "-fno-strict-aliasing", "-fpermissive", "-w"]
CAPS = (64, 16)


class Programs(kernels.Checkout):
    """A checkout whose helper headers, which only check errors and take times, are the shim's."""

    def resolve(self, name, is_quoted, path, unit):
        if pathlib.Path(name).name in STUBS:
            return None
        return super().resolve(name, is_quoted, path, unit)


def split_arguments(text):
    """Returns the parts of a text between its outermost commas."""
    parts, depth, start = [], 0, 0
    for i, c in enumerate(text):
        depth += (c in "([{") - (c in ")]}")
        if c == "," and depth == 0:
            parts.append(text[start:i])
            start = i + 1
    return [p for p in parts + [text[start:]] if p.strip()]


def for_gxx(text):
    """Returns the program with its launches as calls of the shim, and with dynamic shared memory."""
    bare = kernels.blank(text)
    pieces, at = [], 0
    for m in re.finditer(r"<<<", bare):
        if m.start() < at:
            continue
        close = bare.find(">>>", m.end())
        paren = bare.find("(", close)
        if close < 0 or paren < 0 or bare[close + 3:paren].strip():
            continue
        end = kernels.end_of_group(bare, paren, "()")
        name = re.search(r"[\w:]+\s*(?:<[^;{}()]*(?:\([^()]*\)[^;{}()]*)*>)?\s*$|\w+(?:\[[^\]]*\])+\s*$", bare[:m.start()])
        if not name:
            continue
        line = text.count("\n", 0, m.start()) + 1
        config = ", ".join(f"({p.strip()})" if not p.strip().startswith("{") else p.strip() for p in split_arguments(text[m.end():close]))
        args = text[paren + 1:end - 1]
        pieces.append(text[at:name.start()])
        more = f", {args}" if args.strip() else ""
        pieces.append(f"shim::launch({line}, shim::Config({config}), [&](auto... shim_a) {{ {text[name.start():m.start()].strip()}(shim_a...); }}{more})")
        at = end
    text = "".join(pieces) + text[at:]
    text = re.sub(r"\bextern\s+(?:volatile\s+)?__shared__\s+(?:(?:__align__|alignas)\s*\((?:[^()]|\([^()]*\))*\)\s+)?(?:volatile\s+)?((?:unsigned\s+|long\s+)*[\w:]+)\s+(\w+)\s*\[\s*\]",
                  r"\1 *\2 = (\1 *)shim::dynamic_shared", text)
    # In the shim, `__shared__` is `static`.
    return re.sub(r"\bstatic\s+__shared__", "__shared__", text)


def run(command, seconds, **more):
    """Returns (exit code, standard output, standard error); the code of one that takes too long is None."""
    try:
        r = subprocess.run([str(c) for c in command], capture_output=True, timeout=seconds, **more)
        return r.returncode, r.stdout.decode(errors="replace"), r.stderr.decode(errors="replace")
    except subprocess.TimeoutExpired:
        return None, "", ""


def difference(values, kind, path):
    """Returns where a buffer differs from the file that the shim wrote, or None."""
    if kind not in CODES:
        return f"type {kind} is not compared"
    data, width = path.read_bytes(), struct.calcsize(CODES[kind])
    native = struct.unpack(f"<{len(data) // width}{CODES[kind]}", data[:len(data) // width * width])
    if len(native) != len(values):
        return f"{len(values)} elements, native {len(native)}"
    # JSON has no number for a NaN: "nan(0x7fffffff)" gives its bits.
    ours = [float(str(v).split("(")[0]) if kind in TOLERANCE else int(v) for v in values]
    finite = [abs(v) for v in native if v == v and abs(v) != float("inf")] if kind in TOLERANCE else []
    slack = TOLERANCE.get(kind, 0) * max(finite, default=0)
    for i, (a, b) in enumerate(zip(ours, native)):
        if a != b and not (a != a and b != b) and not abs(a - b) <= max(slack, TOLERANCE.get(kind, 0) * abs(b)):
            return f"element {i} is {a}, native {b}"
    return None


def table():
    """Returns the lines of arguments.txt: (regular expression, words)."""
    lines = [l for l in (HERE / "arguments.txt").read_text().splitlines() if l.strip() and not l.startswith("#")]
    return [(re.compile(l.split(" : ")[0]), l.split(" : ")[1].split()) for l in lines]


def rungs(checkout, unit, text):
    """Returns what to try a program with, the largest first: (words, macros)."""
    label = checkout.label(unit)
    for pattern, words in table():
        if pattern.search(label):
            macros = [w[2:].split("=") for w in words if w.startswith("-D")]
            return [([w for w in words if not w.startswith("-D")], macros)]
    makefile = next((f for f in (unit.parent / "Makefile", unit.parent.parent / "Makefile") if f.is_file()), None)
    lines = re.findall(r"^\t[^\n]*\./\$[({]\w+[)}]([^\n|>&;]*)", kernels.text_of(makefile).replace("\\\n", " "), re.M) if makefile else []
    words = next((l.split() for l in lines if l.strip()), [])
    if not words:
        return [([], [])]
    usage = " ".join(re.findall(r'"[^"\n]*[Uu]sage[^"\n]*"(?:\s*"[^"\n]*")*', text))
    names = re.findall(r"<([^<>]*)>", usage)
    repeats = bool(names) and re.search("repeat|iter|times|runs|steps", names[-1], re.I)
    numbers = [i for i, w in enumerate(words) if re.fullmatch(r"\d+", w)]
    tried = []
    for cap in CAPS:
        now = [str(min(int(w), cap)) if i in numbers else w for i, w in enumerate(words)]
        if numbers and repeats:
            now[numbers[-1]] = str(min(int(words[numbers[-1]]), 2))
        if (now, []) not in tried:
            tried.append((now, []))
    return tried


def with_sources(checkout, unit):
    """Returns the program's text with its headers in place, and behind it the other source files that its Makefile names."""
    text = checkout.inlined(unit)[0]
    makefile = unit.parent / "Makefile"
    words = re.findall(r"[\w./-]+\.(?:cu|cpp|cc|c)\b", re.sub(r"#[^\n]*", "", kernels.text_of(makefile))) if makefile.is_file() else []
    if "polybench" in text:
        words.append("../../utilities/polybench.c" if (unit.parent / "../../utilities/polybench.c").is_file() else "../../../utilities/polybench.c")
    for word in dict.fromkeys(words):
        path = pathlib.Path(os.path.normpath(unit.parent / word))
        if path == unit or not path.is_file() or checkout.root not in path.parents or path in checkout.closure(unit):
            continue
        if path.suffix == ".cu" and re.search(r"\bmain\s*\(", kernels.blank(kernels.text_of(path))):
            continue
        text += "\n" + checkout.inlined(path)[0]
    return text


def compile_shim(folder):
    """Compiles shim.h ahead, with fibers and without, into folders of these names."""
    for name, option in (("fibers", ["-DSHIM_FIBERS"]), ("plain", [])):
        (folder / name).mkdir()
        (folder / name / "shim.h").write_text((HERE / "shim.h").read_text())
        run([*GXX, *option, "-x", "c++-header", folder / name / "shim.h", "-o", folder / name / "shim.h.gch"], 300)


def compare(warpscope, shim, checkout, unit, seconds):
    """Returns rows (kernel, status, detail) of a program."""
    inlined, rows = with_sources(checkout, unit), []
    for words, macros in rungs(checkout, unit, inlined):
        text = "".join(f"#define {name} {value[0] if value else 1}\n" for name, *value in macros) + inlined
        rows = compare_with(warpscope, shim, text, words, seconds)
        is_large = lambda row: row[1] == "too large" or re.search("steps|takes longer|takes too long", row[2]) or re.search(r"more than the? ?\d+ MB|is too large", row[2])
        if not any(is_large(row) for row in rows):
            break
    return rows


def race(warpscope, source, number, argv, seconds):
    """Returns what racecheck reports of a launch whose values depend on the order of threads, or nothing."""
    _, out, _ = run([warpscope, "run", source, "--launch", number, *argv, "--json", "--fmad", "off"], 4 * seconds)
    try:
        messages = [f["message"] for f in json.loads(out)[0]["findings"]]
    except (json.JSONDecodeError, IndexError, KeyError):
        return ""
    return "; " + next(m for m in messages if m.startswith("Race"))[:120] if any(m.startswith("Race") for m in messages) else ""


def compare_with(warpscope, shim, text, words, seconds):
    """Returns rows (kernel, status, detail) of a program's text with the words of a command line."""
    with tempfile.TemporaryDirectory() as tmp:
        tmp = pathlib.Path(tmp)
        source = tmp / "program.cu"
        source.write_text(text)
        argv = [f"--argv={' '.join(words)}"] if words else []
        code, out, err = run([warpscope, "launches", source, "--json", *argv], 2 * seconds)
        if code not in (0, 1):
            return [("", "no launch", f"the reading takes longer than {2 * seconds} s" if code is None else (err.strip().splitlines() or ["?"])[-1])]
        reading = json.loads(out)
        if not reading["launches"]:
            return [("", "no launch", "; ".join(n["text"] for n in reading["notes"])[:200])]
        chosen, rows, seen = {}, [], {}
        for number, launch in enumerate(reading["launches"], 1):
            launch["nth"] = seen.get(launch["line"], 0)
            seen[launch["line"]] = launch["nth"] + 1
            if launch["compiles"] and not launch["guessed"]:
                chosen.setdefault(launch["kernel"], (number, launch))
        for launch in reading["launches"]:
            if launch["kernel"] not in chosen and launch["kernel"] not in [r[0] for r in rows]:
                if not launch["compiles"]:
                    rows.append((launch["kernel"], "does not compile", ""))
                else:
                    rows.append((launch["kernel"], "not read", "; ".join(f"{g['what']}: {g['why']}" for g in launch["guessed"])[:300]))
        if not chosen:
            return rows
        # The program natively.
        native = tmp / "native"
        native.mkdir()
        stubs = tmp / "stubs"
        stubs.mkdir()
        for stub in STUBS:
            (stubs / stub).parent.mkdir(exist_ok=True)
            (stubs / stub).write_text('#include "shim.h"\n')
        cxx = tmp / "program.cpp"
        cxx.write_text('#include "shim.h"\n#line 1\n' + for_gxx(text))
        fibers = ["-DSHIM_FIBERS"] if re.search(r"__sync|__shfl|__ballot|__any|__all|__activemask|__reduce_|cooperative_groups", text) else []
        code, _, err = run([*GXX, *fibers, f"-I{shim / ('fibers' if fibers else 'plain')}", f"-I{stubs}", cxx, "-o", tmp / "program"], 120)
        if code != 0:
            first = next((l for l in err.splitlines() if "error" in l), "g++ takes longer than 120 s")
            return rows + [(k, "shim", re.sub(r"^.*?error: ", "", first)[:120]) for k in chosen]
        # Fresh memory of malloc is filled with the complement of this byte.
        code, _, err = run([tmp / "program", *words], seconds, env=dict(os.environ, SHIM_OUT=str(native), MALLOC_PERTURB_=str(0xcd ^ 0xff)), cwd=tmp, stdin=subprocess.DEVNULL)
        ended = "takes too long" if code is None else f"ends with {code} {(err.strip().splitlines() or [''])[-1]}"
        for kernel, (number, launch) in chosen.items():
            where = f"{launch['line']}-{launch['nth']}"
            if not (native / f"{where}.done").exists():
                rows.append((kernel, "shim", f"the native program does not get behind line {launch['line']}: it {ended}"[:200]))
                continue
            code, out, err = run([warpscope, "run", source, "--launch", number, *argv, "--json", "--no-checks", "--fmad", "off"], seconds)
            if code is None:
                rows.append((kernel, "too large", f"longer than {seconds} s"))
                continue
            try:
                result = json.loads(out)[0]
            except (json.JSONDecodeError, IndexError):
                rows.append((kernel, "fault", (err.strip().splitlines() or ["?"])[-1][:120]))
                continue
            kind = result.get("outcome", {}).get("kind") if isinstance(result.get("outcome"), dict) else result.get("outcome")
            if "error" in result or kind != "finished":
                rows.append((kernel, "fault", str(result.get("error", kind))[:120]))
                continue
            found, num_compared = None, 0
            for output in result["outputs"]:
                path = native / f"{where}-{output['argument']}.bin"
                if path.exists():
                    found = found or difference(output["values"], output["type"], path)
                    num_compared += len(output["values"])
            if found:
                races = race(warpscope, source, number, argv, seconds)
                rows.append((kernel, "race" if races else "differs", f"{' '.join(words)}: launch {number}, {found}{races}"))
            elif num_compared == 0:
                rows.append((kernel, "not read", "no buffer to compare"))
            else:
                rows.append((kernel, "equal", f"{num_compared} values, {result.get('cycles', '?')} cycles, arguments: {' '.join(words)}"))
        return rows


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--warpscope", required=True, type=pathlib.Path)
    parser.add_argument("--csv", required=True, type=pathlib.Path)
    parser.add_argument("--include", type=pathlib.Path)
    parser.add_argument("--sample", type=int, default=0)
    parser.add_argument("--limit", type=int, default=0, help="programs of a checkout at most")
    parser.add_argument("--seconds", type=int, default=60)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--only", default="", help="regular expression of the programs to take")
    parser.add_argument("--skip", default="", help="regular expression of programs to leave out")
    parser.add_argument("root", nargs="+", type=pathlib.Path)
    args = parser.parse_args()
    extra = [args.include.resolve()] if args.include else []
    todo = []
    for root in args.root:
        checkout = Programs(root, args.sample, extra)
        units = [u for u in checkout.units if u.suffix == ".cu"]
        has_main = lambda u: "<<<" in (t := kernels.blank(kernels.text_of(u))) and re.search(r"\bmain\s*\(", t)
        units = [u for u in units if has_main(u) and re.search(args.only, checkout.label(u))
                 and not (args.skip and re.search(args.skip, checkout.label(u)))]
        todo += [(checkout, u) for u in (units[:args.limit] if args.limit else units)]
    rows, statuses = [], {}
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        shim = pathlib.Path(folder)
        compile_shim(shim)
        results = pool.map(lambda job: compare(args.warpscope, shim, *job, args.seconds), todo)
        for (checkout, unit), found in zip(todo, results):
            for kernel, status, detail in found:
                rows.append((checkout.name, checkout.label(unit), kernel, status, detail))
                statuses.setdefault(unit, []).append(status)
                print(f"{status:18} {checkout.label(unit)} {kernel} {detail}", flush=True)
    with args.csv.open("w", newline="") as out:
        writer = csv.writer(out)
        writer.writerow(["repository", "program", "kernel", "status", "detail"])
        writer.writerows(rows)
    counts = {}
    for row in rows:
        counts[row[3]] = counts.get(row[3], 0) + 1
    whole = sum(set(found) == {"equal"} for found in statuses.values())
    partly = sum("equal" in found and "differs" not in found for found in statuses.values())
    print(f"{len(todo)} programs: of {whole} all kernels are equal, of {partly} at least one is and none differs; kernels: "
          + ", ".join(f"{n} {s}" for s, n in sorted(counts.items())))


if __name__ == "__main__":
    main()
