use super::*;
use crate::scene::Size;

fn chart() -> Chart {
    let steps = |name: &str, kind, points: &[(f64, f64)]| Series {
        name: name.to_owned(),
        kind,
        points: points.to_vec(),
    };
    Chart {
        id: "registers".to_owned(),
        title: "Resident warps over registers".to_owned(),
        x: Axis {
            step: 0.0,
            ..Axis::new("Registers", "per thread", (0.0, 255.0))
        },
        y: Axis::new("Resident warps", "warps", (0.0, 64.0)),
        series: vec![
            steps(
                "TU102",
                SeriesKind::Step,
                &[(1.0, 32.0), (65.0, 24.0), (129.0, 8.0), (255.0, 8.0)],
            ),
            steps(
                "GF100",
                SeriesKind::FaintStep,
                &[(1.0, 48.0), (21.0, 40.0), (63.0, 16.0)],
            ),
            steps(
                "GV100",
                SeriesKind::FaintStep,
                &[(1.0, 64.0), (33.0, 40.0), (255.0, 8.0)],
            ),
        ],
        marker: Some((40.0, 32.0)),
        notes: vec![Note {
            at: (33.0, 32.0),
            text: "warp slots".to_owned(),
        }],
        source: "cuda_occupancy.h".to_owned(),
        ..Chart::default()
    }
}

#[test]
fn a_step_is_level_until_its_next_point() {
    let chart = chart();
    let main = &chart.series[0];
    for (x, value) in [
        (1.0, 32.0),
        (64.0, 32.0),
        (65.0, 24.0),
        (200.0, 8.0),
        (255.0, 8.0),
    ] {
        assert_eq!(main.value(x), Some(value), "at {x}");
    }
    assert_eq!(main.value(0.0), None);
    assert_eq!(chart.series[1].value(64.0), None, "the curve ends at 63");
    assert_eq!(
        chart.reading(64.0),
        ("64 per thread: 32 warps".to_owned(), "GV100 40".to_owned())
    );
}

#[test]
fn arrow_keys_visit_every_place_of_the_table_and_the_ring() {
    let chart = chart();
    let mut seen = Vec::new();
    let mut at = Some(0.0);
    for _ in 0..9 {
        at = chart.beside(at, true);
        seen.extend(at);
    }
    assert_eq!(seen, [1.0, 21.0, 33.0, 40.0, 63.0, 65.0, 129.0, 255.0, 255.0]);
    assert_eq!(chart.beside(None, false), Some(33.0), "from the ring");
    assert_eq!(chart.place(33.4), Some(33.0));
}

#[test]
fn labels_of_a_plot_never_overlap() {
    let chart = chart();
    for width in [180.0, 250.0, 330.0, 700.0] {
        let size = Size { width, height: 190.0 };
        for px in [11.0, 14.0] {
            let measure = |text: &str, strong: bool| estimate(text, px, strong);
            let small = |text: &str, strong: bool| estimate(text, px * 0.8, strong);
            let layout = Layout::new(&chart, size, px, true, &measure);
            for (idx, a) in layout.labels.iter().enumerate() {
                let (left, top, right, bottom) = a.area(px, &measure);
                assert!(
                    left >= -0.5 && top >= -0.5 && bottom <= size.height + 0.5,
                    "{a:?}"
                );
                assert!(right <= width + 0.5 || a.text == chart.title, "{a:?} at {width}");
                for b in &layout.labels[idx + 1..] {
                    let other = b.area(px * 0.8, &small);
                    let apart = left + 0.5 >= other.2
                        || other.0 + 0.5 >= right
                        || a.area(px * 0.8, &small).1 >= other.3
                        || other.1 >= a.area(px * 0.8, &small).3;
                    assert!(apart, "{a:?} and {b:?} at {width}, {px} px");
                }
            }
        }
    }
}

#[test]
fn the_drawing_matches_the_numbers() {
    let layout = Layout::new(
        &chart(),
        Size {
            width: 250.0,
            height: 190.0,
        },
        11.0,
        false,
        &|text, strong| estimate(text, 11.0, strong),
    );
    for x in [0.0, 17.0, 255.0] {
        assert!((layout.x_at(layout.x(x)) - x).abs() < 0.01);
    }
    assert!(layout.y(64.0) < layout.y(0.0));
}

#[test]
fn tables_of_plots_have_one_cell_per_curve() {
    let chart = chart();
    let table = chart.table();
    assert_eq!(
        table.columns,
        ["Registers (per thread)", "TU102", "GF100", "GV100"]
    );
    assert!(table.rows.iter().all(|row| row.len() == 4));
    assert!(
        chart
            .csv()
            .starts_with("Registers (per thread),TU102,GF100,GV100\n1,32,48,64\n")
    );
}

#[test]
fn numbers_are_short() {
    for (value, text) in [
        (0.0, "0"),
        (1024.0, "1,024"),
        (-3.0, "−3"),
        (0.25, "0.25"),
        (12.3456, "12.35"),
        (1234.5, "1234"),
        (0.000_012_34, "1.234e-5"),
    ] {
        assert_eq!(number(value), text);
    }
}
