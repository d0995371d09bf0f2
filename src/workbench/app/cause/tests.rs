use super::*;
use crate::app::{Event, update};
use crate::cause::{MIN_SHARE, Verdict};
use crate::scene::{Size, Target};
use engine::arch::{ArchId, Architecture, Exchange, OpClass};
use engine::trace::simulate;

/// Kernels with different limits: transactions, banks, bandwidth, barriers, arithmetic, atomics, latency.
const KERNELS: [&str; 10] = [
    "transpose-naive",
    "transpose-tiled",
    "saxpy",
    "reduce-sum",
    "matmul-tiled",
    "histogram-global",
    "stencil-shared",
    "strided-copy",
    "mixed-math",
    "pointer-chase-far",
];

/// Pairs in which each chip is at least once.
const PAIRS: [(ArchId, ArchId); 7] = [
    (ArchId::Gf100, ArchId::Gv100),
    (ArchId::G80, ArchId::Gp104),
    (ArchId::Gk110, ArchId::Gh100),
    (ArchId::Gm204, ArchId::Gp100),
    (ArchId::Tu102, ArchId::Ga102),
    (ArchId::Ga100, ArchId::Ad102),
    (ArchId::Gt200, ArchId::Gf104),
];

/// The pairs, or with the variable `WARPSCOPE_ALL_PAIRS` all 91, which take three minutes.
fn pairs() -> Vec<(ArchId, ArchId)> {
    if std::env::var_os("WARPSCOPE_ALL_PAIRS").is_none() {
        return PAIRS.to_vec();
    }
    let after = |idx: usize| ArchId::ALL.into_iter().skip(idx + 1);
    let all = ArchId::ALL.into_iter().enumerate();
    all.flat_map(|(idx, one)| after(idx).map(move |other| (one, other)))
        .collect()
}

fn link(arch: ArchId, kernel: &str) -> String {
    format!("v1;arch={arch};kernel={kernel}")
}

