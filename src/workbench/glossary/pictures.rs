//! Small pictures of terms, as SVG in the colors of the page's tokens. They are in the file of the glossary, so that
//! the page loads them only with it.

use std::fmt::Write as _;

/// Width and height of a picture in CSS pixels.
pub const SIZE: (u32, u32) = (304, 74);

/// The picture of a term, if it has one.
pub fn picture(id: &str) -> Option<String> {
    let mut pen = Pen::default();
    match id {
        "warp" | "lane" | "simt" => pen.warp(),
        "bank" | "shared-memory" | "bank-width" => pen.banks(),
        "bank-conflict" | "ways" => pen.conflict(),
        "wavefront" | "ideal-wavefronts" => pen.wavefronts(),
        "broadcast" => pen.broadcast(),
        "sector" | "cache-line" => pen.sectors(),
        "coalescing" | "transaction" | "efficiency" => pen.coalescing(),
        "divergence" | "active-mask" | "stall-branch-resolving" => pen.divergence(),
        "scoreboard" | "stall-long-scoreboard" | "stall-short-scoreboard" => pen.scoreboard(),
        "block-barrier" | "stall-barrier" => pen.barrier(),
        "occupancy" | "resident" | "warp-slot" => pen.occupancy(),
        "l1" | "cache-set" | "cache-way" | "eviction" => pen.cache_set(),
        "carveout" => pen.carveout(),
        "warp-scheduler" | "issue-slot" | "eligible-warp" => pen.scheduler(),
        "mio-queue" | "mio" | "stall-mio-throttle" => pen.queue(),
        "latency-hiding" | "latency" => pen.latency(),
        _ => return None,
    }
    let (width, height) = SIZE;
    Some(format!(
        "<svg viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" aria-hidden=\"true\">{}</svg>",
        pen.svg
    ))
}

/// An SVG drawing.
#[derive(Default)]
struct Pen {
    svg: String,
}

impl Pen {
    fn put(&mut self, shape: std::fmt::Arguments<'_>) {
        // Writing to a string does not fail.
        let _ = self.svg.write_fmt(shape);
    }

    fn rect(&mut self, (x, y, w, h): (f32, f32, f32, f32), fill: &str) {
        self.put(format_args!(
            "<rect x=\"{x}\" y=\"{y}\" width=\"{w}\" height=\"{h}\" fill=\"var(--{fill})\"/>"
        ));
    }

    fn frame(&mut self, (x, y, w, h): (f32, f32, f32, f32), line: &str) {
        self.put(format_args!(
            "<rect x=\"{x}\" y=\"{y}\" width=\"{w}\" height=\"{h}\" fill=\"none\" stroke=\"var(--{line})\"/>"
        ));
    }

    fn line(&mut self, (x1, y1, x2, y2): (f32, f32, f32, f32), color: &str, width: f32) {
        self.put(format_args!(
            "<path d=\"M{x1} {y1}L{x2} {y2}\" stroke=\"var(--{color})\" stroke-width=\"{width}\" fill=\"none\"/>"
        ));
    }

    fn text(&mut self, x: f32, y: f32, text: &str) {
        self.put(format_args!(
            "<text x=\"{x}\" y=\"{y}\" font-size=\"11\" fill=\"var(--ink-2)\">{text}</text>"
        ));
    }

    /// 32 lanes that execute one instruction.
    fn warp(&mut self) {
        self.text(0.5, 11.0, "one instruction, 32 lanes");
        for lane in 0..32 {
            self.rect((lane as f32 * 9.5, 24.0, 8.0, 26.0), "st-issue");
        }
        self.text(0.5, 68.0, "lane 0");
        self.text(276.0, 68.0, "31");
    }

    fn bank_row(&mut self, hits: &[(usize, usize)]) {
        for bank in 0..32 {
            self.frame((bank as f32 * 9.5 + 0.5, 46.5, 8.0, 12.0), "line-2");
        }
        for lane in 0..32 {
            self.frame((lane as f32 * 9.5 + 0.5, 14.5, 8.0, 8.0), "edge");
        }
        for (lane, bank) in hits {
            let (from, to) = (*lane as f32 * 9.5 + 4.5, *bank as f32 * 9.5 + 4.5);
            self.rect((to - 4.0, 47.0, 8.0, 11.0), "st-issue");
            self.line((from, 23.0, to, 46.0), "st-issue", 1.0);
        }
        self.text(0.5, 10.0, "lanes");
        self.text(0.5, 72.0, "bank 0");
        self.text(276.0, 72.0, "31");
    }

