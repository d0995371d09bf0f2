//! Links: from a scenario to text, and back.

use std::borrow::Cow;
use std::collections::BTreeSet;

use crate::library;
use crate::run_option::{Choice, Number, RUN_OPTIONS, RunOption, Values};
use engine::arch::UnknownArchitecture;

use super::text::{Damage, TextBudget, pack};
use super::{LessonAddress, Scenario, Setup, View, argument, compare, lecture, note, play};

/// Length limit of a name, in characters.
const NAME_CHARS: usize = 60;
/// Length limit of a link, in bytes. Assumption: twice what Chromium accepts as an address, 2 MB.
const MAX_BYTES: usize = 4 << 20;
/// Limit of the pairs that are read. Assumption: 99 chapters with one hundred keys each.
const MAX_PAIRS: usize = 10_000;
/// Limit of unknown keys that are named; further ones are counted.
const NAMED_KEYS: usize = 3;
/// Limit of warnings; further ones are counted. Assumption: a person reads no more.
const MAX_WARNINGS: usize = 20;
/// Length limit of the name of a kernel, in characters. Assumption: twice the longest name of a template in
/// `tests/public`.
const ENTRY_CHARS: usize = 1_000;

/// Stops of the tour. Links to a stop stay valid, so that this number does not decrease.
pub(crate) const TOUR_STOPS: u64 = 9;

/// The written version.
const VERSION: u32 = 1;

/// A link's scenario, and warnings about invalid parts.
#[derive(Clone, Debug, PartialEq)]
pub struct Decoded {
    /// The scenario, with default values in place of missing or invalid ones.
    pub scenario: Scenario,
    /// The warnings, in the order of the link.
    pub warnings: Vec<Warning>,
}

/// A warning about an invalid part of a link.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum Warning {
    /// The link comes from a newer version of the page.
    #[error(
        "The link has version {0}, which is newer than this page. Only the parts known to version 1 were used."
    )]
    NewerVersion(u32),
    /// The link does not begin with a version.
    #[error("The link does not begin with `v1`; it was read as version 1.")]
    NoVersion,
    /// A pair without a `=`.
    #[error("`{0}` is not a `key=value` pair and was ignored.")]
    NotAPair(String),
    /// An unknown key.
    #[error("The key `{0}` is unknown and was ignored.")]
    UnknownKey(String),
    /// Several unknown keys: the first ones, and the number of further ones.
    #[error("The keys `{}` and {more} more are unknown and were ignored.", .first.join("`, `"))]
    UnknownKeys {
        /// The first keys.
        first: Vec<String>,
        /// The number of the others.
        more: usize,
    },
    /// The link is longer than the limit.
    #[error("The link has {0} bytes. Only the first {most} were read.", most = MAX_BYTES)]
    TooLong(usize),
    /// The link has more pairs than the limit.
    #[error("The link has {0} parts. Only the first {most} were read.", most = MAX_PAIRS)]
    TooManyPairs(usize),
    /// More warnings than the limit.
    #[error("{0} more parts of the link were ignored.")]
    More(usize),
    /// A repeated key.
    #[error("The key `{0}` occurs twice; the last value is used.")]
    Twice(String),
    /// An invalid value.
    #[error("`{key}={value}` was ignored: {reason}.")]
    BadValue {
        /// The key.
        key: String,
        /// The value.
        value: String,
        /// The reason.
        reason: String,
    },
    /// A warning about a chapter.
    #[error("Chapter {number}: {warning}")]
    Chapter {
        /// The chapter's number in the link.
        number: usize,
        /// The warning.
        warning: Box<Warning>,
    },
    /// A key of a side that does not exist.
    #[error("`{0}` was ignored: `compare` does not name this side.")]
    NoSides(String),
    /// The kernel text is damaged.
    #[error("The kernel source in the link was replaced by the library's kernel: {0}.")]
    DamagedSource(Damage),
}

