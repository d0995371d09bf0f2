//! One microbenchmark: its source, launch, and timing.

use engine::arch::{ArchId, architecture};
use engine::isa::{CompileOptions, ElemType};
use engine::launch::{Argument, Fill, Launch, Pattern, Role, SymbolFill};
use engine::sim::memory::Outputs;
use engine::sim::{LoadCaching, Machine, MachineOptions, Outcome};

/// The cycle limit of a run.
const MAX_CYCLES: u64 = 400_000_000;

/// The source file of a microbenchmark.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum File {
    Arith,
    Shared,
    Units,
    Chase,
    Ops,
    Constant,
    Texture,
    Atomics,
    Stream,
    #[cfg(test)]
    Turns,
}

impl File {
    fn source(self) -> &'static str {
        match self {
            Self::Arith => include_str!("../../../tests/microbenchmarks/arith.cu"),
            Self::Shared => include_str!("../../../tests/microbenchmarks/shared.cu"),
            Self::Units => include_str!("../../../tests/microbenchmarks/units.cu"),
            Self::Chase => include_str!("../../../tests/microbenchmarks/chase.cu"),
            Self::Ops => include_str!("../../../tests/microbenchmarks/ops.cu"),
            Self::Constant => include_str!("../../../tests/microbenchmarks/constant.cu"),
            Self::Texture => include_str!("../../../tests/microbenchmarks/texture.cu"),
            Self::Atomics => include_str!("../../../tests/microbenchmarks/atomics.cu"),
            Self::Stream => include_str!("../../../tests/microbenchmarks/stream.cu"),
            #[cfg(test)]
            Self::Turns => include_str!("../../../tests/microbenchmarks/turns.cu"),
        }
    }
}

/// The parameter that lengthens a run. The difference of two lengths cancels the overhead around the timed part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Length {
    /// Iterations of a loop, the kernel's last argument.
    Rounds(u32),
    /// `LENGTH` successive instructions.
    Row(u32),
}

/// A microbenchmark with its parameters.
#[derive(Clone, Debug)]
pub(super) struct Bench {
    pub(super) file: File,
    pub(super) defines: Vec<(&'static str, String)>,
    pub(super) threads: u32,
    /// The arguments after `ticks` and before the number of iterations.
    pub(super) args: Vec<Argument>,
    /// The contents of the textures.
    pub(super) textures: Vec<Argument>,
    pub(super) symbols: Vec<SymbolFill>,
    pub(super) length: Length,
    pub(super) caching: LoadCaching,
    /// Whether to compile with `-ftz`, as the measured code was.
    pub(super) ftz: bool,
}

impl Bench {
    pub(super) fn new(file: File, threads: u32, length: Length) -> Self {
        Self {
            file,
            defines: Vec::new(),
            threads,
            args: Vec::new(),
            textures: Vec::new(),
            symbols: Vec::new(),
            length,
            caching: LoadCaching::Default,
            ftz: true,
        }
    }

    pub(super) fn define(mut self, name: &'static str, value: impl ToString) -> Self {
        self.defines.push((name, value.to_string()));
        self
    }

    pub(super) fn symbol(mut self, symbol: SymbolFill) -> Self {
        self.symbols.push(symbol);
        self
    }

    pub(super) fn texture(mut self, contents: Argument) -> Self {
        self.textures.push(contents);
        self
    }

    pub(super) fn caching(mut self, caching: LoadCaching) -> Self {
        self.caching = caching;
        self
    }

    pub(super) fn length(mut self, length: Length) -> Self {
        self.length = length;
        self
    }

    pub(super) fn ftz(mut self, ftz: bool) -> Self {
        self.ftz = ftz;
        self
    }

    pub(super) fn arg(mut self, arg: Argument) -> Self {
        self.args.push(arg);
        self
    }

    /// Returns the cycles per unit of length.
    ///
    /// # Errors
    /// Returns a sentence if the kernel does not compile for the architecture or does not run.
    pub(super) fn cycles(&self, arch: ArchId) -> Result<f64, String> {
        let (once, more) = match self.length {
            Length::Rounds(n) | Length::Row(n) => (n, 2 * n),
        };
        let cycles = self.ticks(arch, more)? - self.ticks(arch, once)?;
        Ok(cycles as f64 / f64::from(more - once))
    }

    /// Returns the clocks from the first start to the last end of any warp.
    fn ticks(&self, arch: ArchId, length: u32) -> Result<i64, String> {
        let times = self.times(arch, length)?;
        let start = times.iter().map(|(start, _)| *start).min();
        let end = times.iter().map(|(_, end)| *end).max();
        match (start, end) {
            (Some(start), Some(end)) => Ok(end - start),
            _ => Err("The kernel wrote no clock values.".to_owned()),
        }
    }

