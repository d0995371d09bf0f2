//! Files from the device: which of them are taken in, and which is the main file.

use std::collections::BTreeSet;

use super::super::start::MAX_BYTES;
use super::zip;
use cuda::lex::tokens;
use engine::files::{self, Found, base_name, common_folder, normalised};

/// Files that are taken in at most.
const MAX_FILES: usize = 64;
/// Files that are named where they are left out; more are counted.
const NAMED: usize = 6;

/// A file from the device.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpenedFile {
    /// Its path, as far as the browser tells it.
    pub path: String,
    /// What it holds, or why that cannot be read.
    pub content: Result<Vec<u8>, String>,
}

/// What is taken in.
#[derive(Debug, Default)]
pub(super) struct Opened {
    /// Names and texts, the main file first.
    pub files: Vec<(String, String)>,
    /// Whether the main file has a kernel.
    pub has_kernel: bool,
    /// Names of files that are left out, and why.
    pub left_out: Vec<(String, String)>,
}

impl Opened {
    /// Which files are left out and why, if any are.
    pub(super) fn left_out_text(&self) -> Option<String> {
        let num = self.left_out.len();
        let named = self.left_out.iter().take(NAMED);
        let named: Vec<String> = named.map(|(name, why)| format!("{name} ({why})")).collect();
        let more = match num.saturating_sub(NAMED) {
            0 => String::new(),
            more => format!(", and {more} more"),
        };
        (num > 0).then(|| format!("Left out: {}{more}.", named.join(", ")))
    }

    fn leave_out(&mut self, name: &str, why: impl Into<String>) {
        self.left_out.push((name.to_owned(), why.into()));
    }
}

/// Whether a text has a kernel: the word `__global__` outside of comments and strings.
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

/// Whether a name is that of a header or of source text that others include.
fn is_source(name: &str) -> bool {
    let endings = [
        "cu", "cuh", "h", "hpp", "hh", "hxx", "inl", "inc", "ipp", "tpp", "def", "c", "cc", "cpp", "cxx",
    ];
    let ending = base_name(name)
        .rsplit_once('.')
        .map(|(_, ending)| ending.to_ascii_lowercase());
    ending.is_some_and(|ending| endings.contains(&ending.as_str()))
}

/// Chooses from files of the device: archives are opened, what is no text is left out, and so is what goes
/// beyond the limits.
pub(super) fn chosen(all: Vec<OpenedFile>) -> Opened {
    let mut opened = Opened::default();
    let mut texts: Vec<(String, String)> = Vec::new();
    for file in all {
        match file.content {
            Err(why) => opened.leave_out(&file.path, why),
            Ok(bytes) if bytes.starts_with(zip::MAGIC) => match zip::entries(&bytes) {
                Err(why) => opened.leave_out(&file.path, why),
                Ok(entries) => {
                    for (name, content) in entries {
                        take(&mut opened, &mut texts, &name, content);
                    }
                }
            },
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

/// Takes a file as text, or says why it is left out.
fn take(
    opened: &mut Opened,
    texts: &mut Vec<(String, String)>,
    path: &str,
    content: Result<Vec<u8>, String>,
) {
    let name = normalised(path);
    match content {
        Err(why) => opened.leave_out(&name, why),
        Ok(_) if !is_source(&name) => opened.leave_out(&name, "no C++ source"),
        Ok(bytes) if bytes.contains(&0) => opened.leave_out(&name, "no text"),
        // Letters of other encodings stand in comments, and mean nothing there.
        Ok(bytes) => texts.push((name, String::from_utf8_lossy(&bytes).replace("\r\n", "\n"))),
    }
}

/// Puts the main file first: the `.cu` file with a kernel, of several the one with `main`; without one any
/// file with a kernel.
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

/// Keeps the main file and what it includes, then the others as long as there is room. Files of the host alone
/// that nothing includes are left out.
fn keep_within_limits(opened: &mut Opened, texts: Vec<(String, String)>) {
    let whole = files::join(texts.iter().map(|(name, text)| (name.as_str(), text.as_str())));
    let all = files::split(&whole);
    // A text that has files of its own stays as it is.
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
            opened.leave_out(name, "host code that nothing includes");
        } else if num_bytes + bytes > MAX_BYTES {
            opened.leave_out(name, format!("over {} KB in all", MAX_BYTES / 1024));
        } else if kept.len() == MAX_FILES {
            opened.leave_out(name, format!("over {MAX_FILES} files"));
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

/// The files that the main file includes, itself or through others, and the main file.
fn reached(all: &[files::File<'_>]) -> BTreeSet<usize> {
    let mut reached = BTreeSet::from([0]);
    let mut open = vec![0];
    while let Some(from) = open.pop() {
        for (name, _) in files::includes(all[from].text) {
            let found = match files::find_exactly(all, from, name) {
                Found::Nothing => files::find_by_name(all, from, name),
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