/// The text of a link, with its `#`.
pub fn encode(scenario: &Scenario) -> String {
    let default = Scenario::default();
    let mut link = format!("#v{VERSION}");
    let mut put = |key: &str, value: String| {
        link.push(';');
        link.push_str(key);
        link.push('=');
        link.push_str(&value);
    };
    write_run(&Setup::of(scenario), &Setup::of(&default), &mut put);
    if scenario.view != default.view {
        put("view", scenario.view.id().to_owned());
    }
    if let Some(view) = scenario.split {
        put("split", view.id().to_owned());
    }
    if scenario.cycle != default.cycle {
        put("cycle", scenario.cycle.to_string());
    }
    if let Some(warp) = scenario.warp {
        put("warp", warp.to_string());
    }
    scenario.look.write(&mut put);
    scenario.layout.write(&mut put);
    if let Some(name) = &scenario.name {
        put("name", escape(name));
    }
    if let Some(lesson) = &scenario.lesson
        && let Some(address) = &lesson.address
    {
        put("lesson", escape(address.text()));
        if lesson.step > 0 {
            put("step", (lesson.step + 1).to_string());
        }
    }
    if !scenario.notes.is_empty() {
        put("note", note::write(&scenario.notes));
    }
    lecture::write(&scenario.lecture, &mut put);
    if let Some(stop) = scenario.tour {
        put("tour", (stop + 1).to_string());
    }
    if let Some(playground) = &scenario.playground {
        play::write(playground, &mut put);
    }
    if let Some(operation) = &scenario.operation {
        put("calc", escape(operation));
    }
    compare::write(scenario, &mut put);
    // The source comes last, after the readable part.
    if let Some(source) = &scenario.source {
        put("source", pack(source));
    }
    compare::write_sources(scenario, &mut put);
    lecture::write_chapters(scenario, &mut put);
    link
}

/// Writes the pairs by which a side differs from `base`, except the source text; for the first side, `base` is the
/// default.
pub(super) fn write_run(side: &Setup, base: &Setup, put: &mut impl FnMut(&str, String)) {
    fn own<T: PartialEq>(side: Option<&T>, base: Option<&T>, text: impl Fn(&T) -> String) -> Option<String> {
        side.filter(|_| side != base).map(text)
    }
    let mut option = |key: &str, text: Option<String>| {
        if let Some(text) = text {
            put(key, text);
        }
    };
    option("arch", (side.arch != base.arch).then(|| side.arch.to_string()));
    let kernel = (side.kernel != base.kernel).then(|| escape(&side.kernel));
    option("kernel", kernel);
    let entry = own(side.entry.as_ref(), base.entry.as_ref(), |entry| escape(entry));
    option("entry", entry);
    let dims = |dims: &[u32; 3]| extent(*dims);
    option("grid", own(side.grid.as_ref(), base.grid.as_ref(), dims));
    option("block", own(side.block.as_ref(), base.block.as_ref(), dims));
    let (shared, base_value) = (side.dynamic_shared.as_ref(), base.dynamic_shared.as_ref());
    option("shared", own(shared, base_value, ToString::to_string));
    let args = own(side.args.as_ref(), base.args.as_ref(), |args| {
        argument::write_all(args)
    });
    option("args", args);
    let symbols = own(side.symbols.as_ref(), base.symbols.as_ref(), |symbols| {
        escape(&argument::write_symbols(symbols))
    });
    option("symbols", symbols);
    let (options, base) = (side.options(), base.options());
    for row in &RUN_OPTIONS {
        option(
            row.key,
            row.write(&options).filter(|_| !row.is_same(&options, &base)),
        );
    }
}

/// Parses a link, with or without its `#`. An empty text is the default scenario.
///
/// The time grows with the length of the link. Texts that a link contains in compressed form have a limit in total.
pub fn decode(link: &str) -> Decoded {
    decode_with(link, None, &mut TextBudget::default())
}

/// Parses a link whose source text is given unless the link has one. The unpacked texts count into the budget.
pub(super) fn decode_with(link: &str, source: Option<String>, texts: &mut TextBudget) -> Decoded {
    let mut decoded = Decoded {
        scenario: Scenario {
            source,
            ..Scenario::default()
        },
        warnings: Vec::new(),
    };
    let link = link.trim();
    let mut link = link.trim_start_matches('#');
    if link.is_empty() {
        return decoded;
    }
    if link.len() > MAX_BYTES {
        decoded.warnings.push(Warning::TooLong(link.len()));
        // The last pair is incomplete.
        let end = link.as_bytes()[..MAX_BYTES]
            .iter()
            .rposition(|byte| *byte == b';');
        link = &link[..end.unwrap_or(0)];
    }
    let num_pairs = link.bytes().filter(|byte| *byte == b';').count();
    if num_pairs > MAX_PAIRS {
        decoded.warnings.push(Warning::TooManyPairs(num_pairs));
    }
    let mut parts = link.split(';').take(MAX_PAIRS + 1).peekable();
    match parts.peek().and_then(|part| version(part)) {
        Some(version) => {
            parts.next();
            if version > VERSION {
                decoded.warnings.push(Warning::NewerVersion(version));
            }
        }
        None => decoded.warnings.push(Warning::NoVersion),
    }
    let mut seen = BTreeSet::new();
    let mut sides = compare::Pairs::default();
    let mut chapters = lecture::Pairs::default();
    for part in parts.filter(|part| !part.is_empty()) {
        let Some((key, value)) = part.split_once('=') else {
            decoded.warnings.push(Warning::NotAPair(shortened(part)));
            continue;
        };
        // Prose is read before its escapes, which hide the signs that divide it.
        let prose = if key == "note" {
            let (notes, done) = note::read(value);
            decoded.scenario.notes = notes;
            Some(done)
        } else {
            chapters.read(key, value)
        };
        let value = unescape(value);
        let done = match prose.or_else(|| sides.read(key, &value)) {
            Some(done) => done.map_err(|reason| warning(key, &value, Refusal::Value(reason))),
            None => set(&mut decoded.scenario, key, &value, texts)
                .map_err(|refusal| warning(key, &value, refusal)),
        };
        match done {
            Ok(()) if seen.insert(key.to_owned()) => {}
            Ok(()) => decoded.warnings.push(Warning::Twice(shortened(key))),
            Err(warning) => decoded.warnings.push(warning),
        }
    }
    sides.finish(&mut decoded.scenario, &mut decoded.warnings, texts);
    chapters.finish(&mut decoded.scenario, &mut decoded.warnings, texts);
    decoded.warnings = bounded(decoded.warnings);
    decoded
}

