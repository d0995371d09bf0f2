//! Lectures in links: chapters, and how they are presented.
//!
//! A chapter is a scenario with a title and speaker notes. Its pairs have the prefix `cN.`, where N is its number:
//! `c1.title=Bank+layout;c1.text=Word+w+is+in+bank+w+mod+32.;c1.view=banks;c1.cycle=1000`. Every other key after the
//! prefix is a key of a link, so that each chapter can have its own kernel and architecture. A chapter whose source
//! text was already written names it: `c2.source=@1` is the source of chapter 1, and `@0` that of the link itself.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::Scenario;
use super::link::{Warning, decode_with, encode, escape, shortened, unescape};
use super::text::TextBudget;

/// The highest number of a chapter.
pub const MAX_CHAPTERS: usize = 99;

/// A named stop of a lecture.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Chapter {
    /// The heading.
    pub title: String,
    /// The speaker notes; paragraphs are divided by an empty line.
    pub text: String,
    /// The time that the lecturer plans for it, in minutes; 0 if it is not planned.
    pub minutes: u8,
    /// What the page shows. Its own lecture is empty.
    pub scenario: Box<Scenario>,
}

/// How a window presents.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Present {
    /// The workbench.
    #[default]
    Off,
    /// The presenter: headline, cycle, picture, and a slim transport.
    On,
    /// The notes window, which stays in step with the presenter.
    Notes,
}

/// Where the presenter shows the QR code of the link.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum QrPlace {
    /// Nowhere.
    #[default]
    Off,
    /// In the corner.
    Corner,
    /// On the whole screen.
    Full,
}

/// The lecture of a link.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Lecture {
    /// The id of a lecture that is published with the page; its chapters are not in the link.
    pub published: Option<String>,
    /// The chapter of the published lecture to show, from 0. `None`: the link says what to show.
    pub stop: Option<usize>,
    /// The chapters.
    pub chapters: Vec<Chapter>,
    /// The chapter that was shown last, from 0.
    pub at: Option<usize>,
    /// How the window presents.
    pub present: Present,
    /// Where the QR code is shown.
    pub qr: QrPlace,
}

impl Lecture {
    /// The chapters without what is shown of them.
    #[must_use]
    pub fn content(&self) -> Self {
        Self {
            published: self.published.clone(),
            chapters: self.chapters.clone(),
            ..Self::default()
        }
    }

    /// The minutes planned up to the end of the chapter that was shown last, and for all chapters; `None` if a chapter has
    /// no planned time.
    pub fn plan(chapters: &[Chapter], at: usize) -> Option<(u32, u32)> {
        let until = |num: usize| {
            chapters
                .iter()
                .take(num)
                .map(|chapter| u32::from(chapter.minutes))
                .sum()
        };
        let is_planned = !chapters.is_empty() && chapters.iter().all(|chapter| chapter.minutes > 0);
        is_planned.then(|| (until(at + 1), until(chapters.len())))
    }

    /// These chapters, presented as those of another lecture.
    #[must_use]
    pub fn presented_as(self, other: &Self) -> Self {
        let num = self.chapters.len();
        Self {
            at: other.at.filter(|at| self.published.is_some() || *at < num),
            present: other.present,
            qr: other.qr,
            ..self
        }
    }
}

/// Writes the pairs of the lecture, except the chapters.
pub(super) fn write(lecture: &Lecture, put: &mut impl FnMut(&str, String)) {
    if let Some(id) = &lecture.published {
        let stop = lecture.stop.map(|stop| format!("/{}", stop + 1));
        put("lecture", escape(id) + &stop.unwrap_or_default());
    }
    if let Some(at) = lecture.at {
        put("chapter", (at + 1).to_string());
    }
    match lecture.present {
        Present::Off => {}
        Present::On => put("present", "on".to_owned()),
        Present::Notes => put("present", "notes".to_owned()),
    }
    match lecture.qr {
        QrPlace::Off => {}
        QrPlace::Corner => put("qr", "corner".to_owned()),
        QrPlace::Full => put("qr", "full".to_owned()),
    }
}

