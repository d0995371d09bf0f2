//! Tests of the sanitizer reports: incorrect kernels with expected findings, and kernels that must be clean.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::Path;

use cuda::compile;
use engine::arch::{ArchId, architecture};
use engine::isa::{CompileOptions, ElemType};
use engine::launch::{Argument, Fill, Launch, Pattern, Role};
use engine::sim::MachineOptions;
use workbench::library;

/// Returns the output of `warpscope check --run` for a kernel with the flags of its first line.
///
/// Cycles are removed, because they change with the model.
fn checked(path: &Path) -> String {
    let text = std::fs::read_to_string(path).unwrap();
    let flags = text
        .lines()
        .next()
        .and_then(|line| line.strip_prefix("// "))
        .unwrap();
    let args = ["warpscope", "check", "--run", path.to_str().unwrap()];
    let args = args.into_iter().chain(flags.split_whitespace());
    let mut out = Vec::new();
    crate::run(args.map(OsString::from), &mut out).unwrap();
    let text = String::from_utf8(out).unwrap();
    // Tests run in the package folder; the golden texts name files relative to the repository root.
    let text = text.replace("../../", "");
    text.lines().map(|line| without_cycles(line) + "\n").collect()
}

fn without_cycles(line: &str) -> String {
    if let Some((rest, _)) = line.rsplit_once(", cycle ") {
        return rest.to_owned();
    }
    match line.split_once(" cycles, ") {
        Some((before, after)) => {
            let rest = before.rsplit_once(' ').map_or(before, |(rest, _)| rest);
            format!("{rest} {after}")
        }
        None => line.to_owned(),
    }
}

/// `UPDATE=1` rewrites the expected report of each kernel.
#[test]
fn incorrect_kernels_have_the_expected_findings() {
    let folder = Path::new("../../tests/checks");
    let mut kernels: Vec<_> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|ending| ending == "cu"))
        .collect();
    kernels.sort();
    let mut wrong = Vec::new();
    for path in &kernels {
        let got = checked(path);
        let beside = path.with_extension("txt");
        if std::env::var_os("UPDATE").is_some() {
            std::fs::write(&beside, &got).unwrap();
        } else if std::fs::read_to_string(&beside).unwrap_or_default() != got {
            wrong.push(format!("{}:\n{got}", path.display()));
        }
    }
    assert!(!kernels.is_empty());
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Common mistakes, each in several forms. The report must name the line with the comment `// mistake` and a remedy.
/// `UPDATE=1` rewrites the expected reports.
#[test]
fn common_mistakes_are_reported_with_line_and_remedy() {
    let mut kernels: Vec<_> = std::fs::read_dir("../../tests/mistakes")
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|ending| ending == "cu"))
        .collect();
    kernels.sort();
    let mut wrong = Vec::new();
    let mut forms: BTreeMap<String, u32> = BTreeMap::new();
    for path in &kernels {
        let got = checked(path);
        let beside = path.with_extension("txt");
        if std::env::var_os("UPDATE").is_some() {
            std::fs::write(&beside, &got).unwrap();
        } else if std::fs::read_to_string(&beside).unwrap_or_default() != got {
            wrong.push(format!("{}:\n{got}", path.display()));
        }
        let text = std::fs::read_to_string(path).unwrap();
        let line = text
            .lines()
            .position(|line| line.ends_with("// mistake"))
            .unwrap()
            + 1;
        let place = format!("{}:{line}:", path.display()).replace("../../", "");
        let first = got
            .lines()
            .take_while(|line| !line.ends_with("findings") && !line.ends_with("finding"));
        let has_line = first.clone().any(|line| line.starts_with(&place));
        let is_site = |note: &str| {
            let mut sites = [
                "Read access",
                "Write access",
                "Atomic access",
                "Execution by",
                "Barrier by",
            ]
            .iter();
            sites.any(|site| note.starts_with(site))
        };
        let mut notes = got.lines().filter_map(|line| line.split_once("note: "));
        let has_remedy = [": Put a `", "did you mean", "; pass it "]
            .iter()
            .any(|text| got.contains(text))
            || notes.any(|(_, note)| !is_site(note));
        if !has_line || !has_remedy {
            wrong.push(format!(
                "{} has no line {line} or no remedy:\n{got}",
                path.display()
            ));
        }
        let stem = path.file_stem().unwrap().to_string_lossy().into_owned();
        let (mistake, _) = stem.rsplit_once('-').unwrap();
        *forms.entry(mistake.to_owned()).or_default() += 1;
    }
    assert_eq!(forms.len(), 18, "{forms:?}");
    assert!(forms.values().all(|num| *num >= 3), "{forms:?}");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Returns the findings of a run, one per line; empty if the architecture lacks a feature that the kernel uses.