    /// Returns the start and end clock of each warp that wrote them, in warp order.
    pub(super) fn times(&self, arch: ArchId, length: u32) -> Result<Vec<(i64, i64)>, String> {
        let num_warps = self.threads.div_ceil(32);
        let outputs = self.run(arch, length, num_warps)?;
        let ticks = outputs.argument(0).unwrap_or_default();
        let clock = |word: &[u8; 4]| i64::from(i32::from_le_bytes(*word));
        let words = ticks.as_chunks().0;
        let times = words.as_chunks().0.iter().take(num_warps as usize);
        let times = times.map(|[start, end]| (clock(start), clock(end)));
        Ok(times.filter(|(start, end)| end > start).collect())
    }

    /// Returns the cycles per unit of length of many blocks on one SM, so that the last warps matter little.
    ///
    /// # Errors
    /// As [`Bench::cycles`].
    pub(super) fn cycles_of_blocks(&self, arch: ArchId, blocks: u32) -> Result<f64, String> {
        let (Length::Rounds(once) | Length::Row(once)) = self.length;
        let num_warps = self.threads.div_ceil(32);
        let cycles =
            |length: u32| Ok::<_, String>(self.finish(arch, length, num_warps, blocks)?.cycle().0 as f64);
        Ok((cycles(3 * once)? - cycles(once)?) / f64::from(2 * once))
    }

    fn run(&self, arch: ArchId, length: u32, num_warps: u32) -> Result<Outputs, String> {
        Ok(self.finish(arch, length, num_warps, 1)?.outputs())
    }

    fn finish(&self, arch: ArchId, length: u32, num_warps: u32, blocks: u32) -> Result<Machine, String> {
        let mut source: String = (self.defines.iter())
            .map(|(name, value)| format!("#define {name} {value}\n"))
            .collect::<Vec<_>>()
            .concat();
        let mut args = vec![buffer(ElemType::I32, 2 * num_warps.max(2), Role::Out)];
        args.extend(self.args.iter().cloned());
        match self.length {
            Length::Row(_) => source += &format!("#define LENGTH {length}\n"),
            Length::Rounds(_) => args.push(int(length)),
        }
        // The compiler places constant variables after the parameters.
        args.extend(self.textures.iter().cloned());
        source += self.file.source();
        let options = CompileOptions {
            ftz: self.ftz,
            ..CompileOptions::default()
        };
        let compiled = cuda::compile(&source, None, arch, &options).map_err(|errors| {
            errors
                .first()
                .map_or_else(String::new, |error| error.message.clone())
        })?;
        let launch = Launch {
            grid: [blocks, 1, 1],
            block: [self.threads, 1, 1],
            dynamic_shared: 0,
            args,
            symbols: self.symbols.clone(),
        };
        let options = MachineOptions {
            max_cycles: MAX_CYCLES,
            load_caching: self.caching,
            ..MachineOptions::default()
        };
        let mut machine = Machine::new(architecture(arch), &compiled.program, &launch, options)
            .map_err(|error| error.to_string())?;
        match machine.run(&mut ()) {
            Outcome::Finished => Ok(machine),
            Outcome::CycleBudget | Outcome::MemoryBudget => {
                Err("The run exceeds its cycle limit or memory limit.".to_owned())
            }
            Outcome::Fault(fault) => Err(fault.message.clone()),
            Outcome::Deadlock { reason, .. } => Err(reason.clone()),
        }
    }
}

/// Returns a zero-initialized buffer.
pub(super) fn buffer(elem: ElemType, len: u32, role: Role) -> Argument {
    let fill = Fill::of(Pattern::Zero);
    Argument::Buffer {
        elem,
        len,
        fill,
        role,
        start: 0,
    }
}

/// Returns a buffer with the given values.
pub(super) fn list(elem: ElemType, values: &[f64]) -> Argument {
    Argument::Buffer {
        elem,
        len: values.len() as u32,
        fill: Fill::of(Pattern::List(values.to_vec())),
        role: Role::In,
        start: 0,
    }
}

/// Returns the contents of an `int` array in constant memory.
pub(super) fn constants(symbol: &str, values: Vec<f64>) -> SymbolFill {
    SymbolFill {
        symbol: symbol.to_owned(),
        elem: ElemType::I32,
        len: values.len() as u32,
        fill: Fill::of(Pattern::List(values)),
    }
}

/// Returns an `int` argument.
pub(super) fn int(value: u32) -> Argument {
    Argument::Scalar {
        ty: ElemType::I32,
        bits: u64::from(value),
    }
}