/// The slow chip with the numbers of an exchange, written field by field; `None` for exchanges that no public field has.
fn by_hand(exchange: Exchange, own: ArchId, other: ArchId) -> Option<Architecture> {
    let (own, other) = (architecture(own), architecture(other));
    let mut arch = own.clone();
    let (memory, lent) = (&mut arch.memory, &other.memory);
    match exchange {
        Exchange::LoadStoreUnits => {
            memory.shared.pass_interval_cycles = lent.shared.pass_interval_cycles;
            memory.unit_gate = lent.unit_gate;
            let classes = [
                OpClass::Shared,
                OpClass::Global,
                OpClass::Constant,
                OpClass::Shuffle,
                OpClass::WarpReduce,
                OpClass::SharedAtomic,
                OpClass::GlobalAtomic,
            ];
            for class in classes {
                if let (Some(own), Some(other)) = (own.cost(class), other.cost(class)) {
                    let mut cost = *own;
                    cost.pipe = other.pipe;
                    cost.occupancy_cycles = other.occupancy_cycles;
                    arch.set_cost(class, cost);
                }
            }
            let is_lent = |kind| matches!(kind, engine::arch::PipeKind::Lsu | engine::arch::PipeKind::Adu);
            let kept = own.pipes.iter().filter(|pipe| !is_lent(pipe.kind));
            let lent = other.pipes.iter().filter(|pipe| is_lent(pipe.kind));
            let mut pipes: Vec<_> = kept.chain(lent).copied().collect();
            // Barriers and fences stay on their pipe.
            for class in [OpClass::Barrier, OpClass::Membar] {
                let kind = own.cost(class)?.pipe;
                if pipes.iter().all(|pipe| pipe.kind != kind) {
                    pipes.push(*own.pipe(kind)?);
                }
            }
            arch.pipes = pipes.leak();
        }
        Exchange::DramLatency => memory.device.latency_cycles = lent.device.latency_cycles,
        Exchange::DramBandwidth => {
            arch.chip.dram_gb_per_s = other.chip.dram_gb_per_s;
            arch.chip.sm_clock_mhz = other.chip.sm_clock_mhz;
            memory.device.efficiency = lent.device.efficiency;
            memory.device.transaction_bytes = lent.device.transaction_bytes;
            memory.partitions = lent.partitions;
        }
        Exchange::L1Throughput => {
            let (l1, lent) = (memory.l1.as_mut()?, lent.l1.as_ref()?);
            l1.tags_per_cycle = lent.tags_per_cycle;
            l1.bytes_per_cycle = lent.bytes_per_cycle;
        }
        Exchange::L1Policy => {
            let Some(lent) = lent.l1 else {
                memory.l1 = None;
                return Some(arch);
            };
            let Some(l1) = memory.l1.as_mut() else {
                memory.l1 = Some(lent);
                return Some(arch);
            };
            l1.caches_globals_by_default = lent.caches_globals_by_default;
            l1.globals_can_opt_in = lent.globals_can_opt_in;
            l1.globals_can_opt_out = lent.globals_can_opt_out;
            l1.caches_locals = lent.caches_locals;
            l1.global_write = lent.global_write;
            l1.local_write = lent.local_write;
        }
        Exchange::L1Latency => {
            if let (Some(l1), Some(lent)) = (memory.l1.as_mut(), &lent.l1) {
                l1.hit_latency_cycles = lent.hit_latency_cycles;
            }
            let mut cost = *own.cost(OpClass::Global)?;
            cost.latency_cycles = other.cost(OpClass::Global)?.latency_cycles;
            arch.set_cost(OpClass::Global, cost);
        }
        Exchange::L2Latency => {
            memory.l2.as_mut()?.hit_latency_cycles = lent.l2.as_ref()?.hit_latency_cycles;
        }
        Exchange::Transactions => {
            memory.coalescing = lent.coalescing;
            if let (Some(l1), Some(lent)) = (memory.l1.as_mut(), &lent.l1) {
                l1.line_bytes = lent.line_bytes;
                l1.sector_bytes = lent.sector_bytes;
            }
        }
        Exchange::Banks => {
            memory.shared.banks = lent.shared.banks;
            memory.shared.bank_width_bytes = lent.shared.bank_width_bytes;
            memory.shared.rule = lent.shared.rule;
            memory.eight_byte_banks = lent.eight_byte_banks;
        }
        Exchange::ConflictLatency => {
            memory.shared.extra_latency_per_pass_cycles = lent.shared.extra_latency_per_pass_cycles;
            memory.shared.extra_latency_once_cycles = lent.shared.extra_latency_once_cycles;
        }
        Exchange::LaneLatency => {
            arch.issue.lanes_change_cycles = other.issue.lanes_change_cycles;
            let classes = [
                OpClass::Fp32,
                OpClass::Fp32Compare,
                OpClass::Fp16,
                OpClass::IntAdd,
                OpClass::IntAddTwo,
                OpClass::IntLogic,
                OpClass::IntShift,
                OpClass::IntCompare,
                OpClass::IntMul,
                OpClass::Int24Mul,
                OpClass::Int16Mul,
                OpClass::BitField,
                OpClass::Move,
                OpClass::RangeReduction,
                OpClass::Vote,
                OpClass::PredicateLogic,
                OpClass::SlowPath,
            ];
            for class in classes {
                if let (Some(own), Some(other)) = (own.cost(class), other.cost(class)) {
                    let mut cost = *own;
                    cost.latency_cycles = other.latency_cycles;
                    cost.fixed_latency = other.fixed_latency;
                    arch.set_cost(class, cost);
                }
            }
        }
        Exchange::IssueOrder => arch.issue.order = other.issue.order,
        Exchange::Schedulers => {
            arch.issue.schedulers = other.issue.schedulers;
            arch.issue.dispatches = other.issue.dispatches;
            arch.issue.pairing = other.issue.pairing;
            arch.issue.issue_interval_cycles = other.issue.issue_interval_cycles;
            if own.issue.schedulers.value != other.issue.schedulers.value {
                // The lanes of the SM are divided among the schedulers, where they can be.
                let pipes = own.pipes.iter().map(|pipe| {
                    let (units, among) = (own.num_units(pipe.kind), u32::from(other.issue.schedulers.value));
                    let mut pipe = *pipe;
                    if pipe.scope == engine::arch::PipeScope::Scheduler {
                        if units.is_multiple_of(among) {
                            pipe.units = (units / among) as u8;
                        } else {
                            pipe.scope = engine::arch::PipeScope::Sm;
                            pipe.units = units as u8;
                        }
                    }
                    pipe.own = pipe.own.filter(|own| u32::from(own.value) * among <= units);
                    pipe
                });
                arch.pipes = pipes.collect::<Vec<_>>().leak();
            }
        }
        Exchange::Atomics => {
            // The units of L2 that were measured on GH100 are no public fields.
            if [own.id, other.id].contains(&ArchId::Gh100) {
                return None;
            }
            memory.atomics = lent.atomics;
            for class in [OpClass::SharedAtomic, OpClass::GlobalAtomic] {
                if let (Some(own), Some(other)) = (own.cost(class), other.cost(class)) {
                    let mut cost = *own;
                    cost.latency_cycles = other.latency_cycles;
                    cost.fixed_latency = other.fixed_latency;
                    arch.set_cost(class, cost);
                }
            }
        }
        _ => return None,
    }
    Some(arch)
}

