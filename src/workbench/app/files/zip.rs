//! Reads ZIP archives: the central directory, and stored or deflated entries.
//!
//! By PKWARE's APPNOTE.TXT 6.3.10, sections 4.3.7 (local header), 4.3.12 (central directory), and 4.3.16 (end of
//! central directory). Encrypted entries, ZIP64, and other compression methods are rejected, each with its reason.
//!
//! The directory decides before any entry is inflated: the number of entries, their sizes, the sum, and that no two
//! entries share bytes of the archive. Inflating stops at the size that the directory states, so that a false size gains
//! nothing.

use std::collections::BTreeSet;

use miniz_oxide::inflate::decompress_to_vec_with_limit;

use engine::files::normalized;

/// The first bytes of an archive: a local header, or the end of an empty archive.
pub(super) const MAGIC: &[u8] = b"PK";

/// Limit of entries. Assumption: the largest public CUDA repositories that open as a whole have about 1,500 files.
const MAX_ENTRIES: usize = 2_000;
/// Size limit of an entry, in bytes: a source has no more, see `start::MAX_BYTES`.
const MAX_ENTRY: usize = 256 * 1024;
/// Limit of the sum of all inflated entries of one drop, in bytes. Assumption: 32 times what a source may have leaves
/// enough to choose from, and inflates within 0.1 s.
pub(super) const MAX_SUM: usize = 8 * 1024 * 1024;
/// The highest ratio that DEFLATE reaches: 258 bytes for two bits (RFC 1951, section 3.2.5), so 1,032 to 1.
const MAX_RATIO: usize = 1_032;
/// Length limit of a path, in bytes. Assumption: the limit of a path's parts on usual file systems is 255 bytes.
const MAX_NAME: usize = 255;

const END: &[u8] = b"PK\x05\x06";
const CENTRAL: &[u8] = b"PK\x01\x02";
const LOCAL: &[u8] = b"PK\x03\x04";

/// The type of a file in the attributes that Unix writes, and that of a symbolic link (POSIX, `sys/stat.h`).
const FILE_TYPE: usize = 0o170_000;
const SYMBOLIC_LINK: usize = 0o120_000;

/// An entry's path, and its contents or why it is skipped.
pub(super) type Entry = (String, Result<Vec<u8>, String>);

/// The bytes that the archives of a drop may still inflate to.
#[derive(Debug)]
pub(super) struct Budget(usize);

impl Default for Budget {
    fn default() -> Self {
        Self(MAX_SUM)
    }
}

fn u16_at(bytes: &[u8], at: usize) -> Option<usize> {
    let field = bytes.get(at..at.checked_add(2)?)?;
    Some(usize::from(u16::from_le_bytes(field.try_into().ok()?)))
}

fn u32_at(bytes: &[u8], at: usize) -> Option<usize> {
    let field = bytes.get(at..at.checked_add(4)?)?;
    Some(u32::from_le_bytes(field.try_into().ok()?) as usize)
}

/// An entry that can be read: its packed bytes, and their size once inflated.
#[derive(Clone, Copy, Debug)]
struct Body<'a> {
    /// Offset of the local header in the archive.
    local: usize,
    packed: &'a [u8],
    /// Offset after the packed bytes in the archive.
    end: usize,
    size: usize,
    is_deflated: bool,
}

impl Body<'_> {
    fn contents(&self) -> Result<Vec<u8>, String> {
        let damaged = || "a damaged entry".to_owned();
        if !self.is_deflated {
            return Ok(self.packed.to_vec());
        }
        if self.size == 0 {
            return Ok(Vec::new());
        }
        let contents = decompress_to_vec_with_limit(self.packed, self.size).map_err(|_| damaged())?;
        (contents.len() == self.size)
            .then_some(contents)
            .ok_or_else(damaged)
    }
}

