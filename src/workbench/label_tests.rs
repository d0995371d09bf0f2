//! Every label of every picture, of the inspector, and of the tables opens a card of the glossary, or is data.

use std::collections::BTreeMap;

use crate::app::glossary::names_of;
use crate::app::{Event, Session, update};
use crate::glossary::named;
use crate::library;
use crate::scene::{Inspection, Scene, Shape, Size};
use crate::share::View;
use engine::arch::ArchId;

/// Chips of five generations.
const ARCHES: [ArchId; 5] = [
    ArchId::Gt200,
    ArchId::Gf100,
    ArchId::Gp104,
    ArchId::Tu102,
    ArchId::Gh100,
];
/// A stage and a phone.
const SIZES: [(f32, f32); 2] = [(832.0, 636.0), (390.0, 560.0)];

/// Labels that name no concept, without their numbers: parts of sentences, values, units, and names of products.
const DATA: &[&str] = &[
    "Ada",
    "Address",
    "Advice",
    "Ampere",
    "Best change",
    "Bits",
    "By",
    "Byte offset",
    "Bytes",
    "CUDA",
    "Cause",
    "Chosen",
    "Code",
    "Elsewhere",
    "Event",
    "FLOP",
    "FLOP per byte",
    "Fermi",
    "Fermi Kepler",
    "Fermi to Hopper",
    "Finding",
    "Finished",
    "GFLOP/s",
    "GOP/s",
    "Gain",
    "Hopper",
    "ISE",
    "ISET",
    "In use now",
    "KB",
    "KB Programming Guide the split is",
    "KB up to KB",
    "Kepler",
    "Last written by",
    "Limits",
    "Load lookups that missed",
    "Maxwell",
    "Maxwell Pascal",
    "Meaning",
    "Needed",
    "Not named in the plot",
    "Not named in the plot run",
    "Now",
    "Nsight Compute",
    "Number",
    "OP",
    "OP per byte",
    "Of the roof",
    "Offset",
    "Operation",
    "Over the run",
    "Pascal",
    "Point",
    "Reason",
    "Remedy",
    "Resource",
    "Roof",
    "Sequence",
    "Share",
    "Show",
    "Table With",
    "Tesla",
    "Turing",
    "Unavailable because",
    "Unused",
    "Used",
    "Value",
    "Volta",
    "Volta to Hopper",
    "Word",
    "a double",
    "a float",
    "a int",
    "a unsigned",
    "as it is",
    "b double",
    "b float",
    "b int",
    "b unsigned",
    "bits",
    "bytes",
    "bytes fetched",
    "bytes moved",
    "c double",
    "c float",
    "c int",
    "c unsigned",
    "changed",
    "complete",
    "cudaFuncAttributeMaxDynamicSharedMemorySize it can",
    "farthest level",
    "fetched but unused",
    "fixed",
    "flight",
    "full",
    "highlighted",
    "instr",
    "lost",
    "mean of the run",
    "needs KB",
    "never written",
    "not fetched",
    "not touched",
    "not used",
    "now",
    "of in use",
    "off exited",
    "operation",
    "or more",
    "pending",
    "r w",
    "read now",
    "reserved by the system",
    "result",
    "s",
    "result ready",
    "rounded to nearest one lost",
    "rounded to nearest ones lost",
    "run",
    "runs",
    "stores",
    "the fraction is dropped",
    "the high bits are kept",
    "the low bits are kept",
    "the low bits are kept one lost",
    "the low bits are kept ones lost",
    "the low bits are used",
    "them",
    "to scale",
    "too small",
    "trans",
    "truncated one lost",
    "truncated ones lost",
    "unused",
    "use",
    "used",
    "used fetched but unused not fetched",
    "value",
    "written",
    "written moved but not written not touched",
    "written now",
    "A below x",
    "B right x",
    "Elements of A",
    "Elements of B",
    "Elements of D",
    "Group",
    "integers",
    "bits",
    "doubles",
    "halves",
    "load_matrix_sync",
    "multiply-adds",
    "share of the peak",
    "used fetched but unused",
    "Tensor cores",
    "What to do",
    "and more",
    "Not named in the plot ·",
];

