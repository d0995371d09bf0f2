//! The controls of the Registers view.

use super::super::{Control, ControlOption, NumberFormat, Setting, Settings, Storage};
use super::shared::shared_pages;
use engine::trace::Frame;

fn option(name: &str, choice: Setting, chosen: bool) -> ControlOption {
    ControlOption {
        name: name.to_owned(),
        choice,
        chosen,
    }
}

/// Controls for the storage, the number format, and the page of a large shared memory.
pub fn register_controls(frame: Option<&Frame>, settings: &Settings) -> Vec<Control> {
    let storage = Storage::ALL
        .into_iter()
        .map(|one| option(one.name(), Setting::Storage(one), settings.storage == one));
    let mut controls = vec![Control {
        id: "values",
        label: "Show",
        options: storage.collect(),
    }];
    if settings.storage != Storage::Predicates {
        let formats = NumberFormat::ALL
            .into_iter()
            .map(|one| option(one.name(), Setting::Format(one), settings.format == one));
        controls.push(Control {
            id: "format",
            label: "Format",
            options: formats.collect(),
        });
    }
    if settings.storage == Storage::Registers {
        controls.push(Control {
            id: "pairs",
            label: "Width",
            options: vec![
                option("32 bits", Setting::Pairs(false), !settings.pairs),
                option("64 bits (pairs)", Setting::Pairs(true), settings.pairs),
            ],
        });
    }
    let pages = frame.map_or_else(Vec::new, shared_pages);
    if settings.storage == Storage::Shared && pages.len() > 1 {
        let page = usize::from(settings.page).min(pages.len() - 1);
        let options = pages.iter().enumerate().map(|(idx, (from, to))| {
            let name = format!("{} to {} KB", from / 1024, to.div_ceil(1024));
            option(&name, Setting::Page(idx as u8), idx == page)
        });
        controls.push(Control {
            id: "page",
            label: "Part",
            options: options.collect(),
        });
    }
    controls
}
