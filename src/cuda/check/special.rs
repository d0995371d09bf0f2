//! CUDA functions whose types depend on their arguments: atomics, shuffles, votes, vectors.

use super::names::{deref, load};
use super::ops::{assign, common, converted, is_arithmetic, promoted};
use super::{Checker, Checks, Symbol, builtins, expr, int};
use crate::ast;
use crate::diagnostic::Diagnostic;
use crate::hir::{AtomicOp, Builtin, Expr, ExprKind, FenceScope, GlobalSpace, ShuffleMode, Type, VoteKind};
use crate::types::texture_of;
use engine::ids::Span;

impl Checker {
    /// The call, if the name is one of these functions.
    pub(super) fn special_call(
        &mut self,
        name: &str,
        args: &[Expr],
        name_span: Span,
        span: Span,
    ) -> Option<Checks<Expr>> {
        if let Some((base, scope)) = builtins::atomic_name(name) {
            return Some(self.atomic(name, base, scope, args, span));
        }
        if let Some(ty) = name.strip_prefix("make_").and_then(crate::types::vector) {
            return Some(self.make_vector(name, Type::Vector(ty), args, span));
        }
        Some(match name {
            "min" | "max" => self.min_max(name, args, span),
            "abs" => self.abs(args, span),
            "printf" => self.printf(args, name_span, span),
            "assert" => self.assertion(args, name_span, span),
            "clock" => self.clock(args, span),
            "__syncwarp" => self.syncwarp(args, span),
            "__builtin_expect" => match args {
                [value, _] => Ok(value.clone()),
                _ => self.report_argument_count(name, "2", args, span),
            },
            "__builtin_assume_aligned" => match args {
                [pointer, _] | [pointer, _, _] if matches!(pointer.ty, Type::Pointer(_)) => {
                    Ok(converted(pointer.clone(), &Type::Void.pointer_to()))
                }
                _ => self.error(
                    span,
                    "`__builtin_assume_aligned` takes a pointer and an alignment.",
                ),
            },
            "__all" | "__any" | "__ballot" | "__all_sync" | "__any_sync" | "__ballot_sync" => {
                self.vote(name, args, name_span, span)
            }
            "__match_any_sync" | "__match_all_sync" => self.matching(name, args, name_span, span),
            "tex1Dfetch" => self.texture_fetch(args, span),
            "__ldg" | "__ldca" | "__ldcg" | "__ldcs" | "__ldcv" => {
                self.cached_load(name, args, name_span, span)
            }
            "__stwb" | "__stcg" | "__stcs" | "__stwt" => self.cached_store(name, args, span),
            "__cvta_generic_to_shared" => match args {
                [pointer] if matches!(pointer.ty, Type::Pointer(_)) => {
                    Ok(builtin(Builtin::GenericToShared, args.to_vec(), Type::U64, span))
                }
                _ => self.error(span, "`__cvta_generic_to_shared` takes one pointer."),
            },
            "__cvta_shared_to_generic" => match args {
                [offset] if offset.ty.is_integer() => {
                    let offset = converted(offset.clone(), &Type::U64);
                    let ty = Type::Void.pointer_to();
                    Ok(builtin(Builtin::SharedToGeneric, vec![offset], ty, span))
                }
                _ => self.error(span, "`__cvta_shared_to_generic` takes one integer."),
            },
            // A breakpoint has no effect without a debugger.
            "__brkpt" => match args {
                [] => Ok(converted(int(0, Type::I32, span), &Type::Void)),
                _ => self.report_argument_count("__brkpt", "0", args, span),
            },
            _ if name.starts_with("__shfl") => self.shuffle(name, args, name_span, span),
            _ => return None,
        })
    }

    fn report_argument_count<T>(&mut self, name: &str, wanted: &str, args: &[Expr], span: Span) -> Checks<T> {
        let arguments = if wanted == "1" { "argument" } else { "arguments" };
        self.error(
            span,
            format!("`{name}` takes {wanted} {arguments}, not {}.", args.len()),
        )
    }

    fn min_max(&mut self, name: &str, args: &[Expr], span: Span) -> Checks<Expr> {
        let [a, b] = args else {
            return self.report_argument_count(name, "2", args, span);
        };
        if !is_arithmetic(&a.ty) || !is_arithmetic(&b.ty) {
            let (a, b) = (self.text(&a.ty), self.text(&b.ty));
            return self.error(span, format!("`{name}` compares numbers, not `{a}` and `{b}`."));
        }
        let ty = common(&a.ty, &b.ty);
        let op = if name == "min" { Builtin::Min } else { Builtin::Max };
        let call = builtin(
            op,
            vec![converted(a.clone(), &ty), converted(b.clone(), &ty)],
            ty,
            span,
        );
        let known = call_is_known(&call).then(|| self.evaluate(&call)).flatten();
        Ok(match known {
            Some(value) => super::constant(value, call.ty, span),
            None => call,
        })
    }

