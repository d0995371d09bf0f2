//! Parses the expression into terms over a lane's coordinates. The compiler's parser reads the text; this
//! module resolves names and reports everything that an address cannot contain.

use super::evaluate::{self, Coordinate};
use cuda::ast::{BaseType, Expr, ExprKind, InfixOp, PrefixOp, TypeName};
use cuda::diagnostic::Diagnostic;
use cuda::hir::{BinaryOp, CompareOp, LogicalOp, Type};
use cuda::lex::Number;
use cuda::{nearest, parse_expression};
use engine::ids::Span;

/// Maximum length of an expression in characters.
pub(crate) const MAX_CHARS: usize = 2_000;
/// Maximum number of free names: each becomes a field.
const MAX_NAMES: usize = 12;

/// The text that a mistake is in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// The access of each lane.
    Expr,
    /// The condition for active lanes.
    When,
    /// Neither text: the block, the warp, or the declaration.
    Setting,
}

/// What is wrong with an access.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mistake {
    /// The text that the mistake is in.
    pub part: Part,
    /// First column in the text, from 1; 0 if the mistake is about the whole text.
    pub column: u32,
    /// Number of columns that the mistake covers.
    pub length: u32,
    /// The message: one sentence.
    pub message: String,
    /// The replacement text, if one is known.
    pub fix: Option<String>,
}

impl Mistake {
    pub(super) fn at(span: Span, message: impl Into<String>) -> Self {
        Self {
            part: Part::Expr,
            column: span.column,
            length: span.end.saturating_sub(span.start).max(1),
            message: message.into(),
            fix: None,
        }
    }

    pub(super) fn setting(message: impl Into<String>) -> Self {
        Self {
            part: Part::Setting,
            column: 0,
            length: 0,
            message: message.into(),
            fix: None,
        }
    }

    fn fix(self, text: &str) -> Self {
        Self {
            fix: Some(text.to_owned()),
            ..self
        }
    }

    /// The sentence with its position, such as `Column 6: …`.
    pub fn sentence(&self) -> String {
        match self.column {
            0 => self.message.clone(),
            column => format!("Column {column}: {}", self.message),
        }
    }
}

impl From<Vec<Diagnostic>> for Mistake {
    fn from(diagnostics: Vec<Diagnostic>) -> Self {
        let first = diagnostics.into_iter().next();
        first.map_or_else(
            || Self::setting("This is not an expression."),
            |diagnostic| Self {
                fix: diagnostic.fix,
                ..Self::at(
                    diagnostic.span,
                    diagnostic.message.replace("the end of the file", "the end"),
                )
            },
        )
    }
}

/// An integer term of an address.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Term {
    Number(i64),
    Of(Coordinate),
    /// The n-th free name.
    Name(usize),
    Negative(Box<Term>),
    Complement(Box<Term>),
    Not(Box<Term>),
    Arithmetic(BinaryOp, Box<Term>, Box<Term>, Span),
    Compare(CompareOp, Box<Term>, Box<Term>),
    Logical(LogicalOp, Box<Term>, Box<Term>),
    Choice(Box<Term>, Box<Term>, Box<Term>),
    Least(Box<Term>, Box<Term>),
    Most(Box<Term>, Box<Term>),
    /// Truncated to this many bits, signed if true.
    Cut(u32, bool, Box<Term>),
}

/// What the expression denotes.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Place {
    /// A byte address for each active lane.
    List(Box<[Option<u64>; 32]>),
    /// A byte address.
    Byte(Term, Span),
    /// An element of an array.
    Element { indices: Vec<(Term, Span)> },
}

/// A parsed expression.
#[derive(Clone, Debug, PartialEq)]
pub struct Expression {
    pub(super) place: Place,
    names: Vec<String>,
    array: Option<String>,
}

