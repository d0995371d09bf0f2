//! The headers of each file of the page, and the Content Security Policies.
//!
//! `rules` is the only table. The build writes it into `dist/_headers` (Netlify, Cloudflare Pages), and the policies into
//! the pages as meta elements. `configurations` prints it for nginx and Caddy. Servers of the tests read `_headers`.

pub mod configurations;
mod policy;

use std::fmt::Write as _;

pub use policy::Kind;

/// Headers of every file, with their values.
///
/// - `Access-Control-Allow-Origin` and `Cross-Origin-Resource-Policy`: a frame of a sandbox without an origin loads the
///   same scripts, as another origin. The page has no cookies and no accounts, so its files are public.
/// - `Cross-Origin-Opener-Policy`: the notes window, which the presenter opens, has the same origin and the same header.
/// - `Strict-Transport-Security`: a year. Without `includeSubDomains`: other names of the host are not the page's concern.
/// - `Permissions-Policy`: what the page never uses. It uses the clipboard and full screen.
pub const COMMON: [(&str, &str); 7] = [
    ("Access-Control-Allow-Origin", "*"),
    ("Cross-Origin-Opener-Policy", "same-origin"),
    ("Cross-Origin-Resource-Policy", "cross-origin"),
    (
        "Permissions-Policy",
        "accelerometer=(), camera=(), clipboard-write=(self), display-capture=(), fullscreen=(self), geolocation=(), \
         gyroscope=(), hid=(), magnetometer=(), microphone=(), midi=(), payment=(), serial=(), usb=(), xr-spatial-tracking=()",
    ),
    ("Referrer-Policy", "no-referrer"),
    ("Strict-Transport-Security", "max-age=31536000"),
    ("X-Content-Type-Options", "nosniff"),
];
/// How long a browser keeps a file whose name has the hash of its content: a year, without another request.
pub const KEEP: &str = "public, max-age=31536000, immutable";
/// How long a browser keeps any other file: it checks each time whether the file has changed.
pub const ASK: &str = "no-cache";
/// Hexadecimal digits of the hash in a name. Trunk writes 64 bits without leading zeros. Assumption: no hash has more than
/// eight of them, and no other name ends in `-` and eight such digits.
pub const HASH_DIGITS: std::ops::RangeInclusive<usize> = 8..=16;

/// The headers of the files at one path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rule {
    /// The path below the page's folder, with its leading slash. A final `*` stands for any rest.
    pub path: String,
    /// Names and values.
    pub headers: Vec<(String, String)>,
}

impl Rule {
    fn new<'a>(path: impl Into<String>, headers: impl IntoIterator<Item = (&'a str, String)>) -> Self {
        Self {
            path: path.into(),
            headers: headers
                .into_iter()
                .map(|(name, value)| (name.to_owned(), value))
                .collect(),
        }
    }

    fn covers(&self, path: &str) -> bool {
        match self.path.strip_suffix('*') {
            Some(start) => path.starts_with(start),
            None => path == self.path,
        }
    }
}

/// Returns the table for a page that has these files, as paths below its folder, without a leading slash.
///
/// Only the rule `/*` overlaps others, and it shares no header with them: Netlify and Cloudflare Pages join the values of
/// a header that two rules set.
pub fn rules<'a>(files: impl IntoIterator<Item = &'a str>) -> Vec<Rule> {
    let mut files: Vec<&str> = files.into_iter().collect();
    files.sort_unstable();
    let common = COMMON.map(|(name, value)| (name, value.to_owned()));
    let mut rules = vec![Rule::new("/*", common)];
    for file in files.iter().filter(|file| !file.contains('/')) {
        let kind = Kind::of(file);
        let keeps = if is_hashed(file) { KEEP } else { ASK };
        let mut headers = vec![("Cache-Control", keeps.to_owned())];
        if let Some(kind) = kind {
            headers.push(("Content-Security-Policy", kind.header()));
        }
        for path in paths(file) {
            rules.push(Rule::new(path, headers.clone()));
        }
    }
    rules
}

/// The paths at which hosts serve a file: `index.html` also as its folder, and other pages also without `.html`.
fn paths(file: &str) -> Vec<String> {
    let own = format!("/{file}");
    match file.strip_suffix(".html") {
        Some("index") => vec!["/".to_owned(), own],
        Some(name) => vec![format!("/{name}"), own],
        None => vec![own],
    }
}

/// Whether a name has the hash of the file's content: `-` and hexadecimal digits before `.` or `_`.
pub fn is_hashed(file: &str) -> bool {
    unhashed(file).is_some()
}

/// The part of a name before the hash of the file's content; `None`: the name has no hash.
pub fn unhashed(file: &str) -> Option<&str> {
    file.match_indices('-').map(|(at, _)| at).find_map(|at| {
        let rest = &file[at + 1..];
        let digits = rest.bytes().take_while(u8::is_ascii_hexdigit).count();
        (HASH_DIGITS.contains(&digits) && rest[digits..].starts_with(['.', '_'])).then_some(&file[..at])
    })
}

