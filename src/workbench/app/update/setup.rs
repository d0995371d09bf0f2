//! Events that change the kernel and its setup.

use super::*;
use crate::app::host::HostCode;
use crate::app::session::selected;
use crate::app::{LaunchField, Switch};
use crate::library;
use crate::scene::{Sets, ViewState, legal_carveout};
use crate::share::Setup;
use engine::sim::{LoadCaching, SchedulerPolicy};

/// Replaces the kernel with a kernel of the library.
pub(super) fn kernel(session: &mut Session, id: &str) -> Vec<Effect> {
    let Some(kernel) = library::kernel(id) else {
        return Vec::new();
    };
    session.edit_ms = None;
    let replaces = session.setup().source.is_some();
    let side = session.side_mut();
    side.drafts.clear();
    side.host = HostCode::default();
    let effects = session.commit(|session| {
        session.ui.name = None;
        session.change_setup(|setup| {
            let Setup {
                arch,
                compile,
                machine,
                ..
            } = *setup;
            *setup = Setup {
                kernel: kernel.id.to_owned(),
                arch,
                compile,
                machine,
                ..Setup::of(&Scenario::default())
            };
        });
    });
    kernel.source.clone_into(&mut session.side_mut().text);
    session.seek(0);
    session.ui.range = None;
    session.ui.state = ViewState {
        settings: session.ui.state.settings,
        ..selected(0)
    };
    if replaces {
        session.say("Your code was replaced. Undo restores it.");
    }
    effects
}

/// Sets the parameter that a chart varies along its x axis.
pub(super) fn plot(session: &mut Session, sets: Sets, x: f64) -> Vec<Effect> {
    let x = x.max(0.0) as u32;
    match sets {
        Sets::Nothing => Vec::new(),
        Sets::BlockThreads => {
            // A block keeps its y and z dimensions while they divide the number of threads.
            let [width, _, depth] = session.setup().launch().block;
            let slice = (width * depth).max(1);
            let block = if x.is_multiple_of(slice) {
                format!("{width}x{}x{depth}", x / slice)
            } else {
                x.to_string()
            };
            form::enter(session, LaunchField::Block, block)
        }
        Sets::SharedKib => {
            let program = session.derived().program();
            let fixed = program.map_or(0, |program| program.static_shared_bytes);
            let dynamic = (x * 1024).saturating_sub(fixed);
            form::enter(session, LaunchField::DynamicShared, dynamic.to_string())
        }
        Sets::Carveout => {
            let kib = legal_carveout(session.arch(), x);
            session.change(|setup| setup.machine.carveout_kib = Some(kib))
        }
    }
}

/// Flips a switch of the setup.
pub(super) fn toggle(setup: &mut Setup, switch: Switch) {
    match switch {
        Switch::FastMath => setup.compile.fast_math = !setup.compile.fast_math,
        Switch::NoFusedMultiplyAdd => setup.compile.fmad = !setup.compile.fmad,
        Switch::FlushToZero => setup.compile.ftz = !setup.compile.ftz,
        Switch::FastDivision => setup.compile.prec_div = !setup.compile.prec_div,
        Switch::FastRoot => setup.compile.prec_sqrt = !setup.compile.prec_sqrt,
        Switch::VoltaCode => {
            setup.compile.capability = setup.compile.capability.xor(Some(700));
        }
        Switch::Pointers32Bit => setup.compile.pointers_32_bit = !setup.compile.pointers_32_bit,
        Switch::CacheGlobal => {
            setup.machine.load_caching = match setup.machine.load_caching {
                LoadCaching::Cg => LoadCaching::Default,
                LoadCaching::Default | LoadCaching::Ca => LoadCaching::Cg,
            };
        }
        Switch::RoundRobin => {
            setup.machine.policy = match setup.machine.policy {
                SchedulerPolicy::Lrr => SchedulerPolicy::Chip,
                SchedulerPolicy::Chip | SchedulerPolicy::Gto | SchedulerPolicy::TwoLevel => {
                    SchedulerPolicy::Lrr
                }
            };
        }
        Switch::Adversarial => setup.machine.adversarial = !setup.machine.adversarial,
    }
}
