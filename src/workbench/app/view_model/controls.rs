//! Rows of options of the views.

use super::*;
use crate::app::choice::control;
use crate::app::{Choice, Control};
use crate::run_option::ButtonId;
use crate::scene::{Breakdown, Cells, CodePart, Counters, LaneRows, LaneZoom, MemoryPart, Period, Setting};
use engine::arch::BankSize;
use engine::trace::Direction;

impl Session {
    /// A view's rows of options.
    pub fn controls(&self, view: View) -> Vec<Control> {
        let settings = &self.ui.state.settings;
        match view {
            View::Banks | View::Coalescing => {
                let mut rows = vec![self.play_control()];
                if self.ui.playground.is_none() {
                    rows.extend(self.request_controls(view));
                }
                rows.extend((view == View::Banks).then(|| self.bank_control()).flatten());
                rows
            }
            View::Registers => scene::register_controls(self.shown().frame().as_ref(), settings)
                .into_iter()
                .map(|control| control.map(Choice::Set))
                .collect(),
            View::Source => self.code_controls(),
            View::Divergence => self.divergence_controls(),
            View::Caches => self.cache_controls(),
            View::Carveout if !self.is_comparing() => self.sweep_controls(),
            View::Compare if self.is_comparing() => vec![self.period_control()],
            View::Stalls => self.stall_controls(),
            View::Plots => scene::plot_controls(self.shown().frame().as_ref(), &settings.plot)
                .into_iter()
                .map(|control| control.map(Choice::Set))
                .collect(),
            View::Findings => self.advice_controls(),
            View::Device => self.device_controls(),
            View::Streams => self.streams_controls(),
            View::Arithmetic => self.arithmetic_controls(),
            View::Tensor => self.tensor_controls(),
            _ => Vec::new(),
        }
    }

    /// The counters beside the code, and the parts of the code that fit in the view.
    fn code_controls(&self) -> Vec<Control> {
        let settings = &self.ui.state.settings;
        let width = self.width_of(View::Source);
        let shown = settings.code.in_width(width);
        // A phone has no room for both.
        let room = |part: &CodePart| part.in_width(width) == *part;
        let parts = CodePart::ALL.into_iter().filter(room);
        let parts = parts.map(|part| (part.name(), Choice::Set(Setting::Code(part)), part == shown));
        vec![
            control(
                "counters",
                "Counters",
                Counters::ALL.map(|counters| {
                    let chosen = counters == settings.counters;
                    (counters.id(), Choice::Set(Setting::Counters(counters)), chosen)
                }),
            ),
            control("code", "Show", parts),
        ]
    }

    /// The breakdown of the stalls, and the cycles that the view covers.
    fn stall_controls(&self) -> Vec<Control> {
        let settings = &self.ui.state.settings;
        vec![
            control(
                "by",
                "By",
                Breakdown::ALL.map(|by| {
                    (
                        by.id(),
                        Choice::Set(Setting::Breakdown(by)),
                        by == settings.breakdown,
                    )
                }),
            ),
            self.period_control(),
        ]
    }

    /// The rows of lanes, and, if no warp of the run diverges, example kernels with divergence.
    fn divergence_controls(&self) -> Vec<Control> {
        let settings = &self.ui.state.settings;
        let rows = LaneRows::ALL.map(|rows| {
            (
                rows.id(),
                Choice::Set(Setting::LaneRows(rows)),
                rows == settings.lane_rows,
            )
        });
        let zoom = LaneZoom::ALL.map(|zoom| {
            (
                zoom.id(),
                Choice::Set(Setting::LaneZoom(zoom)),
                zoom == settings.lane_zoom,
            )
        });
        let mut controls = vec![control("rows", "Rows", rows), control("weave", "Zoom", zoom)];
        if self.shown().frame().is_some_and(|frame| scene::is_whole(&frame)) {
            let kernels = scene::DIVERGENT_KERNELS
                .iter()
                .map(|(id, name)| (*name, Choice::Kernel(id), false));
            controls.push(control("kernel", "Kernels with divergence", kernels));
        }
        controls
    }

    /// What the cells show, the neighbors of the shown instruction, and kernels with tensor cores if there is none.
    fn tensor_controls(&self) -> Vec<Control> {
        let shown = self.shown();
        let has_product = shown
            .frame()
            .is_some_and(|frame| scene::has_product(&frame, &shown.state));
        if !has_product {
            let kernels = scene::TENSOR_KERNELS
                .iter()
                .map(|(id, name)| (*name, Choice::Kernel(id), false));
            return vec![control("kernel", "Kernels", kernels)];
        }
        let now = self.ui.state.settings.cells;
        let cells = Cells::ALL.map(|cells| (cells.id(), Choice::Set(Setting::Cells(cells)), cells == now));
        let steps = [
            ("previous", Choice::Product(Direction::Backward), false),
            ("next", Choice::Product(Direction::Forward), false),
        ];
        vec![
            control("cells", "Cells", cells),
            control("product", "Instruction", steps),
        ]
    }

    /// The bank width, if the host can choose it.
    fn bank_control(&self) -> Option<Control> {
        let now = self.setup().machine.bank_size;
        let options = BankSize::ALL.map(|size| {
            let (name, value) = match size {
                BankSize::FourByte => ("4 bytes", "4"),
                BankSize::EightByte => ("8 bytes", "8"),
            };
            (name, button("banksize", value), size == now)
        });
        self.has_bank_choice()
            .then(|| control("banks", "Bank width", options))
    }

    /// The choice of cache, and, if the architecture leaves it to the compiler, whether global loads are cached in
    /// L1.
    fn cache_controls(&self) -> Vec<Control> {
        let shown = self.ui.state.settings.cache;
        let has_texture = self.arch().memory.texture.is_some();
        let kinds = MemoryPart::ALL
            .into_iter()
            .filter(|part| has_texture || *part != MemoryPart::Texture || shown == *part)
            .map(|part| (part.name(), Choice::Set(Setting::Cache(part)), part == shown));
        let mut controls = vec![control("cache", "Show", kinds)];
        let l1 = self.arch().memory.l1.as_ref();
        let is_open = l1.is_some_and(|l1| l1.globals_can_opt_in.value || l1.globals_can_opt_out.value);
        if is_open && shown == MemoryPart::L1 {
            let chosen = self.setup().machine.load_caching.in_l1(self.arch());
            let options = [
                ("cached in L1 (-dlcm=ca)", button("dlcm", "ca"), chosen),
                ("L2 only (-dlcm=cg)", button("dlcm", "cg"), !chosen),
            ];
            controls.push(control("dlcm", "Global loads", options));
        }
        if shown == MemoryPart::Device {
            let kernels = scene::STREAM_KERNELS
                .iter()
                .map(|(id, name)| (*name, Choice::Kernel(id), false));
            controls.push(control("kernel", "Kernels that copy", kernels));
        }
        controls
    }

    /// The cycles that a view covers.
    fn period_control(&self) -> Control {
        control(
            "of",
            "Of",
            Period::ALL
                .into_iter()
                // Without a range, the range is not selectable.
                .filter(|of| *of != Period::Range || self.range().is_some())
                .map(|of| {
                    let chosen = self.view_state().period() == of;
                    (of.name(), Choice::Set(Setting::Period(of)), chosen)
                }),
        )
    }
}

/// The choice of a run option's value.
const fn button(key: &'static str, value: &'static str) -> Choice {
    Choice::Option(ButtonId { key, value })
}
