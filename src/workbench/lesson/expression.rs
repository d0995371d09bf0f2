//! Expressions over the counters of runs, by which lessons are graded: `l1tex__… / 128 == 32 and other(sm__…) > 0`.

use std::iter::Peekable;
use std::str::CharIndices;

use serde::Deserialize;
use thiserror::Error;

/// The value of an expression.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Value {
    /// A number.
    Number(f64),
    /// Whether a comparison holds.
    Truth(bool),
}

/// A mistake in an expression.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum ExpressionError {
    /// A character that no expression has there.
    #[error("column {column}: expected {expected}")]
    Syntax {
        /// The column, from 1.
        column: usize,
        /// What could stand there.
        expected: &'static str,
    },
    /// A name that no counter of the run has.
    #[error("no counter is called `{0}`")]
    Unknown(String),
    /// A number where a comparison is needed, or the reverse.
    #[error("the expression must be {0}")]
    Kind(&'static str),
}

/// A comparison of two numbers.
type Compare = fn(f64, f64) -> bool;

/// The run whose counter an expression names.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
pub enum Run {
    /// The run of the step.
    Own,
    /// The run that the step compares with: `other(…)`.
    Other,
}

/// Evaluates an expression. `counter` returns the value of a counter of a run.
///
/// # Errors
/// The text is not an expression, or names an unknown counter.
pub fn evaluate(text: &str, counter: &dyn Fn(Run, &str) -> Option<f64>) -> Result<Value, ExpressionError> {
    let mut reader = Reader {
        text,
        depth: 0,
        chars: text.char_indices().peekable(),
        counter,
    };
    let value = reader.conjunction()?;
    match reader.peek() {
        None => Ok(value),
        Some(_) => Err(reader.syntax("an operator or the end")),
    }
}

/// Evaluates an expression that is a number.
///
/// # Errors
/// As [`evaluate`], or if it is a comparison.
pub fn number(text: &str, counter: &dyn Fn(Run, &str) -> Option<f64>) -> Result<f64, ExpressionError> {
    match evaluate(text, counter)? {
        Value::Number(number) => Ok(number),
        Value::Truth(_) => Err(ExpressionError::Kind("a number")),
    }
}

/// Evaluates an expression that is a comparison.
///
/// # Errors
/// As [`evaluate`], or if it is a number.
pub fn holds(text: &str, counter: &dyn Fn(Run, &str) -> Option<f64>) -> Result<bool, ExpressionError> {
    match evaluate(text, counter)? {
        Value::Truth(truth) => Ok(truth),
        Value::Number(_) => Err(ExpressionError::Kind("a comparison")),
    }
}

/// Limit of nested parentheses, because the reader recurses into them. Assumption: ten times what lessons use.
const MAX_DEPTH: u32 = 50;

struct Reader<'a> {
    text: &'a str,
    /// The open parentheses.
    depth: u32,
    chars: Peekable<CharIndices<'a>>,
    counter: &'a dyn Fn(Run, &str) -> Option<f64>,
}

