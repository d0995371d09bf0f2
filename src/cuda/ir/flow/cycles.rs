//! The nodes of a graph that lie on cycles, such as recursive functions.

/// By node: whether it can reach itself. `succs` has the successors of each node. Tarjan's algorithm with an explicit stack,
/// so that time is linear and depth is not limited.
pub(crate) fn on_cycles(succs: &[Vec<u32>]) -> Vec<bool> {
    const UNSEEN: u32 = u32::MAX;
    let num = succs.len();
    let mut number = vec![UNSEEN; num];
    let mut lowest = vec![0_u32; num];
    let mut is_open = vec![false; num];
    let mut on_cycle = vec![false; num];
    let mut component: Vec<u32> = Vec::new();
    let mut next_number = 0;
    for root in 0..num as u32 {
        if number[root as usize] != UNSEEN {
            continue;
        }
        let mut path: Vec<(u32, usize)> = vec![(root, 0)];
        while let Some((node, next)) = path.last_mut() {
            let at = *node as usize;
            if *next == 0 {
                (number[at], lowest[at]) = (next_number, next_number);
                next_number += 1;
                component.push(*node);
                is_open[at] = true;
            }
            if let Some(to) = succs[at].get(*next).copied() {
                *next += 1;
                let to_idx = to as usize;
                on_cycle[at] |= to_idx == at;
                if number[to_idx] == UNSEEN {
                    path.push((to, 0));
                } else if is_open[to_idx] {
                    lowest[at] = lowest[at].min(number[to_idx]);
                }
                continue;
            }
            path.pop();
            if let Some((parent, _)) = path.last() {
                let parent = *parent as usize;
                lowest[parent] = lowest[parent].min(lowest[at]);
            }
            if lowest[at] == number[at] {
                let start = component.iter().rposition(|node| *node as usize == at);
                let members = component.split_off(start.unwrap_or(0));
                let is_cycle = members.len() > 1;
                for member in members {
                    is_open[member as usize] = false;
                    on_cycle[member as usize] |= is_cycle;
                }
            }
        }
    }
    on_cycle
}
