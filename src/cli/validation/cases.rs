//! The microbenchmark of each published quantity.

use super::Conditions;
use super::bench::{Bench, File, Length, buffer, constants, int, list};
use engine::arch::{ArchId, Generation, architecture};
use engine::isa::ElemType;
use engine::launch::{Argument, Role};
use engine::sim::LoadCaching;

/// Measures a quantity under these conditions on the simulator, in the unit of the published value.
///
/// # Errors
/// Returns a sentence if no microbenchmark exists, or if it does not run on the architecture.
pub(super) fn measure(arch: ArchId, quantity: &str, conditions: &Conditions) -> Result<f64, String> {
    let number = |name: &str| {
        conditions
            .number(name)
            .ok_or_else(|| format!("`{quantity}` requires the condition `{name}`."))
    };
    let (kind, what) = quantity.split_once(' ').unwrap_or((quantity, ""));
    match (kind, what) {
        ("issue", "shared") => shared(arch, number("ways")?, number("ilp")?, number("warps")?),
        ("issue", _) => arith(arch, what, number("ilp")?, number("warps")?),
        ("round", _) => units(arch, what, conditions.number("lanes"), number("warps")?),
        ("chase", _) => chase(arch, number("stride")?, number("size")?),
        ("latency", "texture") => texture(arch, conditions.get("level").unwrap_or("l1")),
        ("latency", "global") if conditions.get("level") == Some("tlb-miss") => {
            Err("The simulator does not model the TLB.".to_owned())
        }
        ("latency", "shared") => shared(arch, ways(arch, conditions), 1, 1),
        ("latency", "global") => memory(arch, conditions.get("level").unwrap_or("dram")),
        ("latency", "constant") => {
            let addresses = conditions.number("addresses").unwrap_or(1);
            constant(arch, conditions.get("level").unwrap_or("l1"), addresses)
        }
        ("latency", _) => op_latency(arch, what),
        ("throughput", "barrier") => barrier(arch),
        ("throughput", _) => op_throughput(arch, what, conditions.number("ilp").unwrap_or(8)),
        ("atomic", _) => atomic(arch, what == "shared", conditions.number("lanes").unwrap_or(1)),
        ("bandwidth", _) => bandwidth(arch, what, conditions),
        _ => Err(format!("No microbenchmark measures `{quantity}`.")),
    }
}

/// Runs `arith.cu`: cycles of the SM per instruction of any warp.
fn arith(arch: ArchId, op: &str, ilp: u32, warps: u32) -> Result<f64, String> {
    const NAMES: [&str; 8] = [
        "ffma",
        "fadd",
        "imad",
        "dfma",
        "mufu_ex2",
        "iadd_lop",
        "shfl",
        "ffma_3reg",
    ];
    let op = NAMES
        .iter()
        .position(|name| *name == op)
        .ok_or_else(|| format!("`arith.cu` has no `{op}`."))?;
    let ty = match op {
        0 | 1 | 4 | 7 => ElemType::F32,
        3 => ElemType::F64,
        _ => ElemType::I32,
    };
    let bench = Bench::new(File::Arith, 32 * warps, Length::Rounds(2))
        .define("OP", op)
        .define("ILP", ilp)
        .arg(buffer(ty, 1024, Role::Out))
        .arg(scalar(ty, 0.999, 3))
        .arg(scalar(ty, 0.001, 7));
    // Each warp executes 256 instructions per iteration.
    Ok(bench.cycles(arch)? / f64::from(256 * warps))
}

/// Runs `shared.cu`: cycles of the SM per instruction of any warp.
fn shared(arch: ArchId, ways: u32, ilp: u32, warps: u32) -> Result<f64, String> {
    let per = if ilp == 1 { 32 } else { 64 };
    let bench = Bench::new(File::Shared, 32 * warps, Length::Rounds(8))
        .define("WAYS", ways)
        .define("ILP", ilp)
        .arg(buffer(ElemType::I32, 1024, Role::Out));
    Ok(bench.cycles(arch)? / f64::from(per * warps))
}

/// Returns the conflict degree: as the source lists it, or the degree that produces the listed number of wavefronts.
fn ways(arch: ArchId, conditions: &Conditions) -> u32 {
    let words_of_bank = u32::from(architecture(arch).memory.shared.bank_width_bytes.value) / 4;
    match (conditions.number("wavefronts"), conditions.number("ways")) {
        (Some(wavefronts), _) => wavefronts * words_of_bank,
        (None, ways) => ways.unwrap_or(1),
    }
}

