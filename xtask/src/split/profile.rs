//! What of the module the first view passes: measured in the browser, kept in a file beside the code.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use super::module::{Module, plain_name};
use super::points::{self, Op, letters};

/// For every function, by its plain name, the letters of its points; those passed are capital. Where
/// several functions have a name, in the order of the module.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Profile(BTreeMap<String, Vec<String>>);

/// What of these runs is needed as a whole: how a number is rounded depends on its digits, how lists, texts and
/// tables grow and are sorted on how long they are, what there is to drop of a thing on what came first, and
/// what the session takes in on who answers first.
const VARYING: [&str; 14] = [
    "::flt2dec::",
    "core::fmt::",
    "alloc::fmt",
    "alloc::string",
    "alloc::vec",
    "alloc::raw_vec",
    "alloc::collections",
    "core::slice::sort",
    "hashbrown",
    "indexmap",
    "::drop_in_place::<",
    "trace::Trace>::append",
    "::receive",
    "::take_in",
];

/// A profile held against a module.
pub(crate) struct View<'p> {
    /// The letters of each function's points; `Err` where only this is known: whether it is called.
    functions: Vec<Result<&'p str, bool>>,
}

impl Profile {
    /// Makes one of the numbers of the points that were passed, counted through the whole module.
    pub(crate) fn taken(bytes: &[u8], passed: &BTreeSet<u32>) -> Result<Self, String> {
        let module = Module::read(bytes)?;
        let mut profile = Self::default();
        let mut next = 0;
        for (function, body) in module.defined().zip(&module.bodies) {
            let ops = points::ops(body)?;
            let points = points::points(&ops);
            let letters = letters(bytes, &ops, &points);
            let told = (next..).zip(&letters).map(|(point, letter)| {
                if passed.contains(&point) {
                    letter.to_ascii_uppercase() as char
                } else {
                    *letter as char
                }
            });
            let name = plain_name(&module.names[function as usize]);
            profile.0.entry(name).or_default().push(told.collect());
            next += points.len() as u32;
        }
        // Names of which nothing was passed say nothing.
        profile
            .0
            .retain(|name, all| !name.is_empty() && all.iter().any(|letters| is_called(letters)));
        Ok(profile)
    }

    /// Reads the file.
    pub(crate) fn read(text: &str) -> Self {
        let mut profile = Self::default();
        for line in text.lines().filter(|line| !line.starts_with('#')) {
            if let Some((letters, name)) = line.split_once(' ') {
                profile
                    .0
                    .entry(name.to_owned())
                    .or_default()
                    .push(letters.to_owned());
            }
        }
        profile
    }

    /// The file's text.
    pub(crate) fn text(&self) -> String {
        let mut text = String::from(
            "# What the first view runs, written by `cargo xtask profile`: for each function the points of its\n\
             # code, a letter each, capital where it was passed. docs/architecture.md says what it is for.\n",
        );
        for (name, all) in &self.0 {
            for letters in all {
                // Writing to a text does not fail.
                let _ = writeln!(text, "{letters} {name}");
            }
        }
        text
    }

    /// The profile held against a module.
    pub(crate) fn of(&self, module: &Module<'_>) -> View<'_> {
        let mut seen: BTreeMap<String, usize> = BTreeMap::new();
        let plain: Vec<String> = module.names.iter().map(|name| plain_name(name)).collect();
        for function in module.defined() {
            *seen.entry(plain[function as usize].clone()).or_default() += 1;
        }
        let mut next: BTreeMap<&str, usize> = BTreeMap::new();
        let functions = (plain.iter())
            .map(|name| {
                if name.is_empty() {
                    // wasm-bindgen's own, for calls from JavaScript.
                    return Err(true);
                }
                // What the allocator does depends on what else was allocated, and what Yew does on what was
                // drawn before, which is another thing when a worker is slow: all of them are needed.
                if name.contains("dlmalloc::") || is_of_yew_alone(name) {
                    return Err(true);
                }
                let Some(all) = self.0.get(name) else {
                    return Err(false);
                };
                if VARYING.iter().any(|part| name.contains(part)) || own_name(name).starts_with("yew::") {
                    return Err(true);
                }
                let number = next.entry(name).or_default();
                *number += 1;
                if seen.get(name) == Some(&all.len()) {
                    Ok(all[*number - 1].as_str())
                } else {
                    Err(true)
                }
            })
            .collect();
        View { functions }
    }
}

/// Whether it is a function of Yew's that has no instances: what is drawn by it is anybody's.
fn is_of_yew_alone(name: &str) -> bool {
    own_name(name).starts_with("yew::") && !name.contains("warpscope")
}

/// A name without what stands before the first path in it: `<&mut `.
fn own_name(name: &str) -> &str {
    let name = name.trim_start_matches(['<', '&', '[', '(', '*']);
    name.strip_prefix("mut ")
        .or_else(|| name.strip_prefix("dyn "))
        .unwrap_or(name)
}

fn is_called(letters: &str) -> bool {
    letters.starts_with(|letter: char| letter.is_ascii_uppercase())
}

impl View<'_> {
    /// Whether a function is called; pieces of functions, which have higher numbers, are not.
    pub(crate) fn is_first(&self, function: u32) -> bool {
        match self.functions.get(function as usize) {
            Some(Ok(letters)) => is_called(letters),
            Some(Err(is_called)) => *is_called,
            None => false,
        }
    }

    /// Which points of a function are passed; `None` leaves it whole.
    pub(crate) fn passed(
        &self,
        bytes: &[u8],
        function: u32,
        ops: &[Op<'_>],
        points: &[usize],
    ) -> Option<Vec<bool>> {
        match self.functions.get(function as usize) {
            Some(Ok(profile)) if is_called(profile) => {
                Some(points::passed(&letters(bytes, ops, points), profile.as_bytes()))
            }
            _ => None,
        }
    }
}
