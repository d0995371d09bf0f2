//! The cost of one access of a warp.

use super::*;
use crate::share::shortened;
use engine::access::{AccessOp, CacheLevel, constant, global, shared};
use engine::arch::{Architecture, BankSize};
use engine::ids::LaneMask;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct AccessQuestion {
    #[serde(default)]
    arch: Option<String>,
    space: String,
    #[serde(default)]
    op: Option<String>,
    #[serde(default)]
    width_bits: Option<u32>,
    offsets: Vec<Option<u64>>,
    #[serde(default)]
    mask: Option<u32>,
    #[serde(default)]
    caching: Option<String>,
    #[serde(default)]
    bank_size: Option<u32>,
}

/// A valid access.
struct Request {
    arch: &'static Architecture,
    op: AccessOp,
    width_bits: u32,
    /// Byte offsets by lane.
    offsets: [u64; 32],
    /// Lanes with an offset.
    mask: LaneMask,
}

/// The cost of one access of a warp.
///
/// # Errors
/// The request is invalid.
pub fn access(asked: Value) -> Answer {
    let asked: AccessQuestion = question("access", asked)?;
    let request = Request::of(&asked)?;
    match asked.space.as_str() {
        "shared" => request.shared(asked.bank_size),
        "global" => request.global(asked.caching.as_deref()),
        "constant" => Ok(request.constant()),
        other => fail(&format!(
            "`space` must be shared, global, or constant, not `{}`",
            shortened(other)
        )),
    }
}

/// An error about the request.
fn fail<T>(what: &str) -> Result<T, String> {
    Err(format!("access: {what}"))
}

impl Request {
    /// The access of a question, or an error sentence.
    fn of(asked: &AccessQuestion) -> Result<Self, String> {
        let arch = architecture(arch_of("access", asked.arch.as_deref())?);
        let op = match asked.op.as_deref().unwrap_or("load") {
            "load" => AccessOp::Load,
            "store" => AccessOp::Store,
            "atomic" => AccessOp::Atomic,
            other => {
                let other = shortened(other);
                return fail(&format!("`op` must be load, store, or atomic, not `{other}`"));
            }
        };
        let width_bits = asked.width_bits.unwrap_or(32);
        if ![8, 16, 32, 64, 128].contains(&width_bits) {
            return fail(&format!(
                "`widthBits` must be 8, 16, 32, 64, or 128, not {width_bits}"
            ));
        }
        if asked.offsets.len() > 32 {
            return fail(&format!(
                "`offsets` must contain a byte offset for each of up to 32 lanes, not {}",
                asked.offsets.len()
            ));
        }
        let mut offsets = [0_u64; 32];
        let mut given = 0_u32;
        for (lane, offset) in asked.offsets.iter().enumerate() {
            if let Some(offset) = offset {
                offsets[lane] = *offset;
                given |= 1 << lane;
            }
        }
        let mask = LaneMask(asked.mask.unwrap_or(u32::MAX) & given);
        if mask.0 == 0 {
            return fail("no lane is active: `offsets` has no number for any lane of `mask`");
        }
        let bytes = u64::from(width_bits / 8);
        if let Some(lane) = mask.lanes().find(|lane| offsets[*lane as usize] % bytes != 0) {
            return fail(&format!(
                "the offset of lane {lane}, {}, is not a multiple of the element size, {bytes} bytes",
                offsets[lane as usize]
            ));
        }
        if asked.space != "global" {
            const MOST: u64 = 1 << 20;
            if let Some(lane) = mask.lanes().find(|lane| offsets[*lane as usize] >= MOST) {
                return fail(&format!("the offset of lane {lane} exceeds {MOST} bytes"));
            }
        }
        Ok(Self {
            arch,
            op,
            width_bits,
            offsets,
            mask,
        })
    }

    /// The cost of an access to shared memory.
    fn shared(&self, bank_size: Option<u32>) -> Answer {
        let arch = self.arch;
        let offsets = self.offsets.map(|offset| offset as u32);
        let size = bank_size.unwrap_or(BankSize::FourByte.bytes());
        let size = BankSize::of_bytes(arch, size).map_err(|why| format!("access: `bankSize`: {why}"))?;
        let access = shared(
            arch.memory.banks(size),
            self.op,
            self.width_bits,
            &offsets,
            self.mask,
        );
        let passes: Vec<Value> = access
            .passes()
            .map(|(request, pass)| json!({ "request": request, "lanes": lanes(pass.lanes()) }))
            .collect();
        Ok(json!({
            "space": "shared",
            "wavefronts": access.wavefronts(),
            "idealWavefronts": access.ideal_wavefronts(),
            "conflicts": access.conflicts(),
            "banks": access.banks.num,
            "bankSize": access.banks.size.bytes(),
            "passes": passes,
        }))
    }

    /// The cost of an access to global memory.
    fn global(&self, caching: Option<&str>) -> Answer {
        let arch = self.arch;
        let in_l1 = match caching {
            None => arch
                .memory
                .l1
                .as_ref()
                .is_some_and(|l1| l1.caches_globals_by_default.value),
            Some("ca") => true,
            Some("cg") => false,
            Some(other) => {
                let other = shortened(other);
                return fail(&format!("`caching` must be ca or cg, not `{other}`"));
            }
        };
        // Stores and atomics bypass L1.
        let level = if in_l1 && self.op == AccessOp::Load {
            CacheLevel::L1
        } else {
            CacheLevel::L2
        };
        let access = global(arch, level, self.op, self.width_bits, &self.offsets, self.mask);
        let transactions: Vec<Value> = access
            .transactions
            .iter()
            .map(|transaction| {
                json!({
                    "base": transaction.base,
                    "bytes": transaction.bytes,
                    "request": transaction.request,
                    "repeats": transaction.repeats,
                    "usedBytes": transaction.used_bytes,
                    "lanes": lanes(transaction.lanes),
                })
            })
            .collect();
        Ok(json!({
            "space": "global",
            "requests": access.counts.requests,
            "sectors": access.counts.sectors,
            "lines": access.counts.lines,
            "bytes": access.counts.bytes,
            "usedBytes": access.used_bytes,
            "transactions": transactions,
        }))
    }

    /// The cost of an access to constant memory.
    fn constant(&self) -> Value {
        let offsets = self.offsets.map(|offset| offset as u32);
        let access = constant(self.arch, &offsets, self.mask);
        let requests: Vec<Value> = access
            .requests
            .iter()
            .map(|request| json!({ "address": request.address, "lanes": lanes(request.lanes) }))
            .collect();
        json!({ "space": "constant", "requests": requests })
    }
}

/// The numbers of the lanes of a mask.
fn lanes(mask: LaneMask) -> Vec<u32> {
    mask.lanes().collect()
}
