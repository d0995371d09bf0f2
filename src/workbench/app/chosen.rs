//! The launch of a kernel that no `main()` launches: sizes, numbers, and contents are chosen for its own parameters, by their names
//! and their uses. A trial run shows how far the kernel reaches.

mod contents;
mod numbers;
mod shapes;

use super::arguments;
use super::number::is_float;
use crate::scene::{counted, thousands};
use crate::share::{Scenario, argument_text};
use contents::Contents;
use cuda::hir::Unit;
use cuda::host::{Guess, GuessOf};
use cuda::interpret::{BufferReach, Limits, MAX_ELEMENTS, Reach};
use cuda::uses::Uses;
use engine::arch::architecture;
use engine::isa::{ElemType, Param, ParamType, Program, SymbolSpace};
use engine::launch::{Argument, Fill, Launch, Pattern, Role, SymbolFill};
use engine::trace::Trace;
use numbers::number;
use shapes::{Shape, shapes};
use std::sync::Arc;

/// Statements of all threads that the trial run executes. Assumption: about a second of the interpreter in a browser.
const TRIAL_STEPS: u64 = 1 << 22;
/// Elements of a buffer before it grows in the trial run.
const FIRST_ELEMENTS: u32 = 32;
/// Lengths above are rounded up to this multiple: a warp's elements.
const WARP_ELEMENTS: u64 = 32;

/// The parts of a launch that are given.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Given {
    /// The grid.
    pub grid: Option<[u32; 3]>,
    /// The block.
    pub block: Option<[u32; 3]>,
    /// Bytes of dynamic shared memory.
    pub dynamic_shared: Option<u32>,
}

/// A chosen launch.
pub(super) struct Chosen {
    /// The kernel's name, with template arguments.
    pub(super) kernel: String,
    /// The line of the kernel, from 1.
    pub(super) line: u32,
    /// The launch.
    pub(super) launch: Launch,
    /// The chosen parts, and why.
    pub(super) why: Vec<Guess>,
}

/// A kernel whose launch is chosen.
struct Kernel<'k> {
    program: &'k Program,
    unit: &'k Unit,
    name: &'k str,
    uses: &'k Uses,
    given: Given,
}

/// A chosen launch, why each part was chosen, and whether a trial run showed nothing wrong.
struct Choice {
    launch: Launch,
    why: Vec<Guess>,
    is_sound: bool,
}

/// Chooses a launch for a scenario's kernel, which no `main()` launches. `None` if the kernel does not compile.
pub(super) fn choose(scenario: &Scenario, given: Given) -> Option<Chosen> {
    let (source, arch, options) = (scenario.source(), scenario.arch, &scenario.compile);
    let program = Arc::new(
        cuda::compile(source, scenario.entry(), arch, options)
            .ok()?
            .program,
    );
    let (unit, name) = cuda::parse_kernel(source, &program.name, arch, options)?;
    let uses = cuda::uses_of(&unit, &name, arch, options)?;
    let kernel = Kernel {
        program: &program,
        unit: &unit,
        name: &name,
        uses: &uses,
        given,
    };
    let mut best: Option<Choice> = None;
    for shape in shapes(&program, &uses, given) {
        let choice = kernel.choice(shape);
        let opens = || {
            Trace::open(
                architecture(arch),
                Arc::clone(&program),
                &choice.launch,
                scenario.machine,
            )
            .is_ok()
        };
        let is_sound = choice.is_sound && opens();
        if best.is_none() || is_sound {
            best = Some(choice);
        }
        if is_sound {
            break;
        }
    }
    let Choice { launch, why, .. } = best?;
    let line = unit.kernel(&name).map_or(0, |id| unit.function(id).span.line);
    Some(Chosen {
        kernel: program.name.clone(),
        line,
        launch,
        why,
    })
}

fn guess(of: GuessOf, what: impl Into<String>, why: impl Into<String>) -> Guess {
    Guess {
        of,
        what: what.into(),
        why: why.into(),
    }
}

