//! Selects memory accesses, warp operations, and other machine operations.

use super::{Class, Generation, Inst, Loc, Op, Place, Select, Type, VInst, VPred, VSrc, Value, ir};
use crate::ir::{Access, Space, SpecialReg};
use engine::isa::{self, CacheOp, NumType, VoteMode, Width, window};

impl<'a> Select<'a> {
    pub(super) fn machine(&mut self, inst: &'a Inst) {
        use ir::Op as I;
        let args = &inst.args;
        match inst.op {
            I::Load(access) => self.load(inst, access),
            I::Store(access) => self.store(inst, access),
            I::Fetch { width, count } => self.fetch(inst, width, count),
            I::Image { .. } => self.image(inst),
            I::Atom {
                space,
                op,
                ty,
                offset,
            } => self.atom(inst, space, op.isa(), ty.isa(), offset),
            // Like nvcc: the lanes that execute the instruction, even if it is predicated.
            I::Special(SpecialReg::ActiveMask) => {
                let vinst = VInst::new(Op::Vote {
                    mode: VoteMode::Any,
                    sync: false,
                });
                self.push_with_results(vinst, inst, true);
            }
            I::Special(special) => {
                let special = special.isa();
                let place = self.op(Op::S2r { special }, &[]);
                self.define_first(inst, place);
            }
            I::ToGeneric(space) => self.to_generic(inst, space),
            I::FromGeneric(_) => {
                // Windows are aligned to their size.
                let low = self.word(args[0], 0);
                let place = if self.target.wide_pointers {
                    self.to_register(low)
                } else {
                    self.and(low, VSrc::imm((window::SIZE - 1) as u32))
                };
                self.define_first(inst, place);
            }
            I::IsSpace(space) => self.is_space(inst, space),
            I::Membar(level) => self.push(VInst::new(Op::Membar { level })),
            I::LoadMatrices { num, transposed } => {
                let (base, offset) = self.address(args[0], Space::Shared, 0);
                let place = self.fresh(num);
                let mut load = VInst::new(Op::Ldsm { num, transposed });
                load.dst = Some(place);
                load.srcs[0] = base;
                load.offset = offset;
                self.push(load);
                for (word, result) in inst.results.iter().enumerate() {
                    self.define(*result, place.at(word as u8));
                }
            }
            I::StoreMatrices { num, transposed } => self.store_matrices(inst, num, transposed),
            I::AsyncCopy { size, bypass } => self.async_copy(inst, size, bypass),
            I::AsyncCommit => self.push(VInst::new(Op::Ldgdepbar)),
            I::AsyncWait => self.async_wait(inst),
            I::Barrier(kind) => self.barrier(inst, kind.isa()),
            I::Shfl(mode) => self.shuffle(inst, mode.isa()),
            I::Vote(vote) => self.vote(inst, vote),
            I::Warp(op) => self.warp_instruction(inst, op),
            I::WarpSync if self.target.has(Op::Warpsync) => {
                let mask = self.src(args[0]);
                self.plain(Op::Warpsync, &[mask]);
            }
            I::Nanosleep => {
                if self.target.has(Op::Nanosleep) {
                    let time = self.src(args[0]);
                    self.plain(Op::Nanosleep, &[time]);
                } else {
                    self.error("`__nanosleep` needs compute capability 7.0.");
                }
            }
            I::Trap => self.push(VInst::new(Op::Trap)),
            I::Vprintf | I::AssertFail => self.library_call(inst),
            I::Call(callee) => self.call(inst, callee),
            _ => {}
        }
    }

    fn plain(&mut self, op: Op, srcs: &[VSrc]) {
        let mut inst = VInst::new(op);
        for (slot, src) in inst.srcs.iter_mut().zip(srcs) {
            *slot = *src;
        }
        self.push(inst);
    }

    /// `printf`, or a failed assertion.
    fn library_call(&mut self, inst: &'a Inst) {
        let wide = self.target.wide_pointers;
        let is_printf = matches!(inst.op, ir::Op::Vprintf);
        let mut call = VInst::new(if is_printf {
            Op::Vprintf { wide }
        } else {
            Op::AssertFail { wide }
        });
        for (src, arg) in call.srcs.iter_mut().zip(&inst.args) {
            *src = VSrc::reg(self.in_register(*arg));
        }
        self.push_with_results(call, inst, true);
    }