/// Runs `units.cu`: cycles per round of all warps.
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
    // Each word contains its own index.
    let table = (0..1024).map(|word| f64::from(4 * word)).collect();
    let mut bench = Bench::new(File::Units, 32 * warps, Length::Rounds(4))
        .define("OP", op)
        .define("LANES", lanes.unwrap_or(1))
        .arg(buffer(ElemType::I32, 1024, Role::Out))
        .arg(buffer(ElemType::I32, 1024, Role::Out));
    if what == "constant" {
        bench = bench.symbol(constants("table", table));
    }
    Ok(bench.cycles(arch)? / 64.0)
}

/// Runs `chase.cu`: cycles per load.
fn chase(arch: ArchId, stride: u32, size: u32) -> Result<f64, String> {
    Ok(chase_bench(stride, size).cycles(arch)? / 16.0)
}

fn chase_bench(stride: u32, size: u32) -> Bench {
    let rounds = (size / stride / 16).clamp(16, 2048);
    Bench::new(File::Chase, 1, Length::Rounds(rounds))
        .define("STRIDE", stride)
        .define("SIZE", size)
        .define("ROUNDS", 2)
        .arg(buffer(ElemType::U64, 1, Role::Out))
        .arg(buffer(ElemType::U64, size / 8, Role::InOut))
}

/// Runs `chase.cu` with a ring that fits in a memory level but not in the previous level: cycles per load.
fn memory(arch: ArchId, level: &str) -> Result<f64, String> {
    let memory = &architecture(arch).memory;
    let in_l2 = memory.l2.as_ref().map_or(0, |l2| l2.capacity_kib.value * 1024);
    let bench = match level {
        "l1" if memory.l1.is_none() => return Err("The architecture has no such cache.".to_owned()),
        "l1" => chase_bench(128, 4096).caching(LoadCaching::Ca),
        "l2" if in_l2 == 0 => return Err("The architecture has no such cache.".to_owned()),
        "l2" => chase_bench(128, (in_l2 / 2).min(1 << 20)).caching(LoadCaching::Cg),
        "dram" => {
            // Twice the size of the cache, with a large stride and more loads than L1 has lines.
            let size = (2 * in_l2).max(1 << 20).next_power_of_two();
            chase_bench(size / 4096, size)
        }
        _ => return Err(format!("No microbenchmark measures `{level}` of global memory.")),
    };
    Ok(bench.cycles(arch)? / 16.0)
}

/// Runs `constant.cu`: cycles per load in a level of the constant caches.
fn constant(arch: ArchId, level: &str, addresses: u32) -> Result<f64, String> {
    // Words that were not accessed before are beyond the caches of the SM.
    let is_first = architecture(arch).generation == Generation::Tesla;
    let (stride, size, warm, rounds) = match level {
        "l2" if is_first => (64, 6 * 1024, 2, 16),
        // One word per line, so the previous level misses.
        "l3" if is_first => (256, 24 * 1024, 2, 16),
        "l1" => (64, 1024, 2, 16),
        "l15" => (64, 6 * 1024, 2, 16),
        "l2" => (256, 64 * 1024, 0, 3),
        _ => {
            return Err(format!(
                "No microbenchmark measures `{level}` of constant memory."
            ));
        }
    };
    let ring = (0..16384_u32)
        .map(|word| f64::from((4 * word + stride) % size))
        .collect();
    let bench = Bench::new(File::Constant, 32, Length::Rounds(rounds))
        .define("STRIDE", stride)
        .define("SIZE", size)
        .define("GROUP", 32 / addresses.max(1))
        .define("WARM", warm)
        .arg(buffer(ElemType::I32, 32, Role::Out))
        .symbol(constants("ring", ring));
    Ok(bench.cycles(arch)? / 32.0)
}

