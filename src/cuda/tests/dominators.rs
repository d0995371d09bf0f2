//! Dominators, against a search of all paths.

use cuda::ir::flow::dominators::{Dominators, reverse_postorder_from};

/// Nodes that are reachable from the root, node 0, without passing through `without`.
fn reached(succs: &[Vec<u32>], without: Option<u32>) -> Vec<bool> {
    let mut reached = vec![false; succs.len()];
    let mut open = vec![0];
    while let Some(node) = open.pop() {
        if Some(node) != without && !std::mem::replace(&mut reached[node as usize], true) {
            open.extend(&succs[node as usize]);
        }
    }
    reached
}

/// A node dominates another if every path passes through it: checked for all pairs of random graphs.
#[test]
fn every_path_passes_through_the_dominators() {
    let mut state = 7_u64;
    let mut below = |num: u32| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        ((state >> 33) % u64::from(num)) as u32
    };
    for _ in 0..2000 {
        let num = 1 + below(14);
        let mut succs = vec![Vec::new(); num as usize];
        let mut preds = vec![Vec::new(); num as usize];
        for _ in 0..below(2 * num + 1) {
            let (from, to) = (below(num), below(num));
            succs[from as usize].push(to);
            preds[to as usize].push(from);
        }
        let order = reverse_postorder_from(0, &succs);
        let tree = Dominators::new(num as usize, &order, &preds);
        let alive = reached(&succs, None);
        for a in 0..num {
            let without = reached(&succs, Some(a));
            for b in (0..num).filter(|b| alive[*b as usize]) {
                let expected = alive[a as usize] && !without[b as usize];
                assert_eq!(tree.dominates(a, b), expected, "{a} over {b} in {succs:?}");
            }
        }
    }
}