    fn abs(&mut self, args: &[Expr], span: Span) -> Checks<Expr> {
        let [value] = args else {
            return self.report_argument_count("abs", "1", args, span);
        };
        if !is_arithmetic(&value.ty) {
            let text = self.text(&value.ty);
            return self.error(span, format!("`abs` works on numbers, not on `{text}`."));
        }
        let ty = match promoted(&value.ty) {
            // `abs` of an unsigned number is the number itself.
            Type::U32 | Type::U64 => return Ok(value.clone()),
            ty => ty,
        };
        Ok(builtin(
            Builtin::Abs,
            vec![converted(value.clone(), &ty)],
            ty,
            span,
        ))
    }

    fn clock(&mut self, args: &[Expr], span: Span) -> Checks<Expr> {
        if !args.is_empty() {
            return self.report_argument_count("clock", "0", args, span);
        }
        let clock = builtin(Builtin::Clock64, Vec::new(), Type::I64, span);
        Ok(converted(converted(clock, &Type::I32), &Type::I64))
    }

    fn syncwarp(&mut self, args: &[Expr], span: Span) -> Checks<Expr> {
        let mask = match args {
            [] => full_mask(span),
            [mask] => self.implicit(mask.clone(), &Type::U32, "as the mask of `__syncwarp`")?,
            _ => return self.report_argument_count("__syncwarp", "0 or 1", args, span),
        };
        Ok(builtin(Builtin::Syncwarp, vec![mask], Type::Void, span))
    }

    /// The warp intrinsics without `_sync`, which CUDA deprecated in 9.0.
    fn check_legacy_intrinsic(&mut self, name: &str, span: Span) -> Checks<()> {
        let replacement = format!("{name}_sync");
        if self.capability >= 700 {
            let message = format!(
                "`{name}` is not supported on compute capability 7.0 and above, where the lanes of a warp can diverge."
            );
            let diagnostic = Diagnostic::architecture(span, message)
                .note(format!(
                    "Use `{replacement}`, whose first argument is the mask of the participating lanes."
                ))
                .fix(replacement);
            return self.report(diagnostic);
        }
        if self.capability >= 600 {
            let message = format!(
                "`{name}` is deprecated; use `{replacement}`, whose first argument is the mask of the participating \
                 lanes."
            );
            self.warn(span, message);
        }
        Ok(())
    }

    fn vote(&mut self, name: &str, args: &[Expr], name_span: Span, span: Span) -> Checks<Expr> {
        let sync = name.ends_with("_sync");
        let kind = match name.trim_end_matches("_sync") {
            "__all" => VoteKind::All,
            "__any" => VoteKind::Any,
            _ => VoteKind::Ballot,
        };
        match kind {
            VoteKind::Ballot => self.require(200, "`__ballot`", name_span),
            _ => self.require(120, "A warp vote", name_span),
        }
        let (mask, predicate) = match args {
            [mask, predicate] if sync => {
                let mask = self.implicit(mask.clone(), &Type::U32, "as the mask of a vote")?;
                (mask, predicate)
            }
            [predicate] if !sync => (full_mask(span), predicate),
            _ => return self.report_argument_count(name, if sync { "2" } else { "1" }, args, span),
        };
        if !sync {
            self.check_legacy_intrinsic(name, name_span)?;
        }
        let predicate = self.to_condition(predicate.clone())?;
        let ty = if kind == VoteKind::Ballot {
            Type::U32
        } else {
            Type::I32
        };
        Ok(builtin(
            Builtin::Vote { kind, sync },
            vec![mask, predicate],
            ty,
            span,
        ))
    }