/// Writes the chapters, after everything else of the link.
pub(super) fn write_chapters(scenario: &Scenario, put: &mut impl FnMut(&str, String)) {
    let mut sources: Vec<(usize, &str)> = Vec::new();
    sources.extend(scenario.source.as_deref().map(|source| (0, source)));
    for (idx, chapter) in scenario.lecture.chapters.iter().enumerate() {
        let mut own = |key: &str, value: String| put(&format!("c{}.{key}", idx + 1), value);
        own("title", escape_text(&chapter.title));
        if !chapter.text.is_empty() {
            own("text", escape_text(&chapter.text));
        }
        if chapter.minutes > 0 {
            own("minutes", chapter.minutes.to_string());
        }
        let source = chapter.scenario.source.as_deref();
        let written = sources.iter().find(|(_, other)| Some(*other) == source);
        // A source that was written already is not packed again, which takes most of the time.
        if let Some((number, _)) = written
            && chapter.scenario.compare.is_none()
        {
            let without = Scenario {
                source: None,
                ..Scenario::clone(&chapter.scenario)
            };
            for pair in encode(&without).split(';').skip(1) {
                if let Some((key, value)) = pair.split_once('=') {
                    own(key, value.to_owned());
                }
            }
            own("source", format!("@{number}"));
            continue;
        }
        for pair in encode(&chapter.scenario).split(';').skip(1) {
            let Some((key, value)) = pair.split_once('=') else {
                continue;
            };
            match written {
                Some((number, _)) if key == "source" => own(key, format!("@{number}")),
                _ => own(key, value.to_owned()),
            }
        }
        if written.is_none() {
            sources.extend(source.map(|source| (idx + 1, source)));
        }
    }
}

/// Reads a pair about the presentation. `None`: the key does not belong to the lecture.
///
/// # Errors
/// The valid values.
pub(super) fn read(lecture: &mut Lecture, key: &str, value: &str) -> Option<Result<(), String>> {
    let number = |text: &str| {
        let number = text.parse::<usize>().ok();
        number
            .filter(|number| (1..=MAX_CHAPTERS).contains(number))
            .map(|number| number - 1)
            .ok_or_else(|| format!("a chapter has a number from 1 to {MAX_CHAPTERS}"))
    };
    Some(match key {
        "lecture" => {
            let (id, stop) = match value.split_once('/') {
                Some((id, stop)) => (id, Some(number(stop))),
                None => (value, None),
            };
            let is_name = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
            match stop.transpose() {
                Err(reason) => Err(reason),
                Ok(_) if id.is_empty() || !id.chars().all(is_name) => {
                    Err("a lecture has a name of lowercase letters, digits, and hyphens".to_owned())
                }
                Ok(stop) => {
                    lecture.published = Some(id.to_owned());
                    lecture.stop = stop;
                    Ok(())
                }
            }
        }
        "chapter" => number(value).map(|at| lecture.at = Some(at)),
        "present" => match value {
            "on" | "1" => {
                lecture.present = Present::On;
                Ok(())
            }
            "notes" => {
                lecture.present = Present::Notes;
                Ok(())
            }
            "off" => {
                lecture.present = Present::Off;
                Ok(())
            }
            _ => Err("it must be on, notes, or off".to_owned()),
        },
        "qr" => match value {
            "corner" => {
                lecture.qr = QrPlace::Corner;
                Ok(())
            }
            "full" => {
                lecture.qr = QrPlace::Full;
                Ok(())
            }
            "off" => {
                lecture.qr = QrPlace::Off;
                Ok(())
            }
            _ => Err("it must be corner, full, or off".to_owned()),
        },
        _ => return None,
    })
}

/// The pairs of the chapters, which are read after the rest of the link.
#[derive(Default)]
pub(super) struct Pairs<'l> {
    chapters: BTreeMap<usize, Vec<(&'l str, &'l str)>>,
}

