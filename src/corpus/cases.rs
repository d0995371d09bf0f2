//! Reads a corpus folder: `cases.toml`, `measured.csv`, and the expected outputs.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use thiserror::Error;

use engine::isa::ElemType;
use engine::launch::{Argument, Fill, Launch, Pattern, Role, SymbolFill};

/// The errors of reading a corpus folder.
#[derive(Debug, Error)]
pub enum CorpusError {
    /// A file cannot be read.
    #[error("cannot read {path}: {source}")]
    Read {
        /// The path of the file.
        path: PathBuf,
        /// The system error.
        source: std::io::Error,
    },
    /// `cases.toml` is malformed.
    #[error("{path}: {source}")]
    Toml {
        /// The path of the file.
        path: PathBuf,
        /// The position and the reason.
        source: toml::de::Error,
    },
    /// A case contains an unknown value.
    #[error("case {case}: {what}")]
    Case {
        /// The name of the case.
        case: String,
        /// The problem.
        what: String,
    },
}

/// The comparison rule for outputs; integers are always compared exactly.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Compare {
    /// All bits must be equal.
    Exact,
    /// The maximum distance in representable values (ULP).
    Ulp(u64),
    /// `|got - expected| <= atol + rtol * |expected|`.
    Rel {
        /// The absolute tolerance.
        atol: f64,
        /// The relative tolerance.
        rtol: f64,
    },
}

/// One launch of the corpus.
#[derive(Clone, Debug)]
pub struct Case {
    /// The name.
    pub name: String,
    /// The kernel file, relative to the folder.
    pub file: String,
    /// The kernel name, with template arguments as C++ text.
    pub kernel: String,
    /// The launch.
    pub launch: Launch,
    /// The comparison rule for outputs.
    pub compare: Compare,
    /// Whether counts depend on timing; if so, only outputs are compared.
    pub noisy: bool,
    /// The contents of `expected/NAME.bin`, if the file exists.
    pub expected: Option<Vec<u8>>,
    /// The row of `measured.csv`, by column name.
    pub measured: BTreeMap<String, String>,
}

impl Case {
    /// Returns a measured count.
    pub fn count(&self, column: &str) -> Option<u64> {
        self.measured.get(column)?.parse().ok()
    }

    /// Returns the CRC-32 of the initial bytes of all buffers in argument order, followed by all symbols.
    pub fn inputs_crc32(&self) -> u32 {
        let mut hasher = crc32fast::Hasher::new();
        for arg in &self.launch.args {
            if let Some((elem, len, fill, _)) = arg.elements() {
                hasher.update(&fill.bytes(elem, len));
            }
        }
        for symbol in &self.launch.symbols {
            hasher.update(&symbol.fill.bytes(symbol.elem, symbol.len));
        }
        hasher.finalize()
    }
}

/// Returns all cases of a folder, in the order of `cases.toml`.
///
/// # Errors
/// Returns an error if a file is missing or malformed.
pub fn load(dir: &Path) -> Result<Vec<Case>, CorpusError> {
    let path = dir.join("cases.toml");
    let text = read(&path)?;
    let file: CasesFile = toml::from_str(&text).map_err(|source| CorpusError::Toml { path, source })?;
    let mut measured = measured(dir)?;
    file.case
        .into_iter()
        .map(|raw| {
            let row = measured.remove(&raw.name).unwrap_or_default();
            raw.resolve(dir, row)
        })
        .collect()
}

fn read(path: &Path) -> Result<String, CorpusError> {
    std::fs::read_to_string(path).map_err(|source| CorpusError::Read {
        path: path.to_owned(),
        source,
    })
}

/// Returns the rows of `measured.csv` by case; none if the folder has no such file.
fn measured(dir: &Path) -> Result<BTreeMap<String, BTreeMap<String, String>>, CorpusError> {
    let path = dir.join("measured.csv");
    if !path.exists() {
        return Ok(BTreeMap::new());
    }
    let text = read(&path)?;
    let mut lines = text.lines();
    let columns: Vec<&str> = lines.next().unwrap_or_default().split(',').collect();
    Ok(lines
        .map(|line| {
            let row: BTreeMap<String, String> = columns
                .iter()
                .zip(line.split(','))
                .map(|(c, v)| ((*c).to_owned(), v.to_owned()))
                .collect();
            (row.get("case").cloned().unwrap_or_default(), row)
        })
        .collect())
}

#[derive(Deserialize)]
struct CasesFile {
    case: Vec<RawCase>,
}

