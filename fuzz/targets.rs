//! What holds for every input of a stranger. libFuzzer and the test `tests/hostile.rs` call the same functions, which panic
//! if one of these promises is broken:
//!
//! - Nothing panics, and nothing recurses by the input's depth.
//! - Messages are few and short, so that a person can read them.
//! - What was read and written again reads as the same.
//! - What is kept stays within the limits of `docs/security.md`.

use std::collections::BTreeMap;
use std::path::Path;
use std::{fs, io};

use serde_json::Value;
use workbench::app::{OpenedFile, opened_sources};
use workbench::lecture::{LectureFile, lecture_text};
use workbench::lesson::{Answer, Lesson};
use workbench::share::{decode, encode};
use workbench::{api, library};

/// A target: its name, which is also that of its folders of seeds, and its function.
#[derive(Clone, Copy)]
pub struct Target {
    /// The name.
    pub name: &'static str,
    /// Panics if an input breaks a promise.
    pub run: fn(&[u8]),
}

/// All targets.
pub const TARGETS: [Target; 4] = [
    Target {
        name: "link",
        run: link,
    },
    Target {
        name: "lesson",
        run: lesson,
    },
    Target {
        name: "zip",
        run: zip,
    },
    Target {
        name: "api",
        run: api,
    },
];

/// Length limit of a message to a person, in characters. The longest real one lists the keys of links.
const MAX_MESSAGE: usize = 4_000;

fn check_message(message: &str) {
    let length = message.chars().count();
    assert!(
        length <= MAX_MESSAGE,
        "a message of {length} characters: {}",
        start_of(message)
    );
}

fn start_of(text: &str) -> String {
    text.chars().take(200).collect()
}

/// A link, with or without `#`.
pub fn link(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    let decoded = decode(&text);
    assert!(
        decoded.warnings.len() <= 21,
        "{} warnings",
        decoded.warnings.len()
    );
    for warning in &decoded.warnings {
        check_message(&warning.to_string());
    }
    let scenario = &decoded.scenario;
    let sources = scenario
        .lecture
        .chapters
        .iter()
        .map(|chapter| &chapter.scenario.source);
    let text_bytes: usize = sources.chain([&scenario.source]).flatten().map(String::len).sum();
    assert!(text_bytes <= 8 << 20, "{text_bytes} bytes of source");
    if let Some(address) = scenario
        .lesson
        .as_ref()
        .and_then(|lesson| lesson.address.as_ref())
    {
        let request = address.request();
        assert!(address.is_of_page() || request.to_ascii_lowercase().starts_with("http"));
        assert!(!request.contains("..") || !address.is_of_page(), "{request}");
    }
    if let Some(playground) = &scenario.playground {
        if let Err(mistake) = playground.lanes() {
            check_message(&mistake.sentence());
        }
        assert!(playground.free_names().len() <= 24);
    }
    let written = encode(scenario);
    let again = decode(&written);
    assert_eq!(again.warnings, [], "{}", start_of(&written));
    let rewritten = encode(&again.scenario);
    assert_eq!(rewritten, written, "from {}", start_of(&text));
}

/// The file of a lesson or of a lecture.
pub fn lesson(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    match Lesson::read(&text) {
        Ok(lesson) => {
            let counter = |_, _: &str| Some(1.0);
            for step in &lesson.steps {
                let _ = (step.scenario(), step.scenario_before(), step.marks());
                let Some(ask) = &step.ask else { continue };
                for answer in [Answer::Number("1".to_owned()), Answer::Choice(0), Answer::Edit] {
                    if let Err(error) = ask.grade(&answer, &counter) {
                        check_message(&error.to_string());
                    }
                }
            }
        }
        Err(error) => check_message(&error.to_string()),
    }
    let _ = LectureFile::is_lecture(&text);
    match LectureFile::read(&text) {
        Ok(file) => {
            let chapters = file.chapters();
            let written = lecture_text(&file.title, &chapters);
            let again = LectureFile::read(&written).map(|file| file.chapters());
            assert!(again.is_ok(), "{again:?}: {}", start_of(&written));
            let rewritten = lecture_text(&file.title, &again.unwrap_or_default());
            assert_eq!(rewritten, written);
        }
        Err(error) => check_message(&error.to_string()),
    }
}

