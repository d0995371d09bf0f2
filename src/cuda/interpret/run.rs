//! Sets up memory, runs the blocks, and collects the results.

use super::code::{Param, Pooled};
use super::machine::Machine;
use super::memory::{FIRST, Memory, Placer, UNDEFINED, WRITTEN, Windows, leaf_of};
use super::reach::Tracker;
use super::resolve::{Globals, Resolved, resolve};
use super::{Buffer, InterpretError, Limits, Outcome, Variable};
use crate::hir::{GlobalSpace, Unit};
use engine::launch::addresses::{Owner, Target, Word};
use engine::launch::{Argument, Launch};

/// The outcome of a run, and the error that ended it early.
type Ended = (Outcome, Option<InterpretError>);

/// The names of `__device__` variables, with their allocations.
type Devices = Vec<(String, usize)>;

pub(super) fn run(
    unit: &Unit,
    kernel: &str,
    launch: &Launch,
    limits: Limits,
) -> Result<Ended, InterpretError> {
    let num_threads = launch
        .block
        .iter()
        .try_fold(1_u32, |product, dim| product.checked_mul(*dim))
        .unwrap_or(u32::MAX);
    match num_threads {
        1..=64 => run_with::<1>(unit, kernel, launch, limits, num_threads as usize),
        65..=256 => run_with::<4>(unit, kernel, launch, limits, num_threads as usize),
        257..=1024 => run_with::<16>(unit, kernel, launch, limits, num_threads as usize),
        _ => Err(InterpretError::BlockSize(num_threads)),
    }
}

/// The bytes that the launch passes for each parameter.
struct Arguments {
    values: Vec<Vec<u8>>,
    /// Argument index, role, and allocation of each buffer.
    buffers: Vec<(usize, engine::launch::Role, usize)>,
    /// The address of each argument's own memory.
    bases: Vec<Option<u64>>,
}

fn run_with<const W: usize>(
    unit: &Unit,
    kernel: &str,
    launch: &Launch,
    limits: Limits,
    num_threads: usize,
) -> Result<Ended, InterpretError> {
    let id = unit
        .kernel(kernel)
        .ok_or_else(|| InterpretError::UnknownKernel(kernel.to_owned()))?;
    let windows = Windows::new(unit.pointer_bytes);
    let mut memory = Memory::new(windows, num_threads, limits.finds_races);
    memory.tracker = limits.grows.then(|| Tracker::new(unit.pointer_bytes));
    let (globals, constant, devices) = place_globals(unit, launch, windows, &mut memory)?;
    let Resolved {
        code,
        mut constant,
        constant_state,
    } = resolve(unit, id, windows, &globals, constant);
    let mut arguments = place_arguments(launch, &mut memory);
    let num_params = code.functions[0].params.len();
    if !launch.serves(num_params + code.textures.len()) {
        return Err(InterpretError::NumArguments {
            expected: num_params + code.textures.len(),
            given: arguments.values.len(),
        });
    }
    place_addresses(unit, launch, &globals, &devices, &mut arguments, &mut memory)?;
    fill_constants(unit, launch, windows, &globals, &arguments.bases, &mut constant)?;
    for (address, value) in code.textures.iter().zip(&arguments.values[num_params..]) {
        let start = (address - windows.constant) as usize;
        let len = value.len().min(unit.pointer_bytes as usize);
        constant[start..start + len].copy_from_slice(&value[..len]);
    }
    memory.set_constant(constant, constant_state);

    let kernel_params: Vec<Vec<u64>> = code.functions[0]
        .params
        .iter()
        .zip(unit.function(id).params())
        .zip(&arguments.values)
        .map(|((param, local), value)| {
            let leaves = super::code::leaves(unit, &local.ty);
            debug_assert!(!matches!(param, Param::Registers { len, .. } if *len as usize != leaves.len()));
            leaves.iter().map(|leaf| leaf_of(value, *leaf)).collect()
        })
        .collect();
    let mut shared = code.shared.clone();
    let dynamic_shared = windows.shared + shared.len() as u64;
    if let Some(tracker) = &mut memory.tracker {
        tracker.dynamic_start = shared.len();
    }
    shared.extend(vec![UNDEFINED; launch.dynamic_shared as usize]);
    let mut machine: Machine<'_, W> = Machine::new(&code, memory, limits, num_threads);
    machine.address_mask = windows.address_mask;
    machine.block_dim = launch.block;
    machine.pointer_bytes = unit.pointer_bytes;
    let [dim_x, dim_y, dim_z] = launch.block;
    let [grid_x, grid_y, grid_z] = launch.grid;
    for (row, pooled) in code.pool.iter().enumerate() {
        machine.fill_pool(row, |thread| match *pooled {
            Pooled::Const(bits) => bits,
            Pooled::ThreadIdx(0) => u64::from(thread % dim_x),
            Pooled::ThreadIdx(1) => u64::from(thread / dim_x % dim_y),
            Pooled::ThreadIdx(_) => u64::from(thread / dim_x / dim_y % dim_z),
            Pooled::BlockDim(axis) => u64::from(launch.block[usize::from(axis)]),
            Pooled::GridDim(axis) => u64::from(launch.grid[usize::from(axis)]),
            Pooled::Lane => u64::from(thread % 32),
            Pooled::DynamicShared => dynamic_shared,
            Pooled::BlockIdx(_) => 0,
        });
    }
    let mut end = None;
    for block in 0..grid_x * grid_y * grid_z {
        let position = [block % grid_x, block / grid_x % grid_y, block / grid_x / grid_y];
        for (row, pooled) in code.pool.iter().enumerate() {
            if let Pooled::BlockIdx(axis) = pooled {
                machine.fill_pool(row, |_| u64::from(position[usize::from(*axis)]));
            }
        }
        (machine.block, machine.block_idx) = (block, position);
        end = machine.block(&kernel_params, &shared).err();
        if end.is_some() {
            break;
        }
    }

    let address = |to: &Target| address_of(to, unit, &globals, &arguments.bases);
    let buffer = |(argument, role, allocation): &(usize, _, usize)| {
        let bytes = machine.memory.allocation(*allocation).to_vec();
        let words = match &launch.args[*argument] {
            Argument::Buffer { fill, .. } => fill.words(),
            _ => &[],
        };
        Buffer {
            argument: *argument,
            role: *role,
            addresses: unchanged(words, &bytes, &address),
            bytes,
        }
    };
    let variable = |(name, allocation): &(String, usize)| {
        let bytes = machine.memory.allocation(*allocation).to_vec();
        let words = launch.symbols.iter().find(|symbol| symbol.symbol == *name);
        let words = words.map_or(&[][..], |symbol| symbol.fill.words());
        Variable {
            name: name.clone(),
            addresses: unchanged(words, &bytes, &address),
            bytes,
        }
    };
    let outcome = Outcome {
        buffers: arguments.buffers.iter().map(buffer).collect(),
        variables: devices.iter().map(variable).collect(),
        undefined: machine.undefined,
        approximate: machine.approximate,
        printed: machine.printed,
        reads_clock: machine.reads_clock,
        is_illegal: machine.memory.is_far,
        steps: machine.total_steps,
        reach: machine.memory.tracker.as_ref().map(Tracker::reach),
    };
    Ok((outcome, end))
}

