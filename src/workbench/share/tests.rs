use proptest::prelude::*;
use serde_json::Value;

use super::*;
use crate::check::FindingKind;
use crate::playground::{Playground, Space, Swizzle, WIDTHS};
use crate::scene::{
    Breakdown, CodePart, Counters, Drag, LaneRows, LaneZoom, Mark, MemoryPart, NumberFormat, Part, Period,
    PlotKind, PlotPoint, PlotScope, PlotSettings, Settings, Storage, StreamSettings,
};
use engine::access::AccessOp;
use engine::arch::BankSize;
use engine::isa::ElemType;
use engine::launch::addresses::{Owner, Target, Word};
use engine::launch::{Fill, Pattern, Role};
use engine::sim::{LoadCaching, Removed, SchedulerPolicy, WarpState};
use engine::streams::Computer;
use engine::trace::find::{Name, Query, What};
use engine::trace::{TrafficLevel, WorkKind};

/// Every pinned link keeps its meaning: `differs` names the fields that differ from the default by their path in the
/// scenario.
#[test]
fn pinned_links_keep_their_meaning() {
    let pinned: Vec<Value> = serde_json::from_str(include_str!("../../../tests/links/v1.json")).unwrap();
    assert!(pinned.len() > 20);
    for pin in pinned {
        let link = pin["link"].as_str().unwrap();
        let mut expected = serde_json::to_value(Scenario::default()).unwrap();
        for (path, value) in pin["differs"].as_object().unwrap() {
            let pointer = format!("/{}", path.replace('.', "/"));
            *expected.pointer_mut(&pointer).unwrap() = value.clone();
        }
        start_buffers(&mut expected);
        // Sides that were pinned before an option existed have its default.
        let defaults = serde_json::to_value(MachineOptions::default()).unwrap();
        let sides = expected
            .pointer_mut("/compare/others")
            .and_then(Value::as_array_mut);
        for side in sides.into_iter().flatten() {
            let machine = side["machine"].as_object_mut().unwrap();
            for (option, value) in defaults.as_object().unwrap() {
                machine.entry(option.clone()).or_insert(value.clone());
            }
        }
        let decoded = decode(link);
        // The list of valid values grows with the page; only the rejection is pinned.
        let refusal = |warning: &str| {
            let start = warning.split("it must be one of ").next().unwrap();
            start.split("or some of ").next().unwrap().to_owned()
        };
        let warnings: Vec<String> = decoded
            .warnings
            .iter()
            .map(|warning| refusal(&warning.to_string()))
            .collect();
        let pinned: Vec<String> = pin["warnings"]
            .as_array()
            .unwrap()
            .iter()
            .map(|warning| refusal(warning.as_str().unwrap()))
            .collect();
        assert_eq!(
            serde_json::to_value(&decoded.scenario).unwrap(),
            expected,
            "{link}"
        );
        assert_eq!(warnings, pinned, "{link}");
    }
}

/// Buffers that were pinned before pointers could point into them start where the pointers point.
fn start_buffers(pinned: &mut Value) {
    match pinned {
        Value::Array(items) => items.iter_mut().for_each(start_buffers),
        Value::Object(fields) => {
            if let Some(Value::Object(buffer)) = fields.get_mut("Buffer") {
                buffer.entry("start").or_insert(0.into());
            }
            fields.values_mut().for_each(start_buffers);
        }
        _ => {}
    }
}

#[test]
fn the_default_scenario_is_the_shortest_link() {
    assert_eq!(encode(&Scenario::default()), "#v1");
}

#[test]
fn a_typical_link_is_readable_and_short() {
    let scenario = Scenario {
        arch: ArchId::Gf100,
        kernel: "transpose-padded".into(),
        grid: Some([4, 4, 1]),
        block: Some([32, 8, 1]),
        view: View::Banks,
        cycle: 812,
        warp: Some(3),
        ..Scenario::default()
    };
    assert_eq!(
        encode(&scenario),
        "#v1;arch=gf100;kernel=transpose-padded;grid=4x4;block=32x8;view=banks;cycle=812;warp=3"
    );
}

#[test]
fn links_with_modified_library_kernels_stay_under_two_thousand_characters() {
    for kernel in library::kernels() {
        let scenario = Scenario {
            source: Some(format!("{}// changed\n", kernel.source)),
            args: Some(kernel.launch().args),
            ..Scenario::default()
        };
        let link = encode(&scenario);
        assert!(link.len() < 2000, "{}: {}", kernel.id, link.len());
        assert_eq!(decode(&link).scenario, scenario);
    }
}

