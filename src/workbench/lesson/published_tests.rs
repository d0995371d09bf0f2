//! Rules that all lessons of the page keep.

use std::path::{Path, PathBuf};

use super::*;
use crate::share::Setup;

/// The lessons of the page, with their paths.
pub(crate) fn published() -> Vec<(PathBuf, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../www/lessons");
    let entries = |folder: &Path| {
        let entries = std::fs::read_dir(folder).unwrap();
        let mut paths: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
        paths.sort();
        paths
    };
    let courses = entries(&folder).into_iter().filter(|path| path.is_dir());
    let files = courses.flat_map(|course| entries(&course));
    files
        .map(|path| {
            let text = std::fs::read_to_string(&path).unwrap();
            (path, text)
        })
        .collect()
}

/// Calls a check for all steps of the page's lessons.
fn for_all_steps(mut check: impl FnMut(&Step, &str)) {
    for (path, text) in published() {
        let lesson = Lesson::read(&text).unwrap();
        for (idx, step) in lesson.steps.iter().enumerate() {
            check(step, &format!("{} step {}", path.display(), idx + 1));
        }
    }
}

/// The setups of a scenario, in the order of their panes.
fn setups(scenario: &Scenario) -> Vec<Setup> {
    let others = scenario.compare.iter().flat_map(|compare| compare.others.clone());
    [Setup::of(scenario)].into_iter().chain(others).collect()
}

#[test]
fn every_answer_reveals_the_run_that_its_question_is_about_first() {
    let (mut num_compared, mut num_alone) = (0, 0);
    for_all_steps(|step, place| {
        let after = step.scenario_after();
        let own = Setup::of(&step.scenario());
        let Some(ask) = &step.ask else {
            assert_eq!(after, step.scenario(), "{place}");
            return;
        };
        let Some(link) = &ask.other else {
            assert_eq!(setups(&after)[0], own, "{place}");
            return;
        };
        let other = Setup::of(&decode(link).scenario);
        let (asked, beside) = match ask.asked() {
            Run::Own => (own, other),
            Run::Other => (other, own),
        };
        let has_curves = [Some(after.view), after.split].contains(&Some(View::Plots));
        // Settings of Streams, such as the computer, are those of the view: both panes would have the same picture.
        if has_curves || asked == beside {
            assert!(has_curves || after.view == View::Streams, "{place}");
            num_alone += 1;
            assert_eq!(setups(&after), [asked], "{place}");
        } else {
            num_compared += 1;
            assert_eq!(setups(&after), [asked, beside], "{place}");
        }
    });
    assert!(
        num_compared > 110 && num_alone > 5,
        "{num_compared} and {num_alone}"
    );
}

/// The questions whose run `about` names, because the expression names the other one first.
#[test]
fn about_names_the_run_where_the_expression_does_not() {
    let mut num = 0;
    for_all_steps(|step, place| {
        let Some(ask) = &step.ask else { return };
        if let Some(about) = ask.about {
            num += 1;
            let unnamed = Ask {
                about: None,
                ..ask.clone()
            };
            assert_ne!(
                unnamed.asked(),
                about,
                "{place}: `about` says what the expression says"
            );
        }
    });
    assert!(num > 5, "{num}");
}

#[test]
fn no_text_refers_to_what_is_hidden_until_the_answer() {
    let mut faults = Vec::new();
    for_all_steps(|step, place| {
        let found = step.references_to_hidden();
        faults.extend(found.into_iter().map(|fault| format!("{place}: {fault}")));
    });
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn right_options_are_spread_over_the_positions() {
    let mut courses: std::collections::BTreeMap<PathBuf, Vec<usize>> = std::collections::BTreeMap::new();
    for (path, text) in published() {
        let lesson = Lesson::read(&text).unwrap();
        let course = courses.entry(path.parent().unwrap().to_owned()).or_default();
        course.extend(lesson.right_options());
    }
    let all: Vec<usize> = courses.values().flatten().copied().collect();
    assert_eq!(position_fault(&all), None);
    for (course, right) in courses {
        assert_eq!(position_fault(&right), None, "{}", course.display());
    }
}
