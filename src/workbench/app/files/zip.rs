//! Reads ZIP archives: the central directory, and stored or deflated entries.
//!
//! By PKWARE's APPNOTE.TXT 6.3.10, sections 4.3.7 (local header), 4.3.12 (central directory), and 4.3.16 (end of
//! central directory). Encrypted entries, ZIP64, and other compression methods are rejected, each with its reason.

use miniz_oxide::inflate::decompress_to_vec_with_limit;

/// The first bytes of an archive: a local header, or the end of an empty archive.
pub(super) const MAGIC: &[u8] = b"PK";

/// Limit of entries.
const MAX_ENTRIES: usize = 2_000;
/// Size limit of an entry, in bytes.
const MAX_ENTRY: usize = 256 * 1024;

const END: &[u8] = b"PK\x05\x06";
const CENTRAL: &[u8] = b"PK\x01\x02";
const LOCAL: &[u8] = b"PK\x03\x04";

/// An entry's path, and its contents or why it is skipped.
pub(super) type Entry = (String, Result<Vec<u8>, String>);

fn u16_at(bytes: &[u8], at: usize) -> Option<usize> {
    let field = bytes.get(at..at + 2)?;
    Some(usize::from(u16::from_le_bytes(field.try_into().ok()?)))
}

fn u32_at(bytes: &[u8], at: usize) -> Option<usize> {
    let field = bytes.get(at..at + 4)?;
    Some(u32::from_le_bytes(field.try_into().ok()?) as usize)
}

/// The files in an archive, without folders and without macOS metadata.
///
/// # Errors
/// The archive is damaged.
pub(super) fn entries(bytes: &[u8]) -> Result<Vec<Entry>, String> {
    let damaged = || "a damaged archive".to_owned();
    // The end record may have a comment of at most 65535 bytes.
    let from = bytes.len().saturating_sub(22 + 65_535);
    let end = (from..bytes.len().saturating_sub(21))
        .rev()
        .find(|at| bytes[*at..].starts_with(END));
    let end = end.ok_or_else(damaged)?;
    let num = u16_at(bytes, end + 10).ok_or_else(damaged)?;
    let mut at = u32_at(bytes, end + 16).ok_or_else(damaged)?;
    let mut out = Vec::new();
    for idx in 0..num {
        if idx == MAX_ENTRIES {
            out.push((
                "other entries of the archive".to_owned(),
                Err(format!("more than {MAX_ENTRIES} entries")),
            ));
            break;
        }
        let (entry, next) = entry(bytes, at).ok_or_else(damaged)?;
        at = next;
        let is_of_system = entry.0.starts_with("__MACOSX/") || entry.0.ends_with("/.DS_Store");
        if !entry.0.ends_with('/') && !is_of_system {
            out.push(entry);
        }
    }
    Ok(out)
}

/// The entry at an offset of the central directory, and the offset of the next one.
fn entry(bytes: &[u8], at: usize) -> Option<(Entry, usize)> {
    if !bytes.get(at..)?.starts_with(CENTRAL) {
        return None;
    }
    let flags = u16_at(bytes, at + 8)?;
    let method = u16_at(bytes, at + 10)?;
    let (packed, size) = (u32_at(bytes, at + 20)?, u32_at(bytes, at + 24)?);
    let name_len = u16_at(bytes, at + 28)?;
    let next = at + 46 + name_len + u16_at(bytes, at + 30)? + u16_at(bytes, at + 32)?;
    let local = u32_at(bytes, at + 42)?;
    let name = String::from_utf8_lossy(bytes.get(at + 46..at + 46 + name_len)?).into_owned();
    let content = if flags & 1 == 1 {
        Err("encrypted".to_owned())
    } else if size > MAX_ENTRY {
        Err(format!("larger than {} KB", MAX_ENTRY / 1024))
    } else {
        content(bytes, local, packed, method)
    };
    Some(((name, content), next))
}

fn content(bytes: &[u8], local: usize, packed: usize, method: usize) -> Result<Vec<u8>, String> {
    let damaged = || "a damaged entry".to_owned();
    let header = bytes
        .get(local..)
        .filter(|rest| rest.starts_with(LOCAL))
        .ok_or_else(damaged)?;
    let name_len = u16_at(header, 26).ok_or_else(damaged)?;
    let extra_len = u16_at(header, 28).ok_or_else(damaged)?;
    let start = 30 + name_len + extra_len;
    let data = header.get(start..start + packed).ok_or_else(damaged)?;
    match method {
        0 => Ok(data.to_vec()),
        8 => decompress_to_vec_with_limit(data, MAX_ENTRY).map_err(|_| damaged()),
        other => Err(format!("compressed by method {other}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
        assert_eq!(entries(&bytes).unwrap(), expected);
    }

    #[test]
    fn archives_that_python_wrote_are_read() {
        // zipfile.ZipFile(…, compression=ZIP_DEFLATED).writestr("k/a.cuh", "#pragma once\n" * 3)
        let bytes = PYTHON;
        let entries = entries(bytes).unwrap();
        assert_eq!(entries, [("k/a.cuh".to_owned(), Ok(b"#pragma once\n".repeat(3)))]);
    }

    #[test]
    fn oversized_and_damaged_entries_are_skipped() {
        let bytes = archive(&[
            ("long.cu", &vec![b' '; MAX_ENTRY + 1], true),
            ("b.h", b"fine", true),
        ]);
        let read = entries(&bytes).unwrap();
        assert_eq!(read[0].1, Err("larger than 256 KB".to_owned()));
        assert_eq!(read[1].1, Ok(b"fine".to_vec()));
        let whole = archive(&[("a.cu", b"int a; int a; int a;", true)]);
        assert_eq!(entries(b"PK but no archive"), Err("a damaged archive".to_owned()));
        for len in 0..whole.len() {
            let _ = entries(&whole[..len]);
            let mut wrong = whole.clone();
            wrong[len] ^= 0x55;
            let _ = entries(&wrong);
        }
    }

    const PYTHON: &[u8] = b"PK\x03\x04\x14\x00\x00\x00\x08\x00\x00\x00!\x5c\x01\xef?_\x12\x00\x00\x00'\x00\x00\x00\x07\x00\x00\x00k/a.cuhS.(JL\xcfMT\xc8\xcfKN\xe5R\xc6\xc9\x01\x00PK\x01\x02\x14\x03\x14\x00\x00\x00\x08\x00\x00\x00!\x5c\x01\xef?_\x12\x00\x00\x00'\x00\x00\x00\x07\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x80\x01\x00\x00\x00\x00k/a.cuhPK\x05\x06\x00\x00\x00\x00\x01\x00\x01\x005\x00\x00\x007\x00\x00\x00\x00\x00";
}