/// Places variables outside functions. Returns the layout of constant memory and the allocations of
/// `__device__` variables.
fn place_globals(
    unit: &Unit,
    launch: &Launch,
    windows: Windows,
    memory: &mut Memory,
) -> Result<(Globals, Placer, Devices), InterpretError> {
    let mut globals = Globals::default();
    let mut constant = Placer::new(FIRST);
    let mut devices = Vec::new();
    for global in &unit.globals {
        let size = unit.size_of(&global.ty);
        let address = match global.space {
            GlobalSpace::Constant => {
                windows.constant + u64::from(constant.place(size, global.align, WRITTEN))
            }
            GlobalSpace::Device => {
                let mut bytes = global.image.clone();
                bytes.resize(size as usize, 0);
                for symbol in launch
                    .symbols
                    .iter()
                    .filter(|symbol| symbol.symbol == global.name)
                {
                    put(
                        &mut bytes,
                        &symbol.symbol,
                        &symbol.fill.bytes(symbol.elem, symbol.len),
                    )?;
                }
                let (allocation, address) = memory.allocate(bytes);
                devices.push((global.name.clone(), allocation));
                address
            }
            _ => 0,
        };
        globals.addresses.push(address);
    }
    Ok((globals, constant, devices))
}

fn put(place: &mut [u8], name: &str, bytes: &[u8]) -> Result<(), InterpretError> {
    let place = place.get_mut(..bytes.len());
    let place = place.ok_or_else(|| InterpretError::UnknownSymbol(name.to_owned()))?;
    place.copy_from_slice(bytes);
    Ok(())
}

/// Fills `__constant__` variables with the launch's values.
fn fill_constants(
    unit: &Unit,
    launch: &Launch,
    windows: Windows,
    globals: &Globals,
    bases: &[Option<u64>],
    constant: &mut [u8],
) -> Result<(), InterpretError> {
    for symbol in &launch.symbols {
        let idx = unit.globals.iter().position(|global| {
            global.name == symbol.symbol
                && matches!(global.space, GlobalSpace::Constant | GlobalSpace::Device)
        });
        let idx = idx.ok_or_else(|| InterpretError::UnknownSymbol(symbol.symbol.clone()))?;
        if unit.globals[idx].space == GlobalSpace::Constant {
            let start = (globals.addresses[idx] - windows.constant) as usize;
            let end = start + unit.size_of(&unit.globals[idx].ty) as usize;
            let mut bytes = symbol.fill.bytes(symbol.elem, symbol.len);
            let address = |to: &Target| address_of(to, unit, globals, bases).ok_or(InterpretError::Target);
            put_addresses(symbol.fill.words(), &mut bytes, &address)?;
            put(&mut constant[start..end], &symbol.symbol, &bytes)?;
        }
    }
    Ok(())
}

