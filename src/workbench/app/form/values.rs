//! Values pasted by the user: numbers separated by commas, spaces, or line breaks.

use super::super::number::{grouped, is_float, parse, range, shortened, whole};
use crate::scene::{counted, thousands};
use engine::isa::ElemType;

/// Limit of values in a link.
pub const MAX_VALUES: usize = 10_000;

/// The greatest whole number in a list; doubles cannot represent all larger whole numbers.
const MAX_WHOLE: i128 = 1 << 53;

/// The result of parsing a text.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Values {
    /// The numbers, in order.
    pub values: Vec<f64>,
    /// The words that are not numbers.
    pub wrong: Vec<Wrong>,
}

/// A word that is not a number of the type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wrong {
    /// Line, from 1.
    pub line: u32,
    /// Column of its first character, from 1.
    pub column: u32,
    /// The word.
    pub word: String,
}

/// Parses values of a type. Brackets, braces, and semicolons count as spaces, so that users can paste initializers
/// and lists of other languages.
pub fn read(elem: ElemType, text: &str) -> Values {
    let mut out = Values::default();
    for (line, row) in (1..).zip(text.lines()) {
        let mut word = String::new();
        let mut start = 1;
        for (column, letter) in (1..).zip(row.chars().chain(std::iter::once(' '))) {
            if letter.is_whitespace() || matches!(letter, ',' | ';' | '[' | ']' | '{' | '}' | '(' | ')') {
                if !word.is_empty() {
                    out.take(elem, std::mem::take(&mut word), line, start);
                }
                continue;
            }
            if word.is_empty() {
                start = column;
            }
            word.push(letter);
        }
    }
    out
}

impl Values {
    fn take(&mut self, elem: ElemType, word: String, line: u32, column: u32) {
        match value(elem, &word) {
            Some(value) => self.values.push(value),
            None => self.wrong.push(Wrong { line, column, word }),
        }
    }

    /// The values, or the reason why they cannot be used.
    ///
    /// # Errors
    /// A sentence for the user: the number of values, the first wrong word, and what to do.
    pub fn checked(self, elem: ElemType) -> Result<Vec<f64>, String> {
        if let Some(first) = self.wrong.first() {
            let place = format!(
                "“{}” at line {}, column {}",
                shortened(&first.word),
                first.line,
                first.column
            );
            let subject = match self.wrong.len() - 1 {
                0 => format!("{place} is"),
                more => format!("{place} and {} more are", thousands(more as u64)),
            };
            let what = if is_float(elem) {
                "not a number".to_owned()
            } else {
                let (least, most) = range(elem);
                format!(
                    "not a whole number from {} to {}",
                    grouped(least.max(-MAX_WHOLE)),
                    grouped(most.min(MAX_WHOLE))
                )
            };
            let read = counted(self.values.len() as u64, "number");
            return Err(format!(
                "Read {read}, but {subject} {what}. Correct or remove it."
            ));
        }
        if self.values.len() > MAX_VALUES {
            return Err(format!(
                "Read {} numbers, but a link holds at most {}. Remove some, or choose a pattern.",
                thousands(self.values.len() as u64),
                thousands(MAX_VALUES as u64)
            ));
        }
        Ok(self.values)
    }
}

/// A value in the precision of a list.
fn value(elem: ElemType, word: &str) -> Option<f64> {
    let bits = parse(elem, word).ok()?;
    if super::number::value_of(elem, bits).is_nan() {
        // A link cannot represent the value exactly.
        return None;
    }
    if !is_float(elem) {
        let value = whole(elem, bits);
        return (value.abs() <= MAX_WHOLE).then_some(value as f64);
    }
    let hex = word
        .trim_start_matches(['-', '+'])
        .to_ascii_lowercase()
        .starts_with("0x");
    let decimal = word
        .trim_end_matches(['f', 'F'])
        .replace('_', "")
        .parse::<f64>()
        .ok();
    // Decimal digits are kept: filling the buffer rounds them to the type.
    decimal
        .filter(|_| !hex)
        .or(Some(super::number::value_of(elem, bits)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::form::number::{text_of, value_of};
    use proptest::prelude::*;

    #[test]
    fn values_are_separated_by_commas_spaces_and_line_breaks() {
        let values = read(ElemType::F32, "1, 2.5\n-3e2;{4f}\r\n\t0x3f800000");
        assert_eq!(values.values, [1.0, 2.5, -300.0, 4.0, 1.0]);
        assert!(values.wrong.is_empty());
    }

    #[test]
    fn invalid_numbers_are_named_with_their_place() {
        let values = read(ElemType::I32, "1, 2\n 3, zwölf 4\n5.5");
        assert_eq!(values.values, [1.0, 2.0, 3.0, 4.0]);
        let places: Vec<_> = values
            .wrong
            .iter()
            .map(|wrong| (wrong.line, wrong.column))
            .collect();
        assert_eq!(places, [(2, 5), (3, 1)]);
        let why = values.checked(ElemType::I32).unwrap_err();
        assert!(
            why.starts_with(
                "Read 4 numbers, but “zwölf” at line 2, column 5 and 1 more are not a whole number from"
            ),
            "{why}"
        );
    }

    #[test]
    fn a_list_has_its_limit() {
        let many = "1 ".repeat(MAX_VALUES + 1);
        assert!(
            read(ElemType::I32, &many)
                .checked(ElemType::I32)
                .unwrap_err()
                .contains("10,000")
        );
        assert!(
            read(ElemType::I64, "9007199254740993").values.is_empty(),
            "it would be another number"
        );
    }

    proptest! {
        #[test]
        fn numbers_keep_their_order(
            values in prop::collection::vec(any::<i32>(), 0..40),
            between in prop::sample::select(vec![",", " ", "\n", ", ", " ,\r\n", ";"]),
        ) {
            let text = values.iter().map(ToString::to_string).collect::<Vec<_>>().join(between);
            let read = read(ElemType::I32, &text);
            prop_assert!(read.wrong.is_empty());
            prop_assert_eq!(read.values, values.into_iter().map(f64::from).collect::<Vec<_>>());
        }

        #[test]
        fn floats_are_bit_exact(bits in prop::collection::vec(any::<u32>(), 0..20)) {
            let numbers: Vec<u64> = bits.into_iter().map(u64::from)
                .filter(|bits| !value_of(ElemType::F32, *bits).is_nan()).collect();
            let text = numbers.iter().map(|bits| text_of(ElemType::F32, *bits)).collect::<Vec<_>>().join(" ");
            let read = read(ElemType::F32, &text);
            prop_assert!(read.wrong.is_empty());
            let back: Vec<u64> = read.values.iter().map(|value| u64::from((*value as f32).to_bits())).collect();
            prop_assert_eq!(back, numbers);
        }

        #[test]
        fn every_word_is_counted_once(elem in prop::sample::select(super::super::number::TYPES.to_vec()), text: String) {
            let read = read(elem, &text);
            let is_between = |c: char| c.is_whitespace() || ",;[]{}()".contains(c);
            // Only line feeds end lines.
            let words = text.split(is_between).filter(|word| !word.is_empty()).count();
            prop_assert_eq!(read.values.len() + read.wrong.len(), words);
            for wrong in &read.wrong {
                let line = text.lines().nth(wrong.line as usize - 1).unwrap_or_default();
                let at: String = line.chars().skip(wrong.column as usize - 1).collect();
                prop_assert!(at.starts_with(&wrong.word));
            }
        }
    }
}
