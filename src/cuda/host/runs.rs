//! Runs kernels on the interpreter, so that later launches and host code can use their results.

use std::rc::Rc;

use super::machine::*;
use super::memory::*;
use super::{Contents, HostLaunch};
use crate::compile::{find_kernel, parse_for};
use crate::hir::{GlobalSpace, Unit};
use crate::interpret;
use engine::arch::CudaError;
use engine::isa::{CompileOptions, ElemType, Param, Symbol, SymbolSpace};
use engine::launch::addresses::Word;
use engine::launch::{Argument, Fill, Launch, UNWRITTEN_BYTE};

/// The cost of a launch in steps, in addition to its statements; and the number of buffer bytes that cost one step.
const LAUNCH_STEPS: u64 = 1_000;
const STEP_BYTES: u64 = 4;

/// Maximum number of kernels that run for their results. Assumption: programs launch some ten.
const MAX_KERNELS: usize = 64;

const TOO_LONG: &str = "which takes too many steps to be run";

/// A kernel that the interpreter can run.
pub(super) struct Kernel {
    pub(super) unit: Rc<Unit>,
    pub(super) name: String,
    params: Vec<Param>,
    symbols: Vec<Symbol>,
}

impl Machine {
    /// Runs a launch and writes its results to memory.
    ///
    /// # Errors
    /// The reason why the launch is not run, as a clause with "which".
    pub(super) fn run_kernel(&mut self, launch: &HostLaunch) -> Result<(), String> {
        if self.kernel_steps == 0 {
            return Err("which is not run".to_owned());
        }
        // The conversion of buffers to values and back also takes time.
        let bytes: u64 = launch.memory.iter().map(Contents::size).sum();
        let cost = LAUNCH_STEPS + bytes / STEP_BYTES;
        if cost > self.kernel_steps {
            self.kernel_steps = 0;
            return Err(TOO_LONG.to_owned());
        }
        self.kernel_steps -= cost;
        if !self.kernels.contains_key(&launch.kernel) {
            if self.kernels.len() >= MAX_KERNELS {
                return Err(format!(
                    "which is not run because the program launches more than {MAX_KERNELS} kernels"
                ));
            }
            // Each instance of a template is compiled with the whole source.
            let cost = self.source.len() as u64;
            if launch.kernel.contains('<') && cost > self.kernel_steps {
                self.kernel_steps = 0;
                return Err(TOO_LONG.to_owned());
            }
            if launch.kernel.contains('<') {
                self.kernel_steps -= cost;
            }
        }
        let kernel = self
            .kernel(&launch.kernel)
            .ok_or("whose kernel does not compile")?;
        let no_argument = |_: &Param, _: &Launch| Argument::Scalar {
            ty: ElemType::U32,
            bits: 0,
        };
        let converted = launch.convert(&kernel.params, &kernel.symbols, no_argument);
        // Assumptions do not prevent the run, because later launches state them, too.
        let unknown = converted
            .guesses
            .iter()
            .find(|guess| !launch.assumed.contains(guess));
        if let Some(guess) = unknown {
            // A chain of results is described by its first launch.
            let is_result = guess.why.starts_with("it is a result");
            let why = if is_result {
                "a result of an earlier launch"
            } else {
                &guess.why
            };
            return Err(format!("which is not run because of {} ({why})", guess.what));
        }
        let limits = interpret::Limits {
            max_steps: self.kernel_steps,
            max_thread_steps: self.kernel_steps,
            ..interpret::Limits::default()
        };
        let num_threads: u64 = launch_threads(&converted.launch);
        let outcome = interpret::run(&kernel.unit, &kernel.name, &converted.launch, limits);
        let outcome = match outcome {
            Ok(outcome) => outcome,
            Err(interpret::InterpretError::StepLimit(_)) => {
                self.kernel_steps = 0;
                return Err(TOO_LONG.to_owned());
            }
            Err(error) => {
                match error {
                    interpret::InterpretError::Trap(_) => {
                        self.kernel_faults(CudaError::LaunchFailure, launch.line);
                    }
                    interpret::InterpretError::Assertion(_) => {
                        self.kernel_faults(CudaError::Assert, launch.line);
                    }
                    _ => {}
                }
                return Err(format!("which cannot be run ({error})"));
            }
        };
        let taken = outcome.steps.saturating_mul(num_threads);
        self.kernel_steps = self.kernel_steps.saturating_sub(taken);
        let is_misaligned =
            |undefined: &interpret::Undefined| undefined.kind == interpret::UndefinedKind::Misaligned;
        if outcome.is_illegal {
            self.kernel_faults(CudaError::IllegalAddress, launch.line);
        } else if outcome.undefined.iter().any(is_misaligned) {
            self.kernel_faults(CudaError::MisalignedAddress, launch.line);
        }
        if let Some(undefined) = outcome.undefined.first() {
            return Err(format!(
                "whose behavior is undefined ({:?} at line {})",
                undefined.kind, undefined.span.line
            ));
        }
        if outcome.reads_clock {
            return Err("which reads a clock".to_owned());
        }
        let fills = || {
            let of_args = converted.launch.args.iter().filter_map(Argument::elements);
            let of_symbols = converted.launch.symbols.iter().map(|symbol| &symbol.fill);
            of_args.map(|(.., fill, _)| fill).chain(of_symbols)
        };
        let num_given: usize = fills()
            .flat_map(Fill::words)
            .filter(|word| matches!(word, Word::Address(_)))
            .count();
        let buffers = outcome.buffers.iter().map(|buffer| &buffer.addresses);
        let variables = outcome.variables.iter().map(|variable| &variable.addresses);
        let num_kept: usize = buffers.chain(variables).map(Vec::len).sum();
        if num_kept < num_given {
            return Err("which changes addresses in memory".to_owned());
        }
        self.step += 1;
        for buffer in &outcome.buffers {
            if let Some(allocation) = converted.allocations.get(&buffer.argument) {
                let address = Memory::base(*allocation as usize);
                self.store_result(address, &buffer.bytes, &buffer.addresses);
            }
        }
        for interpret::Variable {
            name,
            bytes,
            addresses,
        } in &outcome.variables
        {
            let plain = name.rsplit("::").next().unwrap_or(name);
            let found = self
                .symbols
                .iter()
                .find(|(name, ..)| self.text(*name) == plain)
                .map(|(_, at, _)| at.address);
            if let Some(address) = found {
                self.store_result(address, bytes, addresses);
            }
        }
        self.note(
            "The interpreter computed what this launch passes to later launches, without fusing multiplications and \
             additions."
                .to_owned(),
        );
        Ok(())
    }

