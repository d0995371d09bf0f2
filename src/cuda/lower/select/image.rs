//! Selects accesses to textures and surfaces.

use super::{Inst, Op, Place, Select, Type, VInst, VSrc, Value, ir};
use engine::isa::{ImageAccess, TexelChoice, Width};

impl<'a> Select<'a> {
    pub(super) fn image(&mut self, inst: &'a Inst) {
        let ir::Op::Image {
            shape,
            access,
            format,
        } = inst.op
        else {
            return;
        };
        let wide = self.target.wide_pointers;
        let handle = self.in_register(inst.args[0]);
        let coordinates = &inst.args[1..=usize::from(shape.num_coordinates())];
        let rest = &inst.args[1 + coordinates.len()..];
        let at = self.side_by_side(coordinates);
        let bytes = format.elem.bytes() * u32::from(format.channels);
        let width = match bytes {
            1 => Width::U8,
            2 => Width::U16,
            4 => Width::B32,
            8 => Width::B64,
            _ => Width::B128,
        };
        let mut out = VInst::new(match access {
            ImageAccess::Fetch(choice) => Op::Tex {
                shape,
                choice,
                count: match choice {
                    TexelChoice::Gather(_) => 4,
                    _ => inst.results.len() as u8,
                },
                wide,
            },
            ImageAccess::Read(boundary) => Op::Suld {
                shape,
                width,
                boundary,
                wide,
            },
            ImageAccess::Write(boundary) => Op::Sust {
                shape,
                width,
                boundary,
                wide,
            },
        });
        out.srcs[0] = VSrc::reg(at);
        out.srcs[1] = VSrc::reg(handle);
        if !rest.is_empty() {
            let data = if matches!(access, ImageAccess::Write(_)) && format.elem.bytes() < 4 {
                self.packed(rest, format.elem.bytes())
            } else {
                self.side_by_side(rest)
            };
            out.srcs[2] = VSrc::reg(data);
        }
        if !matches!(access, ImageAccess::Write(_)) {
            let units = match out.op {
                Op::Tex { count, .. } => count,
                _ => bytes.div_ceil(4) as u8,
            };
            out.dst = Some(self.fresh(units));
        }
        let place = out.dst;
        self.push(out);
        let mut unit = 0;
        for result in &inst.results {
            if let Some(place) = place {
                self.define(*result, place.at(unit));
                unit += self.ty(*result).registers() as u8;
            }
        }
    }

    /// Copies values to consecutive registers.
    fn side_by_side(&mut self, values: &[Value]) -> Place {
        if let [only] = values
            && self.ty(*only) != Type::I1
        {
            return self.in_register(*only);
        }
        let words: u8 = values.iter().map(|value| self.ty(*value).registers() as u8).sum();
        let place = self.fresh(words.next_power_of_two());
        let mut unit = 0;
        for value in values {
            for word in 0..self.ty(*value).registers() as u8 {
                let src = self.word(*value, word);
                self.mov_to(place.at(unit), src);
                unit += 1;
            }
        }
        place
    }
}
