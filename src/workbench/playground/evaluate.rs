//! Evaluates the expression to the addresses of 32 lanes.

use super::expression::{Place, Term};
use super::{Expression, MAX_THREADS, Mistake, Part, Playground, Space, WIDTHS};
use cuda::hir::{BinaryOp, CompareOp, LogicalOp};
use engine::access::AccessOp;
use engine::arch::{ArchId, WARP_SIZE, architecture};
use engine::ids::{LaneMask, Span};

/// Size of the addressable global memory in bytes: more than any board has.
const GLOBAL_BYTES: u64 = 1 << 40;

/// The addresses of a warp's lanes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lanes {
    /// Byte addresses: offsets in shared memory, or from a 128-byte boundary of global memory; 0 for inactive
    /// lanes.
    pub addresses: [u64; 32],
    /// Active lanes.
    pub mask: LaneMask,
}

/// A built-in value: a thread's coordinate or the block's shape.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Coordinate {
    Thread(usize),
    BlockDim(usize),
    /// The thread's linear index in its block.
    Tid,
    Lane,
    Warp,
}

impl Coordinate {
    /// The coordinate that a name denotes.
    pub(super) fn of(name: &str) -> Option<Self> {
        Some(match name {
            "threadIdx.x" | "tx" => Self::Thread(0),
            "threadIdx.y" | "ty" => Self::Thread(1),
            "threadIdx.z" | "tz" => Self::Thread(2),
            "blockDim.x" => Self::BlockDim(0),
            "blockDim.y" => Self::BlockDim(1),
            "blockDim.z" => Self::BlockDim(2),
            "tid" => Self::Tid,
            "lane" => Self::Lane,
            "warp" => Self::Warp,
            _ => return None,
        })
    }
}

/// The byte addresses of a list: one per lane in order, `-` for an inactive lane. `None` if the text is not a
/// list.
pub(super) fn list(text: &str) -> Option<Result<Box<[Option<u64>; 32]>, Mistake>> {
    let rest = text.trim_start().strip_prefix("list")?;
    // `list[0]` and `list + 4` are ordinary expressions.
    let first = rest.trim_start().chars().next();
    if !first.is_none_or(|letter| letter.is_ascii_digit() || letter == '-')
        || !rest.starts_with([' ', '\t', '\n'])
    {
        return None;
    }
    Some(read_list(text, text.len() - rest.len()))
}

fn read_list(text: &str, from: usize) -> Result<Box<[Option<u64>; 32]>, Mistake> {
    let mut lanes = Box::new([None; 32]);
    let mut at = from;
    for (idx, entry) in text[from..].split(',').enumerate() {
        let word = entry.trim();
        let start = at + entry.len() - entry.trim_start().len();
        let span = Span {
            start: start as u32,
            end: (start + word.len()) as u32,
            line: 1,
            column: text[..start].chars().count() as u32 + 1,
        };
        at += entry.len() + 1;
        let Some(lane) = lanes.get_mut(idx) else {
            return Err(Mistake::at(span, "A warp has 32 lanes; the list has more."));
        };
        let hex = word.strip_prefix("0x").or_else(|| word.strip_prefix("0X"));
        let number = hex.map_or_else(
            || word.parse().ok(),
            |digits| u64::from_str_radix(digits, 16).ok(),
        );
        *lane = match (word, number) {
            ("-", _) => None,
            (_, Some(byte)) => Some(byte),
            _ => {
                let message = format!("Lane {idx}: `{word}` is neither a number of bytes nor `-`.");
                return Err(Mistake::at(span, message));
            }
        };
    }
    Ok(lanes)
}

/// The evaluation of one lane.
struct Thread<'a> {
    playground: &'a Playground,
    values: Vec<i64>,
    lane: u32,
}

/// Why a term has no value: its position if known, and the reason.
type Failure = (Option<Span>, &'static str);

impl Thread<'_> {
    fn tid(&self) -> u64 {
        u64::from(self.playground.warp) * u64::from(WARP_SIZE) + u64::from(self.lane)
    }

    fn coordinate(&self, of: Coordinate) -> i64 {
        let block = self.playground.block.map(|extent| u64::from(extent.max(1)));
        let value = match of {
            Coordinate::Thread(0) => self.tid() % block[0],
            Coordinate::Thread(1) => self.tid() / block[0] % block[1],
            Coordinate::Thread(_) => self.tid() / block[0] / block[1],
            Coordinate::BlockDim(axis) => block[axis],
            Coordinate::Tid => self.tid(),
            Coordinate::Lane => u64::from(self.lane),
            Coordinate::Warp => u64::from(self.playground.warp),
        };
        value as i64
    }

    fn value(&self, term: &Term) -> Result<i64, Failure> {
        let large: Failure = (None, "overflows 64 bits");
        Ok(match term {
            Term::Number(value) => *value,
            Term::Of(coordinate) => self.coordinate(*coordinate),
            Term::Name(idx) => self.values.get(*idx).copied().unwrap_or(0),
            Term::Negative(term) => self.value(term)?.checked_neg().ok_or(large)?,
            Term::Complement(term) => !self.value(term)?,
            Term::Not(term) => i64::from(self.value(term)? == 0),
            Term::Arithmetic(op, a, b, span) => arithmetic(*op, self.value(a)?, self.value(b)?, *span)?,
            Term::Compare(op, a, b) => i64::from(compare(*op, self.value(a)?, self.value(b)?)),
            Term::Logical(LogicalOp::And, a, b) => i64::from(self.value(a)? != 0 && self.value(b)? != 0),
            Term::Logical(LogicalOp::Or, a, b) => i64::from(self.value(a)? != 0 || self.value(b)? != 0),
            Term::Choice(cond, then, otherwise) => {
                self.value(if self.value(cond)? != 0 { then } else { otherwise })?
            }
            Term::Least(a, b) => self.value(a)?.min(self.value(b)?),
            Term::Most(a, b) => self.value(a)?.max(self.value(b)?),
            Term::Cut(bits, signed, term) => {
                let value = self.value(term)?;
                let unused = 64 - bits;
                if *signed {
                    value << unused >> unused
                } else {
                    ((value as u64) << unused >> unused) as i64
                }
            }
        })
    }
}

