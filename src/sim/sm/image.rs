//! The SM's state as bytes. What does not change during a run is not among them.

use super::super::codec::{Reader, Section, Writer, name};
use super::super::memory::{DeviceMemory, PAGE_BYTES};
use super::Sm;

impl Sm {
    /// Writes all that changes; pages of memory only where they are not those of `start`.
    pub(in crate::sim) fn write_state(&self, start: &DeviceMemory, to: &mut Writer) {
        to.section(name(Section::Whole, 0), |to| {
            to.put(&self.prepared);
            to.put(&self.told);
            to.put(&self.wake);
            to.put(&self.watches);
        });
        for (idx, warp) in self.warps.iter().enumerate() {
            to.section(name(Section::Warp, idx as u64), |to| warp.write_state(to));
            to.section(name(Section::Lanes, idx as u64), |to| to.put(&warp.lanes));
        }
        to.section(name(Section::Pipes, 0), |to| to.put(&self.pipes));
        for (idx, scheduler) in self.schedulers.iter().enumerate() {
            to.section(name(Section::Pipes, 1 + idx as u64), |to| to.put(scheduler));
        }
        for (idx, queue) in self.mio.iter().enumerate() {
            to.section(name(Section::Queue, 1 + idx as u64), |to| to.put(queue));
        }
        to.section(name(Section::Queue, 0), |to| to.put(&self.lg));
        to.section(name(Section::Requests, 0), |to| to.put(&self.requests));
        self.blocks.write_state(to);
        self.lsu.write_state(to);
        for (allocation, page, bytes) in self.device.pages_since(start) {
            let which = u64::from(allocation) << 32 | u64::from(page);
            to.section(name(Section::Page, which), |to| {
                to.put(&(allocation, page));
                to.raw(bytes);
            });
        }
        to.section(name(Section::Page, END), |to| to.put(&(u32::MAX, 0_u32)));
    }

    /// Reads what [`Sm::write_state`] wrote into a machine that is at its start.
    pub(in crate::sim) fn read_state(&mut self, from: &mut Reader) {
        self.prepared = from.get();
        self.told = from.get();
        self.wake = from.get();
        self.watches = from.get();
        for warp in &mut self.warps {
            warp.read_state(from);
            warp.lanes = from.get();
        }
        self.pipes = from.get();
        for scheduler in &mut self.schedulers {
            *scheduler = from.get();
        }
        for queue in &mut self.mio {
            *queue = from.get();
        }
        self.lg = from.get();
        self.requests = from.get();
        self.blocks.read_state(from);
        self.lsu.read_state(from);
        loop {
            let (allocation, page): (u32, u32) = from.get();
            if allocation == u32::MAX {
                return;
            }
            match from.take(PAGE_BYTES).first_chunk() {
                Some(bytes) if self.device.set_page(allocation, page, *bytes) => {}
                _ => return from.damage(),
            }
        }
    }
}

/// After the last page.
const END: u64 = (1 << 48) - 1;
