//! A scenario as the text of a link, and back.

use std::borrow::Cow;
use std::collections::BTreeSet;

use crate::arch::UnknownArchitecture;
use crate::library;
use crate::sim::{LoadCaching, SchedulerPolicy};

use super::text::{Damage, pack, unpack};
use super::{Scenario, View, argument, play};

/// Letters of a name that are kept.
const NAME_CHARS: usize = 60;

/// The version that is written.
const VERSION: u32 = 1;

/// A link's scenario, and what could not be used of the link.
#[derive(Clone, Debug, PartialEq)]
pub struct Decoded {
    /// The scenario; the default's values stand where the link has none that can be used.
    pub scenario: Scenario,
    /// What was not understood, in the order of the link.
    pub warnings: Vec<Warning>,
}

/// A part of a link that could not be used as it stands.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum Warning {
    /// It was made by a newer page.
    #[error(
        "The link is of version {0}, newer than this page; what it has in common with version 1 was used."
    )]
    NewerVersion(u32),
    /// It does not begin with a version.
    #[error("The link does not begin with `v1`; it was read as version 1.")]
    NoVersion,
    /// A pair without a `=`.
    #[error("`{0}` is not a `key=value` pair and was ignored.")]
    NotAPair(String),
    /// A key that means nothing here.
    #[error("The key `{0}` is unknown and was ignored.")]
    UnknownKey(String),
    /// A key that came before.
    #[error("The key `{0}` comes twice; the last one counts.")]
    Twice(String),
    /// A value that its key does not take.
    #[error("`{key}={value}` was ignored: {reason}.")]
    BadValue {
        /// The key.
        key: String,
        /// The value.
        value: String,
        /// What it should be.
        reason: String,
    },
    /// The kernel text is damaged.
    #[error("The kernel text in the link was ignored, and the library's kernel stands in its place: {0}.")]
    DamagedSource(Damage),
}

/// The text of the link, with its `#`.
pub fn encode(scenario: &Scenario) -> String {
    let default = Scenario::default();
    let mut link = format!("#v{VERSION}");
    let mut put = |key: &str, value: String| {
        link.push(';');
        link.push_str(key);
        link.push('=');
        link.push_str(&value);
    };
    if scenario.arch != default.arch {
        put("arch", scenario.arch.to_string());
    }
    if scenario.kernel != default.kernel {
        put("kernel", escape(&scenario.kernel));
    }
    if let Some(entry) = &scenario.entry {
        put("entry", escape(entry));
    }
    if let Some(grid) = scenario.grid {
        put("grid", extent(grid));
    }
    if let Some(block) = scenario.block {
        put("block", extent(block));
    }
    if let Some(bytes) = scenario.dynamic_shared {
        put("shared", bytes.to_string());
    }
    if let Some(args) = &scenario.args {
        put("args", argument::write_all(args));
    }
    if let Some(symbols) = &scenario.symbols {
        put("symbols", escape(&argument::write_symbols(symbols)));
    }
    let (compile, usual) = (&scenario.compile, &default.compile);
    for (key, is_on, usually) in [
        ("fmad", compile.fmad, usual.fmad),
        ("ftz", compile.ftz, usual.ftz),
        ("precdiv", compile.prec_div, usual.prec_div),
        ("precsqrt", compile.prec_sqrt, usual.prec_sqrt),
        ("fastmath", compile.fast_math, usual.fast_math),
        ("m32", compile.pointers_32_bit, usual.pointers_32_bit),
        (
            "adversarial",
            scenario.machine.adversarial,
            default.machine.adversarial,
        ),
    ] {
        if is_on != usually {
            put(key, if is_on { "on" } else { "off" }.to_owned());
        }
    }
    if let Some(registers) = compile.max_registers {
        put("regs", registers.to_string());
    }
    let (machine, usual) = (&scenario.machine, &default.machine);
    if let Some(kib) = machine.carveout_kib {
        put("carveout", kib.to_string());
    }
    if machine.load_caching != usual.load_caching {
        put("dlcm", name(&LOAD_CACHING, machine.load_caching).to_owned());
    }
    if machine.policy != usual.policy {
        put("policy", name(&POLICIES, machine.policy).to_owned());
    }
    if machine.max_cycles != usual.max_cycles {
        put("maxcycles", machine.max_cycles.to_string());
    }
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
    if let Some(playground) = &scenario.playground {
        play::write(playground, &mut put);
    }
    // Last, so that the readable part is seen first.
    if let Some(source) = &scenario.source {
        put("source", pack(source));
    }
    link
}