/// The files in an archive, without folders and without macOS metadata. Only files that `is_wanted` are inflated.
///
/// # Errors
/// The archive is damaged, or exceeds a limit: nothing of the archive is inflated.
pub(super) fn entries(
    bytes: &[u8],
    budget: &mut Budget,
    is_wanted: fn(&str) -> bool,
) -> Result<Vec<Entry>, String> {
    let mut listed = Vec::new();
    for (name, body) in directory(bytes)? {
        let body = match body {
            Ok(_) if !is_wanted(&name) => Err("not C++ source".to_owned()),
            body => body,
        };
        listed.push((name, body));
    }
    let mut bodies: Vec<Body<'_>> = listed
        .iter()
        .filter_map(|(_, body)| body.as_ref().ok().copied())
        .collect();
    bodies.sort_by_key(|body| body.local);
    if bodies.windows(2).any(|pair| pair[1].local < pair[0].end) {
        return Err("several files share the same bytes of the archive".to_owned());
    }
    let sum: usize = bodies.iter().map(|body| body.size).sum();
    if sum > budget.0 {
        return Err(format!(
            "{} files would need {} MB; archives have at most {} MB of source in total",
            bodies.len(),
            sum.div_ceil(1 << 20),
            MAX_SUM >> 20
        ));
    }
    budget.0 -= sum;
    let inflated = listed
        .into_iter()
        .map(|(name, body)| (name, body.and_then(|body| body.contents())));
    Ok(inflated.collect())
}

/// A path, and the entry or why it is skipped.
type Listed<'a> = (String, Result<Body<'a>, String>);

/// The entries of the central directory, without folders and without macOS metadata.
fn directory(bytes: &[u8]) -> Result<Vec<Listed<'_>>, String> {
    let damaged = || "a damaged archive".to_owned();
    // The end record may have a comment of at most 65535 bytes.
    let from = bytes.len().saturating_sub(22 + 65_535);
    let end = (from..bytes.len().saturating_sub(21))
        .rev()
        .find(|at| bytes[*at..].starts_with(END));
    let end = end.ok_or_else(damaged)?;
    let num = u16_at(bytes, end + 10).ok_or_else(damaged)?;
    let mut at = u32_at(bytes, end + 16).ok_or_else(damaged)?;
    let mut out: Vec<Listed<'_>> = Vec::new();
    let mut names = BTreeSet::new();
    for idx in 0..num {
        if idx == MAX_ENTRIES {
            out.push((
                "other entries of the archive".to_owned(),
                Err(format!("more than {MAX_ENTRIES} entries")),
            ));
            break;
        }
        let ((path, body), next) = entry(bytes, at).ok_or_else(damaged)?;
        at = next;
        let is_of_system = path.starts_with("__MACOSX/") || path.ends_with("/.DS_Store");
        if path.ends_with('/') || is_of_system {
            continue;
        }
        let (name, body) = match name_of(&path) {
            Ok(name) => (name, body),
            Err((name, why)) => (name, Err(why.to_owned())),
        };
        let body = match body {
            Ok(_) if !names.insert(name.clone()) => Err("a second file with this name".to_owned()),
            body => body,
        };
        out.push((name, body));
    }
    Ok(out)
}

/// The normalized path of an entry.
///
/// # Errors
/// A name for a message, and why the path is rejected. A name is only text here: no file is written. A path that
/// leads out of the archive is still none that an honest archive has.
fn name_of(path: &str) -> Result<String, (String, &'static str)> {
    if path.chars().any(char::is_control) {
        let shown = path
            .replace(char::is_control, "\u{fffd}")
            .chars()
            .take(MAX_NAME)
            .collect();
        return Err((shown, "a control character in its name"));
    }
    if path.len() > MAX_NAME {
        let shown: String = path.chars().take(40).collect();
        return Err((format!("{shown}…"), "a name of more than 255 bytes"));
    }
    let name = normalized(path);
    let is_drive = name.as_bytes().get(1) == Some(&b':');
    if name.starts_with('/') || name.starts_with("../") || name == ".." || is_drive {
        return Err((name, "a path that leads out of the archive"));
    }
    Ok(name)
}