    fn define_first(&mut self, inst: &Inst, place: Place) {
        if let Some(result) = inst.results.first() {
            self.define(*result, place);
        }
    }

    // ---- addresses

    const fn is_wide(&self, space: Space) -> bool {
        matches!(space, Space::Global | Space::Generic) && self.target.wide_pointers
    }

    /// The base register and offset of an address; constant parts are folded into the offset.
    fn address(&mut self, value: Value, space: Space, offset: i32) -> (VSrc, i32) {
        let wide = self.is_wide(space);
        let mut at = value;
        let mut offset = i64::from(offset);
        loop {
            if !wide && let Some(bits) = self.immediate_i32(at) {
                let sum = offset + i64::from(bits);
                return match i32::try_from(sum) {
                    Ok(sum) => (VSrc::ZERO, sum),
                    Err(_) => (VSrc::reg(self.to_register(VSrc::imm(bits as u32))), offset as i32),
                };
            }
            let Some(inst) = self.def(at) else { break };
            let folds = match inst.op {
                ir::Op::PtrAdd => true,
                ir::Op::Add => !wide,
                _ => false,
            };
            if !folds {
                break;
            }
            let next = [(inst.args[0], inst.args[1]), (inst.args[1], inst.args[0])]
                .into_iter()
                .find_map(|(base, by)| {
                    let bits = self.immediate(by)?;
                    let by = if wide {
                        bits as i64
                    } else {
                        i64::from(bits as u32 as i32)
                    };
                    let sum = offset.checked_add(by)?;
                    // Offsets have 24 bits.
                    (-(1 << 23)..1 << 23).contains(&sum).then_some((base, sum))
                });
            let Some((base, sum)) = next else {
                if let (false, Some((p, r, by))) = (wide, self.constant_inside(inst))
                    && let Some(sum) = offset.checked_add(by)
                    && (-(1 << 23)..1 << 23).contains(&sum)
                {
                    return (VSrc::reg(self.add_words(p, r)), sum as i32);
                }
                break;
            };
            at = base;
            offset = sum;
        }
        if let (ir::Def::Slot(slot), Some(pointer)) = (self.function.def(at), self.frame_pointer) {
            let base = Place {
                vreg: pointer,
                unit: 0,
            };
            let offset = offset as i32 + self.slot_offsets[slot.0 as usize] as i32;
            return (VSrc::reg(base), offset);
        }
        let base = self.in_register(at);
        (VSrc::reg(base), offset as i32)
    }

    /// A sum p + (r + constant) whose constant can be folded into the offset of an access.
    fn constant_inside(&self, sum: &Inst) -> Option<(Value, Value, i64)> {
        for (p, q) in [(sum.args[0], sum.args[1]), (sum.args[1], sum.args[0])] {
            let Some(inner) = self.sole_def(q) else { continue };
            if !matches!(inner.op, ir::Op::Add) {
                continue;
            }
            for (r, by) in [(inner.args[0], inner.args[1]), (inner.args[1], inner.args[0])] {
                if let Some(by) = self.immediate_i32(by)
                    && self.immediate(r).is_none()
                    && self.immediate(p).is_none()
                {
                    return Some((p, r, i64::from(by)));
                }
            }
        }
        None
    }

    fn isa_space(space: Space) -> isa::Space {
        match space {
            Space::Global => isa::Space::Global,
            Space::Shared => isa::Space::Shared,
            Space::Local | Space::Const | Space::Param => isa::Space::Local,
            Space::Generic => isa::Space::Generic,
        }
    }

    /// The width of a whole access, and of its elements.
    fn whole_width(access: Access) -> Width {
        match (access.count, access.bytes()) {
            (1, _) => access.width.width(),
            (_, 2) => Width::U16,
            (_, 4) => Width::B32,
            (_, 8) => Width::B64,
            _ => Width::B128,
        }
    }

    fn check_generic(&mut self, space: Space) {
        if matches!(space, Space::Generic) && self.target.is(Generation::Tesla) {
            self.error("The compiler does not know what the pointer points to: compute capability 1.x has no generic addresses. Use a pointer to one memory, global, shared, or local, on every path.");
        }
    }

