//! Whole-program tests: compares the simulated launches of `main()` with the program itself, which the system's C++
//! compiler compiles against a CUDA shim.
//!
//! `tests/whole` contains `NAME.cu`, whose first line can list command-line arguments, and `NAME.txt` with the
//! evaluated and guessed values of each launch and a checksum of each output buffer. `UPDATE_WHOLE=1` rewrites these
//! files, but only if all buffers equal the program's own.
#![expect(clippy::disallowed_methods, reason = "programs and outputs are files")]

use cuda::host::{HostLaunch, Limits, read_with_args};
use engine::arch::{ArchId, architecture};
use engine::isa::{CompileOptions, ElemType};
use engine::launch::Argument;
use engine::sim::{Machine, MachineOptions, Outcome};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

const ARCH: ArchId = ArchId::Tu102;
const SHIM: &str = include_str!("../../tests/public/shim.h");
const FLAGS: [&str; 9] = [
    "-std=c++17",
    "-O1",
    "-fwrapv",
    "-ffp-contract=off",
    "-fno-strict-aliasing",
    "-fpermissive",
    "-w",
    "-DSHIM_FIBERS",
    "-I.",
];
/// glibc fills new memory with the complement of this byte, so uninitialized memory contains 0xcd as in the simulator.
const PERTURB: &str = "50";

/// The buffers after each launch of a program, by line, launch number at that line, and argument.
type Buffers = BTreeMap<(u32, u32, usize), Vec<u8>>;

/// A folder with the CUDA shim for compiling and running programs.
struct Native {
    folder: PathBuf,
}

impl Native {
    fn new() -> Self {
        let folder = std::env::temp_dir().join(format!("warpscope-whole-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(folder.join("shim.h"), SHIM).unwrap();
        std::fs::write(folder.join("cuda_runtime.h"), "").unwrap();
        let native = Self { folder };
        native.compile(&["-x", "c++-header", "shim.h", "-o", "shim.h.gch"]);
        native
    }

    fn compile(&self, args: &[&str]) {
        let output = Command::new("g++")
            .args(FLAGS)
            .args(args)
            .current_dir(&self.folder)
            .output()
            .unwrap();
        let text = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "g++ {args:?}: {text}");
    }

    /// Runs a program to completion. The program's own check of its results must succeed.
    fn run(&self, name: &str, source: &str, args: &[String]) -> Buffers {
        let text = format!("#include \"shim.h\"\n{}", with_calls(source));
        std::fs::write(self.folder.join("program.cpp"), text).unwrap();
        self.compile(&["program.cpp", "-o", "program"]);
        let out = self.folder.join(name);
        std::fs::create_dir_all(&out).unwrap();
        let output = Command::new("timeout")
            .arg("60")
            .arg(self.folder.join("program"))
            .args(args)
            .env("SHIM_OUT", &out)
            .env("MALLOC_PERTURB_", PERTURB)
            .output()
            .unwrap();
        let text = String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success(), "{name}: {}: {text}", output.status);
        let mut buffers = Buffers::new();
        for entry in std::fs::read_dir(&out).unwrap() {
            let path = entry.unwrap().path();
            let stem = path.file_stem().unwrap().to_str().unwrap().to_owned();
            let numbers: Vec<u32> = stem.split('-').map(|number| number.parse().unwrap()).collect();
            if let [line, nth, argument] = numbers[..] {
                buffers.insert((line, nth, argument as usize), std::fs::read(path).unwrap());
            }
        }
        buffers
    }
}

impl Drop for Native {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

/// Rewrites a program: launches become calls of the shim, and dynamic shared memory becomes the shim's.
fn with_calls(source: &str) -> String {
    let mut out = String::new();
    let mut rest = source;
    let mut line = 1;
    while let Some(at) = rest.find("<<<") {
        let kernel = kernel_before(&rest[..at]);
        let (before, name) = rest[..at].split_at(kernel);
        let config_end = at + rest[at..].find(">>>").expect("`>>>` of a launch");
        let open = config_end + rest[config_end..].find('(').expect("arguments of a launch");
        let close = open + end_of_parentheses(&rest[open..]);
        let (config, args) = (&rest[at + 3..config_end], rest[open + 1..close].trim());
        let launch_line = line + rest[..at].matches('\n').count();
        let comma = if args.is_empty() { "" } else { ", " };
        let _ = write!(
            out,
            "{before}shim::launch({launch_line}, shim::Config({config}), [&](auto... given) {{ {name}(given...); }}{comma}{args})"
        );
        line += rest[..=close].matches('\n').count();
        rest = &rest[close + 1..];
    }
    out += rest;
    let lines = out
        .lines()
        .map(|line| match line.trim().strip_prefix("extern __shared__ ") {
            Some(declared) => {
                let declared = declared.split('[').next().unwrap_or_default();
                let (ty, name) = declared.rsplit_once(' ').expect("a type and a name");
                format!("{ty} *{name} = ({ty} *)shim::dynamic_shared;\n")
            }
            None => format!("{line}\n"),
        });
    lines.collect()
}

/// Returns the start of the kernel name at the end of a text, including template arguments.
fn kernel_before(text: &str) -> usize {
    let mut depth = 0;
    let is_part = |c: char| match c {
        '>' => {
            depth += 1;
            true
        }
        '<' => {
            depth -= 1;
            true
        }
        c => depth > 0 || c.is_alphanumeric() || c == '_' || c == ':',
    };
    text.trim_end_matches(is_part).len()
}

/// Returns the position of the parenthesis that closes the one at the start of a text.
fn end_of_parentheses(text: &str) -> usize {
    let mut depth = 0;
    let closes = |c: char| {
        depth += i32::from(c == '(') - i32::from(c == ')');
        depth == 0
    };
    text.find(closes).expect("a closing parenthesis")
}

/// Returns the 64-bit Fowler-Noll-Vo hash (FNV-1a).
fn checksum(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x100_0000_01b3)
    })
}

