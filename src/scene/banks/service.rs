//! Which request the view shows, and how far its service is.

use super::super::ViewState;
use super::super::requests::shown_request;
use super::plan;
use crate::ids::{Cycle, LaneMask};
use crate::trace::{AccessFamily, AccessRow, Frame};

/// The request that the view shows: the chosen one, else the one in service, else the last, else
/// the next. Its index.
pub fn shown_access(frame: &Frame, view: &ViewState) -> Option<u32> {
    shown_request(frame, view, AccessFamily::Shared)
}

/// The wavefront that the view shows, from 0; the number of wavefronts where all were served.
pub fn shown_wavefront(frame: &Frame, view: &ViewState, row: &AccessRow) -> u16 {
    if let Some(chosen) = view.wavefront {
        return chosen.min(row.wavefronts);
    }
    let pass = u64::from(frame.arch().memory.shared.pass_interval_cycles.value).max(1);
    let Some(since) = frame.cycle().0.checked_sub(row.started.0) else {
        return 0;
    };
    u16::try_from(since / pass)
        .unwrap_or(u16::MAX)
        .min(row.wavefronts)
}

/// The pass of shared memory that is in service at a cycle.
pub(in crate::scene) struct PassInService {
    pub(in crate::scene) row: AccessRow,
    /// Which wavefront, from 0.
    pub(in crate::scene) index: u16,
    pub(in crate::scene) lanes: LaneMask,
    /// Lanes and the banks they ask; of wide accesses the first bank.
    pub(in crate::scene) links: Vec<(u32, u32)>,
    pub(in crate::scene) banks: Vec<u32>,
    /// Whether a word goes to several lanes.
    pub(in crate::scene) broadcast: bool,
}

/// The pass in service, if one is.
pub(in crate::scene) fn pass_in_service(frame: &Frame) -> Option<PassInService> {
    let interval = u64::from(frame.arch().memory.shared.pass_interval_cycles.value).max(1);
    let idx = frame.record().shared_access_at(frame.cycle(), interval)?;
    let row = frame.record().access(idx)?;
    let access = frame.trace().access_detail(idx)?;
    let index = ((frame.cycle().0 - row.started.0) / interval) as u16;
    let served = plan::analysis(frame.banks(), &access);
    let (_, pass) = served.passes().nth(usize::from(index))?;
    let mut banks: Vec<u32> = pass.words.iter().map(|word| u32::from(word.bank)).collect();
    banks.sort_unstable();
    banks.dedup();
    let mut links: Vec<(u32, u32)> = Vec::new();
    for word in &pass.words {
        for lane in word.lanes.lanes() {
            if !links.iter().any(|(of, _)| *of == lane) {
                links.push((lane, u32::from(word.bank)));
            }
        }
    }
    Some(PassInService {
        row,
        index,
        lanes: pass.lanes(),
        links,
        banks,
        broadcast: pass.words.iter().any(|word| word.lanes.count() > 1),
    })
}

/// The cycles in which a request's wavefronts are served.
pub fn service(frame: &Frame, row: &AccessRow) -> (Cycle, Cycle) {
    let pass = u64::from(frame.arch().memory.shared.pass_interval_cycles.value).max(1);
    (
        row.started,
        Cycle(row.started.0 + u64::from(row.wavefronts.max(1)) * pass),
    )
}
