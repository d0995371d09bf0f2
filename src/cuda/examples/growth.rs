//! Prints the time and the memory that each phase takes for hostile sources of growing size.
//!
//! `growth` prints the table of all growing shapes, `growth nests` tries all nested constructs in all places, and
//! `growth run KIND NAME PLACE N` runs one text.
#![expect(clippy::print_stdout, reason = "a command line prints to standard output")]
#![expect(clippy::disallowed_methods, reason = "a tool of the command line")]

#[path = "../tests/hostile/shapes.rs"]
mod shapes;

use std::process::{Command, Stdio};
use std::time::Duration;

use cuda::host::Limits;
use engine::arch::ArchId;
use engine::isa::CompileOptions;

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = args.iter().map(String::as_str).collect();
    match words.as_slice() {
        ["run", kind, name, place, n] => run(&text(kind, name, place, n.parse().unwrap_or(1))),
        ["file", path] => run(&std::fs::read_to_string(path).unwrap_or_default()),
        ["text", kind, name, place, n] => println!("{}", text(kind, name, place, n.parse().unwrap_or(1))),
        ["nests", rest @ ..] => nests(rest),
        ["table", sizes, rest @ ..] => table(sizes, rest),
        _ => println!("growth table SIZES [WORD…] | nests [N] | run KIND NAME PLACE N"),
    }
}

fn text(kind: &str, name: &str, place: &str, n: usize) -> String {
    let (list, places) = match kind {
        "growing" => {
            let shape = shapes::GROWING.iter().find(|shape| shape.name == name);
            return shape.map_or_else(String::new, |shape| (shape.text)(n));
        }
        "expression" => (shapes::EXPRESSIONS, shapes::PLACES),
        "declaration" => (shapes::DECLARATIONS, shapes::DECLARED_IN),
        _ => (shapes::STATEMENTS, shapes::STATEMENTS_IN),
    };
    let (place, is_open) = match place.strip_suffix(" open") {
        Some(place) => (place, true),
        None => (place, false),
    };
    let nest = list.iter().find(|nest| nest.name == name);
    let context = places.iter().find(|(word, _)| *word == place);
    match nest.zip(context) {
        Some((nest, (_, context))) => context.replace('X', &nest.text(n, is_open)),
        None => String::new(),
    }
}

/// Runs the phases in a thread with the page's stack, and prints their times in milliseconds.
fn run(text: &str) {
    let text = text.to_owned();
    let work = move || {
        let mut times = Vec::new();
        let mut timed = |name: &'static str, work: &mut dyn FnMut()| {
            let start = processor_time();
            work();
            let time = processor_time() - start;
            times.push((name, time));
            print!("{name} {} ", time / 1_000_000);
            let _ = std::io::Write::flush(&mut std::io::stdout());
        };
        let options = CompileOptions::default();
        let only = std::env::var("ONLY").unwrap_or_default();
        let on = |name: &str| only.is_empty() || only == name;
        let mut found = None;
        if on("lex") {
            timed("lex", &mut || drop(cuda::lex::highlight(&text)));
        }
        if on("parse") {
            timed("parse", &mut || {
                drop(cuda::parse_with(&text, ArchId::Tu102, &options));
            });
        }
        if on("compile") {
            timed("compile", &mut || {
                found = Some(cuda::compile(&text, None, ArchId::Tu102, &options));
            });
        }
        if on("print") {
            timed("print", &mut || {
                let list = match &found {
                    Some(Ok(compiled)) => &compiled.diagnostics,
                    Some(Err(diagnostics)) => diagnostics,
                    None => return,
                };
                let mut len = 0;
                for diagnostic in list {
                    len += diagnostic.render("kernel.cu", &text).len();
                }
                if let Ok(path) = std::env::var("SAVE") {
                    let all: String = list.iter().map(|d| d.render("kernel.cu", &text)).collect();
                    let _ = std::fs::write(path, all);
                }
                print!("({} diagnostics, {len} bytes) ", list.len());
            });
        }
        if on("host") {
            timed("host", &mut || {
                drop(cuda::host::read(&text, ArchId::Tu102, Limits::PAGE));
            });
        }
        if on("index") {
            timed("index", &mut || {
                drop(cuda::assist::Index::read(&text, ArchId::Tu102, &options, None));
            });
        }
        let size = match &found {
            Some(Ok(compiled)) => compiled.program.code.len(),
            _ => 0,
        };
        drop(found);
        let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
        let peak = status
            .lines()
            .find_map(|line| line.strip_prefix("VmHWM:"))
            .unwrap_or("?");
        println!("code {size} peak {}", peak.trim());
    };
    let stack = std::env::var("STACK")
        .ok()
        .and_then(|size| size.parse().ok())
        .unwrap_or(1 << 20);
    let thread = std::thread::Builder::new().stack_size(stack).spawn(work);
    let _ = thread.map(std::thread::JoinHandle::join);
}