/// Runs `texture.cu`: cycles per fetch in a level of the texture caches.
fn texture(arch: ArchId, level: &str) -> Result<f64, String> {
    let path = architecture(arch).memory.texture;
    let in_first = path.map_or(0, |path| path.first.bytes.value);
    let (stride, size) = match level {
        "l1" => (32, 2048),
        "l2" => (32, 4 * in_first.max(4096)),
        _ => return Err(format!("No microbenchmark measures `{level}` of texture memory.")),
    };
    let words = size / 4;
    let ring: Vec<f64> = (0..words)
        .map(|word| f64::from((word + stride / 4) % words))
        .collect();
    let bench = Bench::new(File::Texture, 1, Length::Rounds((size / stride / 16).max(16)))
        .define("STRIDE", stride)
        .define("SIZE", size)
        .define("ROUNDS", 2)
        .arg(buffer(ElemType::I32, 1, Role::Out))
        .texture(list(ElemType::I32, &ring));
    Ok(bench.cycles(arch)? / 16.0)
}

/// Runs `atomics.cu`: cycles that an atomic addition adds to a load.
fn atomic(arch: ArchId, is_shared: bool, lanes: u32) -> Result<f64, String> {
    let cycles = |with: u32| {
        Bench::new(File::Atomics, 32, Length::Rounds(8))
            .define("SHARED", u32::from(is_shared))
            .define("LANES", lanes)
            .define("ATOMIC", with)
            .arg(buffer(ElemType::I32, 1024, Role::Out))
            .arg(buffer(ElemType::I32, 1024, Role::Out))
            .cycles(arch)
    };
    Ok((cycles(1)? - cycles(0)?) / 16.0)
}

/// Returns the threads that pass a barrier per clock, from the extra cost of additional warps.
fn barrier(arch: ArchId) -> Result<f64, String> {
    let most = u32::from(architecture(arch).occupancy.max_threads_per_block.value) / 32;
    let (few, many) = (most / 2, most);
    let more = units(arch, "barrier", None, many)? - units(arch, "barrier", None, few)?;
    Ok(f64::from(32 * (many - few)) / more)
}

/// Runs `stream.cu`: bytes per clock of one SM from L1, L2, or device memory.
fn bandwidth(arch: ArchId, level: &str, conditions: &Conditions) -> Result<f64, String> {
    let chip = architecture(arch);
    let most = u32::from(chip.occupancy.max_threads_per_block.value) / 32;
    let warps = conditions.number("warps").unwrap_or(most);
    let (width, flight) = (
        conditions.number("width").unwrap_or(4),
        conditions.number("flight").unwrap_or(4),
    );
    if level == "shared" {
        return Ok(128.0 / shared(arch, 1, 8, warps)?);
    }
    let round = 32 * warps * width * flight;
    let rounds = 32;
    let size = match level {
        "l1" => 4096_u32.max(round.next_power_of_two()),
        "l2" => 1 << 20,
        "dram" if conditions.number("warps").is_none() => {
            return Err(
                "The validation runs one SM, which does not share device memory with other SMs.".to_owned(),
            );
        }
        // Large enough that no iteration repeats addresses of another iteration.
        _ => (2 * rounds * round).next_power_of_two(),
    };
    let ty = match width {
        4 => "float",
        8 => "float2",
        _ => "float4",
    };
    let bench = Bench::new(File::Stream, 32 * warps, Length::Rounds(rounds))
        .define("TYPE", ty)
        .define("WIDTH", width)
        .define("FLIGHT", flight)
        .define("SIZE", size)
        .define("THREADS", 32 * warps)
        .define("WARM", u32::from(level != "dram"))
        .arg(buffer(ElemType::F32, 32 * warps, Role::Out))
        .arg(buffer(ElemType::F32, (size + round) / 4, Role::In))
        .caching(LoadCaching::Ca);
    Ok(f64::from(round) / bench.cycles(arch)?)
}

/// One operation of `ops.cu`.
struct Op {
    name: &'static str,
    macro_name: &'static str,
    elem: ElemType,
    /// Instructions of the class per use of the macro.
    instructions: u32,
}

const fn op(name: &'static str, macro_name: &'static str, elem: ElemType, instructions: u32) -> Op {
    Op {
        name,
        macro_name,
        elem,
        instructions,
    }
}