    fn shuffle(&mut self, name: &str, args: &[Expr], name_span: Span, span: Span) -> Checks<Expr> {
        self.require(300, "A shuffle", name_span);
        let sync = name.ends_with("_sync");
        let mode = match name.trim_end_matches("_sync") {
            "__shfl_up" => ShuffleMode::Up,
            "__shfl_down" => ShuffleMode::Down,
            "__shfl_xor" => ShuffleMode::Xor,
            _ => ShuffleMode::Idx,
        };
        let (mask, rest) = match (sync, args) {
            (true, [mask, rest @ ..]) => (
                self.implicit(mask.clone(), &Type::U32, "as the mask of a shuffle")?,
                rest,
            ),
            (_, rest) => (full_mask(span), rest),
        };
        let (value, lane, width) = match rest {
            [value, lane] => (value, lane, int(32, Type::U32, span)),
            [value, lane, width] => {
                let width = self.implicit(width.clone(), &Type::I32, "as the width of a shuffle")?;
                (value, lane, converted(width, &Type::U32))
            }
            _ => return self.report_argument_count(name, if sync { "3 or 4" } else { "2 or 3" }, args, span),
        };
        if !sync {
            self.check_legacy_intrinsic(name, name_span)?;
        }
        // Halves are exchanged as the words that contain them.
        if is_half_or_pair(&value.ty) {
            let ty = value.ty.clone();
            let mut args = args.to_vec();
            let slot = usize::from(sync);
            args[slot] = word_of(value.clone());
            let shuffled = self.shuffle(name, &args, name_span, span)?;
            return Ok(half_or_pair_from_word(shuffled, ty));
        }
        if !is_arithmetic(&value.ty) {
            let text = self.text(&value.ty);
            return self.error(
                value.span,
                format!("A shuffle exchanges numbers of 32 or 64 bits, not `{text}`."),
            );
        }
        let ty = promoted(&value.ty);
        let lane = self.implicit(lane.clone(), &Type::I32, "as the lane of a shuffle")?;
        let args = vec![
            mask,
            converted(value.clone(), &ty),
            converted(lane, &Type::U32),
            width,
        ];
        Ok(builtin(Builtin::Shuffle { mode, sync }, args, ty, span))
    }

    fn matching(&mut self, name: &str, args: &[Expr], name_span: Span, span: Span) -> Checks<Expr> {
        self.require(700, "`__match_…_sync`", name_span);
        let all = name == "__match_all_sync";
        let (mask, value, flag) = match args {
            [mask, value] if !all => (mask, value, None),
            [mask, value, flag] if all => (mask, value, Some(flag)),
            _ => return self.report_argument_count(name, if all { "3" } else { "2" }, args, span),
        };
        let mask = self.implicit(mask.clone(), &Type::U32, "as the mask of a match")?;
        if !is_arithmetic(&value.ty) {
            let text = self.text(&value.ty);
            return self.error(
                value.span,
                format!("`{name}` compares numbers of 32 or 64 bits, not `{text}`."),
            );
        }
        let ty = promoted(&value.ty);
        let mut out = vec![mask, converted(value.clone(), &ty)];
        if let Some(flag) = flag {
            out.push(self.implicit(
                flag.clone(),
                &Type::I32.pointer_to(),
                "as the result of the match",
            )?);
        }
        let op = if all { Builtin::MatchAll } else { Builtin::MatchAny };
        Ok(builtin(op, out, Type::U32, span))
    }

    fn cached_load(&mut self, name: &str, args: &[Expr], name_span: Span, span: Span) -> Checks<Expr> {
        let [pointer] = args else {
            return self.report_argument_count(name, "1", args, span);
        };
        let pointee = match &pointer.ty {
            Type::Pointer(ty) if is_arithmetic(&ty.pointee) || matches!(ty.pointee, Type::Vector(_)) => {
                ty.pointee.clone()
            }
            other => {
                let text = self.text(other);
                return self.error(
                    span,
                    format!("`{name}` takes a pointer to a number or vector, not `{text}`."),
                );
            }
        };
        let op = match name {
            "__ldg" => {
                self.require(350, "`__ldg`", name_span);
                Builtin::LoadReadOnly
            }
            "__ldcg" => Builtin::LoadCacheGlobal,
            "__ldcs" => Builtin::LoadStreaming,
            "__ldcv" => return Ok(load(deref(pointer.clone(), true))),
            _ => return Ok(load(deref(pointer.clone(), false))),
        };
        Ok(builtin(op, vec![pointer.clone()], pointee, span))
    }