fn findings(name: &str, source: &str, entry: &str, launch: &Launch, arch: ArchId) -> String {
    let options = MachineOptions {
        max_cycles: 3_000_000,
        ..MachineOptions::default()
    };
    let Ok(compiled) = compile(source, Some(entry), arch, &CompileOptions::default()) else {
        return String::new();
    };
    let Ok(report) = workbench::check::run(architecture(arch), &compiled.program, launch, options) else {
        return String::new();
    };
    let findings = report.findings.iter().map(|finding| {
        let line = finding.sites[0].span.line;
        format!(
            "{name}, {arch}, line {line}: {}: {}\n",
            finding.tool.name(),
            finding.message
        )
    });
    findings.collect()
}

/// Compares findings with the known findings in `tests/checks`, each with a reason.
fn assert_known(file: &str, got: &str) {
    let path = Path::new("../../tests/checks").join(file);
    if std::env::var_os("UPDATE").is_some() {
        std::fs::write(&path, got).unwrap();
    }
    let known = std::fs::read_to_string(&path).unwrap();
    assert_eq!(got, known);
}

#[test]
fn kernels_of_the_library_have_only_known_findings() {
    let mut got = String::new();
    for kernel in library::kernels() {
        for arch in [ArchId::Gp104, ArchId::Tu102] {
            got += &findings(kernel.id, kernel.source, kernel.entry, &kernel.launch(), arch);
        }
    }
    assert_known("library.txt", &got);
}

/// Covers the launches of the corpus with short runs.
#[test]
fn kernels_of_the_corpus_have_only_known_findings() {
    let mut got = String::new();
    let mut num_cases = 0;
    for folder in ["../../tests/corpus", "../../tests/corpus_more"] {
        let folder = Path::new(folder);
        for case in ::corpus::cases::load(folder).unwrap() {
            let threads = |extent: [u32; 3]| extent.into_iter().product::<u32>();
            if threads(case.launch.grid) * threads(case.launch.block) > 8192 {
                continue;
            }
            let source = std::fs::read_to_string(folder.join(&case.file)).unwrap();
            num_cases += 1;
            got += &findings(&case.name, &source, &case.kernel, &case.launch, ArchId::Tu102);
        }
    }
    assert!(num_cases > 100, "{num_cases}");
    assert_known("corpus.txt", &got);
}

/// Random programs that once failed must have no findings, because they have no undefined behavior.
#[test]
fn kept_programs_are_clean() {
    let mut wrong = String::new();
    let mut num_programs = 0;
    for entry in std::fs::read_dir("../../tests/programs").unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|ending| ending != "cu") {
            continue;
        }
        let source = std::fs::read_to_string(&path).unwrap();
        let name = path.file_stem().unwrap().to_string_lossy();
        let launch = launch_of_program(source.lines().next().unwrap());
        for arch in source.lines().nth(1).unwrap()[2..].split_whitespace() {
            wrong += &findings(&name, &source, "k", &launch, arch.parse().unwrap());
        }
        num_programs += 1;
    }
    assert!(num_programs > 30);
    assert_eq!(wrong, "");
}

/// Returns the launch in the first line of a stored program: `// grid 1 block 32 n 3 m 9 a -20 -13 …`.
fn launch_of_program(line: &str) -> Launch {
    let mut words = line.split_whitespace().skip(1);
    let mut number = |name: &str| -> u32 {
        assert_eq!(words.next(), Some(name));
        words.next().unwrap().parse::<i64>().unwrap() as u32
    };
    let [blocks, threads, n, m] = ["grid", "block", "n", "m"].map(&mut number);
    assert_eq!(words.next(), Some("a"));
    let input: Vec<f64> = words.map(|word| word.parse().unwrap()).collect();
    let buffer = |elem, len: u32, values: Vec<f64>, role| Argument::Buffer {
        elem,
        len,
        fill: Fill::of(Pattern::List(values)),
        role,
        start: 0,
    };
    let scalar = |ty, bits: u32| Argument::Scalar {
        ty,
        bits: u64::from(bits),
    };
    Launch {
        grid: [blocks, 1, 1],
        block: [threads, 1, 1],
        dynamic_shared: 0,
        args: vec![
            buffer(ElemType::U32, blocks * threads * 16, Vec::new(), Role::Out),
            buffer(ElemType::I32, input.len() as u32, input, Role::In),
            buffer(ElemType::U32, 64, Vec::new(), Role::InOut),
            scalar(ElemType::I32, n),
            scalar(ElemType::U32, m),
        ],
        symbols: Vec::new(),
    }
}
