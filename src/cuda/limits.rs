//! The most that the compiler accepts of what a short source can make arbitrarily large.
//!
//! A macro of 90 bytes can expand to gigabytes, and 15,000 prefixes can nest 15,000 calls of the parser. Each phase
//! therefore counts what it makes, against a limit of [`Limit`]. The counts are of files, tokens, levels, and operations,
//! and never of time: a source that compiles on one computer compiles on every computer. The diagnostic of an exceeded
//! limit ends the compilation, because whatever follows would only repeat it.

use super::diagnostic::{Diagnostic, Severity};
use engine::ids::Span;

/// A quantity of a source that has a limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Limit {
    /// `#include` directives that read a file.
    Inclusions,
    /// Tokens after preprocessing.
    Tokens,
    /// Characters of a token that `#` or `##` creates.
    TokenLength,
    /// Characters of all tokens that `#` and `##` create.
    CreatedCharacters,
    /// Macros that expand to each other.
    MacroChain,
    /// Steps of the parser, in which it reads a token again to try another meaning.
    ParserSteps,
    /// Errors.
    Errors,
    /// Levels of `*`, `[]`, and function types in a type, through all of its typedefs.
    TypeDepth,
    /// Levels of structs that contain or inherit structs.
    StructDepth,
    /// Direct and indirect bases of a struct.
    Bases,
    /// `using namespace` directives.
    Usings,
    /// Parameters of a template.
    TemplateParameters,
    /// Scalars in a struct.
    Scalars,
    /// Members of all structs, with the inherited members.
    Members,
    /// Open levels of statements and expressions, through all functions whose checks are open.
    CheckLevels,
    /// Steps of all constant expressions.
    ConstantSteps,
    /// Types of functions.
    FunctionTypes,
    /// Functions with one name.
    Overloads,
    /// Levels of loops of a function, with those that `goto` makes.
    LoopDepth,
    /// Operations of a kernel in the intermediate representation.
    Operations,
    /// Basic blocks of a kernel.
    Blocks,
}

impl Limit {
    /// The largest accepted number.
    pub(crate) const fn most(self) -> u64 {
        match self {
            // Assumption: programs read some hundreds of files, and some of them several times.
            Self::Inclusions => 10_000,
            // Assumption: 100,000 lines of 10 tokens. A token takes about 100 bytes.
            Self::Tokens => 1_000_000,
            // The recommended minimum of the C++ standard for a string literal (annex B).
            Self::TokenLength => 65_536,
            // Assumption: 256 tokens of the greatest length.
            Self::CreatedCharacters => 16 << 20,
            // The recommended minimum of the C++ standard for nesting (annex B).
            Self::MacroChain => 256,
            // Assumption: a program reads few tokens twice. The parser adds a number for each token.
            Self::ParserSteps => 200_000,
            // Assumption: ten times the number at which nvcc stops.
            Self::Errors => 1000,
            // Assumption: programs have three levels. Each level is a call in the walks over types.
            Self::TypeDepth => 64,
            // Assumption: programs have ten levels. Each level is a call in the walks over structs.
            Self::StructDepth => 128,
            // Assumption: programs have ten. Each lookup of a member visits all bases.
            Self::Bases => 256,
            // Assumption: 4 MB. Copies and initializers of a struct can visit each scalar.
            Self::Scalars => 1 << 20,
            // The recommended minimum of the C++ standard (annex B).
            Self::TemplateParameters => 1024,
            // Assumption: programs have five. Each lookup of a name visits all of them.
            Self::Usings => 256,
            // Assumption: 65,536 members in one struct are more than the standard's minimum of 16,384.
            Self::Members => 262_144,
            // More than the parser nests in one function. A level takes up to 4 KB of a stack of 1 MB.
            Self::CheckLevels => 160,
            // Assumption: 50 constant expressions of the greatest length.
            Self::ConstantSteps => 10_000_000,
            // Assumption: programs have ten. Each new type is compared with all of them.
            Self::FunctionTypes => 1024,
            // Assumption: programs have some tens. Each declaration and each call compares all of them.
            Self::Overloads => 4096,
            // Assumption: programs have ten, and inlined functions add theirs. Analyses visit all loops around a block.
            Self::LoopDepth => 128,
            // Assumption: 100 times the largest kernel of the corpus.
            Self::Operations => 1_000_000,
            // Assumption: 20 times the largest kernel of the corpus.
            Self::Blocks => 50_000,
        }
    }

