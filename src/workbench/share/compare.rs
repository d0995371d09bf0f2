//! A comparison in a link: the other runs, and the alignment of the sides.
//!
//! `compare=gf100,gp104` adds a side for each chip. A side equals the first side except for its architecture, the split
//! of its memory (the driver's choice by default), and keys with the side's number: `2.carveout=16`. `unset` names
//! settings of the first side that another side lacks: `2.unset=grid,block` restores the library's grid and
//! block.

use serde::{Deserialize, Serialize};

use super::link::{Refusal, set, write_run};
use super::text::{TextBudget, pack};
use super::{Scenario, Warning, link};
use crate::run_option::{RUN_OPTIONS, RunOption, RunOptions};
pub use crate::scene::CounterOrder as Order;
use crate::setup::Setup;
use engine::arch::{ArchId, UnknownArchitecture};

/// The limit of sides.
pub const MAX_SIDES: usize = 4;

/// The keys of kernel and launch that each side may override, beside the options of a run. All but the kernel can be absent.
const SETUP_KEYS: [&str; 8] = [
    "kernel", "source", "entry", "grid", "block", "shared", "args", "symbols",
];

/// Whether a side may override a key.
fn is_of_side(key: &str) -> bool {
    key == "unset" || SETUP_KEYS.contains(&key) || RunOption::of_key(key).is_some()
}

/// The alignment of the sides.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Sync {
    /// The cycle.
    #[default]
    Cycle,
    /// The time since the start, by each chip's clock rate.
    Time,
    /// The share of issued warp instructions.
    Progress,
}

impl Sync {
    /// All alignments.
    pub const ALL: [Self; 3] = [Self::Cycle, Self::Time, Self::Progress];

    /// A sentence about the alignment.
    pub const fn sentence(self) -> &'static str {
        match self {
            Self::Cycle => "By cycle: all panes show the same cycle of their SM.",
            Self::Time => "By time: all panes show the same time since the start, by each chip's clock rate.",
            Self::Progress => "By progress: all panes have issued the same share of their warp instructions.",
        }
    }

    /// The ID in links.
    pub const fn id(self) -> &'static str {
        match self {
            Self::Cycle => "cycle",
            Self::Time => "time",
            Self::Progress => "progress",
        }
    }
}

impl Scenario {
    /// The first side's options of compiler and machine.
    pub(super) const fn options(&self) -> RunOptions {
        RunOptions {
            compile: self.compile,
            machine: self.machine,
        }
    }

    /// Sets the first side's options of compiler and machine.
    pub(super) const fn set_options(&mut self, options: RunOptions) {
        (self.compile, self.machine) = (options.compile, options.machine);
    }
}

impl Setup {
    /// The setup of a scenario's first side.
    pub fn of(scenario: &Scenario) -> Self {
        Self {
            arch: scenario.arch,
            kernel: scenario.kernel.clone(),
            source: scenario.source.clone(),
            entry: scenario.entry.clone(),
            grid: scenario.grid,
            block: scenario.block,
            dynamic_shared: scenario.dynamic_shared,
            args: scenario.args.clone(),
            symbols: scenario.symbols.clone(),
            compile: scenario.compile,
            machine: scenario.machine,
        }
    }

    /// Swaps the setup with a scenario's.
    pub fn swap(&mut self, scenario: &mut Scenario) {
        use std::mem::swap;
        swap(&mut self.arch, &mut scenario.arch);
        swap(&mut self.kernel, &mut scenario.kernel);
        swap(&mut self.source, &mut scenario.source);
        swap(&mut self.entry, &mut scenario.entry);
        swap(&mut self.grid, &mut scenario.grid);
        swap(&mut self.block, &mut scenario.block);
        swap(&mut self.dynamic_shared, &mut scenario.dynamic_shared);
        swap(&mut self.args, &mut scenario.args);
        swap(&mut self.symbols, &mut scenario.symbols);
        swap(&mut self.compile, &mut scenario.compile);
        swap(&mut self.machine, &mut scenario.machine);
    }

    /// A scenario with only this setup and the default presentation.
    pub fn alone(&self) -> Scenario {
        self.within(&Scenario::default())
    }

    /// The scenario with this setup.
    pub fn within(&self, scenario: &Scenario) -> Scenario {
        let mut scenario = scenario.clone();
        self.clone().swap(&mut scenario);
        scenario
    }

    /// The default setup of another side with this architecture.
    fn plain(first: &Self, arch: ArchId) -> Self {
        let mut setup = Self {
            arch,
            ..first.clone()
        };
        setup.machine.carveout_kib = None;
        setup.machine.sm = None;
        setup
    }
}

