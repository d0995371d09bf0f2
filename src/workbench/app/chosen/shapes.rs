//! The grid and the block of a chosen launch.

use super::{Given, guess};
use crate::app::form::dims_text;
use cuda::host::{Guess, GuessOf};
use cuda::uses::Uses;
use engine::arch::architecture;
use engine::isa::{Program, SymbolSpace};

/// Blocks on each axis that the kernel reads. Assumption: as few as show how blocks share the work, so that a run takes seconds.
const BLOCKS: u32 = 4;
/// Threads of a block on one axis. Assumption: the size that most programs use.
const THREADS: u32 = 256;

/// A grid and a block.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Shape {
    pub(super) grid: [u32; 3],
    pub(super) block: [u32; 3],
    pub(super) why: Vec<Guess>,
}

impl Shape {
    /// Threads on an axis.
    pub(super) fn threads(&self, axis: usize) -> u64 {
        u64::from(self.grid[axis]) * u64::from(self.block[axis])
    }

    /// Threads of the grid.
    pub(super) fn num_threads(&self) -> u64 {
        (0..3).map(|axis| self.threads(axis)).fold(1, u64::saturating_mul)
    }

    /// Threads of a block.
    pub(super) fn num_block_threads(&self) -> u64 {
        self.block.iter().map(|dim| u64::from(*dim)).product()
    }
}

/// Shapes in the order in which they are tried.
pub(super) fn shapes(program: &Program, uses: &Uses, given: Given) -> Vec<Shape> {
    let most = u64::from(architecture(program.arch).occupancy.max_threads_per_block.value);
    let fits = |block: &[u32; 3]| block.iter().map(|dim| u64::from(*dim)).product::<u64>() <= most;
    let blocks = match given.block {
        Some(block) => vec![(block, String::new())],
        None => blocks(program, uses),
    };
    let mut shapes: Vec<Shape> = Vec::new();
    for (block, reason) in blocks {
        if given.block.is_none() && (!fits(&block) || shapes.iter().any(|shape| shape.block == block)) {
            continue;
        }
        let mut why = Vec::new();
        let grid = given.grid.unwrap_or_else(|| grid(uses));
        if given.grid.is_none() {
            let words = if uses.block_axes.contains(&true) {
                "so that several blocks share the work"
            } else {
                "as the kernel does not read the index of its block"
            };
            why.push(guess(
                GuessOf::Grid,
                "the grid",
                format!("{}, {words}", dims_text(grid)),
            ));
        }
        if given.block.is_none() {
            why.push(guess(
                GuessOf::Block,
                "the block",
                format!("{}, {reason}", dims_text(block)),
            ));
        }
        shapes.push(Shape { grid, block, why });
    }
    shapes
}

fn grid(uses: &Uses) -> [u32; 3] {
    let mut grid = [1; 3];
    for (axis, extent) in grid.iter_mut().enumerate() {
        if uses.block_axes[axis] {
            // A third axis multiplies the work again.
            *extent = if axis == 2 { BLOCKS / 2 } else { BLOCKS };
        }
    }
    grid
}

/// The largest power of two that is not larger: an array can have columns that no thread has, such as padding or a border.
const fn power(extent: u32) -> u32 {
    if extent == 0 { 1 } else { 1 << extent.ilog2() }
}

fn blocks(program: &Program, uses: &Uses) -> Vec<([u32; 3], String)> {
    let mut list = Vec::new();
    let shared = || {
        let symbols = program.symbols.iter();
        symbols.filter(|symbol| symbol.space == SymbolSpace::Shared && symbol.size > 0)
    };
    let usual = || "a usual size".to_owned();
    if uses.axes[2] {
        list.extend([[8, 8, 4], [4, 4, 4], [8, 8, 8]].map(|block| (block, usual())));
    } else if uses.axes[1] {
        for symbol in shared().filter(|symbol| symbol.dims.len() >= 2) {
            let [.., rows, columns] = symbol.dims[..] else {
                continue;
            };
            let block = [power(columns), power(rows), 1];
            if block[0] >= 4 && block[1] >= 4 {
                list.push((
                    block,
                    format!(
                        "as the shared array `{}` has rows of {columns} elements",
                        symbol.name
                    ),
                ));
            }
        }
        list.extend([[16, 16, 1], [32, 8, 1], [32, 32, 1], [8, 8, 1]].map(|block| (block, usual())));
    } else {
        if let Some((threads, _)) = program.launch_bounds.filter(|(threads, _)| *threads > 0) {
            list.push(([threads, 1, 1], "the threads of `__launch_bounds__`".to_owned()));
        }
        let lengths = shared().filter_map(|symbol| match symbol.dims[..] {
            [length] => Some((power(length), symbol)),
            _ => None,
        });
        let least = lengths
            .filter(|(threads, _)| (64..=1_024).contains(threads))
            .min_by_key(|(threads, _)| *threads);
        if let Some((threads, symbol)) = least {
            list.push((
                [threads, 1, 1],
                format!(
                    "as the shared array `{}` has {} elements",
                    symbol.name, symbol.dims[0]
                ),
            ));
        }
        list.extend([THREADS, 128, 64, 32, 512, 1_024].map(|threads| ([threads, 1, 1], usual())));
    }
    list
}
