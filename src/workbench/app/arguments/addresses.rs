//! Addresses in arguments, when parameters change.

use super::argument;
use engine::isa::Program;
use engine::launch::addresses::{Owner, Target, Word};
use engine::launch::{Argument, Fill, Launch, Pattern};

/// An index that no argument has: the memory is gone.
const GONE: u16 = u16::MAX;

/// Lets the addresses of a launch follow arguments that have moved; `to` gives the new index of an argument.
pub(super) fn follow(launch: &mut Launch, to: impl Fn(u16) -> Option<u16>) {
    let moved = |target: &mut Target| {
        if let Owner::Argument(idx) = &mut target.of {
            *idx = to(*idx).unwrap_or(GONE);
        }
    };
    let fills = launch.symbols.iter_mut().map(|symbol| &mut symbol.fill);
    for fill in fills {
        each_word(fill, &moved);
    }
    for arg in &mut launch.args {
        match arg {
            Argument::Pointer { to, .. } => moved(to),
            Argument::Words(words) => each(words, &moved),
            Argument::Buffer { fill, .. } => each_word(fill, &moved),
            Argument::Scalar { .. } | Argument::Bytes(_) | Argument::Texture(_) => {}
        }
    }
}

fn each_word(fill: &mut Fill, change: &impl Fn(&mut Target)) {
    if let Pattern::Words(words) = &mut fill.pattern {
        each(words, change);
    }
}

fn each(words: &mut [Word], change: &impl Fn(&mut Target)) {
    for word in words {
        if let Word::Address(to) = word {
            change(to);
        }
    }
}

/// Replaces what leads to memory that the launch does not have, and drops memory that no address leads to.
pub(super) fn repair(launch: &mut Launch, program: &Program) {
    let has_memory = |launch: &Launch, to: &Target| match to.of {
        Owner::Argument(idx) => {
            (launch.args.get(usize::from(idx))).is_some_and(|arg| arg.elements().is_some())
        }
        Owner::Symbol(_) => true,
    };
    let before = launch.clone();
    let leads_nowhere = |arg: &Argument| arg.targets().any(|to| !has_memory(&before, to));
    for (idx, arg) in launch.args.iter_mut().enumerate() {
        if !leads_nowhere(arg) {
            continue;
        }
        match program.params.get(idx) {
            Some(param) => *arg = argument(param, &before).0,
            None => {
                if let Argument::Buffer { fill, .. } = arg {
                    *fill = Fill::of(Pattern::Zero);
                }
            }
        }
    }
    launch.symbols.retain(|symbol| {
        symbol
            .fill
            .words()
            .iter()
            .all(|word| !matches!(word, Word::Address(to) if !has_memory(&before, to)))
    });
    let num_params = program.params.len();
    while let Some(idx) = (num_params..launch.args.len())
        .find(|idx| !launch.targets().any(|to| to.of == Owner::Argument(*idx as u16)))
    {
        launch.args.remove(idx);
        let idx = idx as u16;
        follow(launch, |at| match at {
            at if at > idx && at != GONE => Some(at - 1),
            at => Some(at),
        });
    }
}
