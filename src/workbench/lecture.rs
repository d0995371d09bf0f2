//! Lectures as files: chapters with notes and links.
//!
//! A lecture is a TOML file with `title`, `summary`, `minutes`, and one `[[chapter]]` per stop, which has `title`,
//! `text`, and `link`. A plain list of links is a lecture, too: one link per line, with an optional title before it.

use serde::Deserialize;
use thiserror::Error;

use crate::share::{Chapter, Lecture, MAX_CHAPTERS, Scenario, decode, encode, shortened};
use crate::toml;

/// A lecture that is published with the page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Published {
    /// The id, which is the name of its file in `lectures/` without the ending.
    pub id: &'static str,
    /// The heading.
    pub title: &'static str,
    /// One sentence.
    pub summary: &'static str,
    /// The time that it takes, in minutes.
    pub minutes: u8,
}

/// All published lectures.
pub const PUBLISHED: [Published; 4] = [
    Published {
        id: "shared-memory",
        title: "Shared memory in ten stops",
        summary: "Banks, broadcast, conflicts, and padding, from one access to a whole transpose.",
        minutes: 25,
    },
    Published {
        id: "fermi-to-volta",
        title: "Fermi to Volta in 45 minutes",
        summary: "Seven years of the SM in nine stops: schedulers, latencies, banks, caches, branches, and tensor cores, with one kernel on both chips.",
        minutes: 45,
    },
    Published {
        id: "memory",
        title: "Memory",
        summary: "What an access costs, from one coalesced row to constant memory, in eight stops on GV100.",
        minutes: 40,
    },
    Published {
        id: "occupancy-and-latency",
        title: "Occupancy and latency",
        summary: "Why a warp waits, what hides the wait, and what limits the warps of an SM, in eight stops on GV100.",
        minutes: 40,
    },
];

/// A lecture's file.
#[derive(Clone, Debug, Deserialize, PartialEq)]
#[serde(deny_unknown_fields)]
pub struct LectureFile {
    /// The heading.
    pub title: String,
    /// One sentence.
    #[serde(default)]
    pub summary: String,
    /// The time that it takes, in minutes.
    #[serde(default)]
    pub minutes: u8,
    /// The chapters.
    #[serde(rename = "chapter")]
    pub stops: Vec<StopRow>,
}

/// A chapter in a file.
#[derive(Clone, Debug, Deserialize, PartialEq)]
#[serde(deny_unknown_fields)]
pub struct StopRow {
    /// The heading.
    pub title: String,
    /// The speaker notes, with paragraphs divided by an empty line.
    #[serde(default)]
    pub text: String,
    /// The link: the part of the address after `#`.
    pub link: String,
    /// The time that the lecturer plans for it, in minutes.
    #[serde(default)]
    pub minutes: u8,
    /// The numbers of the notes, each with the run or the source that it comes from.
    #[serde(default, rename = "number")]
    pub numbers: Vec<NoteNumber>,
}

/// Numbers of speaker notes, and where they come from: `value` or `source`.
#[derive(Clone, Debug, Deserialize, PartialEq)]
#[serde(deny_unknown_fields)]
pub struct NoteNumber {
    /// Words of the notes with the number, such as `32 wavefronts`.
    pub says: String,
    /// The expression for the number, as in lessons: counters of the chapter's run, and `other(NAME)` for those of the
    /// second pane.
    pub value: Option<String>,
    /// The document and section that state the numbers, or the line of the kernel that has them.
    pub source: Option<String>,
}

/// A mistake in a lecture's file.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum LectureError {
    /// The file is not TOML, or lacks a field. The message names line and column.
    #[error("{0}")]
    Format(String),
    /// A link cannot be read.
    #[error("chapter {chapter} (`{title}`): {message}")]
    Chapter {
        /// The number of the chapter, from 1.
        chapter: usize,
        /// Its heading.
        title: String,
        /// The mistake.
        message: String,
    },
}

/// The most text a file may have.
const MAX_BYTES: usize = 1024 * 1024;

