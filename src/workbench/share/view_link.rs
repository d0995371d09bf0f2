//! The view state in a link: one table of keys.

use serde::{Deserialize, Serialize};

use super::link::escape;
use super::settings;
use crate::check::FindingKind;
use crate::scene::{Mark, NumberFormat, Settings, ViewState};
use engine::ids::Cycle;
use engine::trace::find::Query;

/// The selection other than the warp, and the view settings. A link contains the differences from the
/// default.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ViewLink {
    /// Selected lane.
    pub lane: Option<u8>,
    /// The shown memory access, by its index in the run; `None`: the access in service.
    pub access: Option<u32>,
    /// The wavefront of the access, from 0; `None`: the wavefront in service.
    pub wavefront: Option<u16>,
    /// Zoom of the Timeline in pixels per cycle.
    pub cycle_px: Option<f32>,
    /// First cycle of the Timeline; `None`: the Timeline follows the current cycle.
    pub timeline_start: Option<u64>,
    /// The only highlighted mark.
    pub filter: Option<Mark>,
    /// Selected register.
    pub register: Option<u8>,
    /// Selected word of shared memory, as its byte offset.
    pub word: Option<u32>,
    /// The selected range: the first cycle, and the cycle after the last.
    pub range: Option<(u64, u64)>,
    /// The part of the run that the strip shows: the first cycle, and the cycle after the last.
    pub strip: Option<(u64, u64)>,
    /// Selected source line; 0 is code without a line.
    pub line: Option<u32>,
    /// Selected instruction.
    pub pc: Option<u32>,
    /// First line in the Source view; `None`: the view follows the warp.
    pub top_line: Option<u32>,
    /// First instruction in the Source view; `None`: the view follows the warp.
    pub top_pc: Option<u32>,
    /// Answers of the explanation that are shown, up to 3; 0: none.
    pub why: u8,
    /// The options of the views.
    pub settings: Settings,
    /// The state of the outputs dialog.
    pub outputs: OutputsLink,
    /// The search in the run; `None`: the next issue.
    pub jump: Option<Query>,
    /// The selected finding of the checks.
    pub finding: Option<FindingId>,
}

/// A finding of the checks, and one of its places.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FindingId {
    /// The kind of the finding.
    pub kind: FindingKind,
    /// The line of its first place.
    pub line: u32,
    /// Index among the findings of this kind at this line, from 0.
    pub nth: u16,
    /// Index of the place, from 0.
    pub site: u8,
}

impl FindingId {
    /// Whether both places belong to one finding.
    pub fn is_same_finding(self, other: Self) -> bool {
        (self.kind, self.line, self.nth) == (other.kind, other.line, other.nth)
    }

    /// `read-after-write:12`, optionally with the two indices: `read-after-write:12:1:2`.
    fn text(self) -> String {
        let mut text = format!("{}:{}", self.kind.id(), self.line);
        if (self.nth, self.site) != (0, 0) {
            text += &format!(":{}", u32::from(self.nth) + 1);
        }
        if self.site > 0 {
            text += &format!(":{}", u32::from(self.site) + 1);
        }
        text
    }

    fn read(text: &str) -> Option<Self> {
        let mut parts = text.split(':');
        let kind = parts.next()?;
        let kind = FindingKind::ALL.into_iter().find(|other| other.id() == kind)?;
        let line = parts.next()?.parse().ok()?;
        let mut place = || match parts.next() {
            Some(number) => number.parse::<u16>().ok()?.checked_sub(1),
            None => Some(0),
        };
        let (nth, site) = (place()?, u8::try_from(place()?).ok()?);
        parts.next().is_none().then_some(Self {
            kind,
            line,
            nth,
            site,
        })
    }
}

