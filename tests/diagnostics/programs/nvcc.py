#!/usr/bin/env python3
"""Names the wrong programs of this folder that nvcc accepts.

usage: nvcc.py DIR

DIR is a folder with nvcc 13 of the Python package index, so that it holds cu13/lib/python3*/site-packages/nvidia/cu13/bin.
Programs for sm_75 count, which are those without `arch: ` in their titles. nvcc accepts a program if it compiles it to a
cubin. One whose title has `severity: warning` or `nvcc: warns` must get a warning of nvcc. The script needs Python's
standard library only.
"""
import glob
import os
import pathlib
import re
import subprocess
import sys
import tempfile

FOLDER = pathlib.Path(__file__).parent


def programs():
    """Yields the file, the title, and the source of each program."""
    for path in sorted(FOLDER.glob("*.cu")):
        for section in path.read_text().split("//--- ")[1:]:
            title, body = section.split("\n", 1)
            lines = [line for line in body.splitlines() if not line.startswith("//~")]
            yield path.name, title, "\n".join(lines) + "\n"


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    [bin_dir] = glob.glob(f"{sys.argv[1]}/cu13/lib/python3*/site-packages/nvidia/cu13/bin")
    env = dict(os.environ, PATH=f"{bin_dir}:{os.environ['PATH']}")
    num, accepted = 0, 0
    with tempfile.TemporaryDirectory() as folder:
        kernel = pathlib.Path(folder) / "kernel.cu"
        for name, title, source in programs():
            if "arch: " in title:
                continue
            kernel.write_text(source)
            command = ["nvcc", "-arch=sm_75", "-std=c++17", "-cubin", "-o", f"{folder}/kernel.cubin", kernel]
            result = subprocess.run(command, capture_output=True, text=True, errors="replace", env=env)
            wants_warning = "severity: warning" in title or "nvcc: warns" in title
            has_warning = re.search(r"\bwarning\b", result.stderr + result.stdout, re.IGNORECASE)
            is_refused = result.returncode != 0
            num += 1
            if not (is_refused or (wants_warning and has_warning)):
                accepted += 1
                print(f"{name}: {title}")
    print(f"nvcc accepts {accepted} of {num} programs")
    sys.exit(accepted > 0)


if __name__ == "__main__":
    main()