const OPS: [Op; 29] = [
    op("ffma", "FFMA", ElemType::F32, 1),
    op("fadd", "FADD", ElemType::F32, 1),
    op("fmul", "FMUL", ElemType::F32, 1),
    op("ex2", "EX2", ElemType::F32, 1),
    op("lg2", "LG2", ElemType::F32, 1),
    op("rsqrt", "RSQRT", ElemType::F32, 1),
    op("sin", "SIN", ElemType::F32, 1),
    op("sqrt", "SQRT", ElemType::F32, 1),
    op("fdiv", "FDIV", ElemType::F32, 1),
    op("fdividef", "FDIVIDEF", ElemType::F32, 1),
    op("convert", "CONVERT", ElemType::F32, 2),
    op("convert64", "CONVERT64", ElemType::F64, 2),
    op("dfma", "DFMA", ElemType::F64, 1),
    // Two results for each instruction.
    op("hfma2", "HFMA2", ElemType::U32, 2),
    op("dadd", "DADD", ElemType::F64, 1),
    op("dmul", "DMUL", ElemType::F64, 1),
    op("ddiv", "DDIV", ElemType::F64, 1),
    op("iadd", "IADD", ElemType::I32, 1),
    op("lop", "LOP", ElemType::I32, 1),
    op("shl", "SHL", ElemType::I32, 1),
    op("imin", "IMIN", ElemType::I32, 1),
    op("imul", "IMUL", ElemType::I32, 1),
    op("imad", "IMAD", ElemType::I32, 1),
    op("mul24", "MUL24", ElemType::I32, 1),
    op("idiv", "IDIV", ElemType::I32, 1),
    op("udiv", "UDIV", ElemType::U32, 1),
    op("popc", "POPC", ElemType::I32, 1),
    op("brev", "BREV", ElemType::U32, 1),
    op("shfl", "SHFL", ElemType::I32, 1),
];

/// Returns the microbenchmark of an operation.
fn op_bench(name: &str, ilp: u32, warps: u32) -> Result<(Bench, &'static Op), String> {
    let op = (OPS.iter().find(|op| op.name == name)).ok_or_else(|| format!("`ops.cu` has no `{name}`."))?;
    let is_half = name == "hfma2";
    let ty = match op.elem {
        _ if is_half => "__half2",
        ElemType::F64 => "double",
        ElemType::I32 => "int",
        ElemType::U32 => "unsigned",
        _ => "float",
    };
    let mut bench = Bench::new(File::Ops, 32 * warps, Length::Row(16))
        .define("OP", op.macro_name)
        .define("T", ty)
        .define("ILP", ilp)
        // Correctly rounded division and square root use the default options; special functions use -ftz.
        .ftz(!matches!(name, "fdiv" | "sqrt"))
        .arg(buffer(op.elem, 32 * warps, Role::Out))
        .arg(list(
            op.elem,
            &[12.0, 3.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0, 13.0],
        ));
    if is_half {
        bench = bench.define("HALF", 1);
    }
    Ok((bench, op))
}

/// Returns the cycles per use of the macro in all chains of a thread.
fn op_cycles(arch: ArchId, name: &str, ilp: u32, warps: u32) -> Result<(f64, &'static Op), String> {
    let (bench, op) = op_bench(name, ilp, warps)?;
    Ok((bench.cycles(arch)?, op))
}

/// Returns the results per clock of an SM at their highest: with one block of as many threads as fit, or with many blocks
/// one after the other, where the last warps matter less.
///
/// # Errors
/// As [`measure`].
pub(super) fn op_peak(arch: ArchId, name: &str) -> Result<f64, String> {
    let (warps, ilp, blocks) = (8, 8, 96);
    let (bench, op) = op_bench(name, ilp, warps)?;
    let cycles = bench.length(Length::Row(48)).cycles_of_blocks(arch, blocks)?;
    let of_blocks = f64::from(32 * warps * ilp * op.instructions * blocks) / cycles;
    Ok(of_blocks.max(op_throughput(arch, name, ilp)?))
}

/// Returns the latency of an operation: cycles between dependent instructions in one chain of one warp.
fn op_latency(arch: ArchId, name: &str) -> Result<f64, String> {
    let (cycles, op) = op_cycles(arch, name, 1, 1)?;
    Ok(cycles / f64::from(op.instructions))
}

/// Returns the results per clock per SM with the maximum number of warps in a block.
///
/// If a source does not state the number of chains per thread, enough chains keep all units busy until the last warps
/// of the block finish, because the source lists the peak throughput.
fn op_throughput(arch: ArchId, name: &str, ilp: u32) -> Result<f64, String> {
    let warps = u32::from(architecture(arch).occupancy.max_threads_per_block.value) / 32;
    let (cycles, op) = op_cycles(arch, name, ilp, warps)?;
    Ok(f64::from(32 * warps * ilp * op.instructions) / cycles)
}

/// Returns a scalar argument: `real` for floating-point types, `whole` for integers.
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