    /// The source of `tex1Dfetch`: a texture reference, or a texture object with this element type.
    pub(super) fn texture(&mut self, ty: Option<&ast::TypeName>, texture: &ast::Expr) -> Checks<Expr> {
        let elem = match ty {
            Some(ty) => {
                let elem = self.resolve(ty, None)?.ty;
                self.check_texel(&elem, ty.span)?;
                Some(elem)
            }
            None => None,
        };
        if let ast::ExprKind::Name(name) = &texture.kind
            && let Some(symbol) = self.lookup(name).filter(|symbol| self.is_texture(symbol))
            && let Some(lvalue) = self.variable(symbol, texture.span)
        {
            let reference = load(lvalue.place);
            if let (Some(elem), Type::Pointer(of)) = (elem, &reference.ty)
                && elem != of.pointee
            {
                let (elem, of) = (self.text(&elem), self.text(&of.pointee));
                let message =
                    format!("`{name}` is a texture of `{of}`, which cannot be fetched as `{elem}`.");
                return self.error(texture.span, message);
            }
            if let Type::Pointer(of) = &reference.ty {
                self.check_texel(&of.pointee.clone(), texture.span)?;
            }
            return Ok(reference);
        }
        let value = self.value(texture)?;
        if !value.ty.is_integer() {
            let hint = match &value.ty {
                Type::Pointer(_) => "; read through a pointer with `[…]`",
                _ => "",
            };
            let text = self.text(&value.ty);
            return self.error(
                value.span,
                format!("`tex1Dfetch` takes a texture, not `{text}`{hint}."),
            );
        }
        let Some(elem) = elem else {
            return self.error(
                value.span,
                "A texture object has no element type: write `tex1Dfetch<float>(…)`.",
            );
        };
        self.require(300, "A texture object", value.span);
        Ok(converted(value, &texture_of(elem)))
    }

    /// Whether a name is a texture reference.
    pub(super) fn is_texture(&self, symbol: &Symbol) -> bool {
        matches!(symbol, Symbol::Global { id, .. } if self.globals[id.0 as usize].space == GlobalSpace::Texture)
    }

    /// The valid element types of a texture.
    pub(super) fn check_texel(&mut self, ty: &Type, span: Span) -> Checks<()> {
        let word = |ty: &Type| matches!(ty, Type::I32 | Type::U32 | Type::F32);
        match ty {
            Type::Vector(vector) if word(&vector.elem) && vector.lanes != 3 => Ok(()),
            scalar if word(scalar) => Ok(()),
            other => {
                let text = self.text(other);
                self.unsupported(span, &format!("Textures of `{text}`"))
            }
        }
    }

    fn texture_fetch(&mut self, args: &[Expr], span: Span) -> Checks<Expr> {
        let [texture, element] = args else {
            return self.report_argument_count("tex1Dfetch", "2", args, span);
        };
        let elem = match &texture.ty {
            Type::Pointer(texture) => texture.pointee.clone(),
            other => other.clone(),
        };
        let element = self.implicit(element.clone(), &Type::I32, "as the element to fetch")?;
        let args = vec![texture.clone(), element];
        Ok(builtin(Builtin::TextureFetch, args, elem, span))
    }

    fn cached_store(&mut self, name: &str, args: &[Expr], span: Span) -> Checks<Expr> {
        let [pointer, value] = args else {
            return self.report_argument_count(name, "2", args, span);
        };
        let target = self.dereferenced(pointer.clone(), span)?;
        let value = self.implicit(value.clone(), &target.place.ty, "as the value to store")?;
        Ok(converted(assign(target.place, value, span), &Type::Void))
    }

    fn make_vector(&mut self, name: &str, ty: Type, args: &[Expr], span: Span) -> Checks<Expr> {
        let fields = self.fields(&ty);
        if args.len() != fields.len() {
            return self.report_argument_count(name, &fields.len().to_string(), args, span);
        }
        let parts = args
            .iter()
            .zip(&fields)
            .map(|(arg, (_, field, _))| {
                self.implicit(arg.clone(), field, &format!("in an argument of `{name}`"))
            })
            .collect::<Checks<Vec<Expr>>>()?;
        Ok(expr(ExprKind::Aggregate(parts), ty, span))
    }