impl LectureFile {
    /// Whether a text is a lecture: a file with chapters, or a list of links.
    pub fn is_lecture(text: &str) -> bool {
        text.contains("[[chapter]]") || text.lines().any(|line| of_line(line).is_some())
    }

    /// Reads a lecture: a TOML file, or a list of links.
    ///
    /// # Errors
    /// The text is not a lecture, or a link in it cannot be read.
    pub fn read(text: &str) -> Result<Self, LectureError> {
        if text.len() > MAX_BYTES {
            return Err(LectureError::Format(toml::too_long("A lecture", MAX_BYTES)));
        }
        let file = if text.contains("[[chapter]]") {
            toml::read(text, "A lecture", MAX_BYTES).map_err(LectureError::Format)?
        } else {
            Self::of_links(text)?
        };
        if !(1..=MAX_CHAPTERS).contains(&file.stops.len()) {
            let message = format!("A lecture has 1 to {MAX_CHAPTERS} chapters.");
            return Err(LectureError::Format(message));
        }
        for (idx, stop) in file.stops.iter().enumerate() {
            let decoded = decode(&stop.link);
            let message = match decoded.warnings.first() {
                Some(warning) => format!("the link `{}`: {warning}", shortened(&stop.link)),
                None if decoded.scenario.lecture != Lecture::default() => {
                    "the link has chapters of its own".to_owned()
                }
                None => continue,
            };
            return Err(LectureError::Chapter {
                chapter: idx + 1,
                title: shortened(&stop.title),
                message,
            });
        }
        Ok(file)
    }

    /// A list of links, one per line. The text before a link is its title.
    fn of_links(text: &str) -> Result<Self, LectureError> {
        let mut stops = Vec::new();
        for (idx, line) in text
            .lines()
            .enumerate()
            .filter(|(_, line)| !line.trim().is_empty())
        {
            let (title, link) = of_line(line).ok_or_else(|| {
                LectureError::Format(format!("Line {} has no link that begins with `v1`.", idx + 1))
            })?;
            stops.push(StopRow {
                title: title.to_owned(),
                text: String::new(),
                link: link.to_owned(),
                minutes: 0,
                numbers: Vec::new(),
            });
        }
        Ok(Self {
            title: String::new(),
            summary: String::new(),
            minutes: 0,
            stops,
        })
    }

    /// The chapters.
    pub fn chapters(&self) -> Vec<Chapter> {
        let chapter = |stop: &StopRow| Chapter {
            title: stop.title.trim().to_owned(),
            text: stop.text.trim().to_owned(),
            minutes: stop.minutes,
            scenario: Box::new(decode(&stop.link).scenario),
        };
        self.stops.iter().map(chapter).collect()
    }
}

/// The title and the link of a line.
fn of_line(line: &str) -> Option<(&str, &str)> {
    let at = line
        .match_indices("v1;")
        .map(|(at, _)| at)
        .find(|at| matches!(line[..*at].chars().next_back(), None | Some('#' | ' ' | '\t')))?;
    let before = &line[..at];
    // An address precedes the link after its last space.
    let title = match before.strip_suffix('#') {
        Some(address) => address.rsplit_once([' ', '\t']).map_or("", |(title, _)| title),
        None => before,
    };
    let link = line[at..].split_whitespace().next()?;
    Some((title.trim().trim_end_matches([':', '|', '-']).trim_end(), link))
}

/// The chapters as a TOML file.
pub fn lecture_text(title: &str, chapters: &[Chapter]) -> String {
    let mut text = format!("title = {}\n", quoted(title));
    for chapter in chapters {
        text += &format!("\n[[chapter]]\ntitle = {}\n", quoted(&chapter.title));
        if chapter.minutes > 0 {
            text += &format!("minutes = {}\n", chapter.minutes);
        }
        if !chapter.text.is_empty() {
            // Line breaks stay line breaks, so that a person can edit the notes.
            let lines: Vec<String> = chapter.text.lines().map(inner).collect();
            text += &format!("text = \"\"\"\n{}\n\"\"\"\n", lines.join("\n"));
        }
        text += &format!(
            "link = {}\n",
            quoted(encode(&chapter.scenario).trim_start_matches('#'))
        );
    }
    text
}

