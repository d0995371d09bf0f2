//! Shapes of textures and surfaces, and the ways in which instructions read and write them.

use serde::{Deserialize, Serialize};

use super::ElemType;

/// Dimensions by which an instruction addresses a texture or surface.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum ImageShape {
    /// One dimension.
    D1,
    /// Two dimensions.
    D2,
    /// Three dimensions.
    D3,
    /// Layers of one dimension.
    Layered1,
    /// Layers of two dimensions.
    Layered2,
    /// Six square faces.
    Cube,
    /// Layers of six square faces.
    LayeredCube,
}

impl ImageShape {
    /// Words of an access's coordinates: those of a texel, then the layer.
    pub const fn num_coordinates(self) -> u8 {
        match self {
            Self::D1 => 1,
            Self::D2 | Self::Layered1 => 2,
            Self::D3 | Self::Layered2 | Self::Cube => 3,
            Self::LayeredCube => 4,
        }
    }

    /// Coordinates without the layer.
    pub const fn num_axes(self) -> u8 {
        self.num_coordinates() - self.has_layers() as u8
    }

    /// Whether the last coordinate is a layer, an integer.
    pub const fn has_layers(self) -> bool {
        matches!(self, Self::Layered1 | Self::Layered2 | Self::LayeredCube)
    }

    /// SASS's word.
    pub const fn text(self) -> &'static str {
        match self {
            Self::D1 => "1D",
            Self::D2 => "2D",
            Self::D3 => "3D",
            Self::Layered1 => "ARRAY_1D",
            Self::Layered2 => "ARRAY_2D",
            Self::Cube => "CUBE",
            Self::LayeredCube => "ARRAY_CUBE",
        }
    }
}

/// Which texels of a texture a fetch reads. Textures have one mipmap level here.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum TexelChoice {
    /// Level 0.
    Zero,
    /// The level of the word `srcs[2]`.
    Level,
    /// The level that this many derivatives in `srcs[2]` choose.
    Gradient(u8),
    /// One component of each of the four texels that bilinear filtering reads.
    Gather(u8),
}

impl TexelChoice {
    /// Words of `srcs[2]`.
    pub const fn num_words(self) -> u8 {
        match self {
            Self::Zero | Self::Gather(_) => 0,
            Self::Level => 1,
            Self::Gradient(words) => words,
        }
    }
}

/// What an access beyond the edge of a surface does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Boundary {
    /// The kernel ends with a fault.
    Trap,
    /// It accesses the nearest element.
    Clamp,
    /// It reads zero and writes nothing.
    Zero,
}

impl Boundary {
    /// SASS's suffix.
    pub const fn suffix(self) -> &'static str {
        match self {
            Self::Trap => ".TRAP",
            Self::Clamp => "",
            Self::Zero => ".IGN",
        }
    }
}

/// What the elements of a texture or surface are, as the source says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct ImageFormat {
    /// Type of a channel in memory.
    pub elem: ElemType,
    /// Channels of a texel: 1, 2, or 4.
    pub channels: u8,
    /// Whether integers are read as fractions of their type's largest value.
    pub reads_fractions: bool,
}

/// An access to a texture or surface.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum ImageAccess {
    /// A fetch from a texture.
    Fetch(TexelChoice),
    /// A read of a surface.
    Read(Boundary),
    /// A write to a surface.
    Write(Boundary),
}