#[test]
fn two_kilobytes_of_source_stay_under_two_thousand_characters() {
    let mut source = String::new();
    for kernel in library::kernels() {
        source += kernel.source;
    }
    source.truncate(2048);
    let link = encode(&Scenario {
        source: Some(source),
        ..Scenario::default()
    });
    assert!(link.len() < 2000, "{}", link.len());
}

fn extent() -> impl Strategy<Value = Option<[u32; 3]>> {
    prop::option::of([1..=u32::MAX, 1..=70_000_u32, 1..=5_u32])
}

fn elem() -> impl Strategy<Value = ElemType> {
    use ElemType::*;
    prop::sample::select(vec![I8, U8, I16, U16, I32, U32, I64, U64, F16, F32, F64])
}

fn number() -> impl Strategy<Value = f64> {
    prop_oneof![
        any::<f64>().prop_filter("NaN is no equal", |v| !v.is_nan()),
        (-99..99).prop_map(f64::from)
    ]
}

fn fill() -> impl Strategy<Value = Fill> {
    let pattern = prop_oneof![
        Just(Pattern::Zero),
        Just(Pattern::Iota),
        any::<u32>().prop_map(Pattern::Lcg),
        any::<u32>().prop_map(Pattern::Perm),
        number().prop_map(Pattern::Const),
        prop::collection::vec(number(), 0..5).prop_map(Pattern::List),
    ];
    let option = || prop::option::of(number());
    (pattern, prop::option::of(any::<u64>()), option(), option()).prop_map(
        |(pattern, modulo, scale, offset)| Fill {
            pattern,
            modulo,
            scale,
            offset,
        },
    )
}

fn role() -> impl Strategy<Value = Role> {
    prop::sample::select(vec![Role::In, Role::Out, Role::InOut, Role::Scratch])
}

fn argument() -> impl Strategy<Value = Argument> {
    prop_oneof![
        (elem(), any::<u64>()).prop_map(|(ty, bits)| {
            let width = ty.bytes() * 8;
            let bits = if width == 64 {
                bits
            } else {
                bits & ((1 << width) - 1)
            };
            Argument::Scalar { ty, bits }
        }),
        prop::collection::vec(any::<u8>(), 0..20).prop_map(Argument::Bytes),
        (elem(), 0..10_000_u32, fill(), role(), start()).prop_map(|(elem, len, fill, role, start)| {
            Argument::Buffer {
                elem,
                len,
                fill,
                role,
                start,
            }
        }),
        (elem(), role(), target()).prop_map(|(elem, role, to)| Argument::Pointer { elem, role, to }),
        words().prop_map(Argument::Words),
        (words(), role(), start()).prop_map(|(words, role, start)| Argument::Buffer {
            elem: ElemType::U64,
            len: words.len() as u32,
            fill: Fill::of(Pattern::Words(words)),
            role,
            start,
        }),
    ]
}

fn start() -> impl Strategy<Value = i64> {
    prop_oneof![Just(0), -100_i64..100, (-1_i64 << 40)..(1 << 40)]
}

/// A place in the last of six arguments, as [`arguments`] makes them, or in a variable.
fn target() -> impl Strategy<Value = Target> {
    let of = prop_oneof![
        Just(Owner::Argument(NUM_BEFORE)),
        "[a-z_][a-z0-9_]{0,8}".prop_map(Owner::Symbol)
    ];
    (of, start()).prop_map(|(of, offset)| Target { of, offset })
}

fn words() -> impl Strategy<Value = Vec<Word>> {
    let word = prop_oneof![
        any::<u64>().prop_map(Word::Bits),
        target().prop_map(Word::Address)
    ];
    prop::collection::vec(word, 0..5)
}

/// Arguments before the last, which has memory.
const NUM_BEFORE: u16 = 5;

fn arguments() -> impl Strategy<Value = Vec<Argument>> {
    let last = Argument::Buffer {
        elem: ElemType::I32,
        len: 8,
        fill: Fill::of(Pattern::Iota),
        role: Role::In,
        start: 0,
    };
    prop::collection::vec(argument(), usize::from(NUM_BEFORE)).prop_map(move |mut args| {
        args.push(last.clone());
        args
    })
}

