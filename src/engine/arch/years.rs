//! The year in which the first product with each chip was sold, with the source.

use super::sourced::{Sourced, assumed, web};
use super::{ArchId, architecture};

/// The launch year of a chip's first product.
pub fn launch_year(id: ArchId) -> Sourced<u16> {
    let year = architecture(id).year;
    let article = match id {
        ArchId::G80 => "Wikipedia, GeForce 8 series, release date",
        ArchId::Gt200 => "Wikipedia, GeForce 200 series, table of models",
        ArchId::Gf100 | ArchId::Gf104 => "Wikipedia, GeForce 400 series, release date",
        ArchId::Gh100 => "Wikipedia, Hopper (microarchitecture), launch date",
        _ => return assumed(year, "no document with the launch date was read"),
    };
    web(year, article)
}
