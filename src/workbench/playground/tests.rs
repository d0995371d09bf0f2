use proptest::prelude::*;

use super::*;
use engine::arch::{ArchId, architecture};
use engine::sim::{LoadCaching, MemoryOptions};

fn shared(expr: &str) -> Playground {
    Playground {
        expr: expr.to_owned(),
        ..Playground::default()
    }
}

fn passes(playground: &Playground, arch: ArchId) -> u32 {
    analyze(playground, architecture(arch), MemoryOptions::default())
        .unwrap()
        .count()
}

fn mistake(expr: &str) -> Mistake {
    shared(expr).lanes().unwrap_err()
}

/// Every row of the tables measured on hardware, as a list of bytes: typed expressions use the same code.
#[test]
fn measured_accesses_cost_what_was_measured() {
    let table = include_str!("../../../tests/golden/warp_access_h200.csv");
    let mut rows = 0;
    for line in table.lines().skip(1) {
        let cells: Vec<&str> = line.split(',').collect();
        let mask = u32::from_str_radix(cells[4], 16).unwrap();
        let bytes: Vec<&str> = (0..32)
            .map(|lane| {
                if mask >> lane & 1 == 1 {
                    cells[9 + lane]
                } else {
                    "-"
                }
            })
            .collect();
        let playground = Playground {
            space: if cells[1] == "shared" {
                Space::Shared
            } else {
                Space::Global
            },
            op: match cells[2] {
                "ld" => AccessOp::Load,
                "st" => AccessOp::Store,
                other => panic!("{other}"),
            },
            elem: cells[3].parse::<u8>().unwrap() / 8,
            expr: format!("list {}", bytes.join(",")),
            ..Playground::default()
        };
        for arch in [ArchId::Gv100, ArchId::Tu102, ArchId::Gh100] {
            let found = analyze(&playground, architecture(arch), MemoryOptions::default()).unwrap();
            let got = match &found.cost {
                Cost::Shared(access) => [access.wavefronts(), access.conflicts()],
                Cost::Global { access, .. } => [access.counts.sectors.into(), access.counts.requests.into()],
            };
            let from = if playground.space == Space::Shared { 5 } else { 7 };
            let measured: Vec<u32> = cells[from..from + 2]
                .iter()
                .map(|cell| cell.parse().unwrap())
                .collect();
            assert_eq!(got, measured[..], "{arch} {}", cells[0]);
            assert_eq!(found.lanes.mask.0, mask);
        }
        rows += 1;
    }
    assert_eq!(rows, table.lines().count() - 1);
    assert!(rows > 500);
}

#[test]
fn a_column_conflicts_in_one_bank_and_padding_removes_the_conflict() {
    let column = shared("tile[threadIdx.x][threadIdx.y]");
    // Tesla: two half-warps, sixteen lanes of each on one of sixteen banks.
    assert_eq!(passes(&column, ArchId::G80), 32);
    assert_eq!(passes(&column, ArchId::Tu102), 32);
    let padded = Playground {
        pad: 1,
        ..column.clone()
    };
    assert_eq!(passes(&padded, ArchId::Tu102), 1);
    assert_eq!(passes(&padded, ArchId::G80), 2);
    let swizzled = Playground {
        swizzle: Swizzle::Xor,
        ..column
    };
    assert_eq!(passes(&swizzled, ArchId::Tu102), 1);
    assert_eq!(swizzled.lanes().unwrap().addresses[3], (3 * 32 + 3) * 4);
}

#[test]
fn bytes_and_elements_are_the_same_access() {
    let mut bytes = shared("base + 4*lane*stride");
    bytes.vars = [("base".to_owned(), 128), ("stride".to_owned(), 3)].into();
    let element = Playground {
        start: 128,
        ..shared("&data[lane * 3]")
    };
    assert_eq!(bytes.lanes(), element.lanes());
    assert_eq!(bytes.lanes().unwrap().addresses[31], 128 + 4 * 93);
    assert_eq!(bytes.free_names(), ["base", "stride"]);
}