    fn load(&mut self, inst: &'a Inst, access: Access) {
        self.check_generic(access.space);
        let width = Self::whole_width(access);
        let units = (access.bytes().div_ceil(4) as u8).max(1);
        let (bank, base_offset) = match access.space {
            Space::Const => (Some(3), access.offset),
            Space::Param => (Some(0), access.offset),
            _ => (None, access.offset),
        };
        let (base, offset) = self.address(inst.args[0], access.space, base_offset);
        let Some(bank) = bank else {
            let place = self.fresh(units);
            let mut ld = VInst::new(Op::Ld {
                space: Self::isa_space(access.space),
                width,
                cache: if self.is_constant_everywhere(inst.args[0], access) {
                    CacheOp::Ldu
                } else {
                    self.cache_of(access)
                },
                wide: self.is_wide(access.space),
            });
            ld.dst = Some(place);
            ld.srcs[0] = base;
            ld.offset = offset;
            self.push(ld);
            return self.define_elements(inst, access, place);
        };
        // The instructions that need a value at a constant address can read it in place.
        if base == VSrc::ZERO
            && access.width.bytes() >= 4
            && offset % 4 == 0
            && let Ok(start) = u16::try_from(offset)
        {
            for (idx, result) in inst.results.iter().enumerate() {
                let offset = start + (idx as u32 * access.width.bytes()) as u16;
                self.places[result.0 as usize] = Some(Loc::Const { bank, offset });
            }
            return;
        }
        let place = self.fresh(units);
        let mut ldc = VInst::new(Op::Ldc { bank, width });
        ldc.dst = Some(place);
        ldc.srcs[0] = base;
        ldc.offset = offset;
        self.push(ldc);
        self.define_elements(inst, access, place);
    }

    fn fetch(&mut self, inst: &Inst, width: ir::MemWidth, count: u8) {
        let bytes = width.bytes() * u32::from(count);
        let place = self.fresh((bytes / 4) as u8);
        let texture = self.in_register(inst.args[0]);
        let element = self.in_register(inst.args[1]);
        let mut tld = VInst::new(Op::Tld {
            width: match bytes {
                4 => Width::B32,
                8 => Width::B64,
                _ => Width::B128,
            },
            wide: self.target.wide_pointers,
        });
        tld.dst = Some(place);
        tld.srcs[0] = VSrc::reg(element);
        tld.srcs[1] = VSrc::reg(texture);
        self.push(tld);
        for (idx, result) in inst.results.iter().enumerate() {
            self.define(*result, place.at(idx as u8));
        }
    }

    /// Whether a load on 2.x can use the constant cache: a load from global memory that the kernel only reads,
    /// as the parameter's `const` promises, at an address that is the same in all threads (Programming Guide
    /// 4.2, F.4.4).
    fn is_constant_everywhere(&self, address: Value, access: Access) -> bool {
        if !self.target.is(Generation::Fermi)
            || access.space != Space::Global
            || access.volatile
            || access.cache != ir::MemCache::Default
            || !self.function.is_uniform(address)
        {
            return false;
        }
        let mut root = address;
        while let Some(inst) = self.def(root) {
            if !matches!(inst.op, ir::Op::PtrAdd) {
                return false;
            }
            root = inst.args[0];
        }
        let ir::Def::Bank0(place) = self.function.def(root) else {
            return false;
        };
        let params = self.module.params.iter().zip(&self.module.param_traits);
        params
            .filter(|(param, _)| u32::from(isa::bank0::PARAMS) + param.offset == u32::from(place))
            .any(|(_, traits)| traits.pointer && traits.read_only)
    }

    fn cache_of(&self, access: Access) -> CacheOp {
        if access.volatile {
            CacheOp::Cv
        } else {
            access.cache.isa()
        }
    }