/// The cycles of the slow chip's kernel on a chip that was made by hand, by the simulator that records traces.
fn cycles_on(arch: Architecture, kernel: &str) -> Option<u64> {
    let (scenario, program, launch) = loaded(&link(arch.id, kernel)).ok()?;
    let trace = simulate(Box::leak(Box::new(arch)), program, &launch, scenario.machine).ok()?;
    (trace.outcome() == Some(&Outcome::Finished)).then(|| trace.num_cycles())
}

#[test]
fn for_two_chips_a_number_explains_half_of_the_difference_or_several_do_with_shares() {
    let (mut named, mut checked, mut several, mut code, mut equal) = (0, 0, 0, 0, 0);
    let mut unchecked = Vec::new();
    for kernel in KERNELS {
        for (one, other) in pairs() {
            let Ok(record) = measured_cause(&link(one, kernel), &link(other, kernel)) else {
                continue;
            };
            let of = format!("{kernel} on {} and {}", record.slow, record.fast);
            let on = |arch: ArchId| cycles_on(architecture(arch).clone(), kernel);
            assert_eq!(
                (on(record.slow), on(record.fast)),
                (Some(record.cycles.0), Some(record.cycles.1)),
                "{of}"
            );
            let difference = record.cycles.0 - record.cycles.1;
            match record.verdict() {
                Verdict::One(exchange) => {
                    named += 1;
                    let Some(arch) = by_hand(exchange, record.slow, record.fast) else {
                        unchecked.push(format!("{of}: {exchange:?}"));
                        continue;
                    };
                    checked += 1;
                    let cycles = cycles_on(arch, kernel).unwrap_or(u64::MAX);
                    let gained = record.cycles.0.saturating_sub(cycles);
                    // Shares are rounded to whole percent.
                    assert!(
                        gained * 1000 >= difference * (10 * MIN_SHARE as u64 - 5),
                        "{of}: {exchange:?} gives {cycles} cycles of {:?}",
                        record.cycles
                    );
                    let single = record.singles.iter().find(|single| single.exchange == exchange);
                    assert_eq!(
                        single.and_then(|single| single.cycles),
                        Some(cycles),
                        "{of}: {exchange:?}"
                    );
                    assert!(Account::of(record.clone()).headline.len() > 20, "{of}");
                }
                Verdict::Several(shares) => {
                    several += 1;
                    assert!(!shares.is_empty(), "{of}");
                    let sum: i64 = shares.iter().map(|(_, share)| share).sum();
                    let all = sum + record.share_of_instructions().unwrap_or(0);
                    // Each share is rounded.
                    assert!(
                        (97..=103).contains(&all) || record.all.is_none(),
                        "{of}: {shares:?}, {all} %"
                    );
                    assert!(
                        record
                            .singles
                            .iter()
                            .all(|single| record.share_of(single) < Some(MIN_SHARE))
                    );
                }
                Verdict::Instructions => {
                    code += 1;
                    assert!(record.share_of_instructions() >= Some(MIN_SHARE), "{of}");
                }
                Verdict::Equal => equal += 1,
            }
            if std::env::var_os("SHOW").is_some() {
                println!("{of}: {}", Account::of(record.clone()).headline);
            }
        }
    }
    println!(
        "{named} named, {checked} checked, {several} several, {code} code, {equal} equal; {unchecked:#?}"
    );
    assert!(named + several + code > 40 && several < named);
    assert!(checked * 10 >= named * 9, "{unchecked:#?}");
}

