//! The actions of the bar above the text: search, replace, rename, go to line.

use super::answers::Purpose;
use super::*;

impl Editor {
    /// Searches for the word of the bar.
    pub(super) fn seek(&mut self, ctx: &Context<Self>) {
        let props = ctx.props();
        self.found = match &self.bar {
            Some(bar) if bar.renames.is_some() => {
                if let Some(uses) = self.known.uses_in(&props.text) {
                    uses.to_vec()
                } else {
                    self.ask(ctx, Purpose::Uses, props.text.to_string(), self.cursor.start);
                    Vec::new()
                }
            }
            Some(bar) if !bar.is_line => edits::find(&props.text, &bar.word),
            _ => Vec::new(),
        };
        if let Some(bar) = &mut self.bar {
            bar.at = bar.at.min(self.found.len().saturating_sub(1));
        }
    }

    /// Shows the next or previous match, goes to the line, or renames.
    pub(super) fn next(&mut self, props: &EditorProps, forward: bool) {
        let Some(bar) = &mut self.bar else { return };
        if bar.is_line {
            if let (Ok(line), Some(field)) = (bar.word.trim().parse(), self.field.cast()) {
                self.bar = None;
                go_to(&field, &props.text, line, props.line_px());
            }
            return;
        }
        if bar.renames.is_some() {
            if let (Some(edit), Some(field)) = (
                assist::rename(&props.text, &self.found, bar.word.trim()),
                self.field.cast(),
            ) {
                self.bar = None;
                self.found.clear();
                apply(&field, &props.text, &edit, &props.dispatch);
            }
            return;
        }
        let num = self.found.len();
        if num > 0 {
            bar.at = (bar.at + if forward { 1 } else { num - 1 }) % num;
        }
        self.show_place(props);
    }

    /// Selects the current match and scrolls to it.
    pub(super) fn show_place(&mut self, props: &EditorProps) {
        let place = self.bar.as_ref().and_then(|bar| self.found.get(bar.at));
        if let (Some(place), Some(field)) = (place, self.field.cast()) {
            show(&field, &props.text, place, props.line_px());
        }
    }

    /// Replaces the current match, or all matches.
    pub(super) fn replace(&mut self, props: &EditorProps, all: bool) {
        let (Some(bar), Some(field)) = (&self.bar, self.field()) else {
            return;
        };
        let edit = if all {
            edits::replace_all(&props.text, &bar.word, &bar.with)
        } else {
            self.found
                .get(bar.at)
                .map(|place| edits::replace(place.clone(), &bar.with))
        };
        if let Some(edit) = edit {
            apply(&field, &props.text, &edit, &props.dispatch);
            // The bar keeps the focus for the next match.
            self.bar_wants_focus = true;
        }
    }
}
