//! `lecture`: checks lectures by running their links.

use std::io::Write;
use std::path::{Path, PathBuf};

use clap::{Args, Subcommand};

use super::{CliError, CliResult, Verdict};
use workbench::app::{Event, Session, update};
use workbench::lecture::LectureFile;
use workbench::scene::{Size, thousands};
use workbench::share::{Chapter, View};

/// Check lectures
#[derive(Subcommand)]
pub(super) enum Command {
    /// Run every chapter of lectures: its link has no warnings, its view has a picture, and its cycle is in the run
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
    let mut verdict = Verdict::Good;
    for path in files(paths)? {
        let text = std::fs::read_to_string(&path).map_err(|source| CliError::Read {
            path: path.clone(),
            source,
        })?;
        let file = LectureFile::read(&text)
            .map_err(|error| CliError::Input(format!("{}: {error}", path.display())))?;
        writeln!(out, "{}: {}", path.display(), file.title)?;
        for (idx, chapter) in file.chapters().iter().enumerate() {
            match headline(chapter) {
                Ok(sentence) => writeln!(out, "  {:>2} {}: {sentence}", idx + 1, chapter.title)?,
                Err(mistake) => {
                    writeln!(out, "  {:>2} {}: error: {mistake}", idx + 1, chapter.title)?;
                    verdict = Verdict::Bad;
                }
            }
        }
    }
    Ok(verdict)
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

    /// The notes of the published lecture name these numbers.
    #[test]
    fn the_published_lecture_shows_what_its_notes_say() {
        let text = include_str!("../../www/lectures/shared-memory.toml");
        let chapters = LectureFile::read(text).unwrap().chapters();
        let says = [
            "different banks: this store takes 1 wavefront",
            "1 from Fermi on",
            "this load takes 32 wavefronts",
            "2 words in each of 16 banks: this load takes 2 wavefronts",
            "different banks: this load takes 1 wavefront",
            "different banks: this load takes 1 wavefront",
            "takes 2 passes (all architectures: 1 to",
            "this load takes 32 wavefronts",
            "one byte in eight",
            "",
        ];
        assert_eq!(chapters.len(), says.len());
        for (chapter, says) in chapters.iter().zip(says) {
            let sentence = headline(chapter).unwrap();
            assert!(sentence.contains(says), "{}: {sentence}", chapter.title);
        }
    }
}
