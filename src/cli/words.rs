//! `words`: everything that the product says, with its place in the sources. A translation starts from this list.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::Write;
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use serde::Serialize;

use super::{CliError, CliResult, Verdict};
use texts::piece::Code;
use texts::tree;

/// List every sentence, label, lesson, and term that users read, with file and line
///
/// The texts come from the source tree, because each entry names its file and line there. Placeholders of messages are
/// kept by name, for example {cycle}.
#[derive(Args)]
pub(super) struct WordsArgs {
    /// The folder of the source tree
    #[arg(default_value = ".")]
    tree: PathBuf,
    /// Only texts of this kind
    #[arg(long)]
    kind: Option<TextKind>,
    /// Print a JSON array with one object per text
    #[arg(long)]
    json: bool,
}

/// Where a text appears.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, ValueEnum)]
#[serde(rename_all = "kebab-case")]
enum TextKind {
    /// The page: labels, headlines, explanations.
    Page,
    /// Messages of the compiler, of the checks, and of faults.
    Diagnostic,
    /// Lessons and courses.
    Lesson,
    /// Terms of the glossary.
    Glossary,
    /// The key map.
    Keys,
    /// Sources and descriptions of the numbers of the hardware.
    Numbers,
    /// The command line.
    CommandLine,
    /// Documents.
    Docs,
}

/// A text.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
struct Listed {
    kind: TextKind,
    file: String,
    line: u32,
    text: String,
}

/// The kind of the texts of a file.
fn kind(path: &str) -> TextKind {
    match path {
        "src/workbench/app/keys.rs" => TextKind::Keys,
        _ if path.starts_with("src/workbench/glossary") => TextKind::Glossary,
        _ if path.starts_with("src/workbench/check") || path.starts_with("src/cuda/") => TextKind::Diagnostic,
        _ if path.starts_with("src/workbench/") || path.starts_with("src/page/") => TextKind::Page,
        _ if path.starts_with("src/engine/arch") => TextKind::Numbers,
        _ if path.starts_with("src/engine/") => TextKind::Diagnostic,
        _ if path.starts_with("www/lessons/") => TextKind::Lesson,
        _ if path.starts_with("src/cli/") => TextKind::CommandLine,
        _ => TextKind::Docs,
    }
}

/// All texts of a source tree, by kind and place.
fn texts_of(root: &std::path::Path) -> Result<Vec<Listed>, CliError> {
    let files = tree::files(root).map_err(|problem| {
        CliError::Input(format!(
            "{problem}; `warpscope words` reads the source tree: give its folder"
        ))
    })?;
    let classes = classes(root)?;
    let mut texts = Vec::new();
    for file in files {
        let path = root.join(&file);
        let source = fs::read_to_string(&path).map_err(|source| CliError::Read { path, source })?;
        for piece in tree::pieces(&file, &source, false, Code::Kept).map_err(CliError::Input)? {
            let text: String = piece.text.iter().collect();
            let is_class = |word: &str| classes.contains(word);
            let is_style = file.starts_with("src/page/") && text.split_whitespace().all(is_class);
            if is_style || is_name(text.trim()) {
                continue;
            }
            texts.push(Listed {
                kind: kind(&file),
                file: file.clone(),
                line: piece.place(0).line,
                text: text.split_whitespace().collect::<Vec<_>>().join(" "),
            });
        }
    }
    texts.extend(terms(root)?);
    texts.sort();
    texts.dedup();
    Ok(texts)
}

/// The classes of the page's style sheet: strings of the page that consist of them are not for readers.
fn classes(root: &std::path::Path) -> Result<BTreeSet<String>, CliError> {
    let path = root.join("www/app.css");
    let sheet = fs::read_to_string(&path).map_err(|source| CliError::Read { path, source })?;
    let is_name = |letter: char| letter.is_ascii_alphanumeric() || letter == '-' || letter == '_';
    let names = sheet.split('.').skip(1);
    let names = names.filter_map(|part| part.split(|letter| !is_name(letter)).next());
    let is_class = |name: &&str| name.starts_with(|letter: char| letter.is_ascii_lowercase());
    Ok(names.filter(is_class).map(str::to_owned).collect())
}

/// Whether a text is a name of code, an id, or a signature, and not for readers: one word with underscores or
/// lower-case parts joined by hyphens, or few words with double underscores or an empty pair of parentheses.
fn is_name(text: &str) -> bool {
    let words: Vec<&str> = text.split_whitespace().collect();
    let is_id = |word: &str| {
        word.contains('_')
            || (word.contains('-')
                && word
                    .chars()
                    .all(|letter| letter.is_ascii_lowercase() || letter == '-'))
    };
    match words.as_slice() {
        [word] => is_id(word),
        words => {
            words.len() < 4
                && words
                    .iter()
                    .any(|word| word.contains("__") || word.ends_with("()"))
        }
    }
}

/// The names of the glossary's terms, which can be opcodes or abbreviations, with the lines that define them.
fn terms(root: &std::path::Path) -> Result<Vec<Listed>, CliError> {
    let mut lines: BTreeMap<String, (String, u32)> = BTreeMap::new();
    let files = tree::files(root).map_err(CliError::Input)?;
    for file in files
        .into_iter()
        .filter(|file| file.starts_with("src/workbench/glossary"))
    {
        let path = root.join(&file);
        let source = fs::read_to_string(&path).map_err(|source| CliError::Read { path, source })?;
        for (idx, line) in source.lines().enumerate() {
            // The strings of a line are at the odd places between its quotation marks.
            for text in line.split('"').skip(1).step_by(2) {
                lines
                    .entry(text.to_owned())
                    .or_insert_with(|| (file.clone(), idx as u32 + 1));
            }
        }
    }
    let term = |term: &workbench::glossary::Term| {
        let (file, line) = lines.get(term.name)?.clone();
        Some(Listed {
            kind: TextKind::Glossary,
            file,
            line,
            text: term.name.to_owned(),
        })
    };
    Ok(workbench::glossary::terms().filter_map(term).collect())
}