impl<'l> Pairs<'l> {
    /// Keeps a pair with its raw value. `None`: the key does not belong to a chapter.
    ///
    /// # Errors
    /// The number of the chapter is too high, or the key is a chapter's within a chapter.
    pub(super) fn read(&mut self, key: &'l str, value: &'l str) -> Option<Result<(), String>> {
        let (number, own) = of_chapter(key)?;
        if !(1..=MAX_CHAPTERS).contains(&number) {
            return Some(Err(format!("a chapter has a number from 1 to {MAX_CHAPTERS}")));
        }
        if of_chapter(own).is_some() {
            return Some(Err("a chapter has no chapters".to_owned()));
        }
        self.chapters.entry(number).or_default().push((own, value));
        Some(Ok(()))
    }

    /// Adds the chapters, in the order of their numbers, to the scenario of the rest of the link.
    pub(super) fn finish(self, scenario: &mut Scenario, warnings: &mut Vec<Warning>, texts: &mut TextBudget) {
        let mut sources: BTreeMap<usize, Option<String>> = BTreeMap::new();
        sources.insert(0, scenario.source.clone());
        for (number, pairs) in self.chapters {
            let warn = |warning: Warning| Warning::Chapter {
                number,
                warning: Box::new(warning),
            };
            let (mut title, mut text, mut link) = (String::new(), String::new(), "v1".to_owned());
            let (mut borrowed, mut minutes) = (None, 0);
            for (key, value) in pairs {
                let shared = unescape(value).strip_prefix('@').map(str::to_owned);
                match (key, shared) {
                    ("title", _) => title = unescape_text(value),
                    ("text", _) => text = unescape_text(value),
                    ("minutes", _) => match value.parse() {
                        Ok(planned) => minutes = planned,
                        Err(_) => warnings.push(warn(Warning::BadValue {
                            key: "minutes".to_owned(),
                            value: shortened(value),
                            reason: "it must be a number of minutes, at most 255".to_owned(),
                        })),
                    },
                    ("lecture" | "chapter" | "present" | "qr" | "lesson" | "step", _) => {
                        warnings.push(warn(Warning::UnknownKey(key.to_owned())));
                    }
                    ("source", Some(of)) => borrowed = Some(of),
                    _ => link += &format!(";{key}={value}"),
                }
            }
            let shared = borrowed.and_then(|of| {
                let source = of.parse().ok().and_then(|of: usize| sources.get(&of));
                let source = source.cloned().flatten();
                if source.is_none() {
                    warnings.push(warn(Warning::BadValue {
                        key: "source".to_owned(),
                        value: shortened(&format!("@{of}")),
                        reason: "no earlier chapter with this number has a source".to_owned(),
                    }));
                    return None;
                }
                let taken = source.as_deref().map_or(Ok(()), |source| texts.take(source));
                match taken {
                    Ok(()) => source,
                    Err(damage) => {
                        warnings.push(warn(Warning::DamagedSource(damage)));
                        None
                    }
                }
            });
            let decoded = decode_with(&link, shared, texts);
            sources.insert(number, decoded.scenario.source.clone());
            warnings.extend(decoded.warnings.into_iter().map(warn));
            scenario.lecture.chapters.push(Chapter {
                title,
                text,
                minutes,
                scenario: Box::new(decoded.scenario),
            });
        }
    }
}

/// The number of the chapter and its own key, if the key is a chapter's.
fn of_chapter(key: &str) -> Option<(usize, &str)> {
    let (prefix, own) = key.split_once('.')?;
    let number = prefix.strip_prefix('c')?;
    let is_number = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then(|| (number.parse().unwrap_or(usize::MAX), own))
}

/// Escapes prose: a space becomes `+`.
pub(super) fn escape_text(text: &str) -> String {
    escape(text).replace("%20", "+")
}

/// Reverses [`escape_text`].
pub(super) fn unescape_text(value: &str) -> String {
    unescape(&value.replace('+', " ")).into_owned()
}
