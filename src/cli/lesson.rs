//! `lesson`: checks lessons by running their links, and lists them for the page.

use std::collections::{BTreeMap, HashMap};
use std::io::Write;
use std::path::{Path, PathBuf};

use clap::{Args, Subcommand};
use serde::{Deserialize, Serialize};

mod course;
mod pictures;

use super::simulate::simulate;
use super::{CliError, CliResult, Verdict};
use engine::arch::architecture;
use engine::sim::Outcome;
use workbench::glossary::{self, teaching};
use workbench::lesson::{self, Answer, Ask, Edit, Grade, Lesson, Run, Step, Task, replaced};
use workbench::share::{Scenario, View, decode, encode};

/// Check lessons, or list them
#[derive(Subcommand)]
pub(super) enum Command {
    /// Run every link of lessons and grade the answers that they call right
    ///
    /// A starter must fail, and its reference solution must pass with the same outputs.
    Check(Files),
    /// Print the answers of lessons as JSON: what the page grades as right, by the counters of the runs
    Answers(Files),
    /// Print the courses and their lessons as JSON, which the page shows as its list
    Index(Folder),
}

#[derive(Args)]
pub(super) struct Files {
    /// Lesson files (`.toml`), or folders with lessons
    #[arg(required = true)]
    paths: Vec<PathBuf>,
}

#[derive(Args)]
pub(super) struct Folder {
    /// The folder with `courses.toml` and one folder per course
    folder: PathBuf,
}

pub(super) fn run(command: &Command, out: &mut dyn Write) -> CliResult {
    match command {
        Command::Check(files) => check(&files.paths, out),
        Command::Answers(files) => {
            serde_json::to_writer_pretty(&mut *out, &answers(&files.paths)?)?;
            writeln!(out)?;
            Ok(Verdict::Good)
        }
        Command::Index(Folder { folder }) => {
            serde_json::to_writer_pretty(&mut *out, &index(folder)?)?;
            writeln!(out)?;
            Ok(Verdict::Good)
        }
    }
}

/// The list of courses in a folder of lessons.
const COURSES: &str = "courses.toml";

/// The list of courses in `courses.toml`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Courses {
    course: Vec<CourseRow>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct CourseRow {
    id: String,
    title: String,
    summary: String,
    lessons: Vec<String>,
}

/// A course, as the page reads it.
#[derive(Serialize)]
pub(super) struct Course {
    pub(super) id: String,
    title: String,
    summary: String,
    pub(super) lessons: Vec<Entry>,
}

/// A lesson in the list.
#[derive(Serialize)]
pub(super) struct Entry {
    pub(super) id: String,
    pub(super) title: String,
    summary: String,
    minutes: u8,
    steps: usize,
    pub(super) claims: Vec<String>,
    needs: Vec<String>,
    /// The terms that it teaches, and the headings of its steps: what a search finds.
    words: Vec<String>,
}

fn read(path: &Path) -> Result<String, CliError> {
    std::fs::read_to_string(path).map_err(|source| CliError::Read {
        path: path.to_owned(),
        source,
    })
}

/// The rows of the list of courses of a folder.
fn courses(folder: &Path) -> Result<Vec<CourseRow>, CliError> {
    let path = folder.join(COURSES);
    let courses: Courses = toml::from_str(&read(&path)?)
        .map_err(|error| CliError::Input(format!("{}: {error}", path.display())))?;
    Ok(courses.course)
}

/// Returns the courses of a folder with their lessons.
pub(super) fn index(folder: &Path) -> Result<Vec<Course>, CliError> {
    let mut listed = Vec::new();
    for row in courses(folder)? {
        let mut lessons = Vec::new();
        for id in row.lessons {
            let path = folder.join(&row.id).join(format!("{id}.toml"));
            let lesson = Lesson::read(&read(&path)?)
                .map_err(|error| CliError::Input(format!("{}: {error}", path.display())))?;
            lessons.push(Entry {
                words: words(&format!("{}/{id}", row.id), &lesson),
                id,
                title: lesson.title,
                summary: lesson.summary,
                minutes: lesson.minutes,
                steps: lesson.steps.len(),
                claims: lesson.claims,
                needs: lesson.needs,
            });
        }
        listed.push(Course {
            id: row.id,
            title: row.title,
            summary: row.summary,
            lessons,
        });
    }
    Ok(listed)
}