fn compile() -> impl Strategy<Value = CompileOptions> {
    (any::<[bool; 6]>(), prop::option::of(1..=255_u16)).prop_map(|(on, max_registers)| CompileOptions {
        fmad: on[0],
        ftz: on[1],
        prec_div: on[2],
        prec_sqrt: on[3],
        fast_math: on[4],
        max_registers,
        pointers_32_bit: on[5],
        capability: on[0].then_some(700),
    })
}

fn machine() -> impl Strategy<Value = MachineOptions> {
    use SchedulerPolicy::*;
    (
        prop::sample::select(vec![Chip, Lrr, Gto, TwoLevel]),
        prop::option::of(0..=228_u32),
        prop::sample::select(vec![LoadCaching::Default, LoadCaching::Ca, LoadCaching::Cg]),
        prop::sample::select(BankSize::ALL.to_vec()),
        any::<bool>(),
        1..=1_000_000_000_u64,
        (prop::option::of(0..=1023_u16), prop::option::of(1..=u32::MAX)),
        prop::collection::vec(prop::sample::select(Removed::ALL.to_vec()), 0..3),
    )
        .prop_map(
            |(
                policy,
                carveout_kib,
                load_caching,
                bank_size,
                adversarial,
                max_cycles,
                (sm, first_blocks),
                without,
            )| {
                MachineOptions {
                    policy,
                    carveout_kib,
                    load_caching,
                    bank_size,
                    adversarial,
                    max_cycles,
                    sm,
                    first_blocks,
                    without: without.into(),
                }
            },
        )
}

fn symbol() -> impl Strategy<Value = SymbolFill> {
    ("[a-z_:;=%<>é]{1,9}", elem(), 0..100_u32, fill()).prop_map(|(name, elem, len, fill)| SymbolFill {
        // C identifiers; a colon or comma would end the name.
        symbol: name.replace([':', ','], "_"),
        elem,
        len,
        fill,
    })
}

fn outputs() -> impl Strategy<Value = OutputsLink> {
    let format = prop::option::of(prop::sample::select(NumberFormat::ALL.to_vec()));
    (
        prop::option::of(any::<u16>()),
        any::<u32>(),
        format,
        any::<bool>(),
    )
        .prop_map(|(argument, page, format, now)| OutputsLink {
            argument,
            page,
            format,
            now,
        })
}

fn view_links() -> impl Strategy<Value = ViewLink> {
    let option = || prop::option::of(any::<u16>());
    let number = || prop::option::of(any::<u32>());
    (
        prop::option::of(0..32_u8),
        prop::option::of(any::<u32>()),
        option(),
        prop::option::of(0.01_f32..64.0),
        prop::option::of(any::<u64>()),
        prop::option::of(prop::sample::select(Mark::ALL.to_vec())),
        [number(), number(), number(), number()],
        settings(),
        prop::option::of(0..255_u8),
        prop::option::of((0..100_000_u32).prop_map(|word| word * 4)),
        (
            prop::option::of(span()),
            prop::option::of(span()),
            outputs(),
            prop::option::of(query()),
            prop::option::of(finding()),
            0..4_u8,
        ),
    )
        .prop_map(
            |(
                lane,
                access,
                wavefront,
                cycle_px,
                timeline_start,
                filter,
                code,
                settings,
                register,
                word,
                (range, strip, outputs, jump, finding, why),
            )| ViewLink {
                lane,
                access,
                wavefront,
                cycle_px,
                timeline_start,
                filter,
                register,
                word,
                range,
                strip,
                line: code[0],
                pc: code[1],
                top_line: code[2],
                top_pc: code[3],
                settings,
                outputs,
                jump,
                finding,
                why,
            },
        )
}

fn finding() -> impl Strategy<Value = FindingId> {
    let kind = prop::sample::select(FindingKind::ALL.to_vec());
    // Links count places and findings from 1.
    (kind, any::<u32>(), 0..u16::MAX, 0..u8::MAX).prop_map(|(kind, line, nth, site)| FindingId {
        kind,
        line,
        nth,
        site,
    })
}

