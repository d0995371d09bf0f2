//! How a kernel uses its parameters, as far as its code shows: which threads a number bounds, and whose contents are indices.
//!
//! Every value has sources: the parameters, contents, and positions of threads from which it is computed. They are found without
//! regard to the order of operations, so that a kernel of any size takes little time.

use super::ir::{Def, Function, Inst, Module, Op, Space, SpecialReg, Type, Value};
use engine::isa::{ParamType, bank0};

/// Limit of the parameters that are followed; uses of others are unknown. Assumption: kernels that people paste have some ten.
const MAX_PARAMS: usize = 40;
/// Limit of the variables that are followed.
const MAX_SYMBOLS: usize = 32;

/// How a kernel uses its parameters and its threads.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Uses {
    /// By parameter.
    pub params: Vec<ParamUse>,
    /// The axes along which the kernel reads the thread's or the block's index.
    pub axes: [bool; 3],
    /// The axes along which it reads the block's index.
    pub block_axes: [bool; 3],
}

/// How a kernel uses one parameter.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ParamUse {
    /// For a number: the axes whose positions it bounds, as in `i < n`.
    pub bounds: [bool; 3],
    /// Whether it bounds a count that does not depend on the thread, as of a loop.
    pub bounds_loop: bool,
    /// The axes whose positions it multiplies.
    pub scales: [bool; 3],
    /// Whether it multiplies other numbers, such as the counter of a loop.
    pub scales_other: bool,
    /// Whether it divides.
    pub divides: bool,
    /// For a pointer: whether the kernel loads its contents other than by atomic operations.
    pub is_loaded: bool,
    /// Whether atomic operations change its contents.
    pub is_updated: bool,
    /// Whether its contents are a part of addresses.
    pub indexes: bool,
    /// The least elements of an array of fixed size that its contents index; 0 without one.
    pub indexed_elements: u32,
    /// Parameters that its contents are compared with.
    pub below: Vec<u16>,
    /// Whether its contents are both ends of ranges of indices, as row offsets are.
    pub delimits: bool,
    /// Whether its contents bound a count, as lengths do.
    pub counts: bool,
}

/// The sources of a value, as a set of bits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Sources(u128);

const PARAMS: usize = 3;
const CONTENTS: usize = PARAMS + MAX_PARAMS;
const SYMBOLS: usize = CONTENTS + MAX_PARAMS;

impl Sources {
    const fn one(bit: usize) -> Self {
        Self(1 << bit)
    }

    const fn with(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    const fn has(self, bit: usize) -> bool {
        self.0 >> bit & 1 == 1
    }

    fn bits(self, first: usize, num: usize) -> impl Iterator<Item = usize> {
        (0..num).filter(move |idx| self.has(first + idx))
    }

    fn params(self) -> impl Iterator<Item = usize> {
        self.bits(PARAMS, MAX_PARAMS)
    }

    fn contents(self) -> impl Iterator<Item = usize> {
        self.bits(CONTENTS, MAX_PARAMS)
    }

    fn axes(self) -> impl Iterator<Item = usize> {
        self.bits(0, 3)
    }

    /// The parameter that is the only source.
    fn only_param(self) -> Option<usize> {
        let param = self.params().next()?;
        (self == Self::one(PARAMS + param)).then_some(param)
    }

    fn has_no_thread(self) -> bool {
        self.axes().next().is_none()
    }
}

/// Finds how the kernel of an optimized module uses its parameters.
pub(crate) fn uses(module: &Module) -> Uses {
    let Some(function) = module.functions.first() else {
        return Uses::default();
    };
    let mut finder = Finder {
        module,
        function,
        sources: vec![Sources::default(); function.values.len()],
        stored: [Sources::default(); 2],
        found: Uses {
            params: vec![ParamUse::default(); module.params.len()],
            ..Uses::default()
        },
    };
    finder.leaves();
    while finder.pass() {}
    for block in &function.blocks {
        for inst in &block.insts {
            finder.note(inst);
        }
    }
    finder.found
}

struct Finder<'m> {
    module: &'m Module,
    function: &'m Function,
    sources: Vec<Sources>,
    /// The sources of what is stored in shared and in local memory.
    stored: [Sources; 2],
    found: Uses,
}

