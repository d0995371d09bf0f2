//! What Harper found in texts that were checked before: it takes a minute for all, and few texts change.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;
use std::path::PathBuf;
use std::time::UNIX_EPOCH;

use crate::grammar::Mistake;

/// Mistakes by the hash of the text. The file lies beside the program, and holds for this build of it only.
pub(crate) struct Memo {
    path: Option<PathBuf>,
    /// The first line of the file: the program's size and age.
    build: String,
    known: BTreeMap<u64, Vec<Mistake>>,
}

impl Memo {
    pub(crate) fn open() -> Self {
        let program = std::env::current_exe().ok();
        let metadata = program.as_ref().and_then(|path| fs::metadata(path).ok());
        let build = metadata.map_or_else(String::new, |metadata| {
            let modified = metadata.modified().ok();
            let age = modified.and_then(|time| time.duration_since(UNIX_EPOCH).ok());
            format!("{} {}", metadata.len(), age.map_or(0, |age| age.as_nanos()))
        });
        let path = program.map(|path| path.with_extension("memo"));
        let text = path.as_ref().and_then(|path| fs::read_to_string(path).ok());
        let known = text
            .as_deref()
            .and_then(|text| read(text, &build))
            .unwrap_or_default();
        Self { path, build, known }
    }

    pub(crate) fn get(&self, text: &[char]) -> Option<&Vec<Mistake>> {
        self.known.get(&hash(text))
    }

    /// Keeps these texts, and forgets all others. Without a folder to write to, the next run takes longer.
    pub(crate) fn keep(&self, texts: &BTreeMap<u64, Vec<Mistake>>) {
        if let Some(path) = &self.path {
            let _ = fs::write(path, write(texts, &self.build));
        }
    }
}

/// The FNV-1a hash of a text.
pub(crate) fn hash(text: &[char]) -> u64 {
    let step = |hash: u64, letter: &char| (hash ^ u64::from(*letter)).wrapping_mul(0x0100_0000_01b3);
    text.iter().fold(0xcbf2_9ce4_8422_2325, step)
}

fn write(texts: &BTreeMap<u64, Vec<Mistake>>, build: &str) -> String {
    let mut out = format!("{build}\n");
    for (hash, mistakes) in texts {
        let _ = writeln!(out, "{hash:016x}");
        for mistake in mistakes {
            let _ = writeln!(out, "\t{}\t{}\t{}", mistake.rule, mistake.start, mistake.message);
        }
    }
    out
}

fn read(text: &str, build: &str) -> Option<BTreeMap<u64, Vec<Mistake>>> {
    let mut lines = text.lines();
    lines.next().filter(|line| *line == build)?;
    let mut known: BTreeMap<u64, Vec<Mistake>> = BTreeMap::new();
    let mut hash = 0;
    for line in lines {
        match line.split('\t').collect::<Vec<_>>()[..] {
            [text] => {
                hash = u64::from_str_radix(text, 16).ok()?;
                known.insert(hash, Vec::new());
            }
            [_, rule, start, message] => known.get_mut(&hash)?.push(Mistake {
                rule: rule.to_owned(),
                start: start.parse().ok()?,
                message: message.to_owned(),
            }),
            _ => return None,
        }
    }
    Some(known)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_kept_reads_back_for_the_same_build_only() {
        let mistake = Mistake {
            rule: "AnA".to_owned(),
            start: 3,
            message: "`an`: wrong".to_owned(),
        };
        let texts = BTreeMap::from([(1, vec![mistake.clone(), mistake]), (2, Vec::new())]);
        let text = write(&texts, "10 20");
        assert_eq!(read(&text, "10 20"), Some(texts));
        assert_eq!(read(&text, "10 21"), None);
    }
}