/// The names of the terms that a lesson teaches, and the headings of its steps.
fn words(id: &str, lesson: &Lesson) -> Vec<String> {
    let taught = glossary::terms().filter(|term| teaching::lesson(term.id) == id);
    let names = taught.flat_map(|term| [term.name].into_iter().chain(term.also.iter().copied()));
    let headings = lesson.steps.iter().map(|step| step.title.as_str());
    names.chain(headings).map(str::to_owned).collect()
}

/// The lesson files at these paths, in order.
fn lesson_files(paths: &[PathBuf]) -> Result<Vec<PathBuf>, CliError> {
    let mut files = Vec::new();
    for path in paths {
        if !path.is_dir() {
            files.push(path.clone());
            continue;
        }
        let fail = |source| CliError::Read {
            path: path.clone(),
            source,
        };
        let mut inner: Vec<PathBuf> = Vec::new();
        for entry in std::fs::read_dir(path).map_err(fail)? {
            inner.push(entry.map_err(fail)?.path());
        }
        inner.sort();
        inner.retain(|path| {
            path.is_dir()
                || path.extension().is_some_and(|end| end == "toml")
                    && path.file_name().is_some_and(|name| name != COURSES)
        });
        files.extend(lesson_files(&inner)?);
    }
    Ok(files)
}

fn check(paths: &[PathBuf], out: &mut dyn Write) -> CliResult {
    let files = lesson_files(paths)?;
    if files.is_empty() {
        return Err(CliError::Input("no lesson at these paths".to_owned()));
    }
    let (mut num_good, mut runs) = (0, Runs::default());
    let mut courses = course::Choices::default();
    for path in &files {
        let text = read(path)?;
        let faults = match Lesson::read(&text) {
            Ok(lesson) => {
                let mut faults = lesson_faults(&lesson, &mut runs);
                faults.extend(course::text_faults(&lesson, &mut runs));
                faults.extend(pictures::faults(&lesson, &text, &mut runs));
                if paths
                    .iter()
                    .any(|folder| folder.is_dir() && path.starts_with(folder))
                {
                    courses.add(path, &lesson);
                }
                faults
            }
            Err(error) => vec![error.to_string()],
        };
        if faults.is_empty() {
            num_good += 1;
            writeln!(out, "{}: right", path.display())?;
        }
        for fault in faults {
            writeln!(out, "{}: {fault}", path.display())?;
        }
    }
    let mut faults = courses.faults();
    for folder in paths.iter().filter(|path| path.join(COURSES).is_file()) {
        faults.extend(course::ladder_faults_of(folder)?);
    }
    for fault in &faults {
        writeln!(out, "{fault}")?;
    }
    writeln!(out, "{num_good} of {} lessons are right", files.len())?;
    Ok(if num_good == files.len() && faults.is_empty() {
        Verdict::Good
    } else {
        Verdict::Bad
    })
}

/// What a run left: its counters, and its outputs.
pub(super) struct Finished {
    counters: HashMap<String, f64>,
    outputs: BTreeMap<usize, Vec<u8>>,
    num_cycles: u64,
    /// Why it did not finish. A lesson may show a run that faults.
    fault: Option<String>,
}

impl Finished {
    /// The value of a counter.
    pub(super) fn counter(&self, name: &str) -> Option<f64> {
        self.counters.get(name).copied()
    }
}

/// Runs by the scenario that they simulate, so that no scenario is simulated twice.
#[derive(Default)]
pub(super) struct Runs(HashMap<String, Result<std::rc::Rc<Finished>, String>>);

impl Runs {
    /// The other run that a question's expressions read, if it has one.
    fn other(&mut self, ask: &Ask, beside: Option<View>) -> Result<Option<std::rc::Rc<Finished>>, String> {
        let link = ask.other.as_ref();
        link.map(|link| self.of(&decode(link).scenario, beside))
            .transpose()
    }