/// The scenario of a link's text, with or without its `#`. An empty text is the default scenario.
pub fn decode(link: &str) -> Decoded {
    let mut decoded = Decoded {
        scenario: Scenario::default(),
        warnings: Vec::new(),
    };
    let link = link.trim();
    let link = link.trim_start_matches('#');
    if link.is_empty() {
        return decoded;
    }
    let mut parts = link.split(';').peekable();
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
    for part in parts.filter(|part| !part.is_empty()) {
        let Some((key, value)) = part.split_once('=') else {
            decoded.warnings.push(Warning::NotAPair(shortened(part)));
            continue;
        };
        let value = unescape(value);
        match apply(&mut decoded.scenario, key, &value) {
            Ok(()) if seen.insert(key.to_owned()) => {}
            Ok(()) => decoded.warnings.push(Warning::Twice(key.to_owned())),
            Err(warning) => decoded.warnings.push(warning),
        }
    }
    decoded
}

/// Sets what one pair of a link says.
///
/// # Errors
/// What is wrong with the pair; the scenario is as before.
pub fn apply(scenario: &mut Scenario, key: &str, value: &str) -> Result<(), Warning> {
    set(scenario, key, value).map_err(|refusal| match refusal {
        Refusal::Key => Warning::UnknownKey(shortened(key)),
        Refusal::Source(damage) => Warning::DamagedSource(damage),
        Refusal::Value(reason) => Warning::BadValue {
            key: key.to_owned(),
            value: shortened(value),
            reason,
        },
    })
}

/// Why a pair is not used.
enum Refusal {
    Key,
    Value(String),
    Source(Damage),
}

fn version(part: &str) -> Option<u32> {
    let digits = part.strip_prefix('v')?;
    let is_number = !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit());
    // A version with more digits than fit is newer, too.
    is_number.then(|| digits.parse().unwrap_or(u32::MAX))
}

fn set(scenario: &mut Scenario, key: &str, value: &str) -> Result<(), Refusal> {
    let (compile, machine) = (&mut scenario.compile, &mut scenario.machine);
    match key {
        "arch" => {
            scenario.arch = value
                .parse()
                .map_err(|error: UnknownArchitecture| refusal(&error.to_string()))?
        }
        "kernel" => {
            library::kernel(value).ok_or_else(|| refusal("the library has no kernel of this name"))?;
            value.clone_into(&mut scenario.kernel);
        }
        "entry" => scenario.entry = Some(value.to_owned()),
        "grid" => scenario.grid = Some(read_extent(value)?),
        "block" => scenario.block = Some(read_extent(value)?),
        "shared" => scenario.dynamic_shared = Some(number(value, 0, 1 << 20)?),
        "args" => scenario.args = Some(argument::read_all(value).map_err(Refusal::Value)?),
        "symbols" => scenario.symbols = Some(argument::read_symbols(value).map_err(Refusal::Value)?),
        "fmad" => compile.fmad = switch(value)?,
        "ftz" => compile.ftz = switch(value)?,
        "precdiv" => compile.prec_div = switch(value)?,
        "precsqrt" => compile.prec_sqrt = switch(value)?,
        "fastmath" => compile.fast_math = switch(value)?,
        "m32" => compile.pointers_32_bit = switch(value)?,
        "regs" => compile.max_registers = Some(number(value, 1, 255)?),
        "adversarial" => machine.adversarial = switch(value)?,
        "carveout" => machine.carveout_kib = Some(number(value, 0, 1024)?),
        "dlcm" => machine.load_caching = choice(&LOAD_CACHING, value)?,
        "policy" => machine.policy = choice(&POLICIES, value)?,
        "maxcycles" => machine.max_cycles = number(value, 1, 1_000_000_000)?,
        "view" => scenario.view = choice(&VIEWS, value)?,
        "split" => scenario.split = Some(choice(&VIEWS, value)?),
        "cycle" => scenario.cycle = number(value, 0, u64::MAX)?,
        "warp" => scenario.warp = Some(number(value, 0, 63)?),
        "name" => scenario.name = Some(value.chars().take(NAME_CHARS).collect()),
        "source" => scenario.source = Some(unpack(value).map_err(Refusal::Source)?),
        _ => {
            let look = scenario.look.read(key, value);
            let layout = || scenario.layout.read(key, value);
            let play = || play::read(&mut scenario.playground, key, value);
            let taken = look.or_else(layout).or_else(play);
            taken.ok_or(Refusal::Key)?.map_err(Refusal::Value)?;
        }
    }
    Ok(())
}

