//! Comparison of memory access counts with hardware counters.
//!
//! The counters were measured on compute capability 9.0. Only counts that follow from addresses are compared, because
//! the same rules apply on 7.5.

use super::cases::Case;
use super::judge::Row;
use engine::sim::RequestKind;
use engine::trace::{AccessTally, PcTally};

/// A count with its profiler name, which is also its column in `measured.csv`.
struct Counter {
    column: &'static str,
    kind: RequestKind,
    count: fn(&AccessTally) -> u64,
}

const fn counter(column: &'static str, kind: RequestKind, count: fn(&AccessTally) -> u64) -> Counter {
    Counter { column, kind, count }
}

fn wavefronts(tally: &AccessTally) -> u64 {
    tally.wavefronts
}

fn conflicts(tally: &AccessTally) -> u64 {
    tally.wavefronts.saturating_sub(tally.ideal_wavefronts)
}

fn requests(tally: &AccessTally) -> u64 {
    tally.requests
}

fn sectors(tally: &AccessTally) -> u64 {
    tally.sectors
}

static COUNTERS: [Counter; 14] = {
    use RequestKind::{
        GlobalAtomic, GlobalLoad, GlobalReduction, GlobalStore, SharedAtomic, SharedLoad, SharedStore,
    };
    [
        counter(
            "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum",
            SharedLoad,
            wavefronts,
        ),
        counter(
            "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum",
            SharedStore,
            wavefronts,
        ),
        counter(
            "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_atom.sum",
            SharedAtomic,
            wavefronts,
        ),
        counter(
            "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum",
            SharedLoad,
            conflicts,
        ),
        counter(
            "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum",
            SharedStore,
            conflicts,
        ),
        counter(
            "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_atom.sum",
            SharedAtomic,
            conflicts,
        ),
        counter(
            "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum",
            GlobalLoad,
            requests,
        ),
        counter(
            "l1tex__t_requests_pipe_lsu_mem_global_op_st.sum",
            GlobalStore,
            requests,
        ),
        counter(
            "l1tex__t_requests_pipe_lsu_mem_global_op_atom.sum",
            GlobalAtomic,
            requests,
        ),
        counter(
            "l1tex__t_requests_pipe_lsu_mem_global_op_red.sum",
            GlobalReduction,
            requests,
        ),
        counter(
            "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum",
            GlobalLoad,
            sectors,
        ),
        counter(
            "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum",
            GlobalStore,
            sectors,
        ),
        counter(
            "l1tex__t_sectors_pipe_lsu_mem_global_op_atom.sum",
            GlobalAtomic,
            sectors,
        ),
        counter(
            "l1tex__t_sectors_pipe_lsu_mem_global_op_red.sum",
            GlobalReduction,
            sectors,
        ),
    ]
};

/// Returns a row for each measured counter that was equal in two measurements.
pub(super) fn rows(case: &Case, total: &PcTally) -> Vec<Row> {
    let unstable = case.measured.get("unstable").map_or("", String::as_str);
    COUNTERS
        .iter()
        .filter(|counter| !unstable.split_whitespace().any(|column| column == counter.column))
        .filter_map(|counter| {
            let expected = case.count(counter.column)?;
            let got = (counter.count)(&total.of_kind(counter.kind));
            Some(Row {
                measure: counter.column.to_owned(),
                expected: expected.to_string(),
                got: got.to_string(),
                ok: got == expected,
                is_count: true,
            })
        })
        .collect()
}
