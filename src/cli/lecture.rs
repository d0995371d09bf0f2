//! `lecture`: checks lectures by running their links.

mod numbers;

use std::io::Write;
use std::path::{Path, PathBuf};

use clap::{Args, Subcommand};

use super::{CliError, CliResult, Verdict, lesson};
use workbench::app::{Event, Session, update};
use workbench::lecture::LectureFile;
use workbench::scene::{Size, thousands};
use workbench::share::{Chapter, View};

/// Check lectures
#[derive(Subcommand)]
pub(super) enum Command {
    /// Run every chapter of lectures: its link has no warnings, its view has a picture, and its cycle is in the run
    ///
    /// Each number of the speaker notes is in the chapter's headline, or a `number` of the chapter names its run or its
    /// source. Planned minutes add up to those of the lecture.
    Check(Files),
}

#[derive(Args)]
pub(super) struct Files {
    /// Lecture files (`.toml`), or folders with lectures
    #[arg(required = true)]
    paths: Vec<PathBuf>,
}

/// The size of the stage on a page of 1440 x 900.
const STAGE: Size = Size {
    width: 832.0,
    height: 636.0,
};

pub(super) fn run(command: &Command, out: &mut dyn Write) -> CliResult {
    let Command::Check(Files { paths }) = command;
    let (mut verdict, mut runs) = (Verdict::Good, lesson::Runs::default());
    for path in files(paths)? {
        let text = std::fs::read_to_string(&path).map_err(|source| CliError::Read {
            path: path.clone(),
            source,
        })?;
        let file = LectureFile::read(&text)
            .map_err(|error| CliError::Input(format!("{}: {error}", path.display())))?;
        writeln!(out, "{}: {}", path.display(), file.title)?;
        let mut fault = |out: &mut dyn Write, place: &str, mistake: &str| {
            verdict = Verdict::Bad;
            writeln!(out, "  {place}: error: {mistake}")
        };
        if let Some(mistake) = plan_fault(&file) {
            fault(out, "plan", &mistake)?;
        }
        for (idx, (stop, chapter)) in file.stops.iter().zip(file.chapters()).enumerate() {
            let place = format!("{:>2} {}", idx + 1, chapter.title);
            match headline(&chapter) {
                Ok(sentence) => {
                    writeln!(out, "  {place}: {sentence}")?;
                    for mistake in numbers::faults(stop, &chapter, &sentence, &mut runs) {
                        fault(out, &place, &mistake)?;
                    }
                }
                Err(mistake) => fault(out, &place, &mistake)?,
            }
        }
    }
    Ok(verdict)
}

/// Says that the planned minutes of the chapters are not those of the lecture, if so.
fn plan_fault(file: &LectureFile) -> Option<String> {
    let planned: u32 = file.stops.iter().map(|stop| u32::from(stop.minutes)).sum();
    let minutes = u32::from(file.minutes);
    let missing = file.stops.iter().position(|stop| stop.minutes == 0);
    match missing {
        Some(idx) if planned > 0 => Some(format!("chapter {} has no `minutes`, and others have", idx + 1)),
        None if planned != minutes => Some(format!(
            "the chapters have {planned} minutes, and the lecture has {minutes}"
        )),
        _ => None,
    }
}

/// The lecture files at these paths, in order.
fn files(paths: &[PathBuf]) -> Result<Vec<PathBuf>, CliError> {
    let mut files = Vec::new();
    for path in paths {
        if path.is_dir() {
            files.extend(in_folder(path)?);
        } else {
            files.push(path.clone());
        }
    }
    Ok(files)
}

fn in_folder(folder: &Path) -> Result<Vec<PathBuf>, CliError> {
    let fail = |source| CliError::Read {
        path: folder.to_owned(),
        source,
    };
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(fail)? {
        files.push(entry.map_err(fail)?.path());
    }
    files.retain(|path| path.extension().is_some_and(|end| end == "toml"));
    files.sort();
    Ok(files)
}

