//! Parts of a device's run on other threads.

use serde::{Deserialize, Serialize};

use super::sink::{SmSink, issued, new_sinks};
use crate::arch::Architecture;
use crate::isa::Program;
use crate::launch::Launch;
use crate::sim::parts::{Order, Part, PartMaker, Reply};
use crate::sim::{LaunchError, MachineOptions};

/// What a part of a run on another thread is to do.
#[derive(Debug, Serialize, Deserialize)]
pub struct PartOrder {
    pub(super) order: Order,
    pub(super) part_cycles: u64,
}

/// What a part of a run on another thread did.
#[derive(Debug, Serialize, Deserialize)]
pub struct PartReply {
    pub(super) reply: Reply,
    pub(super) issued: u64,
    /// At the end of the run: its first SM, and what its SMs did.
    pub(super) sinks: Option<(usize, Vec<SmSink>)>,
}

/// Some of the SMs of a device's run, on a thread of their own.
#[derive(Debug)]
pub struct PartSimulation {
    part: Part,
    sinks: Vec<SmSink>,
}

impl PartSimulation {
    /// Loads a part of a launch: all arguments but the last as for [`super::DeviceSimulation::on_threads`]. `part`: its number, at
    /// least 1. `None` if the run has no such part.
    ///
    /// # Errors
    /// Returns an error if the architecture rejects the launch.
    pub fn new(
        arch: &'static Architecture,
        program: &Program,
        launch: &Launch,
        options: MachineOptions,
        (num_sms, num_parts): (u16, usize),
        part: usize,
    ) -> Result<Option<Self>, LaunchError> {
        let maker = PartMaker::new(arch, program, launch, options, num_sms.max(1), num_parts)?;
        let part = maker.and_then(|maker| maker.part_alone(part, new_sinks));
        Ok(part.map(|(part, sinks)| Self { part, sinks }))
    }

    /// Does what an order says.
    pub fn obey(&mut self, order: PartOrder) -> PartReply {
        let PartOrder { order, part_cycles } = order;
        let is_last = order.is_last();
        let reply = self.part.obey(order, &mut self.sinks);
        for sink in &mut self.sinks {
            sink.join_parts(part_cycles);
        }
        PartReply {
            reply,
            issued: issued(&self.sinks),
            sinks: is_last.then(|| (self.part.sms().start, std::mem::take(&mut self.sinks))),
        }
    }
}