const LOAD_CACHING: [(LoadCaching, &str); 3] = [
    (LoadCaching::Default, "default"),
    (LoadCaching::Ca, "ca"),
    (LoadCaching::Cg, "cg"),
];

const POLICIES: [(SchedulerPolicy, &str); 3] = [
    (SchedulerPolicy::Lrr, "lrr"),
    (SchedulerPolicy::Gto, "gto"),
    (SchedulerPolicy::TwoLevel, "twolevel"),
];

const VIEWS: [(View, &str); View::ALL.len()] = {
    let mut views = [(View::Sm, ""); View::ALL.len()];
    let mut i = 0;
    while i < views.len() {
        views[i] = (View::ALL[i], View::ALL[i].id());
        i += 1;
    }
    views
};

fn name<T: PartialEq + Copy>(table: &[(T, &'static str)], item: T) -> &'static str {
    table
        .iter()
        .find(|(t, _)| *t == item)
        .map_or("", |(_, name)| *name)
}

fn choice<T: Copy>(table: &[(T, &'static str)], value: &str) -> Result<T, Refusal> {
    table
        .iter()
        .find(|(_, name)| *name == value)
        .map(|(item, _)| *item)
        .ok_or_else(|| {
            let names: Vec<&str> = table.iter().map(|(_, name)| *name).collect();
            refusal(&format!("it can be {}", names.join(", ")))
        })
}

fn refusal(reason: &str) -> Refusal {
    Refusal::Value(reason.to_owned())
}

fn switch(value: &str) -> Result<bool, Refusal> {
    match value {
        "on" => Ok(true),
        "off" => Ok(false),
        _ => Err(refusal("it can be on or off")),
    }
}

fn number<T>(value: &str, least: u64, most: u64) -> Result<T, Refusal>
where
    T: TryFrom<u64>,
{
    let wrong = || refusal(&format!("it is a whole number from {least} to {most}"));
    let number: u64 = value.parse().map_err(|_| wrong())?;
    if !(least..=most).contains(&number) {
        return Err(wrong());
    }
    T::try_from(number).map_err(|_| wrong())
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
        return Err(refusal("it has at most three numbers, as in 4x4x2"));
    }
    for (slot, part) in extent.iter_mut().zip(parts) {
        *slot = number(part, 1, u64::from(u32::MAX))?;
    }
    Ok(extent)
}

/// Replaces what would end a value, or what a URL cannot hold.
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

/// Undoes [`escape`], which programs that pass links on apply too.
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

/// A piece of a link that is short enough for a message.
fn shortened(text: &str) -> String {
    const MOST: usize = 40;
    if text.chars().count() <= MOST {
        return text.to_owned();
    }
    let mut start: String = text.chars().take(MOST).collect();
    start.push('…');
    start
}
