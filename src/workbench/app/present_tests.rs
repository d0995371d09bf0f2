//! The presenter's pictures on small projectors.

use super::legibility::faults;
use super::*;
use crate::scene::Size;

/// Stages of the presenter at 1280 x 720 and 1024 x 768: width and height in CSS pixels.
const STAGES: [(f32, f32); 2] = [(1280.0, 581.0), (1024.0, 629.0)];

/// A picture may be smaller by this factor, so that texts of 14 px have 13 px.
const SMALLEST: f32 = 0.93;

/// Runs with much to show, and the views that they are for; no view: all.
const RUNS: [(&str, Option<View>); 9] = [
    ("kernel=transpose-tiled;cycle=1400", None),
    ("kernel=saxpy;cycle=300", None),
    ("kernel=divergence;cycle=700", None),
    ("kernel=product-tensor;cycle=660;lane=9", None),
    ("kernel=streams-depth", Some(View::Streams)),
    ("calc=1.00001f*1.00001f-1", Some(View::Arithmetic)),
    ("calc=0.1*3.0+7.0", Some(View::Arithmetic)),
    (
        "play=shared;expr=tile[threadIdx.x][threadIdx.y]",
        Some(View::Banks),
    ),
    ("play=global;expr=in[threadIdx.x*3]", Some(View::Coalescing)),
];

#[test]
fn every_picture_of_the_presenter_fits_small_projectors() {
    let mut high = Vec::new();
    for arch in ArchId::ALL {
        for (run, of) in RUNS {
            let mut session = Session::new();
            let link = format!("v1;{run};arch={};present=on", arch.text());
            update(&mut session, Event::Open(link.clone()));
            while session.work(10_000) {}
            for view in View::ALL
                .into_iter()
                .filter(|view| of.is_none_or(|of| of == *view))
            {
                update(&mut session, Event::View(view));
                for (width, height) in STAGES {
                    let factor = session.enlargement();
                    let size = Size {
                        width: (width / factor).floor(),
                        height: (height / factor).floor(),
                    };
                    let Some(scene) = session.shown().picture(view, size) else {
                        continue;
                    };
                    if SMALLEST * scene.size.height > size.height {
                        high.push(format!(
                            "{link} {} {width}: {} of {}",
                            view.id(),
                            scene.size.height,
                            size.height
                        ));
                    }
                    let texts = faults(&scene);
                    if !texts.is_empty() {
                        high.push(format!("{link} {} {width}:\n{texts}", view.id()));
                    }
                }
            }
        }
    }
    assert!(high.is_empty(), "{}", high.join("\n"));
}