fn query() -> impl Strategy<Value = Query> {
    let what = prop_oneof![
        Just(What::Issue),
        Just(What::Change),
        Just(What::Stall),
        prop::sample::select(WarpState::ALL[1..].to_vec()).prop_map(What::State),
        (1..64_u16).prop_map(What::Conflict),
        any::<bool>().prop_map(|of_l2| What::Miss { of_l2 }),
        Just(What::Release),
        Just(What::Divergence),
        (0..255_u8).prop_map(What::Register),
        (0..255_u8, 0..32_u8).prop_map(|(reg, lane)| What::RegisterOfLane { reg, lane }),
        Just(What::Reconvergence),
        Just(What::Fault),
        any::<u64>().prop_map(What::Address),
        any::<u32>().prop_map(What::Line),
        "[B-HJ-LN-QT-VX-Z][A-Z0-9.]{4,9}"
            .prop_filter_map("no word", |text| Name::new(&text).map(What::Opcode)),
    ];
    (what, prop::option::of(0..10_000_u32)).prop_map(|(what, warp)| Query { what, warp })
}

fn span() -> impl Strategy<Value = (u64, u64)> {
    (any::<u32>(), 1..1_000_000_u64).prop_map(|(from, cycles)| (from.into(), u64::from(from) + cycles))
}

fn layout() -> impl Strategy<Value = Layout> {
    let side = || {
        prop_oneof![
            Just(Side::Default),
            Just(Side::Closed),
            (COLUMN_PX.0..=COLUMN_PX.1).prop_map(Side::Wide)
        ]
    };
    let panels: Vec<Panel> = Panel::IN_LINKS.iter().map(|(panel, _)| *panel).collect();
    (
        any::<[bool; 2]>(),
        prop::sample::select(Pane::ALL.to_vec()),
        SHARE.0..=SHARE.1,
        (side(), side()),
        prop::sample::select(vec![Density::Normal, Density::Projector]),
        prop::sample::select(Layout::SPEEDS.to_vec()),
        prop::option::of(prop::sample::select(panels)),
        prop::sample::select(vec![Theme::System, Theme::Light, Theme::Dark]),
    )
        .prop_map(
            |(tables, active, share, (left, right), density, speed, panel, theme)| Layout {
                tables,
                active,
                share,
                left,
                right,
                density,
                theme,
                speed,
                panel,
            },
        )
}

fn streams() -> impl Strategy<Value = StreamSettings> {
    let computer = prop::sample::select(Computer::ALL.to_vec());
    let connections = prop::option::of(1..=32_u8);
    let fault = prop::option::of(0..64_u8);
    (
        computer,
        1..=64_u8,
        any::<bool>(),
        1..=100_u8,
        connections,
        fault,
        prop::option::of(any::<u32>()),
        prop::option::of((0..1_u64 << 40, 1..1_u64 << 40).prop_map(|(from, length)| (from, from + length))),
    )
        .prop_map(
            |(computer, num_processes, service, percent, connections, fault, op, window)| StreamSettings {
                computer,
                num_processes,
                service,
                percent,
                connections,
                fault,
                op,
                window,
            },
        )
}

fn settings() -> impl Strategy<Value = Settings> {
    let registers = (
        prop::sample::select(NumberFormat::ALL.to_vec()),
        prop::sample::select(Storage::ALL.to_vec()),
        any::<bool>(),
        any::<u8>(),
    );
    let code = (
        prop::sample::select(Counters::ALL.to_vec()),
        prop::sample::select(CodePart::ALL.to_vec()),
        prop::sample::select(Breakdown::ALL.to_vec()),
        prop::sample::select(Period::ALL.to_vec()),
        prop::sample::select(Drag::ALL.to_vec()),
        prop::sample::select(LaneRows::ALL.to_vec()),
        prop::sample::select(LaneZoom::ALL.to_vec()),
        prop::sample::select(MemoryPart::ALL.to_vec()),
        prop::option::of((any::<u16>(), any::<u16>())),
        any::<bool>(),
    );
    let chosen = (
        prop::option::of(any::<u16>()),
        prop::option::of(prop::sample::select(ArchId::ALL.to_vec())),
        streams(),
        0..crate::scene::Cells::ALL.len(),
        prop::option::of(any::<(u8, u8)>()),
        parts(),
    );
    (registers, code, plots(), chosen)
        .prop_map(
            |(registers, code, plot, (sm, beside, streams, cells, sum, part))| Settings {
                part,
                cells: crate::scene::Cells::ALL[cells],
                sum,
                plot,
                sm,
                beside,
                streams,
                format: registers.0,
                storage: registers.1,
                pairs: registers.2,
                page: registers.3,
                counters: code.0,
                code: code.1,
                breakdown: code.2,
                period: code.3,
                drag: code.4,
                lane_rows: code.5,
                lane_zoom: code.6,
                cache: code.7,
                cache_line: code.8,
                sweep: code.9,
            },
        )
        // On the heap: with all settings, the strategy is too large for the stack of a test.
        .boxed()
}

