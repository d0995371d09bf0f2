//! The output buffers of a run: as JSON, as text, and as files.

use std::path::PathBuf;

use clap::Args;
use serde_json::{Number, Value};

use super::CliError;
use ::corpus::compare::value_text;
use engine::arch::ArchId;
use engine::isa::ElemType;
use engine::launch::Launch;
use engine::sim::memory::Outputs;
use engine::sim::memory::{BufferPlace, DeviceMemory};
use engine::trace::Trace;

/// Elements of a buffer in the text of a run.
const NUM_IN_TEXT: u64 = 8;

/// What a run reports of the buffers that the kernel may write: those with the roles out and inout.
#[derive(Args, Debug)]
pub(super) struct OutputFlags {
    /// Prints the first N elements of each output buffer [default: 8, with --json all]; without N all
    ///
    /// With --json, `outputs` has an object for each buffer: `argument` (its position, from 0), `name`,
    /// `bytes`, `crc32`, and, unless N is 0, `type` (as --args has it) and `values`. A value is a JSON number with as many digits as it needs to read back as the
    /// same value of this type. Integers of 64 bits have all their digits: a reader that holds numbers as doubles
    /// (JavaScript, for example) rounds them beyond 2^53. What JSON has no number for is a string: "inf", "-inf",
    /// and "nan(0x7fffffff)", which gives the bits of the NaN.
    #[arg(long = "outputs", value_name = "N", num_args = 0..=1, default_missing_value = "18446744073709551615",
        help_heading = "Outputs")]
    num_shown: Option<u64>,
    /// Writes each output buffer to DIR/NAME.bin, where NAME is the parameter's name
    ///
    /// A file holds the bytes of the buffer as they are in memory, little-endian. With several architectures, each
    /// has a folder of its own: DIR/ARCH/NAME.bin. A parameter without a name has its position for a name. The
    /// folder is created, and files of an earlier run are replaced. With --json, `file` of each buffer is the path.
    #[arg(long, value_name = "DIR", help_heading = "Outputs")]
    save: Option<PathBuf>,
}

impl OutputFlags {
    /// Adds values and files to the buffers of a run's JSON; `saved` has the file of each, or is empty.
    pub(super) fn add_to(&self, run: &mut Value, trace: &Trace, outputs: &Outputs, saved: &[PathBuf]) {
        let num_shown = self.num_shown.unwrap_or(u64::MAX);
        for (idx, (argument, bytes)) in outputs.compared().enumerate() {
            let object = &mut run["outputs"][idx];
            if let Some(elem) = elem(trace.launch(), argument).filter(|_| num_shown > 0) {
                let values = first(elem, &bytes, num_shown);
                object["type"] = format!("{elem:?}").to_lowercase().into();
                object["values"] = values.map(|bytes| value_json(elem, bytes)).collect();
            }
            if let Some(path) = saved.get(idx) {
                object["file"] = path.to_string_lossy().into();
            }
        }
    }

    /// The first elements of a buffer, separated by spaces.
    pub(super) fn text(&self, launch: &Launch, place: &BufferPlace, memory: &DeviceMemory) -> String {
        let Some(elem) = elem(launch, place.argument) else {
            return String::new();
        };
        let most = self.bytes_in_text(elem);
        let bytes = place.first_bytes(memory, most);
        self.elements_text(elem, &bytes, place.end - place.start > most)
    }

    /// The first elements of a buffer at kernel start, separated by spaces.
    pub(super) fn initial_text(&self, launch: &Launch, argument: usize) -> String {
        let Some(elem) = elem(launch, argument) else {
            return String::new();
        };
        let most = self.bytes_in_text(elem);
        let bytes = launch.initial_bytes(argument, most).unwrap_or_default();
        let size = |len: u32| u64::from(len) * u64::from(elem.bytes());
        let has_more = launch
            .elements(argument)
            .is_some_and(|shown| size(shown.len) > most);
        self.elements_text(elem, &bytes, has_more)
    }

    /// The bytes of the elements that are shown in text.
    fn bytes_in_text(&self, elem: ElemType) -> u64 {
        let num_shown = self.num_shown.unwrap_or(NUM_IN_TEXT);
        num_shown.saturating_mul(elem.bytes().into())
    }

    fn elements_text(&self, elem: ElemType, bytes: &[u8], has_more: bool) -> String {
        let num_shown = self.num_shown.unwrap_or(NUM_IN_TEXT);
        let mut text: Vec<String> = first(elem, bytes, num_shown)
            .map(|bytes| value_text(elem, bytes))
            .collect();
        if has_more {
            text.push("…".to_owned());
        }
        text.join(" ")
    }

