//! The request that the Banks view shows, and its progress.

use super::super::ViewState;
use super::super::requests::shown_request;
use super::plan;
use engine::ids::LaneMask;
use engine::sim::view::PassView;
use engine::trace::{AccessFamily, AccessRow, Frame};

/// Index of the request that the view shows: the chosen request, else the request in service, else the last
/// request, else the next request.
pub fn shown_access(frame: &Frame, view: &ViewState) -> Option<u32> {
    shown_request(frame, view, AccessFamily::Shared)
}

/// The wavefront that the view shows, from 0; the number of wavefronts if all were served. If schedulers
/// alternate at the units, the wavefront that was served last.
pub fn shown_wavefront(frame: &Frame, view: &ViewState, row: &AccessRow) -> u16 {
    if let Some(chosen) = view.wavefront {
        return chosen.min(row.wavefronts);
    }
    let Some(since) = frame.cycle().0.checked_sub(row.started.0) else {
        return 0;
    };
    if frame.arch().memory.unit_gate.is_some() {
        let mut passes = frame.snapshot().passes.iter();
        let its = |pass: &&PassView| (pass.slot, pass.pc, pass.issued) == (row.slot, row.pc, row.issued);
        return passes.find(its).map_or(row.wavefronts, |pass| {
            row.wavefronts.saturating_sub(pass.left).saturating_sub(1)
        });
    }
    let pass = u64::from(frame.arch().memory.shared.pass_interval_cycles.value).max(1);
    u16::try_from(since / pass)
        .unwrap_or(u16::MAX)
        .min(row.wavefronts)
}

/// The shared memory pass in service at a cycle.
pub(in crate::scene) struct PassInService {
    pub(in crate::scene) row: AccessRow,
    /// Index of the wavefront, from 0.
    pub(in crate::scene) index: u16,
    pub(in crate::scene) lanes: LaneMask,
    /// Lanes and the banks that they access; the first bank of a wide access.
    pub(in crate::scene) links: Vec<(u32, u32)>,
    pub(in crate::scene) banks: Vec<u32>,
    /// Whether the pass broadcasts a word to several lanes.
    pub(in crate::scene) broadcast: bool,
}

/// The access in service at the cycle, and the index of its pass, from 0.
fn in_service(frame: &Frame) -> Option<(u32, AccessRow, u16)> {
    if frame.arch().memory.unit_gate.is_some() {
        let pass = frame.snapshot().passes.iter().find(|pass| pass.is_now)?;
        let (idx, row) = frame.record().shared_access_issued(pass.slot, pass.issued)?;
        let index = row.wavefronts.checked_sub(pass.left + 1)?;
        return Some((idx, row, index));
    }
    let interval = u64::from(frame.arch().memory.shared.pass_interval_cycles.value).max(1);
    let idx = frame.record().shared_access_at(frame.cycle(), interval)?;
    let row = frame.record().access(idx)?;
    let index = ((frame.cycle().0 - row.started.0) / interval) as u16;
    Some((idx, row, index))
}

/// The pass in service, if any.
pub(in crate::scene) fn pass_in_service(frame: &Frame) -> Option<PassInService> {
    let (idx, row, index) = in_service(frame)?;
    let access = frame.trace().access_detail(idx)?;
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
