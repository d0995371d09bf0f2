//! Texture and surface calls: `tex2D<float>(object, x, y)`, `tex2D(&value, object, x, y)`, `tex2D(reference, x, y)`,
//! `surf2Dwrite(value, surface, x, y)`.

use super::fold::as_const;
use super::names::{deref, load};
use super::ops::{assign, converted};
use super::{Checker, Checks, Symbol, expr};
use crate::ast::{self, TemplateArg};
use crate::hir::{Builtin, Const, Expr, ExprKind, Type, Vector};
use crate::types::{ImageVerb, vector};
use engine::ids::Span;
use engine::isa::{Boundary, ElemType, ImageAccess, ImageFormat, ImageShape, TexelChoice};

/// The declaration of a texture or surface reference.
#[derive(Clone, Copy, Debug)]
pub(super) struct ReferenceInfo {
    pub(super) shape: ImageShape,
    pub(super) reads_fractions: bool,
    pub(super) is_surface: bool,
}

/// A texture or surface, and the type and declaration of a reference.
type Handle = (Expr, Option<(Type, ReferenceInfo)>);

/// The first argument: a handle, or a value or pointer that precedes the handle.
enum First {
    Handle(Handle),
    Value(Expr),
}

/// The arguments up to the texture or surface.
struct Leading<'e> {
    handle: Handle,
    /// The type of the elements, from the template argument or the value.
    ty: Option<Type>,
    /// The value to write.
    value: Option<Expr>,
    /// The pointer to the result.
    out: Option<Expr>,
    /// The further arguments.
    rest: &'e [ast::Expr],
}

/// The type of a texel.
struct Texel {
    /// As the access reads or writes it.
    ty: Type,
    /// As the texture or surface stores it.
    stored: Type,
    /// Whether integers are read as fractions from -1 or 0 to 1.
    reads_fractions: bool,
}

impl Checker {
    /// A call of a texture or surface function.
    pub(super) fn image_call(
        &mut self,
        name: &str,
        (verb, shape): (ImageVerb, ImageShape),
        template_args: Option<&[TemplateArg]>,
        args: &[ast::Expr],
        name_span: Span,
        span: Span,
    ) -> Checks<Expr> {
        self.require_image(name, verb, shape, name_span);
        let ty = match template_args {
            Some([TemplateArg::Type(ty), ..]) => Some(self.resolve(ty, None)?.ty),
            _ => None,
        };
        let [first, rest @ ..] = args else {
            return self.error(
                span,
                format!("`{name}` needs a texture or surface and coordinates."),
            );
        };
        let leading = self.leading_arguments(name, verb, ty, (first, rest))?;
        let (object, reference) = leading.handle;
        let texel = self.texel_type(name, (verb, shape), object.span, reference, leading.ty)?;
        let format = self.image_format(&texel.stored, texel.reads_fractions, verb.is_surface(), span)?;
        let mut operands = vec![object];
        let rest = self.coordinates(name, (verb, shape), leading.rest, &mut operands, span)?;
        let (access, rest) = self.image_access(name, (verb, shape), rest, &mut operands, span)?;
        if let [beyond, ..] = rest {
            return self.error(beyond.span, format!("`{name}` takes no further argument."));
        }
        let builtin = Builtin::Image {
            shape,
            access,
            format,
        };
        operands.extend(leading.value);
        let result = if verb == ImageVerb::Write {
            Type::Void
        } else {
            texel.ty
        };
        let kind = ExprKind::Builtin {
            builtin,
            args: operands,
        };
        let call = expr(kind, result, span);
        Ok(match leading.out {
            Some(pointer) => converted(assign(deref(pointer, false), call, span), &Type::Void),
            None => call,
        })
    }