    /// Writes each buffer to a file where `--save` names a folder. Returns the paths, in the order of the buffers;
    /// `arch` is the subfolder.
    ///
    /// # Errors
    /// A folder or file that cannot be written.
    pub(super) fn save(
        &self,
        trace: &Trace,
        outputs: &Outputs,
        arch: Option<ArchId>,
    ) -> Result<Vec<PathBuf>, CliError> {
        let Some(folder) = &self.save else {
            return Ok(Vec::new());
        };
        let folder = arch.map_or_else(|| folder.clone(), |arch| folder.join(arch.to_string()));
        let failed = |path: &PathBuf| {
            let path = path.clone();
            move |source| CliError::WriteFile { path, source }
        };
        std::fs::create_dir_all(&folder).map_err(failed(&folder))?;
        let mut taken: Vec<String> = Vec::new();
        let mut paths = Vec::new();
        for (argument, bytes) in outputs.compared() {
            let mut stem = match name(trace, argument) {
                name if name.is_empty() => argument.to_string(),
                name => name,
            };
            // Some file systems do not distinguish `a` from `A`.
            if taken.iter().any(|taken| taken.eq_ignore_ascii_case(&stem)) {
                stem = format!("{stem}-{argument}");
            }
            let path = folder.join(format!("{stem}.bin"));
            std::fs::write(&path, &bytes).map_err(failed(&path))?;
            taken.push(stem);
            paths.push(path);
        }
        Ok(paths)
    }
}

/// The name of an argument.
fn name(trace: &Trace, argument: usize) -> String {
    engine::sim::memory::argument_name(trace.program(), trace.launch(), argument)
}

/// The type of a buffer's elements.
fn elem(launch: &Launch, argument: usize) -> Option<ElemType> {
    launch.args.get(argument)?.elem()
}

/// The bytes of the first elements of a buffer.
fn first(elem: ElemType, bytes: &[u8], num: u64) -> impl Iterator<Item = &[u8]> {
    let num = usize::try_from(num).unwrap_or(usize::MAX);
    bytes.chunks_exact(elem.bytes() as usize).take(num)
}

/// A value as a JSON number, or as a string where JSON has no number for it.
fn value_json(elem: ElemType, bytes: &[u8]) -> Value {
    let text = value_text(elem, bytes);
    match elem {
        ElemType::F16 | ElemType::F32 | ElemType::F64 => {}
        // As many digits as they have.
        _ => return text.parse::<Number>().map_or(Value::String(text), Value::Number),
    }
    let number = match (elem, bytes) {
        (ElemType::F32, &[a, b, c, d]) => shortest(f32::from_le_bytes([a, b, c, d]), &text),
        _ => text.parse().unwrap_or(f64::NAN),
    };
    match Number::from_f64(number) {
        Some(number) => Value::Number(number),
        None if number.is_nan() => {
            let hex: String = bytes
                .iter()
                .rev()
                .map(|byte| format!("{byte:02x}"))
                .collect::<Vec<_>>()
                .concat();
            Value::String(format!("nan(0x{hex})"))
        }
        None => Value::String(text),
    }
}

/// The double with the fewest digits that rounds to this value; `text` is the value with the fewest digits.
fn shortest(value: f32, text: &str) -> f64 {
    match text.parse::<f64>() {
        Ok(number) if (number as f32).to_bits() == value.to_bits() => number,
        // A double of so few digits can lie on the border between two values.
        _ => f64::from(value),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn f32_json(bits: u32) -> String {
        value_json(ElemType::F32, &bits.to_le_bytes()).to_string()
    }

    #[test]
    fn a_value_reads_back_as_itself() {
        for bits in (0..u32::MAX).step_by(100_003) {
            let text = f32_json(bits);
            match text.parse::<f64>() {
                Ok(number) => assert_eq!((number as f32).to_bits(), bits, "{text}"),
                Err(_) => assert!(text.starts_with("\"nan(0x"), "{text}"),
            }
        }
        for bits in (0..=u16::MAX).step_by(7) {
            let text = value_json(ElemType::F16, &bits.to_le_bytes()).to_string();
            let is_number = bits >> 10 & 31 != 31;
            assert_eq!(text.parse::<f64>().is_ok(), is_number, "{text}");
        }
        let integers = [i64::MIN, -1, 0, i64::MAX];
        for integer in integers {
            let value = value_json(ElemType::I64, &integer.to_le_bytes());
            assert_eq!(value, json!(integer));
        }
        let value = value_json(ElemType::U64, &u64::MAX.to_le_bytes());
        assert_eq!(value, json!(u64::MAX));
    }

    #[test]
    fn what_json_has_no_number_for_is_a_string() {
        assert_eq!(f32_json(0x7f80_0000), "\"inf\"");
        assert_eq!(f32_json(0xff80_0000), "\"-inf\"");
        assert_eq!(f32_json(0x7fff_ffff), "\"nan(0x7fffffff)\"");
        assert_eq!(f32_json(0xffc0_0001), "\"nan(0xffc00001)\"");
        let nan = value_json(ElemType::F64, &0x7ff8_0000_0000_0001_u64.to_le_bytes());
        assert_eq!(nan, "nan(0x7ff8000000000001)");
        assert_eq!(value_json(ElemType::F16, &0xfc00_u16.to_le_bytes()), "-inf");
    }

    #[test]
    fn numbers_are_short_and_keep_their_sign() {
        assert_eq!(f32_json(0.1_f32.to_bits()), "0.1");
        assert_eq!(f32_json((-0.0_f32).to_bits()), "-0.0");
        assert_eq!(f32_json(1e-45_f32.to_bits()), "1e-45");
        assert_eq!(value_json(ElemType::I8, &[0xff]), json!(-1));
    }
}
