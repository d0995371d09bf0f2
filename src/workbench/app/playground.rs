//! The playground's form: its text, its errors, and the last valid access of its picture.

use std::collections::BTreeMap;

use super::{Choice, Control, ControlOption, Effect, Session, ShownSide, form};
use crate::playground::{self, EXAMPLES, Expression, MAX_PAD, Mistake, Part, Playground, Space, Swizzle};
use crate::scene::{self, Scene, Size};
use crate::share::View;
use engine::access::AccessOp;
use engine::arch::ArchId;
use engine::sim::MemoryOptions;

/// An edit of the playground.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PlayEdit {
    /// The index expression of each lane.
    Expr(String),
    /// The condition of the active lanes.
    When(String),
    /// Bytes per element.
    Elem(u8),
    /// Load, store, or atomic.
    Op(AccessOp),
    /// Padding of the rows, in elements.
    Pad(u32),
    /// The swizzle of the columns.
    Swizzle(Swizzle),
    /// The warp of the block.
    Warp(u32),
    /// The text of a number field.
    Field(PlayField, String),
    /// An example, by its ID.
    Example(String),
    /// Shows or hides the settings, where they fold.
    Settings,
}

/// A number field of the playground's form.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum PlayField {
    /// The block.
    Block,
    /// The array's extents.
    Extents,
    /// The array's first byte.
    Start,
    /// The value of a free name.
    Name(String),
}

impl PlayField {
    /// The label.
    pub fn label(&self) -> String {
        match self {
            Self::Block => "Block".to_owned(),
            Self::Extents => "Extents".to_owned(),
            Self::Start => "Start byte".to_owned(),
            Self::Name(name) => name.clone(),
        }
    }
}

/// The page's state of the playground other than the scenario.
#[derive(Clone, Debug, Default)]
pub struct PlayState {
    /// A counter of accesses, which distinguishes pictures.
    number: u64,
    followed: Option<Playground>,
    /// The last valid access.
    shown: Option<Playground>,
    /// The error of the current access.
    pub mistake: Option<Mistake>,
    /// Whether the settings are shown, where they fold.
    pub settings: bool,
    /// Fields with invalid text, with the text and the reason.
    pub drafts: BTreeMap<PlayField, (String, String)>,
    /// The field being typed into: continuous typing is one undo step.
    typing: Option<Typing>,
    /// The playground's access while the run is shown.
    left: Option<Playground>,
}

/// A text field of the form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Typing {
    Expr,
    When,
}

/// The playground's part of a picture's key.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct PlayKey {
    number: u64,
    arch: ArchId,
    options: MemoryOptions,
}

/// The memory space that a view shows, if any.
pub(super) const fn space_of(view: View) -> Option<Space> {
    match view {
        View::Banks => Some(Space::Shared),
        View::Coalescing => Some(Space::Global),
        _ => None,
    }
}

impl PlayState {
    fn follow(&mut self, playground: Option<&Playground>) {
        if self.followed.as_ref() == playground && self.number > 0 {
            return;
        }
        self.number += 1;
        self.followed = playground.cloned();
        self.mistake = playground.and_then(|playground| playground.lanes().err());
        match playground {
            Some(playground) if self.mistake.is_none() => self.shown = Some(playground.clone()),
            Some(_) => {}
            None => self.shown = None,
        }
    }
}

impl Session {
    /// The playground, if a view shows it instead of the run.
    pub fn playground(&self, view: View) -> Option<&Playground> {
        space_of(view).and(self.ui.playground.as_ref())
    }

    /// The playground of the active view.
    pub fn shown_playground(&self) -> Option<&Playground> {
        self.playground(self.active_view())
    }

    /// Updates the playground from the scenario. The view determines its memory space.
    pub(super) fn follow_playground(&mut self) {
        if let (Some(space), Some(playground)) = (space_of(self.active_view()), &mut self.ui.playground) {
            playground.space = space;
        }
        self.ui.play.follow(self.ui.playground.as_ref());
        self.ui.arithmetic.follow(self.ui.operation.as_deref());
    }

    /// Ends the undo step of continuous typing.
    pub(super) fn end_typing(&mut self) {
        self.ui.play.typing = None;
        self.ui.arithmetic.is_typing = false;
    }

