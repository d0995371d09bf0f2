//! The compiler as a whole: from a text to a checked unit, and from a unit to the program of a kernel.

use std::collections::BTreeSet;

use crate::ast::InstanceOrigin;
use crate::check::KernelSignature;
use crate::diagnostic::{Diagnostic, Severity};
use crate::hir::is_same_name;
use crate::limits::Limit;
use crate::opt::Merging;
use crate::preprocess::Preprocessed;
use crate::source::Source;
use crate::{
    ast, build, check, diagnostic, extended_lambdas, hir, images, ir, lex, lower, opt, preprocess, uses,
};
use engine::arch::ArchId;
use engine::files;
use engine::ids::Span;
use engine::isa::{CompileOptions, Program};

/// A parsed and checked source file.
#[derive(Clone, Debug)]
pub struct Parsed {
    /// The program in HIR; `None` if an error can affect the complete source. `kernels` marks the kernels that use a
    /// function or name with an error, an unsupported feature, or a feature that the architecture lacks. The other
    /// kernels compile.
    pub unit: Option<hir::Unit>,
    /// The kernels, in source order.
    pub kernels: Vec<KernelSignature>,
    /// The kernel that the caller named, as `kernels` names it, if it is an instance of a template.
    pub wanted: Option<String>,
    /// Whether the source names no instance of a kernel template, so that its arguments are guesses.
    pub has_guesses: bool,
    /// The diagnostics, in source order.
    pub diagnostics: Vec<Diagnostic>,
}

impl Parsed {
    /// A source that exceeds a limit of the compiler.
    fn stopped(diagnostics: Vec<Diagnostic>, text: &str) -> Self {
        Self {
            unit: None,
            kernels: Vec::new(),
            wanted: None,
            has_guesses: false,
            diagnostics: preprocess::with_include_notes(diagnostic::sorted(diagnostics), text),
        }
    }
}

/// Parses and checks a source file with the default options.
pub fn parse(source: &str, arch: ArchId) -> Parsed {
    parse_with(source, arch, &CompileOptions::default())
}

/// Parses and checks a source file.
pub fn parse_with(source: &str, arch: ArchId, options: &CompileOptions) -> Parsed {
    let mut parsed = parse_for(source, None, arch, options);
    parsed.diagnostics = diagnostic::limited(parsed.diagnostics);
    parsed
}

/// Parses and checks a source file for one kernel, which can be a template instance that the file does not
/// name: `reduce<float, 256>`.
pub(crate) fn parse_for(
    source: &str,
    kernel: Option<&str>,
    arch: ArchId,
    options: &CompileOptions,
) -> Parsed {
    let wanted = kernel.map(|name| (name, InstanceOrigin::Wanted));
    parse_named(source, wanted.as_slice(), arch, options)
}

/// [`parse_with`] with instances of kernel templates that the launches of an evaluated `main()` name
/// ([`HostLaunch::kernel`](crate::host::HostLaunch)). A name that does not match a template has no effect.
pub fn parse_with_instances(
    source: &str,
    instances: &[String],
    arch: ArchId,
    options: &CompileOptions,
) -> Parsed {
    let wanted = instances.iter().map(|name| (&**name, InstanceOrigin::Read));
    let mut parsed = parse_named(source, &wanted.collect::<Vec<_>>(), arch, options);
    parsed.diagnostics = diagnostic::limited(parsed.diagnostics);
    parsed
}

fn parse_named(
    source: &str,
    instances: &[(&str, InstanceOrigin)],
    arch: ArchId,
    options: &CompileOptions,
) -> Parsed {
    let arch = options.target(arch);
    let text = source;
    let source = Source::new(source);
    let Preprocessed {
        toks,
        mut diagnostics,
        is_unclosed,
        is_stopped,
    } = preprocess::preprocess(&source, arch);
    if is_stopped {
        return Parsed::stopped(diagnostics, text);
    }
    let wanted = instances.iter().filter(|(name, _)| name.contains('<'));
    let wanted = wanted.map(|(name, origin)| {
        let mut toks = preprocess::preprocess(&Source::new(name), arch).toks;
        // Spans of the requested name do not refer to the file.
        for tok in &mut toks {
            tok.span = Span::default();
        }
        (toks, *origin)
    });
    let wanted = wanted.collect();
    let is_read = diagnostics
        .iter()
        .all(|diagnostic| diagnostic.severity != Severity::Error);
    let (toks, mistakes) = extended_lambdas::replaced(toks);
    let tree = crate::parse::parse_for(toks, wanted, options.pointers_32_bit);
    // A lexical or macro error on a line would only cause follow-up errors in the parser.
    let wrong_lines: BTreeSet<u32> = diagnostics.iter().map(Diagnostic::line).collect();
    let end = text.trim_end().len() as u32;
    diagnostics.extend(
        tree.diagnostics
            .into_iter()
            .filter(|d| !(wrong_lines.contains(&d.line()) || is_unclosed && d.span.start >= end)),
    );
    diagnostics.extend(mistakes);
    if tree.is_stopped {
        return Parsed::stopped(diagnostics, text);
    }
    let checked = check::check(&tree.items, text, arch, options);
    diagnostics.extend(checked.diagnostics);
    if checked.is_stopped {
        return Parsed::stopped(diagnostics, text);
    }
    let is_whole = is_read && tree.is_whole && checked.is_whole;
    Parsed {
        unit: is_whole.then_some(checked.unit),
        kernels: checked.kernels,
        wanted: checked.wanted,
        has_guesses: checked.has_guesses,
        diagnostics: preprocess::with_include_notes(diagnostic::sorted(diagnostics), text),
    }
}

