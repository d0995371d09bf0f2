//! The hover text of the name at an offset.

use std::borrow::Cow;
use std::ops::Range;

use serde::{Deserialize, Serialize};

use super::collect::one_line;
use super::known::{Known, known};
use super::scopes::Marks;
use super::{Index, Symbol, SymbolKind, registers};
use crate::lex::tokens;
use crate::preprocess::{self, Kind};
use crate::source::Source;
use engine::ids::Span;
use engine::isa::{Program, SymbolSpace};

/// Maximum length of a displayed macro expansion, in characters.
const MAX_EXPANSION: usize = 400;
/// Maximum number of values of a variable whose registers are listed.
const MAX_HELD: usize = 4;

/// The hover text of a name.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Hover {
    /// The byte range of the name.
    pub word: Range<usize>,
    /// The kind of the name: `parameter`, `CUDA function`.
    pub kind: Cow<'static, str>,
    /// The declaration with its type, in C++ syntax.
    pub signature: String,
    /// One or two sentences; can be empty.
    pub text: String,
    /// Further facts: a label and a value each.
    pub facts: Vec<(Cow<'static, str>, String)>,
    /// The source document of the sentences; can be empty.
    pub source: Cow<'static, str>,
}

impl Hover {
    /// The complete text as sentences, for screen readers.
    pub fn spoken(&self) -> String {
        let mut out = format!("{}: {}.", self.kind, self.signature);
        if !self.text.is_empty() {
            out.push(' ');
            out.push_str(&self.text);
        }
        for (label, value) in &self.facts {
            out.push_str(&format!(" {label}: {value}."));
        }
        out
    }
}

/// The hover text at an offset; `None` if there is no name, or if nothing is known about the name. `program` is the
/// compiled kernel; registers and offsets come from it if it was compiled from this text.
pub fn hover(index: &Index, at: usize, program: Option<&Program>) -> Option<Hover> {
    let text = index.text();
    if matches!(super::place_at(text, at), super::Place::Text) {
        return None;
    }
    let marks = Marks::new(text);
    let Some(token) = marks.word_at(at) else {
        return index.hover_directive(at);
    };
    let word = marks.range(token);
    let program = program.filter(|program| program.source == text);
    if let Some(symbol) = index.symbol_of(&marks, token) {
        return Some(index.hover_symbol(&symbol, word, program));
    }
    let name = marks.word(token);
    let behind_dot = token > 0 && matches!(marks.word(token - 1), "." | "->");
    if behind_dot {
        let of = index.type_before(&marks, token - 1)?;
        let member = index
            .members(&of)
            .into_iter()
            .find(|member| member.name == name)?;
        return Some(index.hover_symbol(&member, word, program));
    }
    let known = known(name).filter(|known| known.kind != SymbolKind::Keyword || !known.text.is_empty())?;
    let mut hover = hover_of_known(&known, word);
    if let Some(lack) = index.missing_capability(known.capability) {
        hover.facts.push(("Not available".into(), lack));
    } else if known.capability > 0 {
        let (major, minor) = (known.capability / 100, known.capability / 10 % 10);
        hover
            .facts
            .push(("Since".into(), format!("compute capability {major}.{minor}")));
    }
    Some(hover)
}

fn hover_of_known(known: &Known, word: Range<usize>) -> Hover {
    Hover {
        word,
        kind: known.kind.name().into(),
        signature: known.signature.clone(),
        text: known.text.clone(),
        facts: Vec::new(),
        source: known.source.into(),
    }
}

impl Index {
    fn hover_symbol(&self, symbol: &Symbol, word: Range<usize>, program: Option<&Program>) -> Hover {
        let mut hover = hover_of_known(&Known::from(symbol), word.clone());
        if let Some(fact) = self.fact(symbol) {
            // For `auto` and aliases, show the type that the checker resolved.
            if hover.signature.starts_with("auto") || hover.signature.contains(" auto ") {
                hover.signature = hover.signature.replacen("auto", &fact.c_type, 1);
            }
            if symbol.kind != SymbolKind::Parameter && fact.bytes > 0 && !fact.is_dynamic {
                let is_array = matches!(fact.ty, crate::hir::Type::Array(..));
                if is_array || fact.is_shared {
                    hover.facts.push(("Size".into(), bytes(fact.bytes)));
                }
            }
        }
        if let Some(program) = program {
            self.machine_facts(symbol, program, &mut hover);
        }
        if symbol.kind == SymbolKind::Macro {
            self.expansion(symbol, &word, &mut hover);
        }
        if let Some(place) = &symbol.place {
            let line = self.text[..place.start].matches('\n').count() + 1;
            if *place != word {
                hover.facts.push(("Declared".into(), format!("line {line}")));
            }
        } else if let Some(header) = &symbol.header {
            hover.facts.push(("Declared".into(), format!("in {header}")));
        }
        if let Some(lack) = self.missing_capability(Known::from(symbol).capability) {
            hover.facts.push(("Not available".into(), lack));
        }
        hover
    }

