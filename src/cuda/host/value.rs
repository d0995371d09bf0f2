//! Values of host code, with their states.

use std::rc::Rc;

use super::engines::{DistributionKind, EngineKind};
use super::memory::*;

/// The index of a pointee type or element type.
pub(super) type TyId = u32;

/// A type of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Ty {
    Void,
    Bool,
    I8,
    U8,
    I16,
    U16,
    I32,
    U32,
    I64,
    U64,
    F16,
    F32,
    F64,
    Pointer(TyId),
    Array(TyId, u64),
    Struct(u32),
    /// `std::vector` and the like: address, length, and capacity in elements.
    Vector(TyId),
    /// A random number engine, as its index.
    Engine(EngineKind),
    /// A random number distribution of a type, as its index.
    Distribution(DistributionKind, TyId),
    /// A function or lambda, as its index among the callables.
    Function,
    /// An unsupported type.
    Opaque,
}

/// A value, or the reason why it is unknown.
#[derive(Clone, Debug)]
pub(super) struct Value {
    pub(super) ty: Ty,
    pub(super) bits: u64,
    pub(super) state: State,
    /// Bytes and states of a struct or vector.
    pub(super) parts: Option<Rc<(Vec<u8>, Vec<State>)>>,
}

impl Value {
    pub(super) const fn new(ty: Ty, bits: u64, state: State) -> Self {
        Self {
            ty,
            bits,
            state,
            parts: None,
        }
    }

    pub(super) const fn unknown(state: State) -> Self {
        Self::new(Ty::Opaque, 0, state)
    }

    pub(super) const fn void() -> Self {
        Self::new(Ty::Void, 0, KNOWN)
    }

    pub(super) const fn int(value: i64) -> Self {
        Self::new(Ty::I32, value as u64, KNOWN)
    }

    pub(super) const fn is_known(&self) -> bool {
        is_known(self.state) && !matches!(self.ty, Ty::Opaque)
    }
}

/// The place of a value. In a state other than known, the place is anywhere in the allocation of the address.
#[derive(Clone, Copy, Debug)]
pub(super) struct Location {
    pub(super) address: u64,
    pub(super) ty: Ty,
    pub(super) state: State,
}

impl Location {
    /// A known place.
    pub(super) const fn known(address: u64, ty: Ty) -> Self {
        Self {
            address,
            ty,
            state: KNOWN,
        }
    }
}