fn parts() -> impl Strategy<Value = Option<Part>> {
    let part = prop_oneof![
        any::<u8>().prop_map(Part::Scheduler),
        any::<(u8, u8)>().prop_map(|(scheduler, pipe)| Part::Pipe(scheduler, pipe)),
        any::<u32>().prop_map(Part::Block),
    ];
    prop::option::of(part)
}

fn plots() -> impl Strategy<Value = PlotSettings> {
    let archs = || prop::option::of(prop::sample::select(ArchId::ALL.to_vec()));
    let points = prop_oneof![
        (0..4_u8).prop_map(PlotPoint::Run),
        (0..8_u8).prop_map(PlotPoint::Stretch),
        Just(PlotPoint::Range),
        (0..4_u8).prop_map(PlotPoint::Roof),
        (0..8_u8).prop_map(PlotPoint::Peak),
        (any::<u8>(), any::<u8>()).prop_map(|(parallel, warps)| PlotPoint::Simulated { parallel, warps }),
        prop::sample::select(ArchId::ALL.to_vec()).prop_map(PlotPoint::Chip),
        (0..255_u8).prop_map(PlotPoint::Swept),
    ];
    (
        prop::sample::select(PlotKind::ALL.to_vec()),
        prop::sample::select(PlotScope::ALL.to_vec()),
        prop::option::of(prop::sample::select(TrafficLevel::ALL.to_vec())),
        prop::option::of(prop::sample::select(WorkKind::ALL.to_vec())),
        archs(),
        0..5_u8,
        0..28_u8,
        prop::option::of(points),
    )
        .prop_map(
            |(kind, scope, level, work, with, class, figure, point)| PlotSettings {
                kind,
                scope,
                level,
                work,
                with,
                class,
                figure,
                experiment: figure % 4,
                point,
            },
        )
}

fn playground() -> impl Strategy<Value = Playground> {
    let what = (
        prop::sample::select(vec![Space::Shared, Space::Global]),
        prop::sample::select(vec![AccessOp::Load, AccessOp::Store, AccessOp::Atomic]),
        any::<String>(),
        any::<String>(),
        prop::sample::select(WIDTHS.to_vec()),
        prop::sample::select(vec![Swizzle::None, Swizzle::Xor]),
    );
    let numbers = (
        prop::collection::vec(1..=u32::MAX, 1..=3),
        0..=64_u32,
        any::<u32>(),
        [1..=1024_u32, 1..=5_u32, 1..=5_u32],
        any::<u32>(),
    );
    let vars = prop::collection::btree_map("[a-z_A-Z.0-9é]{1,9}", any::<i64>(), 0..4);
    (what, numbers, vars).prop_map(|(what, numbers, vars)| Playground {
        space: what.0,
        op: what.1,
        expr: what.2,
        when: what.3,
        elem: what.4,
        swizzle: what.5,
        dims: numbers.0,
        pad: numbers.1,
        start: numbers.2,
        block: numbers.3,
        warp: numbers.4,
        vars,
    })
}

fn setup() -> impl Strategy<Value = Setup> {
    let arch = prop::sample::select(vec![
        ArchId::G80,
        ArchId::Gt200,
        ArchId::Gf104,
        ArchId::Gv100,
        ArchId::Tu102,
    ]);
    let kernel = prop::sample::select(library::kernels().map(|kernel| kernel.id).collect::<Vec<_>>());
    let what = (
        arch,
        kernel,
        prop::option::of(any::<String>()),
        prop::option::of(any::<String>()),
    );
    let launch = (
        extent(),
        extent(),
        prop::option::of(0..100_000_u32),
        prop::option::of(arguments()),
        prop::option::of(prop::collection::vec(symbol(), 0..3)),
    );
    (what, launch, compile(), machine()).prop_map(|(what, launch, compile, machine)| Setup {
        arch: what.0,
        kernel: what.1.to_owned(),
        source: what.2,
        entry: what.3,
        grid: launch.0,
        block: launch.1,
        dynamic_shared: launch.2,
        args: launch.3,
        symbols: launch.4,
        compile,
        machine,
    })
}

fn compare() -> impl Strategy<Value = Compare> {
    (
        prop::collection::vec(setup(), 1..MAX_SIDES),
        prop::sample::select(Sync::ALL.to_vec()),
        any::<[bool; 2]>(),
        any::<prop::sample::Index>(),
        prop::sample::select(vec![Order::Groups, Order::Ratio]),
    )
        .prop_map(|(others, sync, [apart, marks], reference, order)| Compare {
            reference: reference.index(others.len() + 1) as u8,
            others,
            sync,
            apart,
            marks,
            order,
        })
}