    /// A scenario's run, with the counters of the run of the view `beside`.
    pub(super) fn of(
        &mut self,
        scenario: &Scenario,
        beside: Option<View>,
    ) -> Result<std::rc::Rc<Finished>, String> {
        let key = encode(&Scenario {
            view: beside.unwrap_or(View::Sm),
            split: None,
            cycle: 0,
            ..scenario.clone()
        });
        let run = || {
            let run = simulate(scenario, "kernel.cu", scenario.arch, false)?;
            let mut counters = run.trace.counters();
            let mut num_cycles = run.trace.num_cycles();
            if beside == Some(View::Device) {
                let device = super::device::simulate(scenario, "kernel.cu", scenario.arch, None, 1)?;
                counters.extend(device.counters(architecture(scenario.arch), &scenario.launch()));
                num_cycles = num_cycles.max(device.num_cycles);
                if device.outcome != Some(Outcome::Finished) {
                    let outcome = device.outcome.as_ref();
                    let text = outcome.map_or_else(|| "it does not end".to_owned(), super::outcome_text);
                    return Err(format!("the device's run: {text}"));
                }
            }
            if beside == Some(View::Streams) {
                counters.extend(super::streams::record(scenario)?.counters());
            }
            let counters = counters.into_iter();
            Ok(std::rc::Rc::new(Finished {
                counters: counters.map(|counter| (counter.name, counter.value)).collect(),
                outputs: run.outputs.compared().collect(),
                num_cycles,
                fault: match run.trace.outcome() {
                    Some(Outcome::Finished) => None,
                    Some(outcome) => Some(super::outcome_text(outcome)),
                    None => Some("the run does not end".to_owned()),
                },
            }))
        };
        self.0.entry(key).or_insert_with(run).clone()
    }
}

/// The mistakes of a lesson that its runs show.
fn lesson_faults(lesson: &Lesson, runs: &mut Runs) -> Vec<String> {
    let mut faults = Vec::new();
    for (idx, step) in lesson.steps.iter().enumerate() {
        let mut fault = |message: String| faults.push(format!("step {}: {message}", idx + 1));
        let scenario = step.scenario();
        let run = match runs.of(&scenario, step.view_with_run()) {
            Ok(run) => run,
            Err(message) => {
                fault(message);
                continue;
            }
        };
        if scenario.cycle >= run.num_cycles {
            fault(format!(
                "the link shows cycle {}, but the run has {}",
                scenario.cycle, run.num_cycles
            ));
        }
        if let Some(ask) = &step.ask
            && let Err(message) = ask_fault((step, ask), &scenario, &run, runs)
        {
            fault(message);
        }
    }
    faults
}

/// The answers of a lesson.
#[derive(Serialize)]
struct Answers {
    /// The path of the file.
    path: PathBuf,
    title: String,
    steps: Vec<StepAnswer>,
}

/// The answer of a step.
#[derive(Serialize)]
struct StepAnswer {
    title: String,
    /// `number`, `choice`, `click`, `edit`; or `read` for a step without a question.
    task: &'static str,
    /// The number, the number of the option from 1, or the number of the item.
    right: Option<f64>,
    /// What the item to click is.
    kind: Option<String>,
    /// Texts of the kernel, and their replacements.
    replace: Vec<(String, String)>,
    /// A wrong answer that the lesson expects: a number or the number of an option.
    wrong: Option<f64>,
}

fn answers(paths: &[PathBuf]) -> Result<Vec<Answers>, CliError> {
    let mut runs = Runs::default();
    let mut all = Vec::new();
    for path in lesson_files(paths)? {
        let wrong = |message: String| CliError::Input(format!("{}: {message}", path.display()));
        let lesson = Lesson::read(&read(&path)?).map_err(|error| wrong(error.to_string()))?;
        let mut steps = Vec::new();
        for step in &lesson.steps {
            steps.push(step_answer(step, &mut runs).map_err(wrong)?);
        }
        all.push(Answers {
            path,
            title: lesson.title,
            steps,
        });
    }
    Ok(all)
}

/// The counters that a question's expressions read.
fn counters<'r>(
    own: &'r Finished,
    other: Option<&'r Finished>,
) -> impl Fn(Run, &str) -> Option<f64> + use<'r> {
    move |which, name| match which {
        Run::Own => own.counters.get(name).copied(),
        Run::Other => other?.counters.get(name).copied(),
    }
}