/// A string of TOML.
fn quoted(text: &str) -> String {
    format!("\"{}\"", inner(text).replace('\n', "\\n"))
}

/// The inside of a string of TOML.
fn inner(text: &str) -> String {
    let mut inner = String::new();
    for letter in text.chars() {
        match letter {
            '"' => inner += "\\\"",
            '\\' => inner += "\\\\",
            '\n' => inner.push('\n'),
            letter if letter.is_control() => inner += &format!("\\u{:04X}", u32::from(letter)),
            letter => inner.push(letter),
        }
    }
    inner
}

/// The scenario of a chapter: what is on screen, without the reader's layout.
pub fn stop_of(scenario: Scenario) -> Box<Scenario> {
    let mut stop = scenario;
    let layout = std::mem::take(&mut stop.layout);
    stop.layout.tables = layout.tables;
    stop.layout.active = layout.active;
    stop.layout.share = layout.share;
    stop.lesson = None;
    stop.lecture = Lecture::default();
    stop.look.outputs = crate::share::OutputsLink::default();
    Box::new(stop)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_survives_being_written() {
        let text = "title = \"Two\"\n[[chapter]]\ntitle = \"A \\\"row\\\"\"\nminutes = 4\ntext = \"\"\"\nFirst.\n\nSecond \\\\ third.\n\"\"\"\n\
            link = \"v1;view=banks;cycle=40\"\n[[chapter]]\ntitle = \"Column\"\nlink = \"#v1;kernel=saxpy\"\n";
        let file = LectureFile::read(text).unwrap();
        assert_eq!((file.title.as_str(), file.stops.len()), ("Two", 2));
        let chapters = file.chapters();
        assert_eq!(chapters[0].text, "First.\n\nSecond \\ third.");
        assert_eq!((chapters[0].minutes, chapters[1].minutes), (4, 0));
        let written = lecture_text("Two", &chapters);
        assert_eq!(
            LectureFile::read(&written).unwrap().chapters(),
            chapters,
            "{written}"
        );
    }

    #[test]
    fn a_list_of_links_is_a_lecture() {
        let text =
            "Row: https://a.org/page/#v1;view=banks;cycle=4\n\nv1;kernel=saxpy\nColumn read #v1;cycle=9\n";
        assert!(LectureFile::is_lecture(text));
        let file = LectureFile::read(text).unwrap();
        let rows: Vec<(&str, &str)> = file
            .stops
            .iter()
            .map(|stop| (stop.title.as_str(), stop.link.as_str()))
            .collect();
        assert_eq!(
            rows,
            [
                ("Row", "v1;view=banks;cycle=4"),
                ("", "v1;kernel=saxpy"),
                ("Column read", "v1;cycle=9")
            ]
        );
    }

    #[test]
    fn mistakes_name_their_chapter() {
        let read = |text: &str| LectureFile::read(text).unwrap_err().to_string();
        assert_eq!(
            read("title=\"a\"\n[[chapter]]\ntitle=\"b\"\nlink=\"v1;view=nowhere\""),
            format!(
                "chapter 1 (`b`): the link `v1;view=nowhere`: {}",
                decode("v1;view=nowhere").warnings[0]
            )
        );
        assert_eq!(
            read("title=\"a\"\n[[chapter]]\ntitle=\"b\"\nlink=\"v1;c1.title=c\""),
            "chapter 1 (`b`): the link has chapters of its own"
        );
        assert_eq!(
            read("a #v1;cycle=3\nno link\n"),
            "Line 2 has no link that begins with `v1`."
        );
        assert!(read("title=\"a\"\n[[chapter]]\nlink=\"v1\"").contains("title"));
    }
}
