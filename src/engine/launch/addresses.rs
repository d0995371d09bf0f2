//! Addresses that a launch passes: pointers into the memory of other arguments and of variables, and words that hold them.

use serde::{Deserialize, Serialize};

use super::{Argument, Fill, Launch, Pattern, Role};
use crate::isa::ElemType;

/// What has the memory that an address points to.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Owner {
    /// The buffer or texture of an argument, by its index. Arguments beyond the kernel's parameters have memory that only
    /// addresses lead to.
    Argument(u16),
    /// A `__device__` variable, by its name without a namespace.
    Symbol(String),
}

/// A place in the memory of a launch.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Target {
    /// What has the memory.
    pub of: Owner,
    /// Bytes from the start of the memory. The place can be outside.
    pub offset: i64,
}

/// Eight bytes of a struct or of a buffer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Word {
    /// These bytes, little-endian.
    Bits(u64),
    /// An address.
    Address(Target),
}

/// The elements that an argument shows: from where it points to the end of the memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Elements {
    /// The type.
    pub elem: ElemType,
    /// The number of elements.
    pub len: u32,
    /// The role of the argument.
    pub role: Role,
    /// Index of the argument that has the memory.
    pub owner: usize,
    /// Bytes from the start of the memory.
    pub start: u64,
}

impl Launch {
    /// The elements that an argument shows; `None` for values, and for pointers to variables.
    pub fn elements(&self, argument: usize) -> Option<Elements> {
        let (elem, role, owner, offset) = match self.args.get(argument)? {
            Argument::Buffer {
                elem, role, start, ..
            } => (*elem, *role, argument, *start),
            Argument::Pointer {
                elem,
                role,
                to:
                    Target {
                        of: Owner::Argument(of),
                        offset,
                    },
            } => (*elem, *role, usize::from(*of), *offset),
            Argument::Texture(texture) => (texture.elem, texture.role, argument, 0),
            Argument::Scalar { .. } | Argument::Bytes(_) | Argument::Words(_) | Argument::Pointer { .. } => {
                return None;
            }
        };
        let (own_elem, own_len, ..) = self.args.get(owner)?.elements()?;
        let bytes = u64::from(own_elem.bytes()) * u64::from(own_len);
        let start = u64::try_from(offset).unwrap_or(0).min(bytes);
        let len = u32::try_from((bytes - start) / u64::from(elem.bytes())).unwrap_or(u32::MAX);
        Some(Elements {
            elem,
            len,
            role,
            owner,
            start,
        })
    }

    /// The bytes at kernel start from where an argument points to the end of its memory, at most this many.
    pub fn initial_bytes(&self, argument: usize, most: u64) -> Option<Vec<u8>> {
        let shown = self.elements(argument)?;
        let (elem, len, fill, _) = self.args.get(shown.owner)?.elements()?;
        if fill.is_uniform() {
            // A start within an element is that of another type, in a buffer of one value.
            let elements = most.div_ceil(u64::from(elem.bytes())).min(u64::from(len));
            let mut bytes = fill.bytes(elem, elements as u32 + 1);
            bytes.drain(..(shown.start % u64::from(elem.bytes())) as usize);
            bytes.truncate((u64::from(shown.len) * u64::from(shown.elem.bytes())).min(most) as usize);
            return Some(bytes);
        }
        let mut bytes = fill.bytes(elem, len);
        bytes.drain(..(shown.start as usize).min(bytes.len()));
        bytes.truncate(most.min(bytes.len() as u64) as usize);
        Some(bytes)
    }

    /// Whether the arguments serve this number of parameters: each argument beyond them has memory that an address leads to.
    pub fn serves(&self, num_params: usize) -> bool {
        let Some(beyond) = self.args.get(num_params..) else {
            return false;
        };
        let leads_to = |idx: usize| {
            self.targets()
                .any(|target| target.of == Owner::Argument(idx as u16))
        };
        beyond
            .iter()
            .zip(num_params..)
            .all(|(argument, idx)| argument.elements().is_some() && leads_to(idx))
    }

    /// All addresses in arguments, buffers, and variables.
    pub fn targets(&self) -> impl Iterator<Item = &Target> {
        let of_symbols = self
            .symbols
            .iter()
            .flat_map(|symbol| of_words(symbol.fill.words()));
        self.args.iter().flat_map(Argument::targets).chain(of_symbols)
    }

    /// A name for memory beyond the parameters: the address that leads to it, such as `a[2]` or `m+8`, by the names of the
    /// parameters.
    pub fn name_beyond<'a>(&self, names: impl Fn(usize) -> Option<&'a str>, argument: usize) -> String {
        let leads = |word: &Word| matches!(word, Word::Address(Target { of: Owner::Argument(of), .. }) if usize::from(*of) == argument);
        for (idx, other) in self.args.iter().enumerate() {
            let Some(name) = names(idx) else { break };
            match other {
                Argument::Words(words) => {
                    if let Some(at) = words.iter().position(leads) {
                        return format!("{name}+{}", at * 8);
                    }
                }
                Argument::Buffer { fill, .. } => {
                    if let Some(at) = fill.words().iter().position(leads) {
                        return format!("{name}[{at}]");
                    }
                }
                _ => {}
            }
        }
        for symbol in &self.symbols {
            if let Some(at) = symbol.fill.words().iter().position(leads) {
                return format!("{}[{at}]", symbol.symbol);
            }
        }
        format!("memory of argument {argument}")
    }
}

impl Argument {
    /// The type of the elements that the argument shows; `None` for values.
    pub const fn elem(&self) -> Option<ElemType> {
        match self {
            Self::Buffer { elem, .. } | Self::Pointer { elem, .. } => Some(*elem),
            Self::Texture(texture) => Some(texture.elem),
            Self::Scalar { .. } | Self::Bytes(_) | Self::Words(_) => None,
        }
    }

    /// The addresses in an argument.
    pub fn targets(&self) -> impl Iterator<Item = &Target> {
        let (words, pointer) = match self {
            Self::Words(words) => (words.as_slice(), None),
            Self::Buffer { fill, .. } => (fill.words(), None),
            Self::Pointer { to, .. } => (&[][..], Some(to)),
            Self::Scalar { .. } | Self::Bytes(_) | Self::Texture(_) => (&[][..], None),
        };
        of_words(words).chain(pointer)
    }
}

impl Fill {
    /// The words of the pattern; empty if it has none.
    pub fn words(&self) -> &[Word] {
        match &self.pattern {
            Pattern::Words(words) => words,
            _ => &[],
        }
    }
}

fn of_words(words: &[Word]) -> impl Iterator<Item = &Target> {
    words.iter().filter_map(|word| match word {
        Word::Address(to) => Some(to),
        Word::Bits(_) => None,
    })
}