    /// The message: what is too large, and what to do.
    pub(crate) fn message(self) -> String {
        let most = grouped(self.most());
        match self {
            Self::Inclusions => format!(
                "The `#include` directives read more than {most} files. Write `#pragma once` in the first line of each \
                 header."
            ),
            Self::Tokens => format!(
                "The source has more than {most} tokens after its macros and included files. Compile a part of it, or \
                 write loops instead of repeating macros."
            ),
            Self::TokenLength => format!(
                "`#` or `##` creates a token of more than {most} characters here. Pass shorter arguments to this macro."
            ),
            Self::CreatedCharacters => format!(
                "`#` and `##` create more than {most} characters in this source. Use these macros less often, or with \
                 shorter arguments."
            ),
            Self::MacroChain => format!(
                "More than {most} macros expand to each other here. Write the value of the last one in the first one."
            ),
            Self::ParserSteps => {
                "This code can be read in too many ways: `<` and `(` are nested in each other. Give the \
                                  inner types names with `using`."
                    .to_owned()
            }
            Self::Errors => {
                format!("More than {most} errors; the rest of the source is not checked. Fix the first ones.")
            }
            Self::TypeDepth => format!(
                "This type has more than {most} levels of `*`, `[]`, and functions. Put a struct in between."
            ),
            Self::StructDepth => format!(
                "Structs contain each other more than {most} levels deep here. Merge some of these structs."
            ),
            Self::Bases => format!("This struct has more than {most} bases. Make some of them members."),
            Self::Scalars => format!(
                "This struct has more than {most} numbers and pointers. Put large arrays into buffers, and pointers to \
                 them into the struct."
            ),
            Self::TemplateParameters => {
                format!("This template has more than {most} parameters. Use a parameter pack.")
            }
            Self::Usings => format!(
                "The source has more than {most} `using namespace` directives. Write the namespace before the names."
            ),
            Self::Members => format!(
                "The structs of this source have more than {most} members in total, with those that they inherit. \
                 Use arrays, or shorter chains of base classes."
            ),
            Self::CheckLevels => {
                "This code is nested too deeply; split it into smaller statements and functions.".to_owned()
            }
            Self::ConstantSteps => format!(
                "The constant expressions of this source take more than {most} steps. Write the values as numbers."
            ),
            Self::FunctionTypes => format!(
                "The source has more than {most} types of functions. Use one type for functions with equal parameters."
            ),
            Self::Overloads => format!(
                "More than {most} functions have this name. Rename some of them, or write a template."
            ),
            Self::LoopDepth => format!(
                "Loops are nested more than {most} levels deep here, with those that `goto` makes and those of inlined \
                 functions. Split the function, or use fewer labels."
            ),
            Self::Operations => format!(
                "This kernel has more than {most} operations after inlining and unrolling. Unroll less, or split the \
                 kernel."
            ),
            Self::Blocks => format!(
                "This kernel has more than {most} basic blocks after inlining and unrolling. Unroll less, or split the \
                 kernel."
            ),
        }
    }

    /// The diagnostic of the exceeded limit.
    pub(crate) fn exceeded(self, span: Span) -> Diagnostic {
        Diagnostic::error(span, self.message())
    }
}

/// A counter for a limit.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Budget {
    limit: Limit,
    left: u64,
}

impl Budget {
    /// The complete limit.
    pub(crate) const fn new(limit: Limit) -> Self {
        Self {
            limit,
            left: limit.most(),
        }
    }

    /// Counts `num` more.
    ///
    /// # Errors
    /// The limit, if it is exceeded.
    pub(crate) const fn charge(&mut self, num: u64) -> Result<(), Limit> {
        if let Some(left) = self.left.checked_sub(num) {
            self.left = left;
            return Ok(());
        }
        self.left = 0;
        Err(self.limit)
    }
}

/// Counts the errors among the diagnostics of a phase.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ErrorCount {
    /// Up to this number of diagnostics, the errors cannot exceed their limit.
    safe: usize,
}

impl ErrorCount {
    /// No diagnostics.
    pub(crate) const fn new() -> Self {
        Self {
            safe: Limit::Errors.most() as usize,
        }
    }

    /// Whether there are more errors than the limit. Warnings do not count.
    pub(crate) fn is_exceeded(&mut self, diagnostics: &[Diagnostic]) -> bool {
        if diagnostics.len() <= self.safe {
            return false;
        }
        let most = Limit::Errors.most() as usize;
        let errors = diagnostics.iter().filter(|d| d.severity == Severity::Error);
        let num = errors.count();
        // The next count is due when as many more diagnostics as errors are allowed have come.
        self.safe = diagnostics.len() + most.saturating_sub(num);
        num > most
    }
}

/// A number with commas between groups of three digits.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut out = String::new();
    for (idx, digit) in digits.chars().enumerate() {
        if idx > 0 && (digits.len() - idx).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}
