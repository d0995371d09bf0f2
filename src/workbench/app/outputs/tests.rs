//! Outputs compared with the kernels' expected results, computed again in plain Rust.

use std::sync::Arc;

use super::*;
use crate::app::golden::opened as session;
use crate::app::{Event, LaunchField, Panel, update};
use crate::share;
use engine::launch::Argument;

/// The library's random floats by their definition: 24 bits of a linear congruential sequence.
fn random(seed: u32, num: usize) -> Vec<f32> {
    let mut x = seed;
    let next = || {
        x = x.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (x >> 8) as f32 / 16_777_216.0
    };
    std::iter::repeat_with(next).take(num).collect()
}

/// All values of a buffer, page by page, from the table.
fn table(session: &mut Session, argument: u16) -> Vec<String> {
    update(session, Event::Outputs(OutputsChoice::Buffer(argument)));
    let mut values = Vec::new();
    for page in 0..session.outputs().unwrap().num_pages {
        update(session, Event::Outputs(OutputsChoice::Page(page)));
        let shown = session.outputs().unwrap();
        assert_eq!(shown.page, page);
        for row in shown.rows {
            assert_eq!(row.index as usize, values.len());
            values.extend(row.values.into_iter().map(|(text, _)| text));
        }
    }
    values
}

#[test]
fn vector_sums_are_correct() {
    let mut session = session("v1;kernel=vector-add");
    let sums: Vec<f32> = random(1, 2048)
        .iter()
        .zip(random(2, 2048))
        .map(|(a, b)| a + b)
        .collect();
    let shown: Vec<f32> = table(&mut session, 2)
        .iter()
        .map(|text| text.parse().unwrap())
        .collect();
    assert_eq!(shown, sums);
    let shown = session.outputs().unwrap();
    assert_eq!((shown.num_pages, shown.buffers.len()), (16, 3));
    let fact = |name: &str| shown.facts.iter().find(|fact| fact.0 == name).unwrap().1.clone();
    assert_eq!(fact("Changed by the run"), "2,048 of 2,048");
    let most = sums.iter().copied().max_by(f32::total_cmp).unwrap();
    let at = sums.iter().position(|sum| *sum == most).unwrap();
    assert_eq!(fact("Maximum"), format!("{most} at {}", thousands(at as u64)));
    let mean: f64 = sums.iter().map(|sum| f64::from(*sum)).sum::<f64>() / 2048.0;
    assert!((fact("Mean").parse::<f64>().unwrap() - mean).abs() < 1e-5);
}

#[test]
fn a_transposed_matrix_is_transposed() {
    for kernel in ["transpose-naive", "transpose-tiled", "transpose-padded"] {
        let mut session = session(&format!("v1;kernel={kernel}"));
        let input = random(1, 64 * 64);
        let turned: Vec<f32> = (0..64 * 64).map(|at| input[at % 64 * 64 + at / 64]).collect();
        let shown: Vec<f32> = table(&mut session, 0)
            .iter()
            .map(|text| text.parse().unwrap())
            .collect();
        assert!(shown == turned, "{kernel}");
    }
}

/// 400 MB; the view holds 64 of them.
#[test]
fn a_large_buffer_shows_its_first_values() {
    let args = "f32:2,in:f32*100000000:const3,inout:f32*100000000:const1,i32:64";
    let session = session(&format!("v1;kernel=saxpy;grid=1;block=64;args={args}"));
    let outputs = session.outputs().unwrap();
    let what: Vec<&str> = outputs
        .buffers
        .iter()
        .map(|buffer| buffer.what.as_str())
        .collect();
    assert!(
        what.iter()
            .all(|what| what.contains("100,000,000") && what.contains("; the first 16,777,216 are shown")),
        "{what:?}"
    );
    let values = &outputs.rows[0].values;
    assert!(
        values
            .iter()
            .all(|(value, is_changed)| value == "7" && *is_changed),
        "{values:?}"
    );
}

#[test]
fn tables_are_the_final_memory_of_every_library_kernel() {
    for kernel in crate::library::kernels() {
        let mut session = session(&format!("v1;arch=gp104;kernel={}", kernel.id));
        let trace = Arc::clone(session.derived().trace().unwrap());
        for (idx, arg) in (0u16..).zip(&trace.launch().args) {
            let Argument::Buffer { elem, len, .. } = arg else {
                continue;
            };
            let bytes = trace.outputs().unwrap().argument(usize::from(idx)).unwrap();
            let values: Vec<String> = bytes
                .chunks_exact(elem.bytes() as usize)
                .map(|chunk| text_of(*elem, bits(chunk)))
                .collect();
            assert_eq!(values.len(), *len as usize);
            assert_eq!(table(&mut session, idx), values, "{} {idx}", kernel.id);
        }
    }
}

#[test]
fn values_at_a_cycle_are_initial_or_final_ones() {
    let mut session = session("v1;kernel=vector-add");
    update(&mut session, Event::Outputs(OutputsChoice::Buffer(2)));
    update(&mut session, Event::Outputs(OutputsChoice::Now(true)));
    let changed = |session: &Session| session.outputs().unwrap().facts[0].1.clone();
    assert_eq!(changed(&session), "0 of 2,048");
    let half = session.last_cycle() / 2;
    update(&mut session, Event::Seek(half));
    assert!(session.outputs().unwrap().sentence.contains(&thousands(half)));
    update(&mut session, Event::SeekEnd);
    assert_eq!(changed(&session), "2,048 of 2,048");
}

