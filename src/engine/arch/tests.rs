//! Tests of the architecture tables against NVIDIA's documents and measurements.

use super::*;

fn capability(text: &str) -> ComputeCapability {
    let (major, minor) = text.split_once('.').expect("major.minor");
    ComputeCapability {
        major: major.parse().expect("a number"),
        minor: minor.parse().expect("a number"),
    }
}

#[test]
fn occupancy_matches_cuda_occupancy_h() {
    let table = include_str!("../../../tests/golden/occupancy.csv");
    let mut num_rows = 0;
    for line in table.lines().skip(1) {
        let (cc, rest) = line.split_once(',').expect("columns");
        let row: Vec<i64> = rest
            .split(',')
            .map(|cell| cell.parse().expect("a number"))
            .collect();
        let rules = occupancy_rules(capability(cc)).expect("rules of every capability in the table");
        let got = rules.resident_blocks(&LaunchResources {
            threads_per_block: row[0] as u32,
            registers_per_thread: row[1] as u32,
            static_shared: row[2] as u32,
            dynamic_shared: row[3] as u32,
            carveout_percent: u32::try_from(row[4]).ok(),
            global_caching: GlobalCaching::Default,
        });
        let limit = |limit: Option<u32>| limit.map_or(-1, i64::from);
        let cells = [
            i64::from(got.blocks_per_sm),
            i64::from(got.limit_warps),
            i64::from(got.limit_blocks),
            limit(got.limit_registers),
            limit(got.limit_shared),
            i64::from(got.allocated_registers_per_block),
            i64::from(got.allocated_shared_per_block),
        ];
        assert_eq!(cells[..], row[5..], "{line}");
        num_rows += 1;
    }
    assert_eq!(num_rows, 7500);
}

#[test]
fn occupancy_matches_the_worked_examples() {
    let examples: serde_json::Value =
        serde_json::from_str(include_str!("../../../tests/facts/worked_examples.json")).expect("JSON");
    let mut capabilities = std::collections::BTreeSet::new();
    for row in examples["occupancy"].as_array().expect("rows") {
        let cc = row["cc"].as_str().expect("text");
        let Some(rules) = occupancy_rules(capability(cc)) else {
            assert!(matches!(cc, "10.0" | "12.0"), "{cc} is missing");
            continue;
        };
        let number = |key: &str| row[key].as_u64().expect("a number") as u32;
        let got = rules.resident_blocks(&LaunchResources {
            threads_per_block: number("threads"),
            registers_per_thread: number("regs"),
            static_shared: number("smem_static"),
            dynamic_shared: number("smem_dyn"),
            ..LaunchResources::default()
        });
        let limit = |key: &str| row["limits"][key].as_u64().map(|value| value as u32);
        assert_eq!(got.blocks_per_sm, number("blocks"), "{row}");
        assert_eq!(got.warps_per_sm(), number("warps"), "{row}");
        assert_eq!(Some(got.limit_warps), limit("warps"), "{row}");
        assert_eq!(Some(got.limit_blocks), limit("blocks"), "{row}");
        assert_eq!(got.limit_registers, limit("regs"), "{row}");
        assert_eq!(got.limit_shared, limit("smem"), "{row}");
        assert_eq!(
            got.allocated_registers_per_block,
            number("regs_per_block"),
            "{row}"
        );
        assert_eq!(got.allocated_shared_per_block, number("smem_per_block"), "{row}");
        assert!(
            (got.fraction() - row["occupancy"].as_f64().expect("a number")).abs() < 1e-6,
            "{row}"
        );
        capabilities.insert(cc);
    }
    assert!(capabilities.len() >= 16, "{capabilities:?}");
}

/// Programming Guide 4.2, 5.2.3, and 10.1, 5.2.3: one more register halves the resident blocks.
#[test]
fn register_limits_match_the_guides_examples() {
    let blocks = |cc, registers_per_thread| {
        let rules = occupancy_rules(capability(cc)).expect("rules");
        let launch = LaunchResources {
            threads_per_block: 512,
            registers_per_thread,
            ..LaunchResources::default()
        };
        rules.resident_blocks(&launch).blocks_per_sm
    };
    assert_eq!((blocks("1.2", 16), blocks("1.2", 17)), (2, 1));
    assert_eq!((blocks("6.1", 64), blocks("6.1", 65)), (2, 1));
}