    /// Shows the playground or the run.
    pub(super) fn show_playground(&mut self, on: bool) -> Vec<Effect> {
        let space = space_of(self.active_view()).unwrap_or_default();
        let left = self.ui.play.left.take();
        if !on {
            self.ui.play.left = self.ui.playground.clone();
        }
        self.commit(|session| match (on, &session.ui.playground) {
            (true, None) => {
                let playground = left.unwrap_or_default();
                session.ui.playground = Some(Playground { space, ..playground });
            }
            (true, Some(_)) => {}
            (false, _) => session.ui.playground = None,
        })
    }

    /// Changes the playground. Continuous typing is one undo step.
    pub(super) fn edit_playground(&mut self, edit: PlayEdit) -> Vec<Effect> {
        let Some(now) = self.ui.playground.clone() else {
            return Vec::new();
        };
        let typing = match edit {
            PlayEdit::Expr(_) => Some(Typing::Expr),
            PlayEdit::When(_) => Some(Typing::When),
            _ => None,
        };
        let goes_on = typing.is_some() && typing == self.ui.play.typing;
        let Some(mut after) = self.edited(now, edit) else {
            return Vec::new();
        };
        after.warp = after.warp.min(after.warps() - 1);
        self.ui.play.typing = typing;
        if goes_on {
            self.ui.playground = Some(after);
            self.follow_playground();
            return vec![Effect::ReplaceLink];
        }
        let effects = self.commit(|session| session.ui.playground = Some(after));
        if effects.is_empty() || typing.is_some() {
            return effects;
        }
        vec![
            Effect::PushLink,
            Effect::Announce(self.shown().play_sentence(self.active_view())),
        ]
    }

    /// Sets the layout of the array.
    pub(super) fn take_layout(&mut self, pad: u32, swizzle: Swizzle) -> Vec<Effect> {
        self.commit(|session| {
            if let Some(playground) = &mut session.ui.playground {
                (playground.pad, playground.swizzle) = (pad, swizzle);
            }
        })
    }

    /// Applies an edit to an access; `None`: the text is invalid and stays as a draft.
    fn edited(&mut self, mut playground: Playground, edit: PlayEdit) -> Option<Playground> {
        match edit {
            PlayEdit::Expr(text) => playground.expr = text,
            PlayEdit::When(text) => playground.when = text,
            PlayEdit::Elem(bytes) => playground.elem = bytes,
            PlayEdit::Op(op) => playground.op = op,
            PlayEdit::Pad(pad) => playground.pad = pad.min(MAX_PAD),
            PlayEdit::Swizzle(swizzle) => playground.swizzle = swizzle,
            PlayEdit::Warp(warp) => playground.warp = warp,
            PlayEdit::Example(id) => {
                let example = EXAMPLES.iter().find(|example| example.id == id)?;
                self.ui.play.drafts.clear();
                playground = example.playground(playground.space, playground.op);
            }
            PlayEdit::Settings => {
                self.ui.play.settings = !self.ui.play.settings;
                return None;
            }
            PlayEdit::Field(field, text) => match field_value(&mut playground, &field, &text) {
                Ok(()) => {
                    self.ui.play.drafts.remove(&field);
                }
                Err(why) => {
                    self.ui.play.drafts.insert(field, (text, why));
                    return None;
                }
            },
        }
        Some(playground)
    }

    /// The current text of a field.
    pub fn play_text(&self, playground: &Playground, field: &PlayField) -> String {
        if let Some((text, _)) = self.ui.play.drafts.get(field) {
            return text.clone();
        }
        match field {
            PlayField::Block => form::dims_text(playground.block),
            PlayField::Extents => {
                let extents: Vec<String> = playground.dims.iter().map(u32::to_string).collect();
                extents.join(" × ")
            }
            PlayField::Start => playground.start.to_string(),
            PlayField::Name(name) => playground.value_of(name).to_string(),
        }
    }