fn arithmetic(op: BinaryOp, a: i64, b: i64, right: Span) -> Result<i64, Failure> {
    let shift = || {
        u32::try_from(b)
            .ok()
            .filter(|by| *by < 64)
            .ok_or((Some(right), "shifts by a number outside 0 to 63"))
    };
    let result = match op {
        BinaryOp::Add => a.checked_add(b),
        BinaryOp::Sub => a.checked_sub(b),
        BinaryOp::Mul => a.checked_mul(b),
        BinaryOp::Div | BinaryOp::Rem if b == 0 => return Err((Some(right), "divides by zero")),
        BinaryOp::Div => a.checked_div(b),
        BinaryOp::Rem => a.checked_rem(b),
        BinaryOp::And => Some(a & b),
        BinaryOp::Or => Some(a | b),
        BinaryOp::Xor => Some(a ^ b),
        BinaryOp::Shl => {
            let by = shift()?;
            a.checked_mul(
                1_i64
                    .checked_shl(by)
                    .filter(|factor| *factor > 0)
                    .unwrap_or(i64::MAX),
            )
        }
        BinaryOp::Shr => Some(a >> shift()?),
    };
    result.ok_or((Some(right), "overflows 64 bits"))
}

fn compare(op: CompareOp, a: i64, b: i64) -> bool {
    match op {
        CompareOp::Lt => a < b,
        CompareOp::Le => a <= b,
        CompareOp::Gt => a > b,
        CompareOp::Ge => a >= b,
        CompareOp::Eq => a == b,
        CompareOp::Ne => a != b,
    }
}

impl Playground {
    /// Computes the addresses of the warp's lanes.
    ///
    /// # Errors
    /// Returns what is wrong with an expression, with its column, or with the block or the declaration.
    pub fn lanes(&self) -> Result<Lanes, Mistake> {
        self.check()?;
        let expression = Expression::read(&self.expr)?;
        let when = match self.when.trim() {
            "" => None,
            text => Some(condition(text)?),
        };
        let mut lanes = Lanes {
            addresses: [0; 32],
            mask: LaneMask::EMPTY,
        };
        for lane in 0..WARP_SIZE {
            if u64::from(self.warp) * u64::from(WARP_SIZE) + u64::from(lane) >= self.threads() {
                break;
            }
            let in_part = |part: Part| move |mistake: Mistake| Mistake { part, ..mistake };
            if let Some((term, names, span)) = &when {
                let takes_part = self.value(term, names, lane, *span);
                if takes_part.map_err(in_part(Part::When))? == 0 {
                    continue;
                }
            }
            if let Some(address) = self.address(&expression, lane)? {
                lanes.addresses[lane as usize] = address;
                lanes.mask.0 |= 1 << lane;
            }
        }
        Ok(lanes)
    }

    fn check(&self) -> Result<(), Mistake> {
        let refused = |message: String| Err(Mistake::setting(message));
        if !(1..=MAX_THREADS).contains(&self.threads()) {
            return refused(format!(
                "A block has 1 to {MAX_THREADS} threads, not {}.",
                self.threads()
            ));
        }
        if self.warp >= self.warps() {
            return refused(format!(
                "The block has {} warps: warp {} does not exist.",
                self.warps(),
                self.warp
            ));
        }
        if !WIDTHS.contains(&self.elem) {
            return refused("A lane accesses 1, 2, 4, 8, or 16 bytes.".to_owned());
        }
        if self.op == AccessOp::Atomic && !matches!(self.elem, 4 | 8) {
            return refused("Atomics access 4 or 8 bytes.".to_owned());
        }
        if self.dims.is_empty() || self.dims.len() > 3 || self.dims.contains(&0) {
            return refused("An array has one to three extents, each at least 1.".to_owned());
        }
        if self.bytes() > self.limit() {
            return refused(format!(
                "The array {} with elements of {} bytes is larger than {}.",
                self.extents(),
                self.elem,
                self.limit_text()
            ));
        }
        Ok(())
    }

