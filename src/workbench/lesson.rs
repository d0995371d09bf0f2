//! Lessons: text files with steps, each with a link, and questions that the counters of real runs grade.
//!
//! `docs/lessons.md` describes the format for authors.

mod course;
mod expression;
mod ladder;
mod references;
mod reveal;
mod sight;

use serde::Deserialize;
use thiserror::Error;

pub use course::{most_at_one_position, position_fault};
pub use expression::{ExpressionError, Run, Value, evaluate, holds, number};
pub use ladder::ladder_faults;
pub use sight::Sight;

use crate::scene::Target;
use crate::share::{LessonAddress, Scenario, View, decode, shortened};
use crate::toml;

/// A lesson.
#[derive(Clone, Debug, Deserialize, PartialEq)]
#[serde(deny_unknown_fields)]
pub struct Lesson {
    /// The heading.
    pub title: String,
    /// One sentence for the list of lessons.
    pub summary: String,
    /// The time that it takes, in minutes.
    pub minutes: u8,
    /// The claims of the tuning guides that it makes visible, such as `V23`.
    #[serde(default)]
    pub claims: Vec<String>,
    /// The lessons that a reader does first, as `course/name`.
    #[serde(default)]
    pub needs: Vec<String>,
    /// The steps.
    #[serde(rename = "step")]
    pub steps: Vec<Step>,
}

/// A step of a lesson.
#[derive(Clone, Debug, Deserialize, PartialEq)]
#[serde(deny_unknown_fields)]
pub struct Step {
    /// The heading.
    pub title: String,
    /// The prose, with code in backquotes and paragraphs divided by an empty line.
    pub text: String,
    /// The link that the page shows: the part of the address after `#`.
    pub link: String,
    /// The link that the page shows until the question is answered; without it, the kernel's source.
    pub before: Option<String>,
    /// What stays in sight until a question with a number or options is answered; without it, the kernel's source.
    pub shows: Option<Vec<Sight>>,
    /// What the picture rings: `line 12`, `lane 3`, `bank 7`, `warp 0`, `scheduler 1`, `sm 5`.
    #[serde(default)]
    pub mark: Vec<String>,
    /// Document and section that state the rule.
    pub source: String,
    /// The question, if there is one.
    pub ask: Option<Ask>,
}

/// A question of a step.
#[derive(Clone, Debug, Deserialize, PartialEq)]
#[serde(deny_unknown_fields)]
pub struct Ask {
    /// The question, in one sentence.
    pub question: String,
    /// The link of the run that expressions name by `other(…)`.
    pub other: Option<String>,
    /// The run that the question is about, beside `other`; without it, that of the expression's first counter.
    pub about: Option<Run>,
    number: Option<Number>,
    choice: Option<Choice>,
    click: Option<Click>,
    edit: Option<Edit>,
    /// The next step of the reasoning.
    pub hint: String,
    /// The explanation that follows the right answer.
    pub right: String,
    /// Expected mistakes.
    #[serde(default)]
    pub wrong: Vec<Wrong>,
    /// The reason that any other wrong answer gets.
    pub otherwise: String,
}

/// An expected mistake.
#[derive(Clone, Debug, Deserialize, PartialEq)]
#[serde(deny_unknown_fields)]
pub struct Wrong {
    /// The answer: a number, or the text of an option.
    pub answer: String,
    /// Why it is wrong.
    pub reason: String,
}

/// A question for a number.
#[derive(Clone, Debug, Deserialize, PartialEq)]
#[serde(deny_unknown_fields)]
pub struct Number {
    /// The expression for the right number.
    pub value: String,
    /// The unit, in the plural.
    pub unit: String,
    /// The tolerance, as a share of the right number.
    #[serde(default)]
    pub within: f64,
}

/// A question with options.
#[derive(Clone, Debug, Deserialize, PartialEq)]
#[serde(deny_unknown_fields)]
pub struct Choice {
    /// The options.
    pub options: Vec<String>,
    /// The number of the right option, from 1.
    pub right: usize,
    /// The expression that makes it right.
    pub holds: String,
}

