//! Prints the representation as text, for tests and debugging.

use std::fmt::{self, Write};

use super::{Def, Edge, End, Function, Inst, Module, Type, Unroll, Value};
use crate::ir::flow::Flow;

impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::I1 => "i1",
            Self::I32 => "i32",
            Self::I64 => "i64",
            Self::F16 => "f16",
            Self::F16x2 => "f16x2",
            Self::Bf16x2 => "bf16x2",
            Self::F32 => "f32",
            Self::F64 => "f64",
        })
    }
}

impl fmt::Display for Module {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for symbol in &self.symbols {
            writeln!(
                f,
                "{:?} {} at {} size {}",
                symbol.space, symbol.name, symbol.offset, symbol.size
            )?;
        }
        self.functions
            .iter()
            .try_for_each(|function| write!(f, "{function}"))
    }
}

impl fmt::Display for Function {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "function {}(", self.name)?;
        for (index, param) in self.params.iter().enumerate() {
            let comma = if index > 0 { ", " } else { "" };
            write!(f, "{comma}%{}: {}", param.0, self.ty(*param))?;
        }
        writeln!(f, ") {{")?;
        for (index, slot) in self.slots.iter().enumerate().filter(|(_, slot)| slot.size > 0) {
            writeln!(
                f,
                "  slot{index} {} size {} align {}",
                slot.name, slot.size, slot.align
            )?;
        }
        let mut text = String::new();
        let mut printer = Printer {
            function: self,
            out: &mut text,
        };
        for id in Flow::of(self).order {
            printer.block(id.0)?;
        }
        f.write_str(&text)?;
        writeln!(f, "}}")
    }
}

struct Printer<'a> {
    function: &'a Function,
    out: &'a mut String,
}

impl Printer<'_> {
    fn value(&self, value: Value) -> String {
        let info = self.function.values[value.0 as usize];
        match info.def {
            Def::Node => format!("%{}", value.0),
            Def::Const(bits) => match info.ty {
                Type::I1 => (if bits != 0 { "true" } else { "false" }).into(),
                Type::I32 => format!("{}", bits as u32 as i32),
                Type::I64 => format!("{}L", bits as i64),
                Type::F32 => format!("{:?}f", f32::from_bits(bits as u32)),
                Type::F64 => format!("{:?}", f64::from_bits(bits)),
                Type::F16 | Type::F16x2 | Type::Bf16x2 => format!("{bits:#x}h"),
            },
            Def::Bank0(offset) => format!("c[0][{offset:#x}]:{}", info.ty),
            Def::Shared(symbol) => format!("@shared{}", symbol.0),
            Def::Constant(symbol) => format!("@const{}", symbol.0),
            Def::Slot(slot) => format!("@slot{}", slot.0),
            Def::Undef => format!("undef:{}", info.ty),
        }
    }

    fn values(&self, values: &[Value]) -> String {
        let texts: Vec<_> = values.iter().map(|value| self.value(*value)).collect();
        texts.join(", ")
    }

    fn results(&mut self, results: &[Value]) {
        for (index, result) in results.iter().enumerate() {
            let comma = if index > 0 { ", " } else { "" };
            let uniform = if self.function.is_uniform(*result) {
                "!"
            } else {
                ""
            };
            let _ = write!(
                self.out,
                "{comma}%{}{uniform}:{}",
                result.0,
                self.function.ty(*result)
            );
        }
        if !results.is_empty() {
            self.out.push_str(" = ");
        }
    }

    fn edge(&self, edge: &Edge) -> String {
        if edge.args.is_empty() {
            format!("b{}", edge.to.0)
        } else {
            format!("b{}({})", edge.to.0, self.values(&edge.args))
        }
    }

    fn inst(&mut self, inst: &Inst) -> fmt::Result {
        self.out.push_str("    ");
        self.results(&inst.results);
        let args = self.values(&inst.args);
        let op = format!("{:?}", inst.op);
        writeln!(self.out, "{op} {args}  ; {}:{}", inst.span.line, inst.span.column)
    }

    fn block(&mut self, number: u32) -> fmt::Result {
        let block = &self.function.blocks[number as usize];
        write!(self.out, "  b{number}(")?;
        for (index, param) in block.params.iter().enumerate() {
            let comma = if index > 0 { ", " } else { "" };
            let uniform = if self.function.is_uniform(*param) { "!" } else { "" };
            write!(
                self.out,
                "{comma}%{}{uniform}: {}",
                param.0,
                self.function.ty(*param)
            )?;
        }
        match block.unroll {
            Unroll::Auto => writeln!(self.out, "):")?,
            unroll => writeln!(self.out, "): ; unroll {unroll:?}")?,
        }
        for inst in &block.insts {
            self.inst(inst)?;
        }
        let text = match &block.end {
            End::Jump(edge) => format!("jump {}", self.edge(edge)),
            End::Branch { cond, then, els } => {
                let (then, els) = (self.edge(then), self.edge(els));
                format!("branch {} {then} else {els}", self.value(*cond))
            }
            End::Return(values) => format!("return {}", self.values(values)),
            End::Unreachable => "unreachable".into(),
        };
        writeln!(self.out, "    {text}")
    }
}