/// A launch with its guesses, or with its output buffers if nothing is guessed.
struct Run {
    num_read: u32,
    guesses: Vec<String>,
    buffers: Vec<(usize, Vec<u8>)>,
}

fn run(source: &str, host: &HostLaunch) -> Run {
    let options = CompileOptions {
        fmad: false,
        ..CompileOptions::default()
    };
    let program = match cuda::compile(source, Some(&host.kernel), ARCH, &options) {
        Ok(compiled) => compiled.program,
        Err(errors) => panic!("{} at line {}: {errors:?}", host.kernel, host.line),
    };
    let nothing = |_: &_, _: &_| Argument::Scalar {
        ty: ElemType::U32,
        bits: 0,
    };
    let converted = host.convert(&program.params, &program.symbols, nothing);
    let guesses = converted.guesses.iter();
    let mut run = Run {
        num_read: converted.num_read,
        guesses: guesses
            .map(|guess| format!("{}: {}", guess.what, guess.why))
            .collect(),
        buffers: Vec::new(),
    };
    if run.guesses.is_empty() {
        let launch = converted.launch;
        let options = MachineOptions::default();
        let mut machine = Machine::new(architecture(ARCH), &program, &launch, options).unwrap();
        assert_eq!(*machine.run(&mut ()), Outcome::Finished, "{}", host.kernel);
        let outputs = machine.outputs();
        run.buffers = (0..launch.args.len())
            .filter_map(|argument| Some((argument, outputs.argument(argument)?)))
            .collect();
    }
    run
}

/// Describes a program's launches and checks that their output buffers equal the program's own.
fn report(name: &str, source: &str, args: &[String], native: &Buffers) -> String {
    let reading = read_with_args(source, ARCH, Limits::COMMAND_LINE, args);
    let (mut out, mut num_compared) = (String::new(), 0);
    let mut num_of_line: BTreeMap<u32, u32> = BTreeMap::new();
    for host in &reading.launches {
        let nth = num_of_line.entry(host.line).or_default();
        let run = run(source, host);
        let dims = |dims: &Result<[u32; 3], String>| match dims {
            Ok([x, y, z]) => format!("{x} x {y} x {z}"),
            Err(_) => "guessed".to_owned(),
        };
        let shared = (host.shared.as_ref()).map_or_else(|_| "guessed".to_owned(), u32::to_string);
        let _ = writeln!(
            out,
            "{} at line {}, launch {}: grid {}, block {}, dynamic shared memory {shared}",
            host.kernel,
            host.line,
            *nth + 1,
            dims(&host.grid),
            dims(&host.block),
        );
        let _ = writeln!(out, "  read: {} of {} arguments", run.num_read, host.args.len());
        for guess in &run.guesses {
            let _ = writeln!(out, "  guessed: {guess}");
        }
        // Memory that only addresses in a struct lead to has no number in the program.
        let num_args = host.args.len();
        for (argument, bytes) in run
            .buffers
            .into_iter()
            .filter(|(argument, _)| *argument < num_args)
        {
            let sum = checksum(&bytes);
            let _ = writeln!(out, "  argument {argument}: {} bytes, {sum:016x}", bytes.len());
            let key = (host.line, *nth, argument);
            let is_own = native.get(&key) == Some(&bytes);
            assert!(
                is_own,
                "{name}: line {}, launch {nth}, argument {argument} differs",
                host.line
            );
            num_compared += 1;
        }
        *nth += 1;
    }
    let _ = writeln!(
        out,
        "{} launches, {num_compared} of {} buffers compared",
        reading.num_launches,
        native.len()
    );
    out
}

#[test]
fn whole_programs_match_their_native_outputs() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/whole");
    let native = Native::new();
    let mut num_programs = 0;
    for entry in std::fs::read_dir(&folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|ending| ending != "cu") {
            continue;
        }
        let source = std::fs::read_to_string(&path).unwrap();
        let name = path.file_stem().unwrap().to_str().unwrap();
        let first = source.lines().next().unwrap_or_default();
        let args: Vec<String> = (first.strip_prefix("// arguments:").unwrap_or_default())
            .split_whitespace()
            .map(str::to_owned)
            .collect();
        let buffers = native.run(name, &source, &args);
        let found = report(name, &source, &args, &buffers);
        let expected = path.with_extension("txt");
        if std::env::var_os("UPDATE_WHOLE").is_some() {
            std::fs::write(&expected, &found).unwrap();
        }
        assert_eq!(found, std::fs::read_to_string(expected).unwrap(), "{name}");
        num_programs += 1;
    }
    assert!(num_programs >= 10, "{num_programs} programs");
}
