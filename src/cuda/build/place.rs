//! Translates places: locations of variables and elements, loads, and stores.

use super::*;
use crate::ir::MemCache;

/// Maximum number of scalars that are loaded as one value.
const MAX_VALUE: u64 = 8192;

/// A translated place.
#[derive(Clone, Debug)]
pub(super) enum Loc {
    /// A variable, or part of one, that is bound to its value.
    Value(Val),
    Memory(Mem),
}

impl Builder<'_> {
    pub(super) fn mem(&self, space: Space, addr: Value, offset: i32) -> Mem {
        Mem {
            space,
            addr,
            offset,
            volatile: false,
            cache: MemCache::Default,
            invariant: false,
        }
    }

    /// The memory of a local variable of the current frame.
    pub(super) fn local_memory(&mut self, id: hir::LocalId) -> Mem {
        let index = id.0 as usize;
        if let Bind::Memory(mem) = self.frame().binds[index] {
            return mem;
        }
        let unit = self.unit;
        let function = self.frame().id;
        let local = &unit.function(function).locals[index];
        let size = unit.size_of(&local.ty);
        let mut mem = match local.storage {
            hir::Storage::Automatic => {
                if size > 512 * 1024 {
                    self.error(format!(
                        "`{}` takes {size} bytes; a thread has 512 KB of local memory.",
                        local.name
                    ));
                }
                let slot = self.function.slot(
                    local.name.clone(),
                    size as u32,
                    local.align.max(unit.align_of(&local.ty)),
                );
                let addr = self.function.leaf(Type::I32, Def::Slot(slot));
                self.mem(Space::Local, addr, 0)
            }
            hir::Storage::Shared | hir::Storage::DynamicShared => {
                let symbol = if let Some(symbol) = self.local_symbols.get(&(function, id)) {
                    *symbol
                } else {
                    let align = local.align.max(unit.align_of(&local.ty));
                    let symbol = self.symbol(&local.name, SymbolSpace::Shared, 0, &local.ty, align);
                    if local.storage == hir::Storage::DynamicShared {
                        self.dynamic_shared.push(symbol);
                    }
                    self.local_symbols.insert((function, id), symbol);
                    symbol
                };
                let addr = self.function.leaf(Type::I32, Def::Shared(symbol));
                self.mem(Space::Shared, addr, 0)
            }
        };
        mem.volatile = local.is_volatile;
        self.frame().binds[index] = Bind::Memory(mem);
        mem
    }

    fn global_memory(&mut self, id: hir::GlobalId) -> Mem {
        let unit = self.unit;
        let global = unit.global(id);
        if global.space == hir::GlobalSpace::Texture {
            return self.texture_memory(id);
        }
        let symbol = if let Some(symbol) = self.global_symbols[id.0 as usize] {
            symbol
        } else {
            let align = global.align.max(unit.align_of(&global.ty));
            let symbol = self.symbol(&global.name, SymbolSpace::Shared, 0, &global.ty, align);
            if global.space == hir::GlobalSpace::DynamicShared {
                self.dynamic_shared.push(symbol);
            }
            self.global_symbols[id.0 as usize] = Some(symbol);
            symbol
        };
        let mut mem = match global.space {
            hir::GlobalSpace::Constant => {
                let addr = self.function.leaf(Type::I32, Def::Constant(symbol));
                Mem {
                    invariant: true,
                    ..self.mem(Space::Const, addr, 0)
                }
            }
            hir::GlobalSpace::Device => {
                let ty = self.module.pointer_type();
                let addr = self.function.leaf(ty, Def::Bank0(bank0::GLOBAL_SEGMENT));
                self.mem(
                    Space::Global,
                    addr,
                    self.module.symbols[symbol.0 as usize].offset as i32,
                )
            }
            hir::GlobalSpace::Shared | hir::GlobalSpace::DynamicShared | hir::GlobalSpace::Texture => {
                let addr = self.function.leaf(Type::I32, Def::Shared(symbol));
                self.mem(Space::Shared, addr, 0)
            }
        };
        mem.volatile = global.is_volatile;
        mem
    }

    /// The location of a texture reference's address: a hidden parameter after the kernel's parameters.
    fn texture_memory(&mut self, id: hir::GlobalId) -> Mem {
        let unit = self.unit;
        let offset = if let Some(offset) = self.textures.get(&id.0) {
            *offset
        } else {
            let global = unit.global(id);
            let offset = self.module.param_bytes.next_multiple_of(unit.pointer_bytes);
            self.module.params.push(isa::Param {
                name: global.name.clone(),
                ty: param_type(&global.ty, unit.pointer_bytes),
                c_type: "texture".to_owned(),
                offset,
                size: unit.pointer_bytes,
            });
            self.module.param_traits.push(ir::ParamTraits {
                pointer: true,
                restrict: true,
                read_only: true,
            });
            self.module.param_bytes = offset + unit.pointer_bytes;
            self.textures.insert(id.0, offset);
            offset
        };
        let addr = self.function.i32(0);
        Mem {
            invariant: true,
            ..self.mem(Space::Param, addr, (u32::from(bank0::PARAMS) + offset) as i32)
        }
    }

    /// The memory that a pointer points to.
    pub(super) fn pointee(&mut self, pointer: &Val) -> Mem {
        match pointer {
            Val::In(space, addr) => {
                let invariant = matches!(space, Space::Const | Space::Param);
                Mem {
                    invariant,
                    ..self.mem(*space, *addr, 0)
                }
            }
            other => {
                let addr = self.one(other);
                self.mem(Space::Generic, addr, 0)
            }
        }
    }

    pub(super) fn place(&mut self, place: &hir::Place) -> Loc {
        let mut loc = match &place.kind {
            hir::PlaceKind::Local(id) => match &self.frame().binds[id.0 as usize] {
                Bind::Value(val) => Loc::Value(val.clone()),
                _ => Loc::Memory(self.local_memory(*id)),
            },
            hir::PlaceKind::Global(id) => Loc::Memory(self.global_memory(*id)),
            hir::PlaceKind::Deref(pointer) => {
                let pointer = self.expr(pointer);
                Loc::Memory(self.pointee(&pointer))
            }
            hir::PlaceKind::Field { base, field, offset } => match self.place(base) {
                Loc::Value(Val::Parts(mut parts)) if (*field as usize) < parts.len() => {
                    Loc::Value(parts.swap_remove(*field as usize))
                }
                Loc::Value(_) => Loc::Value(self.undef(&place.ty)),
                Loc::Memory(mem) => Loc::Memory(Mem {
                    offset: mem.offset + *offset as i32,
                    ..mem
                }),
            },
        };
        if let Loc::Memory(mem) = &mut loc {
            mem.volatile |= place.is_volatile;
        }
        loc
    }

    pub(super) fn load_place(&mut self, place: &hir::Place) -> Val {
        match self.place(place) {
            Loc::Value(val) => val,
            Loc::Memory(mem) => self.load(mem, &place.ty),
        }
    }

    /// The memory of a place that is written.
    pub(super) fn target(&mut self, place: &hir::Place) -> Mem {
        match self.place(place) {
            Loc::Memory(mem) => mem,
            Loc::Value(_) => {
                self.error("This expression is not a modifiable lvalue.");
                let addr = self.i32(0);
                self.mem(Space::Local, addr, 0)
            }
        }
    }

    /// The address of a memory location as a pointer.
    pub(super) fn address(&mut self, mem: Mem) -> Val {
        let addr = if mem.offset == 0 {
            mem.addr
        } else if matches!(mem.space, Space::Global | Space::Generic) {
            let ty = self.module.pointer_type();
            let offset = self.function.constant(ty, i64::from(mem.offset) as u64);
            self.op(ty, Op::PtrAdd, &[mem.addr, offset])
        } else {
            let offset = self.i32(mem.offset);
            self.op(Type::I32, Op::Add, &[mem.addr, offset])
        };
        match mem.space {
            Space::Global | Space::Generic => Val::One(addr),
            space => Val::In(space, addr),
        }
    }

    pub(super) fn access(&self, mem: Mem, at: u32, width: MemWidth, count: u8) -> Access {
        Access {
            space: mem.space,
            width,
            count,
            volatile: mem.volatile,
            cache: mem.cache,
            offset: mem.offset + at as i32,
            invariant: mem.invariant,
        }
    }

    /// The accesses that move a value of type `ty`: offset, width, and element types. Adjacent scalars are
    /// combined as far as the alignment allows. `None` for a vector of narrow elements, which moves as a word.
    fn pieces(&self, ty: &hir::Type) -> Vec<(u32, MemWidth, Vec<Type>)> {
        let align = self.unit.align_of(ty).clamp(1, 16);
        let mut leaves = Vec::new();
        self.leaves(ty, 0, &mut |offset, leaf| {
            leaves.push((offset, self.scalar(leaf)));
        });
        let mut pieces: Vec<(u32, MemWidth, Vec<Type>)> = Vec::new();
        let mut at = 0;
        while at < leaves.len() {
            let (offset, (_, width)) = leaves[at];
            let bytes = width.bytes();
            let mut count = 1;
            for want in [4_usize, 2] {
                let whole = bytes * want as u32;
                let fits = bytes >= 4 && whole <= 16 && whole <= align && offset % whole == 0;
                let same = leaves.len() - at >= want
                    && (0..want).all(|k| {
                        leaves[at + k].0 == offset + k as u32 * bytes && leaves[at + k].1.1.bytes() == bytes
                    });
                if fits && same {
                    count = want;
                    break;
                }
            }
            let types = leaves[at..at + count].iter().map(|leaf| leaf.1.0).collect();
            pieces.push((offset, width, types));
            at += count;
        }
        pieces
    }

    /// The word type in which a vector of narrow elements moves, unless it is a variable that can become
    /// values.
    fn packed(&self, mem: Mem, ty: &hir::Type) -> Option<(MemWidth, u8, u32)> {
        let hir::Type::Vector(vector) = ty else {
            return None;
        };
        let in_slot = mem.space == Space::Local && matches!(self.function.def(mem.addr), Def::Slot(_));
        let elem = vector.elem_bytes();
        if elem >= 4 || in_slot {
            return None;
        }
        match elem * u32::from(vector.lanes) {
            2 if vector.lanes == 2 => Some((MemWidth::U16, 1, elem)),
            4 if vector.lanes != 3 => Some((MemWidth::B32, 1, elem)),
            8 if vector.lanes == 4 => Some((MemWidth::B32, 2, elem)),
            _ => None,
        }
    }

    pub(super) fn load(&mut self, mem: Mem, ty: &hir::Type) -> Val {
        let num = self.unit.size_of(ty);
        if num > MAX_VALUE && self.extent(ty).0 > MAX_VALUE {
            self.error(format!(
                "This copies more than {MAX_VALUE} numbers as one value; pass a pointer or a reference, or copy them in \
                 a loop."
            ));
            return self.undef(&hir::Type::Void);
        }
        if let (hir::Type::Vector(vector), Some((width, count, elem))) = (ty, self.packed(mem, ty)) {
            let words: Vec<_> = (0..count).map(|_| self.function.value(Type::I32)).collect();
            let access = self.access(mem, 0, width, count);
            self.emit(Op::Load(access), &[mem.addr], words.clone());
            if vector.elem.is_half() && elem * u32::from(vector.lanes) >= 4 {
                let halves = words.iter().flat_map(|word| self.halves_of(*word));
                return Val::Parts(halves.map(Val::One).collect());
            }
            let per_word = 4 / elem;
            let lanes = (0..u32::from(vector.lanes)).map(|lane| {
                let word = words[(lane / per_word) as usize];
                Val::One(self.narrow_field(word, lane % per_word * elem * 8, &vector.elem))
            });
            return Val::Parts(lanes.collect());
        }
        // Structs with narrow members or vectors are moved member by member.
        if let hir::Type::Struct(_) = ty
            && self.has_narrow(ty)
        {
            let fields = self.unit.fields(ty);
            let parts = fields.iter().map(|(field, offset)| {
                self.load(
                    Mem {
                        offset: mem.offset + *offset as i32,
                        ..mem
                    },
                    field,
                )
            });
            return Val::Parts(parts.collect());
        }
        let mut values = Vec::new();
        for (offset, width, types) in self.pieces(ty) {
            let results: Vec<_> = types.iter().map(|ty| self.function.value(*ty)).collect();
            values.extend(&results);
            let access = self.access(mem, offset, width, results.len() as u8);
            self.emit(Op::Load(access), &[mem.addr], results);
        }
        self.unflatten(ty, &mut values.into_iter())
    }

    /// Splits a word into its two halves.
    pub(super) fn halves_of(&mut self, word: Value) -> [Value; 2] {
        let pair = self.op(Type::F16x2, Op::Bitcast, &[word]);
        [Op::HalfLow, Op::HalfHigh].map(|half| self.op(Type::F16, half, &[pair]))
    }

    /// Packs two halves into a word.
    pub(super) fn word_of(&mut self, halves: &[Value]) -> Value {
        let pair = self.op(Type::F16x2, Op::PackHalves, halves);
        self.op(Type::I32, Op::Bitcast, &[pair])
    }

    fn has_narrow(&self, ty: &hir::Type) -> bool {
        let mut narrow = false;
        self.leaves(ty, 0, &mut |_, leaf| narrow |= self.scalar(leaf).1.bytes() < 4);
        narrow
    }

    pub(super) fn store(&mut self, mem: Mem, ty: &hir::Type, val: Val) {
        if matches!(mem.space, Space::Const | Space::Param) {
            self.error("Constant memory is read-only in kernels.");
            return;
        }
        if let (Some((width, count, elem)), Val::Parts(parts)) = (self.packed(mem, ty), &val) {
            let mut words = Vec::new();
            let per_word = (4 / elem) as usize;
            let parts = parts.clone();
            for chunk in parts.chunks(per_word) {
                if let [low, high] = chunk
                    && matches!(ty, hir::Type::Vector(vector) if vector.elem.is_half())
                {
                    let halves = [self.one(low), self.one(high)];
                    words.push(self.word_of(&halves));
                    continue;
                }
                let lanes: Vec<_> = chunk
                    .iter()
                    .map(|part| {
                        let value = self.one(part);
                        self.as_word(value)
                    })
                    .collect();
                words.push(self.join(&lanes, elem));
            }
            let access = self.access(mem, 0, width, count);
            let mut args = vec![mem.addr];
            args.extend(words);
            self.emit(Op::Store(access), &args, Vec::new());
            return;
        }
        if let (hir::Type::Struct(_), Val::Parts(parts)) = (ty, &val)
            && self.has_narrow(ty)
        {
            let fields = self.unit.fields(ty);
            for ((field, offset), part) in fields.iter().zip(parts.clone()) {
                self.store(
                    Mem {
                        offset: mem.offset + *offset as i32,
                        ..mem
                    },
                    field,
                    part,
                );
            }
            return;
        }
        let mut values = Vec::new();
        self.flatten(&val, &mut values);
        let mut values = values.into_iter();
        for (offset, width, types) in self.pieces(ty) {
            let mut args = vec![mem.addr];
            args.extend(values.by_ref().take(types.len()));
            let access = self.access(mem, offset, width, types.len() as u8);
            if args.len() == types.len() + 1 {
                self.emit(Op::Store(access), &args, Vec::new());
            }
        }
    }

    /// Packs narrow elements into a word.
    fn join(&mut self, lanes: &[Value], elem: u32) -> Value {
        let selector = |number: i32, this: &mut Self| this.i32(number);
        match (lanes, elem) {
            ([a, b], 1) => {
                let nibbles = selector(0x0040, self);
                self.op(Type::I32, Op::BytePerm, &[*a, *b, nibbles])
            }
            ([a, b], _) => {
                let nibbles = selector(0x5410, self);
                self.op(Type::I32, Op::BytePerm, &[*a, *b, nibbles])
            }
            ([a, b, c, d], _) => {
                let nibbles = selector(0x0040, self);
                let low = self.op(Type::I32, Op::BytePerm, &[*a, *b, nibbles]);
                let high = self.op(Type::I32, Op::BytePerm, &[*c, *d, nibbles]);
                let nibbles = selector(0x5410, self);
                self.op(Type::I32, Op::BytePerm, &[low, high, nibbles])
            }
            _ => lanes.first().copied().unwrap_or_else(|| self.i32(0)),
        }
    }
}