impl Kernel<'_> {
    /// The launch with sizes.
    fn choice(&self, shape: Shape) -> Choice {
        let mut why = shape.why.clone();
        let mut launch = Launch {
            grid: shape.grid,
            block: shape.block,
            dynamic_shared: 0,
            args: Vec::new(),
            symbols: Vec::new(),
        };
        let params = &self.program.params;
        let mut fills: Vec<Option<Contents>> = Vec::new();
        let mut reasons: Vec<Option<(String, String)>> = Vec::new();
        for (idx, param) in params.iter().enumerate() {
            let (arg, contents, reason) = self.first_argument(idx, param, &shape, &launch);
            launch.args.push(arg);
            fills.push(contents);
            reasons.push(reason);
        }
        self.fill_constants(&mut launch, &mut why);
        let (reach, is_sound) = self.trial(&mut launch);
        for (idx, param) in params.iter().enumerate() {
            let of = GuessOf::Argument(idx as u16);
            if let Some(contents) = &fills[idx] {
                let found = reach
                    .as_ref()
                    .and_then(|reach| reach.buffers.iter().find(|buffer| buffer.argument == idx));
                let start = match &launch.args[idx] {
                    Argument::Buffer { start, .. } => *start,
                    _ => 0,
                };
                let (arg, words) = Self::buffer(param, contents, (found, start), &shape);
                launch.args[idx] = arg;
                why.push(guess(of, format!("`{}`", param.name), words));
            } else if let Some((what, words)) = reasons[idx].take() {
                why.push(guess(of, what, words));
            }
        }
        self.set_shared(&mut launch, reach.as_ref(), &shape, &mut why);
        Choice {
            launch,
            why,
            is_sound,
        }
    }

    /// The argument before the trial run, the contents of a buffer, and the reason for another argument.
    fn first_argument(
        &self,
        idx: usize,
        param: &Param,
        shape: &Shape,
        launch: &Launch,
    ) -> (Argument, Option<Contents>, Option<(String, String)>) {
        let used = self.uses.params.get(idx).cloned().unwrap_or_default();
        let what = format!("`{}`", param.name);
        match &param.ty {
            ParamType::Pointer { elem, .. } => {
                let contents = Contents::of(idx, param, &used, self, shape);
                let arg = Argument::Buffer {
                    elem: elem.unwrap_or(ElemType::F32),
                    len: FIRST_ELEMENTS,
                    fill: contents.fill.clone(),
                    role: Role::InOut,
                    start: 0,
                };
                (arg, Some(contents), None)
            }
            ParamType::Scalar(ty) => {
                let chosen = number(param, *ty, &used, self.bounds_contents(idx), shape);
                let arg = Argument::Scalar {
                    ty: *ty,
                    bits: chosen.bits,
                };
                (
                    arg,
                    None,
                    Some((what, format!("{}, {}", chosen.text, chosen.why))),
                )
            }
            _ => {
                let (arg, _) = arguments::argument(param, launch);
                let words = match &arg {
                    Argument::Bytes(_) => "all bytes are zero".to_owned(),
                    arg => argument_text(arg),
                };
                (arg, None, Some((what, words)))
            }
        }
    }

    /// The parameter whose contents are compared with a number.
    fn bounds_contents(&self, number: usize) -> Option<&str> {
        let is_below = |used: &&cuda::uses::ParamUse| used.below.contains(&(number as u16));
        let at = self.uses.params.iter().position(|used| is_below(&used))?;
        Some(&self.program.params[at].name)
    }

    /// Fills the arrays of `__constant__` memory that the source leaves zero.
    fn fill_constants(&self, launch: &mut Launch, why: &mut Vec<Guess>) {
        for symbol in &self.program.symbols {
            let Some(elem) = symbol.elem.filter(|_| symbol.space == SymbolSpace::Constant) else {
                continue;
            };
            let start = symbol.offset as usize;
            let image = self
                .program
                .constant_image
                .get(start..start + symbol.size as usize);
            let is_set = image.is_none_or(|image| image.iter().any(|byte| *byte != 0));
            if is_set || symbol.name.starts_with('$') {
                continue;
            }
            let len = symbol.size / elem.bytes();
            let (fill, words) = if is_float(elem) {
                (
                    Fill::of(Pattern::Lcg(1)),
                    "random numbers from 0 to 1, as the source does not set it",
                )
            } else {
                (Fill::of(Pattern::Const(1.0)), "1, as the source does not set it")
            };
            launch.symbols.push(SymbolFill {
                symbol: symbol.name.clone(),
                elem,
                len,
                fill,
            });
            why.push(guess(GuessOf::Symbol, format!("`{}`", symbol.name), words));
        }
    }

    /// What the kernel accesses, and whether its behavior is defined; `None` if it cannot be interpreted. If the kernel
    /// accesses what is in front of a pointer, the pointer leads into its buffer.
    fn trial(&self, launch: &mut Launch) -> (Option<Reach>, bool) {
        let (reach, is_sound) = self.run(launch);
        let mut has_front = false;
        for found in reach.iter().flat_map(|reach| &reach.buffers) {
            if let Some(Argument::Buffer { elem, start, .. }) = launch.args.get_mut(found.argument)
                && found.first < 0
            {
                let lanes = match self.program.params.get(found.argument).map(|param| &param.ty) {
                    Some(ParamType::Pointer { lanes, .. }) => u64::from((*lanes).max(1)),
                    _ => 1,
                };
                let front = found
                    .first
                    .unsigned_abs()
                    .next_multiple_of(u64::from(elem.bytes()) * lanes);
                *start = front.cast_signed();
                has_front = true;
            }
        }
        if has_front {
            self.run(launch)
        } else {
            (reach, is_sound)
        }
    }

    /// What the kernel accesses with a launch, and whether its behavior is defined.
    fn run(&self, launch: &Launch) -> (Option<Reach>, bool) {
        let limits = Limits {
            max_steps: TRIAL_STEPS,
            max_thread_steps: TRIAL_STEPS,
            ..Limits::default()
        };
        match cuda::interpret::reach(self.unit, self.name, launch, limits) {
            Ok((reach, undefined, _)) => {
                let is_far = reach.buffers.iter().any(|buffer| buffer.is_far);
                (Some(reach), undefined.is_empty() && !is_far)
            }
            Err(_) => (None, true),
        }
    }

    /// The buffer of a pointer, and why.
    fn buffer(
        param: &Param,
        contents: &Contents,
        (found, start): (Option<&BufferReach>, i64),
        shape: &Shape,
    ) -> (Argument, String) {
        let (elem, lanes) = match &param.ty {
            ParamType::Pointer { elem, lanes, .. } => {
                (elem.unwrap_or(ElemType::F32), u64::from((*lanes).max(1)))
            }
            _ => (ElemType::F32, 1),
        };
        let size = u64::from(elem.bytes());
        let default = BufferReach {
            end: (shape.num_threads() * size * lanes)
                .min(MAX_ELEMENTS * size)
                .cast_signed(),
            is_read: true,
            is_written: !matches!(param.ty, ParamType::Pointer { read_only: true, .. }),
            ..BufferReach::default()
        };
        // A kernel that is not interpreted, such as one of textures, has elements for all threads.
        let found = *found.unwrap_or(&default);
        let elements = found.end.max(0).unsigned_abs().div_ceil(size);
        let elements = if found.is_far { MAX_ELEMENTS } else { elements };
        let elements = elements.max(1);
        let elements = match elements {
            0..=WARP_ELEMENTS => elements.next_multiple_of(lanes),
            _ => elements.next_multiple_of(WARP_ELEMENTS.max(lanes)),
        };
        let (fill, role, words) = if found.is_read && !contents.is_result {
            let role = if found.is_written { Role::InOut } else { Role::In };
            (contents.fill.clone(), role, contents.why.clone())
        } else {
            let words = if found.is_written {
                "zero, for results"
            } else {
                "zero, and not read"
            };
            let role = if found.is_written { Role::Out } else { Role::In };
            (Fill::of(Pattern::Zero), role, words.to_owned())
        };
        let mut text = format!("{}: {words}", counted(elements, "element"));
        if start > 0 {
            let bytes = thousands(start.unsigned_abs());
            text += &format!("; it points {bytes} bytes into them, as the kernel accesses what is in front");
        }
        if found.is_far {
            text += "; the kernel reaches farther";
        }
        let arg = Argument::Buffer {
            elem,
            len: elements as u32,
            fill,
            role,
            start,
        };
        (arg, text)
    }

    /// Sets the size of dynamic shared memory.
    fn set_shared(&self, launch: &mut Launch, reach: Option<&Reach>, shape: &Shape, why: &mut Vec<Guess>) {
        if let Some(bytes) = self.given.dynamic_shared {
            launch.dynamic_shared = bytes;
            return;
        }
        if !self.program.uses_dynamic_shared {
            return;
        }
        let reached = reach.map_or(0, |reach| reach.dynamic_shared);
        let (bytes, words) = if reached > 0 {
            (reached.next_multiple_of(16), "the kernel accesses as much")
        } else {
            // A word for each thread: the most common use.
            ((shape.num_block_threads() * 4) as u32, "4 for each thread")
        };
        launch.dynamic_shared = bytes;
        let what = "dynamic shared memory";
        why.push(guess(
            GuessOf::Shared,
            what,
            format!("{} bytes, {words}", thousands(bytes.into())),
        ));
    }
}

#[cfg(test)]
mod tests;
