//! A plot of time over work on logarithmic axes, as SVG: measured points, the fitted line, and a line
//! of slope 1 through the same middle.

use std::fmt::Write;

use super::{Scaling, short};

const WIDTH: f64 = 440.0;
const HEIGHT: f64 = 320.0;
/// Left, right, top, bottom.
const MARGIN: (f64, f64, f64, f64) = (64.0, 20.0, 44.0, 48.0);

/// An axis from a power of ten to a power of ten.
struct Axis {
    low: f64,
    high: f64,
    /// Pixels of both ends.
    at: (f64, f64),
}

impl Axis {
    fn new(values: impl Iterator<Item = f64> + Clone, at: (f64, f64)) -> Self {
        let low = values.clone().fold(f64::INFINITY, f64::min).log10();
        let high = values.fold(f64::NEG_INFINITY, f64::max).log10();
        // A little room on both sides.
        let room = 0.06 * (high - low).max(0.5);
        Self {
            low: low - room,
            high: high + room,
            at,
        }
    }

    fn place(&self, value: f64) -> f64 {
        let share = (value.log10() - self.low) / (self.high - self.low);
        self.at.0 + share * (self.at.1 - self.at.0)
    }

    /// Values 1, 2 and 5 times a power of ten that lie on it; fewer where they would be many.
    fn ticks(&self) -> Vec<f64> {
        let steps: &[f64] = if self.high - self.low > 1.6 {
            &[1.0]
        } else {
            &[1.0, 2.0, 5.0]
        };
        (self.low.floor() as i32..=self.high.ceil() as i32)
            .flat_map(|power| steps.iter().map(move |step| step * 10_f64.powi(power)))
            .filter(|value| (self.low..=self.high).contains(&value.log10()))
            .collect()
    }
}

/// The picture. Colours are of light paper, which pages of any theme can hold.
pub(super) fn svg(scaling: &Scaling) -> String {
    let (left, right, top, bottom) = MARGIN;
    let x = Axis::new(scaling.points.iter().map(|point| point.0), (left, WIDTH - right));
    let y = Axis::new(scaling.points.iter().map(|point| point.1), (HEIGHT - bottom, top));
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" width=\"{WIDTH}\" height=\"{HEIGHT}\" \
         font-family=\"system-ui, sans-serif\" font-size=\"11\">\n<title>Simulation time over {}</title>\n\
         <rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n",
        scaling.of
    );
    let mut line = |from: (f64, f64), to: (f64, f64), style: &str| {
        let ((x1, y1), (x2, y2)) = (from, to);
        let _ = writeln!(
            out,
            "<line x1=\"{x1:.1}\" y1=\"{y1:.1}\" x2=\"{x2:.1}\" y2=\"{y2:.1}\" {style}/>"
        );
    };
    for tick in x.ticks() {
        let at = x.place(tick);
        line((at, top), (at, HEIGHT - bottom), "stroke=\"#e9e9e3\"");
    }
    for tick in y.ticks() {
        let at = y.place(tick);
        line((left, at), (WIDTH - right, at), "stroke=\"#e9e9e3\"");
    }
    let axis = "stroke=\"#84857b\"";
    line((left, HEIGHT - bottom), (WIDTH - right, HEIGHT - bottom), axis);
    line((left, top), (left, HEIGHT - bottom), axis);
    let num = scaling.points.len().max(1) as f64;
    let mean =
        |of: fn(&(f64, f64)) -> f64| scaling.points.iter().map(|point| of(point).log10()).sum::<f64>() / num;
    let middle = (mean(|point| point.0), mean(|point| point.1));
    let ends = [
        scaling
            .points
            .iter()
            .map(|point| point.0)
            .fold(f64::INFINITY, f64::min),
        scaling.points.iter().map(|point| point.0).fold(0.0, f64::max),
    ];
    let on = |slope: f64, value: f64| {
        let height = middle.1 + slope * (value.log10() - middle.0);
        (x.place(value), y.place(10_f64.powf(height)))
    };
    line(
        on(1.0, ends[0]),
        on(1.0, ends[1]),
        "stroke=\"#84857b\" stroke-dasharray=\"5 4\"",
    );
    line(
        on(scaling.slope, ends[0]),
        on(scaling.slope, ends[1]),
        "stroke=\"#171814\" stroke-width=\"1.5\"",
    );
    let mut text = |at: (f64, f64), anchor: &str, style: &str, words: &str| {
        let _ = writeln!(
            out,
            "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"{anchor}\" {style}>{words}</text>",
            at.0, at.1
        );
    };
    let label = "fill=\"#64655d\"";
    for tick in x.ticks() {
        text(
            (x.place(tick), HEIGHT - bottom + 16.0),
            "middle",
            label,
            &grouped(tick),
        );
    }
    for tick in y.ticks() {
        text(
            (left - 6.0, y.place(tick) + 4.0),
            "end",
            label,
            &short(tick * 1e3),
        );
    }
    text((WIDTH - right, HEIGHT - 10.0), "end", label, &scaling.of);
    text((8.0, top - 10.0), "start", label, "ms");
    let title = "fill=\"#171814\" font-size=\"13\" font-weight=\"600\"";
    text(
        (left, 20.0),
        "start",
        title,
        &format!("Simulation time over {}", scaling.of),
    );
    let slope = format!("slope {:.3}; dashed: slope 1", scaling.slope);
    text((WIDTH - right, top - 10.0), "end", label, &slope);
    for (value, seconds) in &scaling.points {
        let _ = writeln!(
            out,
            "<circle cx=\"{:.1}\" cy=\"{:.1}\" r=\"3.5\" fill=\"#007544\"/>",
            x.place(*value),
            y.place(*seconds)
        );
    }
    out + "</svg>\n"
}

/// `10,000`.
fn grouped(value: f64) -> String {
    if value < 1.0 {
        return short(value);
    }
    let digits = format!("{value:.0}");
    let mut out = String::new();
    for (idx, digit) in digits.chars().enumerate() {
        if idx > 0 && (digits.len() - idx).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_on_a_line_lie_on_it_and_larger_is_right_and_up() {
        let scaling = Scaling {
            of: "blocks".to_owned(),
            points: vec![(10.0, 0.01), (100.0, 0.1), (1000.0, 1.0)],
            slope: 1.0,
        };
        let svg = svg(&scaling);
        let places: Vec<(f64, f64)> = svg
            .lines()
            .filter(|line| line.starts_with("<circle"))
            .map(|line| {
                let number = |name: &str| {
                    let rest = line.split(&format!("{name}=\"")).nth(1).unwrap();
                    rest.split('"').next().unwrap().parse::<f64>().unwrap()
                };
                (number("cx"), number("cy"))
            })
            .collect();
        assert_eq!(places.len(), 3);
        assert!(
            places
                .windows(2)
                .all(|pair| pair[1].0 > pair[0].0 && pair[1].1 < pair[0].1)
        );
        let halfway = f64::midpoint(places[0].1, places[2].1);
        assert!((places[1].1 - halfway).abs() < 0.2, "{places:?}");
        assert!(svg.contains(">1,000</text>"), "{svg}");
    }
}