/// Writes the table in the format of Netlify and Cloudflare Pages.
pub fn text(rules: &[Rule]) -> String {
    let mut out = String::new();
    for rule in rules {
        // Writing to a string does not fail.
        let _ = writeln!(out, "{}", rule.path);
        for (name, value) in &rule.headers {
            let _ = writeln!(out, "  {name}: {value}");
        }
    }
    out
}

/// Reads the table from that format. Lines that start with `#` are comments.
///
/// # Errors
/// A line that is neither a path nor a header.
pub fn parse(text: &str) -> Result<Vec<Rule>, String> {
    let mut rules: Vec<Rule> = Vec::new();
    for (idx, line) in text.lines().enumerate() {
        let trimmed = line.trim();
        if trimmed.is_empty() || trimmed.starts_with('#') {
            continue;
        }
        if line.starts_with('/') {
            rules.push(Rule::new(trimmed, []));
            continue;
        }
        let header = trimmed.split_once(':').zip(rules.last_mut());
        let Some(((name, value), rule)) = header else {
            return Err(format!("line {}: neither a path nor a header", idx + 1));
        };
        rule.headers.push((name.to_owned(), value.trim().to_owned()));
    }
    Ok(rules)
}

/// Returns the headers of a request: its path below the page's folder, and its query. The leading slash is optional.
///
/// `index.html?embed` has the headers of `embed.html`: links of that form may be framed by any page.
pub fn of_request<'a>(rules: &'a [Rule], path: &str, query: Option<&str>) -> Vec<(&'a str, &'a str)> {
    let path = format!("/{}", path.trim_start_matches('/'));
    let is_embed = query.is_some_and(|query| {
        query
            .split('&')
            .any(|pair| pair.split('=').next() == Some("embed"))
    });
    let path = match path.as_str() {
        "/" | "/index.html" if is_embed => "/embed.html",
        path => path,
    };
    rules
        .iter()
        .filter(|rule| rule.covers(path))
        .flat_map(|rule| &rule.headers)
        .map(|(name, value)| (name.as_str(), value.as_str()))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILES: [&str; 6] = [
        "embed.html",
        "index.html",
        "page-0123456789abcdef.js",
        "page-0123456789abcdef_bg.wasm",
        "worker-0123456789abcdef.js",
        "lessons/caches/lines.toml",
    ];

    fn value<'a>(headers: &[(&'a str, &'a str)], name: &str) -> Option<&'a str> {
        let mut values = headers.iter().filter(|header| header.0 == name);
        let value = values.next().map(|header| header.1);
        assert_eq!(values.next(), None, "{name} is sent once");
        value
    }

    #[test]
    fn what_is_written_is_read() {
        let rules = rules(FILES);
        assert_eq!(parse(&text(&rules)), Ok(rules));
        assert_eq!(
            parse("# none\n\n  A: b"),
            Err("line 3: neither a path nor a header".to_owned())
        );
    }

    #[test]
    fn each_file_has_its_headers() {
        let rules = rules(FILES);
        let of = |path: &str, query: Option<&str>, name: &str| {
            value(&of_request(&rules, path, query), name).map(str::to_owned)
        };
        for path in [
            "",
            "/",
            "index.html",
            "/embed.html",
            "/embed",
            "lessons/caches/lines.toml",
        ] {
            assert_eq!(
                of(path, None, "X-Content-Type-Options").as_deref(),
                Some("nosniff")
            );
        }
        assert_eq!(of("/", None, "Cache-Control").as_deref(), Some(ASK));
        assert_eq!(
            of("/page-0123456789abcdef_bg.wasm", None, "Cache-Control").as_deref(),
            Some(KEEP)
        );
        let policy = |path: &str, query: Option<&str>| of(path, query, "Content-Security-Policy");
        let framed = |path: &str, query: Option<&str>| {
            let policy = policy(path, query).unwrap_or_default();
            policy
                .split_once("frame-ancestors ")
                .map(|(_, who)| who.to_owned())
        };
        assert_eq!(framed("/", None).as_deref(), Some("'self'"));
        assert_eq!(framed("index.html", Some("api")).as_deref(), Some("'self'"));
        assert_eq!(framed("/embed.html", None).as_deref(), Some("*"));
        assert_eq!(framed("/", Some("embed")).as_deref(), Some("*"));
        assert_eq!(
            framed("/index.html", Some("a=1&embed=show")).as_deref(),
            Some("*")
        );
        assert_eq!(policy("/page-0123456789abcdef.js", None), None);
        assert!(policy("/worker-0123456789abcdef.js", None).is_some());
    }

    #[test]
    fn only_a_hash_is_a_hash() {
        assert!(is_hashed("page-0123456789abcdef.js"));
        assert!(is_hashed("page-0123456789abcdef_bg.wasm"));
        assert!(is_hashed("first-view-0123456789abcdef.css"));
        assert!(!is_hashed("embed-example.html"));
        assert!(is_hashed("page-123456789abcde.js"), "without a leading zero");
        assert!(!is_hashed("page-0123456.js"));
        assert!(!is_hashed("page-0123456789abcdef"));
        assert_eq!(
            unhashed("embed-example-0123456789abcdef.css"),
            Some("embed-example")
        );
    }
}
