//! The claims as JSON for the page: by guide and section, with lessons, views, terms, and tests.

use std::collections::BTreeMap;
use std::path::Path;

use serde::Serialize;

use super::document::GUIDES as TITLES;
use super::{Claim, Coverage, GUIDES, scan};
use crate::CliError;
use workbench::glossary::terms;
use workbench::lesson::Lesson;
use workbench::share::View;

/// A guide, as the page reads it.
#[derive(Debug, Serialize)]
pub(super) struct Guide {
    title: &'static str,
    letter: char,
    pub(super) sections: Vec<Section>,
}

#[derive(Debug, Serialize)]
pub(super) struct Section {
    pub(super) title: String,
    pub(super) claims: Vec<Row>,
}

/// A claim, as the page reads it.
#[derive(Debug, Serialize)]
pub(super) struct Row {
    pub(super) id: String,
    kind: &'static str,
    text: String,
    note: String,
    pub(super) statement: String,
    pub(super) lessons: Vec<(String, String)>,
    pub(super) views: Vec<(&'static str, String)>,
    pub(super) terms: Vec<&'static str>,
    pub(super) tests: Vec<String>,
}

/// The titles of the numbered sections of the Turing Tuning Guide and of the Volta Tuning Guide, as the guides have
/// them. The sections of the Fermi guide have no numbers.
const SECTIONS: [(char, &str, &str); 27] = [
    ('T', "1.1", "NVIDIA Turing Compute Architecture"),
    ('T', "1.2", "CUDA Best Practices"),
    ('T', "1.3", "Application Compatibility"),
    ('T', "1.4.1", "Streaming Multiprocessor"),
    ('T', "1.4.1.1", "Instruction Scheduling"),
    ('T', "1.4.1.2", "Independent Thread Scheduling"),
    ('T', "1.4.1.3", "Occupancy"),
    ('T', "1.4.1.4", "Integer Arithmetic"),
    ('T', "1.4.2", "Tensor Core Operations"),
    ('T', "1.4.3.1", "Unified Shared Memory/L1/Texture Cache"),
    ('V', "1", "NVIDIA Volta Compute Architecture"),
    ('V', "2", "CUDA Best Practices"),
    ('V', "3", "Application Compatibility"),
    ('V', "4.1.1", "Instruction Scheduling"),
    ('V', "4.1.2", "Independent Thread Scheduling"),
    ('V', "4.1.3", "Occupancy"),
    ('V', "4.1.4", "Integer Arithmetic"),
    ('V', "4.2", "Tensor Core Operations"),
    ('V', "4.3.1", "High Bandwidth Memory"),
    ('V', "4.3.2", "Unified Shared Memory/L1/Texture Cache"),
    ('V', "4.4", "Cooperative Groups"),
    ('V', "4.5", "Multi-Process Service"),
    ('V', "4.6", "NVLink Interconnect"),
    ('V', "5", "Revision History"),
    // The Fermi guide's sections, where claims.csv has a short name.
    ('F', "Intro", "Introduction"),
    ('F', "IEEE", "IEEE 754-2008 compliance"),
    ('F', "32/64-bit", "32-bit and 64-bit device code"),
];

/// Returns the guides with their claims.
pub(super) fn guides(coverage: &Coverage, root: &Path) -> Result<Vec<Guide>, CliError> {
    let views = views(coverage, root)?;
    let stated = scan::read(&root.join(GUIDES))?;
    let mut guides = Vec::new();
    for (letter, title) in TITLES {
        let mut sections: Vec<Section> = Vec::new();
        for claim in coverage
            .claims
            .iter()
            .filter(|claim| claim.id.starts_with(letter))
        {
            let title = section_title(letter, &claim.section);
            let row = row(coverage, claim, &views, &stated);
            match sections.iter_mut().find(|section| section.title == title) {
                Some(section) => section.claims.push(row),
                None => sections.push(Section {
                    title,
                    claims: vec![row],
                }),
            }
        }
        guides.push(Guide {
            title,
            letter,
            sections,
        });
    }
    Ok(guides)
}

/// Number and title of a section. A footnote belongs to its section.
fn section_title(letter: char, section: &str) -> String {
    let number = section.strip_suffix(" fn").unwrap_or(section);
    let known = SECTIONS
        .iter()
        .find(|(of, known, _)| *of == letter && *known == number);
    match known {
        Some((.., title)) if letter == 'F' => (*title).to_owned(),
        Some((.., title)) => format!("{number} {title}"),
        None => number.to_owned(),
    }
}

fn row(
    coverage: &Coverage,
    claim: &Claim,
    views: &BTreeMap<String, Vec<(View, String)>>,
    stated: &str,
) -> Row {
    let lessons = coverage.lessons.get(&claim.id).into_iter().flatten();
    let lessons: Vec<(String, String)> = lessons
        .map(|lesson| (lesson.id.clone(), lesson.title.clone()))
        .collect();
    let mut shown: Vec<(View, String)> = Vec::new();
    let of_lessons = lessons.iter().filter_map(|(id, _)| views.get(id)).flatten();
    let own = scenario_view(&claim.scenario);
    for (view, link) in of_lessons.cloned().chain(own) {
        if !shown.iter().any(|(other, _)| *other == view) {
            shown.push((view, link));
        }
    }
    let tests = coverage.tests.get(&claim.id).into_iter().flatten();
    Row {
        id: claim.id.clone(),
        kind: claim.kind.name(),
        text: claim.text.clone(),
        note: claim.note.clone(),
        statement: statement(stated, &claim.id).unwrap_or_default(),
        lessons,
        views: shown
            .into_iter()
            .map(|(view, link)| (view.name(), link))
            .collect(),
        terms: terms_in(&claim.text),
        tests: tests.map(|test| test.name.clone()).collect(),
    }
}

/// The view of a claim's own scenario, if it has one.
fn scenario_view(link: &str) -> Option<(View, String)> {
    (!link.is_empty()).then(|| (workbench::share::decode(link).scenario.view, link.to_owned()))
}

/// The views of each lesson with a link to its last step in the view: the last one is the improved kernel in most lessons.
fn views(coverage: &Coverage, root: &Path) -> Result<BTreeMap<String, Vec<(View, String)>>, CliError> {
    let mut all = BTreeMap::new();
    for lesson in coverage.lessons.values().flatten() {
        if all.contains_key(&lesson.id) {
            continue;
        }
        let path = root.join("www/lessons").join(format!("{}.toml", lesson.id));
        let read = Lesson::read(&scan::read(&path)?)
            .map_err(|error| CliError::Input(format!("{}: {error}", path.display())))?;
        let mut views: Vec<(View, String)> = Vec::new();
        for step in &read.steps {
            let view = step.scenario().view;
            match views.iter_mut().find(|(other, _)| *other == view) {
                Some((_, link)) => link.clone_from(&step.link),
                None => views.push((view, step.link.clone())),
            }
        }
        all.insert(lesson.id.clone(), views);
    }
    Ok(all)
}

/// The terms of the glossary whose names a text has, the longest names first, each word at most once.
fn terms_in(text: &str) -> Vec<&'static str> {
    let mut text = format!(" {} ", text.to_lowercase());
    let mut names: Vec<(String, &'static str)> = terms()
        .flat_map(|term| {
            let names = [term.name].into_iter().chain(term.also.iter().copied());
            names.map(|name| (name.to_lowercase(), term.name))
        })
        .filter(|(name, _)| name.len() > 1)
        .collect();
    names.sort_by_key(|(name, _)| std::cmp::Reverse(name.len()));
    let mut found = Vec::new();
    for (name, term) in names {
        let at = text.match_indices(&name).map(|(at, _)| at).find(|at| {
            let before = text[..*at].chars().next_back();
            let after = text[at + name.len()..].trim_start_matches('s').chars().next();
            let ends =
                |letter: Option<char>| letter.is_none_or(|letter| !letter.is_alphanumeric() && letter != '_');
            ends(before) && ends(after)
        });
        if let Some(at) = at {
            // A shorter name inside of this one is not another term.
            text.replace_range(at..at + name.len(), &" ".repeat(name.len()));
            if !found.contains(&term) {
                found.push(term);
            }
        }
    }
    found
}

/// What the document states about a claim: its bullet or its row, without marks and ids.
fn statement(document: &str, id: &str) -> Option<String> {
    let mut parts: Vec<String> = Vec::new();
    for line in document.lines() {
        let line = line.trim_end();
        if let Some(text) = line.strip_prefix("- ") {
            parts.push(text.to_owned());
        } else if line.starts_with('|') {
            let cell = line.split('|').nth(2).unwrap_or_default();
            parts.push(cell.trim().to_owned());
        } else if let (Some(text), Some(last)) = (line.strip_prefix("  "), parts.last_mut()) {
            *last = format!("{last} {text}");
        }
    }
    let part = parts
        .into_iter()
        .find(|part| scan::statements(part).contains(id))?;
    // `(T02)` and `(T11, V13, F12)` are for the document.
    let mut text = String::new();
    let mut rest = part.as_str();
    while let Some((before, after)) = rest.split_once(" (") {
        let Some((inside, end)) = after.split_once(')') else {
            break;
        };
        let is_ids = inside.split(", ").all(scan::is_id);
        text += before;
        if !is_ids {
            text += &format!(" ({inside})");
        }
        rest = end;
    }
    text += rest;
    let mut text = workbench::scene::capital(&text);
    if !text.ends_with('.') {
        text.push('.');
    }
    Some(text)
}
