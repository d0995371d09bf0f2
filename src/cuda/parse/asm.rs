//! `asm` statements. The operands are parsed here, and the PTX text becomes a sequence of statements.

use super::{Parsed, Parser, Reported};
use crate::ast::StmtKind;
use crate::lex::literal_bytes;
use crate::preprocess::{Kind, Tok, preprocess_prelude};
use crate::ptx::{Constraint, operand_name, translate};
use crate::source::Source;
use engine::ids::Span;

/// An operand of an `asm` statement.
struct Operand {
    constraint: Constraint,
    reads: bool,
    writes: bool,
    /// The expression.
    toks: Vec<Tok>,
    span: Span,
}

impl Parser {
    /// `asm volatile ("text" : outputs : inputs : clobbers);`: replaced by a C++ block, which is then parsed.
    pub(super) fn asm_statement(&mut self) -> Parsed<StmtKind> {
        let start = self.next().span;
        while self.accept_word("volatile")
            || self.accept_word("__volatile__")
            || self.accept_word("__volatile")
        {}
        self.expect("(", "after `asm`")?;
        let text_span = self.peek().span;
        let mut text = Vec::new();
        if self.peek().kind != Kind::Str {
            return self.error(
                text_span,
                "Expected the PTX text of this `asm` statement, in quotes.",
            );
        }
        while self.peek().kind == Kind::Str {
            let part = self.next();
            match literal_bytes(&part.text) {
                Ok(more) => text.extend(more),
                Err(message) => return self.error(part.span, message),
            }
        }
        let mut operands = Vec::new();
        let mut section = 0;
        while !self.at(")") {
            if self.accept("::") {
                section += 2;
            } else if self.accept(":") {
                section += 1;
            } else if section == 0 {
                let span = self.peek().span;
                return self.error(
                    span,
                    "Expected `:` and the operands after the text of this `asm` statement.",
                );
            } else if section <= 2 {
                operands.push(self.asm_operand(section == 1)?);
                // nvcc also accepts operands without a comma between them.
                self.accept(",");
            } else {
                // Clobbers have no effect: the statement is never reordered.
                self.next();
            }
            if self.at_end() {
                break;
            }
        }
        self.expect(")", "at the end of this `asm` statement")?;
        let text = String::from_utf8_lossy(&text).into_owned();
        let constraints: Vec<Constraint> = operands.iter().map(|operand| operand.constraint).collect();
        let is_open = !text.trim().is_empty() && !text.trim_end().ends_with([';', '}', ':']);
        if is_open && !text.contains("//") && !text.contains("/*") {
            return self.error(
                text_span,
                "The last PTX instruction of this text has no `;`; put one after it.",
            );
        }
        let body = match translate(&text, &constraints, section > 0, start.start) {
            Ok(body) => body,
            Err(wrong) => {
                let message = if text.trim_end().contains('\n') {
                    format!("{} This is line {} of the text.", wrong.message, wrong.line)
                } else {
                    wrong.message
                };
                return self.error(text_span, message);
            }
        };
        self.expect_semicolon("this `asm` statement")?;
        let mut toks = block_of(&operands, &body, text_span);
        if self.fatal.is_some() {
            return Err(Reported);
        }
        // The block is parsed in place of the statement.
        let mut end = self.peek().clone();
        (end.kind, end.text) = (Kind::End, "".into());
        toks.push(end);
        self.look(toks.len());
        let next = self.pos;
        let outer = std::mem::replace(&mut self.toks, toks);
        self.pos = 0;
        let block = self.block();
        self.toks = outer;
        self.pos = next;
        self.end_if_stopped();
        self.is_skipped |= block.is_err();
        block.map(StmtKind::Block)
    }

    fn asm_operand(&mut self, is_output: bool) -> Parsed<Operand> {
        let tok = self.next();
        let bytes = match tok.kind {
            Kind::Str => literal_bytes(&tok.text).unwrap_or_default(),
            _ => return self.error(tok.span, "Expected the constraint of an operand, such as \"=r\"."),
        };
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let letters = text.trim_start_matches(['=', '+', '&']);
        let constraint = match letters.chars().next().and_then(Constraint::of) {
            Some(constraint) if letters.len() == 1 && text.starts_with(['=', '+']) == is_output => constraint,
            _ => {
                let example = if is_output {
                    "`=r`, `+l`, `=f`"
                } else {
                    "`r`, `l`, `f`, `d`, `h`, `n`"
                };
                let message = format!("`{text}` is not an operand constraint here; PTX has {example}.");
                return self.error(tok.span, message);
            }
        };
        self.expect("(", "before the expression of an operand")?;
        let first = self.pos;
        let mut depth = 0_u32;
        while !self.at_end() {
            if self.at("(") {
                depth += 1;
            } else if self.at(")") {
                if depth == 0 {
                    break;
                }
                depth -= 1;
            }
            self.next();
        }
        let toks = self.toks[first..self.pos].to_vec();
        self.expect(")", "after the expression of an operand")?;
        Ok(Operand {
            constraint,
            reads: !is_output || text.starts_with('+'),
            writes: is_output,
            toks,
            span: tok.span,
        })
    }
}

/// The block: operand variables, the statements of the text, and the results.
fn block_of(operands: &[Operand], body: &str, span: Span) -> Vec<Tok> {
    let mut out = Vec::new();
    write("{", span, &mut out);
    for (idx, operand) in operands.iter().enumerate() {
        let name = operand_name(idx);
        let ty = operand.constraint.c_type();
        if operand.constraint == Constraint::Number {
            write(&format!("const {ty} {name} = ("), operand.span, &mut out);
            out.extend(operand.toks.iter().cloned());
            write(");", operand.span, &mut out);
            continue;
        }
        let bytes = operand.constraint.bytes();
        // A narrower number is extended to a 32-bit register; otherwise the sizes are equal.
        let relation = if bytes == 4 { "<=" } else { "==" };
        write("static_assert(sizeof(", operand.span, &mut out);
        out.extend(operand.toks.iter().cloned());
        let message = format!(
            ") {relation} {bytes}, \"The size of this operand does not fit its constraint, which is for {bytes} \
             bytes.\"); {ty} {name}"
        );
        write(&message, operand.span, &mut out);
        if operand.reads {
            write(&format!("= ({ty})("), operand.span, &mut out);
            out.extend(operand.toks.iter().cloned());
            write(")", operand.span, &mut out);
        } else {
            write("= 0", operand.span, &mut out);
        }
        write(";", operand.span, &mut out);
    }
    write(body, span, &mut out);
    for (idx, operand) in operands.iter().enumerate().filter(|(_, operand)| operand.writes) {
        let name = operand_name(idx);
        write("(", operand.span, &mut out);
        out.extend(operand.toks.iter().cloned());
        write(&format!(") = {name};"), operand.span, &mut out);
    }
    write("}", span, &mut out);
    out
}

/// Appends the tokens of a text, all with one span.
fn write(text: &str, span: Span, out: &mut Vec<Tok>) {
    let (toks, _) = preprocess_prelude(&Source::new(text));
    out.extend(
        toks.into_iter()
            .filter(|tok| tok.kind != Kind::End)
            .map(|mut tok| {
                tok.span = span;
                tok
            }),
    );
}
