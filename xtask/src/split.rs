//! The page's module in two parts: what the first picture needs, and the rest.
//!
//! `docs/architecture.md` says how the two work together.

pub(crate) mod cut;
pub(crate) mod data;
mod flow;
pub(crate) mod glue;
pub(crate) mod module;
pub(crate) mod parts;
pub(crate) mod points;
pub(crate) mod probe;
pub(crate) mod profile;
#[cfg(test)]
mod tests;
mod write;

use std::collections::{BTreeMap, BTreeSet};

use data::{References, Shares};
use module::Module;
use parts::Plan;
use profile::Profile;

/// A module's two parts.
pub(crate) struct Parts {
    pub(crate) first: Vec<u8>,
    pub(crate) second: Vec<u8>,
    /// The module in one piece.
    pub(crate) whole: Vec<u8>,
    /// The names of the first part's functions, which it does not carry, by number.
    pub(crate) names: String,
    /// What went where, for who builds.
    pub(crate) report: String,
}

/// Splits a module by a profile of its first view. `linked` is the module as the linker left it, with
/// relocations: by them, data go to the second part too.
pub(crate) fn split(bytes: &[u8], linked: Option<&[u8]>, profile: &Profile) -> Result<Parts, String> {
    let view = profile.of(&Module::read(bytes)?);
    let cut = cut::cut(bytes, |function, ops, points| {
        view.passed(bytes, function, ops, points)
    })?;
    let module = Module::read(&cut)?;
    let plan = Plan::new(&module, |function| view.is_first(function))?;
    let shares = match linked {
        Some(linked) => {
            let references = References::read(linked)?;
            // By name; what one of several functions of a name needs, the name needs.
            let mut parts: BTreeMap<&str, BTreeSet<u32>> = BTreeMap::new();
            for function in module.defined() {
                let numbers = parts.entry(&module.names[function as usize]).or_default();
                if plan.is_first[function as usize] {
                    numbers.extend(module.numbers_in(function)?);
                }
            }
            let is_used = |name: &str, number: u32| {
                let numbers = parts.get(name);
                let numbers =
                    numbers.or_else(|| parts.get(rustc_demangle::demangle(name).to_string().as_str()));
                numbers.is_none_or(|numbers| numbers.contains(&number))
            };
            Shares::deal(&module, &references.reached(is_used))
        }
        None => Shares::all_first(&module),
    };
    Ok(Parts {
        first: plan.first(&module, &shares)?,
        second: plan.second(&module, &shares)?,
        whole: valid(module::plain(bytes)?, "the whole")?,
        names: plan.names(&module),
        report: plan.report(&module),
    })
}

/// A module that is as it must be.
fn valid(bytes: Vec<u8>, what: &str) -> Result<Vec<u8>, String> {
    match wasmparser::Validator::new().validate_all(&bytes) {
        Ok(_) => Ok(bytes),
        Err(error) => Err(format!("{what} is not valid: {error}")),
    }
}