#[test]
fn threads_of_a_block_are_counted_x_first() {
    let mut playground = shared("4 * (threadIdx.y * 100 + threadIdx.x) + 0 * threadIdx.z");
    playground.block = [10, 4, 2];
    playground.warp = 1;
    let lanes = playground.lanes().unwrap();
    // Thread 32 is x 2, y 3 of the first layer; thread 40 starts the second.
    assert_eq!(lanes.addresses[0], 4 * 302);
    assert_eq!(lanes.addresses[8], 0);
    playground.warp = 2;
    // The last warp of 80 threads has 16.
    assert_eq!(playground.lanes().unwrap().mask.0, 0xffff);
    playground.warp = 3;
    assert_eq!(playground.lanes().unwrap_err().part, Part::Setting);
}

#[test]
fn a_condition_deactivates_lanes() {
    let mut playground = shared("4 * lane");
    playground.when = "lane % 2 == 0 && lane < n".to_owned();
    playground.vars = [("n".to_owned(), 8)].into();
    assert_eq!(playground.lanes().unwrap().mask.0, 0b0101_0101);
    playground.when = "lane / (lane - 3)".to_owned();
    let wrong = playground.lanes().unwrap_err();
    assert_eq!((wrong.part, wrong.column), (Part::When, 8));
    playground.when = "tile[lane]".to_owned();
    assert_eq!(playground.lanes().unwrap_err().part, Part::When);
}

#[test]
fn mistakes_have_a_column_and_a_fix() {
    let typo = mistake("tile[treadIdx.y][threadIdx.x]");
    assert_eq!(
        typo.sentence(),
        "Column 6: Unknown name `treadIdx`; perhaps `threadIdx`?"
    );
    assert_eq!(typo.fix.as_deref(), Some("threadIdx"));
    let zero = mistake("4 * (lane / (lane != 3))");
    assert_eq!(zero.sentence(), "Column 13: This divides by zero in lane 3.");
    let range = mistake("tile[threadIdx.x][threadIdx.x + 1]");
    assert_eq!(range.column, 19);
    assert!(range.message.contains("32 in lane 31"), "{}", range.message);
    for (expr, part) in [
        ("", "Write what each lane accesses"),
        ("tile[lane", "Expected `]`"),
        ("lane +", "Expected an expression, not the end."),
        ("lane lane", "Expected an operator or the end, not `lane`."),
        ("4 * lane - 4", "byte -4"),
        ("lane", "not a multiple of its 4 bytes"),
        ("1 << 30", "beyond the 228 KB"),
        ("a[b[lane]]", "a value in memory"),
        ("threadIdx", "is a vector"),
        ("threadIdx.w", "no `w`"),
        ("f(lane)", "Unknown function `f`"),
        ("lane = 3", "Assignments are not allowed"),
        ("1.5 * lane", "are integers"),
        ("a[lane], b[lane]", "comma"),
        ("tile[0][0][lane]", "2 extents, but the expression has 3 indices"),
        ("lane << 64", "shifts by"),
        ("9223372036854775807 + lane + 1", "overflows 64 bits"),
        ("list 0, x", "Lane 1: `x` is neither"),
        ("list 0,4,6", "Lane 2"),
        ("*p", "no pointers"),
        ("lane $ 2", "$"),
    ] {
        let wrong = mistake(expr);
        assert!(wrong.message.contains(part), "{expr}: {}", wrong.message);
        assert!(wrong.message.ends_with(['.', '?']), "{expr}: {}", wrong.message);
        assert!(
            wrong.column as usize <= expr.chars().count() + 1,
            "{expr}: {wrong:?}"
        );
    }
}

#[test]
fn operators_bind_as_in_c() {
    for (expr, value) in [
        (
            "2 + 3 * 4 << 1 & 0xff ^ 1 | 64",
            ((2 + 3 * 4) << 1 & 0xff ^ 1) | 64,
        ),
        ("(lane < 3 ? 1 : 2) * 8 + !lane", 9),
        ("-7 / 2 + -7 % 3 + 100", 96),
        ("~(lane - 5) & 15", 4),
        ("1 == 1 && 2 != 2 || 3 > 2", 1),
        ("min(4, 9) + max(010, 0x10) + sizeof(double)", 28),
        ("(unsigned char)(300) + (char)200 + warpSize * 10", 44 - 56 + 320),
    ] {
        let playground = Playground {
            elem: 1,
            ..shared(expr)
        };
        assert_eq!(playground.lanes().unwrap().addresses[0], value as u64, "{expr}");
    }
}