fn step_answer(step: &Step, runs: &mut Runs) -> Result<StepAnswer, String> {
    let mut answer = StepAnswer {
        title: step.title.clone(),
        task: "read",
        right: None,
        kind: None,
        replace: Vec::new(),
        wrong: None,
    };
    let Some(ask) = &step.ask else {
        return Ok(answer);
    };
    let run = runs.of(&step.scenario(), step.view_with_run())?;
    let other = runs.other(ask, step.view_with_run())?;
    let counter = counters(&run, other.as_deref());
    let number = |text: &str| lesson::number(text, &counter).map_err(|error| error.to_string());
    let expected = ask.wrong.first().map(|wrong| wrong.answer.trim());
    match ask.task() {
        Task::Number(task) => {
            answer.task = "number";
            // A reader enters a whole number where the question accepts one.
            let exact = number(&task.value)?;
            let whole = Answer::Number(exact.round().to_string());
            let accepts_whole = ask.grade(&whole, &counter) == Ok(Grade::Right);
            answer.right = Some(if accepts_whole { exact.round() } else { exact });
            answer.wrong = expected.and_then(|text| text.parse().ok());
        }
        Task::Choice(task) => {
            answer.task = "choice";
            answer.right = Some(task.right as f64);
            let first_wrong = if task.right == 1 { 2.0 } else { 1.0 };
            let position = task
                .options
                .iter()
                .position(|option| Some(option.as_str()) == expected);
            answer.wrong = Some(position.map_or(first_wrong, |idx| idx as f64 + 1.0));
        }
        Task::Click(task) => {
            answer.task = "click";
            answer.right = Some(number(&task.value)?);
            answer.kind = Some(task.kind.clone());
            answer.wrong = expected.and_then(|text| text.parse().ok());
        }
        Task::Edit(task) => {
            answer.task = "edit";
            let pairs = task.reference.iter();
            answer.replace = pairs.map(|pair| (pair.from.clone(), pair.to.clone())).collect();
        }
    }
    Ok(answer)
}

/// Checks that the answer that a question calls right is right by its runs.
fn ask_fault(
    (step, ask): (&Step, &Ask),
    scenario: &Scenario,
    run: &Finished,
    runs: &mut Runs,
) -> Result<(), String> {
    let other = runs.other(ask, step.view_with_run())?;
    let counter = counters(run, other.as_deref());
    let grade = |answer: &Answer| ask.grade(answer, &counter).map_err(|error| error.to_string());
    match ask.task() {
        Task::Number(task) => {
            let value = lesson::number(&task.value, &counter).map_err(|error| error.to_string())?;
            if !value.is_finite() {
                return Err(format!("`{}` is not a number", task.value));
            }
            for wrong in &ask.wrong {
                if grade(&Answer::Number(wrong.answer.clone()))? == Grade::Right {
                    return Err(format!("{} is called wrong, but it is right", wrong.answer));
                }
            }
            Ok(())
        }
        Task::Choice(task) => {
            if !lesson::holds(&task.holds, &counter).map_err(|error| error.to_string())? {
                return Err(format!("`{}` does not hold", task.holds));
            }
            for wrong in &ask.wrong {
                match task.options.iter().position(|option| *option == wrong.answer) {
                    None => return Err(format!("`{}` is not one of the options", wrong.answer)),
                    Some(idx) if idx + 1 == task.right => {
                        return Err(format!("`{}` is called wrong, but it is right", wrong.answer));
                    }
                    Some(_) => {}
                }
            }
            Ok(())
        }
        Task::Click(task) => {
            let value = lesson::number(&task.value, &counter).map_err(|error| error.to_string())?;
            if value < 0.0 || value.fract() != 0.0 {
                return Err(format!("`{}` is {value}, which is no {}", task.value, task.kind));
            }
            Ok(())
        }
        Task::Edit(task) => {
            if grade(&Answer::Edit)? == Grade::Right {
                return Err("the unchanged kernel reaches the goal already".to_owned());
            }
            edit_fault((step, ask), task, scenario, (run, other.as_deref()), runs)
        }
    }
}

