//! Translates accesses to textures and surfaces.

use super::{Builder, Op, Type, Val, Value};
use crate::hir;
use engine::isa::{ImageAccess, ImageFormat, ImageShape};

impl Builder<'_> {
    /// `tex2D`, `surf2Dread`, `surf2Dwrite`, and others.
    pub(super) fn image(
        &mut self,
        shape: ImageShape,
        access: ImageAccess,
        format: ImageFormat,
        args: &[hir::Expr],
        ty: &hir::Type,
    ) -> Val {
        let mut operands = Vec::new();
        for arg in args {
            let value = self.expr(arg);
            match value {
                // The operand is the address of a texture reference.
                Val::In(_, address) if operands.is_empty() => operands.push(address),
                value => self.flatten(&value, &mut operands),
            }
        }
        if operands
            .first()
            .is_some_and(|handle| self.function.ty(*handle) == Type::I64)
            && self.module.pointer_bits == 32
        {
            operands[0] = self.op(Type::I32, Op::Low, &operands[..1]);
        }
        let num_coordinates = 1 + usize::from(shape.num_coordinates());
        if let ImageAccess::Fetch(choice) = access {
            operands.truncate(num_coordinates + usize::from(choice.num_words()));
        }
        let op = Op::Image {
            shape,
            access,
            format,
        };
        if let ImageAccess::Write(_) = access {
            self.emit(op, &operands, Vec::new());
            return Val::Nothing;
        }
        let leaves = self.leaf_types(ty);
        let bytes = format.elem.bytes();
        let results: Vec<Value> = match access {
            ImageAccess::Read(_) if bytes < 4 => {
                let words = (bytes * u32::from(format.channels)).div_ceil(4);
                (0..words).map(|_| self.function.value(Type::I32)).collect()
            }
            _ => leaves
                .iter()
                .map(|leaf| {
                    let leaf = self.scalar(leaf).0;
                    self.function.value(leaf)
                })
                .collect(),
        };
        self.emit(op, &operands, results.clone());
        let mut values = Vec::new();
        for (idx, leaf) in leaves.iter().enumerate() {
            values.push(match access {
                ImageAccess::Read(_) if bytes < 4 => {
                    let bit = idx as u32 * bytes * 8;
                    self.narrow_field(results[(bit / 32) as usize], bit % 32, leaf)
                }
                _ => self.narrow(results[idx], leaf),
            });
        }
        self.unflatten(ty, &mut values.into_iter())
    }

    fn leaf_types(&self, ty: &hir::Type) -> Vec<hir::Type> {
        let mut types = Vec::new();
        self.leaves(ty, 0, &mut |_, leaf| types.push(leaf.clone()));
        types
    }
}