    /// Writes the results of a kernel at an address, where they differ from the previous contents. The words `kept` hold
    /// addresses, which stay.
    fn store_result(&mut self, address: u64, bytes: &[u8], kept: &[usize]) {
        let Some((mut old, mut states)) = self.memory.bytes(address, bytes.len() as u64) else {
            return;
        };
        for (byte, state) in old.iter_mut().zip(&states) {
            if *state == UNTOUCHED {
                *byte = UNWRITTEN_BYTE;
            }
        }
        let Some((idx, _)) = self.memory.place(address) else {
            return;
        };
        self.memory.allocs[idx].is_result = true;
        let mut bytes = bytes.to_vec();
        for word in kept {
            let range = word * 8..word * 8 + 8;
            if let (Some(new), Some(old)) = (bytes.get_mut(range.clone()), old.get(range)) {
                new.copy_from_slice(old);
            }
        }
        if old == bytes {
            return;
        }
        for ((state, old), new) in states.iter_mut().zip(&old).zip(&bytes) {
            if *state != UNTOUCHED || old != new {
                *state = KNOWN;
            }
        }
        self.memory.write(address, &bytes, &states, self.step);
    }

    /// The kernel with a name, including template arguments.
    pub(super) fn kernel(&mut self, name: &str) -> Option<Rc<Kernel>> {
        if let Some(kernel) = self.kernels.get(name) {
            return kernel.clone();
        }
        let kernel = self.compiled(name).map(Rc::new);
        self.kernels.insert(name.to_owned(), kernel.clone());
        kernel
    }

    fn compiled(&mut self, name: &str) -> Option<Kernel> {
        let is_instance = name.contains('<');
        let parsed = if let Some(parsed) = self.parsed.clone().filter(|_| !is_instance) {
            parsed
        } else {
            let wanted = is_instance.then_some(name);
            let options = CompileOptions::default();
            let parsed = Rc::new(parse_for(&self.source, wanted, self.arch, &options));
            if !is_instance {
                self.parsed = Some(Rc::clone(&parsed));
            }
            parsed
        };
        let signature = find_kernel(&parsed, name).filter(|kernel| kernel.compiles)?;
        let unit = match self.unit.clone().filter(|_| !is_instance) {
            Some(unit) => unit,
            None => Rc::new(parsed.unit.clone()?),
        };
        if !is_instance {
            self.unit = Some(Rc::clone(&unit));
        }
        let symbols = unit.globals.iter().filter_map(|global| {
            let space = match global.space {
                GlobalSpace::Constant => SymbolSpace::Constant,
                GlobalSpace::Device => SymbolSpace::Global,
                _ => return None,
            };
            Some(Symbol {
                name: global.name.clone(),
                space,
                offset: 0,
                size: u32::try_from(unit.size_of(&global.ty)).ok()?,
                elem: None,
                dims: Vec::new(),
            })
        });
        Some(Kernel {
            symbols: symbols.collect(),
            name: signature.name.clone(),
            params: signature.params.clone(),
            unit,
        })
    }
}

fn launch_threads(launch: &Launch) -> u64 {
    let dims = launch.block.iter().map(|dim| u64::from(*dim));
    dims.fold(1, u64::saturating_mul)
}
