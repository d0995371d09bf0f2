//! Transfers the editor's text to the setup of its side.

use super::edited::has_word;
use super::host::Then;
use super::{Effect, Session, form};
use crate::library;

impl Session {
    /// Ends the pause after which typed text counts: the link then holds the text.
    pub fn finish_edits(&mut self) -> Vec<Effect> {
        let is_edited = self.edit_ms.take().is_some();
        if is_edited { compile(self) } else { Vec::new() }
    }
}

/// Compiles the editor's text.
pub(super) fn compile(session: &mut Session) -> Vec<Effect> {
    let text = session.side().text.clone();
    let own = library::kernel(&session.setup().kernel).is_none_or(|kernel| kernel.source != text);
    let (before, typing) = (form::signature(session), session.typed_ms.is_some());
    let effects = session.change(|setup| {
        // A function that no longer exists cannot be launched.
        setup.entry = setup.entry.take().filter(|entry| {
            let name = entry.split('<').next().unwrap_or_default();
            has_word(&text, name.rsplit("::").next().unwrap_or(name))
        });
        setup.source = own.then_some(text);
    });
    if effects.is_empty() {
        return effects;
    }
    if typing {
        session.history.merge_last();
    }
    session.typed_ms = Some(0.0);
    session.follow_signature(before);
    let merges = session.host_sentence().is_some();
    session.follow_host(Then::Take { merges });
    // Continuous typing is one entry of the browser's history.
    effects.into_iter().map(|_| Effect::ReplaceLink).collect()
}