#[test]
fn every_number_has_a_source_or_a_reason() {
    for id in ArchId::ALL {
        let floor = architecture(id).floor();
        let (groups, tpc) = (floor.groups, floor.sms_per_tpc);
        let port = floor
            .port_bytes_per_cycle
            .map(|port| (port.quality, port.source, port.note));
        let groups = (groups.quality, groups.source, groups.note);
        let tpc = (tpc.quality, tpc.source, tpc.note);
        let channels = architecture(id)
            .channels()
            .into_iter()
            .flat_map(|channels| [channels.number, channels.width_bytes]);
        let swaps = architecture(id).swaps().into_iter();
        let swaps = swaps.flat_map(|swaps| {
            [
                swaps.latency_cycles,
                swaps.extra_per_lane_cycles,
                swaps.wavefronts,
                swaps.spin_latency_cycles,
            ]
        });
        let writes = architecture(id).write_port().into_iter();
        let writes = writes.flat_map(|port| [port.sm_bytes_per_cycle, port.group_bytes_per_cycle]);
        let units = architecture(id).atomic_units().into_iter();
        let units = units.flat_map(|units| {
            [
                units.number,
                units.width_bytes,
                units.pass_time,
                units.full_pass_time,
                units.double_pass_time,
                units.float_interval,
                units.link_time,
                units.sm_time,
                units.in_flight,
                units.answer_time,
                units.word_return_time,
                units.words_return_time,
            ]
        });
        let channels = channels
            .chain(swaps)
            .chain(units)
            .chain(writes)
            .map(|value| (value.quality, value.source, value.note));
        for (quality, source, note) in [groups, tpc].into_iter().chain(port).chain(channels) {
            if quality == Quality::Assumption {
                assert!(source.is_empty() && note.len() > 8, "{id}: {note}");
            } else {
                assert!(source_title(source).is_some(), "{id}: unknown source `{source}`");
            }
        }
        for row in architecture(id).values() {
            if row.quality == Quality::Assumption {
                assert!(
                    row.source.is_empty() && row.note.len() > 8,
                    "{id} {}: assumption without a reason",
                    row.path
                );
            } else {
                assert!(
                    source_title(row.source).is_some(),
                    "{id} {}: unknown source `{}`",
                    row.path,
                    row.source
                );
            }
            for other in row.alternatives {
                assert!(
                    source_title(other.source).is_some(),
                    "{id} {}: unknown source `{}`",
                    row.path,
                    other.source
                );
            }
        }
    }
}

#[test]
fn every_cost_names_an_existing_pipe() {
    for id in ArchId::ALL {
        let arch = architecture(id);
        assert_eq!(arch.id, id);
        assert_eq!(id.text().parse(), Ok(id));
        for (idx, class) in OpClass::ALL.into_iter().enumerate() {
            assert_eq!(class as usize, idx);
            if let Some(cost) = arch.cost(class) {
                assert!(arch.num_units(cost.pipe) > 0, "{id} {class:?}");
                assert!(cost.occupancy_cycles.value > 0, "{id} {class:?}");
                assert!(cost.latency_cycles.value > 0, "{id} {class:?}");
            }
        }
    }
}

/// Tuning guides, sections 1.4.1.1 and 4.1.1.
#[test]
fn core_arithmetic_latency_matches_the_guides() {
    let latency = |id| {
        architecture(id)
            .cost(OpClass::Fp32)
            .map(|cost| cost.latency_cycles.value)
    };
    assert_eq!(latency(ArchId::Tu102), Some(4));
    assert_eq!(latency(ArchId::Gv100), Some(4));
    assert_eq!(latency(ArchId::Gp100), Some(6));
    assert_eq!(latency(ArchId::Gp104), Some(6));
}

