//! Reading and grading lessons.

use super::*;

const LESSON: &str = r#"
title = "Columns"
summary = "A column lies in one bank."
minutes = 4
claims = ["F23"]

[[step]]
title = "One warp reads a column"
text = "Shared memory has 32 banks."
link = "v1;kernel=transpose-tiled;arch=tu102;view=banks;cycle=300"
mark = ["line 25", "bank 3"]
source = "CUDA C++ Programming Guide"

[step.ask]
question = "How many wavefronts does it take?"
number = { value = "waves / requests", unit = "wavefronts" }
hint = "Count the banks."
right = "32 wavefronts."
wrong = [{ answer = "1", reason = "All words are in one bank." }]
otherwise = "Count again."
"#;

/// A lesson whose question has this task.
fn with_task(task: &str) -> Result<Lesson, LessonError> {
    Lesson::read(&LESSON.replace(
        r#"number = { value = "waves / requests", unit = "wavefronts" }"#,
        task,
    ))
}

fn counter(run: Run, name: &str) -> Option<f64> {
    match (run, name) {
        (Run::Own, "waves") => Some(4096.0),
        (Run::Own, "requests") => Some(128.0),
        _ => None,
    }
}

fn grade(lesson: &Lesson, answer: Answer) -> Grade {
    let ask = lesson.steps[0].ask.as_ref().unwrap();
    ask.grade(&answer, &counter).unwrap()
}

#[test]
fn a_number_is_graded_by_the_counters() {
    let lesson = Lesson::read(LESSON).unwrap();
    let number = |text: &str| grade(&lesson, Answer::Number(text.to_owned()));
    assert_eq!(number("32"), Grade::Right);
    assert_eq!(number(" 32.0 "), Grade::Right);
    assert_eq!(number("1"), Grade::Wrong("All words are in one bank.".to_owned()));
    assert_eq!(number("31"), Grade::Wrong("Count again.".to_owned()));
    assert_eq!(
        number("many"),
        Grade::Invalid("Enter a number of wavefronts.".to_owned())
    );
}

