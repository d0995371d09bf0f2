//! SASS opcodes, without their modifiers.

mod accesses;
mod arithmetic;
mod control;

use super::Term;

/// The opcodes, by what they do.
pub(super) static TABLES: [&[Term]; 3] = [arithmetic::TERMS, control::TERMS, accesses::TERMS];
