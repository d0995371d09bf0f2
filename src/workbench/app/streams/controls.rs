//! The rows of options above the Streams view.

use crate::app::{Choice, Control, ControlOption, Session};
use crate::scene::{Setting, StreamSetting, capital};
use engine::streams::{Computer, Options};

impl Session {
    /// The choices of computer, processes, and work queues.
    pub(in crate::app) fn streams_controls(&self) -> Vec<Control> {
        let settings = self.ui.state.settings.streams;
        let arch = self.arch();
        let options = settings.options_on(arch);
        let row =
            |id: &'static str, label: &'static str, options: Vec<(String, StreamSetting, bool)>| Control {
                id,
                label,
                options: (options.into_iter())
                    .map(|(name, setting, chosen)| ControlOption {
                        name: capital(&name),
                        choice: Choice::Set(Setting::Stream(setting)),
                        chosen,
                    })
                    .collect(),
            };
        let computers = Computer::ALL
            .into_iter()
            .filter(|computer| computer.exists_with(arch));
        let mut rows = vec![row(
            "computer",
            "Computer",
            computers
                .map(|computer| {
                    let chosen = computer == options.computer;
                    (
                        computer.text().to_owned(),
                        StreamSetting::Computer(computer),
                        chosen,
                    )
                })
                .collect(),
        )];
        let num = settings.num_processes.max(1);
        let mut counts = vec![1, 2, 4, 8];
        if !counts.contains(&num) {
            counts.push(num);
        }
        rows.push(row(
            "processes",
            "Processes",
            counts
                .into_iter()
                .map(|count| (count.to_string(), StreamSetting::Processes(count), count == num))
                .collect(),
        ));
        if num > 1 {
            rows.push(row(
                "service",
                "Multi-Process Service",
                [false, true]
                    .map(|on| {
                        let name = if on { "on" } else { "off" };
                        (name.to_owned(), StreamSetting::Service(on), on == options.service)
                    })
                    .to_vec(),
            ));
        }
        if num > 1 && options.service && arch.host().sharing.mps_is_direct.value {
            rows.push(row(
                "threads",
                "Threads of a client",
                [100, 50, 25, 10]
                    .map(|percent| {
                        let chosen = percent == options.percent;
                        (format!("{percent} %"), StreamSetting::Percent(percent), chosen)
                    })
                    .to_vec(),
            ));
        }
        if num > 1 {
            rows.push(row(
                "fault",
                "Fault in process 0",
                [None, Some(0)]
                    .map(|fault| {
                        let name = if fault.is_some() { "on" } else { "off" };
                        (
                            name.to_owned(),
                            StreamSetting::Fault(fault),
                            fault == options.fault,
                        )
                    })
                    .to_vec(),
            ));
        }
        if arch.host().work_queues.value > 1 {
            let default = Options {
                connections: None,
                ..options
            };
            let default = default.connections_on(arch);
            rows.push(row(
                "connections",
                "Work queues",
                [1, 2, 8, 32]
                    .map(|num| {
                        let setting = (num != default).then_some(num);
                        let chosen = num == options.connections_on(arch);
                        (num.to_string(), StreamSetting::Connections(setting), chosen)
                    })
                    .to_vec(),
            ));
        }
        rows
    }
}