#[test]
fn every_example_works_in_both_memories_on_every_architecture() {
    for example in EXAMPLES {
        for space in [Space::Shared, Space::Global] {
            for id in ArchId::ALL {
                let playground = example.playground(space, AccessOp::Load);
                let found = analyze(&playground, architecture(id), MemoryOptions::default()).unwrap();
                assert!(
                    found.count() >= found.ideal() && found.ideal() > 0,
                    "{} {id}",
                    example.id
                );
                assert!((0.0..=1.0).contains(&found.efficiency()), "{} {id}", example.id);
            }
        }
    }
}

#[test]
fn remedies_include_the_current_layout_and_its_cost() {
    let column = shared("tile[threadIdx.x][threadIdx.y]");
    let arch = architecture(ArchId::Tu102);
    let tried = remedies(&column, arch, MemoryOptions::default());
    assert_eq!(
        tried.iter().map(|remedy| remedy.count).collect::<Vec<_>>(),
        [32, 1, 2, 1, 4, 1, 2, 1, 8, 1]
    );
    for remedy in &tried {
        assert_eq!(remedy.count, passes(&remedy.of(&column), ArchId::Tu102));
        assert_eq!(remedy.chosen, remedy.of(&column) == column);
    }
    assert!(remedies(&shared("4 * lane"), arch, MemoryOptions::default()).is_empty());
}

#[test]
fn global_loads_use_the_caches_that_the_run_uses() {
    let playground = Playground {
        space: Space::Global,
        ..shared("128 * lane")
    };
    let fermi = architecture(ArchId::Gf100);
    let past_l1 = MemoryOptions {
        load_caching: LoadCaching::Cg,
        ..MemoryOptions::default()
    };
    // Lines of 128 bytes through L1, segments of 32 past it.
    assert_eq!(
        analyze(&playground, fermi, MemoryOptions::default())
            .unwrap()
            .bytes(),
        32 * 128
    );
    assert_eq!(analyze(&playground, fermi, past_l1).unwrap().bytes(), 32 * 32);
    let store = Playground {
        op: AccessOp::Store,
        ..playground
    };
    assert_eq!(
        analyze(&store, fermi, MemoryOptions::default()).unwrap().bytes(),
        32 * 32
    );
}

proptest! {
    #[test]
    fn any_text_parses_without_panicking(expr in any::<String>(), when in any::<String>()) {
        let playground = Playground { when, ..shared(&expr) };
        let _ = playground.lanes();
        let _ = playground.free_names();
    }

    #[test]
    fn any_expression_parses_without_panicking(
        expr in "(list )?([-+*/%<>&|^~!?:()\\[\\], ]|lane|tile\\[|threadIdx\\.[xyz]|warp|base|0x?[0-9a-f]{1,16}|9{1,20}){0,30}",
        elem in prop::sample::select(WIDTHS.to_vec()),
        dims in prop::collection::vec(any::<u32>(), 0..5),
        block in any::<[u32; 3]>(),
        pad in any::<u32>(),
        warp in any::<u32>(),
        start in any::<u32>(),
        base in any::<i64>(),
        global in any::<bool>(),
    ) {
        let mut playground = Playground { elem, ..shared(&expr) };
        playground.vars.insert("base".to_owned(), base);
        if global {
            playground.space = Space::Global;
        }
        for wild in [false, true] {
            if wild {
                playground = Playground { dims: dims.clone(), block, pad, warp, start, swizzle: Swizzle::Xor, ..playground };
            }
            for id in ArchId::ALL {
                if let Ok(found) = analyze(&playground, architecture(id), MemoryOptions::default()) {
                    prop_assert!(found.count() >= found.ideal());
                }
            }
            remedies(&playground, architecture(ArchId::Tu102), MemoryOptions::default());
        }
    }
}