fn scenario() -> impl Strategy<Value = Scenario> {
    let look = (
        prop::sample::select(View::ALL.to_vec()),
        any::<u64>(),
        prop::option::of(0..64_u16),
        prop::option::of(prop::sample::select(View::ALL.to_vec())),
        view_links(),
        prop::option::of(playground()),
        layout(),
        prop::option::of("[^\u{0}]{1,12}"),
        prop::collection::vec(note(), 0..3),
        prop::option::of("[^\u{0}]{0,20}"),
    );
    (setup(), prop::option::of(compare()), look).prop_map(|(setup, compare, look)| {
        setup.within(&Scenario {
            view: look.0,
            cycle: look.1,
            warp: look.2,
            // A comparison shows one view.
            split: look.3.filter(|_| compare.is_none()),
            compare,
            look: look.4,
            playground: look.5,
            layout: look.6,
            name: look.7,
            notes: look.8,
            operation: look.9,
            ..Scenario::default()
        })
    })
}

fn note() -> impl Strategy<Value = PictureNote> {
    let anchor = prop_oneof![
        any::<u16>().prop_map(Anchor::Warp),
        any::<u64>().prop_map(Anchor::Cycle),
        any::<(u16, u64)>().prop_map(|(slot, cycle)| Anchor::WarpAt(slot, cycle)),
        any::<u8>().prop_map(Anchor::Scheduler),
        any::<(u8, u8)>().prop_map(|(scheduler, pipe)| Anchor::Pipe(scheduler, pipe)),
        (0..32_u8).prop_map(Anchor::Lane),
        (0..32_u8).prop_map(Anchor::Bank),
        any::<u32>().prop_map(Anchor::Word),
        any::<u32>().prop_map(Anchor::Line),
        any::<u32>().prop_map(Anchor::Instruction),
        (
            prop::sample::select(View::ALL.to_vec()),
            0..=1000_u16,
            0..=1000_u16
        )
            .prop_map(|(view, x, y)| Anchor::Place(view, x, y)),
    ];
    (anchor, "[^\u{0}]{1,12}").prop_map(|(anchor, text)| PictureNote { anchor, text })
}

/// A scenario with a lecture: two chapters with the same source, and the scenario itself as a third.
fn lecture() -> impl Strategy<Value = Scenario> {
    let texts = ("[^\u{0}]{0,12}", "[^\u{0}]{0,12}");
    let present = prop::sample::select(vec![Present::Off, Present::On, Present::Notes]);
    let qr = prop::sample::select(vec![QrPlace::Off, QrPlace::Corner, QrPlace::Full]);
    let at = prop::option::of(0..MAX_CHAPTERS);
    // Boxed: the values of a scenario's strategy are large.
    let scenarios = (scenario().boxed(), scenario().boxed());
    (scenarios, texts, at, present, qr)
        .prop_map(|((own, other), (title, text), at, present, qr)| {
            let chapter = |scenario: &Scenario| Chapter {
                title: title.clone(),
                text: text.clone(),
                minutes: at.map_or(0, |at| u8::try_from(at).unwrap()),
                scenario: Box::new(scenario.clone()),
            };
            let chapters = vec![chapter(&other), chapter(&other), chapter(&own)];
            Scenario {
                lecture: Lecture {
                    chapters,
                    at,
                    present,
                    qr,
                    ..Lecture::default()
                },
                ..own
            }
        })
        .boxed()
}

#[test]
fn a_lecture_is_readable_and_shares_its_source() {
    let own = Some("__global__ void k(float *out) { out[threadIdx.x] = 1.0f; }".to_owned());
    let chapter = |title: &str, source: Option<String>, cycle: u64| Chapter {
        title: title.to_owned(),
        text: "One row, 32 banks.".to_owned(),
        minutes: 0,
        scenario: Box::new(Scenario {
            source,
            cycle,
            view: View::Banks,
            ..Scenario::default()
        }),
    };
    let mut scenario = Scenario::default();
    scenario.lecture.chapters = vec![
        chapter("Bank layout", own.clone(), 12),
        chapter("Column", own.clone(), 40),
    ];
    scenario.lecture.at = Some(1);
    let link = encode(&scenario);
    assert!(
        link.starts_with("#v1;chapter=2;c1.title=Bank+layout;c1.text=One+row,+32+banks.;c1.view=banks;c1.cycle=12;c1.source="),
        "{link}"
    );
    assert!(
        link.ends_with(";c2.title=Column;c2.text=One+row,+32+banks.;c2.view=banks;c2.cycle=40;c2.source=@1")
    );
    scenario.source = own;
    scenario.lecture.chapters[1].minutes = 5;
    assert!(encode(&scenario).contains("c2.minutes=5"));
    assert!(encode(&scenario).contains("c1.source=@0"));
    assert_eq!(decode(&encode(&scenario)).scenario, scenario);
}

