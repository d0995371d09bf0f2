#!/usr/bin/env python3
"""Compares whether nvcc and Warpscope compile the programs of the tests.

usage: verdicts.py --warpscope BIN --nvcc PATH [--jobs N]

PATH is nvcc 13's executable. A program is a .cu file of tests/programs, tests/whole, tests/corpus, tests/corpus_more, and
src/workbench/library. Both compile its device code for sm_75 (tu102), and if nvcc refuses that, for sm_80 (ga100) and sm_90 (gh100).
nvcc accepts a program if it exits with 0; Warpscope accepts it if every kernel compiles. The wrong programs of
tests/diagnostics/programs are split as in nvcc.py there: those without `arch: ` in their titles count. A program with
`severity: warning` or `nvcc: warns` in its title may be accepted by both.

Prints a row a folder, then a line for each program on which the two disagree, with the first error. Exits with 1 if there
are such programs. Needs Python's standard library only.
"""
import argparse
import concurrent.futures
import importlib.util
import os
import pathlib
import subprocess
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
FOLDERS = ("tests/programs", "tests/whole", "tests/corpus", "tests/corpus_more", "src/workbench/library")
WRONG = "tests/diagnostics/programs"
ARCHS = (("sm_75", "tu102"), ("sm_80", "ga100"), ("sm_90", "gh100"))


def first_error(text):
    """Returns the first line with the word error."""
    return next((line.strip() for line in text.splitlines() if "error" in line), "")


def accepts(command, env=None):
    """Returns whether a command exits with 0, and its first error if not."""
    result = subprocess.run(command, capture_output=True, text=True, errors="replace", env=env)
    return result.returncode == 0, first_error(result.stderr + result.stdout)


def verdicts(args, path, archs):
    """Returns ((nvcc accepts, error), (Warpscope accepts, error), architecture) of a file."""
    env = dict(os.environ, PATH=f"{args.nvcc.parent}:{os.environ['PATH']}")
    with tempfile.TemporaryDirectory() as folder:
        for sm, chip in archs:
            command = [args.nvcc, f"-arch={sm}", "-std=c++17", "-w", "-cubin", "-o", f"{folder}/a.cubin", path]
            theirs = accepts(command, env)
            if theirs[0]:
                break
        else:
            sm, chip = archs[0]
        return theirs, accepts([args.warpscope, "check", "--arch", chip, path]), sm


def wrong_programs():
    """Yields the title and the source of each wrong program that is for every architecture."""
    spec = importlib.util.spec_from_file_location("wrong", ROOT / WRONG / "nvcc.py")
    wrong = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(wrong)
    for name, title, source in wrong.programs():
        if "arch: " not in title:
            yield f"{name}: {title}", source


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--warpscope", required=True, type=pathlib.Path)
    parser.add_argument("--nvcc", required=True, type=pathlib.Path)
    parser.add_argument("--jobs", type=int, default=2)
    args = parser.parse_args()
    args.warpscope, args.nvcc = args.warpscope.resolve(), args.nvcc.resolve()
    differences = []
    print("| programs | all | both accept | both refuse | nvcc alone accepts | Warpscope alone accepts |")
    print("| --- | ---: | ---: | ---: | ---: | ---: |", flush=True)
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        for name in (*FOLDERS, WRONG):
            if name == WRONG:
                todo = []
                for idx, (title, source) in enumerate(wrong_programs()):
                    path = pathlib.Path(folder) / f"{idx}" / "kernel.cu"
                    path.parent.mkdir()
                    path.write_text(source)
                    todo.append((title, path))
            else:
                todo = [(path.name, path) for path in sorted((ROOT / name).glob("*.cu"))]
            archs = ARCHS[:1] if name == WRONG else ARCHS
            results = list(pool.map(lambda job: verdicts(args, job[1], archs), todo))
            count = {}
            for (title, _), (theirs, ours, sm) in zip(todo, results):
                count[theirs[0], ours[0]] = count.get((theirs[0], ours[0]), 0) + 1
                if theirs[0] != ours[0]:
                    who = "nvcc" if theirs[0] else "Warpscope"
                    differences.append(f"{name}/{title} ({sm}): {who} alone accepts; {ours[1] or theirs[1]}")
            cells = [count.get(key, 0) for key in ((True, True), (False, False), (True, False), (False, True))]
            print(f"| `{name}` | {len(todo)} | " + " | ".join(map(str, cells)) + " |", flush=True)
    print("\n".join(differences))
    raise SystemExit(bool(differences))


if __name__ == "__main__":
    main()
