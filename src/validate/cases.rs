//! Which microbenchmark stands for which published quantity.

use super::Conditions;
use super::bench::{Bench, File, Length, buffer, int};
use crate::arch::ArchId;
use crate::isa::ElemType;
use crate::launch::{Argument, Role};

/// What the simulator measures for a quantity under these conditions, in the unit of the published
/// value.
///
/// # Errors
/// A sentence where there is no such microbenchmark, or it does not run on the architecture.
pub(super) fn measure(arch: ArchId, quantity: &str, conditions: &Conditions) -> Result<f64, String> {
    let number = |name: &str| {
        conditions
            .number(name)
            .ok_or_else(|| format!("`{quantity}` needs `{name}`."))
    };
    let (kind, what) = quantity.split_once(' ').unwrap_or((quantity, ""));
    match (kind, what) {
        ("issue", "shared") => shared(arch, number("ways")?, number("ilp")?, number("warps")?),
        ("issue", _) => arith(arch, what, number("ilp")?, number("warps")?),
        ("round", _) => units(arch, what, conditions.number("lanes"), number("warps")?),
        ("chase", _) => chase(arch, number("stride")?, number("size")?),
        _ => Err(format!("No microbenchmark measures `{quantity}`.")),
    }
}

/// `arith.cu`: cycles of the SM for an instruction of any warp.
fn arith(arch: ArchId, op: &str, ilp: u32, warps: u32) -> Result<f64, String> {
    const NAMES: [&str; 7] = ["ffma", "fadd", "imad", "dfma", "mufu_ex2", "iadd_lop", "shfl"];
    let op = NAMES
        .iter()
        .position(|name| *name == op)
        .ok_or_else(|| format!("`arith.cu` has no `{op}`."))?;
    let ty = match op {
        0 | 1 | 4 => ElemType::F32,
        3 => ElemType::F64,
        _ => ElemType::I32,
    };
    let bench = Bench::new(File::Arith, 32 * warps, Length::Rounds(8))
        .define("OP", op)
        .define("ILP", ilp)
        .arg(buffer(ty, 1024, Role::Out))
        .arg(scalar(ty, 0.999, 3))
        .arg(scalar(ty, 0.001, 7));
    // 64 instructions of each warp in a round.
    Ok(bench.cycles(arch)? / f64::from(64 * warps))
}

/// `shared.cu`, likewise.
fn shared(arch: ArchId, ways: u32, ilp: u32, warps: u32) -> Result<f64, String> {
    let per = if ilp == 1 { 32 } else { 64 };
    let bench = Bench::new(File::Shared, 32 * warps, Length::Rounds(8))
        .define("WAYS", ways)
        .define("ILP", ilp)
        .arg(buffer(ElemType::I32, 1024, Role::Out));
    Ok(bench.cycles(arch)? / f64::from(per * warps))
}

/// `units.cu`: cycles for a round of all warps.
fn units(arch: ArchId, what: &str, lanes: Option<u32>, warps: u32) -> Result<f64, String> {
    const NAMES: [&str; 5] = [
        "barrier",
        "shared_atomic",
        "constant",
        "global_atomic",
        "syncwarp",
    ];
    let op = NAMES
        .iter()
        .position(|name| *name == what)
        .ok_or_else(|| format!("`units.cu` has no `{what}`."))?;
    let bench = Bench::new(File::Units, 32 * warps, Length::Rounds(4))
        .define("OP", op)
        .define("LANES", lanes.unwrap_or(1))
        .arg(buffer(ElemType::I32, 1024, Role::Out))
        .arg(buffer(ElemType::I32, 1024, Role::Out));
    Ok(bench.cycles(arch)? / 64.0)
}

/// `chase.cu`: cycles from load to load.
fn chase(arch: ArchId, stride: u32, size: u32) -> Result<f64, String> {
    let rounds = (size / stride / 16).clamp(16, 2048);
    let bench = Bench::new(File::Chase, 1, Length::Rounds(rounds))
        .define("STRIDE", stride)
        .define("SIZE", size)
        .define("ROUNDS", 2)
        .arg(buffer(ElemType::U64, 1, Role::Out))
        .arg(buffer(ElemType::U8, size, Role::InOut));
    Ok(bench.cycles(arch)? / 16.0)
}

/// A scalar of a type: a number for floating point, another for integers.
fn scalar(ty: ElemType, real: f64, whole: u32) -> Argument {
    match ty {
        ElemType::F32 => Argument::Scalar {
            ty,
            bits: u64::from((real as f32).to_bits()),
        },
        ElemType::F64 => Argument::Scalar {
            ty,
            bits: real.to_bits(),
        },
        _ => int(whole),
    }
}
