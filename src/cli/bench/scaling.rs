//! `bench --scaling`: measures whether simulation time scales linearly with the work.

use serde::Serialize;

use super::CliError;
use super::clock::Stopwatch;
use super::kernels::Load;
use engine::arch::ArchId;
use engine::launch::Argument;
use workbench::library;

/// One measured point.
#[derive(Serialize)]
pub(super) struct Point {
    /// Resident warps, blocks of the grid, or issued instructions.
    pub(super) x: u64,
    pub(super) issues: u64,
    pub(super) seconds: f64,
}

/// Simulation time over one size, which spans two decades.
#[derive(Serialize)]
pub(super) struct Scaling {
    /// The name of the size that scales.
    pub(super) of: &'static str,
    pub(super) points: Vec<Point>,
    /// The least-squares slope of log time over log x; 1 is linear.
    pub(super) slope: f64,
}

/// The number of iterations of the smallest run, sufficient for timing.
const ROUNDS: u64 = 3000;

/// Measures the scaling over resident warps, blocks, and instructions, each over two decades.
pub(super) fn measure(arch: ArchId) -> Result<[Scaling; 3], CliError> {
    // An SM holds at most 64 warps, so this size spans less than two decades. All runs have the same number of
    // iterations.
    let warps = points(
        arch,
        &[
            (1, 32),
            (1, 64),
            (1, 128),
            (1, 256),
            (1, 512),
            (1, 1024),
            (2, 1024),
        ],
        |_| ROUNDS,
    )?;
    let warps = warps.into_iter().map(|(blocks, threads, point)| Point {
        x: blocks * threads / 32,
        ..point
    });
    let blocks = points(
        arch,
        &[(8, 256), (24, 256), (80, 256), (240, 256), (800, 256)],
        |_| ROUNDS / 150,
    )?;
    let blocks = blocks
        .into_iter()
        .map(|(blocks, _, point)| Point { x: blocks, ..point });
    let mut rounds = [30, 100, 300, 1000, 3000].into_iter();
    let instructions = points(arch, &[(8, 256); 5], |_| rounds.next().unwrap_or(1))?;
    let instructions = instructions.into_iter().map(|(_, _, point)| Point {
        x: point.issues,
        ..point
    });
    Ok([
        fitted("warps resident", warps.collect()),
        fitted("blocks", blocks.collect()),
        fitted("instructions", instructions.collect()),
    ])
}

/// Times the kernel `mixed-math` for each number of blocks and threads per block; the fastest of five runs counts.
fn points(
    arch: ArchId,
    sizes: &[(u64, u64)],
    mut rounds: impl FnMut(u64) -> u64,
) -> Result<Vec<(u64, u64, Point)>, CliError> {
    let kernel = library::kernel_or_default("mixed-math");
    let mut load = Load::as_shown(kernel, arch)?;
    let mut points = Vec::new();
    for (blocks, threads) in sizes {
        load.launch.grid = [*blocks as u32, 1, 1];
        load.launch.block = [*threads as u32, 1, 1];
        let rounds = rounds(*blocks);
        for argument in &mut load.launch.args {
            match argument {
                Argument::Buffer { len, .. } => *len = (blocks * threads) as u32,
                Argument::Scalar { bits, .. } => *bits = rounds,
                Argument::Texture(_) | Argument::Bytes(_) | Argument::Pointer { .. } | Argument::Words(_) => {
                }
            }
        }
        let mut point = Point {
            x: 0,
            issues: 0,
            seconds: f64::MAX,
        };
        for _ in 0..5 {
            let mut simulation = load.start()?;
            let watch = Stopwatch::start();
            let progress = simulation.advance(u64::MAX);
            point.seconds = point.seconds.min(watch.seconds());
            point.issues = progress.issues;
        }
        points.push((*blocks, *threads, point));
    }
    Ok(points)
}

fn fitted(of: &'static str, points: Vec<Point>) -> Scaling {
    let logs: Vec<(f64, f64)> = points
        .iter()
        .map(|point| ((point.x as f64).ln(), point.seconds.ln()))
        .collect();
    let num = logs.len() as f64;
    let mean = |of: fn(&(f64, f64)) -> f64| logs.iter().map(of).sum::<f64>() / num;
    let (x, y) = (mean(|log| log.0), mean(|log| log.1));
    let over = logs.iter().map(|log| (log.0 - x) * (log.1 - y)).sum::<f64>();
    let under = logs.iter().map(|log| (log.0 - x).powi(2)).sum::<f64>();
    Scaling {
        of,
        points,
        slope: over / under,
    }
}