/// Checks that the reference of a starter passes with the same outputs.
fn edit_fault(
    (step, ask): (&Step, &Ask),
    task: &Edit,
    scenario: &Scenario,
    (run, other): (&Finished, Option<&Finished>),
    runs: &mut Runs,
) -> Result<(), String> {
    let source = replaced(scenario.source(), &task.reference)?;
    let changed = runs
        .of(
            &Scenario {
                source: Some(source),
                ..scenario.clone()
            },
            step.view_with_run(),
        )
        .map_err(|message| format!("the reference: {message}"))?;
    if let Some(fault) = &changed.fault {
        return Err(format!("the reference: {fault}"));
    }
    let counter = counters(&changed, other);
    if ask
        .grade(&Answer::Edit, &counter)
        .map_err(|error| error.to_string())?
        != Grade::Right
    {
        return Err("the reference does not reach the goal".to_owned());
    }
    if changed.outputs != run.outputs {
        return Err("the reference changes the outputs".to_owned());
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn faults(text: &str) -> Vec<String> {
        lesson_faults(&Lesson::read(text).unwrap(), &mut Runs::default())
    }

    /// A lesson of one step on the tiled transpose with this question.
    fn lesson(task: &str) -> String {
        format!(
            r#"
title = "Columns"
summary = "A column lies in one bank."
minutes = 4
[[step]]
title = "One warp reads a column"
text = "Shared memory has 32 banks."
link = "v1;kernel=transpose-tiled;arch=tu102;view=banks;cycle=300"
source = "CUDA C++ Programming Guide"
[step.ask]
question = "How many?"
{task}
hint = "Count the banks."
right = "32."
otherwise = "Count again."
"#
        )
    }

    const CONFLICTS: &str = "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum";

    #[test]
    fn starters_fail_and_references_pass() {
        let edit = |from: &str, to: &str| {
            faults(&lesson(&format!(
                r#"edit = {{ goal = "{CONFLICTS} == 0", reference = [{{ from = "{from}", to = "{to}" }}] }}"#
            )))
        };
        assert_eq!(edit("tile[TILE][TILE]", "tile[TILE][TILE + 1]"), [""; 0]);
        assert_eq!(
            edit("tile[TILE][TILE]", "tile[TILE][TILE + 2]"),
            ["step 1: the reference does not reach the goal"]
        );
        assert_eq!(
            edit("missing", ""),
            ["step 1: the source does not contain `missing`"]
        );
        assert_eq!(
            faults(&lesson(&format!(
                r#"edit = {{ goal = "{CONFLICTS} > 0", reference = [] }}"#
            ))),
            ["step 1: the unchanged kernel reaches the goal already"]
        );
    }

    #[test]
    fn numbers_and_choices_agree_with_the_run() {
        let number = format!(r#"number = {{ value = "{CONFLICTS} / 128", unit = "conflicts" }}"#);
        assert_eq!(faults(&lesson(&number)), [""; 0]);
        let wrong = format!("{number}\nwrong = [{{ answer = \"31\", reason = \"No.\" }}]");
        assert_eq!(
            faults(&lesson(&wrong)),
            ["step 1: 31 is called wrong, but it is right"]
        );
        let choice = format!(r#"choice = {{ options = ["a", "b"], right = 1, holds = "{CONFLICTS} == 0" }}"#);
        assert_eq!(
            faults(&lesson(&choice)),
            [format!("step 1: `{CONFLICTS} == 0` does not hold")]
        );
        assert_eq!(
            faults(&lesson(r#"number = { value = "cycles", unit = "cycles" }"#)),
            ["step 1: no counter is called `cycles`"]
        );
    }

    #[test]
    fn answers_come_from_the_run() {
        let answer = |task: &str| {
            let lesson = Lesson::read(&lesson(task)).unwrap();
            step_answer(&lesson.steps[0], &mut Runs::default()).unwrap()
        };
        let number = answer(&format!(
            "number = {{ value = \"{CONFLICTS} / 128\", unit = \"conflicts\" }}\nwrong = [{{ answer = \"32\", reason = \"No.\" }}]"
        ));
        assert_eq!(
            (number.task, number.right, number.wrong),
            ("number", Some(31.0), Some(32.0))
        );
        let choice = answer(&format!(
            r#"choice = {{ options = ["a", "b"], right = 1, holds = "{CONFLICTS} > 0" }}"#
        ));
        assert_eq!(
            (choice.task, choice.right, choice.wrong),
            ("choice", Some(1.0), Some(2.0))
        );
    }

    #[test]
    fn a_link_shows_a_cycle_of_its_run() {
        let text = lesson(r#"number = { value = "1", unit = "one" }"#).replace("cycle=300", "cycle=30000");
        let found = faults(&text);
        assert!(
            found[0].starts_with("step 1: the link shows cycle 30000"),
            "{found:?}"
        );
    }
}
