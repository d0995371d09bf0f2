//! The settings of the Streams view: the computer, the processes, and the selected call.

use serde::{Deserialize, Serialize};

use engine::arch::Architecture;
use engine::streams::{Computer, Options};

/// The settings of the Streams view.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StreamSettings {
    /// The computer.
    pub computer: Computer,
    /// Processes that run the program, each with its number as the argument.
    pub num_processes: u8,
    /// Whether they are clients of the Multi-Process Service.
    pub service: bool,
    /// The percentage of threads of a client.
    pub percent: u8,
    /// Work queues of a process; `None`: the default.
    pub connections: Option<u8>,
    /// The process that makes a fatal fault in its first kernel.
    pub fault: Option<u8>,
    /// The selected call, as its index among the calls of all processes.
    pub op: Option<u32>,
    /// The part of the time axis that the picture shows, from and to in nanoseconds; `None`: all of it.
    pub window: Option<(u64, u64)>,
}

impl Default for StreamSettings {
    fn default() -> Self {
        Self {
            computer: Computer::OneGpu,
            num_processes: 1,
            service: false,
            percent: 100,
            connections: None,
            fault: None,
            op: None,
            window: None,
        }
    }
}

/// A change of the settings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StreamSetting {
    /// The computer.
    Computer(Computer),
    /// The number of processes.
    Processes(u8),
    /// Whether the Multi-Process Service runs.
    Service(bool),
    /// The percentage of threads of a client.
    Percent(u8),
    /// The work queues of a process.
    Connections(Option<u8>),
    /// The process with a fault.
    Fault(Option<u8>),
}

impl StreamSettings {
    /// Whether the computer or the processes are others than of a program that runs alone on one GPU.
    pub fn has_more_than_program(&self) -> bool {
        let alone = Self {
            op: self.op,
            window: self.window,
            ..Self::default()
        };
        *self != alone
    }

    /// Changes one setting. The calls and their times are then others, so that none is selected, and all are shown.
    pub fn set(&mut self, setting: StreamSetting) {
        (self.op, self.window) = (None, None);
        match setting {
            StreamSetting::Computer(computer) => self.computer = computer,
            StreamSetting::Processes(num) => self.num_processes = num,
            StreamSetting::Service(on) => self.service = on,
            StreamSetting::Percent(percent) => self.percent = percent,
            StreamSetting::Connections(num) => self.connections = num,
            StreamSetting::Fault(process) => self.fault = process,
        }
    }

    /// The options of the model on an architecture: a computer that does not exist with the chip becomes one with two
    /// GPUs on PCIe, and the service needs several processes to matter.
    pub fn options_on(&self, arch: &Architecture) -> Options {
        Options {
            computer: self.computer.with(arch),
            service: self.service,
            percent: self.percent,
            connections: self.connections,
            fault: self.fault,
        }
    }
}
