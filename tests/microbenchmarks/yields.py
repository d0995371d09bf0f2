"""Where nvcc puts YIELD in the loops of yields.cu. Prints tests/golden/yields.csv.

usage: yields.py CUDA ARCH... [FILE]      CUDA: a folder with bin/nvcc and bin/nvdisasm; ARCH: sm_75, sm_90, ...

A row a kernel and architecture: the number of YIELDs and, for each, the last kind of instruction before it in its block
(a load, or none) and the next after it: ATOM (RED included), ST, LD, or BRA (EXIT included).
"""
import pathlib, re, subprocess, sys, tempfile

cuda, archs = pathlib.Path(sys.argv[1]), [arg for arg in sys.argv[2:] if arg.startswith("sm_")]
source = next((arg for arg in sys.argv[2:] if arg.endswith(".cu")), pathlib.Path(__file__).with_name("yields.cu"))
KINDS = {"LD": "LD", "LDG": "LD", "LDS": "LD", "ST": "ST", "STG": "ST", "STS": "ST", "BRA": "BRA", "EXIT": "BRA"}


def kind(text):
    name = re.sub(r"^@!?\w+\s+", "", text).split(" ")[0].split(".")[0]
    return "ATOM" if name in ("ATOM", "ATOMG", "ATOMS", "RED") else KINDS.get(name)


def places(items):
    found = []
    for at, item in enumerate(items):
        if item == "YIELD":
            before, after = None, None
            for other in reversed(items[:at]):
                if other.endswith(":") or kind(other) == "BRA":
                    break
                before = before or kind(other)
            for other in items[at + 1 :]:
                after = after or kind(other)
            found.append(f"{before or ''}-{after}")
    return found


def functions(text):
    items = {}
    for line in text.splitlines():
        line = line.strip()
        if section := re.match(r"\.section\s+\.text\.(\w+)", line):
            current = items.setdefault(section[1], [])
        elif label := re.match(r"(\.L_\w+:)", line):
            current.append(label[1])
        elif code := re.match(r"/\*[0-9a-f]{4,}\*/\s+(.*?)\s*;", line):
            current.append(code[1])
    return items


print("kernel,arch,yields,places")
for arch in archs:
    with tempfile.TemporaryDirectory() as folder:
        cubin = f"{folder}/a.cubin"
        subprocess.run([cuda / "bin/nvcc", "-w", f"-arch={arch}", "-cubin", "-o", cubin, source], check=True)
        text = subprocess.run([cuda / "bin/nvdisasm", "-c", cubin], capture_output=True, text=True, check=True).stdout
    for name, items in reversed(functions(text).items()):
        found = places(items)
        print(f"{name},{arch},{len(found)},{' '.join(found)}")
