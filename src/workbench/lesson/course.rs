//! Checks of a whole lesson or course: the positions of right options, and summaries that state a result.

use super::{Ask, Lesson, Run, Task, number};

/// The share of a course's choices whose right option may be in one position. Assumption: with three options, a
/// third each is ideal, and options in the order of their numbers leave some freedom.
const MAX_SHARE_PERCENT: usize = 45;

/// From this number on, a summary may not have the right number of a question, whatever the number counts.
/// Assumption: smaller numbers count many things, such as two chips.
const MIN_TELLING: f64 = 10.0;

/// Words of a summary between a small number and its unit, at most: “nine shared wavefronts” has one.
const WORDS_TO_UNIT: usize = 2;

/// Numbers that texts write as words.
const NUMBER_WORDS: [&str; 13] = [
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
];

/// How many right options of `num` choices may be in one position.
pub const fn most_at_one_position(num: usize) -> usize {
    (num * MAX_SHARE_PERCENT).div_ceil(100)
}

/// Says which position has too many of the right options, if one has. `right`: the number of the right option of
/// each choice, from 1.
pub fn position_fault(right: &[usize]) -> Option<String> {
    let most = most_at_one_position(right.len());
    let last = right.iter().copied().max()?;
    let count = |position: usize| right.iter().filter(|right| **right == position).count();
    let position = (1..=last).find(|position| count(*position) > most)?;
    Some(format!(
        "option {position} is right in {} of {} choices, and one position may hold {most}: reorder options",
        count(position),
        right.len()
    ))
}

impl Lesson {
    /// The number of the right option of each choice, from 1.
    pub fn right_options(&self) -> impl Iterator<Item = usize> {
        let asks = self.steps.iter().filter_map(|step| step.ask.as_ref());
        asks.filter_map(|ask| match ask.task() {
            Task::Choice(choice) => Some(choice.right),
            _ => None,
        })
    }

    /// Says what the summary gives away: it is in the list of lessons, before the questions. `counter` returns the
    /// counters of a step's runs, by the step's index.
    pub fn summary_faults(&self, counter: &dyn Fn(usize, Run, &str) -> Option<f64>) -> Vec<String> {
        let asks = self.steps.iter().enumerate();
        asks.filter_map(|(idx, step)| {
            let given = step
                .ask
                .as_ref()?
                .answer_in(&self.summary, MIN_TELLING, &|run, name| counter(idx, run, name))?;
            Some(format!(
                "the summary states the answer of step {}: “{given}”",
                idx + 1
            ))
        })
        .collect()
    }
}

impl Ask {
    /// The words of a text that state the answer, if it has them: the right number with its unit, or alone from `least`
    /// on; or the words of the right option and of no other one.
    pub fn answer_in(
        &self,
        text: &str,
        least: f64,
        counter: &dyn Fn(Run, &str) -> Option<f64>,
    ) -> Option<String> {
        let words = words(text);
        match self.task() {
            Task::Number(task) => number_in(&words, number(&task.value, counter).ok()?, &task.unit, least),
            Task::Choice(task) => option_in(&words, &task.options, task.right),
            Task::Click(_) | Task::Edit(_) => None,
        }
    }
}

/// The words of a text in lower case, without the commas of thousands.
fn words(text: &str) -> Vec<String> {
    text.split(|letter: char| !letter.is_alphanumeric() && letter != ',' && letter != '.')
        .map(|word| word.trim_matches(['.', ',']).replace(',', "").to_lowercase())
        .filter(|word| !word.is_empty())
        .collect()
}

/// The words that state the right number, if a summary has them.
fn number_in(summary: &[String], right: f64, unit: &str, least: f64) -> Option<String> {
    let word = NUMBER_WORDS
        .iter()
        .enumerate()
        .find(|(value, _)| *value as f64 == right)
        .map(|(_, word)| *word);
    let unit = unit
        .split(' ')
        .next()
        .unwrap_or_default()
        .trim_end_matches('s')
        .to_lowercase();
    summary.iter().enumerate().find_map(|(at, found)| {
        let value = found.parse::<f64>().ok();
        let is_number = value == Some(right) || word == Some(found.as_str());
        let rest = &summary[at + 1..];
        let counts = |word: &String| !unit.is_empty() && word.trim_end_matches('s') == unit;
        let names_unit = rest.iter().take(WORDS_TO_UNIT + 1).any(counts);
        let least = if unit.is_empty() { MIN_TELLING } else { least };
        (is_number && (right >= least || names_unit)).then(|| found.clone())
    })
}

/// The right option, if a summary has all its longer words and those of no other option.
fn option_in(summary: &[String], options: &[String], right: usize) -> Option<String> {
    let is_stated = |option: &&String| {
        let words = words(option);
        let mut telling = words
            .iter()
            .filter(|word| word.len() > 3 || word.parse::<f64>().is_ok())
            .peekable();
        telling.peek().is_some() && telling.all(|word| summary.contains(word))
    };
    let stated: Vec<&String> = options.iter().filter(is_stated).collect();
    let right = options.get(right - 1)?;
    (stated == [right]).then(|| right.clone())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_position_holds_at_most_45_percent_rounded_up() {
        assert_eq!(
            [1, 2, 4, 9, 14, 91].map(most_at_one_position),
            [1, 1, 2, 5, 7, 41]
        );
        assert_eq!(position_fault(&[2, 1, 3, 2]), None);
        assert_eq!(position_fault(&[]), None);
        let fault = position_fault(&[2, 2, 2, 1]).unwrap();
        assert!(
            fault.starts_with("option 2 is right in 3 of 4 choices, and one position may hold 2"),
            "{fault}"
        );
    }

    #[test]
    fn a_summary_states_no_result() {
        let number =
            |summary: &str, right: f64, unit: &str| number_in(&words(summary), right, unit, MIN_TELLING);
        assert_eq!(
            number("A column takes 32 wavefronts.", 32.0, "wavefronts"),
            Some("32".to_owned())
        );
        assert_eq!(
            number("A run of 4,096 wavefronts.", 4096.0, "wavefronts"),
            Some("4096".to_owned())
        );
        assert_eq!(
            number(
                "One barrier and nine shared wavefronts remain.",
                9.0,
                "wavefronts"
            ),
            Some("nine".to_owned())
        );
        assert_eq!(number("Four wmma functions.", 4.0, "instructions"), None);
        // A headline has many numbers: only one with the unit counts.
        let headline =
            |unit: &str| number_in(&words("32 lanes access 4 sectors."), 32.0, unit, f64::INFINITY);
        assert_eq!(
            (headline("lanes"), headline("sectors")),
            (Some("32".to_owned()), None)
        );
        let options = ["FP32".to_owned(), "INT32".to_owned()];
        let option = |summary: &str| option_in(&words(summary), &options, 2);
        assert_eq!(option("Warps stall on INT32 lanes."), Some("INT32".to_owned()));
        assert_eq!(option("Volta has INT32 and FP32 lanes."), None);
    }
}