/// Single-precision results per clock per SM: Programming Guide 4.2, Table 5-1, and 12.6, Table 4.
#[test]
fn rates_match_the_guides() {
    let expected = [
        (ArchId::G80, 8.0, 2.0, None),
        (ArchId::Gt200, 8.0, 2.0, Some(1.0)),
        (ArchId::Gf100, 32.0, 4.0, Some(16.0)),
        (ArchId::Gf104, 48.0, 8.0, Some(4.0)),
        (ArchId::Gk110, 192.0, 32.0, Some(64.0)),
        (ArchId::Gm204, 128.0, 32.0, Some(4.0)),
        (ArchId::Gp100, 64.0, 16.0, Some(32.0)),
        (ArchId::Gp104, 128.0, 32.0, Some(4.0)),
        (ArchId::Gv100, 64.0, 16.0, Some(32.0)),
        (ArchId::Tu102, 64.0, 16.0, Some(2.0)),
        (ArchId::Ga100, 64.0, 16.0, Some(32.0)),
        (ArchId::Ga102, 128.0, 16.0, Some(2.0)),
        (ArchId::Ad102, 128.0, 16.0, Some(2.0)),
        (ArchId::Gh100, 128.0, 16.0, Some(64.0)),
    ];
    for (id, fp32, special, fp64) in expected {
        let arch = architecture(id);
        assert_eq!(arch.results_per_cycle(OpClass::Fp32), Some(fp32), "{id}");
        assert_eq!(arch.results_per_cycle(OpClass::Mufu), Some(special), "{id}");
        assert_eq!(arch.results_per_cycle(OpClass::Fp64), fp64, "{id}");
    }
}

/// Published curves match base latency and slope, up to rounding.
#[test]
fn conflict_and_constant_latencies_match_the_published_curves() {
    let mut num_curves = 0;
    for id in ArchId::ALL {
        let arch = architecture(id);
        let latency = |class| {
            arch.cost(class)
                .map_or(0, |cost| u32::from(cost.latency_cycles.value))
        };
        for curve in arch.measured_curves() {
            num_curves += 1;
            for &(x, cycles) in curve.points {
                let extra = u32::from(x - 1) * u32::from(arch.memory.constant.extra_per_address_cycles.value);
                let (got, tolerance) = match curve.quantity {
                    CurveQuantity::SharedConflict => {
                        let extra = arch.memory.shared.extra_latency_cycles(x.into());
                        (
                            latency(OpClass::Shared) + extra,
                            if id == ArchId::Gf104 { 2 } else { 0 },
                        )
                    }
                    CurveQuantity::ConstantL1 => (latency(OpClass::Constant) + extra, 0),
                    CurveQuantity::ConstantL15 => (
                        u32::from(arch.memory.constant.l15_latency_cycles.value) + extra,
                        0,
                    ),
                    // The paper's points scatter around its slope.
                    CurveQuantity::ConstantL2 => {
                        (u32::from(arch.memory.constant.l2_latency_cycles.value) + extra, 8)
                    }
                };
                assert!(
                    got.abs_diff(cycles.into()) <= tolerance,
                    "{id} {:?} at {x}: {got}",
                    curve.quantity
                );
            }
        }
    }
    assert_eq!(num_curves, 8);
}

/// The table is the output of the measurement program.
#[test]
fn gh100_has_the_measured_latencies() {
    let arch = architecture(ArchId::Gh100);
    let latency = |class| arch.cost(class).map(|cost| u32::from(cost.latency_cycles.value));
    let shared =
        |ways| latency(OpClass::Shared).map(|base| base + arch.memory.shared.extra_latency_cycles(ways));
    let mut num = 0;
    for line in include_str!("../../../tests/golden/latency_h200.txt").lines() {
        let mut words = line.split_whitespace();
        let (Some(name), Some(cycles)) = (words.next(), words.next()) else {
            continue;
        };
        let Ok(cycles) = cycles.parse::<f64>() else {
            continue;
        };
        let got = match name {
            "ffma" | "fadd" => latency(OpClass::Fp32),
            "iadd_logic" => latency(OpClass::IntAdd),
            "imad" => latency(OpClass::IntMul),
            "dfma" => latency(OpClass::Fp64),
            "mufu_ex2" => latency(OpClass::Mufu),
            "bar_1warp" => latency(OpClass::Barrier),
            "lds_1way" => shared(1),
            "lds_2way" => shared(2),
            "lds_4way" => shared(4),
            "lds_8way" => shared(8),
            "lds_16way" => shared(16),
            "lds_32way" => shared(32),
            "ldg_l1_hit" => latency(OpClass::Global),
            "ldg_l2_hit" => arch.memory.l2.map(|l2| l2.hit_latency_cycles.value.into()),
            // The tables have no single number for several warps at a barrier or for memory by TLB state. The chains
            // of atomics have an addition between two atomics, unlike the chains of units.cu.
            _ => continue,
        };
        assert_eq!(got, Some(cycles.round() as u32), "{name}");
        num += 1;
    }
    assert_eq!(num, 15);
}