/// The nanoseconds that this thread has run on a processor, as Linux counts them.
fn processor_time() -> u64 {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    text.split(' ')
        .next()
        .and_then(|time| time.parse().ok())
        .unwrap_or(0)
}

/// Runs one text in a process of its own with 4 GB of memory, and returns its line, or how it failed.
fn child(kind: &str, name: &str, place: &str, n: usize, limit: Duration) -> Result<String, String> {
    let exe = std::env::current_exe().map_err(|error| error.to_string())?;
    let quoted = format!(
        "ulimit -v 4000000; ulimit -t {}; exec '{}' run '{kind}' '{name}' '{place}' {n}",
        limit.as_secs(),
        exe.display()
    );
    let output = Command::new("sh")
        .args(["-c", &quoted])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .output()
        .map_err(|error| error.to_string())?;
    let line = String::from_utf8_lossy(&output.stdout).trim().to_owned();
    match output.status.code() {
        None if output.stderr.is_empty() => Err(format!("LATE {line}")),
        Some(0) if line.contains("peak") => Ok(line),
        _ => {
            let errors = String::from_utf8_lossy(&output.stderr);
            let errors: Vec<&str> = errors.lines().filter(|line| !line.is_empty()).take(3).collect();
            Err(format!("FAILED {line} {}", errors.join(" | ")))
        }
    }
}

/// The sum of the milliseconds in a line.
fn total(line: &str) -> u64 {
    let phases = line.split(" code ").next().unwrap_or_default();
    phases
        .split(' ')
        .filter_map(|word| word.parse::<u64>().ok())
        .sum()
}

fn nests(args: &[&str]) {
    let n = args.first().and_then(|n| n.parse().ok()).unwrap_or(5000);
    let word = args.get(1).copied().unwrap_or("");
    let kinds = [
        ("expression", shapes::EXPRESSIONS, shapes::PLACES),
        ("declaration", shapes::DECLARATIONS, shapes::DECLARED_IN),
        ("statement", shapes::STATEMENTS, shapes::STATEMENTS_IN),
    ];
    for (kind, list, places) in kinds {
        for nest in list {
            for (place, _) in places {
                for place in [(*place).to_owned(), format!("{place} open")] {
                    if !format!("{kind} {} {place}", nest.name).contains(word) {
                        continue;
                    }
                    let limit = Duration::from_secs(4);
                    match child(kind, nest.name, &place, n, limit) {
                        Err(failure) => println!("{kind} '{}' '{place}' {n}: {failure}", nest.name),
                        Ok(line) if total(&line) > 1000 => {
                            println!("{kind} '{}' '{place}' {n}: slow {line}", nest.name);
                        }
                        Ok(_) => {}
                    }
                }
            }
        }
    }
}

fn table(sizes: &str, words: &[&str]) {
    let sizes: Vec<usize> = sizes.split(',').filter_map(|n| n.parse().ok()).collect();
    for shape in shapes::GROWING {
        if !words.is_empty() && !words.iter().any(|word| shape.name.contains(word)) {
            continue;
        }
        println!("{}", shape.name);
        for n in &sizes {
            let limit = Duration::from_secs(10);
            let result = child("growing", shape.name, "-", *n, limit);
            let late = result.is_err();
            println!("    {n:>7} {}", result.unwrap_or_else(|failure| failure));
            if late {
                break;
            }
        }
    }
}