    /// Defines the results of a load from the registers that it wrote.
    fn define_elements(&mut self, inst: &Inst, access: Access, place: Place) {
        let bytes = access.width.bytes();
        for (idx, result) in inst.results.iter().enumerate() {
            let at = idx as u32 * bytes;
            let word = place.at((at / 4) as u8);
            if access.count == 1 || bytes >= 4 {
                if self.ty(*result) == Type::I1 {
                    let truth = self.compare_words(isa::Cmp::Ne, false, VSrc::reg(word), VSrc::ZERO);
                    self.define_pred(*result, truth);
                } else {
                    self.define(*result, word);
                }
                continue;
            }
            let shift = 8 * (at % 4);
            let signed = matches!(access.width, ir::MemWidth::S8 | ir::MemWidth::S16);
            let num = match access.width {
                ir::MemWidth::U8 => NumType::U8,
                ir::MemWidth::S8 => NumType::S8,
                ir::MemWidth::S16 => NumType::S16,
                _ => NumType::U16,
            };
            let top = shift + 8 * bytes == 32;
            let element = if top {
                self.shr(VSrc::reg(word), shift, signed)
            } else if shift == 0 {
                self.narrow(VSrc::reg(word), num)
            } else {
                let down = self.shr(VSrc::reg(word), shift, false);
                self.narrow(VSrc::reg(down), num)
            };
            self.define(*result, element);
        }
    }

    fn store(&mut self, inst: &'a Inst, access: Access) {
        self.check_generic(access.space);
        let width = Self::whole_width(access);
        let values = &inst.args[1..];
        let bytes = access.width.bytes();
        let data = if access.count == 1 {
            self.in_register(values[0])
        } else if bytes < 4 {
            self.packed(values, bytes)
        } else {
            let units = (access.bytes() / 4) as u8;
            let place = self.fresh(units);
            let each = (bytes / 4) as u8;
            for (idx, value) in values.iter().enumerate() {
                for word in 0..each {
                    let src = self.word(*value, word);
                    self.mov_to(place.at(idx as u8 * each + word), src);
                }
            }
            place
        };
        let (base, offset) = self.address(inst.args[0], access.space, access.offset);
        let mut st = VInst::new(Op::St {
            space: Self::isa_space(access.space),
            width,
            cache: self.cache_of(access),
            wide: self.is_wide(access.space),
        });
        st.srcs[0] = base;
        st.srcs[1] = VSrc::reg(data);
        st.offset = offset;
        self.push(st);
    }

    /// Packs narrow elements into words.
    pub(super) fn packed(&mut self, values: &[Value], bytes: u32) -> Place {
        let total = values.len() as u32 * bytes;
        let units = total.div_ceil(4).max(1) as u8;
        let place = self.fresh(units);
        let mask = if bytes == 1 { 0xff } else { 0xffff };
        for unit in 0..u32::from(units) {
            let mut word = VSrc::ZERO;
            for (idx, value) in values.iter().enumerate() {
                let at = idx as u32 * bytes;
                if at / 4 != unit {
                    continue;
                }
                let src = self.src(*value);
                let part = self.and(src, VSrc::imm(mask));
                let part = if at.is_multiple_of(4) {
                    part
                } else {
                    self.shl(VSrc::reg(part), 8 * (at % 4))
                };
                word = if word == VSrc::ZERO {
                    VSrc::reg(part)
                } else {
                    VSrc::reg(self.or(word, VSrc::reg(part)))
                };
            }
            self.mov_to(place.at(unit as u8), word);
        }
        place
    }

    fn store_matrices(&mut self, inst: &'a Inst, num: u8, transposed: bool) {
        let place = self.fresh(num);
        for (word, value) in inst.args[1..].iter().enumerate() {
            let src = self.src(*value);
            self.mov_to(place.at(word as u8), src);
        }
        let (base, offset) = self.address(inst.args[0], Space::Shared, 0);
        let mut store = VInst::new(Op::Stsm { num, transposed });
        store.srcs[0] = base;
        store.srcs[1] = VSrc::reg(place);
        store.offset = offset;
        self.push(store);
    }

    fn async_copy(&mut self, inst: &'a Inst, size: u8, bypass: bool) {
        let num_read = self.immediate(inst.args[2]);
        let (to, beyond) = self.address(inst.args[0], Space::Shared, 0);
        let (from, offset) = self.address(inst.args[1], Space::Global, 0);
        let mut copy = VInst::new(Op::Ldgsts {
            width: match size {
                4 => Width::B32,
                8 => Width::B64,
                _ => Width::B128,
            },
            bypass,
            zero_fill: num_read.is_none_or(|num| num != 0 && num < u64::from(size)),
            wide: self.target.wide_pointers,
        });
        copy.srcs[0] = from;
        copy.srcs[1] = to;
        if beyond != 0 {
            copy.srcs[2] = VSrc::imm(beyond as u32);
        }
        copy.offset = offset;
        copy.psrcs[0] = match num_read {
            Some(0) => VPred::TRUE.inverted(),
            Some(_) => VPred::TRUE,
            None => {
                let num = self.src(inst.args[2]);
                self.compare_words(isa::Cmp::Ne, false, num, VSrc::ZERO)
            }
        };
        self.push(copy);
    }