impl Expression {
    /// Parses a text.
    ///
    /// # Errors
    /// Returns the first mistake in the text.
    pub fn read(text: &str) -> Result<Self, Mistake> {
        if text.trim().is_empty() {
            return Err(Mistake::setting(
                "Write what each lane accesses, such as `tile[threadIdx.y][threadIdx.x]`.",
            ));
        }
        if text.chars().count() > MAX_CHARS {
            return Err(Mistake::setting(format!(
                "The expression is longer than {MAX_CHARS} characters."
            )));
        }
        if let Some(lanes) = evaluate::list(text) {
            return Ok(Self {
                place: Place::List(lanes?),
                names: Vec::new(),
                array: None,
            });
        }
        let tree = parse_expression(text)?;
        let mut reader = Reader { names: Vec::new() };
        // `&` before an element is ignored.
        let root = match &tree.kind {
            ExprKind::Prefix(PrefixOp::AddressOf, inner) => inner,
            _ => &tree,
        };
        let (place, array) = match &root.kind {
            ExprKind::Index { .. } => {
                let (array, indices) = reader.element(root)?;
                (Place::Element { indices }, Some(array))
            }
            _ => (Place::Byte(reader.term(root)?, root.span), None),
        };
        Ok(Self {
            place,
            names: reader.names,
            array,
        })
    }

    /// Names that need a value, in the order of their first use.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// The array's name, if the expression is an element.
    pub fn array(&self) -> Option<&str> {
        self.array.as_deref()
    }

    /// Whether rows can be padded and swizzled: two indices or more.
    pub fn has_rows(&self) -> bool {
        matches!(&self.place, Place::Element { indices } if indices.len() > 1)
    }
}

struct Reader {
    names: Vec<String>,
}

impl Reader {
    /// The array's name and the indices, outermost first.
    fn element(&mut self, root: &Expr) -> Result<(String, Vec<(Term, Span)>), Mistake> {
        let (mut indices, mut at) = (Vec::new(), root);
        while let ExprKind::Index { base, index } = &at.kind {
            indices.push((self.term(index)?, index.span));
            at = base;
        }
        indices.reverse();
        match &at.kind {
            ExprKind::Name(name) if indices.len() <= 3 => Ok((name.to_string(), indices)),
            ExprKind::Name(_) => Err(Mistake::at(at.span, "An array has at most three indices.")),
            _ => Err(Mistake::at(
                at.span,
                "Write the array's name before its indices, such as `tile[i][j]`.",
            )),
        }
    }

    fn boxed(&mut self, expr: &Expr) -> Result<Box<Term>, Mistake> {
        Ok(Box::new(self.term(expr)?))
    }

    fn term(&mut self, expr: &Expr) -> Result<Term, Mistake> {
        let refused = |message: &str| Err(Mistake::at(expr.span, message));
        Ok(match &expr.kind {
            ExprKind::Number(Number::Int { value, .. }) => match i64::try_from(*value) {
                Ok(value) => Term::Number(value),
                Err(_) => return refused("This number is too large for an address."),
            },
            ExprKind::Number(_) => return refused("Addresses are integers: remove the fraction."),
            ExprKind::Char(value) => Term::Number(value.value()),
            ExprKind::Bool(value) => Term::Number((*value).into()),
            ExprKind::Name(name) => self.name(name, expr.span)?,
            ExprKind::Member { base, field, .. } => self.member(base, &field.name, expr.span)?,
            ExprKind::Prefix(op, operand) => {
                let operand = match op {
                    PrefixOp::Deref | PrefixOp::AddressOf => {
                        return refused(
                            "The playground has no pointers: write indices or a number of bytes.",
                        );
                    }
                    _ => self.boxed(operand)?,
                };
                match op {
                    PrefixOp::Neg => Term::Negative(operand),
                    PrefixOp::BitNot => Term::Complement(operand),
                    PrefixOp::Not => Term::Not(operand),
                    _ => *operand,
                }
            }
            ExprKind::Infix { op, lhs, rhs } => match op {
                InfixOp::Arithmetic(op) => {
                    Term::Arithmetic(*op, self.boxed(lhs)?, self.boxed(rhs)?, rhs.span)
                }
                InfixOp::Compare(op) => Term::Compare(*op, self.boxed(lhs)?, self.boxed(rhs)?),
                InfixOp::Logical(op) => Term::Logical(*op, self.boxed(lhs)?, self.boxed(rhs)?),
                InfixOp::Comma => {
                    return refused("A comma is not allowed here: write an element as `tile[row][column]`.");
                }
            },
            ExprKind::Conditional {
                cond,
                then,
                otherwise,
            } => Term::Choice(self.boxed(cond)?, self.boxed(then)?, self.boxed(otherwise)?),
            ExprKind::Call { callee, args, .. } => match (&*callee.name, args.as_slice()) {
                ("min", [a, b]) => Term::Least(self.boxed(a)?, self.boxed(b)?),
                ("max", [a, b]) => Term::Most(self.boxed(a)?, self.boxed(b)?),
                (name, _) => {
                    let message = format!(
                        "Unknown function `{name}`: only `min` and `max` of two values are available."
                    );
                    return Err(Mistake::at(callee.span, message));
                }
            },
            ExprKind::Cast { ty, operand, .. } => match whole_type(ty) {
                Some((bits, signed)) => Term::Cut(bits, signed, self.boxed(operand)?),
                None => return refused("Only casts to integer types are allowed here."),
            },
            ExprKind::SizeofType(ty) => match size_of(ty) {
                Some(bytes) => Term::Number(bytes),
                None => return refused("The size of this type is unknown: write it as a number."),
            },
            ExprKind::Index { base, .. } => {
                let name = match &base.kind {
                    ExprKind::Name(name) => format!("`{name}[…]`"),
                    _ => "An element".to_owned(),
                };
                return refused(&format!(
                    "{name} in an index is a value in memory, which the playground does not have: write a list instead."
                ));
            }
            ExprKind::Assign { .. } | ExprKind::IncDec { .. } => {
                return refused("Assignments are not allowed here: write only what each lane accesses.");
            }
            _ => return refused("This is not allowed in an address."),
        })
    }

