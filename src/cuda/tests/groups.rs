//! Tiles of cooperative groups that span several warps (CUDA C++ Programming Guide, "Thread Block Tile").

use super::tiles::{kernel_with, threads};
use super::*;

fn outputs(body: &str, num_threads: u32) -> Result<Vec<u32>, String> {
    let source = kernel_with(
        "#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;",
        body,
    );
    let given: Vec<u32> = (0..num_threads).map(|thread| thread * thread % 1009).collect();
    threads(&source, ArchId::Gh100, num_threads, &given, num_threads as usize)
}

#[test]
fn tiles_of_several_warps_reduce_and_broadcast() {
    let with_memory =
        "__shared__ cg::block_tile_memory<256> memory; auto block = cg::this_thread_block(memory);";
    let without = "cg::thread_block block = cg::this_thread_block();";
    let value = |thread: u32| thread * thread % 1009;
    for (start, size) in [(with_memory, 64), (without, 128), (without, 256)] {
        let tile = format!("auto tile = cg::tiled_partition<{size}>(block);");
        let tile_of = |thread: u32| thread / size * size..thread / size * size + size;
        let sum: Vec<u32> = (0..256).map(|thread| tile_of(thread).map(value).sum()).collect();
        let body = format!("{start} {tile} out[t] = cg::reduce(tile, in[t], cg::plus<unsigned>());");
        assert_eq!(outputs(&body, 256), Ok(sum), "{body}");
        let most: Vec<u32> = (0..256)
            .map(|thread| tile_of(thread).map(value).max().unwrap())
            .collect();
        let body = format!(
            "{start} cg::thread_block_tile<{size}> tile = cg::tiled_partition<{size}>(block);
             out[t] = cg::reduce(tile, in[t], cg::greater<unsigned>());"
        );
        assert_eq!(outputs(&body, 256), Ok(most), "{body}");
        let from: Vec<u32> = (0..256).map(|thread| value(tile_of(thread).start + 37)).collect();
        let body = format!("{start} {tile} out[t] = tile.shfl(in[t], 37);");
        assert_eq!(outputs(&body, 256), Ok(from), "{body}");
    }
}

/// The statements of a kernel, and what they store in each thread.
type Case = (&'static str, fn(u32) -> u32);

#[test]
fn tiles_of_several_warps_have_ranks_votes_and_barriers() {
    let start = "auto tile = cg::tiled_partition<64>(cg::this_thread_block());";
    let cases: [Case; 4] = [
        (
            "out[t] = tile.thread_rank() * 100 + tile.meta_group_rank() * 10 + tile.meta_group_size();",
            |thread| thread % 64 * 100 + thread / 64 * 10 + 4,
        ),
        ("out[t] = tile.any(t == 70) * 10 + tile.all(t >= 64);", |thread| {
            u32::from(thread / 64 == 1) * 10 + u32::from(thread >= 64)
        }),
        (
            "auto warp = cg::tiled_partition<32>(tile); out[t] = warp.meta_group_rank() * 10 + warp.meta_group_size();",
            |thread| thread % 64 / 32 * 10 + 2,
        ),
        // The second warp of a tile writes what the first one reads.
        (
            "__shared__ unsigned s[256];
             for (int i = 0; i < 3; i++) { s[t] = t + i; tile.sync(); out[t] = s[t ^ 32]; tile.sync(); }",
            |thread| (thread ^ 32) + 2,
        ),
    ];
    for (body, expected) in cases {
        let expected: Vec<u32> = (0..256).map(expected).collect();
        assert_eq!(outputs(&format!("{start} {body}"), 256), Ok(expected), "{body}");
    }
}

#[test]
fn a_tile_has_a_size_that_is_a_power_of_two() {
    let body = "auto tile = cg::tiled_partition<48>(cg::this_thread_block()); out[t] = tile.size();";
    assert!(outputs(body, 96).is_err());
}