/// The other sides, and the settings of the comparison.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Compare {
    /// The setups of the other sides.
    pub others: Vec<Setup>,
    /// The alignment of the sides.
    pub sync: Sync,
    /// Whether changes of kernel, launch, or options apply to the active side only.
    pub apart: bool,
    /// Whether differences are marked.
    pub marks: bool,
    /// The reference side for ratios.
    pub reference: u8,
    /// The order of the counters.
    pub order: Order,
}

impl Default for Compare {
    fn default() -> Self {
        Self {
            others: Vec::new(),
            sync: Sync::Cycle,
            apart: false,
            marks: true,
            reference: 0,
            order: Order::Groups,
        }
    }
}

/// Writes the pairs of the other sides, except their source texts.
pub(super) fn write(scenario: &Scenario, put: &mut impl FnMut(&str, String)) {
    let Some(compare) = &scenario.compare else { return };
    let defaults = Compare::default();
    let archs: Vec<&str> = compare.others.iter().map(|side| side.arch.text()).collect();
    put("compare", archs.join(","));
    let first = Setup::of(scenario);
    for (idx, side) in compare.others.iter().enumerate() {
        let plain = Setup::plain(&first, side.arch);
        let mut own = |key: &str, value| put(&format!("{}.{key}", idx + 2), value);
        write_run(side, &plain, &mut own);
        let lacks = lacks(side, &plain);
        if !lacks.is_empty() {
            own("unset", lacks.join(","));
        }
    }
    if compare.sync != defaults.sync {
        put("sync", compare.sync.id().to_owned());
    }
    if compare.apart {
        put("changes", "this".to_owned());
    }
    if !compare.marks {
        put("differences", "off".to_owned());
    }
    if compare.reference != defaults.reference {
        put("reference", (compare.reference + 1).to_string());
    }
    if compare.order != defaults.order {
        put("order", "ratio".to_owned());
    }
}

/// Writes the source texts of the other sides that differ from the first side's.
pub(super) fn write_sources(scenario: &Scenario, put: &mut impl FnMut(&str, String)) {
    let others = scenario.compare.iter().flat_map(|compare| &compare.others);
    for (idx, side) in others.enumerate() {
        if let Some(source) = side.source.as_ref().filter(|_| side.source != scenario.source) {
            put(&format!("{}.source", idx + 2), pack(source));
        }
    }
}

/// Pairs about the sides, which can be applied only after the rest of the link.
#[derive(Default)]
pub(super) struct Pairs {
    archs: Option<Vec<ArchId>>,
    sides: Vec<(String, String)>,
    settings: Compare,
    set: Option<String>,
}

impl Pairs {
    /// Reads a pair. `None`: the key does not belong to the comparison.
    ///
    /// # Errors
    /// The valid values.
    pub(super) fn read(&mut self, key: &str, value: &str) -> Option<Result<(), String>> {
        let settings = &mut self.settings;
        match key {
            "compare" => {
                let archs: Result<Vec<ArchId>, _> = value.split(',').map(str::parse).collect();
                return Some(match archs {
                    Ok(archs) if archs.len() < MAX_SIDES => {
                        self.archs = Some(archs);
                        Ok(())
                    }
                    Ok(_) => Err(format!("it names at most {} chips", MAX_SIDES - 1)),
                    Err(UnknownArchitecture(name)) => Err(UnknownArchitecture(name).to_string()),
                });
            }
            "sync" => match Sync::ALL.into_iter().find(|sync| sync.id() == value) {
                Some(sync) => settings.sync = sync,
                None => return Some(Err("it must be cycle, time, or progress".to_owned())),
            },
            "changes" => match value {
                "all" => settings.apart = false,
                "this" => settings.apart = true,
                _ => return Some(Err("it must be all or this".to_owned())),
            },
            "differences" => match value {
                "on" => settings.marks = true,
                "off" => settings.marks = false,
                _ => return Some(Err("it must be on or off".to_owned())),
            },
            "reference" => match value.parse::<u8>() {
                Ok(number @ 1..=4) => settings.reference = number - 1,
                _ => return Some(Err("it must be a whole number from 1 to 4".to_owned())),
            },
            "order" => match value {
                "groups" => settings.order = Order::Groups,
                "ratio" => settings.order = Order::Ratio,
                _ => return Some(Err("it must be groups or ratio".to_owned())),
            },
            _ => {
                let (number, name) = key.split_once('.')?;
                let number: usize = number.parse().ok()?;
                if !(2..=MAX_SIDES).contains(&number) || !is_of_side(name) {
                    return None;
                }
                self.sides.push((key.to_owned(), value.to_owned()));
                return Some(Ok(()));
            }
        }
        self.set.get_or_insert_with(|| key.to_owned());
        Some(Ok(()))
    }