pub(super) fn run(args: &WordsArgs, out: &mut dyn Write) -> CliResult {
    let mut texts = texts_of(&args.tree)?;
    if let Some(kind) = args.kind {
        texts.retain(|text| text.kind == kind);
    }
    if args.json {
        serde_json::to_writer(&mut *out, &texts)?;
        writeln!(out)?;
        return Ok(Verdict::Good);
    }
    for text in texts {
        let kind = text.kind.to_possible_value();
        let kind = kind.as_ref().map_or("", |kind| kind.get_name());
        writeln!(out, "{}:{}: {kind}: {}", text.file, text.line, text.text)?;
    }
    Ok(Verdict::Good)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    fn all() -> Vec<Listed> {
        texts_of(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")).unwrap()
    }

    /// Whether a text is written by a template: the template's fixed parts occur in order from its start to its end.
    fn is_of(template: &str, text: &str) -> bool {
        let mut rest = text;
        let mut parts = template.split('{').map(|part| part.rsplit('}').next().unwrap());
        let first = parts.next().unwrap();
        let Some(after) = rest.strip_prefix(first) else {
            return false;
        };
        rest = after;
        for part in parts {
            let Some(at) = rest.find(part) else { return false };
            rest = &rest[at + part.len()..];
        }
        rest.is_empty() || template.ends_with('}')
    }

    /// Sentences and labels of the recorded pictures are in the list.
    #[test]
    fn texts_on_screen_are_in_the_list() {
        let all = all();
        let scenes = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/scenes");
        let screen: String = fs::read_dir(scenes)
            .unwrap()
            .map(|entry| fs::read_to_string(entry.unwrap().path()).unwrap())
            .collect();
        for known in [
            "Resident warps, mean of the run",
            "Warps that the launch allows",
            "Other warps of the block have not arrived at the barrier.",
            "The MIO queue to shared memory and the XU is full.",
            "No action needed: the scheduler has more eligible warps than it can issue.",
            "Bytes in flight for full bandwidth",
            "Kernels that copy",
            "Threads per block",
        ] {
            assert!(screen.contains(known), "`{known}` is not on screen");
            assert!(
                all.iter().any(|text| text.text.contains(known)),
                "`{known}` is on screen, and not in the list"
            );
        }
        // Headlines: the line after each link.
        let lines: Vec<&str> = screen.lines().collect();
        let heads = lines
            .windows(2)
            .filter(|pair| pair[0].starts_with("# v1"))
            .map(|pair| pair[1]);
        let (mut found, mut num) = (0, 0);
        for head in heads {
            num += 1;
            let is_listed = all
                .iter()
                .any(|text| text.text.len() > 8 && head.len() > 8 && is_of(&text.text, head));
            // A headline can have parts: at least its longest run of plain words is in the list.
            let longest = head
                .split(|letter: char| !(letter.is_alphabetic() || letter == ' '))
                .map(str::trim)
                .max_by_key(|part| part.len())
                .unwrap();
            found += usize::from(is_listed || all.iter().any(|text| text.text.contains(longest)));
        }
        assert!(num > 100, "{num}");
        assert!(found * 10 >= num * 8, "{found} of {num} headlines");
    }

    #[test]
    fn every_kind_has_texts_and_none_is_a_class_or_an_id() {
        let all = all();
        for kind in TextKind::value_variants() {
            let num = all.iter().filter(|text| text.kind == *kind).count();
            assert!(num > 20 || *kind == TextKind::Keys, "{kind:?}: {num}");
        }
        let of_page: Vec<&Listed> = all
            .iter()
            .filter(|text| text.file.starts_with("src/page/"))
            .collect();
        let has = |text: &str| of_page.iter().any(|of| of.text == text);
        for class in [
            "live broken",
            "field short",
            "column left",
            "hide-phone",
            "play-mistake",
        ] {
            assert!(!has(class), "{class}");
        }
        assert!(has("Loading the glossary…"));
        let views = workbench::share::View::ALL.map(workbench::share::View::id);
        for text in &all {
            let is_id =
                text.kind != TextKind::Glossary && !text.text.contains(' ') && text.text.contains('_');
            assert!(!is_id, "{text:?} is a name of code");
            let is_view = views.contains(&text.text.as_str()) && text.kind != TextKind::Glossary;
            assert!(!is_view, "{text:?} is an id");
        }
    }

    #[test]
    fn placeholders_keep_their_names() {
        let all = all();
        assert!(
            all.iter()
                .any(|text| text.kind == TextKind::Page && text.text.contains("{} does not compile: {}")),
            "a message of the page"
        );
        assert!(
            all.iter()
                .any(|text| text.text.contains("{intensity} {unit} per byte allow {allowed}"))
        );
        let lesson = all
            .iter()
            .find(|text| text.kind == TextKind::Lesson && text.text.contains('`'));
        assert!(lesson.is_some(), "code in lessons is kept");
        assert!(
            all.iter()
                .any(|text| text.kind == TextKind::Glossary && text.text == "LDG")
        );
    }

    #[test]
    fn a_folder_without_sources_is_refused_with_advice() {
        let mut out = Vec::new();
        let args = WordsArgs {
            tree: PathBuf::from("/nowhere"),
            kind: None,
            json: false,
        };
        let error = run(&args, &mut out).unwrap_err().to_string();
        assert!(error.contains("source tree"), "{error}");
    }
}