    fn async_wait(&mut self, inst: &'a Inst) {
        // The instruction counts 63 groups: more than the 6 bits of its field cannot be in flight.
        let left = self.immediate(inst.args[0]).map_or(0, |left| left.min(63));
        self.push(VInst::new(Op::Depbar { left: left as u8 }));
    }

    fn atom(&mut self, inst: &'a Inst, space: Space, op: isa::AtomOp, ty: NumType, offset: i32) {
        self.check_generic(space);
        let values: Vec<Place> = inst.args[1..].iter().map(|arg| self.in_register(*arg)).collect();
        let (base, offset) = self.address(inst.args[0], space, offset);
        let isa_space = Self::isa_space(space);
        let wide = self.is_wide(space);
        let result = inst
            .results
            .first()
            .copied()
            .filter(|result| self.uses[result.0 as usize] > 0);
        let mut atom = VInst::new(match result {
            Some(_) => Op::Atom {
                space: isa_space,
                op,
                ty,
                wide,
            },
            None => Op::Red {
                space: isa_space,
                op,
                ty,
                wide,
            },
        });
        if let Some(result) = result {
            let is_wide = ty.is_wide() && op != isa::AtomOp::Cast;
            let place = self.fresh(if is_wide { 2 } else { 1 });
            atom.dst = Some(place);
            self.define(result, place);
        }
        atom.srcs[0] = base;
        for (slot, value) in atom.srcs[1..].iter_mut().zip(values) {
            *slot = VSrc::reg(value);
        }
        atom.offset = offset;
        self.push(atom);
    }

    // ---- the generic space

    const fn window_start(&self, space: Space) -> u64 {
        match (space, self.target.wide_pointers) {
            (Space::Local, true) => window::LOCAL,
            (Space::Local, false) => window::LOCAL_32,
            (_, true) => window::SHARED,
            (_, false) => window::SHARED_32,
        }
    }

