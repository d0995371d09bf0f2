//! An oracle that compiles many programs in one translation unit with the system's C++ compiler.

use std::fmt::Write as _;
use std::io::Write as _;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};

use super::tree::{NUM_ATOMIC, Program};

const SHIM: &str = include_str!("shim.h");

/// The outputs of a program.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outputs {
    /// The buffer `o`.
    pub stores: Vec<u8>,
    /// The buffer `g`.
    pub atomics: Vec<u8>,
}

impl Outputs {
    /// Parses the output of `text`.
    pub fn read(text: &str) -> Option<Self> {
        let mut lines: Vec<Vec<u8>> = Vec::new();
        for line in text.lines() {
            let words: Option<Vec<u32>> = line.split_whitespace().map(|word| word.parse().ok()).collect();
            lines.push(words?.into_iter().flat_map(u32::to_le_bytes).collect());
        }
        let atomics = lines.pop()?;
        Some(Self {
            stores: lines.concat(),
            atomics,
        })
    }

    /// Returns the words of `o`, sixteen per line, followed by those of `g`.
    pub fn text(&self) -> String {
        let words = |bytes: &[u8]| -> Vec<String> {
            let word = |bytes: &[u8]| {
                bytes
                    .iter()
                    .rev()
                    .fold(0_u32, |word, byte| word << 8 | u32::from(*byte))
            };
            bytes.chunks(4).map(|bytes| word(bytes).to_string()).collect()
        };
        let mut out = String::new();
        for line in words(&self.stores).chunks(16) {
            let _ = writeln!(out, "{}", line.join(" "));
        }
        let _ = writeln!(out, "{}", words(&self.atomics).join(" "));
        out
    }
}

/// A source of expected outputs.
pub trait Oracle {
    /// Returns the outputs of each program, or the reason why they are unknown.
    fn outputs(&mut self, programs: &[Program]) -> Vec<Result<Outputs, String>>;
}

/// The system's C++ compiler.
#[derive(Clone, Debug)]
pub struct Cxx {
    flags: Vec<String>,
    directory: PathBuf,
}

impl Cxx {
    /// Creates an oracle with additional compiler flags, such as `-O1`.
    pub fn new(flags: &[&str]) -> Self {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let directory = std::env::temp_dir().join(format!("warpscope-fuzz-{}-{number}", std::process::id()));
        Self {
            flags: flags.iter().map(|flag| (*flag).to_owned()).collect(),
            directory,
        }
    }

    fn binary(&self, source: &str) -> Result<PathBuf, String> {
        let text = |error: std::io::Error| format!("g++: {error}");
        std::fs::create_dir_all(&self.directory).map_err(text)?;
        let path = self.directory.join("programs");
        let mut child = Command::new("g++")
            .args([
                "-std=c++17",
                "-fwrapv",
                "-ffp-contract=off",
                "-fno-strict-aliasing",
                "-w",
            ])
            .args(&self.flags)
            .args(["-x", "c++", "-", "-o"])
            .arg(&path)
            .stdin(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .map_err(text)?;
        if let Some(mut stdin) = child.stdin.take() {
            // If compilation fails early, the compiler's message is more informative.
            let _ = stdin.write_all(source.as_bytes());
        }
        let output = child.wait_with_output().map_err(text)?;
        if output.status.success() {
            return Ok(path);
        }
        let errors = String::from_utf8_lossy(&output.stderr);
        let first = errors
            .lines()
            .find(|line| line.contains("error"))
            .unwrap_or("no error named");
        Err(format!("g++: {first}"))
    }

    fn run(&self, programs: &[Program]) -> Result<Vec<Result<Outputs, String>>, String> {
        let binary = self.binary(&translation_unit(programs))?;
        // A program that does not terminate is a defect of the generator.
        let output = Command::new("timeout")
            .arg("60")
            .arg(&binary)
            .output()
            .map_err(|error| error.to_string())?;
        let complaint = String::from_utf8_lossy(&output.stderr)
            .lines()
            .next()
            .map(str::to_owned);
        let mut bytes = output.stdout.as_slice();
        let mut out = Vec::new();
        for (idx, program) in programs.iter().enumerate() {
            let (stores, atomics) = (program.shape.num_outputs() as usize * 4, NUM_ATOMIC * 4);
            let is_next = bytes.get(..4) == Some(&(idx as u32).to_le_bytes()[..]);
            out.push(match bytes.get(4..4 + stores + atomics) {
                Some(found) if is_next => {
                    bytes = &bytes[4 + stores + atomics..];
                    Ok(Outputs {
                        stores: found[..stores].to_vec(),
                        atomics: found[stores..].to_vec(),
                    })
                }
                _ => Err(format!("the program does not terminate ({})", output.status)),
            });
        }
        if let Some(complaint) = complaint
            && let [only] = out.as_mut_slice()
        {
            *only = Err(complaint);
        } else if !output.stderr.is_empty() {
            return Err("a program has undefined behavior".to_owned());
        }
        Ok(out)
    }
}

impl Drop for Cxx {
    fn drop(&mut self) {
        // Another oracle of this process can have removed the folder.
        let _ = std::fs::remove_dir_all(&self.directory);
    }
}

impl Oracle for Cxx {
    fn outputs(&mut self, programs: &[Program]) -> Vec<Result<Outputs, String>> {
        match self.run(programs) {
            Ok(outputs) => outputs,
            // One program of the batch fails; retry the others separately.
            Err(_) if programs.len() > 1 => {
                let (first, second) = programs.split_at(programs.len() / 2);
                let mut out = self.outputs(first);
                out.extend(self.outputs(second));
                out
            }
            Err(error) => programs.iter().map(|_| Err(error.clone())).collect(),
        }
    }
}

fn translation_unit(programs: &[Program]) -> String {
    let mut out = SHIM.to_owned();
    let mut calls = String::new();
    for (idx, program) in programs.iter().enumerate() {
        let source = program.source();
        let uses_fibers = source.contains("_sync") || source.contains("__syncthreads");
        let numbers: Vec<String> = program.shape.input.iter().map(ToString::to_string).collect();
        let _ = writeln!(
            out,
            "namespace p{idx} {{ namespace {{\n{source}\n}}\nstatic const int input[] = {{{}}};\nstatic void thread() {{ k(shim::o, shim::a, shim::g, shim::n, shim::m); }}\n}}",
            numbers.join(", ")
        );
        let _ = writeln!(
            calls,
            "  shim::run({idx}, {}, {}, {uses_fibers}, p{idx}::thread, p{idx}::input, counters, {}, {}u);",
            program.shape.blocks, program.shape.threads, program.shape.n, program.shape.m
        );
    }
    let counters: Vec<String> = Program::atomic_input()
        .iter()
        .map(|value| format!("{value}u"))
        .collect();
    let _ = writeln!(
        out,
        "static const unsigned counters[] = {{{}}};\nint main() {{\n{calls}}}",
        counters.join(", ")
    );
    out
}

#[cfg(test)]
mod tests {
    use super::{Cxx, Oracle, Outputs};
    use crate::{Settings, generate};