/// The state of the outputs dialog.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct OutputsLink {
    /// The argument whose buffer is shown; `None`: the first output buffer.
    pub argument: Option<u16>,
    /// The page, from 0.
    pub page: u32,
    /// The number format; `None`: the default of the element type.
    pub format: Option<NumberFormat>,
    /// Whether the values are those of the current cycle instead of the end.
    pub now: bool,
}

impl OutputsLink {
    /// `1:p3:hex:now`.
    fn text(&self) -> String {
        let parts = [
            self.argument.map(|argument| argument.to_string()),
            (self.page > 0).then(|| format!("p{}", self.page)),
            self.format.map(|format| format.id().to_owned()),
            self.now.then(|| "now".to_owned()),
        ];
        parts.into_iter().flatten().collect::<Vec<_>>().join(":")
    }

    fn read(text: &str) -> Option<Self> {
        let mut look = Self::default();
        for part in text.split(':') {
            let format = NumberFormat::ALL.into_iter().find(|format| format.id() == part);
            if format.is_some() {
                look.format = format;
            } else if part == "now" {
                look.now = true;
            } else if let Some(page) = part.strip_prefix('p') {
                look.page = page.parse().ok()?;
            } else {
                look.argument = Some(part.parse().ok()?);
            }
        }
        Some(look)
    }
}

impl ViewLink {
    /// The part of a view's state that a link contains.
    pub fn of(view: &ViewState) -> Self {
        Self {
            lane: view.lane,
            access: view.access,
            wavefront: view.wavefront,
            cycle_px: view.cycle_px,
            timeline_start: view.timeline_start.map(|cycle| cycle.0),
            filter: view.filter,
            register: view.register,
            word: view.word,
            range: view.range.map(|(from, to)| (from.0, to.0)),
            strip: view
                .strip
                .map(|(start, cycles)| (start.0, start.0.saturating_add(cycles))),
            line: view.line,
            pc: view.pc,
            top_line: view.top_line,
            top_pc: view.top_pc,
            why: view.why,
            settings: view.settings,
            outputs: OutputsLink::default(),
            jump: None,
            finding: None,
        }
    }

    /// Applies the link's state to a view.
    pub fn show(&self, view: &mut ViewState) {
        view.lane = self.lane;
        view.access = self.access;
        view.wavefront = self.wavefront;
        view.cycle_px = self.cycle_px;
        view.timeline_start = self.timeline_start.map(Cycle);
        view.filter = self.filter;
        view.register = self.register;
        view.word = self.word;
        view.range = self.range.map(|(from, to)| (Cycle(from), Cycle(to)));
        view.strip = self.strip.map(|(start, end)| (Cycle(start), end - start));
        view.line = self.line;
        view.pc = self.pc;
        view.top_line = self.top_line;
        view.top_pc = self.top_pc;
        view.why = self.why;
        view.settings = self.settings;
    }

    /// Writes the pairs of the view state.
    pub(super) fn write(&self, put: &mut impl FnMut(&str, String)) {
        if let Some(lane) = self.lane {
            put("lane", lane.to_string());
        }
        if let Some(access) = self.access {
            put("access", access.to_string());
        }
        if let Some(wavefront) = self.wavefront {
            put("wavefront", wavefront.to_string());
        }
        if let Some(px) = self.cycle_px {
            put("zoom", px.to_string());
        }
        if let Some(start) = self.timeline_start {
            put("from", start.to_string());
        }
        if let Some(mark) = self.filter {
            put("mark", mark.id().to_owned());
        }
        if let Some(register) = self.register {
            put("reg", register.to_string());
        }
        if let Some(word) = self.word {
            put("word", word.to_string());
        }
        if let Some((from, to)) = self.range {
            put("range", format!("{from}-{to}"));
        }
        if let Some((start, end)) = self.strip {
            put("strip", format!("{start}-{end}"));
        }
        for (key, value) in [
            ("line", self.line),
            ("pc", self.pc),
            ("topline", self.top_line),
            ("toppc", self.top_pc),
        ] {
            if let Some(value) = value {
                put(key, value.to_string());
            }
        }
        if self.outputs != OutputsLink::default() {
            put("outputs", self.outputs.text());
        }
        if let Some(query) = self.jump {
            put("jump", escape(&query.to_string()));
        }
        if let Some(finding) = self.finding {
            put("finding", finding.text());
        }
        if self.why > 0 {
            put("why", self.why.to_string());
        }
        settings::write(&self.settings, put);
    }