#[test]
fn disagreements_cite_their_sources() {
    for id in ArchId::ALL {
        for conflict in architecture(id).conflicts() {
            assert!(
                conflict.claims.len() >= 2 && !conflict.simulated.is_empty(),
                "{}",
                conflict.topic
            );
            for claim in conflict.claims {
                let names = SOURCES.iter().any(|source| claim.contains(source.short));
                assert!(names || claim.contains("cuda_occupancy.h"), "{claim}");
            }
        }
    }
    assert!(
        architecture(ArchId::Tu102)
            .conflicts()
            .any(|conflict| conflict.topic.contains("blocks"))
    );
}

/// These instructions are expanded or missing according to the guides.
#[test]
fn missing_instructions_have_no_cost() {
    use OpClass::*;
    let missing = |id| -> Vec<OpClass> {
        OpClass::ALL
            .into_iter()
            .filter(|class| architecture(id).cost(*class).is_none())
            .collect()
    };
    assert_eq!(
        missing(ArchId::Gt200),
        [
            Fp16,
            IntMul,
            BitField,
            BitReverse,
            Popc,
            Shuffle,
            WarpReduce,
            Tensor,
            TensorTf32,
            TensorFp64,
            TensorInt,
            TensorStep,
            TensorStepHalf
        ]
    );
    assert_eq!(
        missing(ArchId::Gf100),
        [
            Fp16,
            Int24Mul,
            Int16Mul,
            Shuffle,
            WarpReduce,
            Tensor,
            TensorTf32,
            TensorFp64,
            TensorInt,
            TensorStep,
            TensorStepHalf
        ]
    );
    assert_eq!(
        missing(ArchId::Gk110),
        [
            Fp16,
            Int24Mul,
            Int16Mul,
            WarpReduce,
            Tensor,
            TensorTf32,
            TensorFp64,
            TensorInt,
            TensorStep,
            TensorStepHalf
        ]
    );
    assert_eq!(
        missing(ArchId::Gm204),
        [
            Fp16,
            IntMul,
            Int24Mul,
            WarpReduce,
            Tensor,
            TensorTf32,
            TensorFp64,
            TensorInt,
            TensorStep,
            TensorStepHalf
        ]
    );
    assert_eq!(
        missing(ArchId::Gp100),
        [
            IntMul,
            Int24Mul,
            WarpReduce,
            Tensor,
            TensorTf32,
            TensorFp64,
            TensorInt,
            TensorStep,
            TensorStepHalf
        ]
    );
    assert_eq!(
        missing(ArchId::Tu102),
        [
            Int24Mul,
            Int16Mul,
            RangeReduction,
            WarpReduce,
            TensorTf32,
            TensorFp64
        ]
    );
    for id in [ArchId::Ga100, ArchId::Ga102, ArchId::Ad102] {
        assert_eq!(missing(id), [Int24Mul, Int16Mul, RangeReduction], "{id}");
    }
    assert!(missing(ArchId::G80).contains(&Fp64));
    assert!(missing(ArchId::G80).contains(&GlobalAtomic));
}