fn place_arguments(launch: &Launch, memory: &mut Memory) -> Arguments {
    let mut buffers = Vec::new();
    let mut bases = Vec::new();
    let values = launch
        .args
        .iter()
        .enumerate()
        .map(|(idx, argument)| {
            bases.push(None);
            match argument {
                Argument::Scalar { bits, .. } => bits.to_le_bytes().to_vec(),
                Argument::Bytes(bytes) => bytes.clone(),
                // `run` has rejected textures, and `place_addresses` writes addresses.
                Argument::Texture(_) | Argument::Pointer { .. } => Vec::new(),
                Argument::Words(words) => vec![0; words.len() * 8],
                Argument::Buffer {
                    elem,
                    len,
                    fill,
                    role,
                    start,
                } => {
                    let (allocation, address) = memory.allocate(fill.bytes(*elem, *len));
                    if let Some(tracker) = &mut memory.tracker {
                        tracker.add(idx, *elem, fill, allocation, address);
                    }
                    buffers.push((idx, *role, allocation));
                    bases[idx] = Some(address);
                    address.wrapping_add_signed(*start).to_le_bytes().to_vec()
                }
            }
        })
        .collect();
    Arguments {
        values,
        buffers,
        bases,
    }
}

/// The address of a target; `None` if the launch does not have its memory.
fn address_of(to: &Target, unit: &Unit, globals: &Globals, bases: &[Option<u64>]) -> Option<u64> {
    let first = match &to.of {
        Owner::Argument(idx) => (*bases.get(usize::from(*idx))?)?,
        Owner::Symbol(name) => {
            let is_it = |global: &crate::hir::Global| {
                global.space == GlobalSpace::Device
                    && (global.name == *name || global.name.rsplit("::").next() == Some(name))
            };
            *globals.addresses.get(unit.globals.iter().position(is_it)?)?
        }
    };
    Some(first.wrapping_add_signed(to.offset))
}

/// The words that hold the launch's addresses, unchanged.
fn unchanged(words: &[Word], bytes: &[u8], address: &impl Fn(&Target) -> Option<u64>) -> Vec<usize> {
    let holds = |word: &Word, chunk: &[u8]| match word {
        Word::Address(to) => address(to).is_some_and(|address| address.to_le_bytes() == *chunk),
        Word::Bits(_) => false,
    };
    let pairs = words.iter().zip(bytes.chunks_exact(8)).enumerate();
    pairs
        .filter(|(_, (word, chunk))| holds(word, chunk))
        .map(|(at, _)| at)
        .collect()
}

/// Writes the addresses of a list of words into bytes.
fn put_addresses(
    words: &[Word],
    bytes: &mut [u8],
    address: &impl Fn(&Target) -> Result<u64, InterpretError>,
) -> Result<(), InterpretError> {
    for (word, place) in words.iter().zip(bytes.chunks_exact_mut(8)) {
        let bits = match word {
            Word::Bits(bits) => *bits,
            Word::Address(to) => address(to)?,
        };
        place.copy_from_slice(&bits.to_le_bytes());
    }
    Ok(())
}

/// Writes the addresses of arguments, buffers, and device variables, when all memory is placed.
fn place_addresses(
    unit: &Unit,
    launch: &Launch,
    globals: &Globals,
    devices: &Devices,
    arguments: &mut Arguments,
    memory: &mut Memory,
) -> Result<(), InterpretError> {
    let Arguments {
        values,
        buffers,
        bases,
    } = arguments;
    let address = |to: &Target| address_of(to, unit, globals, bases).ok_or(InterpretError::Target);
    for (argument, value) in launch.args.iter().zip(values.iter_mut()) {
        match argument {
            Argument::Pointer { to, .. } => *value = address(to)?.to_le_bytes().to_vec(),
            Argument::Words(words) => put_addresses(words, value, &address)?,
            _ => {}
        }
    }
    for (idx, _, allocation) in &*buffers {
        if let Argument::Buffer { fill, .. } = &launch.args[*idx] {
            put_addresses(fill.words(), memory.allocation_mut(*allocation), &address)?;
        }
    }
    for (name, allocation) in devices {
        for symbol in launch.symbols.iter().filter(|symbol| symbol.symbol == *name) {
            put_addresses(symbol.fill.words(), memory.allocation_mut(*allocation), &address)?;
        }
    }
    Ok(())
}