    /// Size of the addressable memory in bytes.
    fn limit(&self) -> u64 {
        match self.space {
            // The largest capacity of all architectures.
            Space::Shared => ArchId::ALL
                .into_iter()
                .map(|id| u64::from(architecture(id).occupancy.shared_per_sm_kib.value) * 1024)
                .max()
                .unwrap_or(0),
            Space::Global => GLOBAL_BYTES,
        }
    }

    fn limit_text(&self) -> String {
        match self.space {
            Space::Shared => format!(
                "the {} KB that the largest shared memory has",
                self.limit() / 1024
            ),
            Space::Global => "the 1 TB of global memory that the playground models".to_owned(),
        }
    }

    fn value(&self, term: &Term, names: &[String], lane: u32, span: Span) -> Result<i64, Mistake> {
        let thread = Thread {
            playground: self,
            values: names.iter().map(|name| self.value_of(name)).collect(),
            lane,
        };
        thread
            .value(term)
            .map_err(|(at, what)| Mistake::at(at.unwrap_or(span), format!("This {what} in lane {lane}.")))
    }

    /// The byte that a lane accesses; `None` if the lane is inactive.
    fn address(&self, expression: &Expression, lane: u32) -> Result<Option<u64>, Mistake> {
        let names = expression.names();
        let (bytes, span) = match &expression.place {
            Place::List(lanes) => match lanes[lane as usize] {
                Some(byte) => (i64::try_from(byte).unwrap_or(i64::MAX), None),
                None => return Ok(None),
            },
            Place::Byte(term, span) => (self.value(term, names, lane, *span)?, Some(*span)),
            Place::Element { indices } => {
                let mut values = Vec::with_capacity(indices.len());
                for (term, span) in indices {
                    values.push((self.value(term, names, lane, *span)?, *span));
                }
                let span = values.last().map(|(_, span)| *span);
                let element = self.element(&values, lane)?;
                (element.saturating_mul(i64::from(self.elem)), span)
            }
        };
        let wrong = |message: String| {
            Err(match span {
                Some(span) => Mistake::at(span, message),
                None => Mistake {
                    part: Part::Expr,
                    ..Mistake::setting(message)
                },
            })
        };
        let byte = u64::try_from(bytes)
            .ok()
            .map(|byte| byte.saturating_add(u64::from(self.start)));
        let size = u64::from(self.elem);
        match byte {
            None => wrong(format!(
                "Lane {lane} accesses byte {bytes}, before the start of memory."
            )),
            Some(byte) if byte.saturating_add(size) > self.limit() => wrong(format!(
                "Lane {lane} accesses byte {byte}, beyond {}.",
                self.limit_text()
            )),
            Some(byte) if byte % size != 0 => wrong(format!(
                "Lane {lane} accesses byte {byte}, which is not a multiple of its {size} bytes: the access faults."
            )),
            Some(byte) => Ok(Some(byte)),
        }
    }

    /// The linear index of an element in its array.
    fn element(&self, indices: &[(i64, Span)], lane: u32) -> Result<i64, Mistake> {
        if let [(index, span)] = indices {
            // A single index addresses the array as a whole, or memory.
            return if *index < 0 {
                Err(Mistake::at(
                    *span,
                    format!("The index is {index} in lane {lane}."),
                ))
            } else {
                Ok(*index)
            };
        }
        if indices.len() != self.dims.len() {
            let span = indices.last().map(|(_, span)| *span).unwrap_or_default();
            return Err(Mistake::at(
                span,
                format!(
                    "The array has {} extents, but the expression has {} indices.",
                    self.dims.len(),
                    indices.len()
                ),
            ));
        }
        let last = indices.len() - 1;
        let bits = i64::from(self.swizzle_bits());
        let mut element = 0_i64;
        let mut row = 0;
        for (axis, ((index, span), dim)) in indices.iter().zip(&self.dims).enumerate() {
            let extent = i64::from(*dim) + if axis == last { i64::from(self.pad) } else { 0 };
            if !(0..extent).contains(index) {
                return Err(Mistake::at(
                    *span,
                    format!("The index is {index} in lane {lane}, but this extent is {extent}."),
                ));
            }
            let index = if axis == last {
                index ^ (row & bits)
            } else {
                *index
            };
            row = index;
            element = element.saturating_mul(extent).saturating_add(index);
        }
        Ok(element)
    }
}

/// Parses the condition for active lanes, with the names that it needs.
fn condition(text: &str) -> Result<(Term, Vec<String>, Span), Mistake> {
    let in_when = |mistake: Mistake| Mistake {
        part: Part::When,
        ..mistake
    };
    let expression = Expression::read(text).map_err(in_when)?;
    let names = expression.names().to_vec();
    match expression.place {
        Place::Byte(term, span) => Ok((term, names, span)),
        Place::List(_) | Place::Element { .. } => Err(in_when(Mistake::at(
            Span {
                column: 1,
                ..Span::default()
            },
            "Write a condition for the active lanes, such as `lane < 16`.",
        ))),
    }
}