#[test]
fn refused_launches_name_the_limit() {
    let program = ProgramResources {
        registers_per_thread: 16,
        ..ProgramResources::default()
    };
    let refusal = |id, grid, block, dynamic, program: &ProgramResources| {
        check_launch(architecture(id), grid, block, dynamic, program)
            .err()
            .map(|refusal| refusal.to_string())
    };
    assert_eq!(
        refusal(ArchId::Tu102, [65536, 1, 1], [1024, 1, 1], 0, &program),
        None
    );
    assert_eq!(
        refusal(ArchId::G80, [1, 1, 1], [1024, 1, 1], 0, &program).as_deref(),
        Some("1024 threads in x exceed the limit of 512 on Tesla G80 (Programming Guide 4.2, Table F-2)")
    );
    assert_eq!(
        refusal(ArchId::Gt200, [1, 1, 1], [32, 32, 1], 0, &program).as_deref(),
        Some(
            "1024 threads per block exceed the limit of 512 on Tesla GT200 (Programming Guide 4.2, Table F-2)"
        )
    );
    assert_eq!(
        refusal(ArchId::G80, [1, 1, 2], [32, 1, 1], 0, &program).as_deref(),
        Some("2 blocks in z exceed the limit of 1 on Tesla G80 (Programming Guide 4.2, Table F-2)")
    );
    assert_eq!(
        refusal(ArchId::Gv100, [0, 1, 1], [32, 1, 1], 0, &program).as_deref(),
        Some("the grid has size 0 in x; each dimension must be at least 1")
    );
    let large = ProgramResources {
        static_shared: 50_000,
        ..program
    };
    assert_eq!(
        refusal(ArchId::Gv100, [1, 1, 1], [32, 1, 1], 0, &large).as_deref(),
        Some(
            "50000 bytes of static shared memory per block exceed the limit of 49152 on Volta GV100 (Volta Tuning Guide 4.3.2)"
        )
    );
    assert_eq!(
        refusal(ArchId::Gv100, [1, 1, 1], [32, 1, 1], 98_304, &program),
        None
    );
    assert!(refusal(ArchId::Gv100, [1, 1, 1], [32, 1, 1], 98_305, &program).is_some());
    assert!(refusal(ArchId::Gp100, [1, 1, 1], [32, 1, 1], 49_153, &program).is_some());
    let registers = ProgramResources {
        registers_per_thread: 65,
        ..program
    };
    assert_eq!(
        refusal(ArchId::Tu102, [1, 1, 1], [1024, 1, 1], 0, &registers).as_deref(),
        Some(
            "73728 registers per block, as allocated, exceed the limit of 65536 on Turing TU102 (Programming Guide 10.1, Table 14)"
        )
    );
    assert!(refusal(ArchId::Gf100, [1, 1, 1], [32, 1, 1], 0, &registers).is_some());
}

#[test]
fn carveouts_round_up() {
    let kib = |id, percent| architecture(id).occupancy.carveout_kib(Some(percent), 0);
    assert_eq!(kib(ArchId::Gv100, 50), 64);
    assert_eq!(kib(ArchId::Gv100, 0), 0);
    assert_eq!(kib(ArchId::Tu102, 0), 32);
    assert_eq!(kib(ArchId::Gf100, 0), 16);
    assert_eq!(kib(ArchId::Gf100, 50), 48);
    let l1 = |id, shared| architecture(id).memory.l1.map(|l1| l1.capacity_kib(shared));
    assert_eq!(l1(ArchId::Tu102, 64), Some(32));
    assert_eq!(l1(ArchId::Gf100, 48), Some(16));
    assert_eq!(l1(ArchId::Gp100, 64), Some(24));
    // Half of 164 is 82, and half of 100 is 50: both round up to the next size.
    assert_eq!((kib(ArchId::Ga100, 50), kib(ArchId::Ga102, 50)), (100, 64));
    assert_eq!(
        (l1(ArchId::Ga100, 164), l1(ArchId::Ad102, 100)),
        (Some(28), Some(28))
    );
}

#[test]
fn the_default_carveout_is_the_smallest_that_does_not_limit_blocks() {
    let kib = |id, static_shared| {
        let resources = LaunchResources {
            threads_per_block: 256,
            registers_per_thread: 16,
            static_shared,
            ..LaunchResources::default()
        };
        let filled = architecture(id).occupancy.resident_blocks(&resources);
        (filled.shared_kib, filled.blocks_per_sm)
    };
    assert_eq!(kib(ArchId::Gv100, 0), (0, 8));
    assert_eq!(kib(ArchId::Gv100, 1024), (8, 8));
    assert_eq!(kib(ArchId::Gv100, 6000), (64, 8));
    // Shared memory limits the blocks: the carveout is the size that the most resident blocks use.
    assert_eq!(kib(ArchId::Gv100, 40 * 1024), (96, 2));
    assert_eq!(kib(ArchId::Tu102, 0), (32, 4));
    // The system reserves 1 KB per block.
    assert_eq!(kib(ArchId::Gh100, 0), (8, 8));
    // Before 7.0, the default is the largest carveout.
    assert_eq!(kib(ArchId::Gf100, 0).0, 48);
}