    fn name(&mut self, name: &str, span: Span) -> Result<Term, Mistake> {
        if let Some(coordinate) = Coordinate::of(name) {
            return Ok(Term::Of(coordinate));
        }
        if name == "warpSize" {
            return Ok(Term::Number(engine::arch::WARP_SIZE.into()));
        }
        if VECTORS.contains(&name) {
            let whole = format!("{name}.x");
            return Err(Mistake::at(span, format!("`{name}` is a vector: write `{whole}`.")).fix(&whole));
        }
        self.free(name, span)
    }

    fn free(&mut self, name: &str, span: Span) -> Result<Term, Mistake> {
        let known = self.names.iter().position(|known| known == name);
        if known.is_none() && self.names.len() == MAX_NAMES {
            return Err(Mistake::at(
                span,
                format!("The expression has more than {MAX_NAMES} free names."),
            ));
        }
        Ok(Term::Name(known.unwrap_or_else(|| {
            self.names.push(name.to_owned());
            self.names.len() - 1
        })))
    }

    fn member(&mut self, base: &Expr, field: &str, span: Span) -> Result<Term, Mistake> {
        let ExprKind::Name(of) = &base.kind else {
            return Err(Mistake::at(span, "Members are not allowed in an address."));
        };
        let name = format!("{of}.{field}");
        if let Some(coordinate) = Coordinate::of(&name) {
            return Ok(Term::Of(coordinate));
        }
        if !VECTORS.contains(&&**of) {
            let unknown = format!("Unknown name `{of}`");
            return Err(match nearest(of, VECTORS) {
                Some(near) => Mistake::at(base.span, format!("{unknown}; perhaps `{near}`?")).fix(near),
                None => Mistake::at(
                    base.span,
                    format!("{unknown}: only threadIdx, blockIdx, blockDim, and gridDim have members."),
                ),
            });
        }
        if !["x", "y", "z"].contains(&field) {
            let message = format!("`{of}` has x, y, and z, but no `{field}`.");
            return Err(Mistake::at(span, message));
        }
        // The user types the values of `blockIdx` and `gridDim`.
        self.free(&name, span)
    }
}

const VECTORS: [&str; 4] = ["threadIdx", "blockIdx", "blockDim", "gridDim"];

fn known_type(ty: &TypeName) -> Option<&Type> {
    match &ty.base {
        BaseType::Known(known) if ty.derived.is_empty() => Some(known),
        _ => None,
    }
}

/// Width in bits of an integer type, and whether it is signed.
fn whole_type(ty: &TypeName) -> Option<(u32, bool)> {
    Some(match known_type(ty)? {
        Type::I8 => (8, true),
        Type::U8 => (8, false),
        Type::I16 => (16, true),
        Type::U16 => (16, false),
        Type::I32 => (32, true),
        Type::U32 => (32, false),
        // Terms are always signed.
        Type::I64 | Type::U64 => (64, true),
        _ => return None,
    })
}

fn size_of(ty: &TypeName) -> Option<i64> {
    Some(match known_type(ty)? {
        Type::F16 => 2,
        Type::F32 => 4,
        Type::F64 => 8,
        _ => i64::from(whole_type(ty)?.0) / 8,
    })
}
