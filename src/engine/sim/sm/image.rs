//! The SM's state as an image. The image holds only state that changes during a run.

use super::super::image::{ImageReader, ImageWriter, Part, Section};
use super::super::memory::{DeviceMemory, Page};
use super::Sm;

impl Sm {
    /// Writes all state that changes into an image. Of device memory, it writes the given pages.
    pub(in crate::sim) fn write_state<'a>(
        &self,
        pages: impl Iterator<Item = (u32, u32, &'a Page)>,
        to: &mut ImageWriter,
    ) {
        let Self {
            warps,
            prepared,
            last_reported,
            schedulers,
            ready_sets,
            wake,
            turn,
            pipes,
            mio,
            lg,
            lsu_arbiter,
            lsu,
            // The caller passes the pages.
            device: _,
            blocks,
            // The machine's outcome holds the fault.
            fault: _,
            landings,
            num_accesses,
            requests,
            // Alone, an SM refills at once; the image of a machine on a device has the cycle.
            refill_at: _,
        } = self;
        to.section(Section::Sm, 0, |to| {
            to.put(prepared);
            to.put(last_reported);
            to.put(wake);
            to.put(turn);
            to.put(ready_sets);
            to.put(num_accesses);
        });
        for (warp, idx) in warps.iter().zip(0..) {
            warp.write_state(idx, to);
        }
        to.put(Section::Pipes, 0, pipes);
        to.put(Section::Pipes, 1, lsu_arbiter);
        for (scheduler, idx) in schedulers.iter().zip(0..) {
            to.put(Section::Scheduler, idx, scheduler);
        }
        to.put(Section::Queue, 0, lg);
        for (queue, idx) in mio.iter().zip(1..) {
            to.put(Section::Queue, idx, queue);
        }
        to.put(Section::Requests, 0, requests);
        to.put(Section::Requests, 1, landings);
        blocks.write_state(to);
        lsu.write_state(to);
        for (allocation, page, bytes) in pages {
            let which = u64::from(allocation) << 32 | u64::from(page);
            to.part(Section::Page, which, Part::Page(Page::clone(bytes)));
        }
    }

    /// Restores the state that [`Sm::write_state`] wrote into a machine in its initial state.
    pub(in crate::sim) fn read_state(&mut self, from: &mut ImageReader) {
        from.section(Section::Sm, 0, |from| {
            self.prepared = from.get();
            self.last_reported = from.get();
            self.wake = from.get();
            self.turn = from.get();
            self.ready_sets = from.get();
            self.num_accesses = from.get();
        });
        for (warp, idx) in self.warps.iter_mut().zip(0..) {
            warp.read_state(idx, from);
        }
        from.get(Section::Pipes, 0, &mut self.pipes);
        from.get(Section::Pipes, 1, &mut self.lsu_arbiter);
        for (scheduler, idx) in self.schedulers.iter_mut().zip(0..) {
            from.get(Section::Scheduler, idx, scheduler);
        }
        from.get(Section::Queue, 0, &mut self.lg);
        for (queue, idx) in self.mio.iter_mut().zip(1..) {
            from.get(Section::Queue, idx, queue);
        }
        from.get(Section::Requests, 0, &mut self.requests);
        from.get(Section::Requests, 1, &mut self.landings);
        self.blocks.read_state(from);
        self.lsu.read_state(from);
        self.read_pages(from);
    }

    fn read_pages(&mut self, from: &mut ImageReader) {
        let device: &mut DeviceMemory = &mut self.device;
        for (which, part) in from.all(Section::Page) {
            let page = part.page();
            if !page.is_some_and(|page| device.set_page((which >> 32) as u32, which as u32, page)) {
                return from.damage();
            }
        }
    }
}