#[test]
fn the_dialog_s_state_is_in_the_link() {
    let mut session = session("v1;kernel=vector-add");
    update(&mut session, Event::Panel(Panel::Outputs));
    update(&mut session, Event::Outputs(OutputsChoice::Buffer(1)));
    update(
        &mut session,
        Event::Outputs(OutputsChoice::Jump("1,300".to_owned())),
    );
    update(
        &mut session,
        Event::Outputs(OutputsChoice::Format(NumberFormat::Hex)),
    );
    let link = share::encode(&session.link());
    assert!(
        link.contains("panel=outputs") && link.contains("outputs=1:p10:hex"),
        "{link}"
    );
    let other = super::super::golden::opened(link.trim_start_matches('#'));
    assert_eq!(other.ui.panel, Some(Panel::Outputs));
    let (one, two) = (session.outputs().unwrap(), other.outputs().unwrap());
    assert_eq!((one.chosen, one.page, one.rows), (two.chosen, two.page, two.rows));
    update(&mut session, Event::Close);
    assert!(!share::encode(&session.link()).contains("outputs"));
}

#[test]
fn an_index_out_of_range_is_rejected_with_the_last_index() {
    let mut session = session("v1;kernel=vector-add");
    for text in ["2048", "-1", "x", ""] {
        update(&mut session, Event::Outputs(OutputsChoice::Jump(text.to_owned())));
        assert!(session.ui.outputs.refused.as_ref().unwrap().1.contains("2,047"));
    }
    update(
        &mut session,
        Event::Outputs(OutputsChoice::Jump("0x7ff".to_owned())),
    );
    assert_eq!(session.outputs().unwrap().page, 15);
}

#[test]
fn bits_are_readable_in_each_format() {
    for (elem, bits, format, text) in [
        (ElemType::F32, 0x3fc0_0000, NumberFormat::Float, "1.5"),
        (ElemType::F32, 0x3fc0_0000, NumberFormat::Hex, "0x3fc00000"),
        (ElemType::F32, 0x3fc0_0000, NumberFormat::Int, "1069547520"),
        (ElemType::I32, 0x3fc0_0000, NumberFormat::Float, "1.5"),
        (ElemType::I32, 0xffff_ffff, NumberFormat::Int, "-1"),
        (ElemType::U8, 0xff, NumberFormat::Hex, "0xff"),
        (ElemType::F64, 1.5f64.to_bits(), NumberFormat::Float, "1.5"),
    ] {
        assert_eq!(written(elem, bits, format), text);
    }
}

#[test]
fn a_chart_shows_every_peak() {
    let mut values = vec![0.0; 100_000];
    values[77_777] = 5.0;
    values[12_345] = -3.0;
    values[50_000] = f64::NAN;
    let chart = chart("a", &values, None).unwrap();
    let [high, low] = &chart.series[..] else { panic!() };
    assert!(high.points.contains(&(77_777.0, 5.0)) && low.points.contains(&(12_345.0, -3.0)));
    for series in &chart.series {
        assert!(series.points.len() <= PLOT_COLUMNS && series.points.is_sorted_by(|a, b| a.0 < b.0));
    }
    assert!(super::chart("a", &[f64::NAN], None).is_none());
}

#[test]
fn a_run_that_ends_with_a_fault_reports_it() {
    let mut session = session("v1;kernel=vector-add");
    update(
        &mut session,
        Event::Launch(
            LaunchField::Length(crate::app::form::Place::Argument(2)),
            "100".to_owned(),
        ),
    );
    while session.work(10_000) {}
    let shown = session.outputs().unwrap();
    assert!(
        shown.sentence.contains("unfinished") && shown.sentence.contains("fault"),
        "{}",
        shown.sentence
    );
    assert_eq!(shown.num_pages, 1);
}

#[test]
fn a_file_contains_every_value_with_its_initial_value() {
    let mut session = session("v1;kernel=vector-add");
    update(&mut session, Event::Outputs(OutputsChoice::Buffer(2)));
    let effects = update(&mut session, Event::Outputs(OutputsChoice::Save));
    let [Effect::SaveText { name, text }] = &effects[..] else {
        panic!("{effects:?}")
    };
    assert_eq!(
        (name.as_str(), text.lines().count()),
        ("warpscope-vector-add-tu102-c.csv", 2049)
    );
    let first: Vec<&str> = text.lines().nth(1).unwrap().split(',').collect();
    assert_eq!((first[0], first[2]), ("0", "0"));
    let effects = update(&mut session, Event::Outputs(OutputsChoice::Copy));
    assert!(matches!(&effects[..], [Effect::CopyText { said, .. }] if said == "2,048 values copied"));
}

#[test]
fn a_missing_buffer_or_run_is_reported() {
    let mut session = session("v1;kernel=vector-add");
    update(
        &mut session,
        Event::Edit("__global__ void none(int n) { if (n > 9) __syncthreads(); }\n".to_owned()),
    );
    update(&mut session, Event::Tick(200.0));
    while session.work(10_000) {}
    assert!(session.outputs().unwrap_err().contains("no pointer arguments"));
    assert!(
        Session::new()
            .outputs()
            .unwrap_err()
            .starts_with("Fix the kernel")
    );
}
