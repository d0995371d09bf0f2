//! The chosen theme, kept for the next visit.

use super::storage;
use workbench::app::Theme;

/// Stores a theme for the next visit.
pub(crate) fn keep(theme: Theme) {
    // Without storage, the theme applies to this visit only.
    let _ = storage::keep(storage::THEME, theme.id().unwrap_or("system"));
}

/// The stored theme.
pub(crate) fn kept() -> Theme {
    match storage::kept(storage::THEME).as_deref() {
        Some("light") => Theme::Light,
        Some("dark") => Theme::Dark,
        _ => Theme::System,
    }
}
