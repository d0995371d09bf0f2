//! The architecture picker: the selected chip, and all chips by generation, drawn to one scale.

use yew::{Callback, Html, KeyboardEvent, Properties, component, html};

use super::browser;
use super::styled::styled;
use engine::arch::{ArchId, Architecture, architecture};
use workbench::app::Event;
use workbench::scene::floorplan_thumbnail::{execution_units, floorplan_thumbnail};
use workbench::scene::{Shape, Texture};

#[derive(Clone, PartialEq, Properties)]
pub(crate) struct PickerProps {
    pub chosen: ArchId,
    pub dispatch: Callback<Event>,
}

/// The picker.
#[component]
pub(crate) fn Picker(props: &PickerProps) -> Html {
    let chosen = ArchId::ALL.iter().position(|id| *id == props.chosen).unwrap_or(0);
    let dispatch = props.dispatch.clone();
    let onkeydown = Callback::from(move |event: KeyboardEvent| {
        let last = ArchId::ALL.len() - 1;
        let next = match event.key().as_str() {
            "ArrowRight" | "ArrowDown" => (chosen + 1) % ArchId::ALL.len(),
            "ArrowLeft" | "ArrowUp" => (chosen + last) % ArchId::ALL.len(),
            "Home" => 0,
            "End" => last,
            _ => return,
        };
        event.prevent_default();
        event.stop_propagation();
        browser::focus_among(&event, "[role=radio]", next);
        dispatch.emit(Event::Arch(ArchId::ALL[next]));
    });
    // Chips with one program counter per warp come before those with a program counter per lane.
    let (old, new): (Vec<_>, Vec<_>) = families().partition(|family| !family[0].has_independent_threads());
    html! {
        <>
            { machine(architecture(props.chosen)) }
            <div class="generations" role="radiogroup" aria-label="Architecture" {onkeydown}>
                { for [old, new].into_iter().map(|row| html! {
                    <div class="era">{ for row.iter().map(|family| generation(family, props)) }</div>
                }) }
            </div>
        </>
    }
}

/// The chips of each generation, oldest first.
fn families() -> impl Iterator<Item = Vec<&'static Architecture>> {
    let chips: Vec<&Architecture> = ArchId::ALL.into_iter().map(architecture).collect();
    let families: Vec<Vec<_>> = chips
        .chunk_by(|a, b| a.generation == b.generation)
        .map(<[_]>::to_vec)
        .collect();
    families.into_iter()
}

fn generation(chips: &[&Architecture], props: &PickerProps) -> Html {
    let family = html! {
        <div class="family">
            <div class="chips-of">{ for chips.iter().map(|arch| chip(arch, props)) }</div>
            <span class="family-name" aria-hidden="true">{ chips[0].generation.text() }</span>
        </div>
    };
    // As wide as its chips.
    styled(format!("flex-grow:{}", chips.len()), family)
}

fn test_id(id: ArchId) -> String {
    format!("arch-{}", id.text())
}

/// The thumbnail of a chip, at one scale for all chips.
pub(crate) fn thumbnail(id: ArchId) -> Html {
    picture(architecture(id), 2.0)
}

fn machine(arch: &Architecture) -> Html {
    let note = format!(
        "compute capability {} · {}",
        arch.compute_capability,
        execution_units(arch)
    );
    html! {
        <div class="arch" data-testid="arch-chosen">
            { picture(arch, 4.0) }
            <div><b>{ arch.name }</b><span class="label">{ note }</span></div>
        </div>
    }
}

fn chip(arch: &Architecture, props: &PickerProps) -> Html {
    let id = arch.id;
    let checked = id == props.chosen;
    let onclick = props.dispatch.reform(move |_| Event::Arch(id));
    html! {
        <button class="generation" role="radio" aria-checked={checked.to_string()} aria-label={arch.name}
            tabindex={if checked { "0" } else { "-1" }} title={arch.name}
            data-testid={test_id(id)} {onclick}>
            { picture(arch, 1.3) }
            { id.text().to_uppercase() }
        </button>
    }
}

/// Appends a length with two decimals, formatted from whole numbers: the thumbnails contain thousands of lengths,
/// and the standard formatting of floating-point numbers is slow.
fn push_hundredths(out: &mut String, length: f32) {
    let hundredths = (length * 100.0).round() as i32;
    if hundredths < 0 {
        out.push('-');
    }
    let (whole, part) = (hundredths.unsigned_abs() / 100, hundredths.unsigned_abs() % 100);
    out.push_str(&whole.to_string());
    if part > 0 {
        out.push('.');
        out.push(char::from(b'0' + (part / 10) as u8));
        if part % 10 > 0 {
            out.push(char::from(b'0' + (part % 10) as u8));
        }
    }
}

/// A floor-plan thumbnail at `unit` px per lane: one path per fill.
fn picture(arch: &Architecture, unit: f32) -> Html {
    let scene = floorplan_thumbnail(arch, unit);
    let (mut solid, mut pale, mut gray, mut outline) = <(String, String, String, String)>::default();
    for item in &scene.items {
        let Shape::Rect { x, y, w, h } = item.shape else {
            continue;
        };
        let path = match item.texture {
            Texture::Fade(opacity) if opacity < 0.6 => &mut pale,
            Texture::Fade(_) => &mut gray,
            Texture::Outline(_) => &mut outline,
            _ => &mut solid,
        };
        path.push('M');
        for (length, next) in [(x, " "), (y, "h"), (w, "v"), (h, "h"), (-w, "z")] {
            push_hundredths(path, length);
            path.push_str(next);
        }
    }
    let (width, height) = (
        format!("{:.1}", scene.size.width),
        format!("{:.1}", scene.size.height),
    );
    html! {
        <svg viewBox={format!("0 0 {width} {height}")} {width} {height} fill="currentColor" aria-hidden="true">
            <path d={solid}/><path d={pale} opacity=".45"/><path d={gray} opacity=".7"/>
            <path d={outline} fill="none" stroke="currentColor" stroke-width={(unit * 0.22).to_string()}/>
        </svg>
    }
}
