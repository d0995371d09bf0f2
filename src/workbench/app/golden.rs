//! Text twins of the views on several architectures at two cycles, as files in `tests/scenes`.
//!
//! A changed sentence of a picture shows as a difference in these files: `UPDATE=1 cargo test golden` rewrites them.
//! Read the differences before you commit them.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use super::{Event, Session, update};
use crate::scene::Size;
use crate::share::View;
use engine::arch::ArchId;

/// Architectures of four generations, which differ in schedulers, caches, and banks.
pub(super) const ARCHES: [ArchId; 4] = [ArchId::Gt200, ArchId::Gf100, ArchId::Gp104, ArchId::Tu102];

/// The stage of a window of 1440 by 900 pixels.
const SIZE: Size = Size {
    width: 832.0,
    height: 636.0,
};

/// A session with an opened link and a finished run.
pub(crate) fn opened(link: &str) -> Session {
    let mut session = Session::new();
    update(&mut session, Event::Open(link.to_owned()));
    while session.work(10_000) {}
    assert!(
        session.derived().trace().is_some(),
        "{link}: {:?}",
        session.derived().problems
    );
    session
}

/// The text twin of a view: headline, options, table, charts.
pub(super) fn twin(session: &Session, view: View) -> String {
    let scene = session.shown().picture(view, SIZE).unwrap();
    let mut text = format!("{}\n", scene.headline);
    if !scene.note.is_empty() {
        writeln!(text, "{}", scene.note).unwrap();
    }
    for control in session.controls(view) {
        let options: Vec<String> = control
            .options
            .iter()
            .map(|option| {
                if option.chosen {
                    format!("[{}]", option.name)
                } else {
                    option.name.clone()
                }
            })
            .collect();
        writeln!(text, "{}: {}", control.label, options.join(" ")).unwrap();
    }
    let mut tables = vec![(String::new(), scene.table)];
    tables.extend(scene.also);
    tables.extend(
        session
            .shown()
            .charts(view)
            .iter()
            .map(|chart| (chart.title.clone(), chart.table())),
    );
    for (title, table) in tables {
        writeln!(text, "{title}\n{}", table.columns.join(" | ")).unwrap();
        for row in &table.rows {
            assert_eq!(row.len(), table.columns.len(), "{row:?}");
            writeln!(text, "{}", row.join(" | ")).unwrap();
        }
    }
    text
}

/// Compares the twin of a view with its file, on each architecture, at two cycles.
fn golden(view: View, scenario: &str, cycles: [u64; 2]) {
    golden_named(view.id(), view, scenario, cycles);
}

/// The same comparison under another file name, for other settings of the view.
fn golden_named(name: &str, view: View, scenario: &str, cycles: [u64; 2]) {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../tests/scenes");
    for arch in ARCHES {
        let mut text = String::new();
        for cycle in cycles {
            let link = format!(
                "v1;arch={};{scenario};view={};cycle={cycle}",
                arch.text(),
                view.id()
            );
            let session = opened(&link);
            writeln!(text, "# {link}\n{}", twin(&session, view)).unwrap();
        }
        let path = folder.join(format!("{name}-{}.txt", arch.text()));
        agree(&path, &text);
    }
}

