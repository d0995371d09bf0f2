//! The settings of the Streams view in links: one table of keys.

use super::settings::pick;
use crate::scene::StreamSettings;
use engine::streams::Computer;

/// Writes the pairs of the settings.
pub(super) fn write(settings: &StreamSettings, put: &mut impl FnMut(&str, String)) {
    let defaults = StreamSettings::default();
    if settings.computer != defaults.computer {
        put("computer", settings.computer.id().to_owned());
    }
    if settings.num_processes != defaults.num_processes {
        put("processes", settings.num_processes.to_string());
    }
    if settings.service {
        put("mps", "on".to_owned());
    }
    if settings.percent != defaults.percent {
        put("threads", settings.percent.to_string());
    }
    if let Some(num) = settings.connections {
        put("queues", num.to_string());
    }
    if let Some(process) = settings.fault {
        put("fault", process.to_string());
    }
    if let Some(op) = settings.op {
        put("call", op.to_string());
    }
    if let Some((from, to)) = settings.window {
        put("window", format!("{from}-{to}"));
    }
}

/// The pairs of the settings that a run depends on, each after a semicolon.
pub(crate) fn suffix(settings: &StreamSettings) -> String {
    let mut text = String::new();
    let inputs = StreamSettings {
        op: None,
        window: None,
        ..*settings
    };
    write(&inputs, &mut |key, value| text += &format!(";{key}={value}"));
    text
}

/// Reads a pair. `None`: the key does not belong to these settings.
///
/// # Errors
/// The valid values.
pub(super) fn read(settings: &mut StreamSettings, key: &str, value: &str) -> Option<Result<(), String>> {
    let number = |least: u8, most: u8| {
        let number = value
            .parse::<u8>()
            .ok()
            .filter(|number| (least..=most).contains(number));
        number.ok_or_else(|| format!("it must be a whole number from {least} to {most}"))
    };
    Some(match key {
        "computer" => pick(&Computer::ALL, Computer::id, value).map(|computer| settings.computer = computer),
        "processes" => number(1, 64).map(|num| settings.num_processes = num),
        "mps" => {
            let id = |on: bool| if on { "on" } else { "off" };
            pick(&[false, true], id, value).map(|on| settings.service = on)
        }
        "threads" => number(1, 100).map(|percent| settings.percent = percent),
        "queues" => number(1, 32).map(|num| settings.connections = Some(num)),
        "fault" => number(0, 63).map(|process| settings.fault = Some(process)),
        "call" => match value.parse() {
            Ok(op) => {
                settings.op = Some(op);
                Ok(())
            }
            Err(_) => Err("it must be the number of a call, from 0".to_owned()),
        },
        "window" => {
            let ends = value.split_once('-');
            let ends = ends.and_then(|(from, to)| Some((from.parse::<u64>().ok()?, to.parse::<u64>().ok()?)));
            match ends.filter(|(from, to)| from < to) {
                Some(ends) => {
                    settings.window = Some(ends);
                    Ok(())
                }
                None => Err("it must be two times in nanoseconds, for example 1000-2500".to_owned()),
            }
        }
        _ => return None,
    })
}