impl Reader<'_> {
    /// The next character that is not a space.
    fn peek(&mut self) -> Option<char> {
        while self.chars.next_if(|(_, c)| c.is_whitespace()).is_some() {}
        self.chars.peek().map(|(_, c)| *c)
    }

    /// The byte position of the next character.
    fn at(&mut self) -> usize {
        self.peek();
        self.chars.peek().map_or(self.text.len(), |(at, _)| *at)
    }

    fn syntax(&mut self, expected: &'static str) -> ExpressionError {
        let at = self.at();
        self.syntax_at(at, expected)
    }

    fn syntax_at(&self, at: usize, expected: &'static str) -> ExpressionError {
        ExpressionError::Syntax {
            column: self.text[..at].chars().count() + 1,
            expected,
        }
    }

    /// Reads a text if it is next.
    fn next_if_is(&mut self, text: &str) -> bool {
        let at = self.at();
        let is_next = self.text[at..].starts_with(text);
        if is_next {
            for _ in text.chars() {
                self.chars.next();
            }
        }
        is_next
    }

    /// Reads characters as long as they belong to a word.
    fn word(&mut self, belongs: fn(char) -> bool) -> &str {
        let from = self.at();
        let mut to = from;
        while let Some((at, c)) = self.chars.next_if(|(_, c)| belongs(*c)) {
            to = at + c.len_utf8();
        }
        &self.text[from..to]
    }

    fn conjunction(&mut self) -> Result<Value, ExpressionError> {
        let mut value = self.comparison()?;
        while self.next_if_is("and") {
            let (Value::Truth(left), Value::Truth(right)) = (value, self.comparison()?) else {
                return Err(ExpressionError::Kind("a comparison on both sides of `and`"));
            };
            value = Value::Truth(left && right);
        }
        Ok(value)
    }

    fn comparison(&mut self) -> Result<Value, ExpressionError> {
        let left = self.sum()?;
        // Two-character operators first.
        let operators: [(&str, Compare); 6] = [
            ("==", |a, b| near(a, b)),
            ("!=", |a, b| !near(a, b)),
            ("<=", |a, b| a < b || near(a, b)),
            (">=", |a, b| a > b || near(a, b)),
            ("<", |a, b| a < b && !near(a, b)),
            (">", |a, b| a > b && !near(a, b)),
        ];
        for (operator, compare) in operators {
            if self.next_if_is(operator) {
                return Ok(Value::Truth(compare(left, self.sum()?)));
            }
        }
        Ok(Value::Number(left))
    }

    fn sum(&mut self) -> Result<f64, ExpressionError> {
        let mut value = self.product()?;
        loop {
            if self.next_if_is("+") {
                value += self.product()?;
            } else if self.next_if_is("-") {
                value -= self.product()?;
            } else {
                return Ok(value);
            }
        }
    }

    fn product(&mut self) -> Result<f64, ExpressionError> {
        let mut value = self.factor()?;
        loop {
            if self.next_if_is("*") {
                value *= self.factor()?;
            } else if self.next_if_is("/") {
                value /= self.factor()?;
            } else {
                return Ok(value);
            }
        }
    }

    fn factor(&mut self) -> Result<f64, ExpressionError> {
        if self.next_if_is("(") {
            self.depth += 1;
            if self.depth > MAX_DEPTH {
                return Err(self.syntax("at most 50 nested parentheses"));
            }
            let value = self.sum()?;
            self.depth -= 1;
            return if self.next_if_is(")") {
                Ok(value)
            } else {
                Err(self.syntax("`)`"))
            };
        }
        match self.peek() {
            Some('0'..='9') => {
                let at = self.at();
                let number = self.word(|c| c.is_ascii_digit() || c == '.').parse();
                number.map_err(|_| self.syntax_at(at, "a number"))
            }
            Some(c) if is_name(c) => {
                if self.next_if_is("other(") {
                    let value = self.counter(Run::Other)?;
                    return if self.next_if_is(")") {
                        Ok(value)
                    } else {
                        Err(self.syntax("`)`"))
                    };
                }
                self.counter(Run::Own)
            }
            _ => Err(self.syntax("a number, a counter, or `(`")),
        }
    }

    fn counter(&mut self, run: Run) -> Result<f64, ExpressionError> {
        let counter = self.counter;
        let name = self.word(is_name);
        counter(run, name).ok_or_else(|| ExpressionError::Unknown(name.to_owned()))
    }
}

fn is_name(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_' || c == '.'
}

/// Whether two values are equal but for rounding: ratios of counters are not exact.
fn near(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-9 * a.abs().max(b.abs())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counter(run: Run, name: &str) -> Option<f64> {
        match (run, name) {
            (Run::Own, "sm__cycles_active.max") => Some(100.0),
            (Run::Other, "sm__cycles_active.max") => Some(25.0),
            (Run::Own, "launch__block_size") => Some(256.0),
            _ => None,
        }
    }

    #[test]
    fn arithmetic_has_the_usual_precedence() {
        assert_eq!(number("1 + 2 * 3", &counter), Ok(7.0));
        assert_eq!(number("(1 + 2) * 3 - 10 / 4", &counter), Ok(6.5));
        assert_eq!(number("launch__block_size/32", &counter), Ok(8.0));
        assert_eq!(
            number("sm__cycles_active.max / other(sm__cycles_active.max)", &counter),
            Ok(4.0)
        );
    }

    #[test]
    fn comparisons_hold_but_for_rounding() {
        assert_eq!(holds("0.1 + 0.2 == 0.3 and 1 < 2", &counter), Ok(true));
        assert_eq!(holds("0.1 + 0.2 > 0.3", &counter), Ok(false));
        assert_eq!(holds("1 <= 1 and 2 != 2", &counter), Ok(false));
        assert_eq!(holds("2 >= 3", &counter), Ok(false));
    }

    #[test]
    fn deep_and_long_expressions_end() {
        let deep = "(".repeat(100_000);
        assert_eq!(
            evaluate(&deep, &counter),
            Err(ExpressionError::Syntax {
                column: 52,
                expected: "at most 50 nested parentheses"
            })
        );
        let nested = format!("{}1{}", "(".repeat(50), ")".repeat(50));
        assert_eq!(number(&format!("{nested}+{nested}"), &counter), Ok(2.0));
        // Linear: a message for each number took the square of the length.
        assert_eq!(
            number(&format!("0{}", "+1".repeat(100_000)), &counter),
            Ok(100_000.0)
        );
    }

    #[test]
    fn mistakes_are_named_with_their_column() {
        let syntax = |text, column, expected| {
            assert_eq!(
                evaluate(text, &counter),
                Err(ExpressionError::Syntax { column, expected }),
                "{text}"
            );
        };
        syntax("1 +", 4, "a number, a counter, or `(`");
        syntax("(1", 3, "`)`");
        syntax("1 2", 3, "an operator or the end");
        syntax("1.2.3", 1, "a number");
        syntax("other(sm__cycles_active.max", 28, "`)`");
        assert_eq!(
            evaluate("sm__cycles", &counter),
            Err(ExpressionError::Unknown("sm__cycles".to_owned()))
        );
        assert_eq!(number("1 < 2", &counter), Err(ExpressionError::Kind("a number")));
        assert_eq!(holds("1", &counter), Err(ExpressionError::Kind("a comparison")));
    }
}
