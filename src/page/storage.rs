//! The browser's storage: texts under keys of this page. Pages of other folders of the same origin, such as those of other
//! projects on `username.github.io`, have keys of their own.

use super::browser;
use web_sys::Storage;

/// The recent scenarios.
pub(crate) const RECENT: &str = "recent";
/// The progress in lessons.
pub(crate) const LESSONS: &str = "lessons";
/// A first visit leaves this.
pub(crate) const VISITED: &str = "visited";
/// The theme; `www/ahead.js` reads it before the page starts.
pub(crate) const THEME: &str = "theme";
/// The editor's text when the module stopped; `www/refused.js` writes it.
pub(crate) const RESCUED: &str = "rescued";

/// Why a text was not stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unkept {
    /// The browser denies storage.
    Denied,
    /// The storage of the origin is full.
    Full,
}

fn storage() -> Option<Storage> {
    browser::window()?.local_storage().ok().flatten()
}

/// The key of a name in the storage of the origin, as `www/ahead.js` and `www/refused.js` write it.
fn key(name: &str) -> String {
    let path = browser::window()
        .and_then(|window| window.location().pathname().ok())
        .unwrap_or_default();
    key_in(&path, name)
}

fn key_in(path: &str, name: &str) -> String {
    let folder = path.rfind('/').map_or("", |at| &path[..=at]);
    format!("warpscope:{folder}:{name}")
}

/// The stored text of a name. Until 2026-11 the name alone was the key: such a text is read for ever.
pub(crate) fn kept(name: &str) -> Option<String> {
    let storage = storage()?;
    let read = |key: &str| storage.get_item(key).ok().flatten();
    read(&key(name)).or_else(|| read(name))
}

/// Stores a text.
///
/// # Errors
/// Why the browser did not store it.
pub(crate) fn keep(name: &str, text: &str) -> Result<(), Unkept> {
    let storage = storage().ok_or(Unkept::Denied)?;
    let key = key(name);
    storage.set_item(&key, text).map_err(|_| {
        // A storage without any space cannot hold one character either; one that is denied cannot be read.
        match storage.get_item(&key) {
            Ok(_) => Unkept::Full,
            Err(_) => Unkept::Denied,
        }
    })
}

/// Removes and returns the stored text of a name.
pub(crate) fn take(name: &str) -> Option<String> {
    let storage = storage()?;
    let key = key(name);
    let text = storage.get_item(&key).ok().flatten()?;
    // A text that cannot be removed is read again.
    let _ = storage.remove_item(&key);
    Some(text)
}

/// Whether a key that another tab changed is the one of a name; without a key, all were removed.
pub(crate) fn is_of(changed: Option<&str>, name: &str) -> bool {
    changed.is_none_or(|changed| changed == key(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_of_one_origin_have_their_own_keys() {
        assert_eq!(
            key_in("/a/folder/index.html", RECENT),
            "warpscope:/a/folder/:recent"
        );
        assert_eq!(key_in("/a/folder/", RECENT), "warpscope:/a/folder/:recent");
        assert_ne!(key_in("/a/", RECENT), key_in("/b/", RECENT));
        assert_eq!(key_in("/", THEME), "warpscope:/:theme");
    }
}