/// A label without words that have digits, and without punctuation at the ends of words.
fn without_numbers(label: &str) -> String {
    let words: Vec<&str> = label
        .split_whitespace()
        .filter(|word| !word.chars().any(|letter| letter.is_ascii_digit()))
        .map(|word| word.trim_matches([',', ':', '(', ')', '.', '…']))
        .filter(|word| !word.is_empty())
        .collect();
    words.join(" ")
}

fn opened(link: &str) -> Option<Session> {
    let mut session = Session::new();
    update(&mut session, Event::Open(link.to_owned()));
    while session.work(10_000) {}
    session.derived().trace()?;
    Some(session)
}

/// Whether a label is a value: a number, an address, a warp, a register, code, or a sentence.
fn is_value(label: &str) -> bool {
    let label = label.trim();
    let letters = label.chars().filter(|letter| letter.is_alphabetic()).count();
    let digits = label.chars().filter(char::is_ascii_digit).count();
    let is_code =
        label.contains([';', '{', '}', '[', ']', '#', '<', '>', '=', '+', '*', '&']) || label.contains("++");
    let is_sentence = label.ends_with(['.', '…']) && label.contains(' ');
    is_code
        || is_sentence
        || label.starts_with('(')
        || letters < 2
        || digits >= letters
        || label.starts_with("0x")
        || (label.len() == 8 && label.chars().all(|letter| letter.is_ascii_hexdigit()))
        || DATA.contains(&without_numbers(label).as_str())
}

fn labels_of(view: View, scene: &Scene, inspection: Option<&Inspection>) -> Vec<String> {
    let mut labels: Vec<String> = scene
        .items
        .iter()
        // The picture of Findings consists of sentences, which are divided into lines.
        .filter(|_| view != View::Findings)
        .filter_map(|item| match &item.shape {
            Shape::Text { text, .. } => Some(text.clone()),
            _ => None,
        })
        .collect();
    labels.extend(scene.table.columns.iter().cloned());
    if let Some(seen) = inspection {
        labels.extend(seen.state.iter().map(|(_, name)| name.clone()));
        labels.extend(seen.bars.iter().map(|bar| bar.name.clone()));
        labels.extend(
            seen.facts
                .iter()
                .flat_map(|facts| facts.rows.iter().map(|(name, _)| name.clone())),
        );
    }
    labels
}

#[test]
fn every_label_is_a_term_or_data() {
    let mut unknown: BTreeMap<String, String> = BTreeMap::new();
    let mut terms = 0;
    for (idx, family) in library::families().enumerate() {
        let kernel = family.kernels.first().expect("a family has kernels");
        for (nth, arch) in ARCHES.into_iter().enumerate() {
            // Each family runs on two of the chips, so that each chip shows many families.
            if (idx + nth) % 3 != 0 {
                continue;
            }
            let Some(mut session) = opened(&format!("v1;kernel={};arch={arch}", kernel.id)) else {
                continue;
            };
            let middle = session.derived().num_cycles() / 2;
            update(&mut session, Event::Seek(middle));
            for view in View::ALL {
                update(&mut session, Event::View(view));
                for (width, height) in SIZES {
                    let Some(scene) = session.shown().picture(view, Size { width, height }) else {
                        continue;
                    };
                    for label in labels_of(view, &scene, session.inspection().as_ref()) {
                        // Code that the picture quotes is data.
                        let is_code = session
                            .setup()
                            .source()
                            .contains(label.trim().trim_end_matches('…'));
                        if is_value(&label) || (is_code && view == View::Source) {
                            continue;
                        }
                        if names_of(&label).iter().any(|name| named(name).is_some()) {
                            terms += 1;
                        } else {
                            unknown.insert(label, format!("{view:?} {} {arch}", kernel.id));
                        }
                    }
                }
            }
        }
    }
    assert!(terms > 1_000, "{terms}");
    let list: Vec<String> = unknown
        .iter()
        .map(|(label, at)| format!("{label:?} in {at}"))
        .collect();
    assert!(list.is_empty(), "{} labels:\n{}", list.len(), list.join("\n"));
}
