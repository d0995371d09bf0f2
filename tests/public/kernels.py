#!/usr/bin/env python3
"""Measures how many kernels of public CUDA code Warpscope compiles, compared with nvcc.

usage: kernels.py --warpscope BIN --cache NVCC.json --csv OUT.csv [--nvcc DIR] [--include FOLDER] [--details OUT.json]
                  [--sample N] ROOT...

ROOT is a folder with a checkout, named owner+name, as `git archive` writes it. DIR is a folder
with nvcc of the Python package index, so that it holds cu13/lib/python3*/site-packages/nvidia/cu13/bin; without it, nvcc's
verdicts come from the cache alone. FOLDER holds headers that all checkouts may include, such
as Common/ of cuda-samples. The script needs Python's standard library only.

What counts:
- A kernel is a definition with `__global__`, outside of macros and of `#if 0`. It is in a .cu file, in a .cuh file that
  no .cu file includes, or in a header of the checkout that such a file includes. Kernels with equal text count once a
  repository.
- nvcc compiles a kernel if it compiles a file with the kernel to a cubin for sm_75, and the cubin has the kernel. A
  template, and a kernel with internal linkage, may be missing from the cubin. nvcc gets the Makefile's `-I` and `-D`.
- Alone: Warpscope compiles the kernel from the text of the one file that defines the kernel.
- With local headers: Warpscope compiles the kernel from a .cu file that nvcc compiles, after this script has replaced
  each `#include` of a file of the checkout by that file's text, and each `-D` by a `#define` in front.
- A kernel template compiles if all of the instances that Warpscope reports compile, and there is one.
- A crash is an exit code other than 0 and 1, a panic, or a run longer than the time limit.
- A repository of programs in `src/NAME-cuda` contributes those folders only; `--sample N` takes N of them.

The CSV has a row a kernel: nvcc's verdict (yes, no, absent from the cubin, unknown), both of ours, and the first error.
The first error of a kernel is in the kernel's own lines if there is one there, else it is the first of the file.
"""
import argparse
import csv
import dataclasses
import functools
import hashlib
import json
import os
import pathlib
import re
import resource
import subprocess
import sys
import tempfile
import time