/// The syntax tree of a standalone expression.
///
/// # Errors
///
/// The diagnostics, if the text is not an expression.
pub fn parse_expression(text: &str) -> Result<ast::Expr, Vec<Diagnostic>> {
    // Architecture macros do not apply here.
    let Preprocessed {
        toks, diagnostics, ..
    } = preprocess::preprocess(&Source::new(text), ArchId::DEFAULT);
    if diagnostics.is_empty() {
        crate::parse::expression(toks)
    } else {
        Err(diagnostic::sorted(diagnostics))
    }
}

/// A compiled kernel, and the diagnostics of its source.
#[derive(Clone, Debug)]
pub struct Compiled {
    /// The kernel for its architecture.
    pub program: Program,
    /// Warnings, and errors in kernels that were not requested.
    pub diagnostics: Vec<Diagnostic>,
}

/// Compiles a kernel: the one with the given name, or the first of the source.
///
/// # Errors
/// The errors in the source, or the features that the compiler or the architecture does not support.
pub fn compile(
    source: &str,
    kernel: Option<&str>,
    arch: ArchId,
    options: &CompileOptions,
) -> Result<Compiled, Vec<Diagnostic>> {
    match compile_unlimited(source, kernel, arch, options) {
        Ok(compiled) => Ok(Compiled {
            diagnostics: diagnostic::limited(compiled.diagnostics),
            ..compiled
        }),
        Err(diagnostics) => Err(diagnostic::limited(diagnostics)),
    }
}

/// [`compile`] with all diagnostics.
fn compile_unlimited(
    source: &str,
    kernel: Option<&str>,
    arch: ArchId,
    options: &CompileOptions,
) -> Result<Compiled, Vec<Diagnostic>> {
    let arch = options.target(arch);
    let parsed = parse_for(source, kernel, arch, options);
    let Some(unit) = &parsed.unit else {
        return Err(parsed.diagnostics);
    };
    let signature = match kernel {
        Some(name) => find_kernel(&parsed, name),
        None => parsed.kernels.first(),
    };
    let Some(signature) = signature else {
        // A syntax error can hide the only kernel: the error is the message.
        let other_file = file_with_kernel(source);
        let mut diagnostics = parsed.diagnostics.iter();
        let is_wrong = diagnostics.any(|diagnostic| diagnostic.severity == Severity::Error);
        if kernel.is_none() && other_file.is_none() && is_wrong {
            return Err(parsed.diagnostics);
        }
        let message = match kernel {
            Some(name) => format!("The source has no kernel `{name}`."),
            None => "The source has no `__global__` function.".to_owned(),
        };
        let mut diagnostics = parsed.diagnostics;
        let mut error = Diagnostic::error(Span::default(), message);
        if kernel.is_none()
            && let Some(file) = other_file
        {
            error.message = format!(
                "The main file has no `__global__` function, but `{file}` has: make it the main file."
            );
        }
        diagnostics.push(error);
        return Err(diagnostic::sorted(diagnostics));
    };
    if !signature.compiles {
        return Err(parsed.diagnostics);
    }
    match compile_unit(unit, source, &signature.name, arch, options) {
        Ok(program) => Ok(Compiled {
            program,
            diagnostics: parsed.diagnostics,
        }),
        Err(mut errors) => {
            errors.extend(parsed.diagnostics);
            Err(diagnostic::sorted(errors))
        }
    }
}

/// The first file other than the main file that seems to contain a kernel.
fn file_with_kernel(source: &str) -> Option<&str> {
    let has_kernel = |file: &files::File<'_>| {
        let mut toks = lex::tokens(file.text).into_iter();
        toks.any(|tok| tok.text(file.text) == "__global__")
    };
    let others = files::split(source).into_iter().skip(1);
    others
        .filter(|file| engine::files::is_unit(file.name))
        .find(has_kernel)
        .map(|file| file.name)
}

/// Parses and checks a source, and finds a kernel that [`compile`] has compiled with the same architecture and
/// options. Returns the program in HIR, and the name of the kernel there.
pub fn parse_kernel(
    source: &str,
    kernel: &str,
    arch: ArchId,
    options: &CompileOptions,
) -> Option<(hir::Unit, String)> {
    let parsed = parse_for(source, Some(kernel), arch, options);
    let name = find_kernel(&parsed, kernel)?.name.clone();
    Some((parsed.unit?, name))
}