fn opened(link: &str) -> Session {
    let mut session = Session::new();
    update(&mut session, Event::Open(link.to_owned()));
    while session.work(10_000) {}
    session
}

const TWO: &str = "v1;arch=gf100;kernel=transpose-tiled;compare=gv100;view=compare";

fn picture(session: &Session) -> crate::scene::Scene {
    let size = Size {
        width: 780.0,
        height: 600.0,
    };
    session
        .shown()
        .picture(View::Compare, size)
        .expect("a comparison has a picture")
}

/// All texts of a picture, in order.
fn text_of(scene: &crate::scene::Scene) -> String {
    let texts = scene.items.iter().filter_map(|item| match &item.shape {
        crate::scene::Shape::Text { text, .. } => Some(text.as_str()),
        _ => None,
    });
    texts.collect::<Vec<_>>().join("\n").replace('\u{a0}', " ")
}

#[test]
fn the_compare_view_names_the_cause_with_its_source() {
    let mut session = opened(TWO);
    let scene = picture(&session);
    assert_eq!(
        scene.headline,
        "A wavefront takes 2 cycles on GF100 (16 load/store units), 1 on GV100 (32)."
    );
    let text = text_of(&scene);
    for expected in [
        "64 % of the difference",
        "Programming Guide 4.2, F.4.3",
        "Load/store units",
        "Latency of bank conflicts",
    ] {
        assert!(text.contains(expected), "{expected}: {text}");
    }
    // Another row shows its own sources.
    assert!(!text.contains("GTX 560 Ti"), "{text}");
    update(&mut session, Event::Select(Target::Cause(1)));
    let text = text_of(&picture(&session));
    assert!(text.contains("GTX 560 Ti"), "{text}");
}

#[test]
fn leaving_the_view_stops_the_measurement_and_returning_keeps_the_result() {
    let mut session = opened(TWO);
    assert_eq!(session.causes.runs.jobs().count(), 0);
    update(&mut session, Event::View(View::Timeline));
    update(&mut session, Event::View(View::Compare));
    assert!(matches!(session.cause_state(), CauseState::Known { .. }));
    // Another pair is another question.
    update(&mut session, Event::Arch(ArchId::Gp104));
    while session
        .derived_all_mut()
        .map(|derived| derived.advance(u64::MAX))
        .fold(false, |a, b| a | b)
    {}
    session.follow_cause();
    assert_eq!(session.causes.runs.jobs().count(), 1);
    assert!(matches!(session.cause_state(), CauseState::Words(_)));
    update(&mut session, Event::View(View::Sm));
    assert_eq!(session.causes.runs.jobs().count(), 0);
}

#[test]
fn a_long_run_is_measured_on_request() {
    let mut session = opened("v1;arch=gf100;kernel=saxpy;grid=4096;compare=gv100;view=compare");
    let work = session
        .derived_all()
        .map(|derived| derived.trace().unwrap().num_issues());
    assert!(work.max() > Some(MAX_WORK));
    assert!(matches!(session.cause_state(), CauseState::Offered(_)));
    assert_eq!(session.causes.runs.jobs().count(), 0);
    update(&mut session, Event::Select(Target::MeasureCause));
    assert_eq!(session.causes.runs.jobs().count(), 1);
}

#[test]
fn sides_of_one_chip_are_named_by_what_differs_and_the_gain_is_the_headline() {
    let session =
        opened("v1;kernel=transpose-tiled;compare=tu102;2.kernel=transpose-padded;view=compare;cycle=900");
    let scene = picture(&session);
    assert_eq!(
        scene.headline,
        "transpose-padded: 5,682 to 1,842 cycles, 3.1 times faster."
    );
    let text = text_of(&scene);
    assert!(
        text.contains("transpose-tiled") && text.contains("transpose-padded"),
        "{text}"
    );
    assert!(matches!(session.cause_state(), CauseState::Absent));
}