UNITS = (".cu", ".cuh")
INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*(["<])([^">\n]+)[">]', re.M)
HEADER_FOLDERS = ("include", "inc", "common", "Common", "utilities", "utils", "util", "shared/inc")
# Names in front of parentheses that are not the kernel's name.
ATTRIBUTES = {"__launch_bounds__", "__cluster_dims__", "__maxnreg__", "__attribute__", "__declspec", "alignas", "__align__",
              "__block_size__", "decltype", "noexcept"}
# CUDA 13 removed these functions of the host. The code of the kernels does not depend on them.
COMPATIBILITY = ["cudaThreadSynchronize=cudaDeviceSynchronize", "cudaThreadExit=cudaDeviceReset"]
TIME_LIMIT_S = 20
SLOW_S = 1.0
# A header's kernels are tried in at most this many of the files that include the header.
MAX_UNITS = 16


# ---- Source text -----------------------------------------------------------------------------------------------------


@functools.lru_cache(maxsize=None)
def text_of(path):
    """Returns the text of a file, with line ends as `\\n`."""
    return path.read_bytes().decode("utf-8", errors="replace").replace("\r\n", "\n").replace("\r", "\n").lstrip("\ufeff")


def blank(text):
    """Returns the text with spaces for comments, literals, and `#if 0` regions. Positions and lines stay."""
    token = re.compile(r'//(?:\\\n|[^\n])*|/\*.*?(?:\*/|\Z)|R"([^\s()\\]{0,16})\(.*?\)\1"|"(?:\\.|[^"\\\n])*"'
                       r"|(?<![0-9a-fA-F])'(?:\\.|[^'\\\n])*'", re.S)
    spaces = lambda m: re.sub(r"[^\n]", " ", m[0])
    text = token.sub(spaces, text)
    lines, stack = text.split("\n"), []
    for i, line in enumerate(lines):
        m = re.match(r"\s*#\s*(if|ifdef|ifndef|elif|else|endif)\b\s*(.*)", line)
        if m and m[1] in ("if", "ifdef", "ifndef"):
            stack.append(m[1] == "if" and m[2].strip() in ("0", "false"))
        elif m and m[1] == "endif" and stack:
            stack.pop()
        elif m and stack and stack[-1]:
            stack[-1] = False
        elif any(stack):
            lines[i] = " " * len(line)
    return "\n".join(lines)


def without_directives(text):
    """Returns blanked text with spaces for preprocessor lines and their continuations."""
    return re.sub(r"^[ \t]*#(?:\\\n|[^\n])*", lambda m: re.sub(r"[^\n]", " ", m[0]), text, flags=re.M)


@dataclasses.dataclass(frozen=True)
class Definition:
    """A kernel's definition in a file."""
    name: str
    line: int
    last_line: int
    digest: str
    is_template: bool
    is_internal: bool


def end_of_group(text, start, pair):
    """Returns the position behind the group that opens at `start`."""
    depth = 0
    for i in range(start, len(text)):
        depth += (text[i] == pair[0]) - (text[i] == pair[1])
        if depth == 0:
            return i + 1
    return len(text)


@functools.lru_cache(maxsize=None)
def definitions(path):
    """Returns the kernels that a file defines."""
    text = text_of(path)
    if "__global__" not in text:
        return ()
    code = without_directives(blank(text))
    has_anonymous_namespace = re.search(r"\bnamespace\s*\{", code) is not None
    found = []
    for m in re.finditer(r"\b__global__\b", code):
        name, i = None, m.end()
        while i < len(code) and code[i] not in "{;}":
            if code[i] == "(":
                before = re.search(r"(\w+)\s*$", code[m.end():i])
                end = end_of_group(code, i, "()")
                if before and before[1] not in ATTRIBUTES:
                    name = before[1]
                elif not before and code[m.end():i].rstrip().endswith(")") and name is not None:
                    name = re.findall(r"\w+", code[m.end():i])[-1]  # MACRO(kernel)(parameters)
                i = end
            else:
                i += 1
        if i >= len(code) or code[i] != "{" or name is None:
            continue
        end = end_of_group(code, i, "{}")
        start = max(code.rfind(c, 0, m.start()) for c in ";{}") + 1
        prefix = code[start:m.end()]
        digest = hashlib.sha256(re.sub(r"\s+", "", code[start:end]).encode()).hexdigest()[:16]
        head = code[start:i]
        found.append(Definition(name, code.count("\n", 0, m.start()) + 1, code.count("\n", 0, end) + 1, digest,
                                re.search(r"\btemplate\s*<\s*[^>\s]", prefix) is not None,
                                has_anonymous_namespace or re.search(r"\bstatic\b", head) is not None))
    return tuple(found)


# ---- A checkout ------------------------------------------------------------------------------------------------------


class Checkout:
    """A repository's folder: its files, its header folders, and its Makefiles' options."""

    def __init__(self, root, sample, extra):
        self.extra = extra  # header folders of another checkout
        self.root, self.name = root.resolve(), root.name.replace("+", "/", 1)
        programs = sorted(self.root.glob("src/*-cuda"), key=lambda p: hashlib.sha256(p.name.encode()).hexdigest())
        self.num_programs = len(programs)
        self.programs = programs[:sample] if sample else programs
        folders = self.programs or [self.root]
        self.units = sorted(p for f in folders for p in f.rglob("*") if p.suffix in UNITS and p.is_file())

    def label(self, path):
        return str(path.relative_to(self.root)) if self.root in path.parents else str(path)

    @functools.lru_cache(maxsize=None)
    def options(self, folder):
        """Returns the include folders and the `-D` of files in a folder."""
        folders, defines, makefile = [folder], {}, None
        for above in [folder, *folder.parents]:
            if above != self.root and self.root not in above.parents:
                break
            folders += [above, *(above / n for n in HEADER_FOLDERS)]
            makefile = makefile or next((above / n for n in ("Makefile", "Makefile_nvidia") if (above / n).is_file()), None)
        if makefile:
            words = re.sub(r"#[^\n]*", "", text_of(makefile))
            for m in re.finditer(r"(?<=\s)-I\s*([\w./-]+)", words):
                folders.append((makefile.parent / m[1]).resolve())
            for m in re.finditer(r"(?<=\s)-D\s*([A-Za-z_]\w*)(?:=([\w.]+))?(?=\s)", words):
                if m[1] not in ("DEBUG", "_DEBUG"):
                    defines.setdefault(m[1], m[2] or "1")
        return [f for f in dict.fromkeys(folders + self.extra) if f.is_dir()], defines

    def resolve(self, name, is_quoted, path, unit):
        """Returns the checkout's file that an `#include` in `path` means, or None."""
        folders = self.options(unit.parent)[0]
        for folder in ([path.parent] if is_quoted else []) + folders:
            found = pathlib.Path(os.path.normpath(folder / name))
            if found.is_file() and (self.root in found.parents or any(e in found.parents for e in self.extra)):
                return found
        return None

    @functools.lru_cache(maxsize=None)
    def closure(self, unit):
        """Returns the unit and all of the checkout's files that it includes, directly or not."""
        seen, todo = {unit: None}, [unit]
        while todo:
            path = todo.pop()
            for m in INCLUDE.finditer(blank_comments(path)):
                found = self.resolve(m[2], m[1] == '"', path, unit)
                if found and found not in seen:
                    seen[found] = None
                    todo.append(found)
        return tuple(seen)

    def inlined(self, unit):
        """Returns the unit's text with the checkout's headers in place, and for each line its file and number."""
        lines, origin, unconditional = [], [], set()
        for name, value in self.options(unit.parent)[1].items():
            lines.append(f"#define {name} {value}")
            origin.append((unit, 0))

        def insert(path, stack, is_conditional):
            text, bare = text_of(path).split("\n"), blank_comments(path)
            is_once = re.search(r"^\s*#\s*pragma\s+once\b", bare, re.M) is not None
            guard = re.match(r"\s*#\s*(?:ifndef\s+(\w+)|if\s+!\s*defined\s*\(?\s*(\w+)\s*\)?)\s*\n\s*#\s*define\s+(\w+)", bare)
            is_guarded = guard is not None and (guard[1] or guard[2]) == guard[3]
            depth = -1 if is_guarded else 0
            if (is_once or is_guarded) and path in unconditional:
                return
            if (is_once or is_guarded) and not is_conditional:
                unconditional.add(path)
            marker = "INLINED_" + re.sub(r"\W", "_", self.label(path))
            if is_once and stack:
                lines.extend([f"#ifndef {marker}", f"#define {marker}"])
                origin.extend([(path, 1), (path, 1)])
            for number, (line, bare_line) in enumerate(zip(text, bare.split("\n")), 1):
                m = INCLUDE.match(bare_line)
                found = self.resolve(m[2], m[1] == '"', path, unit) if m else None
                if found and found not in stack and found != path and len(stack) < 40:
                    insert(found, stack + (path,), is_conditional or depth > 0)
                    continue
                if re.match(r"\s*#\s*if", bare_line):
                    depth += 1
                elif re.match(r"\s*#\s*endif", bare_line):
                    depth -= 1
                if re.match(r"\s*#\s*pragma\s+once\b", bare_line):
                    line = ""
                lines.append(line)
                origin.append((path, number))
            if is_once and stack:
                lines.append("#endif")
                origin.append((path, len(text)))

        insert(unit, (), False)
        return "\n".join(lines), origin


@functools.lru_cache(maxsize=None)
def blank_comments(path):
    """Returns a file's text with spaces for comments; literals stay, for they name the headers."""
    token = re.compile(r'//(?:\\\n|[^\n])*|/\*.*?(?:\*/|\Z)|"(?:\\.|[^"\\\n])*"', re.S)
    return token.sub(lambda m: m[0] if m[0][0] == '"' else re.sub(r"[^\n]", " ", m[0]), text_of(path))


# ---- The two compilers -----------------------------------------------------------------------------------------------


class Nvcc:
    """nvcc's verdicts on files, cached in a JSON file."""

    def __init__(self, folder, cache):
        self.bin = next(iter(sorted(folder.glob("cu13/lib/python3*/site-packages/nvidia/cu13/bin"))), None) if folder else None
        self.cache_path, self.unsaved = cache, 0
        self.cache = json.loads(cache.read_text()) if cache.exists() else {}

    def verdict(self, checkout, unit):
        """Returns {ok, entries, error, seconds} of a file; None if neither the cache nor nvcc is at hand."""
        key = f"{checkout.name}:{checkout.label(unit)}"
        if key not in self.cache and self.bin:
            self.cache[key] = self.compile(checkout, unit)
            self.unsaved += 1
            if self.unsaved >= 10:
                self.save()
        return self.cache.get(key)

    def compile(self, checkout, unit):
        folders, defines = checkout.options(unit.parent)
        started = time.monotonic()
        with tempfile.TemporaryDirectory() as tmp:
            out = pathlib.Path(tmp) / "a.cubin"
            command = [self.bin / "nvcc", "-arch=sm_75", "-std=c++17", "-cubin", "-w", "-Ofc", "max", "-x", "cu", "--extended-lambda",
                       "--expt-relaxed-constexpr", *(f"-D{d}" for d in COMPATIBILITY),
                       *(f"-D{n}={v}" for n, v in defines.items()), *(f"-I{f}" for f in folders), "-o", out, unit]
            env = dict(os.environ, PATH=f"{self.bin}:{os.environ['PATH']}", TMPDIR=tmp)
            for extra in ([], ["-rdc=true"]):  # kernels that launch kernels need separate compilation
                try:
                    r = subprocess.run([str(c) for c in command + extra], capture_output=True, env=env, timeout=600, cwd=tmp)
                    error, code = r.stdout.decode(errors="replace") + r.stderr.decode(errors="replace"), r.returncode
                except subprocess.TimeoutExpired:
                    error, code = "error: nvcc takes longer than 600 s", -1
                if not re.search("separate compilation|Unresolved extern", error):
                    break
            is_ok = code == 0 and out.exists()
            symbols = re.findall(rb"\.text\.([A-Za-z_$][\w$]*)", out.read_bytes()) if is_ok else []
        first = next((l for l in error.splitlines() if "error" in l), error.strip()[:300])
        return {"ok": is_ok, "entries": sorted({s.decode() for s in symbols}), "error": "" if is_ok else first,
                "seconds": round(time.monotonic() - started, 2)}

    def save(self):
        part = self.cache_path.with_suffix(".part")
        part.write_text(json.dumps(self.cache, indent=0, sort_keys=True))
        part.replace(self.cache_path)
        self.unsaved = 0


def has_entry(verdict, kernel):
    """Is the kernel in the cubin, or a kernel that needs no code in it?"""
    mangled = f"{len(kernel.name)}{kernel.name}"
    return kernel.is_template or kernel.is_internal or any(e == kernel.name or mangled in e for e in verdict["entries"])


@dataclasses.dataclass
class Check:
    """What `warpscope check --json` says of a text: its kernels, its errors and warnings, its processor time in s, and whether it crashed."""
    compiles: dict
    errors: list
    warnings: list
    seconds: float
    crash: str

    def accepts(self, kernel):
        """Do all kernels of this name compile, and is there one?"""
        states = self.compiles.get(kernel.name, [])
        return bool(states) and all(states) and not self.crash


def cpu_seconds():
    """Seconds of processor time that finished child processes took: what another program on the machine takes is not in it."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def check(binary, text, origin):
    """Runs Warpscope on a text; `origin` has the file and number of each line."""
    with tempfile.TemporaryDirectory() as tmp:
        path = pathlib.Path(tmp) / "main.cu"
        path.write_text(text)
        started = cpu_seconds()
        try:
            r = subprocess.run([str(binary), "check", "--json", str(path)], capture_output=True, timeout=TIME_LIMIT_S)
            out, err, code = r.stdout.decode(errors="replace"), r.stderr.decode(errors="replace"), r.returncode
        except subprocess.TimeoutExpired:
            out, err, code = "", f"takes longer than {TIME_LIMIT_S} s", -1
        seconds = cpu_seconds() - started
    crash = ""
    if code not in (0, 1) or "panicked" in err:
        crash = f"exit code {code}: " + " ".join(err.split())[:300]
    compiles, errors, warnings, lines = {}, [], [], text.split("\n")
    for output in out.splitlines():
        try:
            result = json.loads(output)
        except ValueError:
            crash = crash or "output is not JSON"
            continue
        for k in result["kernels"]:
            compiles.setdefault(re.sub(r"<.*", "", k["name"]).split("::")[-1], []).append(k["compiles"])
        for d in result["diagnostics"]:
            if d["severity"] in ("error", "warning"):
                span = d.get("span") or {"line": 0, "column": 0}
                is_known = 0 < span["line"] <= len(origin)
                file, line = origin[span["line"] - 1] if is_known else (None, 0)
                source = lines[span["line"] - 1].strip()[:200] if is_known else ""
                (errors if d["severity"] == "error" else warnings).append(
                    {"message": d["message"], "file": file, "line": line, "column": span["column"], "source": source,
                     "notes": [n[1] for n in d["notes"]]})
    return Check(compiles, errors, warnings, seconds, crash)


def first_error(result, path, kernel):
    """Returns a kernel's first error: in its own lines if there is one, else the first of the text, else a warning."""
    if result.crash:
        return {"message": "CRASH " + result.crash, "file": None, "line": 0, "source": ""}
    own = [e for e in result.errors if e["file"] == path and kernel.line <= e["line"] <= kernel.last_line]
    if own or result.errors:
        return (own or result.errors)[0]
    warned = [w for w in result.warnings if w["file"] == path and kernel.line <= w["line"] <= kernel.last_line]
    if warned:
        return warned[0]
    missing = kernel.name not in result.compiles
    return {"message": "the output lacks this kernel" if missing else "no diagnostic", "file": path, "line": kernel.line, "source": ""}


# ---- The measurement -------------------------------------------------------------------------------------------------


def measure(checkout, nvcc, binary, details):
    """Returns a row a kernel of a checkout."""
    includers = {}
    for unit in checkout.units:
        if unit.suffix == ".cu":
            for path in checkout.closure(unit)[1:]:
                includers.setdefault(path, []).append(unit)
    homes = {}  # file with kernels -> the units that compile it
    for unit in checkout.units:
        if unit.suffix == ".cuh" and unit in includers:
            continue
        for path in checkout.closure(unit):
            if definitions(path):
                homes.setdefault(path, []).append(unit)
    kernels = {}  # text -> (nvcc does not compile it, home, kernel, units that nvcc compiles, verdict, nvcc's error)
    for home, units in sorted(homes.items()):
        units = sorted(units, key=lambda u: (u != home, u))
        if len(units) > MAX_UNITS:
            print(f"{checkout.label(home)}: tried in {MAX_UNITS} of the {len(units)} files that include it")
            units = units[:MAX_UNITS]
        verdicts = [nvcc.verdict(checkout, unit) for unit in units]
        for kernel in definitions(home):
            usable = [u for u, v in zip(units, verdicts) if v and v["ok"] and has_entry(v, kernel)]
            if usable:
                state = "yes"
            elif all(v is None for v in verdicts):
                state = "unknown"
            else:
                state = "absent" if any(v and v["ok"] for v in verdicts) else "no"
            error = "" if usable else next((v["error"] for v in verdicts if v and v["error"]), "")
            candidate = (state != "yes", str(home), kernel, home, usable or units[:1], state, error)
            if kernel.digest not in kernels or candidate[0] < kernels[kernel.digest][0]:
                kernels[kernel.digest] = candidate
    rows, checks = [], {}

    def cached_check(path, is_inlined):
        if (path, is_inlined) not in checks:
            text, origin = checkout.inlined(path) if is_inlined else (text_of(path), None)
            origin = origin or [(path, i) for i in range(1, text.count("\n") + 2)]
            checks[path, is_inlined] = check(binary, text, origin)
        return checks[path, is_inlined]

    for _, _, kernel, home, units, state, nvcc_error in sorted(kernels.values(), key=lambda c: (c[1], c[2].line)):
        alone = cached_check(home, False)
        unit = next((u for u in units if cached_check(u, True).accepts(kernel)), units[0])
        inlined = cached_check(unit, True)
        row = {"repo": checkout.name, "file": checkout.label(home), "kernel": kernel.name, "line": kernel.line, "unit": checkout.label(unit),
               "nvcc": state, "alone": "yes" if alone.accepts(kernel) else "crash" if alone.crash else "no",
               "inlined": "yes" if inlined.accepts(kernel) else "crash" if inlined.crash else "no",
               "seconds": round(max(alone.seconds, inlined.seconds), 2), "nvcc_error": nvcc_error}
        for what, result in (("alone", alone), ("inlined", inlined)):
            e = first_error(result, home, kernel) if row[what] != "yes" else None
            row[what + "_error"] = e["message"] if e else ""
            row[what + "_where"] = f"{checkout.label(e['file'])}:{e['line']}: {e['source']}" if e and e["file"] else ""
        rows.append(row)
    for (path, is_inlined), result in checks.items():
        details.append({"repo": checkout.name, "file": checkout.label(path), "inlined": is_inlined, "seconds": round(result.seconds, 3),
                        "crash": result.crash, "compiles": result.compiles,
                        "errors": [{**e, "file": checkout.label(e["file"]) if e["file"] else None} for e in result.errors]})
    return rows


def table(rows, details):
    """Returns the summary's lines: one a repository, and one for all."""
    def share(n, of):
        return f"{n} ({100 * n / of:.1f} %)" if of else str(n)
    lines = ["| repository | kernels | nvcc compiles | with local headers | alone | one of both | files that crash | files over 1 s |",
             "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |"]
    for name in [*dict.fromkeys(r["repo"] for r in rows), "all"]:
        mine = [r for r in rows if name in (r["repo"], "all")]
        good = [r for r in mine if r["nvcc"] == "yes"]
        checks = [d for d in details if name in (d["repo"], "all")]
        lines.append(f"| {name} | {len(mine)} | {len(good)} | {share(sum(r['inlined'] == 'yes' for r in good), len(good))} | "
                     f"{share(sum(r['alone'] == 'yes' for r in good), len(good))} | "
                     f"{share(sum('yes' in (r['alone'], r['inlined']) for r in good), len(good))} | "
                     f"{len({d['file'] for d in checks if d['crash']})} | {len({d['file'] for d in checks if d['seconds'] > SLOW_S})} |")
    return lines


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--warpscope", type=pathlib.Path, required=True, help="the command line binary")
    parser.add_argument("--nvcc", type=pathlib.Path, help="a folder with nvcc of the Python package index")
    parser.add_argument("--cache", type=pathlib.Path, required=True, help="nvcc's verdicts")
    parser.add_argument("--csv", type=pathlib.Path, required=True, help="a row a kernel")
    parser.add_argument("--details", type=pathlib.Path, help="all errors of all files, as JSON")
    parser.add_argument("--include", type=pathlib.Path, action="append", default=[], help="a header folder for all checkouts")
    parser.add_argument("--sample", type=int, default=0, metavar="N", help="at most N programs of a repository with src/*-cuda")
    parser.add_argument("roots", type=pathlib.Path, nargs="+", metavar="ROOT")
    args = parser.parse_args()
    nvcc, rows, details = Nvcc(args.nvcc, args.cache), [], []
    for root in args.roots:
        checkout = Checkout(root, args.sample, [f.resolve() for f in args.include])
        if checkout.num_programs > len(checkout.programs):
            print(f"{checkout.name}: a sample of {len(checkout.programs)} of {checkout.num_programs} programs, by the hash of their names")
        rows += measure(checkout, nvcc, args.warpscope.resolve(), details)
        print(f"{checkout.name}: done", file=sys.stderr, flush=True)
    nvcc.save()
    with args.csv.open("w", newline="") as f:
        writer = csv.DictWriter(f, rows[0].keys())
        writer.writeheader()
        writer.writerows(rows)
    if args.details:
        args.details.write_text(json.dumps(details, indent=0))
    unknown = sum(r["nvcc"] == "unknown" for r in rows)
    if unknown:
        print(f"{unknown} kernels have no verdict of nvcc and do not count")
    print("\n".join(table(rows, details)))


if __name__ == "__main__":
    sys.setrecursionlimit(10000)
    main()