    /// Reads a pair. `None`: the key does not belong to the view state.
    ///
    /// # Errors
    /// The valid values.
    pub(super) fn read(&mut self, key: &str, value: &str) -> Option<Result<(), String>> {
        let number = |max: u64| {
            value
                .parse::<u64>()
                .ok()
                .filter(|number| *number <= max)
                .ok_or_else(|| format!("it must be a whole number from 0 to {max}"))
        };
        Some(match key {
            "lane" => number(31).map(|lane| self.lane = Some(lane as u8)),
            "access" => number(u64::from(u32::MAX)).map(|idx| self.access = Some(idx as u32)),
            "wavefront" => number(u64::from(u16::MAX)).map(|pass| self.wavefront = Some(pass as u16)),
            "zoom" => match value.parse::<f32>() {
                Ok(px) if px.is_finite() && px > 0.0 => {
                    self.cycle_px = Some(px);
                    Ok(())
                }
                _ => Err("it must be a number of pixels above 0".to_owned()),
            },
            "finding" => match FindingId::read(value) {
                Some(finding) => {
                    self.finding = Some(finding);
                    Ok(())
                }
                None => Err("it must be a kind and a line, for example out-of-bounds:7".to_owned()),
            },
            "jump" => Query::parse(value).map(|query| self.jump = Some(query)),
            "line" => number(u64::from(u32::MAX)).map(|line| self.line = Some(line as u32)),
            "pc" => number(u64::from(u32::MAX)).map(|pc| self.pc = Some(pc as u32)),
            "topline" => number(u64::from(u32::MAX)).map(|line| self.top_line = Some(line as u32)),
            "toppc" => number(u64::from(u32::MAX)).map(|pc| self.top_pc = Some(pc as u32)),
            "from" => number(u64::MAX).map(|start| self.timeline_start = Some(start)),
            "mark" => match Mark::ALL.into_iter().find(|mark| mark.id() == value) {
                Some(mark) => {
                    self.filter = Some(mark);
                    Ok(())
                }
                None => Err(format!("it must be one of {}", Mark::ALL.map(Mark::id).join(", "))),
            },
            "reg" => number(254).map(|register| self.register = Some(register as u8)),
            "word" => number(u64::from(u32::MAX)).map(|offset| self.word = Some(offset as u32 & !3)),
            "why" => match value {
                "1" | "2" | "3" => number(3).map(|why| self.why = why as u8),
                _ => Err("it must be 1, 2, or 3".to_owned()),
            },
            "range" => cycles(value).map(|range| self.range = Some(range)),
            "strip" => cycles(value).map(|strip| self.strip = Some(strip)),
            "outputs" => match OutputsLink::read(value) {
                Some(outputs) => {
                    self.outputs = outputs;
                    Ok(())
                }
                None => Err(
                    "it must be an argument, for example 1 or 1:p3, optionally followed by hex, int, unsigned, float, or now"
                        .to_owned(),
                ),
            },
            _ => return settings::read(&mut self.settings, key, value),
        })
    }
}

/// Two cycles, `100-160`: the first, and the cycle after the last.
fn cycles(value: &str) -> Result<(u64, u64), String> {
    let ends = value.split_once('-').map(|(from, to)| (from.parse(), to.parse()));
    match ends {
        Some((Ok(from), Ok(to))) if from < to => Ok((from, to)),
        _ => Err("it must be the first cycle and the cycle after the last, for example 100-160".to_owned()),
    }
}
