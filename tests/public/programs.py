#!/usr/bin/env python3
"""Compares whole programs of public CUDA code: Warpscope's runs with what g++ makes of the same program.

usage: programs.py --warpscope BIN --csv OUT.csv [--include FOLDER] [--sample N] [--limit N] [--seconds S] [--jobs N] ROOT...

ROOT and FOLDER are as in kernels.py. A program is a .cu file with a main() and launches, with the checkout's own headers
in place. `warpscope launches` reads the launches from main(). Of each kernel the first launch that is read whole is run
by `warpscope run --launch N --json --outputs` with multiplications and additions apart, and the program itself, with
its launches replaced by calls of a shim (shim.h), is compiled by g++ and run. Then the buffers after the launch are compared:
integers exactly, floats with a relative tolerance of 1e-5 and doubles of 1e-9 (of the largest value of the buffer), as sums
by atomic operations and functions such as sine have other roundings.

The CSV has a row a kernel with its program and a status:
  equal                all buffers that the kernel may write are equal
  differs              a buffer differs; `detail` says where first
  not read             a part of the launch is not known; `detail` says which
  too large            Warpscope's run takes longer than S seconds
  shim                 g++ does not compile the program over the shim, or it ends before the launch
  does not compile     Warpscope does not compile the kernel
  fault                Warpscope's run does not finish
  no launch            no launch is read from main()
"""
import argparse
import array
import concurrent.futures
import csv
import json
import os
import pathlib
import re
import subprocess
import tempfile

import kernels

HERE = pathlib.Path(__file__).resolve().parent
STUBS = ("cuda_runtime.h", "cuda.h", "cuda_runtime_api.h", "device_launch_parameters.h", "helper_cuda.h", "helper_functions.h",
         "helper_string.h", "helper_timer.h", "device_functions.h", "cuda_profiler_api.h", "driver_types.h", "vector_types.h",
         "math_constants.h", "sm_20_atomic_functions.h", "helper_math_unused.h", "builtin_types.h", "math_functions.h", "cutil.h")
CODES = {"char": "b", "signed char": "b", "unsigned char": "B", "short": "h", "unsigned short": "H", "int": "i", "unsigned int": "I",
         "unsigned": "I", "long long": "q", "unsigned long long": "Q", "float": "f", "double": "d"}