    /// The arguments up to the texture or surface. `ty` is the explicit template argument.
    fn leading_arguments<'e>(
        &mut self,
        name: &str,
        verb: ImageVerb,
        ty: Option<Type>,
        (first, rest): (&ast::Expr, &'e [ast::Expr]),
    ) -> Checks<Leading<'e>> {
        let first = if verb == ImageVerb::Write {
            First::Value(self.value(first)?)
        } else {
            self.first_argument(first)?
        };
        let given = match first {
            First::Handle(handle) => {
                return Ok(Leading {
                    handle,
                    ty,
                    value: None,
                    out: None,
                    rest,
                });
            }
            First::Value(given) => given,
        };
        let [handle, rest @ ..] = rest else {
            return self.report_no_image(name, &given);
        };
        let (ty, value, out) = if verb == ImageVerb::Write {
            let wanted = ty.unwrap_or_else(|| given.ty.clone());
            let value = self.implicit(given, &wanted, "as the value to write")?;
            (wanted, Some(value), None)
        } else {
            let Type::Pointer(pointer) = &given.ty else {
                return self.report_no_image(name, &given);
            };
            (pointer.pointee.clone(), None, Some(given))
        };
        match self.first_argument(handle)? {
            First::Handle(handle) => Ok(Leading {
                handle,
                ty: Some(ty),
                value,
                out,
                rest,
            }),
            First::Value(other) => self.report_no_image(name, &other),
        }
    }

    /// Reports an argument in place of a texture or surface.
    fn report_no_image<T>(&mut self, name: &str, arg: &Expr) -> Checks<T> {
        let text = self.text(&arg.ty);
        self.error(
            arg.span,
            format!("`{name}` takes a texture or surface, not `{text}`."),
        )
    }

    /// The type that an access reads or writes, from the declaration of a reference or from the explicit type `ty`.
    fn texel_type(
        &mut self,
        name: &str,
        (verb, shape): (ImageVerb, ImageShape),
        object_span: Span,
        reference: Option<(Type, ReferenceInfo)>,
        ty: Option<Type>,
    ) -> Checks<Texel> {
        let is_surface = verb.is_surface();
        Ok(match (reference, ty) {
            (Some((_, info)), _) if info.is_surface != is_surface => {
                let kind = if info.is_surface { "surface" } else { "texture" };
                return self.error(object_span, format!("`{name}` cannot access a {kind}."));
            }
            (Some((_, info)), _) if info.shape != shape && !info.is_surface => {
                let message = format!(
                    "`{name}` does not match the dimensions of this texture, which is declared {}.",
                    info.shape.text()
                );
                return self.error(object_span, message);
            }
            (Some((elem, info)), _) if !is_surface => {
                let read = if info.reads_fractions {
                    as_floats(&elem)
                } else {
                    elem.clone()
                };
                let read = if verb == ImageVerb::Gather {
                    four_component_vector(&read)
                } else {
                    read
                };
                Texel {
                    ty: read,
                    stored: elem,
                    reads_fractions: info.reads_fractions,
                }
            }
            (_, Some(ty)) => Texel {
                ty: ty.clone(),
                stored: ty,
                reads_fractions: false,
            },
            (_, None) => {
                let message = format!(
                    "A texture or surface object has no element type: write `{name}<float>(…)`, or pass the address \
                     of the result first."
                );
                return self.error(object_span, message);
            }
        })
    }

    /// Appends the coordinates to `operands`; returns the further arguments.
    fn coordinates<'e>(
        &mut self,
        name: &str,
        (verb, shape): (ImageVerb, ImageShape),
        args: &'e [ast::Expr],
        operands: &mut Vec<Expr>,
        span: Span,
    ) -> Checks<&'e [ast::Expr]> {
        let is_surface = verb.is_surface();
        let (mut given, mut rest) = (0, args);
        let num = usize::from(shape.num_coordinates());
        while let [coordinate, others @ ..] = rest
            && given < num
        {
            let is_layer = shape.has_layers() && given + 1 == num;
            let wanted = if is_surface || is_layer {
                Type::I32
            } else {
                Type::F32
            };
            let value = self.value(coordinate)?;
            operands.push(self.implicit(value, &wanted, "as a coordinate")?);
            (given, rest) = (given + 1, others);
        }
        if given < num {
            let kind = if is_surface { "surface" } else { "texture" };
            let message = format!("`{name}` takes {num} coordinates after the {kind}, not {given}.");
            return self.error(span, message);
        }
        Ok(rest)
    }

    /// The access of a call, from the arguments after the coordinates. Appends its operands to `operands`; returns
    /// the further arguments.
    fn image_access<'e>(
        &mut self,
        name: &str,
        (verb, shape): (ImageVerb, ImageShape),
        mut rest: &'e [ast::Expr],
        operands: &mut Vec<Expr>,
        span: Span,
    ) -> Checks<(ImageAccess, &'e [ast::Expr])> {
        let access = match verb {
            ImageVerb::Fetch => ImageAccess::Fetch(TexelChoice::Zero),
            ImageVerb::Level => {
                let [level, others @ ..] = rest else {
                    return self.error(
                        span,
                        format!("`{name}` takes a mipmap level after the coordinates."),
                    );
                };
                rest = others;
                let level = self.value(level)?;
                operands.push(self.implicit(level, &Type::F32, "as a mipmap level")?);
                ImageAccess::Fetch(TexelChoice::Level)
            }
            ImageVerb::Gradient => {
                let [dx, dy, others @ ..] = rest else {
                    return self.error(
                        span,
                        format!("`{name}` takes two derivatives after the coordinates."),
                    );
                };
                rest = others;
                let (gradient, words) = match shape.num_axes() {
                    1 => (Type::F32, 2),
                    2 => (floats(2), 4),
                    // TXD takes two axes. With a single mipmap level, derivatives of further axes have no effect.
                    _ => (floats(4), 0),
                };
                for derivative in [dx, dy] {
                    let derivative = self.value(derivative)?;
                    operands.push(self.implicit(derivative, &gradient, "as a derivative")?);
                }
                ImageAccess::Fetch(if words == 0 {
                    TexelChoice::Zero
                } else {
                    TexelChoice::Gradient(words)
                })
            }
            ImageVerb::Gather => {
                let channel = match rest {
                    [channel, others @ ..] => {
                        rest = others;
                        let value = self.value(channel)?;
                        if let Some(Const::Int(channel @ 0..=3)) = as_const(&value) {
                            channel as u8
                        } else {
                            let message = "The component to gather must be a constant from 0 to 3.";
                            return self.error(value.span, message);
                        }
                    }
                    [] => 0,
                };
                ImageAccess::Fetch(TexelChoice::Gather(channel))
            }
            ImageVerb::Read | ImageVerb::Write => {
                let boundary = match rest {
                    [mode, others @ ..] => {
                        rest = others;
                        self.boundary(mode)?
                    }
                    [] => Boundary::Trap,
                };
                if verb == ImageVerb::Read {
                    ImageAccess::Read(boundary)
                } else {
                    ImageAccess::Write(boundary)
                }
            }
        };
        Ok((access, rest))
    }

    /// The first argument: a reference, an object, or something else.
    fn first_argument(&mut self, arg: &ast::Expr) -> Checks<First> {
        if let ast::ExprKind::Name(name) = &arg.kind
            && let Some(symbol) = self
                .lookup(name)
                .filter(|symbol| self.is_texture(symbol))
                .cloned()
            && let Symbol::Global { id, .. } = symbol
            && let Some(lvalue) = self.variable(&symbol, arg.span)
        {
            let info = self.references.get(&id.0).copied();
            let reference = load(lvalue.place);
            let elem = match &reference.ty {
                Type::Pointer(pointer) => pointer.pointee.clone(),
                other => other.clone(),
            };
            return Ok(First::Handle((reference, info.map(|info| (elem, info)))));
        }
        let value = self.value(arg)?;
        Ok(if value.ty.is_integer() {
            self.require(300, "A texture or surface object", value.span);
            First::Handle((converted(value, &Type::U64), None))
        } else {
            First::Value(value)
        })
    }

    fn boundary(&mut self, mode: &ast::Expr) -> Checks<Boundary> {
        if let ast::ExprKind::Name(name) = &mode.kind {
            match &**name {
                "cudaBoundaryModeTrap" => return Ok(Boundary::Trap),
                "cudaBoundaryModeClamp" => return Ok(Boundary::Clamp),
                "cudaBoundaryModeZero" => return Ok(Boundary::Zero),
                _ => {}
            }
        }
        self.error(
            mode.span,
            "Write the boundary mode as `cudaBoundaryModeTrap`, `cudaBoundaryModeClamp`, or `cudaBoundaryModeZero`.",
        )
    }

    pub(super) fn image_format(
        &mut self,
        ty: &Type,
        reads_fractions: bool,
        is_surface: bool,
        span: Span,
    ) -> Checks<ImageFormat> {
        let (elem, channels) = match ty {
            Type::Vector(vector) if vector.name != "dim3" => ((*vector.elem).clone(), vector.lanes),
            scalar => (scalar.clone(), 1),
        };
        let known = match elem {
            Type::I8 => Some(ElemType::I8),
            Type::U8 => Some(ElemType::U8),
            Type::I16 => Some(ElemType::I16),
            Type::U16 => Some(ElemType::U16),
            Type::I32 => Some(ElemType::I32),
            Type::U32 => Some(ElemType::U32),
            Type::F32 => Some(ElemType::F32),
            Type::I64 if is_surface => Some(ElemType::I64),
            Type::U64 if is_surface => Some(ElemType::U64),
            _ => None,
        };
        match known {
            Some(elem) if channels != 3 && elem.bytes() * u32::from(channels) <= 16 => Ok(ImageFormat {
                elem,
                channels,
                reads_fractions,
            }),
            _ => {
                let kind = if is_surface { "Surfaces" } else { "Textures" };
                let text = self.text(ty);
                self.unsupported(span, &format!("{kind} of `{text}`"))
            }
        }
    }

    fn require_image(&mut self, name: &str, verb: ImageVerb, shape: ImageShape, span: Span) {
        let is_surface = verb.is_surface();
        let is_late = verb == ImageVerb::Gather || shape.has_layers() || shape == ImageShape::Cube;
        if is_surface || is_late {
            self.require(200, &format!("`{name}`"), span);
        }
    }
}

fn floats(lanes: u32) -> Type {
    let name = match lanes {
        1 => "float1",
        2 => "float2",
        _ => "float4",
    };
    vector(name).map_or(Type::F32, Type::Vector)
}

/// The result type of normalized reads of a type.
fn as_floats(elem: &Type) -> Type {
    match elem {
        Type::Vector(vector) => floats(u32::from(vector.lanes)),
        _ => Type::F32,
    }
}

/// The four-component vector of a type or of its elements.
fn four_component_vector(ty: &Type) -> Type {
    let elem = match ty {
        Type::Vector(Vector { elem, .. }) => elem,
        other => other,
    };
    let name = match elem {
        Type::I8 => "char4",
        Type::U8 => "uchar4",
        Type::I16 => "short4",
        Type::U16 => "ushort4",
        Type::I32 => "int4",
        Type::U32 => "uint4",
        _ => "float4",
    };
    vector(name).map_or(Type::F32, Type::Vector)
}