#[test]
fn a_lecture_has_a_plan_if_all_its_chapters_have_minutes() {
    let scenario = decode("#v1;c1.title=a;c1.minutes=5;c2.title=b;c2.minutes=7").scenario;
    let mut chapters = scenario.lecture.chapters;
    assert_eq!(Lecture::plan(&chapters, 0), Some((5, 12)));
    assert_eq!(Lecture::plan(&chapters, 1), Some((12, 12)));
    chapters[0].minutes = 0;
    assert_eq!(Lecture::plan(&chapters, 1), None);
    assert_eq!(Lecture::plan(&[], 0), None);
    let warnings = decode("#v1;c1.title=a;c1.minutes=soon").warnings;
    assert_eq!(
        warnings[0].to_string(),
        "Chapter 1: `minutes=soon` was ignored: it must be a number of minutes, at most 255."
    );
}

#[test]
fn broken_chapters_become_warnings() {
    let warnings =
        |link: &str| -> Vec<String> { decode(link).warnings.iter().map(ToString::to_string).collect() };
    assert_eq!(
        warnings("#v1;c1.view=nowhere;c2.source=@7;c1.c1.title=a;c100.title=b;c3.step=2")[0],
        "`c1.c1.title=a` was ignored: a chapter has no chapters."
    );
    let all = warnings("#v1;c1.cycle=x;c2.source=@7;c100.title=b;c3.step=2");
    assert_eq!(
        all,
        [
            "`c100.title=b` was ignored: a chapter has a number from 1 to 99.",
            "Chapter 1: `cycle=x` was ignored: it must be a whole number from 0 to 18446744073709551615.",
            "Chapter 2: `source=@7` was ignored: no earlier chapter with this number has a source.",
            "Chapter 3: The key `step` is unknown and was ignored.",
        ]
    );
    // Numbers that someone removed by hand leave no gap.
    let chapters = decode("#v1;c7.title=Last;c2.title=First")
        .scenario
        .lecture
        .chapters;
    let titles: Vec<&str> = chapters.iter().map(|chapter| chapter.title.as_str()).collect();
    assert_eq!(titles, ["First", "Last"]);
}

proptest! {
    #[test]
    fn every_scenario_survives_its_link(scenario in scenario()) {
        let link = encode(&scenario);
        prop_assert!(link.is_ascii());
        prop_assert!(!link.contains([' ', '"', '<', '>', '\\']), "{}", link);
        let decoded = decode(&link);
        prop_assert_eq!(decoded.warnings, vec![]);
        prop_assert_eq!(decoded.scenario, scenario);
    }

    #[test]
    fn every_lecture_survives_its_link(scenario in lecture()) {
        let link = encode(&scenario);
        prop_assert!(link.is_ascii());
        let decoded = decode(&link);
        prop_assert_eq!(decoded.warnings, vec![]);
        prop_assert_eq!(decoded.scenario, scenario);
    }

    #[test]
    fn any_text_decodes(text in any::<String>()) {
        decode(&text);
    }

    #[test]
    fn any_bytes_decode(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        decode(&String::from_utf8_lossy(&bytes));
    }

    #[test]
    fn any_value_of_a_known_key_decodes(
        key in prop::sample::select(vec![
            "arch", "kernel", "source", "entry", "grid", "block", "shared", "args", "symbols", "fmad", "regs",
            "carveout", "sm", "blocks", "dlcm", "banksize", "policy", "maxcycles", "view", "split", "cycle", "warp", "lane",
            "access", "wavefront", "zoom", "from", "mark", "format", "play", "expr", "when", "elem",
            "playop", "tile", "pad", "swizzle", "start", "playblock", "playwarp", "vars",
            "compare", "sync", "changes", "differences", "reference", "order", "pane",
            "line", "pc", "topline", "toppc", "counters", "code", "by", "of", "computer", "call", "window",
            "note", "lecture", "chapter", "present", "qr", "c1.title", "c2.text", "c1.view", "c3.source", "c1.c1.view",
        ]),
        value in "[-a-z0-9_=%:*,/.x]{0,40}",
    ) {
        let decoded = decode(&format!("#v1;{key}={value}"));
        prop_assert!(decode(&encode(&decoded.scenario)).warnings.is_empty());
    }

    #[test]
    fn a_link_that_lost_a_character_decodes(scenario in scenario(), at in any::<prop::sample::Index>()) {
        let mut link = encode(&scenario);
        link.remove(at.index(link.len()));
        decode(&link);
    }
}