#[test]
fn choices_clicks_and_edits_are_graded() {
    let lesson =
        with_task(r#"choice = { options = ["1", "32"], right = 2, holds = "waves > requests" }"#).unwrap();
    assert_eq!(grade(&lesson, Answer::Choice(1)), Grade::Right);
    assert_eq!(
        grade(&lesson, Answer::Choice(0)),
        Grade::Wrong("All words are in one bank.".to_owned())
    );
    let lesson = with_task(r#"click = { kind = "bank", value = "3" }"#).unwrap();
    assert_eq!(grade(&lesson, Answer::Click(Target::Bank(3))), Grade::Right);
    assert_eq!(
        grade(&lesson, Answer::Click(Target::Bank(1))),
        Grade::Wrong("All words are in one bank.".to_owned())
    );
    assert_eq!(
        grade(&lesson, Answer::Click(Target::Lane(3))),
        Grade::Invalid("Click a bank.".to_owned())
    );
    let lesson = with_task(
        r#"edit = { goal = "waves == requests", reference = [{ from = "tile[TILE][TILE]", to = "tile[TILE][TILE + 1]" }] }"#,
    )
    .unwrap();
    assert_eq!(
        grade(&lesson, Answer::Edit),
        Grade::Wrong("Count again.".to_owned())
    );
}

#[test]
fn the_answer_is_hidden_until_it_is_given() {
    let lesson = Lesson::read(LESSON).unwrap();
    let before = lesson.steps[0].scenario_before();
    assert_eq!((before.view, before.cycle), (View::Source, 0));
    assert_eq!(lesson.steps[0].scenario().view, View::Banks);
    assert_eq!(lesson.steps[0].marks(), [Target::CodeLine(25), Target::Bank(3)]);
    // To click a bank, the reader needs the picture.
    let lesson = with_task(r#"click = { kind = "bank", value = "3" }"#).unwrap();
    assert_eq!(lesson.steps[0].scenario_before(), lesson.steps[0].scenario());
}

/// The lesson with these lines in its step, and others in its question.
fn with_lines(step: &str, ask: &str) -> Result<Lesson, LessonError> {
    let text = LESSON.replace("source = ", &format!("{step}\nsource = "));
    Lesson::read(&text.replace("hint = ", &format!("{ask}\nhint = ")))
}

const OTHER: &str = r#"other = "v1;kernel=transpose-padded;arch=gv100;view=caches;cycle=40""#;

#[test]
fn a_step_keeps_its_picture_in_sight() {
    let lesson = with_lines(r#"shows = ["picture"]"#, "").unwrap();
    let before = lesson.steps[0].scenario_before();
    assert_eq!(
        (before.view, before.split, before.cycle),
        (View::Banks, None, 300)
    );
    let lesson = with_lines(r#"shows = ["picture", "code", "run"]"#, "").unwrap();
    let before = lesson.steps[0].scenario_before();
    assert_eq!((before.view, before.split), (View::Banks, Some(View::Source)));
    // The run of `other` is graded, and its picture stays hidden.
    let lesson = with_lines(r#"shows = ["picture"]"#, OTHER).unwrap();
    assert!(lesson.steps[0].shows_own_run_alone());
    assert_eq!(lesson.steps[0].scenario_before().compare.unwrap().others.len(), 1);
    let fault = |shows: &str, ask: &str| with_lines(shows, ask).unwrap_err().to_string();
    assert!(fault("shows = []", "").contains("`shows` has `code` or `picture`"));
    assert!(fault(r#"shows = ["code", "run"]"#, "").contains("only with `picture`"));
    assert!(fault(r#"shows = ["code", "picture"]"#, OTHER).contains("not both"));
    assert!(fault("shows = [\"picture\"]\nbefore = \"v1;view=sm\"", "").contains("exclude each other"));
}

#[test]
fn a_text_that_refers_to_what_is_hidden_is_refused() {
    let faults = |text: &str, shows: &str| {
        let lesson = LESSON.replace("Shared memory has 32 banks.", text);
        let lesson = lesson.replace("source = ", &format!("{shows}\nsource = "));
        Lesson::read(&lesson).unwrap().steps[0].references_to_hidden()
    };
    let found = faults("Rows are 32 words long. The picture shows one of them.", "");
    assert_eq!(
        found,
        [
            "the text refers to what is hidden until the answer (`picture`): write it without, or add `picture` to `shows`: “The picture shows one of them.”"
        ]
    );
    assert_eq!(
        faults("The picture shows a row.", r#"shows = ["picture"]"#),
        [""; 0]
    );
    assert_eq!(faults("Look at the instructions of line 3.", ""), [""; 0]);
    assert_eq!(
        faults("Look at the instructions.", r#"shows = ["picture"]"#).len(),
        1
    );
    assert_eq!(
        faults("Step through the picture.", r#"shows = ["picture"]"#).len(),
        1
    );
    assert_eq!(faults("After the answer, the inspector lists them.", ""), [""; 0]);
    assert_eq!(
        faults("The inspector lists them.", r#"shows = ["picture", "run"]"#).len(),
        1
    );
}

#[test]
fn the_answer_reveals_the_asked_run_beside_the_other() {
    let revealed = |value: &str, ask: &str| {
        let text = LESSON.replace("waves / requests", value);
        let text = text.replace("hint = ", &format!("{OTHER}\n{ask}\nhint = "));
        let after = Lesson::read(&text).unwrap().steps[0].scenario_after();
        let others = after.compare.clone().unwrap().others;
        (
            after.kernel.clone(),
            others[0].kernel.clone(),
            after.view,
            after.cycle,
        )
    };
    let names = |first: &str, second: &str| (first.to_owned(), second.to_owned());
    // The own run keeps its picture; the other one has the picture of its own link.
    let (first, second, view, cycle) = revealed("waves / other(waves)", "");
    assert_eq!((first, second), names("transpose-tiled", "transpose-padded"));
    assert_eq!((view, cycle), (View::Banks, 300));
    let (first, second, view, cycle) = revealed("other(waves)", "");
    assert_eq!((first, second), names("transpose-padded", "transpose-tiled"));
    assert_eq!((view, cycle), (View::Caches, 40));
    let (first, second, ..) = revealed("other(waves) - waves", "about = \"own\"");
    assert_eq!((first, second), names("transpose-tiled", "transpose-padded"));
    // Without a second run, `about` has no meaning.
    assert!(
        with_lines("", "about = \"own\"")
            .unwrap_err()
            .to_string()
            .contains("`about` needs `other`")
    );
}

#[test]
fn mistakes_in_a_file_are_named() {
    let error = |text: &str| Lesson::read(text).unwrap_err().to_string();
    let missing = error(&LESSON.replace("minutes = 4", ""));
    assert!(missing.contains("missing field `minutes`"), "{missing}");
    let unknown = error(&LESSON.replace("hint =", "hnt ="));
    assert!(unknown.contains("hnt") && unknown.contains("line"), "{unknown}");
    let link = error(&LESSON.replace("view=banks", "view=bank"));
    assert!(
        link.starts_with("step 1 (`One warp reads a column`): the link"),
        "{link}"
    );
    let mark = error(&LESSON.replace("bank 3", "bank 32"));
    assert!(mark.contains("`bank 32` is no mark"), "{mark}");
    let two =
        with_task("number = { value = \"1\", unit = \"s\" }\nclick = { kind = \"bank\", value = \"3\" }");
    assert!(two.unwrap_err().to_string().contains("exactly one of"));
    let expression = with_task(r#"number = { value = "waves /", unit = "wavefronts" }"#);
    assert!(expression.unwrap_err().to_string().contains("column 8: expected"));
    assert!(error("").contains("missing field"));
}

#[test]
fn replacements_name_a_text_that_is_missing() {
    let replacement = |from: &str| Replacement {
        from: from.to_owned(),
        to: "b".to_owned(),
    };
    assert_eq!(replaced("a c a", &[replacement("a")]), Ok("b c b".to_owned()));
    assert_eq!(
        replaced("a", &[replacement("x")]),
        Err("the source does not contain `x`".to_owned())
    );
}

#[test]
fn a_grade_says_the_option_once() {
    for (option, reason, first, rest) in [
        ("Never", "Never: a warp stays.", "Never.", "A warp stays."),
        (
            "About 60 %",
            "About 60 %. FP32 lanes work.",
            "About 60 %.",
            "FP32 lanes work.",
        ),
        (
            "No: the wavefronts alone take more",
            "No: 4,096 wavefronts, and more.",
            "No: the wavefronts alone take more.",
            "4,096 wavefronts, and more.",
        ),
        (
            "33",
            "33. An odd stride, 33, shares none.",
            "33.",
            "An odd stride, 33, shares none.",
        ),
        (
            "Fewer than 12",
            "Fewer: 9 registers.",
            "Fewer than 12.",
            "9 registers.",
        ),
        (
            "The same",
            "671 and 663 cycles: no.",
            "The same.",
            "671 and 663 cycles: no.",
        ),
        (
            "Why not?",
            "It is 1.5 times as long.",
            "Why not?",
            "It is 1.5 times as long.",
        ),
    ] {
        assert_eq!(graded(option, reason), (first.to_owned(), rest.to_owned()));
    }
}