    fn atomic(
        &mut self,
        name: &str,
        base: &str,
        scope: FenceScope,
        args: &[Expr],
        span: Span,
    ) -> Checks<Expr> {
        use Type::{F32, F64, I32, I64, U32, U64};
        let (op, types): (AtomicOp, &[Type]) = match base {
            "__ws_atomic_add_halves" => (AtomicOp::AddHalves, &[U32]),
            "atomicAdd" => (AtomicOp::Add, &[I32, U32, U64, F32, F64]),
            "atomicSub" => (AtomicOp::Sub, &[I32, U32]),
            "atomicExch" => (AtomicOp::Exch, &[I32, U32, U64, F32]),
            "atomicMin" => (AtomicOp::Min, &[I32, U32, I64, U64]),
            "atomicMax" => (AtomicOp::Max, &[I32, U32, I64, U64]),
            "atomicInc" => (AtomicOp::Inc, &[U32]),
            "atomicDec" => (AtomicOp::Dec, &[U32]),
            "atomicCAS" => (AtomicOp::Cas, &[I32, U32, U64]),
            "atomicAnd" => (AtomicOp::And, &[I32, U32, U64]),
            "atomicOr" => (AtomicOp::Or, &[I32, U32, U64]),
            _ => (AtomicOp::Xor, &[I32, U32, U64]),
        };
        let wanted = if op == AtomicOp::Cas { 3 } else { 2 };
        if args.len() != wanted {
            return self.report_argument_count(name, &wanted.to_string(), args, span);
        }
        let (pointer, values) = (&args[0], &args[1..]);
        let ty = match &pointer.ty {
            Type::Pointer(ty) if ty.is_const => {
                return self.error(
                    pointer.span,
                    format!("`{name}` writes memory, and this pointer points to const."),
                );
            }
            Type::Pointer(ty) => ty.pointee.clone(),
            other => {
                let text = self.text(other);
                let diagnostic = Diagnostic::error(
                    pointer.span,
                    format!("The first argument of `{name}` must be a pointer, not `{text}`."),
                );
                return self.report(diagnostic.note("Write `&` before the variable or element."));
            }
        };
        // The half-precision header declares these functions only on chips that support them.
        let is_bfloat16 =
            ty == Type::Bf16 || matches!(&ty, Type::Vector(vector) if *vector.elem == Type::Bf16);
        if op == AtomicOp::Add && is_bfloat16 && self.capability < 800 {
            self.require(800, "`atomicAdd` on __nv_bfloat16", span);
            return Err(super::Reported);
        }
        if op == AtomicOp::Add && ty == Type::F16 && self.capability < 700 {
            self.require(700, "`atomicAdd` on half", span);
            return Err(super::Reported);
        }
        if op == AtomicOp::Add
            && matches!(ty, Type::Vector(_))
            && self.text(&ty) == "half2"
            && self.capability < 600
        {
            self.require(600, "`atomicAdd` on half2", span);
            return Err(super::Reported);
        }
        if !types.contains(&ty) {
            let known: Vec<String> = types.iter().map(|ty| self.text(ty)).collect();
            let message = format!(
                "`{name}` works on {}, not on `{}`.",
                known.join(", "),
                self.text(&ty)
            );
            return self.error(pointer.span, message);
        }
        self.require_atomic(name, op, scope, &ty, span);
        let mut out = vec![pointer.clone()];
        for value in values {
            out.push(self.implicit(value.clone(), &ty, &format!("in an argument of `{name}`"))?);
        }
        Ok(builtin(Builtin::Atomic { op, scope }, out, ty, span))
    }

    fn require_atomic(&mut self, name: &str, op: AtomicOp, scope: FenceScope, ty: &Type, span: Span) {
        let wide = matches!(ty, Type::I64 | Type::U64);
        let arithmetic = matches!(op, AtomicOp::Add | AtomicOp::Exch | AtomicOp::Cas);
        let capability = match (op, ty) {
            (AtomicOp::AddHalves, _) | (AtomicOp::Add, Type::F64) => 600,
            (AtomicOp::Add, Type::F32) => 200,
            _ if wide && !arithmetic => 350,
            _ if wide => 120,
            _ => 110,
        };
        let text = self.text(ty);
        self.require(capability, &format!("`{name}` on {text}"), span);
        if scope != FenceScope::Device {
            self.require(600, &format!("`{name}`"), span);
        }
    }
}

fn builtin(builtin: Builtin, args: Vec<Expr>, ty: Type, span: Span) -> Expr {
    expr(ExprKind::Builtin { builtin, args }, ty, span)
}

/// Whether the type is a 16-bit floating-point number or a pair of them.
fn is_half_or_pair(ty: &Type) -> bool {
    ty.is_half() || matches!(ty, Type::Vector(vector) if vector.elem.is_half() && vector.lanes == 2)
}

/// A 16-bit floating-point number, or a pair, as a word.
fn word_of(value: Expr) -> Expr {
    let span = value.span;
    let bits = if value.ty.is_half() { Type::U16 } else { Type::U32 };
    converted(expr(ExprKind::Bitcast(Box::new(value)), bits, span), &Type::U32)
}

/// The 16-bit floating-point number, or pair, in a word.
fn half_or_pair_from_word(word: Expr, ty: Type) -> Expr {
    let span = word.span;
    let bits = if ty.is_half() {
        converted(word, &Type::U16)
    } else {
        word
    };
    expr(ExprKind::Bitcast(Box::new(bits)), ty, span)
}

/// The mask of all lanes of a warp.
fn full_mask(span: Span) -> Expr {
    int(i128::from(u32::MAX), Type::U32, span)
}

fn call_is_known(call: &Expr) -> bool {
    match &call.kind {
        ExprKind::Builtin { args, .. } => args.iter().all(|arg| super::fold::as_const(arg).is_some()),
        _ => false,
    }
}