    /// Each lane accesses another bank.
    fn banks(&mut self) {
        let hits: Vec<(usize, usize)> = (0..32).map(|lane| (lane, lane)).collect();
        self.bank_row(&hits);
    }

    /// All lanes access one bank.
    fn conflict(&mut self) {
        let hits: Vec<(usize, usize)> = (0..32).map(|lane| (lane, 8)).collect();
        self.bank_row(&hits);
    }

    /// All lanes read one word.
    fn broadcast(&mut self) {
        let hits: Vec<(usize, usize)> = (0..32).map(|lane| (lane, 16)).collect();
        self.bank_row(&hits);
        self.text(170.0, 72.0, "one word, one wavefront");
    }

    /// Four passes of one access, one after another.
    fn wavefronts(&mut self) {
        self.text(0.5, 11.0, "one access, 4 wavefronts");
        for (pass, fill) in ["pass-1", "pass-2", "pass-3", "pass-5"].iter().enumerate() {
            let y = 18.0 + pass as f32 * 13.0;
            for lane in 0..8 {
                self.rect((((lane * 4 + pass) as f32) * 9.5, y, 8.0, 10.0), fill);
            }
        }
    }

    /// A line of four sectors, one of them fetched.
    fn sectors(&mut self) {
        self.text(0.5, 11.0, "a cache line: 4 sectors of 32 bytes");
        for sector in 0..4 {
            let x = sector as f32 * 76.0;
            if sector == 1 {
                self.rect((x, 22.0, 72.0, 26.0), "st-issue");
            }
            self.frame((x + 0.5, 22.5, 72.0, 26.0), "edge");
        }
        self.text(78.0, 66.0, "one load fetches only this sector");
    }

    /// Used and wasted bytes of two access patterns.
    fn coalescing(&mut self) {
        self.text(0.5, 12.0, "adjacent words: 4 sectors");
        for sector in 0..4 {
            self.rect((sector as f32 * 19.0, 17.0, 17.0, 14.0), "st-issue");
        }
        self.text(0.5, 48.0, "every eighth word: 32 sectors, 12.5 % used");
        for sector in 0..16 {
            let x = sector as f32 * 19.0;
            self.frame((x + 0.5, 53.5, 17.0, 14.0), "st-throttle");
            self.rect((x + 1.0, 54.0, 3.0, 13.0), "st-issue");
        }
    }

    /// Two sides of a branch, one after the other.
    fn divergence(&mut self) {
        self.text(0.5, 11.0, "if");
        self.text(0.5, 46.0, "else");
        for lane in 0..24 {
            let x = 40.0 + lane as f32 * 11.0;
            let on = lane % 3 == 0;
            for (y, active) in [(2.0, on), (36.0, !on)] {
                if active {
                    self.rect((x, y, 9.0, 24.0), "st-issue");
                } else {
                    self.frame((x + 0.5, y + 0.5, 8.0, 23.0), "line-2");
                }
            }
        }
        self.text(40.0, 73.0, "the sides issue one after the other");
    }

    /// A load, its latency, and the instruction that needs its result.
    fn scoreboard(&mut self) {
        self.rect((0.0, 24.0, 10.0, 24.0), "st-issue");
        self.rect((10.0, 36.0, 250.0, 12.0), "st-long");
        self.rect((260.0, 24.0, 10.0, 24.0), "st-issue");
        self.text(0.5, 16.0, "R4 = load");
        self.text(212.0, 16.0, "R4 is read");
        self.text(80.0, 66.0, "the scoreboard holds R4");
    }

    /// Warps that arrive at a barrier one after another.
    fn barrier(&mut self) {
        for (row, end) in [120.0_f32, 190.0, 70.0, 240.0].iter().enumerate() {
            let y = 6.0 + row as f32 * 15.0;
            self.rect((0.0, y, *end, 10.0), "st-issue");
            self.rect((*end, y + 3.0, 250.0 - end, 7.0), "st-barrier");
        }
        self.line((250.5, 0.0, 250.5, 64.0), "ink", 2.0);
        self.text(170.0, 73.0, "the last warp releases all");
    }

