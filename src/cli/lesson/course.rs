//! Checks of a lesson's texts, and of the choices of a course.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::{Runs, counters, courses, lesson_files, read};
use crate::CliError;
use workbench::lesson::{Lesson, ladder_faults, position_fault};

/// Texts that refer to what is hidden, and a summary that states a result.
pub(super) fn text_faults(lesson: &Lesson, runs: &mut Runs) -> Vec<String> {
    let mut faults = Vec::new();
    let mut finished = Vec::new();
    for (idx, step) in lesson.steps.iter().enumerate() {
        let found = step.references_to_hidden();
        faults.extend(
            found
                .into_iter()
                .map(|fault| format!("step {}: {fault}", idx + 1)),
        );
        // A run that fails is a fault of its own.
        let own = runs.of(&step.scenario(), step.view_with_run()).ok();
        let other = step
            .ask
            .as_ref()
            .and_then(|ask| runs.other(ask, step.view_with_run()).ok()?);
        finished.push((own, other));
    }
    faults.extend(lesson.summary_faults(&|idx, run, name| {
        let (own, other) = finished.get(idx)?;
        counters(own.as_deref()?, other.as_deref())(run, name)
    }));
    faults
}

/// The mistakes of a folder with a list of courses: each lesson is in one course, and what lessons need comes earlier.
pub(super) fn ladder_faults_of(folder: &Path) -> Result<Vec<String>, CliError> {
    let listed: Vec<String> = courses(folder)?
        .iter()
        .flat_map(|row| row.lessons.iter().map(|id| format!("{}/{id}", row.id)))
        .collect();
    let mut files = BTreeMap::new();
    for path in lesson_files(&[folder.to_owned()])? {
        // A file that is no lesson has a fault of its own.
        let lesson = Lesson::read(&read(&path)?);
        let id = path.strip_prefix(folder).unwrap_or(&path).with_extension("");
        let needs = lesson.map(|lesson| lesson.needs).unwrap_or_default();
        let id: Vec<_> = id.iter().map(|part| part.to_string_lossy()).collect();
        files.insert(id.join("/"), needs);
    }
    Ok(ladder_faults(&listed, &files))
}

/// The right options of the choices of each course: a folder of lessons.
#[derive(Default)]
pub(super) struct Choices(BTreeMap<PathBuf, Vec<usize>>);

impl Choices {
    pub(super) fn add(&mut self, path: &Path, lesson: &Lesson) {
        let course = path.parent().unwrap_or(path).to_owned();
        self.0.entry(course).or_default().extend(lesson.right_options());
    }

    /// Courses where one position has too many of the right options, and the same for all courses together.
    pub(super) fn faults(&self) -> Vec<String> {
        let of_course = |(path, right): (&PathBuf, &Vec<usize>)| {
            position_fault(right).map(|fault| format!("{}: {fault}", path.display()))
        };
        let mut faults: Vec<String> = self.0.iter().filter_map(of_course).collect();
        if self.0.len() > 1 {
            let all: Vec<usize> = self.0.values().flatten().copied().collect();
            faults.extend(position_fault(&all).map(|fault| format!("all courses: {fault}")));
        }
        faults
    }
}