    /// The example that equals the access, if any.
    pub fn play_example(&self) -> Option<&'static str> {
        let playground = self.ui.playground.as_ref()?;
        let same = |example: &&playground::Example| {
            example.playground(playground.space, playground.op) == *playground
        };
        EXAMPLES.iter().find(same).map(|example| example.id)
    }

    /// Whether rows and columns are adjustable, that is, whether the last valid expression uses them.
    pub fn play_has_rows(&self) -> bool {
        let has = |playground: &Playground| {
            Expression::read(&playground.expr).map(|expression| expression.has_rows())
        };
        let now = self.ui.playground.as_ref().and_then(|now| has(now).ok());
        let before = || self.ui.play.shown.as_ref().and_then(|shown| has(shown).ok());
        now.or_else(before).unwrap_or(false)
    }

    /// The names that need a value, in the current expression or else the last valid one.
    pub fn play_names(&self) -> Vec<String> {
        match (&self.ui.playground, &self.ui.play.shown) {
            (Some(now), Some(shown)) if Expression::read(&now.expr).is_err() => shown.free_names(),
            (Some(now), _) => now.free_names(),
            (None, _) => Vec::new(),
        }
    }

    /// The corrected expression, if a fix is known.
    pub fn play_fixed(&self) -> Option<String> {
        let mistake = self.ui.play.mistake.as_ref()?;
        let (fix, at) = (mistake.fix.as_ref()?, (mistake.column as usize).checked_sub(1)?);
        if mistake.part != Part::Expr {
            return None;
        }
        let text: Vec<char> = self.ui.playground.as_ref()?.expr.chars().collect();
        let (before, rest) = text.split_at_checked(at)?;
        let after = rest.get(mistake.length as usize..)?;
        Some(before.iter().collect::<String>() + fix + &after.iter().collect::<String>())
    }

    /// The choice between the run and the playground.
    pub(super) fn play_control(&self) -> Control {
        let on = self.ui.playground.is_some();
        let option = |name: &str, playground: bool| ControlOption {
            name: name.to_owned(),
            choice: Choice::Playground(playground),
            chosen: on == playground,
        };
        Control {
            id: "show",
            label: "Show",
            options: vec![option("This run", false), option("Playground", true)],
        }
    }
}

impl ShownSide<'_> {
    pub(super) fn play_key(&self, view: View) -> Option<PlayKey> {
        self.session.playground(view)?;
        Some(PlayKey {
            number: self.session.ui.play.number,
            arch: self.side.setup.arch,
            options: self.side.setup.machine.memory(),
        })
    }

    /// A view's picture of the playground, with the last valid access.
    pub(super) fn play_picture(&self, view: View, size: Size) -> Option<Scene> {
        self.session.playground(view)?;
        let mut shown = self.session.ui.play.shown.clone()?;
        shown.space = space_of(view)?;
        let options = self.side.setup.machine.memory();
        Some(scene::playground(
            &shown,
            self.side.arch(),
            options,
            &self.state,
            size,
        ))
    }

    /// The sentence above the picture: an error, or what the picture shows.
    pub(super) fn play_sentence(&self, view: View) -> String {
        if let Some(mistake) = &self.session.ui.play.mistake {
            return mistake.sentence();
        }
        let size = Size {
            width: self.width_of(view),
            height: 600.0,
        };
        self.play_picture(view, size)
            .map_or_else(String::new, |scene| scene.headline)
    }
}

/// Sets a field from its text.
fn field_value(playground: &mut Playground, field: &PlayField, text: &str) -> Result<(), String> {
    match field {
        PlayField::Block => {
            let block = form::parse_dims(text)?;
            let tried = Playground {
                block,
                warp: 0,
                ..playground.clone()
            };
            if !(1..=playground::MAX_THREADS).contains(&tried.threads()) {
                return Err(format!(
                    "A block must have 1 to {} threads.",
                    playground::MAX_THREADS
                ));
            }
            playground.block = block;
        }
        PlayField::Extents => playground.dims = extents(text)?,
        PlayField::Start => {
            playground.start = text
                .trim()
                .parse()
                .map_err(|_| "The start byte must be a whole number.".to_owned())?;
        }
        PlayField::Name(name) => {
            let value = number(text).ok_or_else(|| format!("{name} must be a whole number."))?;
            playground.vars.insert(name.clone(), value);
        }
    }
    Ok(())
}

/// Parses a whole number, decimal or hexadecimal.
fn number(text: &str) -> Option<i64> {
    let text = text.trim();
    match text.strip_prefix("0x") {
        Some(digits) => i64::from_str_radix(digits, 16).ok(),
        None => text.replace('−', "-").parse().ok(),
    }
}

/// Parses `32 × 32`, `[32][32]`, or `32, 32`.
fn extents(text: &str) -> Result<Vec<u32>, String> {
    let apart = |letter: char| !letter.is_ascii_digit();
    let parts: Result<Vec<u32>, _> = text
        .split(apart)
        .filter(|part| !part.is_empty())
        .map(str::parse)
        .collect();
    match parts {
        Ok(parts) if (1..=3).contains(&parts.len()) && !parts.contains(&0) => Ok(parts),
        _ => Err("Write one to three extents, for example 32 × 32.".to_owned()),
    }
}

#[cfg(test)]
mod tests;