    /// Warp slots of an SM, some of them in use.
    fn occupancy(&mut self) {
        self.text(0.5, 11.0, "16 of 32 warp slots: 50 %");
        for slot in 0..32 {
            let (x, y) = ((slot % 16) as f32 * 19.0, 20.0 + (slot / 16) as f32 * 26.0);
            if slot < 16 {
                self.rect((x, y, 16.0, 20.0), "st-issue");
            }
            self.frame((x + 0.5, y + 0.5, 15.0, 19.0), "edge");
        }
    }

    /// A set of four ways, one of them replaced.
    fn cache_set(&mut self) {
        self.text(0.5, 11.0, "a set of 4 ways");
        for way in 0..4 {
            let x = way as f32 * 76.0;
            self.rect(
                (x, 20.0, 72.0, 24.0),
                if way == 2 { "st-long" } else { "st-short" },
            );
        }
        self.line((188.0, 60.0, 188.0, 46.0), "ink", 1.5);
        self.text(60.0, 70.0, "a miss in a full set evicts one line");
    }

    /// One memory, split into L1 and shared memory.
    fn carveout(&mut self) {
        self.rect((0.0, 18.0, 190.0, 30.0), "st-short");
        self.frame((190.5, 18.5, 113.0, 29.0), "edge");
        self.line((190.0, 10.0, 190.0, 56.0), "ink", 3.0);
        self.text(0.5, 11.0, "L1");
        self.text(200.0, 11.0, "shared memory");
        self.text(120.0, 70.0, "the carveout moves the edge");
    }

    /// A scheduler that selects one of its eligible warps.
    fn scheduler(&mut self) {
        for (row, fill) in ["st-long", "st-issue", "st-eligible", "st-barrier"]
            .iter()
            .enumerate()
        {
            let y = 2.0 + row as f32 * 18.0;
            self.frame((0.5, y + 0.5, 130.0, 15.0), "line-2");
            self.rect((4.0, y + 4.0, 8.0, 8.0), fill);
        }
        self.text(20.0, 14.0, "stalls");
        self.text(20.0, 32.0, "selected");
        self.text(20.0, 50.0, "eligible");
        self.text(20.0, 68.0, "stalls");
        self.line((131.0, 28.0, 200.0, 28.0), "st-issue", 2.0);
        self.frame((200.5, 14.5, 100.0, 28.0), "edge");
        self.text(228.0, 32.0, "pipe");
    }

    /// A full queue in front of a unit.
    fn queue(&mut self) {
        for entry in 0..8 {
            self.rect((entry as f32 * 22.0, 26.0, 19.0, 22.0), "st-throttle");
        }
        self.line((178.0, 37.0, 210.0, 37.0), "st-issue", 2.0);
        self.frame((210.5, 20.5, 90.0, 34.0), "st-issue");
        self.text(242.0, 41.0, "LSU");
        self.text(0.5, 16.0, "MIO queue: full");
    }

    /// Warps whose issues fill each other's waits.
    fn latency(&mut self) {
        for row in 0..4 {
            let y = 4.0 + row as f32 * 16.0;
            for turn in 0..3 {
                let x = row as f32 * 24.0 + turn as f32 * 98.0;
                self.rect((x, y, 22.0, 12.0), "st-issue");
                let wait = (74.0_f32).min(304.0 - x - 22.0).max(0.0);
                self.rect((x + 22.0, y + 6.0, wait, 6.0), "st-long");
            }
        }
        self.text(0.5, 73.0, "while some warps wait, another issues");
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::glossary::{term, terms};

    #[test]
    fn pictures_belong_to_terms_and_stay_in_their_frame() {
        let drawn: Vec<String> = terms().filter_map(|term| picture(term.id)).collect();
        let mut different = drawn.clone();
        different.sort();
        different.dedup();
        assert!(different.len() >= 14, "{}", different.len());
        for id in [
            "bank",
            "sector",
            "wavefront",
            "divergence",
            "scoreboard",
            "block-barrier",
            "occupancy",
        ] {
            assert!(term(id).is_some() && picture(id).is_some(), "{id}");
        }
        for svg in &different {
            assert!(svg.starts_with("<svg") && svg.ends_with("</svg>"));
            assert!(!svg.contains("script") && !svg.contains("NaN"));
            for number in svg.split(" x=\"").skip(1) {
                let x: f32 = number.split('"').next().unwrap().parse().unwrap();
                assert!((0.0..=SIZE.0 as f32).contains(&x), "{x} in {svg}");
            }
        }
    }
}