#[test]
fn curves_interpolate_linearly() {
    let points = [(1, 10), (3, 20), (5, 20)];
    let at: Vec<u32> = (0..8).map(|x| curve_at(&points, x)).collect();
    assert_eq!(at, [10, 10, 15, 20, 20, 20, 20, 20]);
    assert_eq!(curve_at(&[(1, 8), (2, 10)], 4), 14);
}

/// Clock, bandwidth, SMs, copy engines, and the FP64 rate differ between the products of a chip. Where such a number is of
/// another product than the example part, the remark of the example part says so.
#[test]
fn a_chip_that_mixes_products_says_which_number_is_of_which() {
    const PRODUCTS: [&str; 22] = [
        "Tesla products",
        "8800 GTX",
        "GTX 280",
        "GTX 480",
        "GTX 460",
        "GTX 560 Ti",
        "K40",
        "GTX 780",
        "GTX 980",
        "M60",
        "P100",
        "GTX 1080 Ti",
        "GTX 1080",
        "P4",
        "V100",
        "RTX 2080 Ti",
        "RTX 3090",
        "RTX 4090",
        "A100",
        "H100",
        "H200",
        "T4",
    ];
    let is_of_product = |path: &str| {
        path.starts_with("chip.") && path != "chip.example_part" || path == "costs.Fp64.occupancy_cycles"
    };
    let mut num = 0;
    for id in ArchId::ALL {
        let rows = architecture(id).values();
        let part = rows.iter().find(|row| row.path == "chip.example_part").unwrap();
        let named = format!("{} {}", part.value, part.note);
        let engines = architecture(id).host().copy_engines;
        let numbers = rows.iter().filter(|row| is_of_product(&row.path));
        let numbers = numbers.map(|row| (row.path.as_str(), row.source, row.note));
        for (path, source, note) in numbers.chain([("copy engines", engines.source, engines.note)]) {
            // A white paper is named after a product.
            let text = format!("{source} {note}")
                .replace("V100 white paper", "")
                .replace("A100 white paper", "");
            // `GV100` does not name the V100.
            let has = |product: &str| {
                let mut places = text.match_indices(product);
                places.any(|(at, _)| !text[..at].ends_with(|before: char| before.is_alphanumeric()))
            };
            for product in PRODUCTS.iter().filter(|product| has(product)) {
                num += 1;
                assert!(
                    named.contains(product),
                    "{id:?} {path}: {product} is not in “{named}”"
                );
            }
        }
    }
    assert!(num >= 12, "{num}");
    let rows = architecture(ArchId::Gf100).values();
    for (path, product) in [
        ("chip.num_sms", "GTX 480"),
        ("chip.sm_clock_mhz", "GTX 480"),
        ("chip.dram_gb_per_s", "GTX 480"),
        ("costs.Fp64.occupancy_cycles", "Tesla products"),
    ] {
        let row = rows.iter().find(|row| row.path.ends_with(path)).unwrap();
        assert!(row.note.contains(product), "{path}: {}", row.note);
    }
}

/// The host's side of a chip follows from its compute capability where no source states more.
#[test]
fn the_hosts_side_is_that_of_the_compute_capability() {
    for id in ArchId::ALL {
        let host = architecture(id).host();
        let by_capability = Host::of(id.capability(), host.copy_engines, host.pcie_gb_per_s, None);
        assert_eq!(host.work_queues, by_capability.work_queues, "{id}");
        let sharing = Sharing {
            slice_ns: host.sharing.slice_ns,
            switch_ns: host.sharing.switch_ns,
            ..by_capability.sharing
        };
        assert_eq!(host.sharing, sharing, "{id}");
    }
}
