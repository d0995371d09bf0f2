//! Addresses of a launch: pointers and words that lead into the memory of arguments and variables.

use std::ops::Range;

use super::{BufferPlace, InitialMemory, SetupError, argument_name, put};
use crate::isa::{Program, Symbol, SymbolSpace, bank0};
use crate::launch::addresses::{Owner, Target, Word};
use crate::launch::texture::Texture;
use crate::launch::{Argument, Launch};

/// A place in memory: the allocation, the range of the owner's memory in it, and the address.
struct Resolved {
    allocation: usize,
    range: Range<u64>,
    address: u64,
}

impl InitialMemory {
    /// Places a texture or surface of an argument, and returns its handle.
    pub(super) fn place_texture(
        &mut self,
        program: &Program,
        argument: usize,
        name: &str,
        texture: &Texture,
    ) -> u64 {
        let allocation = self.device.allocations.len();
        let handle = self.device.allocate_texture(name, texture, program.pointer_bits);
        self.buffers.push(BufferPlace {
            argument,
            allocation,
            role: texture.role,
            start: 0,
            end: u64::from(texture.num_elements()) * u64::from(texture.elem.bytes()),
        });
        handle
    }

    /// Places memory that only addresses lead to.
    pub(super) fn place_beyond(&mut self, program: &Program, launch: &Launch, idx: usize) {
        let name = argument_name(program, launch, idx);
        match &launch.args[idx] {
            Argument::Buffer {
                elem,
                len,
                fill,
                role,
                ..
            } => {
                let allocation = self.device.allocations.len();
                self.device
                    .allocate_filled(&name, fill, *elem, *len, program.pointer_bits);
                self.buffers.push(BufferPlace {
                    argument: idx,
                    allocation,
                    role: *role,
                    start: 0,
                    end: u64::from(elem.bytes()) * u64::from(*len),
                });
            }
            Argument::Texture(texture) => {
                self.place_texture(program, idx, &name, texture);
            }
            // `Launch::serves` has refused them.
            Argument::Scalar { .. } | Argument::Bytes(_) | Argument::Words(_) | Argument::Pointer { .. } => {}
        }
    }

    /// Writes the addresses of arguments, buffers, and variables, when all memory is placed.
    ///
    /// # Errors
    /// Returns an error if an address leads to memory that the launch does not have.
    pub(super) fn place_addresses(&mut self, program: &Program, launch: &Launch) -> Result<(), SetupError> {
        let owned = self.buffers.clone();
        for (idx, (param, argument)) in program.params.iter().zip(&launch.args).enumerate() {
            let at = usize::from(bank0::PARAMS) + param.offset as usize;
            match argument {
                Argument::Pointer { role, to, .. } => {
                    let place = self.resolved(program, &owned, to, &param.name)?;
                    let size = (param.size as usize).min(8);
                    put(&mut self.bank0, at, &place.address.to_le_bytes()[..size]);
                    let base = self.device.allocations[place.allocation].base;
                    self.buffers.push(BufferPlace {
                        argument: idx,
                        allocation: place.allocation,
                        role: *role,
                        start: (place.address.saturating_sub(base)).clamp(place.range.start, place.range.end),
                        end: place.range.end,
                    });
                }
                Argument::Words(words) => {
                    for (word, at) in words.iter().zip((at..).step_by(8)) {
                        let bits = match word {
                            Word::Bits(bits) => *bits,
                            Word::Address(to) => self.resolved(program, &owned, to, &param.name)?.address,
                        };
                        put(&mut self.bank0, at, &bits.to_le_bytes());
                    }
                }
                _ => {}
            }
        }
        for place in &owned {
            if let Some(Argument::Buffer { fill, .. }) = launch.args.get(place.argument) {
                let allocation = &self.device.allocations[place.allocation];
                let (base, name) = (allocation.base, allocation.name.clone());
                for (word, at) in fill.words().iter().zip((0..).step_by(8)) {
                    if let Word::Address(to) = word {
                        let address = self.resolved(program, &owned, to, &name)?.address;
                        self.device.write(base + at, &address.to_le_bytes());
                    }
                }
            }
        }
        self.place_addresses_of_symbols(program, launch, &owned)?;
        self.buffers.sort_by_key(|place| place.argument);
        Ok(())
    }

    fn place_addresses_of_symbols(
        &mut self,
        program: &Program,
        launch: &Launch,
        owned: &[BufferPlace],
    ) -> Result<(), SetupError> {
        for fill in &launch.symbols {
            let is_it = |symbol: &&Symbol| symbol.name == fill.symbol && symbol.space != SymbolSpace::Shared;
            let Some(symbol) = program.symbols.iter().find(is_it) else {
                continue;
            };
            for (word, at) in fill
                .fill
                .words()
                .iter()
                .zip((u64::from(symbol.offset)..).step_by(8))
            {
                let Word::Address(to) = word else { continue };
                let bytes = self
                    .resolved(program, owned, to, &symbol.name)?
                    .address
                    .to_le_bytes();
                match symbol.space {
                    SymbolSpace::Constant => put(&mut self.bank3, at as usize, &bytes),
                    // The segment of the variables is the last allocation.
                    _ => {
                        if let Some(segment) = self.device.allocations.last() {
                            let base = segment.base;
                            self.device.write(base + at, &bytes);
                        }
                    }
                }
            }
        }
        Ok(())
    }

    /// Where a target is. `owned` are the places of the arguments that have memory; `name` is what holds the address.
    fn resolved(
        &self,
        program: &Program,
        owned: &[BufferPlace],
        to: &Target,
        name: &str,
    ) -> Result<Resolved, SetupError> {
        let found = match &to.of {
            Owner::Argument(idx) => owned
                .iter()
                .find(|place| place.argument == usize::from(*idx))
                .map(|place| (place.allocation, 0..place.end)),
            Owner::Symbol(name) => {
                let is_it = |symbol: &&Symbol| {
                    symbol.space == SymbolSpace::Global
                        && (symbol.name == *name || symbol.name.rsplit("::").next() == Some(name))
                };
                let range = |symbol: &Symbol| {
                    let first = u64::from(symbol.offset);
                    first..first + u64::from(symbol.size)
                };
                let symbol = program.symbols.iter().find(is_it);
                self.device
                    .allocations
                    .len()
                    .checked_sub(1)
                    .zip(symbol.map(range))
            }
        };
        let (allocation, range) = found.ok_or_else(|| SetupError::Target {
            name: name.to_owned(),
        })?;
        let first = self.device.allocations[allocation].base + range.start;
        Ok(Resolved {
            allocation,
            range,
            address: first.wrapping_add_signed(to.offset),
        })
    }
}
