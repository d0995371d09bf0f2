//! Comparison rows and their summary statistics.

use engine::arch::ArchId;

/// The compared quantity.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Measure {
    /// Registers per thread.
    Registers,
    /// Instructions in the code, without padding.
    Instructions,
    /// Warp instructions that a launch executes.
    Executed,
    /// Cycles of one block on one SM.
    Cycles,
}

impl Measure {
    /// The measures of code in display order.
    pub(super) const OF_CODE: [Self; 3] = [Self::Registers, Self::Instructions, Self::Executed];

    /// Returns the name in tables.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Registers => "registers",
            Self::Instructions => "instructions",
            Self::Executed => "executed instructions",
            Self::Cycles => "cycles",
        }
    }
}

/// One number of this project with its reference.
#[derive(Clone, Debug)]
pub(super) struct Row {
    /// The kernel file.
    pub(super) file: String,
    /// The name of the kernel or case.
    pub(super) name: String,
    /// The architecture.
    pub(super) arch: ArchId,
    /// The compared quantity.
    pub(super) measure: Measure,
    /// The number of nvcc or of the hardware.
    pub(super) reference: u64,
    /// This project's number, or the reason why the row is excluded.
    pub(super) ours: Result<u64, String>,
}

impl Row {
    /// Returns this project's number divided by the reference, or `None` if the row is excluded.
    pub(super) fn ratio(&self) -> Option<f64> {
        let ours = *self.ours.as_ref().ok()?;
        (self.reference > 0).then(|| ours as f64 / self.reference as f64)
    }
}

/// The range of ratios that count as similar.
pub(super) const ALIKE: std::ops::RangeInclusive<f64> = 0.7..=1.4;

/// Summary statistics of ratios.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Summary {
    /// The number of rows with a ratio.
    pub(super) num: usize,
    /// The median ratio.
    pub(super) median: f64,
    /// The geometric mean of the ratios.
    pub(super) mean: f64,
    /// The share of ratios within [`ALIKE`].
    pub(super) alike: f64,
}

/// Summarizes ratios; returns `None` if no row has a ratio.
pub(super) fn summary(rows: &[&Row]) -> Option<Summary> {
    let ratios: Vec<f64> = rows.iter().filter_map(|row| row.ratio()).collect();
    let num = ratios.len();
    let alike = ratios.iter().filter(|ratio| ALIKE.contains(*ratio)).count();
    let logs: f64 = ratios.iter().map(|ratio| libm::log(*ratio)).sum();
    Some(Summary {
        num,
        median: median(&ratios)?,
        mean: libm::exp(logs / num as f64),
        alike: alike as f64 / num as f64,
    })
}

/// Returns the median.
pub(super) fn median(values: &[f64]) -> Option<f64> {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let last = sorted.len().checked_sub(1)?;
    Some(f64::midpoint(sorted[last / 2], sorted[sorted.len() / 2]))
}

/// Returns up to `num` rows with the largest ratios above 1 in descending order, and up to `num` rows with the smallest
/// ratios below 1 in ascending order.
pub(super) fn worst<'a>(rows: &[&'a Row], num: usize) -> [Vec<&'a Row>; 2] {
    let mut sorted: Vec<(f64, &Row)> = rows.iter().filter_map(|row| Some((row.ratio()?, *row))).collect();
    sorted.sort_by(|a, b| a.0.total_cmp(&b.0));
    let high = sorted.iter().rev().filter(|(ratio, _)| *ratio > 1.0);
    let low = sorted.iter().filter(|(ratio, _)| *ratio < 1.0);
    [
        high.take(num).map(|(_, row)| *row).collect(),
        low.take(num).map(|(_, row)| *row).collect(),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(name: &str, ours: Result<u64, String>, reference: u64) -> Row {
        Row {
            file: "a.cu".to_owned(),
            name: name.to_owned(),
            arch: ArchId::Tu102,
            measure: Measure::Registers,
            reference,
            ours,
        }
    }

    #[test]
    fn excluded_rows_do_not_count() {
        let rows = [
            row("twice", Ok(20), 10),
            row("same", Ok(10), 10),
            row("half", Ok(5), 10),
            row("noisy", Err("noisy".to_owned()), 10),
        ];
        let rows: Vec<&Row> = rows.iter().collect();
        let found = summary(&rows).expect("three ratios");
        assert_eq!((found.num, found.median), (3, 1.0));
        assert!((found.mean - 1.0).abs() < 1e-12);
        assert!((found.alike - 1.0 / 3.0).abs() < 1e-12);
        let [high, low] = worst(&rows, 10);
        assert_eq!((high.len(), low.len()), (1, 1));
        assert_eq!((high[0].name.as_str(), low[0].name.as_str()), ("twice", "half"));
        assert_eq!(summary(&[]), None);
    }

    #[test]
    fn the_median_of_an_even_number_of_values_is_the_mean_of_the_middle_two() {
        assert_eq!(median(&[4.0, 1.0, 3.0, 2.0]), Some(2.5));
        assert_eq!(median(&[]), None);
    }
}
