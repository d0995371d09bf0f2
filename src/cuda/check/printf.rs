//! `printf` and `assert`: default argument promotions, and the check of the format string.

use super::ops::converted;
use super::{Checker, Checks, expr, pointer_bytes};
use crate::diagnostic::Diagnostic;
use crate::hir::{Builtin, Expr, ExprKind, PlaceKind, Type};
use crate::lex::Text;
use engine::files;
use engine::ids::Span;
use engine::printf::{Amount, Conversion, Kind, MAX_ARGUMENTS, Part, parts};

impl Checker {
    /// `printf(format, …)`.
    pub(super) fn printf(&mut self, args: &[Expr], name_span: Span, span: Span) -> Checks<Expr> {
        self.require(200, "`printf` in kernels", name_span);
        let Some((format, values)) = args.split_first() else {
            return self.error(
                span,
                "`printf` takes a format string, followed by the values to print.",
            );
        };
        match &format.ty {
            Type::Pointer(to) if to.pointee == Type::I8 => {}
            other => {
                let text = self.text(other);
                return self.error(
                    format.span,
                    format!("The format of `printf` must be a string, not `{text}`."),
                );
            }
        }
        let mut promoted = vec![format.clone()];
        for value in values {
            // A scoped enum is passed as its underlying integer.
            let value = &super::scoped_enums::as_integer(value.clone());
            let ty = match &value.ty {
                Type::Bool | Type::I8 | Type::U8 | Type::I16 | Type::U16 => Type::I32,
                Type::F16 | Type::F32 => Type::F64,
                Type::Vector(_) | Type::Struct(_) | Type::Void => {
                    let text = self.text(&value.ty);
                    let message = format!("`printf` cannot print `{text}`; print its members one by one.");
                    return self.error(value.span, message);
                }
                other => other.clone(),
            };
            promoted.push(converted(value.clone(), &ty));
        }
        if let Some(format_bytes) = self.literal(format) {
            self.check_format(&format_bytes, format.span, values);
        }
        let kind = ExprKind::Builtin {
            builtin: Builtin::Printf,
            args: promoted,
        };
        Ok(expr(kind, Type::I32, span))
    }

    /// The bytes of a string literal.
    fn literal(&self, e: &Expr) -> Option<Vec<u8>> {
        let ExprKind::AddressOf(place) = &e.kind else {
            return None;
        };
        let PlaceKind::Global(id) = place.kind else {
            return None;
        };
        let bytes = self.globals[id.0 as usize].image.strip_suffix(&[0])?;
        let is_const = self.const_arrays.contains(&id.0);
        is_const.then(|| bytes.to_vec())
    }

    /// Warns about conversions that do not match the arguments.
    fn check_format(&mut self, format: &[u8], span: Span, values: &[Expr]) {
        let mut rest = values.iter();
        let mut taken = 0;
        for part in parts(format) {
            let (conversion, text) = match part {
                Part::Text(_) => continue,
                Part::Unknown(text) => {
                    let text = String::from_utf8_lossy(text).into_owned();
                    self.warn(
                        span,
                        format!(
                            "Unrecognized format string conversion `{text}`; write `%%` for a percent sign."
                        ),
                    );
                    continue;
                }
                Part::Conversion(conversion, text) => {
                    (conversion, String::from_utf8_lossy(text).into_owned())
                }
            };
            for amount in [conversion.width, conversion.precision] {
                if amount != Amount::Argument {
                    continue;
                }
                taken += 1;
                match rest.next() {
                    Some(value) if matches!(size_of(&value.ty), Some((4, true))) => {}
                    Some(value) => {
                        let ty = self.text(&value.ty);
                        let message = format!("The `*` of `{text}` takes an `int`, not `{ty}`.");
                        self.warn(value.span, message);
                    }
                    None => return self.warn_missing(&text, span),
                }
            }
            taken += 1;
            let Some(value) = rest.next() else {
                return self.warn_missing(&text, span);
            };
            if !self.fits(&conversion, &value.ty) {
                let ty = self.text(&value.ty);
                let message = format!(
                    "This argument is incompatible with its format string conversion: `{text}` prints {}, not `{ty}`.",
                    wanted(&conversion)
                );
                self.warn(value.span, message);
            }
        }
        if let Some(value) = rest.next() {
            self.warn(value.span, "The format string ends before this argument.");
        }
        if taken > MAX_ARGUMENTS {
            let message = format!(
                "`printf` in kernels passes at most {MAX_ARGUMENTS} arguments; further conversions are printed as text."
            );
            self.warn(span, message);
        }
    }

    fn warn_missing(&mut self, text: &str, span: Span) {
        self.warn(
            span,
            format!("The format string requires additional arguments: `{text}` has none."),
        );
    }

    fn fits(&self, conversion: &Conversion, ty: &Type) -> bool {
        let pointer_bytes = pointer_bytes(self.capability, &self.options);
        match conversion.kind {
            Kind::Float => ty.is_float(),
            Kind::String => matches!(ty, Type::Pointer(to) if matches!(to.pointee, Type::I8 | Type::U8)),
            Kind::Pointer => matches!(ty, Type::Pointer(_)),
            Kind::Char | Kind::Signed | Kind::Unsigned => {
                let bytes = conversion.argument_bytes(pointer_bytes);
                matches!(size_of(ty), Some((size, _)) if size == bytes)
            }
        }
    }

    /// `assert(condition)`.
    pub(super) fn assertion(&mut self, args: &[Expr], name_span: Span, span: Span) -> Checks<Expr> {
        let [condition] = args else {
            return self.error(span, format!("`assert` takes 1 argument, not {}.", args.len()));
        };
        if self.capability < 200 {
            let message = self.capability_message(200, "`assert`");
            return self.report(Diagnostic::architecture(name_span, message));
        }
        let (start, end) = (condition.span.start as usize, condition.span.end as usize);
        let text = self.source.get(start..end).unwrap_or_default();
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        let (file, line) = files::place(&self.source, span.line);
        let place = format!("{}:{line}", file.unwrap_or(files::MAIN));
        let condition = self.to_condition(condition.clone())?;
        let mut args = vec![condition];
        for text in [place, text] {
            let string = self.string(&Text::narrow(&text), span);
            args.push(self.decayed(string));
        }
        let kind = ExprKind::Builtin {
            builtin: Builtin::Assert,
            args,
        };
        Ok(expr(kind, Type::Void, span))
    }
}

/// Size of an integer in bytes after the default promotions, and whether it is signed.
fn size_of(ty: &Type) -> Option<(u32, bool)> {
    Some(match ty {
        Type::Bool | Type::I8 | Type::U8 | Type::I16 | Type::U16 | Type::I32 => (4, true),
        Type::U32 => (4, false),
        Type::I64 => (8, true),
        Type::U64 => (8, false),
        _ => return None,
    })
}

/// The argument that a conversion expects, for diagnostics.
fn wanted(conversion: &Conversion) -> &'static str {
    match (conversion.kind, conversion.argument_bytes(8)) {
        (Kind::Float, _) => "a floating-point number",
        (Kind::String, _) => "a string",
        (Kind::Pointer, _) => "a pointer",
        (Kind::Char, _) => "a character",
        (Kind::Signed | Kind::Unsigned, 8) => "a 64-bit integer",
        _ => "a 32-bit integer",
    }
}
