//! The API for other programs: architectures, compilation, runs, single accesses, occupancy, and links.
//!
//! Every request and every answer is plain JSON, both on the page (`window.warpscope`, typed in
//! `www/warpscope.d.ts` and explained in `docs/js-api.md`) and in tests without a browser. An invalid request
//! returns an error sentence.

mod access;
mod frame;
mod machines;
mod question;
mod run;
mod scenario;
#[cfg(test)]
mod tests;

use serde::Deserialize;
use serde_json::{Value, json};

use crate::library;
use cuda::diagnostic::{Diagnostic, Severity};
use engine::arch::{self, ArchId, GlobalCaching, LaunchResources, Limiter, architecture};
use engine::isa::CompileOptions;
use question::{arch_of, question};

pub use question::{ARGUMENT_KINDS, ArgumentBudget, check_source};

pub use access::access;
pub use frame::frame;
pub use machines::architectures;
pub use run::{Finished, Job, Output, rebuilt};
pub use scenario::{decode, encode};

/// The members of `window.warpscope`, in the order of its documentation.
pub const MEMBERS: [&str; 9] = [
    "version",
    "architectures",
    "kernels",
    "compile",
    "run",
    "frame",
    "access",
    "occupancy",
    "link",
];

/// The version of the program.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");

/// An answer, or an error about the request.
pub type Answer = Result<Value, String>;

