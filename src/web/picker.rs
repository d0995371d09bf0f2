//! The architecture picker: the chosen machine, and a row of all, drawn to one scale.

use yew::{Callback, Html, KeyboardEvent, Properties, component, html};

use crate::app::Event;
use crate::arch::{ArchId, Architecture, architecture};
use crate::scene::silhouette::{sentence, silhouette};
use crate::scene::{Shape, Texture};

#[derive(Clone, PartialEq, Properties)]
pub(crate) struct PickerProps {
    pub chosen: ArchId,
    pub dispatch: Callback<Event>,
}

/// The picker.
#[component]
pub(crate) fn Picker(props: &PickerProps) -> Html {
    let choices: Vec<&Architecture> = ArchId::ALL
        .into_iter()
        .map(architecture)
        .filter(|arch| arch.is_documented() || arch.id == props.chosen)
        .collect();
    let chosen = choices
        .iter()
        .position(|arch| arch.id == props.chosen)
        .unwrap_or(0);
    let ids: Vec<ArchId> = choices.iter().map(|arch| arch.id).collect();
    let dispatch = props.dispatch.clone();
    let onkeydown = Callback::from(move |event: KeyboardEvent| {
        let step = match event.key().as_str() {
            "ArrowRight" | "ArrowDown" => 1,
            "ArrowLeft" | "ArrowUp" => ids.len() - 1,
            _ => return,
        };
        event.prevent_default();
        event.stop_propagation();
        dispatch.emit(Event::Arch(ids[(chosen + step) % ids.len()]));
    });
    let columns = format!("grid-template-columns:repeat({},1fr)", choices.len());
    html! {
        <>
            { machine(choices[chosen]) }
            <div class="generations" role="radiogroup" aria-label="Architecture" style={columns} {onkeydown}>
                { for choices.iter().map(|arch| generation(arch, props)) }
            </div>
        </>
    }
}

fn machine(arch: &Architecture) -> Html {
    let note = format!(
        "compute capability {} · {}",
        arch.compute_capability,
        sentence(arch)
    );
    html! {
        <div class="arch" data-testid="arch-chosen">
            { picture(arch, 4.0) }
            <div><b>{ arch.name }</b><span class="label">{ note }</span></div>
        </div>
    }
}

fn generation(arch: &Architecture, props: &PickerProps) -> Html {
    let id = arch.id;
    let checked = id == props.chosen;
    let onclick = props.dispatch.reform(move |_| Event::Arch(id));
    html! {
        <button class="generation" role="radio" aria-checked={checked.to_string()} aria-label={arch.name}
            tabindex={if checked { "0" } else { "-1" }} title={arch.name}
            data-testid={format!("arch-{}", id.text())} {onclick}>
            { picture(arch, 1.5) }
            { id.text().to_uppercase() }
        </button>
    }
}

/// A silhouette at `unit` px a lane: one path for each way of filling.
fn picture(arch: &Architecture, unit: f32) -> Html {
    let scene = silhouette(arch, unit);
    let (mut solid, mut pale, mut grey, mut outline) = <(String, String, String, String)>::default();
    for item in &scene.items {
        let Shape::Rect { x, y, w, h } = item.shape else {
            continue;
        };
        let path = match item.texture {
            Texture::Fade(opacity) if opacity < 0.6 => &mut pale,
            Texture::Fade(_) => &mut grey,
            Texture::Outline(_) => &mut outline,
            _ => &mut solid,
        };
        path.push_str(&format!("M{x:.2} {y:.2}h{w:.2}v{h:.2}h{:.2}z", -w));
    }
    let (width, height) = (
        format!("{:.1}", scene.size.width),
        format!("{:.1}", scene.size.height),
    );
    html! {
        <svg viewBox={format!("0 0 {width} {height}")} {width} {height} fill="currentColor" aria-hidden="true">
            <path d={solid}/><path d={pale} opacity=".45"/><path d={grey} opacity=".7"/>
            <path d={outline} fill="none" stroke="currentColor" stroke-width={(unit * 0.22).to_string()}/>
        </svg>
    }
}
