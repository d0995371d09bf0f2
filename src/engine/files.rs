//! Several files in one text. A kernel with its own headers is one source, so that links, undo, and positions
//! work as for a single file.
//!
//! The text starts with the main file. A line `//--- warpscope file: reduce.cuh` starts another file, which
//! extends to the next such line. Such a line at the very start of the text names the main file, which is
//! otherwise `kernel.cu`. To a C++ compiler these lines are comments, and no source contains them by chance.
//! Offsets and line numbers in a [`crate::ids::Span`] count in the whole text; [`place`] converts them to a
//! file and a line.

use std::collections::BTreeMap;

/// The start of a line that starts a file; the file's name follows, up to the end of the line.
pub const MARKER: &str = "//--- warpscope file: ";

/// The name of the main file if the text does not name it.
pub const MAIN: &str = "kernel.cu";

/// The main file that the command line generates to define macros; it includes the user's main file.
pub const COMMAND_LINE: &str = "command-line.cu";

/// One file of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct File<'a> {
    /// Its path, with `/` between folders.
    pub name: &'a str,
    /// Its text, without the marker line.
    pub text: &'a str,
    /// Byte offset of its text in the whole text.
    pub start: usize,
    /// The line of the whole text, from 1, of the file's first line.
    pub first_line: u32,
}

impl File<'_> {
    /// Byte offset after its last character in the whole text.
    pub const fn end(&self) -> usize {
        self.start + self.text.len()
    }

    /// The number of lines; an empty file has one.
    pub fn num_lines(&self) -> u32 {
        self.text.matches('\n').count() as u32 + 1
    }

    /// The name without folders.
    pub fn base_name(&self) -> &str {
        base_name(self.name)
    }
}

/// The last part of a path.
pub fn base_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// Whether a name is that of a CUDA source file that is compiled on its own.
pub fn is_unit(name: &str) -> bool {
    name.rsplit_once('.').is_some_and(|(_, ending)| ending == "cu")
}

/// The folder of a path, with a trailing `/`; empty if the path has none.
pub fn folder(path: &str) -> &str {
    &path[..path.len() - base_name(path).len()]
}

/// The innermost folder that contains all of these paths, with a trailing `/`; empty if there is none.
pub fn common_folder<'a>(mut paths: impl Iterator<Item = &'a str>) -> &'a str {
    let mut common = paths.next().map_or("", folder);
    for path in paths {
        while !path.starts_with(common) {
            common = folder(common.trim_end_matches('/'));
        }
    }
    common
}

/// Whether a text names any of its files; otherwise the whole text is one file.
pub fn has_names(text: &str) -> bool {
    // A fast check first: most texts have no marker, and callers check often.
    text.contains(MARKER) && markers(text).next().is_some()
}

/// The marker lines of a text: the name, the line's offset, the offset after it, and its number from 0.
fn markers(text: &str) -> impl Iterator<Item = (&str, usize, usize, u32)> {
    let mut at = 0;
    text.split_inclusive('\n')
        .zip(0u32..)
        .filter_map(move |(line, idx)| {
            let start = at;
            at += line.len();
            let name = line.strip_prefix(MARKER)?.trim();
            (!name.is_empty()).then_some((name, start, at, idx))
        })
}

/// The files of a text, the main file first; at least one.
pub fn split(text: &str) -> Vec<File<'_>> {
    let mut files = vec![File {
        name: MAIN,
        text,
        start: 0,
        first_line: 1,
    }];
    if !text.contains(MARKER) {
        return files;
    }
    for (name, before, start, line) in markers(text) {
        let file = File {
            name,
            text: &text[start..],
            start,
            first_line: line + 2,
        };
        if before == 0 {
            files[0] = file;
            continue;
        }
        if let Some(last) = files.last_mut() {
            // The end of the previous line belongs to the marker.
            last.text = &text[last.start..(before - 1).max(last.start)];
        }
        files.push(file);
    }
    files
}

