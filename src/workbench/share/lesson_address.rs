//! Where a lesson of a link is read from: a lesson of the page, or an address that the reader must allow.

use std::fmt;
use std::net::{Ipv4Addr, Ipv6Addr};

use serde::{Deserialize, Serialize};

/// Length limit of an address, in bytes. Assumption: longer addresses do not occur; servers accept at least 8,000 bytes
/// of request line (RFC 9112, section 3), and a link stays readable.
const MAX_BYTES: usize = 2_000;
/// Length limit of the two names of an id, in bytes. Assumption: four times the longest id in `www/lessons`.
const MAX_ID_BYTES: usize = 120;

const FORM: &str = "it must be course/name in lowercase letters, digits, and hyphens, or an address that begins with https://";

/// Where a lesson is read from. Its text reads back as the same value.
///
/// The text of a link that is neither form is refused with words, so that it causes no request: not `../api/x`, which
/// would leave the folder of lessons, and no address whose host differs between readers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct LessonAddress {
    text: String,
    kind: Kind,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Kind {
    Own,
    Web { origin: String },
}

/// Who answers the request for a lesson.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reach<'a> {
    /// The page itself: the file is part of the page.
    Page,
    /// Another file of the page's origin. It is no part of the page, so that the reader allows it first.
    SameOrigin,
    /// Another origin, for example `https://example.org:8443`. The reader allows it first.
    OtherOrigin(&'a str),
}

impl LessonAddress {
    /// Reads an id, `course/name`, or an address with `http` or `https`.
    ///
    /// # Errors
    /// Why the text is refused, as the end of a sentence.
    pub fn read(text: &str) -> Result<Self, String> {
        if text.is_empty() {
            return Err("a lesson has a name".to_owned());
        }
        if text.len() > MAX_BYTES {
            return Err(format!("an address has at most {MAX_BYTES} bytes"));
        }
        let kind = if text.contains(':') {
            Kind::Web {
                origin: origin(text)?,
            }
        } else if is_id(text) {
            Kind::Own
        } else {
            return Err(FORM.to_owned());
        };
        Ok(Self {
            text: text.to_owned(),
            kind,
        })
    }

    /// The text in a link: the id or the address.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The address to request, relative to the page's for a lesson of the page.
    pub fn request(&self) -> String {
        match &self.kind {
            Kind::Own => format!("lessons/{}.toml", self.text),
            // A fragment is not sent, and would only differ in words.
            Kind::Web { .. } => self.text.split('#').next().unwrap_or_default().to_owned(),
        }
    }

    /// Who answers, for a page of this origin, for example `https://example.org`.
    pub fn reach(&self, page_origin: &str) -> Reach<'_> {
        match &self.kind {
            Kind::Own => Reach::Page,
            Kind::Web { origin } if origin == page_origin => Reach::SameOrigin,
            Kind::Web { origin } => Reach::OtherOrigin(origin),
        }
    }

    /// Whether the lesson is part of the page.
    pub const fn is_of_page(&self) -> bool {
        matches!(self.kind, Kind::Own)
    }
}

impl fmt::Display for LessonAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl TryFrom<String> for LessonAddress {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        Self::read(&text)
    }
}

impl From<LessonAddress> for String {
    fn from(address: LessonAddress) -> Self {
        address.text
    }
}

fn is_id(text: &str) -> bool {
    let is_name = |name: &str| {
        let is_allowed = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
        !name.is_empty() && name.bytes().all(is_allowed)
    };
    text.len() <= MAX_ID_BYTES
        && text
            .split_once('/')
            .is_some_and(|(course, name)| is_name(course) && is_name(name))
}

/// The origin of an address as browsers write it (URL Standard, section 4.7), for example `https://example.org:8443`.
///
/// Only hosts that every reader writes alike are accepted: no user names, no backslashes, no characters that browsers
/// remove, no letters outside ASCII, and no numbers for IPv4 addresses other than `a.b.c.d`.
///
/// # Errors
/// What is wrong, as the end of a sentence.
fn origin(address: &str) -> Result<String, String> {
    let (scheme, rest) = address.split_once("://").ok_or(FORM)?;
    let scheme = scheme.to_ascii_lowercase();
    let usual_port = match scheme.as_str() {
        "http" => 80,
        "https" => 443,
        _ => return Err(FORM.to_owned()),
    };
    if address
        .chars()
        .any(|letter| letter.is_control() || letter == '\\')
    {
        return Err("an address has no control characters and no backslashes".to_owned());
    }
    let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
    if authority.contains('@') {
        return Err("an address has no user name before its host".to_owned());
    }
    let (host, port) = match authority.rfind(':') {
        Some(at) if !authority.ends_with(']') => (&authority[..at], Some(&authority[at + 1..])),
        _ => (authority, None),
    };
    let host = host_text(host)
        .ok_or("the host of an address has letters, digits, hyphens, and dots, or is an IP address")?;
    let port = match port {
        None | Some("") => usual_port,
        Some(port) => port
            .parse::<u16>()
            .ok()
            .filter(|_| port.bytes().all(|byte| byte.is_ascii_digit()))
            .ok_or("the port of an address is a number up to 65535")?,
    };
    Ok(if port == usual_port {
        format!("{scheme}://{host}")
    } else {
        format!("{scheme}://{host}:{port}")
    })
}