#[derive(Deserialize)]
struct RawCase {
    name: String,
    file: String,
    kernel: String,
    grid: [u32; 3],
    block: [u32; 3],
    #[serde(default)]
    dynamic_shared: u32,
    #[serde(default)]
    symbols: Vec<RawArg>,
    args: Vec<RawArg>,
    compare: String,
    #[serde(default)]
    max_ulp: u64,
    #[serde(default)]
    rtol: f64,
    #[serde(default)]
    atol: f64,
    #[serde(default)]
    counters: String,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct RawArg {
    i32: Option<i64>,
    u32: Option<i64>,
    f32: Option<f64>,
    f64: Option<f64>,
    #[serde(rename = "struct")]
    members: Option<Vec<RawArg>>,
    buffer: Option<ElemType>,
    symbol: Option<String>,
    len: u32,
    init: String,
    value: f64,
    values: Vec<f64>,
    seed: u32,
    r#mod: Option<u64>,
    scale: Option<f64>,
    offset: Option<f64>,
    role: Option<Role>,
}

impl RawCase {
    fn resolve(self, dir: &Path, measured: BTreeMap<String, String>) -> Result<Case, CorpusError> {
        let wrong = |what: String| CorpusError::Case {
            case: self.name.clone(),
            what,
        };
        let compare = match self.compare.as_str() {
            "exact" => Compare::Exact,
            "ulp" => Compare::Ulp(self.max_ulp),
            "rel" => Compare::Rel {
                atol: self.atol,
                rtol: self.rtol,
            },
            other => return Err(wrong(format!("compare = \"{other}\" is not exact, ulp, or rel"))),
        };
        let args = self
            .args
            .iter()
            .map(RawArg::argument)
            .collect::<Result<_, _>>()
            .map_err(wrong)?;
        let symbols = self
            .symbols
            .iter()
            .map(RawArg::symbol)
            .collect::<Result<_, _>>()
            .map_err(wrong)?;
        let expected = std::fs::read(dir.join("expected").join(format!("{}.bin", self.name))).ok();
        let launch = Launch {
            grid: self.grid,
            block: self.block,
            dynamic_shared: self.dynamic_shared,
            args,
            symbols,
        };
        Ok(Case {
            launch,
            compare,
            expected,
            measured,
            noisy: self.counters == "noisy",
            name: self.name,
            file: self.file,
            kernel: self.kernel,
        })
    }
}

impl RawArg {
    fn fill(&self) -> Result<Fill, String> {
        let pattern = match self.init.as_str() {
            "zero" => Pattern::Zero,
            "const" => Pattern::Const(self.value),
            "list" => Pattern::List(self.values.clone()),
            "iota" => Pattern::Iota,
            "lcg" => Pattern::Lcg(self.seed),
            "perm" => Pattern::Perm(self.seed),
            other => {
                return Err(format!(
                    "init = \"{other}\" is not zero, const, list, iota, lcg, or perm"
                ));
            }
        };
        Ok(Fill {
            pattern,
            modulo: self.r#mod,
            scale: self.scale,
            offset: self.offset,
        })
    }

    fn scalar(&self) -> Option<(ElemType, u64)> {
        let bits32 = |v: i64| u64::from(v as u32);
        (self.i32.map(|v| (ElemType::I32, bits32(v))))
            .or(self.u32.map(|v| (ElemType::U32, bits32(v))))
            .or(self.f32.map(|v| (ElemType::F32, u64::from((v as f32).to_bits()))))
            .or(self.f64.map(|v| (ElemType::F64, v.to_bits())))
    }

    fn argument(&self) -> Result<Argument, String> {
        if let Some((ty, bits)) = self.scalar() {
            return Ok(Argument::Scalar { ty, bits });
        }
        if let Some(members) = &self.members {
            let mut bytes: Vec<u8> = Vec::new();
            let mut align = 1;
            for member in members {
                let (ty, bits) = member.scalar().ok_or("a struct's member is not a scalar")?;
                let size = ty.bytes() as usize;
                align = align.max(size);
                bytes.resize(bytes.len().next_multiple_of(size), 0);
                bytes.extend_from_slice(&bits.to_le_bytes()[..size]);
            }
            bytes.resize(bytes.len().next_multiple_of(align), 0);
            return Ok(Argument::Bytes(bytes));
        }
        let elem = self
            .buffer
            .ok_or("an argument is not a scalar, struct, or buffer")?;
        let role = self.role.ok_or("a buffer has no role")?;
        Ok(Argument::Buffer {
            elem,
            len: self.len,
            fill: self.fill()?,
            role,
            start: 0,
        })
    }

    fn symbol(&self) -> Result<SymbolFill, String> {
        let symbol = self.symbol.clone().ok_or("a symbol has no name")?;
        let elem = self.buffer.ok_or("a symbol has no element type")?;
        Ok(SymbolFill {
            symbol,
            elem,
            len: self.len,
            fill: self.fill()?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_case_starts_from_the_measured_bytes() {
        for (dir, num) in [("../../tests/corpus", 153), ("../../tests/corpus_more", 41)] {
            let cases = load(Path::new(dir)).expect("the corpus is readable");
            assert_eq!(cases.len(), num);
            for case in &cases {
                let expected = u32::from_str_radix(&case.measured["inputs_crc32"], 16).expect("a checksum");
                assert_eq!(case.inputs_crc32(), expected, "{}", case.name);
            }
        }
    }
}
