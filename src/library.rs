//! The kernel library: what a newcomer can open, each with a line on what to look at.
//!
//! Ids are used in links and are never reused.

use crate::isa::ElemType;
use crate::launch::{Argument, Fill, Launch, Pattern, Role};

/// A kernel of the library.
#[derive(Clone, Copy, Debug)]
pub struct LibraryKernel {
    /// Its id in links.
    pub id: &'static str,
    /// What it does, in a few words.
    pub title: &'static str,
    /// What to look at, in one sentence.
    pub look_at: &'static str,
    /// CUDA C.
    pub source: &'static str,
    /// Name of its `__global__` function.
    pub entry: &'static str,
    launch: fn() -> Launch,
}

impl LibraryKernel {
    /// The launch it is shown with at first.
    pub fn launch(&self) -> Launch {
        (self.launch)()
    }
}

/// The kernel with this id.
pub fn kernel(id: &str) -> Option<&'static LibraryKernel> {
    KERNELS.iter().find(|kernel| kernel.id == id)
}

/// The id of the kernel that an empty link opens.
pub const DEFAULT_ID: &str = "transpose-tiled";

macro_rules! source {
    ($id:literal) => {
        include_str!(concat!("library/", $id, ".cu"))
    };
}

/// All kernels, in the order of the menu.
pub static KERNELS: &[LibraryKernel] = &[
    LibraryKernel {
        id: "transpose-tiled",
        title: "Transpose through a shared tile",
        look_at: "Banks: the column read asks one bank for 32 words.",
        source: source!("transpose-tiled"),
        entry: "transpose_tiled",
        launch: || transpose([2, 2, 1], 64),
    },
    LibraryKernel {
        id: "transpose-padded",
        title: "Transpose through a padded tile",
        look_at: "Banks: one more column, and the conflict is gone.",
        source: source!("transpose-padded"),
        entry: "transpose_padded",
        launch: || transpose([2, 2, 1], 64),
    },
    LibraryKernel {
        id: "transpose-naive",
        title: "Transpose without shared memory",
        look_at: "Every store of a warp touches 32 segments of memory.",
        source: source!("transpose-naive"),
        entry: "transpose_naive",
        launch: || transpose([2, 2, 1], 64),
    },
    LibraryKernel {
        id: "vector-add",
        title: "Vector addition",
        look_at: "Timeline: long waits for memory, hidden only by other warps.",
        source: source!("vector-add"),
        entry: "vector_add",
        launch: || {
            launch(
                [8, 1, 1],
                [256, 1, 1],
                vec![
                    input(ElemType::F32, 2048, 1),
                    input(ElemType::F32, 2048, 2),
                    output(ElemType::F32, 2048),
                    int(2048),
                ],
            )
        },
    },
    LibraryKernel {
        id: "saxpy",
        title: "a x + y",
        look_at: "The same line is FMAD on Tesla and FFMA from Fermi on.",
        source: source!("saxpy"),
        entry: "saxpy",
        launch: || {
            let y = Argument::Buffer {
                elem: ElemType::F32,
                len: 4096,
                fill: plain(Pattern::Lcg(2)),
                role: Role::InOut,
            };
            launch(
                [4, 1, 1],
                [128, 1, 1],
                vec![float(2.5), input(ElemType::F32, 4096, 1), y, int(4096)],
            )
        },
    },
    LibraryKernel {
        id: "matmul-tiled",
        title: "Tiled matrix product",
        look_at: "Loads, barrier, sixteen products, barrier: the rhythm of a tile.",
        source: source!("matmul-tiled"),
        entry: "matmul_tiled",
        launch: || {
            launch(
                [2, 2, 1],
                [16, 16, 1],
                vec![
                    output(ElemType::F32, 1024),
                    input(ElemType::F32, 1024, 3),
                    input(ElemType::F32, 1024, 4),
                    int(32),
                ],
            )
        },
    },
    LibraryKernel {
        id: "reduce-sum",
        title: "Sum in shared memory",
        look_at: "Timeline: warps leave the work one by one and wait at the barrier.",
        source: source!("reduce-sum"),
        entry: "reduce_sum",
        launch: reduce,
    },
    LibraryKernel {
        id: "reduce-interleaved",
        title: "Sum with interleaved partners",
        look_at: "Banks: the stride doubles at each step, and so do the conflicts.",
        source: source!("reduce-interleaved"),
        entry: "reduce_interleaved",
        launch: reduce,
    },
    LibraryKernel {
        id: "histogram",
        title: "Histogram with shared atomics",
        look_at: "Lanes that count the same value wait for each other.",
        source: source!("histogram"),
        entry: "histogram",
        launch: || {
            let bins = Argument::Buffer {
                elem: ElemType::U32,
                len: 64,
                fill: plain(Pattern::Zero),
                role: Role::InOut,
            };
            launch(
                [4, 1, 1],
                [256, 1, 1],
                vec![input(ElemType::U8, 4096, 5), bins, int(4096)],
            )
        },
    },
    LibraryKernel {
        id: "divergence",
        title: "A ladder of branches",
        look_at: "Four ways through one warp, one after the other.",
        source: source!("divergence"),
        entry: "divergence",
        launch: || {
            launch(
                [2, 1, 1],
                [128, 1, 1],
                vec![input(ElemType::I32, 256, 6), output(ElemType::I32, 256), int(4)],
            )
        },
    },
    LibraryKernel {
        id: "mixed-math",
        title: "Integers beside floats",
        look_at: "SM: from Volta on, FP32 and INT32 lanes work at the same time.",
        source: source!("mixed-math"),
        entry: "mixed_math",
        launch: || {
            launch(
                [2, 1, 1],
                [256, 1, 1],
                vec![output(ElemType::F32, 512), output(ElemType::I32, 512), int(32)],
            )
        },
    },
    LibraryKernel {
        id: "shared-stride",
        title: "Shared memory by stride",
        look_at: "Banks: change the stride and count the wavefronts.",
        source: source!("shared-stride"),
        entry: "shared_stride",
        launch: || launch([1, 1, 1], [32, 1, 1], vec![output(ElemType::F32, 32), int(8)]),
    },
    LibraryKernel {
        id: "strided-copy",
        title: "Global memory by stride",
        look_at: "The wider the stride, the more sectors and the less of each is used.",
        source: source!("strided-copy"),
        entry: "strided_copy",
        launch: || {
            launch(
                [2, 1, 1],
                [128, 1, 1],
                vec![input(ElemType::F32, 2048, 7), output(ElemType::F32, 256), int(8)],
            )
        },
    },
    LibraryKernel {
        id: "pointer-chase",
        title: "Pointer chase",
        look_at: "Timeline: one load after the other, each as long as memory is far.",
        source: source!("pointer-chase"),
        entry: "pointer_chase",
        launch: || {
            let next = Argument::Buffer {
                elem: ElemType::I32,
                len: 1024,
                fill: plain(Pattern::Perm(8)),
                role: Role::In,
            };
            launch(
                [1, 1, 1],
                [32, 1, 1],
                vec![next, output(ElemType::I32, 32), int(16)],
            )
        },
    },
];