/// A dropped archive.
pub fn zip(data: &[u8]) {
    let file = OpenedFile {
        path: "dropped.zip".to_owned(),
        content: Ok(data.to_vec()),
    };
    let opened = opened_sources(vec![file]);
    assert!(opened.files.len() <= 64, "{} files", opened.files.len());
    let text_bytes: usize = opened
        .files
        .iter()
        .map(|(name, text)| name.len() + text.len())
        .sum();
    assert!(text_bytes <= 256 * 1024, "{text_bytes} bytes of source");
    for (name, _) in &opened.files {
        assert!(!name.contains(char::is_control) && name.len() <= 300, "{name:?}");
        assert!(!name.starts_with('/') && !name.starts_with("../"), "{name:?}");
    }
    if let Some(sentence) = opened.left_out_text() {
        check_message(&sentence);
    }
}

/// A call of the API: a byte that selects the function, then its argument as JSON.
pub fn api(data: &[u8]) {
    let Some((function, text)) = data.split_first() else {
        return;
    };
    let Ok(argument) = serde_json::from_slice::<Value>(text) else {
        return;
    };
    let answer = match function % 5 {
        0 => api::access(argument),
        1 => api::occupancy(argument),
        2 => api::decode(&argument),
        3 => api::encode(&argument).map(|link| {
            let decoded = decode(&link);
            assert_eq!(decoded.warnings, [], "{}", start_of(&link));
            Value::from(link)
        }),
        _ => run(&argument),
    };
    if let Err(sentence) = answer {
        check_message(&sentence);
    }
}

/// A short run of a library kernel with small buffers. Random sources are the business of `warpscope-fuzz`.
fn run(scenario: &Value) -> api::Answer {
    let Some(fields) = scenario.as_object() else {
        return Ok(Value::Null);
    };
    let id = fields.get("kernel").and_then(Value::as_str);
    let is_of_library = id.is_none_or(|id| library::kernel(id).is_some()) && !fields.contains_key("source");
    let texts = ["args", "symbols"].map(|key| fields.get(key).and_then(Value::as_str).unwrap_or_default());
    if !is_of_library || texts.iter().any(|text| has_long_buffer(text)) {
        return Ok(Value::Null);
    }
    let mut job = api::Job::start(scenario, Value::Null)?;
    job.advance(200);
    let (_, finished) = job.finish();
    Ok(finished.summary())
}

/// Whether arguments have a number of six digits, or of four digits beside a texture: filling a buffer takes time.
fn has_long_buffer(text: &str) -> bool {
    let most = if text.contains("tex:") || text.contains("surf:") {
        4
    } else {
        6
    };
    text.split(|letter: char| !letter.is_ascii_digit())
        .any(|number| number.len() >= most)
}

/// The seeds of a target in a checkout: its folder in `tests/fuzz-seeds`, and the inputs that other tests keep.
///
/// # Errors
/// A file cannot be read.
pub fn seeds(checkout: &Path, target: &str) -> io::Result<BTreeMap<String, Vec<u8>>> {
    let mut seeds = BTreeMap::new();
    add_files(&checkout.join("tests/fuzz-seeds").join(target), &mut seeds)?;
    match target {
        "link" => {
            let text = fs::read_to_string(checkout.join("tests/links/v1.json"))?;
            let pinned: Vec<Value> = serde_json::from_str(&text)?;
            for (idx, pin) in pinned.iter().enumerate() {
                let link = pin["link"].as_str().unwrap_or_default();
                seeds.insert(format!("pinned-{idx:03}"), link.as_bytes().to_vec());
            }
        }
        "lesson" => {
            for course in fs::read_dir(checkout.join("www/lessons"))? {
                let course = course?.path();
                if course.is_dir() {
                    add_files(&course, &mut seeds)?;
                }
            }
            add_files(&checkout.join("www/lectures"), &mut seeds)?;
        }
        _ => {}
    }
    Ok(seeds)
}

fn add_files(folder: &Path, seeds: &mut BTreeMap<String, Vec<u8>>) -> io::Result<()> {
    for file in fs::read_dir(folder)? {
        let path = file?.path();
        let name = path
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        seeds.insert(name, fs::read(&path)?);
    }
    Ok(())
}
