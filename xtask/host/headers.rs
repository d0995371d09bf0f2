//! The file `_headers` of a built page, as Netlify and Cloudflare Pages read it: a line with a path, then indented
//! lines with a header each. `*` in a path matches any text.

/// The headers for a path, which begins with a slash. A later block replaces a header of an earlier block, and
/// `! Name` removes it.
pub fn headers_of(text: &str, path: &str) -> Vec<(String, String)> {
    let mut headers: Vec<(String, String)> = Vec::new();
    let mut is_block = false;
    for line in text.lines() {
        let entry = line.trim();
        if entry.is_empty() || entry.starts_with('#') {
            continue;
        }
        if !line.starts_with(char::is_whitespace) {
            is_block = matches(entry, path);
        } else if is_block {
            let (removed, entry) = match entry.strip_prefix('!') {
                Some(name) => (true, name),
                None => (false, entry),
            };
            let (name, value) = entry.split_once(':').unwrap_or((entry, ""));
            let name = name.trim().to_ascii_lowercase();
            headers.retain(|(other, _)| *other != name);
            if !removed {
                headers.push((name, value.trim().to_owned()));
            }
        }
    }
    headers
}

/// Whether a pattern with `*` for any text matches a path.
fn matches(pattern: &str, path: &str) -> bool {
    match pattern.split_once('*') {
        None => pattern == path,
        Some((before, after)) => path.strip_prefix(before).is_some_and(|rest| {
            (0..=rest.len())
                .filter(|at| rest.is_char_boundary(*at))
                .any(|at| matches(after, &rest[at..]))
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::headers_of;

    #[test]
    fn later_blocks_replace_and_remove_headers() {
        let text = "# of the site\n/*\n  X-Frame-Options: DENY\n  A: b: c\n\n/embed/*\n  ! X-Frame-Options\n  A: d\n/x.js\n  E: f\n";
        let of = |path| {
            headers_of(text, path)
                .into_iter()
                .map(|(name, value)| format!("{name}={value}"))
                .collect::<Vec<_>>()
        };
        assert_eq!(of("/"), ["x-frame-options=DENY", "a=b: c"]);
        assert_eq!(of("/embed/index.html"), ["a=d"]);
        assert_eq!(of("/x.js"), ["x-frame-options=DENY", "a=b: c", "e=f"]);
    }
}
