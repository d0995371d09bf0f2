//! Transfers the editor's text to the setup of its side.

use super::edited::is_edit;
use super::host::{HostCode, Then};
use super::welcome::OWN_KERNEL;
use super::{Effect, Session, form};
use crate::library;
use crate::names::has_word;
use crate::share::Setup;

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
    // Another program inherits nothing. The template is replaced as a whole.
    let old = session.setup().source();
    let replaces = old == OWN_KERNEL && !has_word(&text, "main");
    let is_new = own && text != old && (replaces || !is_edit(old, &text));
    let (before, typing) = (form::signature(session), session.typed_ms.is_some());
    let effects = session.change(|setup| {
        if is_new {
            forget_launch(setup);
        }
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
    if is_new {
        let side = session.side_mut();
        side.host = HostCode::of_new();
        side.drafts.clear();
        side.signature = None;
    } else {
        session.follow_signature(before);
    }
    let merges = session.host_sentence().is_some();
    session.follow_host(Then::Take { merges });
    // Continuous typing is one entry of the browser's history.
    effects.into_iter().map(|_| Effect::ReplaceLink).collect()
}

/// Removes what belongs to the kernel that a setup launches.
pub(super) fn forget_launch(setup: &mut Setup) {
    (setup.entry, setup.grid, setup.block, setup.dynamic_shared) = (None, None, None, None);
    (setup.args, setup.symbols) = (None, None);
    setup.machine.carveout_kib = None;
    (setup.machine.sm, setup.machine.first_blocks) = (None, None);
}