/// Joins files into one text, the main file first; [`split`] returns these files.
///
/// [`normalized`] normalizes the names. A main file called [`MAIN`] gets no marker.
pub fn join<'a>(files: impl IntoIterator<Item = (&'a str, &'a str)>) -> String {
    let mut out = String::new();
    for (idx, (name, text)) in files.into_iter().enumerate() {
        let name = normalized(name);
        if idx > 0 {
            out.push('\n');
        }
        if idx > 0 || name != MAIN {
            out += &format!("{MARKER}{name}\n");
        }
        out += text;
    }
    out
}

/// Replaces the text of one file, by its position. Returns the text unchanged if there is no such file.
pub fn with_text(text: &str, file: usize, new: &str) -> String {
    match split(text).get(file) {
        Some(file) => format!("{}{new}{}", &text[..file.start], &text[file.end()..]),
        None => text.to_owned(),
    }
}

/// Normalizes a path: `/` between folders, no `.`, no folder before `..`, and on one line.
pub fn normalized(path: &str) -> String {
    let path: String = path.trim().replace('\\', "/").replace(['\n', '\r'], " ");
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." if parts.last().is_some_and(|last| *last != "..") => {
                parts.pop();
            }
            part => parts.push(part),
        }
    }
    let root = if path.starts_with('/') { "/" } else { "" };
    format!("{root}{}", parts.join("/"))
}

/// The position of the file that contains a line of the whole text (from 1). A marker line belongs to its
/// file.
pub fn file_of_line(files: &[File<'_>], line: u32) -> usize {
    let before = files.partition_point(|file| file.first_line.saturating_sub(1) <= line);
    before.saturating_sub(1)
}

/// Converts a line of the whole text (from 1) to the file's name, if the text names its files, and the line
/// in that file. Line 0 stays 0.
pub fn place(text: &str, line: u32) -> (Option<&str>, u32) {
    if line == 0 || !has_names(text) {
        return (None, line);
    }
    let files = split(text);
    let file = files[file_of_line(&files, line)];
    (Some(file.name), (line + 1).saturating_sub(file.first_line))
}

/// A line of the whole text in words: `line 12`, or `line 12 of reduce.cuh` outside the main file.
pub fn line_text(text: &str, line: u32) -> String {
    match place(text, line) {
        (Some(name), line) if split(text)[0].name != name => format!("line {line} of {}", base_name(name)),
        (_, line) => format!("line {line}"),
    }
}

/// A short name of a line of the whole text: `12`, or `reduce.cuh:12` outside the main file.
pub fn line_name(text: &str, line: u32) -> String {
    match place(text, line) {
        (Some(name), line) if split(text)[0].name != name => format!("{}:{line}", base_name(name)),
        (_, line) => line.to_string(),
    }
}

/// The result of resolving an `#include`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Found {
    /// No matching file.
    Nothing,
    /// The file at this position.
    File(usize),
    /// Several files that match equally well.
    Several(Vec<usize>),
}

fn found(all: Vec<usize>) -> Found {
    match all.as_slice() {
        [] => Found::Nothing,
        [one] => Found::File(*one),
        _ => Found::Several(all),
    }
}

/// The names of files, to resolve `#include` directives.
#[derive(Clone, Debug)]
pub struct Index<'a> {
    names: Vec<&'a str>,
    /// The positions of the files by their normalized paths, and by their names without folders.
    by_path: BTreeMap<String, Vec<usize>>,
    by_base_name: BTreeMap<&'a str, Vec<usize>>,
}

