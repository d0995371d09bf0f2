//! Addresses when the arguments of a launch change.

use super::addresses::{Owner, Target, Word};
use super::{Argument, Fill, Launch, Pattern};

/// An index that no argument has: the memory is gone.
const GONE: u16 = u16::MAX;

/// What [`Launch::repair`] has changed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Repair {
    /// The parameters whose arguments were replaced.
    pub replaced: Vec<u16>,
    /// The new index of each argument; `None` for dropped memory.
    pub places: Vec<Option<u16>>,
}

impl Launch {
    /// Lets addresses follow arguments that have moved; `to` gives the new index of an argument.
    pub fn move_addresses(&mut self, to: impl Fn(u16) -> Option<u16>) {
        let moved = |target: &mut Target| {
            if let Owner::Argument(idx) = &mut target.of {
                *idx = to(*idx).unwrap_or(GONE);
            }
        };
        let fills = self.symbols.iter_mut().map(|symbol| &mut symbol.fill);
        for fill in fills {
            each_word(fill, &moved);
        }
        for arg in &mut self.args {
            match arg {
                Argument::Pointer { to, .. } => moved(to),
                Argument::Words(words) => each(words, &moved),
                Argument::Buffer { fill, .. } => each_word(fill, &moved),
                Argument::Scalar { .. } | Argument::Bytes(_) | Argument::Texture(_) => {}
            }
        }
    }

    /// Replaces what leads to memory that the launch does not have, and drops memory beyond the parameters that no address
    /// leads to. `made_up` gives the argument of a parameter, by its index.
    pub fn repair(&mut self, num_params: usize, made_up: impl Fn(usize, &Self) -> Argument) -> Repair {
        let before = self.clone();
        let has_memory = |to: &Target| match to.of {
            Owner::Argument(idx) => {
                (before.args.get(usize::from(idx))).is_some_and(|arg| arg.elements().is_some())
            }
            Owner::Symbol(_) => true,
        };
        let mut replaced = Vec::new();
        for (idx, arg) in self.args.iter_mut().enumerate() {
            if arg.targets().all(has_memory) {
                continue;
            }
            if idx < num_params {
                *arg = made_up(idx, &before);
                replaced.push(idx as u16);
            } else if let Argument::Buffer { fill, .. } = arg {
                *fill = Fill::of(Pattern::Zero);
            }
        }
        self.symbols.retain(|symbol| {
            let mut words = symbol.fill.words().iter();
            words.all(|word| !matches!(word, Word::Address(to) if !has_memory(to)))
        });
        let mut kept: Vec<usize> = (0..self.args.len()).collect();
        while let Some(idx) = (num_params..self.args.len())
            .find(|idx| !self.targets().any(|to| to.of == Owner::Argument(*idx as u16)))
        {
            self.args.remove(idx);
            kept.remove(idx);
            let idx = idx as u16;
            self.move_addresses(|at| match at {
                at if at > idx && at != GONE => Some(at - 1),
                at => Some(at),
            });
        }
        let place = |old: usize| kept.iter().position(|kept| *kept == old).map(|at| at as u16);
        Repair {
            replaced,
            places: (0..before.args.len()).map(place).collect(),
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::isa::ElemType;
    use crate::launch::Role;

    fn buffer(fill: Fill) -> Argument {
        Argument::Buffer {
            elem: ElemType::U64,
            len: 4,
            fill,
            role: Role::InOut,
            start: 0,
        }
    }

    fn address(idx: u16) -> Word {
        Word::Address(Target {
            of: Owner::Argument(idx),
            offset: 8,
        })
    }

    fn launch(args: Vec<Argument>) -> Launch {
        Launch {
            grid: [1, 1, 1],
            block: [32, 1, 1],
            dynamic_shared: 0,
            args,
            symbols: Vec::new(),
        }
    }

    #[test]
    fn memory_without_an_address_is_dropped_and_addresses_move() {
        let zeros = buffer(Fill::of(Pattern::Zero));
        let list = buffer(Fill::of(Pattern::Words(vec![address(3)])));
        let mut launch = launch(vec![list, zeros.clone(), zeros.clone(), zeros.clone()]);
        let repair = launch.repair(1, |_, _| panic!("nothing is replaced"));
        assert!(repair.replaced.is_empty());
        assert_eq!(repair.places, [Some(0), None, None, Some(1)]);
        let moved = buffer(Fill::of(Pattern::Words(vec![address(1)])));
        assert_eq!(launch.args, [moved, zeros]);
    }

    #[test]
    fn what_leads_nowhere_is_replaced() {
        let number = Argument::Scalar {
            ty: ElemType::U64,
            bits: 1,
        };
        let (broken, chain) = (vec![address(1)], vec![address(1), address(3)]);
        let mut launch = launch(vec![
            Argument::Words(broken),
            number.clone(),
            Argument::Words(vec![address(3)]),
            buffer(Fill::of(Pattern::Words(chain))),
        ]);
        let repair = launch.repair(3, |idx, before| {
            assert_eq!((idx, before.args.len()), (0, 4));
            number.clone()
        });
        assert_eq!((repair.replaced, repair.places.len()), (vec![0], 4));
        // The other end of a broken list has no contents any more.
        let end = buffer(Fill::of(Pattern::Zero));
        assert_eq!(launch.args[0], number);
        assert_eq!(launch.args[2..], [Argument::Words(vec![address(3)]), end]);
    }
}
