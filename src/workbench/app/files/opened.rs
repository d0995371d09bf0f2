//! Files from the device: which files are accepted, and which file becomes the main file.

use std::collections::BTreeSet;

use super::super::start::MAX_BYTES;
use super::zip;
use cuda::lex::tokens;
use engine::files::{self, Found, base_name, common_folder, normalized};

/// Limit of accepted files.
const MAX_FILES: usize = 64;
/// Limit of skipped files that are named; further files are counted.
const NAMED: usize = 6;

/// Limit of different `#include` directives of a drop whose files are searched. Assumption: ten times those of a large
/// project; further ones only lose their place before files that nothing includes.
const MAX_SEARCHES: usize = 20_000;

/// A file from the device.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpenedFile {
    /// The path, as far as the browser reports it.
    pub path: String,
    /// The contents, or why they cannot be read.
    pub content: Result<Vec<u8>, String>,
}

/// The accepted files.
#[derive(Debug, Default)]
pub struct Opened {
    /// Names and texts, the main file first.
    pub files: Vec<(String, String)>,
    /// Whether the main file has a kernel.
    pub has_kernel: bool,
    /// Names of skipped files, with reasons.
    pub left_out: Vec<(String, String)>,
}

impl Opened {
    /// A sentence about the skipped files, if there are any.
    pub fn left_out_text(&self) -> Option<String> {
        let num = self.left_out.len();
        let named = self.left_out.iter().take(NAMED);
        let named: Vec<String> = named.map(|(name, why)| format!("{name} ({why})")).collect();
        let more = match num.saturating_sub(NAMED) {
            0 => String::new(),
            more => format!(", and {more} more"),
        };
        (num > 0).then(|| format!("Skipped: {}{more}.", named.join(", ")))
    }

    fn leave_out(&mut self, name: &str, why: impl Into<String>) {
        self.left_out.push((name.to_owned(), why.into()));
    }
}

/// Whether a text has a kernel: the word `__global__` outside comments and strings.
fn declares_kernel(text: &str) -> bool {
    text.contains("__global__") && tokens(text).iter().any(|token| token.text(text) == "__global__")
}

/// Whether a file can be the main file: a `.cu` file with a kernel.
pub(super) fn has_kernel(name: &str, text: &str) -> bool {
    engine::files::is_unit(name) && declares_kernel(text)
}

fn has_main(text: &str) -> bool {
    let all = tokens(text);
    all.windows(2)
        .any(|pair| pair[0].text(text) == "main" && pair[1].text(text) == "(")
}

/// Whether a name is that of a header or of an included source file.
fn is_source(name: &str) -> bool {
    let endings = [
        "cu", "cuh", "h", "hpp", "hh", "hxx", "inl", "inc", "ipp", "tpp", "def", "c", "cc", "cpp", "cxx",
    ];
    let ending = base_name(name)
        .rsplit_once('.')
        .map(|(_, ending)| ending.to_ascii_lowercase());
    ending.is_some_and(|ending| endings.contains(&ending.as_str()))
}

/// Selects from files of the device: archives are extracted; binary files and files beyond the limits are
/// skipped.
pub fn chosen(all: Vec<OpenedFile>) -> Opened {
    let mut opened = Opened::default();
    let mut texts: Vec<(String, String)> = Vec::new();
    let mut budget = zip::Budget::default();
    for file in all {
        match file.content {
            Err(why) => opened.leave_out(&file.path, why),
            Ok(bytes) if bytes.starts_with(zip::MAGIC) => {
                match zip::entries(&bytes, &mut budget, is_source) {
                    Err(why) => opened.leave_out(&file.path, why),
                    Ok(entries) => {
                        for (name, content) in entries {
                            take(&mut opened, &mut texts, &name, content);
                        }
                    }
                }
            }
            Ok(bytes) => take(&mut opened, &mut texts, &file.path, Ok(bytes)),
        }
    }
    let folder = common_folder(texts.iter().map(|(name, _)| name.as_str())).len();
    for (name, _) in &mut texts {
        name.drain(..folder);
    }
    order(&mut texts);
    opened.has_kernel = texts.first().is_some_and(|(_, text)| declares_kernel(text));
    keep_within_limits(&mut opened, texts);
    opened
}

