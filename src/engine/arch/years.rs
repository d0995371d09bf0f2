//! The year in which the first product with each chip was sold, with the source.

use super::sourced::{Sourced, web};
use super::{ArchId, architecture};

/// The launch year of a chip's first product.
pub fn launch_year(id: ArchId) -> Sourced<u16> {
    let source = match id {
        ArchId::G80 => "Wikipedia, GeForce 8 series, release date",
        ArchId::Gt200 => "Wikipedia, GeForce 200 series, release date",
        ArchId::Gf100 | ArchId::Gf104 => "Wikipedia, GeForce 400 series, release date",
        ArchId::Gk110 | ArchId::Gp100 | ArchId::Gv100 => "Wikipedia, Nvidia Tesla, table of products",
        ArchId::Gm204 => "Wikipedia, GeForce 900 series, release date",
        ArchId::Gp104 => "Wikipedia, GeForce 10 series, release date",
        ArchId::Tu102 => "Wikipedia, GeForce RTX 20 series, release date",
        ArchId::Ga100 => "Wikipedia, Ampere (microarchitecture), launch date",
        ArchId::Ga102 => "Wikipedia, GeForce RTX 30 series, release date",
        ArchId::Ad102 => "Wikipedia, GeForce RTX 40 series, release date",
        ArchId::Gh100 => "Wikipedia, Hopper (microarchitecture), launch date",
    };
    web(architecture(id).year, source)
}