/// A host as browsers write it; `None`: readers could take it for different hosts.
fn host_text(host: &str) -> Option<String> {
    if let Some(inner) = host.strip_prefix('[') {
        let inner: Ipv6Addr = inner.strip_suffix(']')?.parse().ok()?;
        return Some(format!("[{inner}]"));
    }
    let is_label = |label: &str| {
        !label.is_empty()
            && label
                .bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_')
    };
    if !host.split('.').all(is_label) {
        return None;
    }
    let host = host.to_ascii_lowercase();
    // A host whose last part is a number is an IPv4 address (URL Standard, section 3.5), also `2130706433` or `0x7f.1`.
    let last = host.rsplit('.').next().unwrap_or_default();
    let is_number = last.bytes().all(|byte| byte.is_ascii_digit()) || last.starts_with("0x");
    if is_number {
        return host.parse().ok().map(|host: Ipv4Addr| host.to_string());
    }
    Some(host)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_name_lessons_of_the_page() {
        let address = LessonAddress::read("memory/column-read").unwrap();
        assert_eq!(address.request(), "lessons/memory/column-read.toml");
        assert_eq!(address.reach("https://example.org"), Reach::Page);
        for text in [
            "../../api/logout?",
            "../../api/logout%3F",
            "memory/../x",
            "memory",
            "/memory/row",
            "//evil.org/row",
            "memory/row.toml",
            "memory/row/column",
            "Memory/row",
            "memory/",
            "memory/row?x",
            "memory\\row",
            "memory/\u{e9}",
            &format!("a/{}", "b".repeat(MAX_ID_BYTES)),
        ] {
            assert_eq!(LessonAddress::read(text), Err(FORM.to_owned()), "{text}");
        }
    }

    #[test]
    fn origins_are_those_of_browsers() {
        for (address, origin) in [
            ("https://example.org/a lesson.toml", "https://example.org"),
            ("HTTPS://Example.ORG:443/a", "https://example.org"),
            ("https://example.org:8443?x=/", "https://example.org:8443"),
            ("http://localhost:8080/#x", "http://localhost:8080"),
            ("http://127.0.0.1/a", "http://127.0.0.1"),
            ("http://[0:0::1]:80/a", "http://[::1]"),
            ("https://xn--bcher-kva.example/a", "https://xn--bcher-kva.example"),
        ] {
            let read = LessonAddress::read(address).unwrap();
            assert_eq!(
                read.reach("https://page.org"),
                Reach::OtherOrigin(origin),
                "{address}"
            );
            assert_eq!(read.reach(origin), Reach::SameOrigin);
        }
        assert_eq!(
            LessonAddress::read("https://a.org/b?c#d").unwrap().request(),
            "https://a.org/b?c"
        );
    }

    #[test]
    fn ambiguous_addresses_are_refused() {
        for address in [
            "javascript:alert(1)",
            "data:text/plain,title",
            "file:///etc/passwd",
            "ftp://example.org/a",
            "https:/evil.org/a",
            "https:///evil.org/a",
            "https://",
            "https://good.org@evil.org/a",
            "https://good.org\\@evil.org/a",
            "https://good.org\t.evil.org/a",
            "https://b\u{fc}cher.example/a",
            "https://exa mple.org/a",
            "https://2130706433/a",
            "https://0x7f.1/a",
            "https://127.1/a",
            "https://a..b/a",
            "https://[::1/a",
            "https://a:b/c",
            "https://a:70000/c",
            "https://a:+80/c",
            &format!("https://a.org/{}", "b".repeat(MAX_BYTES)),
        ] {
            assert!(LessonAddress::read(address).is_err(), "{address}");
        }
    }
}