    /// Returns the words in `o` after a kernel with two blocks of 64 threads.
    fn words(body: &str) -> Vec<u32> {
        let unit = format!(
            "{}\nstatic void k() {{ unsigned *o = shim::o + (blockIdx.x * blockDim.x + threadIdx.x) * 16; {body} }}
             static const int input[64] = {{}};
             static const unsigned counters[24] = {{}};
             int main() {{ shim::run(0, 2, 64, true, k, input, counters, 0, 0); }}",
            super::SHIM
        );
        let binary = Cxx::new(&["-O0"]).keep_binary(&unit);
        let output = std::process::Command::new(binary).output().unwrap();
        let bytes = output.stdout[4..].chunks(4);
        bytes
            .map(|word| u32::from_le_bytes(word.try_into().unwrap()))
            .collect()
    }

    impl Cxx {
        fn keep_binary(mut self, source: &str) -> std::path::PathBuf {
            self.directory = std::env::temp_dir().join(format!("warpscope-shim-{}", source.len()));
            let path = self.binary(source).unwrap();
            std::mem::forget(self);
            path
        }
    }

    #[test]
    fn a_barrier_shows_what_other_threads_stored() {
        let out = words(
            "__shared__ int s[64]; s[threadIdx.x] = threadIdx.x * 3; __syncthreads(); o[0] = s[(threadIdx.x + 5) % 64];",
        );
        for block in 0..2 {
            for thread in 0..64 {
                assert_eq!(out[(block * 64 + thread) * 16], (thread as u32 + 5) % 64 * 3);
            }
        }
    }

    #[test]
    fn a_shuffle_stays_in_its_warp() {
        let out = words(
            "int v = threadIdx.x; for (int i = 0; i < 3; i++) v = __shfl_xor_sync(~0u, v, 1 << i); o[0] = v;
             o[1] = __ballot_sync(~0u, threadIdx.x & 1); o[2] = __shfl_up_sync(~0u, (int)threadIdx.x, 1);",
        );
        for thread in 0..64 {
            let words = &out[thread * 16..];
            let lane = thread as u32 % 32;
            let up = if lane == 0 {
                thread as u32
            } else {
                thread as u32 - 1
            };
            assert_eq!(words[..3], [thread as u32 ^ 7, 0xaaaa_aaaa, up]);
        }
    }

    #[test]
    fn optimization_does_not_change_a_program() {
        let programs: Vec<_> = (0..20).map(|seed| generate(seed, &Settings::default())).collect();
        let plain = Cxx::new(&["-O0"]).outputs(&programs);
        assert_eq!(plain, Cxx::new(&["-O1"]).outputs(&programs));
        let text: Vec<_> = plain.iter().map(|found| found.as_ref().unwrap()).collect();
        assert_eq!(Outputs::read(&text[0].text()).as_ref(), Some(text[0]));
    }
}
