//! What is wrong, and where.

use texts::piece::{Kind, Piece, Place};

/// A place in a text that breaks a rule.
#[derive(Clone, Debug)]
pub(crate) struct Finding {
    pub(crate) rule: String,
    pub(crate) place: Place,
    pub(crate) message: String,
    /// The text around it, by which an exception finds it.
    pub(crate) context: String,
    pub(crate) kind: Kind,
    /// A finding that does not fail the check.
    pub(crate) is_warning: bool,
}

impl Finding {
    /// A finding at a character of a piece.
    pub(crate) fn new(rule: &str, piece: &Piece, idx: usize, message: String) -> Self {
        Self {
            rule: rule.to_owned(),
            place: piece.place(idx),
            message,
            context: piece.slice(idx.saturating_sub(40), idx + 60),
            kind: piece.kind,
            is_warning: false,
        }
    }
}