#[test]
fn a_stranger_gets_few_warnings_in_linear_time() {
    let keys: Vec<String> = (0..50_000).map(|idx| format!("k{idx}=1")).collect();
    let decoded = decode(&format!("v1;{}", keys.join(";")));
    let warnings: Vec<String> = decoded.warnings.iter().map(ToString::to_string).collect();
    assert_eq!(
        warnings,
        [
            "The link has 50000 parts. Only the first 10000 were read.",
            "The keys `k0`, `k1`, `k2` and 9997 more are unknown and were ignored."
        ]
    );
    // Three unknown keys are still named one by one.
    assert_eq!(decode("v1;a=1;b=1;c=1").warnings.len(), 3);
    let twice = decode(&format!("v1{}", ";view=sm".repeat(100)));
    assert_eq!(twice.warnings.len(), 21);
    assert_eq!(
        twice.warnings[20].to_string(),
        "79 more parts of the link were ignored."
    );
    let long = decode(&format!("v1;kernel=saxpy;view=sm;name={}", "n".repeat(5 << 20)));
    assert_eq!(long.scenario.kernel, "saxpy");
    assert_eq!(long.warnings.len(), 1, "{:?}", long.warnings);
}

#[test]
fn the_texts_of_a_link_are_limited_in_total() {
    // 300 characters unpack to 250 KB, and each chapter repeats them.
    let source = super::text::pack(&format!("__global__ void k() {{}}{}", " ".repeat(250_000)));
    let chapters: Vec<String> = (1..=99).map(|n| format!("c{n}.title=t;c{n}.source=@0")).collect();
    let decoded = decode(&format!("v1;source={source};{}", chapters.join(";")));
    let chapters = &decoded.scenario.lecture.chapters;
    let num = chapters
        .iter()
        .filter(|chapter| chapter.scenario.source.is_some())
        .count();
    assert_eq!((chapters.len(), num), (99, 15));
    assert!(
        decoded.warnings[0]
            .to_string()
            .contains("the sources of the link have more than 4 MB in total"),
        "{}",
        decoded.warnings[0]
    );
    let files = "//--- warpscope file: a.h\n".repeat(5_000);
    let decoded = decode(&format!("v1;source={}", super::text::pack(&files)));
    assert_eq!(decoded.scenario.source, None);
    assert_eq!(
        decoded.warnings[0].to_string(),
        "The kernel source in the link was replaced by the library's kernel: it has more than 256 files."
    );
}

#[test]
fn lists_of_a_link_are_limited() {
    let args = vec!["i32:1"; 1_025].join(",");
    let notes = vec!["bank.3:a"; 101].join("~");
    let names: Vec<String> = (0..65).map(|n| format!("a{n}:1")).collect();
    for (link, reason) in [
        (format!("v1;args={args}"), "a launch has at most 1024 arguments"),
        (
            format!("v1;note={notes}"),
            "a picture has at most 100 notes; the first ones were read",
        ),
        (
            format!("v1;play=shared;vars={}", names.join("/")),
            "it has at most 64 names",
        ),
        (
            format!("v1;play=shared;expr={}", "(".repeat(2_001)),
            "an expression has at most 2000 characters",
        ),
        (
            format!("v1;entry={}", "k".repeat(1_001)),
            "a name has at most 1000 characters",
        ),
        (
            "v1;args=tex:u8*1x65536x4096:zero".to_owned(),
            "a texture of u8*1x65536x4096 exceeds the limit of 256 MB",
        ),
    ] {
        let warnings = decode(&link).warnings;
        assert_eq!(warnings.len(), 1, "{warnings:?}");
        let warning = warnings[0].to_string();
        assert!(
            warning.ends_with(&format!("{reason}.")) && warning.len() < 300,
            "{warning}"
        );
    }
}