/// The warnings that a person reads: several unknown keys are one warning, and the number of all is limited.
fn bounded(warnings: Vec<Warning>) -> Vec<Warning> {
    let unknown = |warning: &Warning| match warning {
        Warning::UnknownKey(key) => Some(key.clone()),
        _ => None,
    };
    let num_unknown = warnings.iter().filter_map(unknown).count();
    let mut first: Vec<String> = Vec::new();
    if num_unknown > NAMED_KEYS {
        first.extend(warnings.iter().filter_map(unknown).take(NAMED_KEYS));
    }
    let mut all: Vec<Warning> = Vec::new();
    for warning in warnings {
        if !matches!(warning, Warning::UnknownKey(_)) || num_unknown <= NAMED_KEYS {
            all.push(warning);
        } else if !first.is_empty() {
            all.push(Warning::UnknownKeys {
                first: std::mem::take(&mut first),
                more: num_unknown - NAMED_KEYS,
            });
        }
    }
    let num_more = all.len().saturating_sub(MAX_WARNINGS);
    if num_more > 0 {
        all.truncate(MAX_WARNINGS);
        all.push(Warning::More(num_more));
    }
    all
}

/// Applies one pair of a link.
///
/// # Errors
/// The warning; the scenario stays unchanged.
pub fn apply(scenario: &mut Scenario, key: &str, value: &str) -> Result<(), Warning> {
    set(scenario, key, value, &mut TextBudget::default()).map_err(|refusal| warning(key, value, refusal))
}

/// The warning about a rejected pair.
pub(super) fn warning(key: &str, value: &str, refusal: Refusal) -> Warning {
    match refusal {
        Refusal::Key => Warning::UnknownKey(shortened(key)),
        Refusal::Source(damage) => Warning::DamagedSource(damage),
        Refusal::Value(reason) => Warning::BadValue {
            key: shortened(key),
            value: shortened(value),
            reason: cut(&reason, MAX_REASON),
        },
    }
}

/// Length limit of a reason, in characters: it can quote a value, or list all valid ones.
const MAX_REASON: usize = 2_000;

/// Why a pair is rejected.
pub(super) enum Refusal {
    Key,
    Value(String),
    Source(Damage),
}

fn version(part: &str) -> Option<u32> {
    let digits = part.strip_prefix('v')?;
    let is_number = !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit());
    // A version with too many digits is newer, too.
    is_number.then(|| digits.parse().unwrap_or(u32::MAX))
}

