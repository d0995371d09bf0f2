//! Events that change the kernel and its setup.

use super::*;
use crate::app::LaunchField;
use crate::app::host::HostCode;
use crate::app::session::selected;
use crate::library;
use crate::run_option::{ButtonId, RunOption};
use crate::scene::{Sets, ViewState, legal_carveout};
use crate::share::Setup;

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

/// Presses the button of an option.
pub(super) fn press(setup: &mut Setup, button: ButtonId) {
    if let Some(option) = RunOption::of_key(button.key) {
        let mut options = setup.options();
        option.press(&mut options, button.value);
        setup.set_options(options);
    }
}