    #[expect(
        clippy::wrong_self_convention,
        reason = "the operand of the instruction is converted"
    )]
    fn to_generic(&mut self, inst: &'a Inst, space: Space) {
        self.check_generic(Space::Generic);
        let place = match space {
            Space::Shared | Space::Local => {
                let start = self.window_start(space);
                let low = self.src(inst.args[0]);
                let sum = self.add(low, VSrc::imm(start as u32));
                if self.target.wide_pointers {
                    self.pair_of(VSrc::reg(sum), VSrc::imm((start >> 32) as u32))
                } else {
                    sum
                }
            }
            Space::Global | Space::Generic => self.in_register(inst.args[0]),
            Space::Const | Space::Param => {
                self.error("The compiler does not know that this pointer points to constant memory. Use a pointer to one memory on every path.");
                self.in_register(inst.args[0])
            }
        };
        self.define_first(inst, place);
    }

    fn is_space(&mut self, inst: &'a Inst, space: Space) {
        let Some(result) = inst.results.first().copied() else {
            return;
        };
        let address = self.words_of_pointer(inst.args[0]);
        let pred = match space {
            Space::Shared | Space::Local => self.in_window(address, space),
            _ => {
                let shared = self.in_window(address, Space::Shared);
                let local = self.in_window(address, Space::Local);
                self.combine(isa::BoolOp::Or, shared, local).inverted()
            }
        };
        self.define_pred(result, pred);
    }

    fn words_of_pointer(&mut self, value: Value) -> [VSrc; 2] {
        if self.target.wide_pointers {
            self.words(value)
        } else {
            [self.src(value), VSrc::ZERO]
        }
    }

    fn in_window(&mut self, address: [VSrc; 2], space: Space) -> VPred {
        let start = self.window_start(space);
        let top = self.shr(address[0], 24, false);
        let low = self.compare_words(
            isa::Cmp::Eq,
            false,
            VSrc::reg(top),
            VSrc::imm((start >> 24 & 0xff) as u32),
        );
        if !self.target.wide_pointers {
            return low;
        }
        let high = self.compare_words(isa::Cmp::Eq, false, address[1], VSrc::imm((start >> 32) as u32));
        self.combine(isa::BoolOp::And, low, high)
    }

    // ---- barriers and warps

    fn barrier(&mut self, inst: &'a Inst, mode: isa::BarMode) {
        let id = inst.args.first().and_then(|id| self.immediate(*id)).unwrap_or(0);
        let Ok(id @ 0..=15) = u8::try_from(id) else {
            return self.error("A block has 16 barriers: use a number from 0 to 15.");
        };
        if !matches!(mode, isa::BarMode::Sync) && self.target.is(Generation::Tesla) {
            return self.error("`__syncthreads_count`, `_and`, and `_or` need compute capability 2.0.");
        }
        let mut bar = VInst::new(Op::Bar { mode, id });
        if let Some(arg) = inst.args.get(1)
            && !matches!(mode, isa::BarMode::Sync)
        {
            bar.psrcs[0] = self.pred(*arg);
        }
        self.push_with_results(bar, inst, matches!(mode, isa::BarMode::RedPopc));
    }

    /// Pushes an instruction and defines its results: a word first if `word`, then a predicate.
    fn push_with_results(&mut self, mut vinst: VInst, inst: &Inst, word: bool) {
        for result in &inst.results {
            if self.ty(*result) == Type::I1 {
                let vreg = self.code.vreg(Class::Predicate, 1);
                vinst.pdst = Some(vreg);
                self.define_pred(*result, VPred::of(vreg));
            } else if word {
                let place = self.fresh(1);
                vinst.dst = Some(place);
                self.define(*result, place);
            }
        }
        self.push(vinst);
    }

    fn shuffle(&mut self, inst: &'a Inst, mode: isa::ShflMode) {
        let op = Op::Shfl {
            mode,
            sync: self.target.has_barriers(),
        };
        if !self.target.has(op) {
            self.error("Shuffles between lanes need compute capability 3.0.");
        }
        let value = self.in_register(inst.args[0]);
        let mut shfl = VInst::new(op);
        let (lane, clamp) = (self.src(inst.args[1]), self.src(inst.args[2]));
        shfl.srcs = [VSrc::reg(value), lane, clamp];
        if let Some(mask) = inst.args.get(3) {
            shfl.mask = self.src(*mask);
        }
        self.push_with_results(shfl, inst, true);
    }

    fn vote(&mut self, inst: &'a Inst, vote: ir::Vote) {
        if !self.target.has_votes() {
            self.error("Votes need compute capability 1.2.");
        }
        if matches!(vote, ir::Vote::Ballot) && self.target.is(Generation::Tesla) {
            self.error("`__ballot` needs compute capability 2.0.");
        }
        let mode = match vote {
            ir::Vote::All => VoteMode::All,
            ir::Vote::Any | ir::Vote::Ballot => VoteMode::Any,
            ir::Vote::Uniform => VoteMode::Eq,
        };
        let mut vinst = VInst::new(Op::Vote {
            mode,
            sync: self.target.has_barriers(),
        });
        vinst.psrcs[0] = self.pred(inst.args[0]);
        if let Some(mask) = inst.args.get(1) {
            vinst.mask = self.src(*mask);
        }
        self.push_with_results(vinst, inst, true);
    }

    /// An instruction of the whole warp: its operands in registers, then the member mask.
    fn warp_instruction(&mut self, inst: &'a Inst, op: Op) {
        if !self.target.has(op) {
            self.error("This function of a warp needs a later compute capability.");
        }
        let mut vinst = VInst::new(op);
        let num = op.source_widths().iter().filter(|width| **width > 0).count();
        for (src, arg) in vinst.srcs.iter_mut().zip(&inst.args[..num]) {
            *src = VSrc::reg(self.in_register(*arg));
        }
        if let Some(mask) = inst.args.get(num) {
            vinst.mask = self.src(*mask);
        }
        self.push_with_results(vinst, inst, true);
    }
}
