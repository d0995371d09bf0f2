//! Compiles garbled texts in a child process with limited memory, whose termination does not affect this process.

use std::io::{BufRead as _, BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use warpscope_fuzz::check::{guarded, silence_panics};
use warpscope_fuzz::garble::{Sources, answer};

use super::Arguments;

/// The address space limit of the child process in KB.
const MEMORY_KIB: u32 = 1 << 20;
/// The CPU time limit of a compilation, or wall-clock time if the system does not report CPU time.
const SLOW: Duration = Duration::from_secs(1);
/// The timeout after which a compilation is aborted.
const HANGS: Duration = Duration::from_secs(30);

/// Runs the test from the root of a checkout.
fn sources() -> Result<Sources, String> {
    Sources::load(Path::new("."))
}

/// The child process: prints each seed before its compilation, and a line for each problem.
pub(crate) fn answer_all(arguments: &Arguments) -> Result<(), String> {
    silence_panics();
    let sources = sources()?;
    let timed = |seed, text: &str| {
        let (start, before) = (Instant::now(), cpu_time());
        let found = guarded(|| answer(seed, text));
        let elapsed = match (before, cpu_time()) {
            (Some(before), Some(after)) => after.saturating_sub(before),
            _ => start.elapsed(),
        };
        (found, elapsed)
    };
    // A first compilation initializes shared state.
    let _ = timed(0, "__global__ void k(float *o) { o[0] = sinf(o[1]) / o[2]; }");
    let mut out = std::io::stdout();
    let mut say = |text: String| {
        writeln!(out, "{text}")
            .and_then(|()| out.flush())
            .map_err(|error| error.to_string())
    };
    for seed in arguments.seed..arguments.seed + arguments.programs {
        say(format!("seed {seed}"))?;
        let text = sources.garbled(seed);
        let (found, mut elapsed) = timed(seed, &text);
        // Other load of the computer can cause a slow compilation.
        for _ in 0..2 {
            if elapsed > SLOW {
                elapsed = elapsed.min(timed(seed, &text).1);
            }
        }
        match found {
            Err(failure) => say(format!("fails: {failure}"))?,
            Ok(_) if elapsed > SLOW => say(format!("slow: {} ms", elapsed.as_millis()))?,
            Ok(Ok(())) => say("compiles".to_owned())?,
            Ok(Err(_)) => {}
        }
    }
    say("end".to_owned())
}

/// Returns the CPU time of this thread, which is independent of other load.
fn cpu_time() -> Option<Duration> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    let nanoseconds = text.split_whitespace().next()?.parse().ok()?;
    Some(Duration::from_nanos(nanoseconds))
}

/// The results so far.
#[derive(Default)]
struct Totals {
    num: u64,
    num_compiled: u64,
    /// Seeds with their problems.
    wrong: Vec<(u64, String)>,
}

/// Compiles the texts of the seeds.
///
/// # Errors
/// Returns the number of texts with problems.
pub(crate) fn run(arguments: &Arguments) -> Result<(), String> {
    let sources = sources()?;
    let end = arguments.seed + arguments.programs;
    let mut totals = Totals::default();
    let mut next = arguments.seed;
    let start = Instant::now();
    while next < end {
        let last = (next + arguments.batch.max(1000)).min(end);
        let known = totals.wrong.len();
        next = batch(next, last, &mut totals)?;
        for (seed, what) in &totals.wrong[known..] {
            println!("seed {seed}: {what}");
            if let Some(folder) = &arguments.keep {
                keep(folder, *seed, &sources.garbled(*seed))?;
            }
        }
        println!(
            "{} texts: {} compile, {} cause problems; {:.0} per second",
            totals.num,
            totals.num_compiled,
            totals.wrong.len(),
            totals.num as f64 / start.elapsed().as_secs_f64()
        );
    }
    match totals.wrong.len() {
        0 => Ok(()),
        num => Err(format!("{num} texts cause problems")),
    }
}

fn keep(folder: &Path, seed: u64, text: &str) -> Result<(), String> {
    let error = |error: std::io::Error| format!("{}: {error}", folder.display());
    std::fs::create_dir_all(folder).map_err(error)?;
    std::fs::write(folder.join(format!("garbled-{seed}.cu")), text).map_err(error)
}

/// Compiles texts in a child process until the process terminates. Returns the first remaining seed.
fn batch(first: u64, last: u64, totals: &mut Totals) -> Result<u64, String> {
    let mut child = spawn(first, last)?;
    let lines = lines_of(&mut child)?;
    let mut seed = None;
    let what = loop {
        match lines.recv_timeout(HANGS) {
            Ok(line) => match line.split_once(' ') {
                Some(("seed", number)) => {
                    seed = number.parse().ok();
                    totals.num += 1;
                }
                Some(_) => totals.wrong.push((seed.unwrap_or(first), line)),
                None if line == "end" => break None,
                None => totals.num_compiled += 1,
            },
            Err(RecvTimeoutError::Timeout) => {
                let _ = child.kill();
                break Some("no answer".to_owned());
            }
            Err(RecvTimeoutError::Disconnected) => break Some("ends the process".to_owned()),
        }
    };
    let status = child.wait().map_err(|error| error.to_string())?;
    let Some(what) = what else {
        return Ok(last);
    };
    let seed = seed.ok_or_else(|| format!("the compiling process does not start ({status})"))?;
    totals.wrong.push((seed, format!("{what} ({status})")));
    Ok(seed + 1)
}

fn spawn(first: u64, last: u64) -> Result<Child, String> {
    let program: PathBuf = std::env::current_exe().map_err(|error| error.to_string())?;
    Command::new("sh")
        .arg("-c")
        .arg(format!("ulimit -v {MEMORY_KIB}; exec \"$0\" \"$@\""))
        .arg(program)
        .args(["answer", "--seed", &first.to_string()])
        .args(["--programs", &(last - first).to_string()])
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .map_err(|error| format!("sh: {error}"))
}

#[expect(clippy::disallowed_methods, reason = "a thread reads the child's output")]
fn lines_of(child: &mut Child) -> Result<Receiver<String>, String> {
    let out = child.stdout.take().ok_or("no output")?;
    let (sender, receiver) = mpsc::channel();
    thread::spawn(move || {
        for line in BufReader::new(out).lines().map_while(Result::ok) {
            if sender.send(line).is_err() {
                return;
            }
        }
    });
    Ok(receiver)
}