fn plain(pattern: Pattern) -> Fill {
    Fill {
        pattern,
        modulo: None,
        scale: None,
        offset: None,
    }
}

fn input(elem: ElemType, len: u32, seed: u32) -> Argument {
    Argument::Buffer {
        elem,
        len,
        fill: plain(Pattern::Lcg(seed)),
        role: Role::In,
    }
}

fn output(elem: ElemType, len: u32) -> Argument {
    Argument::Buffer {
        elem,
        len,
        fill: plain(Pattern::Zero),
        role: Role::Out,
    }
}

fn int(value: i32) -> Argument {
    Argument::Scalar {
        ty: ElemType::I32,
        bits: u64::from(value.cast_unsigned()),
    }
}

fn float(value: f32) -> Argument {
    Argument::Scalar {
        ty: ElemType::F32,
        bits: u64::from(value.to_bits()),
    }
}

fn launch(grid: [u32; 3], block: [u32; 3], args: Vec<Argument>) -> Launch {
    Launch {
        grid,
        block,
        dynamic_shared: 0,
        args,
        symbols: Vec::new(),
    }
}

fn transpose(grid: [u32; 3], side: u32) -> Launch {
    let num = side * side;
    let side = side.cast_signed();
    launch(
        grid,
        [32, 8, 1],
        vec![
            output(ElemType::F32, num),
            input(ElemType::F32, num, 1),
            int(side),
            int(side),
        ],
    )
}

fn reduce() -> Launch {
    launch(
        [4, 1, 1],
        [256, 1, 1],
        vec![input(ElemType::I32, 1024, 2), output(ElemType::I32, 4)],
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_unique_and_the_default_is_there() {
        for (i, kernel) in KERNELS.iter().enumerate() {
            assert!(
                KERNELS[..i].iter().all(|other| other.id != kernel.id),
                "{} twice",
                kernel.id
            );
        }
        assert!(kernel(DEFAULT_ID).is_some());
    }

    #[test]
    fn every_source_has_its_entry() {
        for kernel in KERNELS {
            assert!(
                kernel.source.contains(&format!("void {}(", kernel.entry)),
                "{}",
                kernel.id
            );
        }
    }
}
