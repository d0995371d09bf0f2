//! Nodes on cycles.

use cuda::internals::on_cycles;

#[test]
fn nodes_on_cycles_reach_themselves() {
    let mut state = 7_u64;
    let mut below = |num: u32| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        ((state >> 33) % u64::from(num)) as u32
    };
    for _ in 0..2000 {
        let num = 1 + below(12);
        let mut succs = vec![Vec::new(); num as usize];
        for _ in 0..below(2 * num) {
            let from = below(num);
            succs[from as usize].push(below(num));
        }
        let found = on_cycles(&succs);
        for node in 0..num {
            let mut seen = vec![false; num as usize];
            let mut open = succs[node as usize].clone();
            while let Some(at) = open.pop() {
                if !std::mem::replace(&mut seen[at as usize], true) {
                    open.extend(&succs[at as usize]);
                }
            }
            assert_eq!(found[node as usize], seen[node as usize], "{node} in {succs:?}");
        }
    }
}

#[test]
fn long_chains_need_no_stack() {
    let succs: Vec<Vec<u32>> = (1..=100_000).map(|next| vec![next % 100_000]).collect();
    assert!(on_cycles(&succs).iter().all(|on_cycle| *on_cycle));
}