impl<'a> Index<'a> {
    /// The index of these files.
    pub fn of(files: &[File<'a>]) -> Self {
        let mut index = Self {
            names: files.iter().map(|file| file.name).collect(),
            by_path: BTreeMap::new(),
            by_base_name: BTreeMap::new(),
        };
        for (idx, name) in index.names.iter().enumerate() {
            index.by_path.entry(normalized(name)).or_default().push(idx);
            index.by_base_name.entry(base_name(name)).or_default().push(idx);
        }
        index
    }

    /// Resolves an `#include` in file `from` by its path, relative to the including file's folder or to the common
    /// folder of all files.
    pub fn find_exactly(&self, from: usize, name: &str) -> Found {
        let folder = self.names.get(from).map_or("", |file| folder(file));
        for path in [format!("{folder}{name}"), name.to_owned()] {
            if let Some(all) = self.by_path.get(&normalized(&path)) {
                return found(all.clone());
            }
        }
        Found::Nothing
    }

    /// Resolves an `#include` in file `from` if the folders differ: a file whose path ends with the name, or else a file
    /// with the same base name.
    pub fn find_by_name(&self, from: usize, name: &str) -> Found {
        let path = normalized(name);
        let path = path.trim_start_matches("../");
        // A path that ends with another path has the same base name.
        let same = self.by_base_name.get(base_name(path)).into_iter().flatten();
        let others: Vec<usize> = same.copied().filter(|idx| *idx != from).collect();
        let ends = |idx: &usize| {
            let rest = self.names[*idx].strip_suffix(path);
            rest.is_some_and(|rest| rest.is_empty() || rest.ends_with('/'))
        };
        let exact: Vec<usize> = others.iter().copied().filter(ends).collect();
        found(if exact.is_empty() { others } else { exact })
    }
}

/// Resolves an `#include` in file `from` by its path. See [`Index::find_exactly`], which is faster for several directives.
pub fn find_exactly(files: &[File<'_>], from: usize, name: &str) -> Found {
    Index::of(files).find_exactly(from, name)
}

/// Resolves an `#include` in file `from` by its name. See [`Index::find_by_name`], which is faster for several directives.
pub fn find_by_name(files: &[File<'_>], from: usize, name: &str) -> Found {
    Index::of(files).find_by_name(from, name)
}

/// The names in the `#include` directives of a file's text, in order, and whether they are in angle brackets.
/// Directives in comments and in inactive conditionals are included.
pub fn includes(text: &str) -> impl Iterator<Item = (&str, bool)> {
    text.lines().filter_map(|line| {
        let rest = line.trim_start().strip_prefix('#')?.trim_start();
        let rest = rest.strip_prefix("include")?.trim_start();
        let (end, is_angle) = match rest.bytes().next()? {
            b'"' => ('"', false),
            b'<' => ('>', true),
            _ => return None,
        };
        let (name, _) = rest[1..].split_once(end)?;
        Some((name.trim(), is_angle))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names_and_texts(text: &str) -> Vec<(&str, &str)> {
        split(text).iter().map(|file| (file.name, file.text)).collect()
    }

    #[test]
    fn a_text_without_markers_is_one_file() {
        for text in [
            "",
            "a",
            "a\nb\n",
            "// --- warpscope file: a\n",
            " //--- warpscope file: a",
            "//--- warpscope file: \n",
        ] {
            assert_eq!(names_and_texts(text), [(MAIN, text)]);
            assert!(!has_names(text));
            assert_eq!(place(text, 2), (None, 2));
        }
    }

    #[test]
    fn split_inverts_join() {
        let cases: [&[(&str, &str)]; 6] = [
            &[("kernel.cu", "int a;\n")],
            &[("main.cu", "")],
            &[("kernel.cu", "a\n"), ("b.cuh", "b")],
            &[("kernel.cu", ""), ("b.cuh", ""), ("c.cuh", "\n")],
            &[
                ("src/main.cu", "a\r\n"),
                ("include/b.cuh", "b\n\n"),
                ("b.cuh", "no end"),
            ],
            &[("/abs/m.cu", "a"), ("../up.h", "b")],
        ];
        for files in cases {
            let text = join(files.iter().copied());
            assert_eq!(names_and_texts(&text), files, "{text:?}");
            for file in split(&text) {
                assert_eq!(&text[file.start..file.end()], file.text);
                assert_eq!(
                    text[..file.start].matches('\n').count() as u32 + 1,
                    file.first_line
                );
            }
        }
    }

    #[test]
    fn lines_belong_to_files() {
        let text = join([("kernel.cu", "k1\nk2\n"), ("a/r.cuh", "r1\nr2")]);
        assert_eq!(text, "k1\nk2\n\n//--- warpscope file: a/r.cuh\nr1\nr2");
        let places: Vec<_> = (0..=6).map(|line| place(&text, line)).collect();
        let (kernel, header) = (Some("kernel.cu"), Some("a/r.cuh"));
        let expected = [
            (None, 0),
            (kernel, 1),
            (kernel, 2),
            (kernel, 3),
            (header, 0),
            (header, 1),
            (header, 2),
        ];
        assert_eq!(places, expected);
        assert_eq!(line_text(&text, 2), "line 2");
        assert_eq!(line_text(&text, 6), "line 2 of r.cuh");
        let named = join([("m.cu", "k1\nk2")]);
        assert_eq!(place(&named, 3), (Some("m.cu"), 2));
        assert_eq!(line_text(&named, 3), "line 2");
    }

    #[test]
    fn with_text_replaces_one_file() {
        let text = join([("kernel.cu", "k\n"), ("r.cuh", "r\n"), ("s.cuh", "s\n")]);
        let changed = with_text(&text, 1, "new");
        assert_eq!(
            names_and_texts(&changed),
            [("kernel.cu", "k\n"), ("r.cuh", "new"), ("s.cuh", "s\n")]
        );
        assert_eq!(with_text(&text, 3, "new"), text);
    }

    #[test]
    fn paths_are_normalized() {
        let cases = [
            ("./a.h", "a.h"),
            ("src/../include//a.h", "include/a.h"),
            ("..\\x\\a.h", "../x/a.h"),
            ("../../a.h", "../../a.h"),
            ("/tmp/./a.h", "/tmp/a.h"),
            (" a b.h\n", "a b.h"),
        ];
        for (path, expected) in cases {
            assert_eq!(normalized(path), expected);
        }
    }

    #[test]
    fn includes_resolve_to_files() {
        let text = join([
            ("src/main.cu", ""),
            ("src/a.h", ""),
            ("include/a.h", ""),
            ("include/lib/b.h", ""),
            ("other/c.h", ""),
            ("more/c.h", ""),
        ]);
        let files = split(&text);
        let find = |from: usize, name: &str| match find_exactly(&files, from, name) {
            Found::Nothing => find_by_name(&files, from, name),
            exact => exact,
        };
        assert_eq!(find(0, "a.h"), Found::File(1));
        assert_eq!(find(2, "a.h"), Found::File(2));
        assert_eq!(find(0, "../include/a.h"), Found::File(2));
        assert_eq!(find(0, "include/a.h"), Found::File(2));
        assert_eq!(find(0, "lib/b.h"), Found::File(3));
        assert_eq!(find(0, "../../elsewhere/b.h"), Found::File(3));
        assert_eq!(find(0, "c.h"), Found::Several(vec![4, 5]));
        assert_eq!(find(4, "c.h"), Found::File(4));
        assert_eq!(find(0, "d.h"), Found::Nothing);
        assert_eq!(find(0, ".h"), Found::Nothing);
        // A file must match at a folder boundary, not in the middle of a name.
        assert_eq!(find(0, "b/a.h"), Found::Several(vec![1, 2]));
    }

    #[test]
    fn directives_name_files() {
        let text =
            "#include \"a.h\"\n  #  include <b/c.cuh> // d\n#include MACRO\n#define include\nint include;";
        let all: Vec<_> = includes(text).collect();
        assert_eq!(all, [("a.h", false), ("b/c.cuh", true)]);
    }
}