pub(super) fn set(
    scenario: &mut Scenario,
    key: &str,
    value: &str,
    texts: &mut TextBudget,
) -> Result<(), Refusal> {
    if let Some(option) = RunOption::of_key(key) {
        let mut options = scenario.options();
        option.read(&mut options, value).map_err(Refusal::Value)?;
        scenario.set_options(options);
        return Ok(());
    }
    match key {
        "arch" => {
            scenario.arch = value
                .parse()
                .map_err(|error: UnknownArchitecture| refusal(&error.to_string()))?;
        }
        "kernel" => {
            library::kernel(value).ok_or_else(|| refusal("the library has no kernel with this name"))?;
            value.clone_into(&mut scenario.kernel);
        }
        "entry" => {
            if value.chars().count() > ENTRY_CHARS {
                return Err(refusal(&format!("a name has at most {ENTRY_CHARS} characters")));
            }
            scenario.entry = Some(value.to_owned());
        }
        "grid" => scenario.grid = Some(read_extent(value)?),
        "block" => scenario.block = Some(read_extent(value)?),
        "shared" => scenario.dynamic_shared = Some(number(value, 0, 1 << 20)?),
        "args" => scenario.args = Some(argument::read_all(value).map_err(Refusal::Value)?),
        "symbols" => scenario.symbols = Some(argument::read_symbols(value).map_err(Refusal::Value)?),
        "view" => scenario.view = read_view(value)?,
        "split" => scenario.split = Some(read_view(value)?),
        "cycle" => scenario.cycle = number(value, 0, u64::MAX)?,
        "warp" => scenario.warp = Some(number(value, 0, 63)?),
        "name" => scenario.name = Some(value.chars().take(NAME_CHARS).collect()),
        "calc" => {
            let most = crate::arithmetic::MAX_CHARS;
            if value.chars().count() > most {
                return Err(refusal(&format!("an operation has at most {most} characters")));
            }
            scenario.operation = Some(value.to_owned());
        }
        "lesson" => {
            let address = LessonAddress::read(value).map_err(Refusal::Value)?;
            scenario.lesson.get_or_insert_default().address = Some(address);
        }
        "step" => {
            let step: u32 = number(value, 1, 1000)?;
            scenario.lesson.get_or_insert_default().step = step as usize - 1;
        }
        "tour" => scenario.tour = Some(number::<usize>(value, 1, TOUR_STOPS)? - 1),
        "source" => scenario.source = Some(texts.unpack(value).map_err(Refusal::Source)?),
        _ => {
            let look = scenario.look.read(key, value);
            let layout = || scenario.layout.read(key, value);
            let play = || play::read(&mut scenario.playground, key, value);
            let lecture = || lecture::read(&mut scenario.lecture, key, value);
            let taken = look.or_else(layout).or_else(play).or_else(lecture);
            taken.ok_or(Refusal::Key)?.map_err(Refusal::Value)?;
        }
    }
    Ok(())
}

const VIEWS: [(View, &str); View::ALL.len()] = {
    let mut views = [(View::Sm, ""); View::ALL.len()];
    let mut i = 0;
    while i < views.len() {
        views[i] = (View::ALL[i], View::ALL[i].id());
        i += 1;
    }
    views
};

fn read_view(value: &str) -> Result<View, Refusal> {
    Choice(&VIEWS).read(value).map_err(Refusal::Value)
}

fn refusal(reason: &str) -> Refusal {
    Refusal::Value(reason.to_owned())
}

fn number<T>(value: &str, least: u64, most: u64) -> Result<T, Refusal>
where
    T: TryFrom<u64>,
{
    Number(least, most).read_as(value).map_err(Refusal::Value)
}

/// `4`, `4x4` or `4x4x2`.
pub(super) fn extent(extent: [u32; 3]) -> String {
    match extent {
        [x, 1, 1] => x.to_string(),
        [x, y, 1] => format!("{x}x{y}"),
        [x, y, z] => format!("{x}x{y}x{z}"),
    }
}

fn read_extent(value: &str) -> Result<[u32; 3], Refusal> {
    let mut extent = [1; 3];
    let parts: Vec<&str> = value.split('x').collect();
    if parts.len() > 3 {
        return Err(refusal("it must have at most three numbers, for example 4x4x2"));
    }
    for (slot, part) in extent.iter_mut().zip(parts) {
        *slot = number(part, 1, u64::from(u32::MAX))?;
    }
    Ok(extent)
}

/// Escapes characters that end a value or that a URL cannot contain.
pub(super) fn escape(value: &str) -> String {
    let mut text = String::new();
    for byte in value.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' => text.push(byte as char),
            b'-' | b'_' | b'.' | b'~' | b'*' | b':' | b',' | b'/' | b'(' | b')' => text.push(byte as char),
            _ => text += &format!("%{byte:02X}"),
        }
    }
    text
}

/// Reverses [`escape`], and the escapes that programs add to links.
pub(crate) fn unescape(value: &str) -> Cow<'_, str> {
    if !value.contains('%') {
        return Cow::Borrowed(value);
    }
    let mut bytes = Vec::new();
    let mut rest = value.as_bytes();
    while let Some((&first, after)) = rest.split_first() {
        let code = match (first, after) {
            (b'%', [high, low, ..]) => hex(*high).zip(hex(*low)).map(|(high, low)| high << 4 | low),
            _ => None,
        };
        bytes.push(code.unwrap_or(first));
        rest = if code.is_some() { &after[2..] } else { after };
    }
    Cow::Owned(String::from_utf8_lossy(&bytes).into_owned())
}

fn hex(digit: u8) -> Option<u8> {
    (digit as char).to_digit(16).map(|digit| digit as u8)
}

/// A piece of a link, shortened for a message.
pub(crate) fn shortened(text: &str) -> String {
    cut(text, 40)
}

/// The first characters of a text, with an ellipsis if there are more.
pub(crate) fn cut(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        None => text.to_owned(),
        Some((end, _)) => format!("{}…", &text[..end]),
    }
}