TOLERANCE = {"float": 1e-5, "double": 1e-9}


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
    text = re.sub(r"\bextern\s+(?:volatile\s+)?__shared__\s+(?:__align__\(\w+\)\s+)?(?:volatile\s+)?((?:unsigned\s+|long\s+)*[\w:]+)\s+(\w+)\s*\[\s*\]",
                  r"\1 *\2 = (\1 *)shim::dynamic_shared", text)
    return text


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
    native = array.array(CODES[kind])
    data = path.read_bytes()
    native.frombytes(data[:len(data) // native.itemsize * native.itemsize])
    if len(native) != len(values):
        return f"{len(values)} elements, native {len(native)}"
    ours = [float(v) if kind in TOLERANCE else int(v) for v in values]
    finite = [abs(v) for v in native if v == v and abs(v) != float("inf")] if kind in TOLERANCE else []
    slack = TOLERANCE.get(kind, 0) * max(finite, default=0)
    for i, (a, b) in enumerate(zip(ours, native)):
        if a != b and not (a != a and b != b) and not abs(a - b) <= max(slack, TOLERANCE.get(kind, 0) * abs(b)):
            return f"element {i} is {a}, native {b}"
    return None


def compare(warpscope, checkout, unit, seconds):
    """Returns rows (kernel, status, detail) of a program."""
    with tempfile.TemporaryDirectory() as tmp:
        tmp = pathlib.Path(tmp)
        text = checkout.inlined(unit)[0]
        source = tmp / "program.cu"
        source.write_text(text)
        code, out, err = run([warpscope, "launches", source, "--json"], 60)
        if code not in (0, 1):
            return [("", "no launch", "the reading takes longer than 60 s" if code is None else (err.strip().splitlines() or ["?"])[-1])]
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
                    rows.append((launch["kernel"], "not read", "; ".join(f"{g['what']}: {g['why']}" for g in launch["guessed"])[:200]))
        if not chosen:
            return rows
        # The program natively.
        native = tmp / "native"
        native.mkdir()
        stubs = tmp / "stubs"
        stubs.mkdir()
        for stub in STUBS:
            (stubs / stub).write_text('#include "shim.h"\n')
        cxx = tmp / "program.cpp"
        cxx.write_text('#include "shim.h"\n#line 1\n' + for_gxx(text))
        fibers = ["-DSHIM_FIBERS"] if re.search(r"__sync|__shfl|__ballot|__any|__all|cooperative_groups", text) else []
        code, _, err = run(["g++", "-std=c++17", "-O1", "-fwrapv", "-ffp-contract=off", "-fno-strict-aliasing", "-fpermissive", "-w", *fibers,
                            f"-I{HERE}", f"-I{stubs}", cxx, "-o", tmp / "program"], 120)
        if code != 0:
            first = next((l for l in err.splitlines() if "error" in l), "g++ takes longer than 120 s")
            return rows + [(k, "shim", re.sub(r"^.*?error: ", "", first)[:120]) for k in chosen]
        run([tmp / "program"], seconds, env=dict(os.environ, SHIM_OUT=str(native)), cwd=tmp, stdin=subprocess.DEVNULL)
        for kernel, (number, launch) in chosen.items():
            where = f"{launch['line']}-{launch['nth']}"
            if not (native / f"{where}.done").exists():
                rows.append((kernel, "shim", f"the native program does not get behind line {launch['line']}"))
                continue
            code, out, err = run([warpscope, "run", source, "--launch", number, "--json", "--outputs", "--no-checks", "--fmad", "off"], seconds)
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
            for output in result["values"]:
                path = native / f"{where}-{output['argument']}.bin"
                if path.exists():
                    found = found or difference(output["values"], output["type"], path)
                    num_compared += len(output["values"])
            if found:
                rows.append((kernel, "differs", found))
            elif num_compared == 0:
                rows.append((kernel, "not read", "no buffer to compare"))
            else:
                rows.append((kernel, "equal", f"{num_compared} values, {result.get('cycles', '?')} cycles"))
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
    parser.add_argument("--skip", default="", help="regular expression of programs to leave out")
    parser.add_argument("root", nargs="+", type=pathlib.Path)
    args = parser.parse_args()
    extra = [args.include.resolve()] if args.include else []
    todo = []
    for root in args.root:
        checkout = Programs(root, args.sample, extra)
        units = [u for u in checkout.units if u.suffix == ".cu"]
        has_main = lambda u: "<<<" in (t := kernels.blank(kernels.text_of(u))) and re.search(r"\bmain\s*\(", t)
        units = [u for u in units if has_main(u) and not (args.skip and re.search(args.skip, checkout.label(u)))]
        todo += [(checkout, u) for u in (units[:args.limit] if args.limit else units)]
    rows = []
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        results = pool.map(lambda job: compare(args.warpscope, *job, args.seconds), todo)
        for (checkout, unit), found in zip(todo, results):
            for kernel, status, detail in found:
                rows.append((checkout.name, checkout.label(unit), kernel, status, detail))
                print(f"{status:18} {checkout.label(unit)} {kernel} {detail}", flush=True)
    with args.csv.open("w", newline="") as out:
        writer = csv.writer(out)
        writer.writerow(["repository", "program", "kernel", "status", "detail"])
        writer.writerows(rows)
    counts = {}
    for row in rows:
        counts[row[3]] = counts.get(row[3], 0) + 1
    equal = {row[:2] for row in rows if row[3] == "equal"} - {row[:2] for row in rows if row[3] == "differs"}
    print(f"{len(todo)} programs, {len(equal)} of them run and are equal; kernels: " + ", ".join(f"{n} {s}" for s, n in sorted(counts.items())))


if __name__ == "__main__":
    main()