    /// Adds the sides to the scenario of the rest of the link.
    pub(super) fn finish(self, scenario: &mut Scenario, warnings: &mut Vec<Warning>, texts: &mut TextBudget) {
        let Some(archs) = self.archs else {
            let sides = self.sides.into_iter().map(|(key, _)| key);
            warnings.extend(
                sides
                    .chain(self.set)
                    .map(|key| Warning::NoSides(link::shortened(&key))),
            );
            return;
        };
        let first = Setup::of(scenario);
        let mut others: Vec<Setup> = archs.iter().map(|arch| Setup::plain(&first, *arch)).collect();
        // One copy for all pairs: a source can be long.
        let mut taken = scenario.clone();
        for (key, value) in self.sides {
            let Some((number, name)) = key.split_once('.') else {
                continue;
            };
            let idx = number.parse().unwrap_or(0_usize).wrapping_sub(2);
            let Some(side) = others.get_mut(idx) else {
                warnings.push(Warning::NoSides(link::shortened(&key)));
                continue;
            };
            side.swap(&mut taken);
            let done = if name == "unset" {
                value.split(',').try_for_each(|key| unset(&mut taken, key))
            } else {
                set(&mut taken, name, &value, texts)
            };
            side.swap(&mut taken);
            if let Err(refusal) = done {
                warnings.push(link::warning(&key, &value, refusal));
            }
        }
        if let Some(view) = scenario.split.take() {
            warnings.push(Warning::BadValue {
                key: "split".to_owned(),
                value: view.id().to_owned(),
                reason: "a comparison shows one view on all sides".to_owned(),
            });
        }
        let num = others.len() + 1;
        scenario.compare = Some(Compare {
            others,
            reference: if usize::from(self.settings.reference) < num {
                self.settings.reference
            } else {
                0
            },
            ..self.settings
        });
    }
}

/// The keys that a side lacks and the other side has.
fn lacks(side: &Setup, other: &Setup) -> Vec<&'static str> {
    fn lacks<T>(side: Option<&T>, other: Option<&T>) -> bool {
        side.is_none() && other.is_some()
    }
    let of_setup = [
        ("source", lacks(side.source.as_ref(), other.source.as_ref())),
        ("entry", lacks(side.entry.as_ref(), other.entry.as_ref())),
        ("grid", lacks(side.grid.as_ref(), other.grid.as_ref())),
        ("block", lacks(side.block.as_ref(), other.block.as_ref())),
        (
            "shared",
            lacks(side.dynamic_shared.as_ref(), other.dynamic_shared.as_ref()),
        ),
        ("args", lacks(side.args.as_ref(), other.args.as_ref())),
        ("symbols", lacks(side.symbols.as_ref(), other.symbols.as_ref())),
    ];
    let (options, others) = (side.options(), other.options());
    let of_options = RUN_OPTIONS.iter().map(|option| {
        let (own, other) = (option.write(&options), option.write(&others));
        (option.key, lacks(own.as_ref(), other.as_ref()))
    });
    let all = of_setup.into_iter().chain(of_options);
    all.filter_map(|(key, lacks)| lacks.then_some(key)).collect()
}

/// Resets a setting of the first side.
fn unset(scenario: &mut Scenario, key: &str) -> Result<(), Refusal> {
    match key {
        "source" => scenario.source = None,
        "entry" => scenario.entry = None,
        "grid" => scenario.grid = None,
        "block" => scenario.block = None,
        "shared" => scenario.dynamic_shared = None,
        "args" => scenario.args = None,
        "symbols" => scenario.symbols = None,
        _ => {
            let option = RunOption::of_key(key).filter(|option| option.can_be_absent());
            let Some(option) = option else {
                let options = RUN_OPTIONS.iter().filter(|option| option.can_be_absent());
                let keys: Vec<&str> = SETUP_KEYS[1..]
                    .iter()
                    .copied()
                    .chain(options.map(|option| option.key))
                    .collect();
                return Err(Refusal::Value(format!("it must be one of {}", keys.join(", "))));
            };
            let mut options = scenario.options();
            option.take(&mut options, &RunOptions::default());
            scenario.set_options(options);
        }
    }
    Ok(())
}
