//! Published curves, drawn beside the simulated ones.

use serde::Serialize;

use super::ArchId;

/// The quantity that a curve shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum CurveQuantity {
    /// Cycles of a shared load by the degree of its bank conflict.
    SharedConflict,
    /// Cycles of a constant load by distinct addresses in the warp, with hits in the first level.
    ConstantL1,
    /// Cycles of a constant load by distinct addresses, with hits in the next level.
    ConstantL15,
    /// Cycles of a constant load by distinct addresses, with hits in L2.
    ConstantL2,
}

/// A measured curve.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct MeasuredCurve {
    /// The quantity.
    pub quantity: CurveQuantity,
    /// The product that was measured.
    pub product: &'static str,
    /// The simulated architecture of the product, if there is one.
    pub architecture: Option<ArchId>,
    /// Points: ways or addresses, and cycles.
    pub points: &'static [(u16, u16)],
    /// The document and section.
    pub source: &'static str,
}

const fn curve(
    quantity: CurveQuantity,
    product: &'static str,
    architecture: Option<ArchId>,
    points: &'static [(u16, u16)],
    source: &'static str,
) -> MeasuredCurve {
    MeasuredCurve {
        quantity,
        product,
        architecture,
        points,
        source,
    }
}

/// All published curves. Curves without an architecture are for comparison.
pub static MEASURED_CURVES: [MeasuredCurve; 11] = [
    curve(
        CurveQuantity::SharedConflict,
        "GeForce GTX 560 Ti",
        Some(ArchId::Gf104),
        &[(1, 50), (2, 87), (4, 162), (8, 311), (16, 611), (32, 1209)],
        "Mei & Chu 2017, Table 8",
    ),
    curve(
        CurveQuantity::SharedConflict,
        "GeForce GTX 780",
        None,
        &[(1, 47), (2, 82), (4, 96), (8, 158), (16, 257), (32, 484)],
        "Mei & Chu 2017, Table 8",
    ),
    curve(
        CurveQuantity::SharedConflict,
        "GeForce GTX 980",
        None,
        &[(1, 28), (2, 30), (4, 34), (8, 42), (16, 58), (32, 90)],
        "Mei & Chu 2017, Table 8",
    ),
    curve(
        CurveQuantity::SharedConflict,
        "Tesla M60",
        Some(ArchId::Gm204),
        &[(1, 23), (2, 25), (4, 29), (8, 37), (16, 53), (32, 85)],
        "Jia et al. 2018, Figure 3.9",
    ),
    curve(
        CurveQuantity::SharedConflict,
        "Tesla K80",
        None,
        &[(1, 26), (2, 26), (4, 60), (8, 88), (16, 144), (32, 256)],
        "Jia et al. 2018, Figure 3.9 (by lanes in one 8-byte bank)",
    ),
    curve(
        CurveQuantity::SharedConflict,
        "Tesla P100",
        Some(ArchId::Gp100),
        &[(1, 24), (2, 26), (4, 30), (8, 38), (16, 54), (32, 86)],
        "Jia et al. 2018, Figure 3.9",
    ),
    curve(
        CurveQuantity::SharedConflict,
        "Tesla V100",
        Some(ArchId::Gv100),
        &[(1, 19), (2, 21), (4, 25), (8, 33), (16, 49), (32, 81)],
        "Jia et al. 2018, Figure 3.9",
    ),
    curve(
        CurveQuantity::SharedConflict,
        "H200",
        Some(ArchId::Gh100),
        &[(1, 23), (2, 25), (4, 29), (8, 37), (16, 53), (32, 85)],
        "H200, dependent chains of 256",
    ),
    curve(
        CurveQuantity::ConstantL1,
        "Tesla V100",
        Some(ArchId::Gv100),
        &[(1, 27), (2, 38), (4, 60), (8, 104), (16, 192), (32, 368)],
        "Jia et al. 2018, Figure 3.7",
    ),
    curve(
        CurveQuantity::ConstantL15,
        "Tesla V100",
        Some(ArchId::Gv100),
        &[(1, 89), (2, 100), (4, 122), (8, 166), (16, 254), (32, 430)],
        "Jia et al. 2018, Figure 3.7",
    ),
    curve(
        CurveQuantity::ConstantL2,
        "Tesla V100",
        Some(ArchId::Gv100),
        &[(1, 245), (2, 256), (4, 279), (8, 318), (16, 411), (32, 578)],
        "Jia et al. 2018, Figure 3.7",
    ),
];