/// The entry at an offset of the central directory, and the offset of the next one.
fn entry(bytes: &[u8], at: usize) -> Option<(Listed<'_>, usize)> {
    if !bytes.get(at..)?.starts_with(CENTRAL) {
        return None;
    }
    let made_by = u16_at(bytes, at + 4)?;
    let flags = u16_at(bytes, at + 8)?;
    let method = u16_at(bytes, at + 10)?;
    let (packed, size) = (u32_at(bytes, at + 20)?, u32_at(bytes, at + 24)?);
    let name_len = u16_at(bytes, at + 28)?;
    let next = at + 46 + name_len + u16_at(bytes, at + 30)? + u16_at(bytes, at + 32)?;
    let attributes = u32_at(bytes, at + 38)?;
    let local = u32_at(bytes, at + 42)?;
    let name = String::from_utf8_lossy(bytes.get(at + 46..at + 46 + name_len)?).into_owned();
    // Host 3 is Unix, whose file mode is in the high half of the attributes.
    let is_link = made_by >> 8 == 3 && attributes >> 16 & FILE_TYPE == SYMBOLIC_LINK;
    let body = if flags & 1 == 1 {
        Err("encrypted".to_owned())
    } else if is_link {
        Err("a symbolic link".to_owned())
    } else if size > MAX_ENTRY {
        Err(format!("larger than {} KB", MAX_ENTRY / 1024))
    } else {
        body(bytes, local, packed, size, method)
    };
    Some(((name, body), next))
}

