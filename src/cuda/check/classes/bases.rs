//! Base classes: their subobjects, and the conversions of pointers between a class and its bases.

use super::*;

/// Maximum number of steps of a path such as `A::B::C` that are tried as bases.
const MAX_STEPS: usize = 8;

impl Checker {
    /// Whether one struct inherits from another.
    pub(in crate::check) fn derives(&self, from: &Type, base: &Type) -> bool {
        match (from, base) {
            (Type::Struct(from), Type::Struct(base)) => {
                from != base && self.self_and_bases(*from).contains(base)
            }
            (Type::Struct(from), Type::Vector(_)) => {
                let known = self.known_vector_base(base);
                known.is_some_and(|id| *from != id && self.self_and_bases(*from).contains(&id))
            }
            _ => false,
        }
    }

    /// The struct that stands for a vector type, such as `float3`, as a base: with the same members and bytes.
    pub(super) fn vector_base(&mut self, ty: &Type) -> StructId {
        if let Some(id) = self.known_vector_base(ty) {
            return id;
        }
        let fields = self.fields(ty).into_iter();
        let id = StructId(self.structs.len() as u32);
        self.structs.push(crate::hir::Struct {
            name: self.text(ty),
            fields: fields
                .map(|(name, ty, offset)| crate::hir::Field { name, ty, offset })
                .collect(),
            size: self.size_of(ty) as u32,
            align: self.align_of(ty),
            is_function: false,
        });
        self.vector_bases.push((ty.clone(), id));
        id
    }

    /// The struct that stands for a vector type as a base, if a struct inherits from the type.
    pub(in crate::check) fn known_vector_base(&self, ty: &Type) -> Option<StructId> {
        let mut known = self.vector_bases.iter();
        known.find_map(|(vector, id)| (vector == ty).then_some(*id))
    }

    /// A struct and its bases, the struct first.
    pub(in crate::check) fn self_and_bases(&self, id: StructId) -> Vec<StructId> {
        let mut out = vec![id];
        let mut next = 0;
        while let Some(id) = out.get(next).copied() {
            next += 1;
            for base in self.bases(id) {
                if !out.contains(&base) {
                    out.push(base);
                }
            }
        }
        out
    }

    /// The direct bases of a struct.
    pub(in crate::check) fn bases(&self, id: StructId) -> Vec<StructId> {
        let class = self.classes.get(&id.0);
        class.map_or_else(Vec::new, |class| class.bases().collect())
    }

    /// Number of inherited fields of a struct. They precede its own fields.
    pub(super) fn num_inherited(&self, id: StructId) -> usize {
        let bases = self.bases(id).into_iter();
        bases.map(|base| self.structs[base.0 as usize].fields.len()).sum()
    }

    /// The offset of a base in a struct, in bytes.
    fn base_offset(&self, from: StructId, base: StructId) -> Option<u32> {
        if from == base {
            return Some(0);
        }
        let bases = &self.classes.get(&from.0)?.bases;
        bases
            .iter()
            .find_map(|(id, offset)| Some(self.base_offset(*id, base)? + offset))
    }

    /// The address of the base subobject of the object at an address.
    pub(in crate::check) fn derived_to_base_address(
        &self,
        mut address: Expr,
        from: &Type,
        base: &Type,
    ) -> Expr {
        let id = match base {
            Type::Struct(id) => Some(*id),
            vector => self.known_vector_base(vector),
        };
        let offset = match (from, id) {
            (Type::Struct(from), Some(base)) => self.base_offset(*from, base).unwrap_or(0),
            _ => 0,
        };
        self.offset_pointer(&mut address, base, i128::from(offset));
        address
    }

    /// The address of the object whose base subobject is at an address.
    pub(in crate::check) fn base_to_derived_address(
        &self,
        mut address: Expr,
        base: &Type,
        to: &Type,
    ) -> Expr {
        let offset = match (to, base) {
            (Type::Struct(to), Type::Struct(base)) => self.base_offset(*to, *base).unwrap_or(0),
            _ => 0,
        };
        self.offset_pointer(&mut address, to, -i128::from(offset));
        address
    }

    pub(in crate::check) fn offset_pointer(&self, address: &mut Expr, to: &Type, bytes: i128) {
        let span = address.span;
        let mut ty = address.ty.clone();
        if let Type::Pointer(pointer) = &mut ty {
            pointer.pointee = to.clone();
        }
        if bytes == 0 {
            address.ty = ty;
            return;
        }
        let ptr = Box::new(address.clone());
        let index = Box::new(int(bytes, Type::I64, span));
        let kind = crate::hir::ExprKind::PtrAdd {
            ptr,
            index,
            elem_size: 1,
        };
        *address = Expr { kind, ty, span };
    }

    /// The qualifier of a member of an object: the struct or one of its bases, as unqualified name, as qualified
    /// name, or as `Derived::Base`.
    pub(in crate::check) fn find_base(&self, from: StructId, path: &str) -> Option<StructId> {
        self.base_named(from, path).or_else(|| {
            let inner = |(at, _)| self.find_base(self.base_named(from, &path[..at])?, &path[at + 2..]);
            path.match_indices("::").take(MAX_STEPS).find_map(inner)
        })
    }

    fn base_named(&self, from: StructId, path: &str) -> Option<StructId> {
        let named = match self.lookup(path) {
            Some(Symbol::Type {
                ty: Type::Struct(id), ..
            }) => Some(*id),
            _ => None,
        };
        let mut lineage = self.self_and_bases(from).into_iter();
        lineage.find(|id| named == Some(*id) || self.is_named(*id, path))
    }
}
