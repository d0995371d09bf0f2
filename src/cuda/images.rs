//! Determines the types of kernel parameters that are texture and surface handles, from the accesses that use
//! them.

use crate::ir::{Def, Function, Inst, Module, Op, Space, Type, Value};
use engine::isa::{ElemType, ImageAccess, ImageFormat, ImageShape, ParamType, bank0};

/// Names the parameters of an optimized kernel that accesses use as handles.
pub(super) fn name_parameters(module: &mut Module) {
    let Some(kernel) = module.functions.first() else {
        return;
    };
    let mut found = Vec::new();
    for inst in kernel.insts() {
        let ty = match inst.op {
            Op::Image {
                shape,
                access,
                format,
            } => texture(shape, access, format),
            Op::Fetch { count, .. } => {
                let first = inst.results.first().map(|result| kernel.ty(*result));
                ParamType::Pointer {
                    elem: Some(if first == Some(Type::F32) {
                        ElemType::F32
                    } else {
                        ElemType::I32
                    }),
                    lanes: count,
                    read_only: true,
                }
            }
            _ => continue,
        };
        if let Some(offset) = inst.args.first().and_then(|handle| offset_of(kernel, *handle)) {
            found.push((offset, ty));
        }
    }
    // The first access of a parameter determines its type.
    for (offset, ty) in found.into_iter().rev() {
        let param = module.params.iter_mut().find(|param| param.offset == offset);
        if let Some(param) = param {
            let is_handle = match &param.ty {
                ParamType::Scalar(ElemType::U64 | ElemType::I64) | ParamType::Texture { .. } => true,
                ParamType::Pointer { .. } => param.c_type == "texture",
                _ => false,
            };
            // A reference that is fetched by index keeps its declared type.
            if is_handle && (param.c_type != "texture" || matches!(ty, ParamType::Texture { .. })) {
                if let ParamType::Texture { is_surface, .. } = ty
                    && param.c_type != "texture"
                {
                    let word = if is_surface { "Surface" } else { "Texture" };
                    param.c_type = format!("cuda{word}Object_t");
                }
                param.ty = ty;
            }
        }
    }
}

const fn texture(shape: ImageShape, access: ImageAccess, format: ImageFormat) -> ParamType {
    ParamType::Texture {
        format,
        shape,
        is_surface: !matches!(access, ImageAccess::Fetch(_)),
    }
}

/// The offset of the parameter from which a value is read.
fn offset_of(kernel: &Function, mut value: Value) -> Option<u32> {
    loop {
        if let Def::Bank0(place) = kernel.def(value) {
            return u32::from(place).checked_sub(u32::from(bank0::PARAMS));
        }
        let inst: &Inst = kernel.insts().find(|inst| inst.results.contains(&value))?;
        match inst.op {
            Op::Load(access) if access.space == Space::Param => {
                let base = kernel.const_int(*inst.args.first()?)?;
                let at = base + i64::from(access.offset);
                return u32::try_from(at).ok()?.checked_sub(u32::from(bank0::PARAMS));
            }
            Op::Low | Op::Bitcast => value = *inst.args.first()?,
            _ => return None,
        }
    }
}
