//! The initial launch configurations of the library's kernels.

use engine::isa::ElemType;
use engine::launch::{Argument, Fill, Launch, Pattern, Role, SymbolFill};

fn input(elem: ElemType, len: u32, seed: u32) -> Argument {
    Argument::Buffer {
        elem,
        len,
        fill: Fill::of(Pattern::Lcg(seed)),
        role: Role::In,
        start: 0,
    }
}

fn output(elem: ElemType, len: u32) -> Argument {
    Argument::Buffer {
        elem,
        len,
        fill: Fill::of(Pattern::Zero),
        role: Role::Out,
        start: 0,
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

fn buffer(elem: ElemType, len: u32, pattern: Pattern, role: Role) -> Argument {
    let fill = Fill::of(pattern);
    Argument::Buffer {
        elem,
        len,
        fill,
        role,
        start: 0,
    }
}

/// A square matrix of small whole numbers.
fn matrix(elem: ElemType, side: u32, modulo: u64, offset: f64) -> Argument {
    Argument::Buffer {
        elem,
        len: side * side,
        fill: Fill {
            modulo: Some(modulo),
            offset: Some(offset),
            ..Fill::of(Pattern::Iota)
        },
        role: Role::In,
        start: 0,
    }
}

/// A product of two matrices of 32 x 32 small whole numbers, whose sums are exact: a warp for each tile of 16 x 16.
pub(super) fn tensor_product(factor: ElemType, sum: ElemType) -> Launch {
    launch(
        [2, 1, 1],
        [32, 2, 1],
        vec![
            output(sum, 32 * 32),
            matrix(factor, 32, 7, -3.0),
            matrix(factor, 32, 5, -1.0),
            int(32),
        ],
    )
}

/// A product of two matrices of 16 x 16 small whole numbers in double precision: a warp for each tile of 8 x 8.
pub(super) fn double_product() -> Launch {
    let f = ElemType::F64;
    launch(
        [2, 1, 1],
        [32, 2, 1],
        vec![
            output(f, 16 * 16),
            matrix(f, 16, 7, -3.0),
            matrix(f, 16, 5, -1.0),
            int(16),
        ],
    )
}

/// A product of two matrices with 32 rows and columns, and 8 words of numbers of `bits` along the common dimension: a
/// warp for each tile of 8 x 8.
pub(super) fn packed_product(bits: i32) -> Launch {
    let elem = if bits == 1 { ElemType::U32 } else { ElemType::I32 };
    launch(
        [4, 1, 1],
        [32, 4, 1],
        vec![
            output(ElemType::I32, 32 * 32),
            input(elem, 32 * 8, 8),
            input(elem, 32 * 8, 9),
            int(8 * 32 / bits),
        ],
    )
}

/// The launch of a kernel at a size that fills a device, if there is one: a million elements, or a square of 512 or
/// 1,024. A thread of the grid-stride loop has 8 elements, as in the small launch.
pub(super) fn full(id: &str) -> Option<Launch> {
    let f = ElemType::F32;
    let million = |num: i32, blocks: u32| {
        let len = 1 << 20;
        launch(
            [blocks, 1, 1],
            [256, 1, 1],
            vec![input(f, len, 1), input(f, len, 2), output(f, len), int(num)],
        )
    };
    let product = |block: [u32; 3]| {
        let len = 512 * 512;
        launch(
            [32, 32, 1],
            block,
            vec![output(f, len), input(f, len, 3), input(f, len, 4), int(512)],
        )
    };
    Some(match id {
        "vector-add" => million(1 << 20, 1 << 12),
        "vector-add-float4" => million(1 << 18, 1 << 10),
        "saxpy" => saxpy_of([1 << 10, 1, 1], 1 << 20),
        "saxpy-each" => saxpy_of([1 << 13, 1, 1], 1 << 20),
        "transpose-naive" | "transpose-tiled" | "transpose-padded" | "transpose-swizzled" => {
            transpose([32, 32, 1], 1024)
        }
        "matmul-naive" | "matmul-tiled" => product([16, 16, 1]),
        _ => return None,
    })
}

pub(super) fn add(grid: [u32; 3], num: i32) -> Launch {
    let f = ElemType::F32;
    let args = vec![input(f, 2048, 1), input(f, 2048, 2), output(f, 2048), int(num)];
    launch(grid, [256, 1, 1], args)
}

/// A copy of 16,384 floats.
pub(super) fn stream(blocks: u32) -> Launch {
    let f = ElemType::F32;
    let args = vec![input(f, 16384, 1), output(f, 16384)];
    launch([blocks, 1, 1], [256, 1, 1], args)
}

/// A copy of 1,024 floats by two warps.
pub(super) fn stream_few() -> Launch {
    let f = ElemType::F32;
    let args = vec![input(f, 1024, 1), output(f, 1024), int(1024)];
    launch([1, 1, 1], [64, 1, 1], args)
}

pub(super) fn saxpy(grid: [u32; 3]) -> Launch {
    saxpy_of(grid, 4096)
}

fn saxpy_of(grid: [u32; 3], len: u32) -> Launch {
    let f = ElemType::F32;
    let y = buffer(f, len, Pattern::Lcg(2), Role::InOut);
    launch(
        grid,
        [128, 1, 1],
        vec![float(2.5), input(f, len, 1), y, int(len.cast_signed())],
    )
}

pub(super) fn strided(stride: i32) -> Launch {
    let f = ElemType::F32;
    let len = 256 * stride.unsigned_abs();
    launch(
        [2, 1, 1],
        [128, 1, 1],
        vec![input(f, len, 7), output(f, 256), int(stride)],
    )
}

pub(super) fn misaligned(offset: i32) -> Launch {
    let f = ElemType::F32;
    launch(
        [2, 1, 1],
        [128, 1, 1],
        vec![input(f, 512, 7), output(f, 256), int(offset)],
    )
}

/// Like [`misaligned`], with the texture's buffer after the parameters.
pub(super) fn misaligned_texture(offset: i32) -> Launch {
    let f = ElemType::F32;
    launch(
        [2, 1, 1],
        [128, 1, 1],
        vec![output(f, 256), int(offset), input(f, 512, 7)],
    )
}

pub(super) fn gather_texture(index: Pattern) -> Launch {
    let index = buffer(ElemType::I32, 1024, index, Role::In);
    let args = vec![index, output(ElemType::F32, 1024), input(ElemType::F32, 1024, 6)];
    launch([4, 1, 1], [256, 1, 1], args)
}

pub(super) fn gather(index: Pattern) -> Launch {
    let index = buffer(ElemType::I32, 1024, index, Role::In);
    let args = vec![input(ElemType::F32, 1024, 6), index, output(ElemType::F32, 1024)];
    launch([4, 1, 1], [256, 1, 1], args)
}

pub(super) fn chase(next: Pattern, offset: f64) -> Launch {
    let fill = Fill {
        offset: (offset > 0.0).then_some(offset),
        ..Fill::of(next)
    };
    let next = Argument::Buffer {
        elem: ElemType::I32,
        len: 1024,
        fill,
        role: Role::In,
        start: 0,
    };
    launch(
        [1, 1, 1],
        [32, 1, 1],
        vec![next, output(ElemType::I32, 32), int(16)],
    )
}

pub(super) fn lookup(num_words: u64) -> Launch {
    let fill = Fill {
        modulo: Some(num_words),
        ..Fill::of(Pattern::Iota)
    };
    let key = Argument::Buffer {
        elem: ElemType::I32,
        len: 512,
        fill,
        role: Role::In,
        start: 0,
    };
    let table = SymbolFill {
        symbol: "lut".to_owned(),
        elem: ElemType::F32,
        len: 64,
        fill: Fill::of(Pattern::Lcg(4)),
    };
    let mut launch = launch([4, 1, 1], [128, 1, 1], vec![key, output(ElemType::F32, 512)]);
    launch.symbols.push(table);
    launch
}

pub(super) fn points_aos(num_members: u32) -> Launch {
    let f = ElemType::F32;
    launch(
        [4, 1, 1],
        [256, 1, 1],
        vec![input(f, 1024 * num_members, 6), output(f, 1024)],
    )
}

pub(super) fn points_soa() -> Launch {
    let f = ElemType::F32;
    let args = vec![
        input(f, 1024, 6),
        input(f, 1024, 7),
        input(f, 1024, 8),
        output(f, 1024),
    ];
    launch([4, 1, 1], [256, 1, 1], args)
}

pub(super) fn transpose(grid: [u32; 3], side: u32) -> Launch {
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

pub(super) fn reduce() -> Launch {
    launch(
        [4, 1, 1],
        [256, 1, 1],
        vec![input(ElemType::I32, 1024, 2), output(ElemType::I32, 4)],
    )
}

pub(super) fn scan(block: u32) -> Launch {
    let args = vec![input(ElemType::I32, 512, 1), output(ElemType::I32, 512)];
    launch([2, 1, 1], [block, 1, 1], args)
}

pub(super) fn matmul(grid: [u32; 3], block: [u32; 3]) -> Launch {
    let f = ElemType::F32;
    launch(
        grid,
        block,
        vec![output(f, 1024), input(f, 1024, 3), input(f, 1024, 4), int(32)],
    )
}

pub(super) fn histogram(block: u32, num_bins: u32, role: Role) -> Launch {
    let bins = buffer(ElemType::U32, num_bins, Pattern::Zero, role);
    launch(
        [4, 1, 1],
        [block, 1, 1],
        vec![input(ElemType::U8, 4096, 5), bins, int(4096)],
    )
}

pub(super) fn stencil() -> Launch {
    let f = ElemType::F32;
    launch([4, 1, 1], [128, 1, 1], vec![input(f, 520, 3), output(f, 512)])
}

pub(super) fn shared_stride(stride: i32) -> Launch {
    launch(
        [1, 1, 1],
        [32, 1, 1],
        vec![output(ElemType::F32, 32), int(stride)],
    )
}

pub(super) fn ladder(num_ways: i32, group: i32) -> Launch {
    let i = ElemType::I32;
    let args = vec![input(i, 1024, 6), output(i, 1024), int(num_ways), int(group)];
    launch([4, 1, 1], [256, 1, 1], args)
}

pub(super) fn uneven() -> Launch {
    let i = ElemType::I32;
    launch(
        [2, 1, 1],
        [128, 1, 1],
        vec![input(i, 256, 6), output(i, 256), int(4)],
    )
}

pub(super) fn math(first: ElemType, second: ElemType) -> Launch {
    launch(
        [2, 1, 1],
        [256, 1, 1],
        vec![output(first, 512), output(second, 512), int(32)],
    )
}

pub(super) fn chains() -> Launch {
    let f = ElemType::F32;
    launch([1, 1, 1], [32, 1, 1], vec![input(f, 32, 1), output(f, 32)])
}

pub(super) fn pressure() -> Launch {
    let f = ElemType::F32;
    launch(
        [6, 1, 1],
        [64, 1, 1],
        vec![input(f, 384 + 32 * 72, 1), output(f, 384)],
    )
}

pub(super) fn local_array() -> Launch {
    let f = ElemType::F32;
    let order = buffer(ElemType::I32, 16, Pattern::Perm(3), Role::In);
    launch(
        [4, 1, 1],
        [128, 1, 1],
        vec![input(f, 512 + 32 * 16, 1), order, output(f, 512)],
    )
}

pub(super) fn barrier(base: i32, more: i32) -> Launch {
    launch(
        [2, 1, 1],
        [256, 1, 1],
        vec![output(ElemType::I32, 512), int(base), int(more)],
    )
}

pub(super) fn warp_sum() -> Launch {
    let i = ElemType::I32;
    launch([2, 1, 1], [32, 1, 1], vec![input(i, 64, 2), output(i, 2)])
}

pub(super) fn barrier_some() -> Launch {
    let i = ElemType::I32;
    launch([1, 1, 1], [64, 1, 1], vec![input(i, 64, 2), output(i, 64)])
}

pub(super) fn one_block(block: u32, len: u32, n: Option<i32>) -> Launch {
    let i = ElemType::I32;
    let mut args = vec![input(i, block, 2), output(i, len)];
    args.extend(n.map(int));
    launch([1, 1, 1], [block, 1, 1], args)
}

pub(super) fn past_the_end() -> Launch {
    let i = ElemType::I32;
    launch(
        [4, 1, 1],
        [64, 1, 1],
        vec![input(i, 250, 2), output(i, 250), int(250)],
    )
}

pub(super) fn lock(grid: [u32; 3], block: u32, len: u32) -> Launch {
    let i = ElemType::I32;
    let mutex = buffer(i, 1, Pattern::Zero, Role::Scratch);
    let total = buffer(i, 1, Pattern::Zero, Role::InOut);
    launch(grid, [block, 1, 1], vec![mutex, total, input(i, len, 1)])
}

/// A block of the small kernel of the host programs.
pub(super) fn rounds() -> Launch {
    let f = ElemType::F32;
    launch(
        [4, 1, 1],
        [32, 1, 1],
        vec![buffer(f, 128, Pattern::Lcg(1), Role::InOut), int(200)],
    )
}
