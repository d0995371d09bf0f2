//! Minimizes C++ programs: removes, unwraps, and simplifies pieces as long as the oracle's compiler accepts the rest.

use super::super::cpp::{Piece, Unit};
use super::super::tree::Program;

/// Returns the smallest program found that `fails` accepts. `fails` must reject invalid C++.
pub(super) fn smaller(program: &Program, fails: &mut dyn FnMut(&Program) -> bool) -> Program {
    let mut best = program.clone();
    let mut bare = best.clone();
    bare.functions.clear();
    bare.structs.clear();
    bare.kernel.body.clear();
    if fails(&bare) {
        best = bare;
    }
    loop {
        let before = best.source().len();
        for change in [removed, opened, plainer] {
            let mut at = 0;
            while let Some(unit) = best.cpp.as_ref().and_then(|unit| edited(unit, at, change)) {
                let candidate = Program {
                    cpp: Some(unit),
                    ..best.clone()
                };
                if candidate.source().len() < best.source().len() && fails(&candidate) {
                    best = candidate;
                } else {
                    at += 1;
                }
            }
        }
        if best.source().len() >= before {
            return best;
        }
    }
}

/// Returns the replacement of a piece by the number of the change, or `None` after the last change.
type Change = fn(&Piece, usize) -> Option<Vec<Piece>>;

fn removed(_: &Piece, number: usize) -> Option<Vec<Piece>> {
    (number == 0).then(Vec::new)
}

fn opened(piece: &Piece, number: usize) -> Option<Vec<Piece>> {
    (number == 0 && !piece.inner.is_empty()).then(|| piece.inner.clone())
}

/// Returns texts in which a bracketed part is replaced with a number, or replaces its surroundings.
fn plainer(piece: &Piece, number: usize) -> Option<Vec<Piece>> {
    let spans = bracketed(&piece.head);
    let (from, to) = *spans.get(number / 3)?;
    let inner = &piece.head[from + 1..to];
    let head = match number % 3 {
        0 => format!("{}1{}", &piece.head[..from], &piece.head[to + 1..]),
        1 => format!("{}{inner}{}", &piece.head[..from], &piece.head[to + 1..]),
        _ => {
            let first = inner.split_once(", ").map_or("", |(_, rest)| rest);
            format!("{}({first}){}", &piece.head[..from], &piece.head[to + 1..])
        }
    };
    Some(vec![Piece {
        head,
        ..piece.clone()
    }])
}

/// Returns the positions of matching parentheses.
fn bracketed(text: &str) -> Vec<(usize, usize)> {
    let mut open = Vec::new();
    let mut out = Vec::new();
    for (at, c) in text.char_indices() {
        match c {
            '(' => open.push(at),
            ')' => out.extend(open.pop().map(|from| (from, at))),
            _ => {}
        }
    }
    out.sort_unstable();
    out
}

/// Returns the unit with the numbered change, or `None` after the last change.
fn edited(unit: &Unit, number: usize, change: Change) -> Option<Unit> {
    let mut rest = number;
    let mut unit = unit.clone();
    let done = edit_list(&mut unit.items, &mut rest, change) || edit_list(&mut unit.body, &mut rest, change);
    done.then_some(unit)
}

/// Applies the numbered change if it is in this list, and returns whether it is.
fn edit_list(list: &mut Vec<Piece>, rest: &mut usize, change: Change) -> bool {
    for idx in 0..list.len() {
        let mut number = 0;
        while let Some(pieces) = change(&list[idx], number) {
            if *rest == 0 {
                list.splice(idx..=idx, pieces);
                return true;
            }
            *rest -= 1;
            number += 1;
        }
        if edit_list(&mut list[idx].inner, rest, change) {
            return true;
        }
    }
    false
}