/// Compares a text with its file.
fn agree(path: &Path, text: &str) {
    if std::env::var_os("UPDATE").is_some() {
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
    let kept = std::fs::read_to_string(path).unwrap_or_default();
    assert!(kept == text, "{} differs:\n{text}", path.display());
}

/// Four architectures side by side, by each of the three alignments: headings, a view, and the counters.
#[test]
fn compare() {
    let mut text = String::new();
    for (sync, position) in [
        ("cycle", 700),
        ("time", 700),
        ("progress", 500),
        ("cycle", 999_999),
    ] {
        let link = format!(
            "v1;arch=gf100;kernel=transpose-naive;cycle={position};compare=gp104,gv100,tu102;4.carveout=32;sync={sync}"
        );
        let session = opened(&link);
        writeln!(
            text,
            "# {link}\n{} {}",
            session.clock_text(),
            session.clock_note()
        )
        .unwrap();
        for idx in 0..session.num_sides() {
            let head = session.side_head(idx);
            let says = session.shown_side(idx).picture(View::Sm, SIZE).unwrap().headline;
            writeln!(
                text,
                "{} | {} | {} | {}",
                head.name, head.differs, head.now, head.state
            )
            .unwrap();
            writeln!(text, "  {says}\n  {}", head.elsewhere).unwrap();
        }
        writeln!(text, "{}", twin(&session, View::Compare)).unwrap();
    }
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../tests/scenes");
    agree(&folder.join("compare.txt"), &text);
}

#[test]
fn carveout() {
    golden(View::Carveout, "kernel=transpose-tiled", [100, 700]);
}

#[test]
fn sm() {
    golden(View::Sm, "kernel=matmul-tiled", [150, 900]);
}

#[test]
fn timeline() {
    golden(View::Timeline, "kernel=transpose-tiled", [100, 700]);
}

#[test]
fn banks() {
    golden(View::Banks, "kernel=transpose-tiled", [100, 1400]);
}

/// Kepler's two bank widths: four bytes, and eight bytes.
#[test]
fn banks_of_eight_bytes() {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../tests/scenes");
    let mut text = String::new();
    for bytes in [4, 8] {
        let link =
            format!("v1;arch=gk110;kernel=transpose-tiled;banksize={bytes};view=banks;lane=9;cycle=1400");
        let session = opened(&link);
        writeln!(text, "# {link}\n{}", twin(&session, View::Banks)).unwrap();
    }
    agree(&folder.join("banks-gk110.txt"), &text);
}

#[test]
fn coalescing() {
    golden(View::Coalescing, "kernel=transpose-naive", [100, 99999]);
}

#[test]
fn registers() {
    golden(View::Registers, "kernel=vector-add", [40, 600]);
}

#[test]
fn occupancy() {
    golden(View::Occupancy, "kernel=matmul-tiled", [150, 900]);
}

#[test]
fn source() {
    golden(View::Source, "kernel=matmul-tiled;counters=memory", [150, 900]);
}

#[test]
fn divergence() {
    golden(View::Divergence, "kernel=divergence", [700, 1400]);
}

#[test]
fn divergence_where_there_is_none() {
    golden_named(
        "divergence-none",
        View::Divergence,
        "kernel=vector-add;rows=cycles",
        [40, 600],
    );
}

#[test]
fn caches() {
    golden(View::Caches, "kernel=matmul-tiled;dlcm=ca", [60, 420]);
}

#[test]
fn bytes_in_flight() {
    golden_named(
        "caches-flight",
        View::Caches,
        "kernel=stream;cache=device",
        [400, 900],
    );
}

#[test]
fn caches_of_constants() {
    golden_named(
        "caches-constant",
        View::Caches,
        "kernel=constant-divergent;cache=constant",
        [900, 2000],
    );
}

/// What limits a kernel with conflicts, with the measured gain of each change.
#[test]
fn findings() {
    golden(View::Findings, "kernel=transpose-tiled", [0, 900]);
}

#[test]
fn stalls() {
    golden(View::Stalls, "kernel=reduce-sum", [150, 900]);
}

#[test]
fn stalls_by_line() {
    golden_named(
        "stalls-line",
        View::Stalls,
        "kernel=matmul-tiled;by=line;of=now",
        [150, 900],
    );
}

/// All combinations on Fermi: split, caching of global loads in L1, and registers.
#[test]
fn combinations() {
    let link = "v1;arch=gf100;kernel=pressure;view=carveout;sweep=on;cycle=100";
    let session = opened(link);
    let text = format!("# {link}\n{}", twin(&session, View::Carveout));
    agree(
        &PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../tests/scenes/carveout-combinations.txt"),
        &text,
    );
}

#[test]
fn device() {
    golden(View::Device, "kernel=saxpy;grid=200", [100, 900]);
}

/// A host program, and processes that share a GPU.
#[test]
fn streams() {
    golden(View::Streams, "kernel=overlap-depth", [0, 100]);
}

#[test]
fn processes() {
    let link = "v1;arch=gv100;kernel=clients-mixed;view=streams;processes=2;mps=on;call=3";
    let session = opened(link);
    let text = format!("# {link}\n{}", twin(&session, View::Streams));
    agree(
        &PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../tests/scenes/streams-clients.txt"),
        &text,
    );
}

/// The last multiply-add of a run, and a typed one.
#[test]
fn arithmetic() {
    golden(View::Arithmetic, "kernel=saxpy", [100, 900]);
}

#[test]
fn typed_arithmetic() {
    golden_named(
        "arithmetic-typed",
        View::Arithmetic,
        "kernel=saxpy;calc=1.00001f*1.00001f-1",
        [100, 900],
    );
}

#[test]
fn tensor() {
    golden(View::Tensor, "kernel=product-tensor;sum=3.5;lane=9", [300, 660]);
    for arch in ["gv100", "ga100", "gh100"] {
        let link = format!("v1;arch={arch};kernel=product-tensor;view=tensor;cells=values;cycle=522");
        let text = format!("# {link}\n{}", twin(&opened(&link), View::Tensor));
        let file = format!("../../tests/scenes/tensor-values-{arch}.txt");
        agree(&PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(file), &text);
    }
}

#[test]
fn roofline() {
    golden_named("plots-roofline", View::Plots, "kernel=matmul-tiled", [150, 900]);
}
