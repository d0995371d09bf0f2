//! The numbers of speaker notes: each comes from the chapter's run, or from a source.

use super::lesson::Runs;
use workbench::lecture::{NoteNumber, StopRow};
use workbench::lesson::{Run, number};
use workbench::share::{Chapter, Scenario, View};

/// Numbers that notes write as words.
const NUMBER_WORDS: [&str; 13] = [
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
];

/// The mistakes in the numbers of a chapter's notes. `headline`: the sentence above the chapter's picture.
pub(super) fn faults(stop: &StopRow, chapter: &Chapter, headline: &str, runs: &mut Runs) -> Vec<String> {
    let notes = words(&stop.text).join(" ");
    let mut faults: Vec<String> = stop
        .numbers
        .iter()
        .filter_map(|of| fault(of, &notes, chapter, runs).err())
        .collect();
    let known: Vec<String> = stop
        .numbers
        .iter()
        .flat_map(|of| numbers(&of.says))
        .chain(numbers(headline))
        .collect();
    let paragraphs = stop.text.split("\n\n").map(str::trim);
    for paragraph in paragraphs.filter(|text| !text.starts_with("Source:")) {
        for found in numbers(paragraph) {
            if !known.contains(&found) {
                faults.push(format!(
                    "`{found}` is not in the headline: add a `number` with its expression or source"
                ));
            }
        }
    }
    faults
}

/// Checks one number.
fn fault(of: &NoteNumber, notes: &str, chapter: &Chapter, runs: &mut Runs) -> Result<(), String> {
    let says = words(&of.says).join(" ");
    if !notes.contains(&says) {
        return Err(format!("the notes do not say “{says}”"));
    }
    match (&of.value, &of.source) {
        (None, Some(source)) if !source.trim().is_empty() => Ok(()),
        (Some(value), None) => {
            let (given, decimals) = first_number(&says).ok_or_else(|| format!("“{says}” has no number"))?;
            let right = value_of(value, chapter, runs)?;
            let off = (given - right).abs();
            if off <= 0.5 * 10_f64.powi(-decimals) + 1e-9 {
                Ok(())
            } else {
                Err(format!("“{says}”, but `{value}` is {right}"))
            }
        }
        _ => Err(format!("“{says}” needs either `value` or `source`")),
    }
}

/// The value of an expression over the counters of the chapter's run, and of the run of its second pane.
fn value_of(text: &str, chapter: &Chapter, runs: &mut Runs) -> Result<f64, String> {
    let scenario = &chapter.scenario;
    let views = [Some(scenario.view), scenario.split];
    let beside = views
        .into_iter()
        .flatten()
        .find(|view| matches!(view, View::Device | View::Streams));
    let own = Scenario {
        compare: None,
        ..Scenario::clone(scenario)
    };
    let second = scenario
        .compare
        .as_ref()
        .and_then(|compare| compare.others.first());
    let other = second.map(|setup| {
        let (mut other, mut setup) = (own.clone(), setup.clone());
        setup.swap(&mut other);
        other
    });
    let own = runs.of(&own, beside)?;
    let other = other.map(|other| runs.of(&other, beside)).transpose()?;
    let counter = |run: Run, name: &str| match run {
        Run::Own => own.counter(name),
        Run::Other => other.as_ref()?.counter(name),
    };
    number(text, &counter).map_err(|error| error.to_string())
}

/// The words of a text, without code in backquotes.
fn words(text: &str) -> Vec<String> {
    let prose = text.split('`').step_by(2);
    prose.flat_map(str::split_whitespace).map(str::to_owned).collect()
}

/// The numbers of a text as they are written, without commas: no part of a word such as `GF100` or `64-bit`.
fn numbers(text: &str) -> Vec<String> {
    let bare = |word: String| {
        let word = word.trim_matches(|letter: char| !letter.is_alphanumeric());
        word.replace(',', "")
    };
    words(text)
        .into_iter()
        .map(bare)
        .filter(|word| word.parse::<f64>().is_ok() && word.starts_with(|first: char| first.is_ascii_digit()))
        .collect()
}

/// The first number of a text, in digits or as a word, with the number of its decimals.
fn first_number(text: &str) -> Option<(f64, i32)> {
    if let Some(written) = numbers(text).first() {
        let decimals = written.split_once('.').map_or(0, |(_, part)| part.len());
        return Some((written.parse().ok()?, decimals as i32));
    }
    let mut spelled = words(text).into_iter();
    let value = spelled.find_map(|word| {
        NUMBER_WORDS
            .iter()
            .position(|number| *number == word.to_lowercase())
    })?;
    Some((value as f64, 0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use workbench::lecture::LectureFile;

    /// The mistakes of a chapter of a row read with a stride of two, beside the read without conflicts.
    fn faults_of(text: &str, rows: &str) -> Vec<String> {
        let link = "v1;kernel=shared-stride-2;view=banks;cycle=990;compare=tu102;2.kernel=shared-stride-33";
        let file = format!(
            "title=\"a\"\n[[chapter]]\ntitle=\"b\"\nlink=\"{link}\"\ntext=\"\"\"\n{text}\n\"\"\"\n{rows}\n"
        );
        let file = LectureFile::read(&file).unwrap();
        faults(
            &file.stops[0],
            &file.chapters()[0],
            "This load takes 2 wavefronts, not 1.",
            &mut Runs::default(),
        )
    }

    const LOADS: &str =
        "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum / smsp__inst_executed_op_shared_ld.sum";

    #[test]
    fn each_number_is_in_the_headline_or_has_a_run_or_a_source() {
        let mistake = "`32` is not in the headline: add a `number` with its expression or source";
        assert_eq!(
            faults_of(
                "2 wavefronts for 32 lanes on GF100 with `tile[7]`.\n\nSource: Guide, 5.3.",
                ""
            ),
            [mistake]
        );
        let source = "[[chapter.number]]\nsays = \"32 lanes\"\nsource = \"CUDA C++ Programming Guide\"";
        assert_eq!(
            faults_of("2 wavefronts for 32 lanes.", source),
            Vec::<String>::new()
        );
    }

    #[test]
    fn a_value_comes_from_the_runs_of_both_panes() {
        let row =
            |says: &str, value: &str| format!("[[chapter.number]]\nsays = \"{says}\"\nvalue = \"{value}\"");
        let other = format!(
            "other({}) / other({})",
            "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum", "smsp__inst_executed_op_shared_ld.sum"
        );
        let good = format!("{}\n{}", row("Two wavefronts", LOADS), row("one", &other));
        assert_eq!(faults_of("Two wavefronts, or one.", &good), Vec::<String>::new());
        let found = faults_of("It takes 3 wavefronts.", &row("3 wavefronts", LOADS));
        assert_eq!(found, [format!("“3 wavefronts”, but `{LOADS}` is 2")]);
        // As many decimals as are written.
        assert_eq!(
            faults_of("It takes 0.7 of it.", &row("0.7", "2 / 3")),
            Vec::<String>::new()
        );
        assert_eq!(faults_of("It takes 0.68 of it.", &row("0.68", "2 / 3")).len(), 1);
    }

    #[test]
    fn a_number_names_words_of_the_notes_and_one_origin() {
        let found = faults_of(
            "Two.",
            "[[chapter.number]]\nsays = \"Four\"\nvalue = \"4\"\n[[chapter.number]]\nsays = \"Two\"",
        );
        assert_eq!(
            found,
            [
                "the notes do not say “Four”",
                "“Two” needs either `value` or `source`"
            ]
        );
    }
}
