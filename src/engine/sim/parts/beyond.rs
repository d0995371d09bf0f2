//! The memory beyond SMs that run apart: at the end of a quantum, it serves what they requested.

use crate::arch::Architecture;
use crate::sim::cache::ALL_BYTES;
use crate::sim::device::Load;
use crate::sim::dram::{Common, FarMemory};
use crate::sim::lsu::Misses;
use crate::sim::outbox::{Request, Requested, Tick};

/// The memory beyond the SMs, as all of them reach it.
#[derive(Clone, Debug)]
pub(super) struct Beyond {
    pub(super) common: Box<Common>,
    ports: Vec<Port>,
}

/// The way of one SM to the memory beyond it.
#[derive(Clone, Debug)]
struct Port {
    far: FarMemory,
    misses: Misses,
}

impl Port {
    /// Serves a request. Returns the cycle of the answer.
    fn serve(&mut self, request: &Request) -> u64 {
        let far = &mut self.far;
        match *request {
            Request::Miss {
                sector,
                bytes,
                unit,
                at,
            } => {
                let out = self.misses.slot(at);
                let mut arrives = 0;
                let mut base = sector;
                while base < sector + u64::from(bytes) {
                    arrives = arrives.max(far.read(base, unit, || ALL_BYTES, out).at);
                    base += u64::from(unit);
                }
                self.misses.note(arrives);
                arrives
            }
            Request::Read {
                address,
                bytes,
                wanted,
                at,
            } => far.read(address, bytes, || wanted, at).at,
            Request::Write {
                address,
                bytes,
                written,
                is_back,
                at,
            } => far.write(address, bytes, written, is_back, at).at,
            Request::Atomic { update, at } => far.atomic(update, at),
            Request::Constants { bytes, at } => far.constants_through_port(bytes, at),
        }
    }
}

/// What an SM sent in one cycle: ranges of its requests or its accesses.
#[derive(Clone, Copy, Debug)]
pub(super) struct Turn {
    pub(super) sm: u16,
    pub(super) first: u32,
    pub(super) end: u32,
}

/// The cycles of a quantum, with what each SM sent in each, in the order of the SMs.
#[derive(Clone, Debug, Default)]
pub(super) struct Agenda {
    pub(super) cycles: Vec<Vec<Turn>>,
}

impl Agenda {
    /// Lists what was sent from cycle `from` on. `all`: what each SM sent.
    pub(super) fn list<'a>(&mut self, from: u64, all: impl Iterator<Item = &'a [Tick]>) {
        for turns in &mut self.cycles {
            turns.clear();
        }
        for (sm, ticks) in (0..).zip(all) {
            let mut first = 0;
            for &Tick { cycle, end } in ticks {
                let idx = (cycle - from) as usize;
                if self.cycles.len() <= idx {
                    self.cycles.resize_with(idx + 1, Vec::new);
                }
                self.cycles[idx].push(Turn { sm, first, end });
                first = end;
            }
        }
    }
}

impl Beyond {
    /// The cycle in which all atomic updates are done.
    pub(super) fn updates_end(&self) -> u64 {
        self.common.updates_end()
    }

    pub(super) fn new(arch: &Architecture, num_sms: u16) -> Self {
        Self {
            common: Box::new(Common::new(arch, num_sms.into())),
            ports: (0..num_sms)
                .map(|sm| Port {
                    far: FarMemory::of_device(arch, sm),
                    misses: Misses::new(arch),
                })
                .collect(),
        }
    }

    /// Serves the requests of a quantum, which began at `from`, in order of cycle and SM.
    pub(super) fn serve(
        &mut self,
        from: u64,
        agenda: &mut Agenda,
        requested: &[Requested],
        answers: &mut [Vec<u64>],
        before: &mut impl FnMut(u64, &dyn Fn(u64) -> Load),
    ) {
        for answers in answers.iter_mut() {
            answers.clear();
        }
        agenda.list(from, requested.iter().map(|requested| requested.ticks.as_slice()));
        for (cycle, turns) in (from..).zip(&agenda.cycles) {
            if turns.is_empty() {
                continue;
            }
            before(cycle, &|cycle| self.common.moved(cycle));
            for turn in turns {
                let sm = usize::from(turn.sm);
                let port = &mut self.ports[sm];
                std::mem::swap(&mut self.common, &mut port.far.common);
                let requests = &requested[sm].requests[turn.first as usize..turn.end as usize];
                answers[sm].extend(requests.iter().map(|request| port.serve(request)));
                std::mem::swap(&mut self.common, &mut port.far.common);
            }
        }
    }
}
