//! What a run needs, without its presentation.

use serde::{Deserialize, Serialize};

use crate::library::{self, LibraryKernel};
use crate::run_option::RunOptions;
use engine::arch::ArchId;
use engine::isa::CompileOptions;
use engine::launch::{Argument, Launch, SymbolFill};
use engine::sim::MachineOptions;

/// What a run needs: chip, kernel, launch, and options.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Setup {
    /// The architecture.
    pub arch: ArchId,
    /// The library kernel.
    pub kernel: String,
    /// The modified source text.
    pub source: Option<String>,
    /// Name of the `__global__` function.
    pub entry: Option<String>,
    /// The grid.
    pub grid: Option<[u32; 3]>,
    /// The block.
    pub block: Option<[u32; 3]>,
    /// Dynamic shared memory in bytes.
    pub dynamic_shared: Option<u32>,
    /// Arguments.
    pub args: Option<Vec<Argument>>,
    /// Contents of named variables.
    pub symbols: Option<Vec<SymbolFill>>,
    /// The compile options.
    pub compile: CompileOptions,
    /// The machine options.
    pub machine: MachineOptions,
}

impl Setup {
    /// The options of compiler and machine.
    pub const fn options(&self) -> RunOptions {
        RunOptions {
            compile: self.compile,
            machine: self.machine,
        }
    }

    /// Sets the options of compiler and machine.
    pub const fn set_options(&mut self, options: RunOptions) {
        (self.compile, self.machine) = (options.compile, options.machine);
    }

    /// The library kernel, or the default one if the id is unknown.
    pub fn library_kernel(&self) -> &'static LibraryKernel {
        library::kernel_or_default(&self.kernel)
    }

    /// The CUDA C++ source to compile.
    pub fn source(&self) -> &str {
        source(&self.kernel, self.source.as_deref())
    }

    /// The launch: the library kernel's, overridden by the side's own values.
    pub fn launch(&self) -> Launch {
        let library = self.library_kernel().launch();
        Launch {
            grid: self.grid.unwrap_or(library.grid),
            block: self.block.unwrap_or(library.block),
            dynamic_shared: self.dynamic_shared.unwrap_or(library.dynamic_shared),
            args: self.args.clone().unwrap_or(library.args),
            symbols: self.symbols.clone().unwrap_or(library.symbols),
        }
    }
}

/// The source to compile: the user's own, or the library kernel's.
pub(crate) fn source<'s>(kernel: &str, own: Option<&'s str>) -> &'s str {
    own.unwrap_or(library::kernel_or_default(kernel).source)
}
