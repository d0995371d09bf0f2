//! Stored programs that once failed: `NAME.cu` with shape and architectures in the first two lines, and `NAME.txt` with
//! the expected outputs.

use std::path::Path;

use engine::arch::ArchId;
use engine::isa::CompileOptions;

use super::Shape;
use super::check::Setup;
use super::cxx::Outputs;

/// A stored program.
#[derive(Clone, Debug)]
pub struct Case {
    /// The file name without its extension.
    pub name: String,
    /// The source text.
    pub source: String,
    /// The launch shape.
    pub shape: Shape,
    /// The expected outputs.
    pub expected: Outputs,
    /// The setups: each architecture with default options and with few registers.
    pub setups: Vec<Setup>,
}

/// Returns the programs of a folder in name order.
///
/// # Errors
/// Returns the name of a file that cannot be read.
#[expect(clippy::disallowed_methods, reason = "a tool of the command line")]
pub fn load(folder: &Path) -> Result<Vec<Case>, String> {
    let text = |error: std::io::Error| format!("{}: {error}", folder.display());
    let mut out = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(text)? {
        let path = entry.map_err(text)?.path();
        if path.extension().is_none_or(|ending| ending != "cu") {
            continue;
        }
        let source = std::fs::read_to_string(&path).map_err(text)?;
        let expected = std::fs::read_to_string(path.with_extension("txt")).map_err(text)?;
        let case = read(&path, source, &expected);
        out.push(case.ok_or_else(|| format!("{} does not state its launch", path.display()))?);
    }
    out.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(out)
}

fn read(path: &Path, source: String, expected: &str) -> Option<Case> {
    let mut lines = source.lines();
    let shape = Shape::read(lines.next()?.strip_prefix("// ")?)?;
    let archs: Vec<ArchId> = lines
        .next()?
        .strip_prefix("// ")?
        .split_whitespace()
        .map(|word| word.parse().ok())
        .collect::<Option<_>>()?;
    let setup = |arch, max_registers| Setup {
        arch,
        options: CompileOptions {
            fmad: false,
            max_registers,
            ..CompileOptions::default()
        },
    };
    Some(Case {
        name: path.file_stem()?.to_str()?.to_owned(),
        shape,
        expected: Outputs::read(expected)?,
        setups: archs
            .into_iter()
            .flat_map(|arch| [setup(arch, None), setup(arch, Some(24))])
            .collect(),
        source,
    })
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::load;
    use crate::check::{Subject, check_source};

    fn folder() -> std::path::PathBuf {
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/programs")
    }

    #[test]
    fn kept_programs_leave_what_they_must() {
        for case in load(&folder()).unwrap() {
            let len = case.shape.num_outputs() * 4;
            assert_eq!(case.expected.stores.len() as u32, len, "{}", case.name);
            assert!(!case.setups.is_empty(), "{}", case.name);
            for setup in &case.setups {
                let failure = check_source(&case.source, &case.shape, Some(&case.expected), setup);
                assert_eq!(failure, None, "{} on {}", case.name, setup.text());
            }
        }
    }

    #[test]
    fn kept_programs_end_as_the_interpreter_says() {
        for case in load(&folder()).unwrap() {
            for setup in &case.setups {
                let subject = Subject::new(&case.source, &case.shape, setup).unwrap();
                assert_eq!(
                    subject.interpreted(true).as_ref(),
                    Ok(&case.expected),
                    "{}",
                    case.name
                );
            }
        }
    }
}
