//! The representation as text, for tests and for looking at.

use std::fmt::{self, Write};

use super::{Def, End, Function, Module, Node, Region, Type, Value};

impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::I1 => "i1",
            Self::I32 => "i32",
            Self::I64 => "i64",
            Self::F16 => "f16",
            Self::F16x2 => "f16x2",
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
        Printer {
            function: self,
            out: &mut text,
            depth: 1,
        }
        .region(&self.body)?;
        f.write_str(&text)?;
        writeln!(f, "}}")
    }
}

struct Printer<'a> {
    function: &'a Function,
    out: &'a mut String,
    depth: usize,
}

impl Printer<'_> {
    fn indent(&mut self) {
        for _ in 0..self.depth {
            self.out.push_str("  ");
        }
    }

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
                Type::F16 | Type::F16x2 => format!("{:#x}h", bits),
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

    fn region(&mut self, region: &Region) -> fmt::Result {
        for node in &region.nodes {
            self.indent();
            match node {
                Node::Inst(inst) => {
                    self.results(&inst.results);
                    let args = self.values(&inst.args);
                    let op = format!("{:?}", inst.op);
                    writeln!(self.out, "{op} {args}  ; {}:{}", inst.span.line, inst.span.column)?;
                }
                Node::If(choice) => {
                    self.results(&choice.results);
                    let cond = self.value(choice.cond);
                    writeln!(self.out, "if {cond} {{")?;
                    self.nested(&choice.then)?;
                    if !choice.els.nodes.is_empty()
                        || !matches!(&choice.els.end, End::Yield(args) if args.is_empty())
                    {
                        self.indent();
                        writeln!(self.out, "}} else {{")?;
                        self.nested(&choice.els)?;
                    }
                    self.indent();
                    writeln!(self.out, "}}")?;
                }
                Node::Loop(repeat) => {
                    self.results(&repeat.results);
                    write!(self.out, "loop L{} (", repeat.label.0)?;
                    for (index, (param, init)) in repeat.params.iter().zip(&repeat.init).enumerate() {
                        let comma = if index > 0 { ", " } else { "" };
                        let ty = self.function.ty(*param);
                        let init = self.value(*init);
                        write!(self.out, "{comma}%{}:{ty} = {init}", param.0)?;
                    }
                    writeln!(self.out, ") {{")?;
                    self.nested(&repeat.body)?;
                    self.indent();
                    writeln!(self.out, "}}")?;
                }
                Node::Block(block) => {
                    self.results(&block.results);
                    writeln!(self.out, "block L{} {{", block.label.0)?;
                    self.nested(&block.body)?;
                    self.indent();
                    writeln!(self.out, "}}")?;
                }
            }
        }
        let text = match &region.end {
            End::Yield(args) if args.is_empty() => return Ok(()),
            End::Yield(args) => format!("yield {}", self.values(args)),
            End::Break(label, args) => format!("break L{} ({})", label.0, self.values(args)),
            End::Continue(label, args) => format!("continue L{} ({})", label.0, self.values(args)),
            End::Return(args) => format!("return {}", self.values(args)),
            End::Unreachable => "unreachable".into(),
        };
        self.indent();
        writeln!(self.out, "{text}")
    }

    fn nested(&mut self, region: &Region) -> fmt::Result {
        self.depth += 1;
        let result = self.region(region);
        self.depth -= 1;
        result
    }
}