/// The kernel with a name; for the name of a template, the first instance. White space does not matter. Names of one
/// instance differ: `k<long>` and `k<long long>`.
pub(crate) fn find_kernel<'k>(parsed: &'k Parsed, name: &str) -> Option<&'k KernelSignature> {
    let own = parsed.wanted.as_deref().filter(|_| name.contains('<'));
    let name = own.unwrap_or(name);
    let kernels = &parsed.kernels;
    let exact = kernels.iter().find(|kernel| is_same_name(&kernel.name, name));
    exact.or_else(|| {
        let is_instance = |kernel: &&KernelSignature| {
            let arguments = kernel.name.strip_prefix(name);
            arguments.is_some_and(|arguments| arguments.starts_with('<'))
        };
        kernels.iter().find(is_instance)
    })
}

/// Compiles a kernel of a parsed source, with the same architecture and options.
///
/// # Errors
/// The features that the compiler or the architecture does not support, in addition to the diagnostics of parsing.
pub fn compile_unit(
    unit: &hir::Unit,
    source: &str,
    kernel: &str,
    arch: ArchId,
    options: &CompileOptions,
) -> Result<Program, Vec<Diagnostic>> {
    let arch = options.target(arch);
    let lowered = |merging| {
        let mut module = module_of(unit, kernel, arch, options)?;
        check_extent(&module)?;
        opt::optimize(&mut module, merging);
        check_extent(&module)?;
        images::name_parameters(&mut module);
        lower::lower(&module, arch, options)
    };
    let mut program = match lowered(Merging::Wide) {
        Ok(program) => program,
        Err(errors) => lowered(Merging::Never).map_err(|_: Vec<Diagnostic>| errors)?,
    };
    source.clone_into(&mut program.source);
    Ok(program)
}

/// How a kernel of a parsed source uses its parameters; `None` if it does not compile.
pub fn uses_of(unit: &hir::Unit, kernel: &str, arch: ArchId, options: &CompileOptions) -> Option<uses::Uses> {
    let mut module = module_of(unit, kernel, options.target(arch), options).ok()?;
    check_extent(&module).ok()?;
    opt::optimize(&mut module, Merging::Never);
    Some(uses::uses(&module))
}

/// Reports a function that is too large for the passes, or whose loops are nested too deeply.
fn check_extent(module: &ir::Module) -> Result<(), Vec<Diagnostic>> {
    for function in &module.functions {
        let flow = ir::flow::Flow::of(function);
        let num_operations = flow
            .order
            .iter()
            .map(|id| function.at(*id).insts.len() as u64)
            .sum();
        let excess = |limit: Limit, num: u64| (num > limit.most()).then_some(limit);
        let size = excess(Limit::Operations, num_operations)
            .or_else(|| excess(Limit::Blocks, flow.order.len() as u64));
        if let Some(limit) = size {
            return Err(vec![limit.exceeded(function.span)]);
        }
        let dominators = ir::flow::dominators::Dominators::of(function, &flow);
        let loops = ir::flow::loops::Loops::of(function, &flow, &dominators);
        let deepest = loops.list.iter().max_by_key(|this| this.depth);
        if let Some(deepest) = deepest.filter(|this| u64::from(this.depth) > Limit::LoopDepth.most()) {
            return Err(vec![Limit::LoopDepth.exceeded(function.at(deepest.header).span)]);
        }
        if loops.irreducible.len() as u64 > Limit::LoopDepth.most() {
            return Err(vec![Limit::LoopDepth.exceeded(function.span)]);
        }
    }
    Ok(())
}

fn module_of(
    unit: &hir::Unit,
    kernel: &str,
    arch: ArchId,
    options: &CompileOptions,
) -> Result<ir::Module, Vec<Diagnostic>> {
    build::lower_to_ir(unit, kernel, arch, options).map_err(|errors| {
        (errors.into_iter())
            .map(|error| Diagnostic::error(error.span, error.message))
            .collect()
    })
}

/// The intermediate representation of a kernel as text: as it is lowered, or after each run of the named pass
/// (`build` for the initial IR).
///
/// # Errors
/// The features that the compiler does not support.
pub fn ir_text(
    unit: &hir::Unit,
    kernel: &str,
    arch: ArchId,
    options: &CompileOptions,
    after: Option<&str>,
) -> Result<String, Vec<Diagnostic>> {
    let mut module = module_of(unit, kernel, arch, options)?;
    let mut text = String::new();
    opt::optimize_observed(&mut module, Merging::Wide, &mut |pass, function| {
        if after == Some(pass) {
            text += &format!("; after {pass}\n{function}");
        }
        true
    });
    if after.is_none() {
        text = module.to_string();
    }
    Ok(text)
}