    /// The memory location of a variable.
    fn machine_facts(&self, symbol: &Symbol, program: &Program, hover: &mut Hover) {
        if !matches!(
            symbol.kind,
            SymbolKind::Local | SymbolKind::Parameter | SymbolKind::Variable
        ) {
            return;
        }
        let fact = self.fact(symbol);
        let stored = program.symbols.iter().find(|stored| {
            stored.name == symbol.name || stored.name.ends_with(&format!("::{}", symbol.name))
        });
        let in_memory = fact.is_some_and(|fact| fact.is_shared) || symbol.kind == SymbolKind::Variable;
        if let Some(stored) = stored.filter(|_| in_memory) {
            let space = match stored.space {
                SymbolSpace::Shared => "Shared memory",
                SymbolSpace::Constant => "Constant bank 3",
                SymbolSpace::Global => "Global segment",
            };
            let size = if stored.size == 0 {
                "the launch sets its size".to_owned()
            } else {
                bytes(u64::from(stored.size))
            };
            hover.facts.retain(|(label, _)| *label != "Size");
            hover
                .facts
                .push((space.into(), format!("offset 0x{:x}, {size}", stored.offset)));
            return;
        }
        let kernel = program.name.split('<').next().unwrap_or(&program.name);
        let in_kernel = symbol.owner == kernel;
        if symbol.kind == SymbolKind::Parameter
            && in_kernel
            && let Some(param) = program.params.iter().find(|param| param.name == symbol.name)
        {
            let at = u32::from(engine::isa::bank0::PARAMS) + param.offset;
            hover
                .facts
                .push(("Constant bank 0".into(), format!("c[0x0][0x{at:x}]")));
        }
        let Some(place) = &symbol.place else { return };
        let values: Vec<Span> = self
            .writes
            .iter()
            .filter(|(start, _)| *start == place.start)
            .map(|(_, value)| *value)
            .collect();
        if values.is_empty() {
            return;
        }
        let held = registers::held(program, &values);
        let is_here = program.code.iter().any(|instruction| {
            values
                .iter()
                .any(|value| value.start <= instruction.span.start && instruction.span.end <= value.end)
        });
        if held.is_empty() && !is_here {
            return;
        }
        if held.is_empty() {
            let text = "none: the instructions that use the value compute it";
            hover.facts.push(("Registers".into(), text.to_owned()));
            return;
        }
        for one in held.iter().take(MAX_HELD) {
            let plural = if one.instructions == 1 { "" } else { "s" };
            let text = format!(
                "{}, written at {:04x}, live for {} instruction{plural}",
                one.registers, one.address, one.instructions
            );
            hover.facts.push(("Register".into(), text));
        }
        if held.len() > MAX_HELD {
            hover
                .facts
                .push(("Registers".into(), format!("{} more", held.len() - MAX_HELD)));
        }
    }

    /// The expansion of a macro use.
    fn expansion(&self, symbol: &Symbol, word: &Range<usize>, hover: &mut Hover) {
        if symbol.place.as_ref() == Some(word) {
            return;
        }
        // Preprocess the preceding directives, then the use with its arguments.
        let mut text = String::new();
        let mut offset = 0;
        let mut continues = false;
        for line in self.text.split_inclusive('\n') {
            if offset >= word.start {
                break;
            }
            let trimmed = line.trim_start();
            if continues || (trimmed.starts_with('#') && !trimmed.contains("include")) {
                text.push_str(line);
                continues = line.trim_end().ends_with('\\');
            }
            offset += line.len();
        }
        let start = text.len() as u32;
        let marks = Marks::new(&self.text);
        let end = marks
            .word_at(word.start)
            .filter(|token| marks.word(token + 1) == "(")
            .and_then(|token| marks.partner(token + 1))
            .map_or(word.end, |close| marks.range(close).end);
        text.push_str(&self.text[word.start..end]);
        let toks = preprocess::preprocess(&Source::new(&text), self.arch).toks;
        let parts: Vec<&str> = toks
            .iter()
            .filter(|tok| tok.span.start >= start && tok.kind != Kind::End)
            .map(|tok| &*tok.text)
            .collect();
        let mut expansion = joined(&parts);
        if expansion.len() > MAX_EXPANSION {
            let end = (0..=MAX_EXPANSION)
                .rev()
                .find(|end| expansion.is_char_boundary(*end))
                .unwrap_or(0);
            expansion.truncate(end);
            expansion.push('…');
        }
        if !expansion.is_empty() && expansion != symbol.name {
            hover.facts.push(("Expands to".into(), expansion));
        }
    }

    /// A name in a directive: a macro in a condition or a definition.
    fn hover_directive(&self, at: usize) -> Option<Hover> {
        let token = tokens(&self.text).into_iter().find(|token| {
            token.start as usize <= at && at <= token.end as usize && is_name(token.text(&self.text))
        })?;
        let name = token.text(&self.text);
        let word = token.start as usize..token.end as usize;
        if let Some(symbol) = self.macro_at(name, at) {
            return Some(self.hover_symbol(symbol, word, None));
        }
        let known = known(name).filter(|known| known.kind != SymbolKind::Keyword)?;
        Some(hover_of_known(&known, word))
    }
}

fn is_name(text: &str) -> bool {
    text.starts_with(|letter: char| letter.is_ascii_alphabetic() || letter == '_')
}

/// Tokens as text, with spaces as C++ code is usually written.
fn joined(parts: &[&str]) -> String {
    let mut out = String::new();
    for part in parts {
        let tight_before = matches!(
            *part,
            ")" | "]" | ";" | "," | "." | "->" | "(" | "[" | "++" | "--" | "::"
        );
        let tight_after =
            out.ends_with(['(', '[', '.', '!', '~']) || out.ends_with("->") || out.ends_with("::");
        let name_before_bracket = !matches!(*part, "(" | "[") || out.ends_with(is_word_end);
        if !(out.is_empty() || tight_after || tight_before && name_before_bracket) {
            out.push(' ');
        }
        out.push_str(part);
    }
    one_line(&out)
}

fn is_word_end(letter: char) -> bool {
    letter.is_ascii_alphanumeric() || matches!(letter, '_' | ')' | ']')
}

fn bytes(num: u64) -> String {
    let digits = num.to_string();
    let mut out = String::new();
    for (idx, digit) in digits.chars().enumerate() {
        if idx > 0 && (digits.len() - idx).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    format!("{out} byte{}", if num == 1 { "" } else { "s" })
}
