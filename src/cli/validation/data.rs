//! The published and measured values, read from CSV files of the tests.

use std::fmt;

use serde::{Serialize, Serializer};

const PUBLISHED: &str = include_str!("../../../tests/validation/published.csv");
const H200: &str = include_str!("../../../tests/microbenchmarks/h200.csv");

/// The conditions of a value: names and values in a fixed order.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Conditions(pub Vec<(String, String)>);

impl Conditions {
    /// Parses conditions such as `ways=4 warps=1`.
    pub fn read(text: &str) -> Self {
        let pair = |part: &str| {
            let (name, value) = part.split_once('=').unwrap_or((part, ""));
            (name.to_owned(), value.to_owned())
        };
        Self(text.split_whitespace().map(pair).collect())
    }

    /// Returns the value of a condition.
    pub fn get(&self, name: &str) -> Option<&str> {
        let found = self.0.iter().find(|(key, _)| key == name);
        found.map(|(_, value)| value.as_str())
    }

    /// Returns the value of a condition as a number.
    pub fn number(&self, name: &str) -> Option<u32> {
        self.get(name)?.parse().ok()
    }
}

impl fmt::Display for Conditions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (idx, (name, value)) in self.0.iter().enumerate() {
            let gap = if idx > 0 { " " } else { "" };
            write!(f, "{gap}{name}={value}")?;
        }
        Ok(())
    }
}

impl Serialize for Conditions {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// A published or measured value.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Published {
    /// The architecture ID.
    pub architecture: String,
    /// The product that was measured or described.
    pub part: String,
    /// The quantity, such as `latency ffma`.
    pub quantity: String,
    /// The conditions.
    pub conditions: Conditions,
    /// The value.
    pub value: f64,
    /// The unit.
    pub unit: String,
    /// The document.
    pub source: String,
    /// The section in the document.
    pub section: String,
    /// Whether the model is compared with the value; values of other sources are only listed.
    pub is_compared: bool,
    /// The reason why the value is only listed, or another remark.
    pub note: String,
}

/// Returns all values, with those of `published.csv` first.
///
/// # Errors
/// Returns an error if a line does not match the header.
pub fn published() -> Result<Vec<Published>, String> {
    let mut all = from_documents()?;
    all.extend(from_h200()?);
    Ok(all)
}

fn lines(text: &'static str, file: &str) -> Result<Vec<csv::StringRecord>, String> {
    csv::ReaderBuilder::new()
        .comment(Some(b'#'))
        .trim(csv::Trim::All)
        .from_reader(text.as_bytes())
        .into_records()
        .collect::<Result<_, _>>()
        .map_err(|error| format!("{file}: {error}"))
}

fn number(text: &str, file: &str, line: &csv::StringRecord) -> Result<f64, String> {
    text.parse()
        .map_err(|_| format!("{file}: `{text}` is not a number in {line:?}"))
}

fn from_documents() -> Result<Vec<Published>, String> {
    const FILE: &str = "published.csv";
    let row = |line: &csv::StringRecord| {
        let cell = |column: usize| line.get(column).unwrap_or_default().to_owned();
        Ok(Published {
            architecture: cell(0),
            part: cell(1),
            quantity: cell(2),
            conditions: Conditions::read(&cell(3)),
            value: number(&cell(4), FILE, line)?,
            unit: cell(5),
            source: cell(6),
            section: cell(7),
            is_compared: match cell(8).as_str() {
                "compared" => true,
                "beside" => false,
                other => return Err(format!("{FILE}: `{other}` must be `compared` or `beside`")),
            },
            note: cell(9),
        })
    };
    lines(PUBLISHED, FILE)?.iter().map(row).collect()
}

/// Returns the values measured for this project, from the columns that `measure.py` writes.
fn from_h200() -> Result<Vec<Published>, String> {
    const FILE: &str = "h200.csv";
    let row = |line: &csv::StringRecord| {
        let cell = |column: usize| line.get(column).unwrap_or_default();
        let (bench, variant, ilp, last) = (cell(0), cell(1), cell(2), cell(3));
        // `4way`, `constant16`, `stride128`: the number is a condition.
        let digits: String = variant.chars().filter(char::is_ascii_digit).collect();
        let word: String = variant.chars().filter(|c| !c.is_ascii_digit()).collect();
        let (quantity, conditions) = match bench {
            "arith" => (format!("issue {variant}"), format!("ilp={ilp} warps={last}")),
            "shared" => (
                "issue shared".to_owned(),
                format!("ways={digits} ilp={ilp} warps={last}"),
            ),
            "units" if digits.is_empty() => (format!("round {word}"), format!("warps={last}")),
            "units" => (format!("round {word}"), format!("lanes={digits} warps={last}")),
            "ops" if variant.starts_with("throughput") => (variant.to_owned(), format!("ilp={ilp}")),
            "ops" => (variant.to_owned(), String::new()),
            "constant" => (
                "latency constant".to_owned(),
                format!("level={variant} addresses={ilp}"),
            ),
            "atomics" => (format!("atomic {variant}"), format!("lanes={ilp}")),
            "dram" => ("latency global".to_owned(), "level=dram".to_owned()),
            "stream" => {
                // `l1 width4 flight1`.
                let mut words = variant.split(' ');
                let level = words.next().unwrap_or_default();
                let [width, flight] = ["width", "flight"].map(|name| {
                    words
                        .next()
                        .and_then(|word| word.strip_prefix(name))
                        .unwrap_or("1")
                });
                (
                    format!("bandwidth {level}"),
                    format!("width={width} flight={flight} warps={last}"),
                )
            }
            "chase" => ("chase".to_owned(), format!("stride={digits} size={last}")),
            other => return Err(format!("{FILE}: no benchmark is named `{other}`")),
        };
        let unit = match bench {
            "arith" | "shared" => "cycles per instruction",
            "units" => "cycles per round",
            "chase" => "cycles",
            _ => cell(5),
        };
        Ok(Published {
            architecture: "gh100".to_owned(),
            part: "H200".to_owned(),
            quantity,
            conditions: Conditions::read(&conditions),
            value: number(cell(4), FILE, line)?,
            unit: unit.to_owned(),
            source: "measured on GH100".to_owned(),
            section: format!("h200.csv, {bench}"),
            is_compared: true,
            note: String::new(),
        })
    };
    lines(H200, FILE)?.iter().map(row).collect()
}
