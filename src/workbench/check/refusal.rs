//! Refused launches as diagnostics: the source location that exceeds a limit, and how to fix it.

use cuda::diagnostic::Diagnostic;
use cuda::hir::{Function, FunctionKind, GlobalSpace, Storage, Unit};
use engine::arch::{LaunchRefusal, LimitedResource};
use engine::ids::Span;
use engine::isa::Program;
use engine::sim::machine::LaunchError;

/// Explains why a launch is refused, at the kernel or at its largest shared array, with advice.
pub fn refusal(error: &LaunchError, program: &Program) -> Diagnostic {
    let kernel = cuda::parse_kernel(&program.source, &program.name, program.arch, &program.options);
    let mut span = Span::default();
    if let Some((unit, name)) = &kernel {
        let function = unit.functions.iter().find(|function| function.name == *name);
        span = function.map_or(span, |function| function.span);
        if let (Some(function), Some(requested)) = (function, shared_bytes(error)) {
            // Static memory is the reason only if it is more than half of it; otherwise the launch is.
            let largest = largest_shared(unit, function).filter(|(total, _)| 2 * total > requested);
            span = largest.map_or(span, |(_, span)| span);
        }
    }
    let diagnostic = Diagnostic::error(span, refusal_reason(error));
    match advice(error) {
        Some(advice) => diagnostic.note(advice),
        None => diagnostic,
    }
}

/// Why a launch is refused and what to do, as sentences.
pub fn refusal_sentences(error: &LaunchError) -> String {
    let mut text = format!("{}.", refusal_reason(error).trim_end_matches('.'));
    if let Some(advice) = advice(error) {
        text += " ";
        text += &advice;
    }
    text
}

fn refusal_reason(error: &LaunchError) -> String {
    format!("The launch is refused: {error}")
}

/// The bytes of shared memory that are too many.
fn shared_bytes(error: &LaunchError) -> Option<u64> {
    let LaunchError::Refused(LaunchRefusal::TooMuch { what, requested, .. }) = error else {
        return None;
    };
    matches!(what, LimitedResource::StaticShared | LimitedResource::Shared).then_some(*requested)
}

/// The bytes of the shared arrays that a kernel can use, and the declaration of the largest: its own arrays, those of device
/// functions, and those at file scope, but none of another kernel.
fn largest_shared(unit: &Unit, kernel: &Function) -> Option<(u64, Span)> {
    let shared = unit
        .globals
        .iter()
        .filter(|global| global.space == GlobalSpace::Shared);
    let functions = unit.functions.iter();
    let functions = functions.filter(|other| other.name == kernel.name || other.kind != FunctionKind::Kernel);
    let locals = functions.flat_map(|function| &function.locals);
    let locals = locals.filter(|local| local.storage == Storage::Shared);
    let all: Vec<(u64, Span)> = shared
        .map(|global| (unit.size_of(&global.ty), global.span))
        .chain(locals.map(|local| (unit.size_of(&local.ty), local.span)))
        .collect();
    let total = all.iter().map(|(bytes, _)| bytes).sum();
    let (_, span) = all.into_iter().max_by_key(|(bytes, _)| *bytes)?;
    (total > 0).then_some((total, span))
}

/// The advice: one sentence.
fn advice(error: &LaunchError) -> Option<String> {
    let LaunchError::Refused(refusal) = error else {
        return None;
    };
    Some(match refusal {
        LaunchRefusal::Empty { what, axis } => format!("Set the {what}'s {axis} extent to at least 1."),
        LaunchRefusal::TooLarge {
            what, axis, limit, ..
        } => {
            format!("Launch at most {limit} {what}s in {axis}; use another dimension or a loop for the rest.")
        }
        LaunchRefusal::LaunchBounds { limit, requested } => {
            format!(
                "Launch blocks of at most {limit} threads, or declare the kernel with __launch_bounds__({requested})."
            )
        }
        LaunchRefusal::NotOptedIn { requested, .. } => {
            format!(
                "Call cudaFuncSetAttribute with cudaFuncAttributeMaxDynamicSharedMemorySize and {requested} before the launch."
            )
        }
        LaunchRefusal::TooMuch { what, limit, .. } => match what {
            LimitedResource::Threads => format!("Launch more blocks, of at most {limit} threads each."),
            LimitedResource::StaticShared => format!(
                "Declare smaller arrays, at most {limit} bytes in total, or use an extern __shared__ array: its size \
                 is the third launch parameter."
            ),
            LimitedResource::Shared => {
                format!("Use at most {limit} bytes of shared memory, static and dynamic combined.")
            }
            LimitedResource::RegistersPerThread | LimitedResource::RegistersPerBlock => {
                "Launch smaller blocks, or limit the registers with __launch_bounds__ or -maxrregcount."
                    .to_owned()
            }
            LimitedResource::Parameters => "Pass large structs through a pointer.".to_owned(),
            LimitedResource::Local => "Declare smaller arrays in the kernel.".to_owned(),
        },
    })
}