/// A question for an item of the picture.
#[derive(Clone, Debug, Deserialize, PartialEq)]
#[serde(deny_unknown_fields)]
pub struct Click {
    /// What the item is: `line`, `lane`, `bank`, `warp`, `scheduler`, or `sm`.
    pub kind: String,
    /// The expression for its number.
    pub value: String,
}

/// A task to change the kernel.
#[derive(Clone, Debug, Deserialize, PartialEq)]
#[serde(deny_unknown_fields)]
pub struct Edit {
    /// The expression that the changed kernel's run makes true.
    pub goal: String,
    /// Replacements in the source that reach the goal.
    pub reference: Vec<Replacement>,
}

/// A replacement in a kernel's source.
#[derive(Clone, Debug, Deserialize, PartialEq)]
#[serde(deny_unknown_fields)]
pub struct Replacement {
    /// The text, which the source contains.
    pub from: String,
    /// Its replacement.
    pub to: String,
}

/// The task of a question.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Task<'a> {
    /// A number.
    Number(&'a Number),
    /// One of several options.
    Choice(&'a Choice),
    /// An item of the picture.
    Click(&'a Click),
    /// A changed kernel.
    Edit(&'a Edit),
}

/// An answer.
#[derive(Clone, Debug, PartialEq)]
pub enum Answer {
    /// The text of the number field.
    Number(String),
    /// The index of an option.
    Choice(usize),
    /// An item of the picture.
    Click(Target),
    /// The kernel was changed, and its run has ended.
    Edit,
}

/// The grade of an answer.
#[derive(Clone, Debug, PartialEq)]
pub enum Grade {
    /// Right.
    Right,
    /// Wrong, with the reason.
    Wrong(String),
    /// Not an answer to this question; it costs no try.
    Invalid(String),
}

/// A mistake in a lesson's file.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum LessonError {
    /// The file is not TOML, or lacks a field. The message names line and column.
    #[error("{0}")]
    Format(String),
    /// A mistake in a step.
    #[error("step {step} (`{title}`): {message}")]
    Step {
        /// The number of the step, from 1.
        step: usize,
        /// Its heading.
        title: String,
        /// The mistake.
        message: String,
    },
}

/// The most text a file may have.
pub const MAX_BYTES: usize = 256 * 1024;

impl Lesson {
    /// Reads a lesson.
    ///
    /// # Errors
    /// The text is not a lesson, or a link or a mark in it cannot be read.
    pub fn read(text: &str) -> Result<Self, LessonError> {
        let lesson: Self = toml::read(text, "A lesson", MAX_BYTES).map_err(LessonError::Format)?;
        if lesson.steps.is_empty() {
            return Err(LessonError::Format(
                "A lesson has at least one `[[step]]`.".to_owned(),
            ));
        }
        if let Some(id) = lesson.needs.iter().find(|id| !is_of_page(id)) {
            return Err(LessonError::Format(format!(
                "`needs` names lessons of the page as course/name, not `{}`.",
                shortened(id)
            )));
        }
        for (idx, step) in lesson.steps.iter().enumerate() {
            step.check().map_err(|message| LessonError::Step {
                step: idx + 1,
                title: shortened(&step.title),
                message,
            })?;
        }
        Ok(lesson)
    }
}

impl Step {
    /// The scenario of the link.
    pub fn scenario(&self) -> Scenario {
        decode(&self.link).scenario
    }

    /// The view of the link that has a run of its own, Device or Streams: expressions can name the counters of that run.
    pub fn view_with_run(&self) -> Option<View> {
        let scenario = self.scenario();
        let views = [Some(scenario.view), scenario.split];
        views
            .into_iter()
            .flatten()
            .find(|view| matches!(view, View::Device | View::Streams))
    }

    /// What the picture rings.
    pub fn marks(&self) -> Vec<Target> {
        self.mark.iter().filter_map(|mark| target(mark)).collect()
    }

    fn check(&self) -> Result<(), String> {
        for link in [Some(&self.link), self.before.as_ref()].into_iter().flatten() {
            check_link(link)?;
        }
        if let Some(mark) = self.mark.iter().find(|mark| target(mark).is_none()) {
            return Err(format!(
                "`{}` is no mark: write `line`, `lane`, `bank`, `warp`, `scheduler`, or `sm` and a number.",
                shortened(mark)
            ));
        }
        self.ask.as_ref().map_or(Ok(()), Ask::check)?;
        self.check_shows()
    }
}

fn is_of_page(id: &str) -> bool {
    LessonAddress::read(id).is_ok_and(|address| address.is_of_page())
}

fn check_link(link: &str) -> Result<(), String> {
    match decode(link).warnings.first() {
        None => Ok(()),
        Some(warning) => Err(format!("the link `{}`: {warning}", shortened(link))),
    }
}

/// The item of a picture that a mark names, such as `line 12`; `None` if it names nothing.
pub fn target(mark: &str) -> Option<Target> {
    let (kind, number) = mark.split_once(' ')?;
    item(kind, number.trim().parse().ok()?)
}

/// The item of a picture of this kind and number.
fn item(kind: &str, number: u32) -> Option<Target> {
    Some(match kind {
        "line" => Target::CodeLine(number),
        "lane" => Target::Lane(number.try_into().ok().filter(|lane| *lane < 32)?),
        "bank" => Target::Bank(number.try_into().ok().filter(|bank| *bank < 32)?),
        "warp" => Target::Warp {
            slot: number.try_into().ok()?,
        },
        "scheduler" => Target::Scheduler(number.try_into().ok()?),
        "sm" => Target::DeviceSm(number.try_into().ok()?),
        _ => return None,
    })
}

impl Ask {
    /// The task of the question. [`Lesson::read`] rejects a question without a task.
    pub fn task(&self) -> Task<'_> {
        match (&self.number, &self.choice, &self.click, &self.edit) {
            (Some(number), ..) => Task::Number(number),
            (_, Some(choice), ..) => Task::Choice(choice),
            (_, _, Some(click), _) => Task::Click(click),
            (_, _, _, Some(edit)) => Task::Edit(edit),
            _ => unreachable!("a lesson that was read has a task in each question"),
        }
    }

    fn check(&self) -> Result<(), String> {
        let tasks = [
            self.number.is_some(),
            self.choice.is_some(),
            self.click.is_some(),
            self.edit.is_some(),
        ];
        if tasks.iter().filter(|given| **given).count() != 1 {
            return Err("A question has exactly one of `number`, `choice`, `click`, and `edit`.".to_owned());
        }
        if let Some(link) = &self.other {
            check_link(link)?;
        } else if self.about.is_some() {
            return Err("`about` needs `other`, the run that the question compares with.".to_owned());
        }
        if let Some(choice) = &self.choice {
            let num = choice.options.len();
            if num < 2 || !(1..=num).contains(&choice.right) {
                return Err(format!(
                    "`choice` has at least two options, and `right` is a number from 1 to {num}."
                ));
            }
        }
        if let Some(click) = &self.click
            && item(&click.kind, 0).is_none()
        {
            return Err(format!(
                "`{}` cannot be clicked: `kind` is `line`, `lane`, `bank`, `warp`, `scheduler`, or `sm`.",
                click.kind
            ));
        }
        // Unknown counters are found by the run; here every counter is 1.
        let any = |_: Run, _: &str| Some(1.0);
        let outcome = match self.task() {
            Task::Number(Number { value, .. }) | Task::Click(Click { value, .. }) => {
                number(value, &any).map(|_| ())
            }
            Task::Choice(Choice { holds: text, .. }) | Task::Edit(Edit { goal: text, .. }) => {
                holds(text, &any).map(|_| ())
            }
        };
        outcome.map_err(|error| error.to_string())
    }

    /// Grades an answer by the counters of the runs.
    ///
    /// # Errors
    /// An expression of the question names a counter that the runs do not have.
    pub fn grade(
        &self,
        answer: &Answer,
        counter: &dyn Fn(Run, &str) -> Option<f64>,
    ) -> Result<Grade, ExpressionError> {
        let (is_right, text) = match (self.task(), answer) {
            (Task::Number(task), Answer::Number(text)) => {
                let text = text.trim().replace(',', "");
                let Ok(given) = text.parse::<f64>() else {
                    return Ok(Grade::Invalid(format!("Enter a number of {}.", task.unit)));
                };
                let right = number(&task.value, counter)?;
                let off = (given - right).abs();
                (off <= task.within * right.abs() + 1e-9, text)
            }
            (Task::Choice(task), Answer::Choice(idx)) => match task.options.get(*idx) {
                Some(option) => (idx + 1 == task.right, option.clone()),
                None => return Ok(Grade::Invalid("Select one of the answers.".to_owned())),
            },
            (Task::Click(task), Answer::Click(target)) => {
                let right = number(&task.value, counter)?;
                let Some(given) = task.number_of(*target) else {
                    return Ok(Grade::Invalid(format!("Click a {}.", task.kind)));
                };
                (f64::from(given) == right, given.to_string())
            }
            (Task::Edit(task), Answer::Edit) => (holds(&task.goal, counter)?, String::new()),
            _ => {
                return Ok(Grade::Invalid(
                    "This is not an answer to the question.".to_owned(),
                ));
            }
        };
        if is_right {
            return Ok(Grade::Right);
        }
        let expected = self.wrong.iter().find(|wrong| wrong.answer.trim() == text);
        Ok(Grade::Wrong(
            expected.map_or(&self.otherwise, |wrong| &wrong.reason).clone(),
        ))
    }
}

impl Click {
    /// The number of an item of the picture, if it is of the kind of the question.
    pub fn number_of(&self, target: Target) -> Option<u32> {
        match (self.kind.as_str(), target) {
            ("line", Target::CodeLine(number) | Target::Line(number)) => Some(number),
            ("lane", Target::Lane(lane) | Target::LaneAt { lane, .. }) => Some(lane.into()),
            ("bank", Target::Bank(bank)) => Some(bank.into()),
            ("warp", Target::Warp { slot } | Target::WarpAt { slot, .. }) => Some(slot.into()),
            ("scheduler", Target::Scheduler(number)) => Some(number.into()),
            ("sm", Target::DeviceSm(number)) => Some(number.into()),
            _ => None,
        }
    }
}

/// Applies replacements to a source.
///
/// # Errors
/// The source does not contain a text that is to be replaced.
pub fn replaced(source: &str, replacements: &[Replacement]) -> Result<String, String> {
    let mut text = source.to_owned();
    for Replacement { from, to } in replacements {
        if !text.contains(from) {
            return Err(format!("the source does not contain `{from}`"));
        }
        text = text.replace(from, to);
    }
    Ok(text)
}

#[cfg(test)]
mod facts_tests;
#[cfg(test)]
pub(crate) mod published_tests;
#[cfg(test)]
mod tests;

/// A chosen option and its reason as sentences, without what the reason repeats: `Never.`, `A warp stays on its scheduler.`
/// for the option `Never` and the reason `Never: a warp stays on its scheduler.`
pub fn graded(option: &str, reason: &str) -> (String, String) {
    let words = |text: &str| -> Vec<String> {
        let words = text.split_whitespace();
        words
            .map(|word| word.trim_matches([':', ',', '.']).to_lowercase())
            .collect()
    };
    let of_option = words(option);
    let ends = reason
        .match_indices([':', '.', ','])
        .filter(|(at, _)| reason[at + 1..].starts_with(' '));
    let repeated = ends
        .map(|(at, _)| at)
        .take_while(|at| of_option.starts_with(&words(&reason[..*at])))
        .last();
    let rest = repeated.map_or(reason, |at| reason[at + 1..].trim_start());
    let stop = if option.ends_with(['.', '?', '!']) {
        ""
    } else {
        "."
    };
    (format!("{option}{stop}"), crate::scene::capital(rest))
}
