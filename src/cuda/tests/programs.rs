//! Invalid programs, each with all its diagnostics.

use std::collections::BTreeSet;
use std::path::PathBuf;

use super::{files, root};
use cuda::diagnostic::{Diagnostic, Severity};
use cuda::{compile_unit, parse};
use engine::arch::ArchId;
use engine::isa::CompileOptions;

/// A program of `tests/diagnostics/programs`. A file contains several programs, each below a title line such as
/// `//--- shuffle of an older toolkit, arch: gp104, messages: 2`.
struct Program {
    /// The title line, without `//--- `.
    title: String,
    /// The compiled text, without the expected messages.
    source: String,
    /// The expected messages, as `warpscope check` prints them.
    expected: String,
}

impl Program {
    /// The programs of a file, in file order.
    fn all_of(text: &str) -> Vec<Self> {
        let sections = text.split("//--- ").skip(1);
        let program = |section: &str| {
            let (title, body) = section.split_once('\n').unwrap_or((section, ""));
            let (source, expected): (Vec<_>, Vec<_>) =
                body.lines().partition(|line| !line.starts_with("//~"));
            Self {
                title: title.to_owned(),
                source: source.join("\n") + "\n",
                expected: expected
                    .iter()
                    .map(|line| format!("{line}\n"))
                    .collect::<Vec<_>>()
                    .concat(),
            }
        };
        sections.map(program).collect()
    }

    /// The value of a key in the title, such as `arch`.
    fn property(&self, word: &str) -> Option<&str> {
        let mut parts = self.title.split(", ");
        parts.find_map(|part| part.strip_prefix(word)?.strip_prefix(": "))
    }

    fn arch(&self) -> ArchId {
        self.property("arch")
            .map_or(ArchId::Tu102, |id| id.parse().unwrap())
    }

    /// The expected number of messages: one error gives one message.
    fn num_messages(&self) -> usize {
        self.property("messages").map_or(1, |num| num.parse().unwrap())
    }

    /// The messages of the compiler for all kernels of the program.
    fn diagnostics(&self) -> Vec<Diagnostic> {
        let parsed = parse(&self.source, self.arch());
        let mut diagnostics = parsed.diagnostics;
        let kernels = parsed.kernels.iter().filter(|kernel| kernel.compiles);
        for kernel in kernels {
            let Some(unit) = &parsed.unit else { continue };
            let compiled = compile_unit(
                unit,
                &self.source,
                &kernel.name,
                self.arch(),
                &CompileOptions::default(),
            );
            let found = compiled.err().unwrap_or_default().into_iter();
            let new: Vec<_> = found.filter(|d| !diagnostics.contains(d)).collect();
            diagnostics.extend(new);
        }
        diagnostics
    }
}

fn folder() -> PathBuf {
    root().join("tests/diagnostics/programs")
}

/// Every program is followed by its complete messages, as the command line prints them. `UPDATE_DIAGNOSTICS=1` writes
/// the messages.
#[test]
fn diagnostics_of_invalid_programs_match_the_files() {
    let update = std::env::var_os("UPDATE_DIAGNOSTICS").is_some();
    let mut wrong = String::new();
    let mut titles = BTreeSet::new();
    let mut sources = BTreeSet::new();
    for path in files(&folder(), "cu") {
        let text = std::fs::read_to_string(&path).unwrap();
        let mut written = String::new();
        for program in Program::all_of(&text) {
            let title = &program.title;
            let diagnostics = program.diagnostics();
            let got: String = diagnostics
                .iter()
                .map(|d| d.render("kernel.cu", &program.source))
                .flat_map(|text| {
                    text.lines()
                        .map(|line| format!("//~ {line}\n"))
                        .collect::<Vec<_>>()
                })
                .collect();
            if got != program.expected {
                wrong += &format!("{}: {title}:\n{got}", path.display());
            }
            if diagnostics.len() != program.num_messages() {
                wrong += &format!("{title}: {} messages\n", diagnostics.len());
            }
            let has_error = diagnostics.iter().any(|d| d.severity == Severity::Error);
            let has_warning = diagnostics.iter().any(|d| d.severity == Severity::Warning);
            let expected = match program.property("severity") {
                Some("warning") => (false, true),
                Some("mixed") => (true, true),
                _ => (true, false),
            };
            if (has_error, has_warning) != expected {
                wrong += &format!("{title}: errors or warnings that the title does not name\n");
            }
            written += &format!("//--- {title}\n{}{got}", program.source);
            assert!(sources.insert(program.source), "{title}: duplicate program");
            assert!(
                titles.insert((path.clone(), program.title.clone())),
                "{title}: duplicate title"
            );
        }
        if update {
            std::fs::write(&path, written).unwrap();
        }
    }
    assert!(titles.len() >= 300, "{} programs", titles.len());
    assert!(update || wrong.is_empty(), "{wrong}");
}