fn body(bytes: &[u8], local: usize, packed: usize, size: usize, method: usize) -> Result<Body<'_>, String> {
    let damaged = || "a damaged entry".to_owned();
    let header = bytes
        .get(local..)
        .filter(|rest| rest.starts_with(LOCAL))
        .ok_or_else(damaged)?;
    let name_len = u16_at(header, 26).ok_or_else(damaged)?;
    let extra_len = u16_at(header, 28).ok_or_else(damaged)?;
    let start = 30 + name_len + extra_len;
    let data = start.checked_add(packed).and_then(|end| header.get(start..end));
    let data = data.ok_or_else(damaged)?;
    let is_deflated = match method {
        0 => false,
        8 => true,
        other => return Err(format!("compressed by method {other}")),
    };
    let is_possible = if is_deflated {
        size <= packed.saturating_mul(MAX_RATIO)
    } else {
        size == packed
    };
    if !is_possible {
        return Err("a false size in the archive's directory".to_owned());
    }
    Ok(Body {
        local,
        packed: data,
        end: local + start + packed,
        size,
        is_deflated,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(bytes: &[u8]) -> Result<Vec<Entry>, String> {
        entries(bytes, &mut Budget::default(), |_| true)
    }

    /// `zip` of a stored folder, a stored file, and a deflated one, written by Info-ZIP's layout.
    fn archive(files: &[(&str, &[u8], bool)]) -> Vec<u8> {
        let (mut out, mut central) = (Vec::new(), Vec::new());
        let put16 = |out: &mut Vec<u8>, value: usize| out.extend((value as u16).to_le_bytes());
        let put32 = |out: &mut Vec<u8>, value: usize| out.extend((value as u32).to_le_bytes());
        for (name, text, deflated) in files {
            let data = if *deflated {
                miniz_oxide::deflate::compress_to_vec(text, 6)
            } else {
                text.to_vec()
            };
            let offset = out.len();
            let method = if *deflated { 8 } else { 0 };
            let fields = |to: &mut Vec<u8>| {
                for value in [20, 0, method, 0, 0] {
                    put16(to, value);
                }
                put32(to, crc32fast::hash(text) as usize);
                put32(to, data.len());
                put32(to, text.len());
                put16(to, name.len());
                put16(to, 0);
            };
            out.extend(LOCAL);
            fields(&mut out);
            out.extend(name.as_bytes());
            out.extend(&data);
            central.extend(CENTRAL);
            put16(&mut central, 20);
            fields(&mut central);
            for value in [0, 0, 0] {
                put16(&mut central, value);
            }
            put32(&mut central, 0);
            put32(&mut central, offset);
            central.extend(name.as_bytes());
        }
        let start = out.len();
        out.extend(&central);
        out.extend(END);
        for value in [0, 0, files.len(), files.len()] {
            put16(&mut out, value);
        }
        put32(&mut out, central.len());
        put32(&mut out, start);
        put16(&mut out, 0);
        out
    }

    #[test]
    fn stored_and_deflated_files_are_read() {
        let long = b"int a;\n".repeat(1000);
        let bytes = archive(&[
            ("p/", b"", false),
            ("p/a.cu", &long, true),
            ("p/b.h", b"short", false),
            ("__MACOSX/p/._a.cu", b"\0", false),
        ]);
        let expected: Vec<Entry> = vec![
            ("p/a.cu".to_owned(), Ok(long)),
            ("p/b.h".to_owned(), Ok(b"short".to_vec())),
        ];
        assert_eq!(read(&bytes).unwrap(), expected);
    }

    #[test]
    fn archives_that_python_wrote_are_read() {
        // zipfile.ZipFile(…, compression=ZIP_DEFLATED).writestr("k/a.cuh", "#pragma once\n" * 3)
        let bytes = PYTHON;
        let entries = read(bytes).unwrap();
        assert_eq!(entries, [("k/a.cuh".to_owned(), Ok(b"#pragma once\n".repeat(3)))]);
    }

    #[test]
    fn oversized_and_damaged_entries_are_skipped() {
        let bytes = archive(&[
            ("long.cu", &vec![b' '; MAX_ENTRY + 1], true),
            ("b.h", b"fine", true),
        ]);
        let all = read(&bytes).unwrap();
        assert_eq!(all[0].1, Err("larger than 256 KB".to_owned()));
        assert_eq!(all[1].1, Ok(b"fine".to_vec()));
        let whole = archive(&[("a.cu", b"int a; int a; int a;", true)]);
        assert_eq!(read(b"PK but no archive"), Err("a damaged archive".to_owned()));
        for len in 0..whole.len() {
            let _ = read(&whole[..len]);
            let mut wrong = whole.clone();
            wrong[len] ^= 0x55;
            let _ = read(&wrong);
        }
    }

    /// An archive whose directory has `num` entries, all with the body of its only local entry.
    fn overlapping(text: &[u8], num: usize) -> Vec<u8> {
        let whole = archive(&[("a.cu", text, true)]);
        let start = u32_at(&whole, whole.len() - 6).unwrap();
        let central = whole[start..whole.len() - 22].to_vec();
        let mut out = whole[..start].to_vec();
        for idx in 0..num {
            let mut row = central.clone();
            let name = format!("{idx:04}.cu");
            row[28..30].copy_from_slice(&(name.len() as u16).to_le_bytes());
            drop(row.splice(46..50, name.bytes()));
            out.extend(row);
        }
        out.extend(END);
        for value in [0, 0, num as u16, num as u16] {
            out.extend(value.to_le_bytes());
        }
        out.extend([0; 4]);
        out.extend((start as u32).to_le_bytes());
        out.extend([0; 2]);
        out
    }

    #[test]
    fn entries_that_share_one_body_are_refused() {
        let bomb = overlapping(&vec![b' '; MAX_ENTRY], 2_000);
        assert!(bomb.len() < 120_000);
        assert_eq!(
            read(&bomb),
            Err("several files share the same bytes of the archive".to_owned())
        );
    }

    #[test]
    fn the_sum_of_all_archives_is_limited_before_anything_is_inflated() {
        let text = vec![b' '; MAX_ENTRY];
        let names: Vec<String> = (0..33).map(|idx| format!("{idx}.cu")).collect();
        let files: Vec<(&str, &[u8], bool)> = names
            .iter()
            .map(|name| (name.as_str(), text.as_slice(), true))
            .collect();
        let mut budget = Budget::default();
        let message = "33 files would need 9 MB; archives have at most 8 MB of source in total";
        assert_eq!(
            entries(&archive(&files), &mut budget, |_| true),
            Err(message.to_owned())
        );
        // Files that are not read cost nothing.
        let all = entries(&archive(&files), &mut budget, |name| name == "7.cu").unwrap();
        assert_eq!(all.iter().filter(|(_, contents)| contents.is_ok()).count(), 1);
        assert_eq!(budget.0, MAX_SUM - MAX_ENTRY);
        // A second archive of the same drop has the rest.
        assert!(entries(&archive(&files[..31]), &mut budget, |_| true).is_ok());
        assert!(entries(&archive(&files[..1]), &mut budget, |_| true).is_err());
    }

    #[test]
    fn false_sizes_gain_nothing() {
        let text = vec![b' '; 100_000];
        let whole = archive(&[("a.cu", &text, true)]);
        let directory = u32_at(&whole, whole.len() - 6).unwrap();
        let with_size = |size: u32| {
            let mut bytes = whole.clone();
            bytes[directory + 24..directory + 28].copy_from_slice(&size.to_le_bytes());
            read(&bytes).unwrap().remove(0).1
        };
        assert_eq!(with_size(100_000), Ok(text.clone()));
        assert_eq!(with_size(10), Err("a damaged entry".to_owned()));
        assert_eq!(with_size(100_001), Err("a damaged entry".to_owned()));
        assert_eq!(
            with_size(250_000),
            Err("a false size in the archive's directory".to_owned())
        );
    }

    #[test]
    fn names_are_text_without_effect() {
        let bytes = archive(&[
            ("../up.h", b"", false),
            ("/abs.h", b"", false),
            ("C:\\x.h", b"", false),
            ("a/../../b.h", b"", false),
            ("nul\0.h", b"", false),
            ("line\nbreak.h", b"", false),
            ("win\\dows.h", b"", false),
            ("same.h", b"1", false),
            ("./same.h", b"2", false),
        ]);
        let all = read(&bytes).unwrap();
        let out = "a path that leads out of the archive";
        let control = "a control character in its name";
        let expected: [(&str, Result<&[u8], &str>); 9] = [
            ("../up.h", Err(out)),
            ("/abs.h", Err(out)),
            ("C:/x.h", Err(out)),
            ("../b.h", Err(out)),
            ("nul\u{fffd}.h", Err(control)),
            ("line\u{fffd}break.h", Err(control)),
            ("win/dows.h", Ok(b"")),
            ("same.h", Ok(b"1")),
            ("same.h", Err("a second file with this name")),
        ];
        for ((name, contents), (expected_name, expected)) in all.iter().zip(expected) {
            let expected = expected.map(<[u8]>::to_vec).map_err(str::to_owned);
            assert_eq!((name.as_str(), contents), (expected_name, &expected));
        }
        // The mode of a symbolic link, as Info-ZIP writes it on Unix.
        let mut link = archive(&[("a.h", b"/etc/passwd", false)]);
        let directory = u32_at(&link, link.len() - 6).unwrap();
        link[directory + 5] = 3;
        link[directory + 38..directory + 42].copy_from_slice(&(0o120_777_u32 << 16).to_le_bytes());
        assert_eq!(read(&link).unwrap()[0].1, Err("a symbolic link".to_owned()));
    }

    const PYTHON: &[u8] = b"PK\x03\x04\x14\x00\x00\x00\x08\x00\x00\x00!\x5c\x01\xef?_\x12\x00\x00\x00'\x00\x00\x00\x07\x00\x00\x00k/a.cuhS.(JL\xcfMT\xc8\xcfKN\xe5R\xc6\xc9\x01\x00PK\x01\x02\x14\x03\x14\x00\x00\x00\x08\x00\x00\x00!\x5c\x01\xef?_\x12\x00\x00\x00'\x00\x00\x00\x07\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x80\x01\x00\x00\x00\x00k/a.cuhPK\x05\x06\x00\x00\x00\x00\x01\x00\x01\x005\x00\x00\x007\x00\x00\x00\x00\x00";
}