/// Accepts a file as text, or returns why it is skipped.
fn take(
    opened: &mut Opened,
    texts: &mut Vec<(String, String)>,
    path: &str,
    content: Result<Vec<u8>, String>,
) {
    let name = normalized(path);
    match content {
        Err(why) => opened.leave_out(&name, why),
        Ok(_) if !is_source(&name) => opened.leave_out(&name, "not C++ source"),
        Ok(bytes) if bytes.contains(&0) => opened.leave_out(&name, "not a text file"),
        // Characters of other encodings occur in comments, where they have no effect.
        Ok(bytes) => texts.push((name, String::from_utf8_lossy(&bytes).replace("\r\n", "\n"))),
    }
}

/// Puts the main file first: the `.cu` file with a kernel, preferably with `main`; otherwise any file with a
/// kernel.
fn order(texts: &mut Vec<(String, String)>) {
    let with_kernel = |(name, text): &&(String, String)| has_kernel(name, text);
    let both = |(_, (name, text)): &(usize, &(String, String))| has_kernel(name, text) && has_main(text);
    let main = (texts.iter().enumerate().find(both).map(|(idx, _)| idx))
        .or_else(|| texts.iter().position(|file| with_kernel(&file)))
        .or_else(|| texts.iter().position(|(_, text)| declares_kernel(text)));
    if let Some(main) = main {
        let main = texts.remove(main);
        texts.insert(0, main);
    }
}

/// Keeps the main file and its includes, then other files up to the limit. Host-only files that no file includes
/// are skipped.
fn keep_within_limits(opened: &mut Opened, texts: Vec<(String, String)>) {
    let whole = files::join(texts.iter().map(|(name, text)| (name.as_str(), text.as_str())));
    let all = files::split(&whole);
    // A source that already contains files stays unchanged.
    let reached = if all.len() == texts.len() && opened.has_kernel {
        reached(&all)
    } else {
        BTreeSet::from([0])
    };
    let is_host = |name: &str| {
        [".c", ".cc", ".cpp", ".cxx"]
            .iter()
            .any(|ending| name.ends_with(ending))
    };
    let mut order: Vec<usize> = (0..texts.len()).collect();
    order.sort_by_key(|idx| !reached.contains(idx));
    let mut num_bytes = 0;
    let mut kept: BTreeSet<usize> = BTreeSet::new();
    for idx in order {
        let (name, text) = &texts[idx];
        let bytes = text.len() + name.len() + files::MARKER.len() + 2;
        if is_host(name) && !reached.contains(&idx) && texts.len() > 1 {
            opened.leave_out(name, "host code that no file includes");
        } else if num_bytes + bytes > MAX_BYTES {
            opened.leave_out(name, format!("more than {} KB in total", MAX_BYTES / 1024));
        } else if kept.len() == MAX_FILES {
            opened.leave_out(name, format!("more than {MAX_FILES} files"));
        } else {
            num_bytes += bytes;
            kept.insert(idx);
        }
    }
    let kept_texts = texts
        .into_iter()
        .enumerate()
        .filter(|(idx, _)| kept.contains(idx));
    opened.files = kept_texts.map(|(_, file)| file).collect();
    opened.has_kernel &= kept.contains(&0);
}

/// The main file and the files that it includes, directly or indirectly. A drop can have hundreds of thousands of
/// directives: each is searched once, up to a limit.
fn reached(all: &[files::File<'_>]) -> BTreeSet<usize> {
    let index = files::Index::of(all);
    let mut searched: BTreeSet<(&str, &str)> = BTreeSet::new();
    let mut reached = BTreeSet::from([0]);
    let mut open = vec![0];
    while let Some(from) = open.pop() {
        let folder = files::folder(all[from].name);
        for (name, _) in files::includes(all[from].text) {
            if searched.len() == MAX_SEARCHES || !searched.insert((folder, name)) {
                continue;
            }
            let found = match index.find_exactly(from, name) {
                Found::Nothing => index.find_by_name(from, name),
                exact => exact,
            };
            let found = match found {
                Found::Nothing => Vec::new(),
                Found::File(idx) => vec![idx],
                Found::Several(several) => several,
            };
            open.extend(found.into_iter().filter(|idx| reached.insert(*idx)));
        }
    }
    reached
}