/// The kernels of the library.
pub fn kernels() -> Value {
    let families = library::families().flat_map(|family| {
        family.kernels.iter().map(|kernel| {
            json!({
                "id": kernel.id,
                "family": family.id,
                "familyTitle": family.title,
                "group": kernel.group,
                "variant": kernel.variant,
                "title": kernel.title,
                "lookAt": kernel.look_at,
                "entry": kernel.entry,
                "source": kernel.source,
            })
        })
    });
    families.collect()
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct CompileQuestion {
    #[serde(default)]
    arch: Option<String>,
    #[serde(default)]
    kernel: Option<String>,
    #[serde(default)]
    options: Options,
}

/// Compile options; missing options have nvcc's defaults.
#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
struct Options {
    fmad: Option<bool>,
    ftz: Option<bool>,
    prec_div: Option<bool>,
    prec_sqrt: Option<bool>,
    fast_math: Option<bool>,
    max_registers: Option<u16>,
    pointers32_bit: Option<bool>,
}

impl Options {
    fn compile_options(&self) -> CompileOptions {
        let usual = CompileOptions::default();
        CompileOptions {
            fmad: self.fmad.unwrap_or(usual.fmad),
            ftz: self.ftz.unwrap_or(usual.ftz),
            prec_div: self.prec_div.unwrap_or(usual.prec_div),
            prec_sqrt: self.prec_sqrt.unwrap_or(usual.prec_sqrt),
            fast_math: self.fast_math.unwrap_or(usual.fast_math),
            max_registers: self.max_registers.or(usual.max_registers),
            pointers_32_bit: self.pointers32_bit.unwrap_or(usual.pointers_32_bit),
            capability: None,
        }
    }
}

/// Compiles a source for an architecture. A source with errors also returns an answer, with a null `program`.
///
/// # Errors
/// An option is invalid.
pub fn compile(source: &str, options: Value) -> Answer {
    let asked: CompileQuestion = question("compile", options)?;
    let arch = arch_of("compile", asked.arch.as_deref())?;
    let options = asked.options.compile_options();
    let (program, diagnostics) = match cuda::compile(source, asked.kernel.as_deref(), arch, &options) {
        Ok(compiled) => (Some(compiled.program), compiled.diagnostics),
        Err(diagnostics) => (None, diagnostics),
    };
    let kernels: Vec<Value> = cuda::parse_with(source, arch, &options)
        .kernels
        .iter()
        .map(|kernel| {
            let params: Vec<Value> = kernel
                .params
                .iter()
                .map(|param| json!({ "name": param.name, "type": param.c_type }))
                .collect();
            json!({ "name": kernel.name, "parameters": params, "compiles": kernel.compiles })
        })
        .collect();
    let program = program.map(|program| {
        let instructions: Vec<Value> = program
            .code
            .iter()
            .enumerate()
            .map(|(pc, instruction)| {
                json!({
                    "pc": pc,
                    "text": instruction.text(arch),
                    "line": line_or_null(instruction.span.line),
                })
            })
            .collect();
        json!({
            "kernel": program.name,
            "arch": arch,
            "registersPerThread": program.registers_per_thread,
            "staticShared": program.static_shared_bytes,
            "localBytesPerThread": program.local_bytes_per_thread,
            "spillStoreBytes": program.spill_bytes.0,
            "spillLoadBytes": program.spill_bytes.1,
            "instructions": instructions,
        })
    });
    let diagnostics: Vec<Value> = diagnostics.iter().map(|told| diagnostic(told, source)).collect();
    Ok(json!({ "program": program, "kernels": kernels, "diagnostics": diagnostics }))
}

fn diagnostic(diagnostic: &Diagnostic, source: &str) -> Value {
    let (file, line) = diagnostic.place(source);
    let notes: Vec<&String> = diagnostic.notes.iter().map(|(_, note)| note).collect();
    json!({
        "severity": if diagnostic.severity == Severity::Error { "error" } else { "warning" },
        "file": file,
        "line": line,
        "column": diagnostic.column(),
        "message": diagnostic.message,
        "notes": notes,
        "fix": diagnostic.fix,
    })
}

/// A source line; instructions that the compiler added have none.
fn line_or_null(line: u32) -> Value {
    if line == 0 { Value::Null } else { json!(line) }
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct OccupancyQuestion {
    #[serde(default)]
    arch: Option<String>,
    threads_per_block: u32,
    #[serde(default)]
    registers_per_thread: Option<u32>,
    #[serde(default)]
    static_shared: u32,
    #[serde(default)]
    dynamic_shared: u32,
    #[serde(default)]
    carveout: Option<u32>,
}

/// The number of a launch's blocks that fit on an SM, and the limiting resources.
///
/// # Errors
/// The request is invalid, or no block of the launch can run.
pub fn occupancy(asked: Value) -> Answer {
    let asked: OccupancyQuestion = question("occupancy", asked)?;
    let id: ArchId = arch_of("occupancy", asked.arch.as_deref())?;
    if asked.carveout.is_some_and(|percent| percent > 100) {
        return Err(
            "occupancy: `carveout` must be a percentage of the maximum shared memory, from 0 to 100"
                .to_owned(),
        );
    }
    let resources = LaunchResources {
        threads_per_block: asked.threads_per_block,
        registers_per_thread: asked.registers_per_thread.unwrap_or(16),
        static_shared: asked.static_shared,
        dynamic_shared: asked.dynamic_shared,
        carveout_percent: asked.carveout,
        global_caching: GlobalCaching::Default,
    };
    let occupancy =
        arch::occupancy(architecture(id), &resources).map_err(|refusal| format!("occupancy: {refusal}"))?;
    let limiters: Vec<&str> = occupancy.limiters().map(Limiter::text).collect();
    Ok(json!({
        "blocksPerSm": occupancy.blocks_per_sm,
        "warpsPerBlock": occupancy.warps_per_block,
        "warpsPerSm": occupancy.warps_per_sm(),
        "maxWarpsPerSm": occupancy.max_warps_per_sm,
        "limitWarps": occupancy.limit_warps,
        "limitBlocks": occupancy.limit_blocks,
        "limitRegisters": occupancy.limit_registers,
        "limitShared": occupancy.limit_shared,
        "limiters": limiters,
        "allocatedRegistersPerBlock": occupancy.allocated_registers_per_block,
        "allocatedSharedPerBlock": occupancy.allocated_shared_per_block,
        "sharedKib": occupancy.shared_kib,
    }))
}