impl Finder<'_> {
    fn of(&self, value: Value) -> Sources {
        self.sources[value.0 as usize]
    }

    fn all(&self, values: &[Value]) -> Sources {
        values
            .iter()
            .fold(Sources::default(), |all, value| all.with(self.of(*value)))
    }

    fn leaves(&mut self) {
        for (info, sources) in self.function.values.iter().zip(&mut self.sources) {
            match info.def {
                Def::Bank0(offset) if offset >= bank0::PARAMS => {
                    let offset = u32::from(offset - bank0::PARAMS);
                    let is_it = |param: &engine::isa::Param| {
                        (param.offset..param.offset + param.size).contains(&offset)
                    };
                    if let Some(idx) = self
                        .module
                        .params
                        .iter()
                        .position(is_it)
                        .filter(|idx| *idx < MAX_PARAMS)
                    {
                        *sources = Sources::one(PARAMS + idx);
                    }
                }
                Def::Shared(symbol) | Def::Constant(symbol) if (symbol.0 as usize) < MAX_SYMBOLS => {
                    *sources = Sources::one(SYMBOLS + symbol.0 as usize);
                }
                _ => {}
            }
        }
    }

    fn is_pointer(&self, param: usize) -> bool {
        matches!(self.module.params[param].ty, ParamType::Pointer { .. })
    }

    /// The pointers into which an address leads.
    fn bases(&self, address: Sources) -> Vec<usize> {
        address.params().filter(|param| self.is_pointer(*param)).collect()
    }

    /// The sources of an operation's results.
    fn results(&self, inst: &Inst) -> Sources {
        match inst.op {
            Op::Special(SpecialReg::TidX | SpecialReg::CtaidX) => Sources::one(0),
            Op::Special(SpecialReg::TidY | SpecialReg::CtaidY) => Sources::one(1),
            Op::Special(SpecialReg::TidZ | SpecialReg::CtaidZ) => Sources::one(2),
            Op::Load(access) => match access.space {
                Space::Global | Space::Generic => self.contents_at(inst),
                Space::Shared => self.stored[0],
                Space::Local => self.stored[1],
                Space::Const | Space::Param => Sources::default(),
            },
            Op::Atom {
                space: Space::Shared, ..
            } => self.stored[0],
            Op::Atom { .. } => self.contents_at(inst),
            _ => self.all(&inst.args),
        }
    }

    fn contents_at(&self, inst: &Inst) -> Sources {
        let address = inst
            .args
            .first()
            .map_or_else(Sources::default, |address| self.of(*address));
        let bases = self.bases(address).into_iter();
        bases.fold(Sources::default(), |all, base| {
            all.with(Sources::one(CONTENTS + base))
        })
    }

    /// Computes all sources once. Returns whether some changed.
    fn pass(&mut self) -> bool {
        let function = self.function;
        let mut changed = false;
        for block in &function.blocks {
            for inst in &block.insts {
                let sources = self.results(inst);
                for result in &inst.results {
                    changed |= self.add(*result, sources);
                }
                if let Op::Store(access) = inst.op
                    && let Some(at) = [Space::Shared, Space::Local]
                        .iter()
                        .position(|space| *space == access.space)
                {
                    let with = self.stored[at].with(self.all(&inst.args[1..]));
                    changed |= with != self.stored[at];
                    self.stored[at] = with;
                }
            }
            for edge in block.end.edges() {
                for (param, arg) in function.at(edge.to).params.iter().zip(&edge.args) {
                    let sources = self.of(*arg);
                    changed |= self.add(*param, sources);
                }
            }
        }
        changed
    }

    fn add(&mut self, value: Value, sources: Sources) -> bool {
        let own = &mut self.sources[value.0 as usize];
        let with = own.with(sources);
        let changed = with != *own;
        *own = with;
        changed
    }

    /// Notes what an operation shows.
    fn note(&mut self, inst: &Inst) {
        match inst.op {
            Op::Special(register) => {
                let axes = match register {
                    SpecialReg::TidX => Some((0, false)),
                    SpecialReg::TidY => Some((1, false)),
                    SpecialReg::TidZ => Some((2, false)),
                    SpecialReg::CtaidX => Some((0, true)),
                    SpecialReg::CtaidY => Some((1, true)),
                    SpecialReg::CtaidZ => Some((2, true)),
                    _ => None,
                };
                if let Some((axis, is_block)) = axes {
                    self.found.axes[axis] = true;
                    self.found.block_axes[axis] |= is_block;
                }
            }
            Op::Load(access) => self.access(inst, access.space, access.bytes(), false),
            Op::Store(access) => self.access(inst, access.space, access.bytes(), false),
            Op::Atom { space, .. } => self.access(inst, space, 4, true),
            Op::ICmp { .. } => {
                let [left, right] = inst.args[..] else { return };
                self.compare(left, right);
                self.compare(right, left);
            }
            Op::Min { .. } | Op::Max { .. } => {
                let [left, right] = inst.args[..] else { return };
                self.compare(left, right);
                self.compare(right, left);
            }
            Op::Mul | Op::MulWide { .. } | Op::Mul24 { .. } => {
                let [left, right] = inst.args[..] else { return };
                self.product(left, right);
                self.product(right, left);
            }
            Op::Div { .. } | Op::Rem { .. } => {
                if let Some(param) = self.of(inst.args[1]).only_param() {
                    self.found.params[param].divides = true;
                }
            }
            _ => {}
        }
    }

    fn access(&mut self, inst: &Inst, space: Space, bytes: u32, is_update: bool) {
        let address = self.of(inst.args[0]);
        let is_load = matches!(inst.op, Op::Load(_));
        if matches!(space, Space::Global | Space::Generic) {
            for base in self.bases(address) {
                let found = &mut self.found.params[base];
                found.is_loaded |= is_load;
                found.is_updated |= is_update;
            }
        }
        for param in address.contents() {
            self.found.params[param].indexes = true;
            if matches!(space, Space::Shared | Space::Const) {
                let sizes = address
                    .bits(SYMBOLS, MAX_SYMBOLS)
                    .map(|symbol| self.module.symbols[symbol].size);
                if let Some(size) = sizes.filter(|size| *size > 0).min() {
                    let elements = (size / bytes.max(1)).max(1);
                    let found = &mut self.found.params[param];
                    found.indexed_elements = match found.indexed_elements {
                        0 => elements,
                        least => least.min(elements),
                    };
                }
            }
        }
    }

    /// Notes that `value` is compared with `bound`.
    fn compare(&mut self, value: Value, bound: Value) {
        let (left, right) = (self.of(value), self.of(bound));
        if !matches!(self.function.ty(bound), Type::I32 | Type::I64) {
            return;
        }
        if let Some(param) = right.only_param().filter(|param| !self.is_pointer(*param)) {
            if left.contents().next().is_some() {
                for contents in left.contents() {
                    let below = &mut self.found.params[contents].below;
                    if !below.contains(&(param as u16)) {
                        below.push(param as u16);
                    }
                }
            } else if left.has_no_thread() {
                // A condition on the number alone, as `n > 0`, says nothing.
                let is_count = self.function.def(value) == Def::Node && left != right;
                self.found.params[param].bounds_loop |= is_count;
            } else {
                for axis in left.axes() {
                    self.found.params[param].bounds[axis] = true;
                }
            }
        }
        for contents in right.contents().collect::<Vec<_>>() {
            if left.has(CONTENTS + contents) {
                self.found.params[contents].delimits = true;
            } else if left.has_no_thread() && self.function.def(value) == Def::Node {
                self.found.params[contents].counts = true;
            }
        }
    }

    /// Notes a product with `factor`.
    fn product(&mut self, value: Value, factor: Value) {
        let (value, factor) = (self.of(value), self.of(factor));
        let Some(param) = factor.only_param() else { return };
        let found = &mut self.found.params[param];
        for axis in value.axes() {
            found.scales[axis] = true;
        }
        found.scales_other |= value.has_no_thread();
    }
}