/// Runs a chapter, and returns the sentence above its picture.
fn headline(chapter: &Chapter) -> Result<String, String> {
    let mut session = Session::new();
    let link = workbench::share::encode(&chapter.scenario);
    update(&mut session, Event::Open(link));
    if let Some(warning) = session.ui.warnings.first() {
        return Err(warning.clone());
    }
    while session.work(100_000) {}
    session.ui.widths = [STAGE.width; 4];
    let (view, cycle, last) = (session.ui.view, chapter.scenario.cycle, session.last_cycle());
    if cycle > last {
        return Err(format!(
            "the link shows cycle {}, and the run ends at cycle {}",
            thousands(cycle),
            thousands(last)
        ));
    }
    if view == View::Checks {
        return Ok(session.sentence(None));
    }
    match session.shown().picture(view, STAGE) {
        Some(scene) => Ok(session.sentence(Some(&scene))),
        None => Err(session.sentence(None)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use workbench::lecture::PUBLISHED;

    fn headline_of(link: &str) -> Result<String, String> {
        let text = format!("title = \"a\"\n[[chapter]]\ntitle = \"b\"\nlink = \"{link}\"\n");
        headline(&LectureFile::read(&text).unwrap().chapters()[0])
    }

    #[test]
    fn a_chapter_shows_a_cycle_of_its_run() {
        let link = "v1;kernel=shared-stride-2;view=banks;cycle=";
        assert_eq!(
            headline_of(&format!("{link}990")).unwrap(),
            "Lanes access 2 words in each of 16 banks: this load takes 2 wavefronts, not 1."
        );
        let mistake = headline_of(&format!("{link}99000")).unwrap_err();
        assert!(
            mistake.starts_with("the link shows cycle 99,000, and the run ends at cycle "),
            "{mistake}"
        );
        assert!(headline_of("v1;view=compare").is_err());
    }

    /// The check of the published lectures, as a lecturer runs it: each number of the notes has a run or a source.
    #[test]
    fn the_published_lectures_are_right() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../www/lectures");
        let files = in_folder(&folder).unwrap();
        let ids: Vec<String> = files
            .iter()
            .map(|path| path.file_stem().unwrap().to_string_lossy().into_owned())
            .collect();
        let mut published: Vec<&str> = PUBLISHED.iter().map(|lecture| lecture.id).collect();
        published.sort_unstable();
        assert_eq!(ids, published);
        for (path, id) in files.iter().zip(&ids) {
            let file = LectureFile::read(&std::fs::read_to_string(path).unwrap()).unwrap();
            let listed = PUBLISHED.iter().find(|lecture| lecture.id == id).unwrap();
            assert_eq!(
                (listed.title, listed.summary, listed.minutes),
                (file.title.as_str(), file.summary.as_str(), file.minutes)
            );
            let planned = file
                .stops
                .iter()
                .all(|stop| stop.minutes > 0 && !stop.text.is_empty());
            assert!(planned, "{id}: each chapter has minutes and notes");
        }
        let mut out = Vec::new();
        let paths = vec![folder];
        let verdict = run(&Command::Check(Files { paths }), &mut out).unwrap();
        assert_eq!(verdict, Verdict::Good, "{}", String::from_utf8_lossy(&out));
    }

    #[test]
    fn the_minutes_of_the_chapters_add_up() {
        let fault = |minutes: &str, first: &str, second: &str| {
            let text = format!(
                "title=\"a\"\n{minutes}\n[[chapter]]\ntitle=\"b\"\nlink=\"v1\"\n{first}\n[[chapter]]\ntitle=\"c\"\nlink=\"v1\"\n{second}\n"
            );
            plan_fault(&LectureFile::read(&text).unwrap())
        };
        assert_eq!(fault("minutes=9", "minutes=4", "minutes=5"), None);
        assert_eq!(fault("", "", ""), None);
        assert_eq!(
            fault("minutes=9", "minutes=4", "minutes=4").unwrap(),
            "the chapters have 8 minutes, and the lecture has 9"
        );
        assert_eq!(
            fault("minutes=9", "minutes=4", "").unwrap(),
            "chapter 2 has no `minutes`, and others have"
        );
    }
}
