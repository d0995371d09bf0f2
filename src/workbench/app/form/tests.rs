//! The launch form driven like a user drives it, without a browser.

use crate::app::golden::opened;
use crate::app::{Event, FormChoice, LaunchField, Session, update};
use crate::share;
use engine::isa::ElemType;
use engine::launch::{Argument, Pattern, Role};

use super::{PatternKind, Place, RowKind};

fn finish(session: &mut Session) {
    while session.work(10_000) {}
}

fn enter(session: &mut Session, field: LaunchField, text: &str) {
    update(session, Event::Launch(field, text.to_owned()));
    finish(session);
}

/// Types text and waits for the pauses.
fn write(session: &mut Session, text: &str) {
    update(session, Event::Edit(text.to_owned()));
    update(session, Event::Tick(200.0));
    finish(session);
}

fn out(session: &Session, argument: usize) -> Vec<f32> {
    let bytes = session
        .derived()
        .trace()
        .unwrap()
        .outputs()
        .unwrap()
        .argument(argument)
        .unwrap();
    let words = bytes.chunks_exact(4);
    words
        .map(|word| f32::from_le_bytes(word.try_into().unwrap()))
        .collect()
}

#[test]
fn every_parameter_of_every_library_kernel_has_a_row_that_takes_its_own_text() {
    for kernel in crate::library::kernels() {
        let mut session = opened(&format!("v1;arch=gp104;kernel={}", kernel.id));
        let rows = session.argument_rows();
        assert_eq!(rows.len(), kernel.launch().args.len(), "{}", kernel.id);
        for row in rows {
            match row.kind {
                RowKind::Value { field, text } => enter(&mut session, field, &text),
                RowKind::Buffer(buffer) => {
                    enter(
                        &mut session,
                        LaunchField::Length(buffer.place),
                        &buffer.len.to_string(),
                    );
                    if let Some((field, text)) = buffer.number() {
                        enter(&mut session, field, &text);
                    }
                }
            }
        }
        assert!(session.side().drafts.is_empty(), "{:?}", session.side().drafts);
        assert_eq!(
            session.setup().args,
            None,
            "what is as in the library is not kept"
        );
        assert!(!session.history.can_undo());
    }
}

#[test]
fn a_number_changes_the_run_and_the_link_and_is_undone() {
    let mut session = opened("v1;kernel=vector-add");
    let number = LaunchField::Scalar(3);
    enter(&mut session, number, "0x20");
    let c = out(&session, 2);
    assert!(c[..32].iter().all(|sum| *sum != 0.0) && c[32..].iter().all(|sum| *sum == 0.0));
    let link = share::encode(&session.link());
    assert!(link.contains("args=") && link.contains("i32:32"), "{link}");
    assert_eq!(out(&opened(link.trim_start_matches('#')), 2), c);
    update(&mut session, Event::Undo);
    finish(&mut session);
    assert_eq!(session.setup().args, None);
    assert!(out(&session, 2)[32..].iter().all(|sum| *sum != 0.0));
}

/// The form's text, the link, and the values of a launch whose pointer was moved.
#[test]
fn a_pointer_points_into_a_buffer_where_the_form_says() {
    let c = LaunchField::Target(2);
    for (field, text, shown, in_link) in [
        (LaunchField::Target(0), "a+3", "a+3", ":at3"),
        (LaunchField::Target(0), " a - 1 ", "a-1", ":at-1"),
        (LaunchField::Target(0), "a+2b", "a+2b", ":byte2"),
        (LaunchField::Target(1), "a+3", "a+3", "in:f32@0:at3"),
        (c, "b", "b", "inout:f32@1"),
    ] {
        let mut session = opened("v1;kernel=vector-add");
        enter(&mut session, field, text);
        let link = share::encode(&session.link());
        assert!(link.contains(in_link), "{text}: {link}");
        let LaunchField::Target(idx) = field else { panic!() };
        for session in [&session, &opened(link.trim_start_matches('#'))] {
            let now = match &session.argument_rows()[usize::from(idx)].kind {
                RowKind::Value { text, .. } => text.clone(),
                RowKind::Buffer(buffer) => buffer.pointer.clone().unwrap(),
            };
            assert_eq!(now, shown);
        }
    }
    // The sum of a[i] and a[i + 3] of 0, 1, 2, …
    let mut session =
        opened("v1;kernel=vector-add;args=in:f32*4096:iota,in:f32*4096:zero,out:f32*4096:zero,i32:4000");
    enter(&mut session, LaunchField::Target(1), "a+3");
    assert_eq!(out(&session, 2)[..4], [3.0, 5.0, 7.0, 9.0]);
    enter(&mut session, LaunchField::Target(1), "b");
    assert_eq!(
        session.launch().args[1].elements().map(|(_, len, ..)| len > 0),
        Some(true)
    );
}

#[test]
fn a_pointer_that_leads_nowhere_is_refused() {
    let mut session = opened("v1;kernel=vector-add");
    enter(&mut session, LaunchField::Target(1), "a");
    for (idx, text, why) in [
        (2, "nothing", "“nothing” is not a pointer parameter"),
        (2, "a+", "is not a pointer parameter"),
        (2, "b", "b has no memory of its own"),
        (0, "c", "Another argument points into the memory of a"),
        (3, "a", "Only pointers"),
    ] {
        let field = LaunchField::Target(idx);
        enter(&mut session, field, text);
        let (kept, said) = session.side().drafts.get(&field).unwrap();
        assert_eq!(kept, text);
        assert!(said.contains(why), "{said}");
    }
}

#[test]
fn an_invalid_value_stays_in_the_field_and_names_the_limit() {
    let mut session = opened("v1;kernel=vector-add");
    for (field, text, limit) in [
        (LaunchField::Scalar(3), "9999999999", "2,147,483,647"),
        (
            LaunchField::Length(Place::Argument(0)),
            "0",
            "from 1 to 16,777,216",
        ),
        (LaunchField::Seed(Place::Argument(0)), "-1", "4,294,967,295"),
        (LaunchField::Modulo(Place::Argument(0)), "x", "from 1"),
        (LaunchField::Scale(Place::Argument(0)), "inf", "number"),
        (LaunchField::MaxRegisters, "999", "255"),
        (LaunchField::MaxCycles, "0", "1,000,000,000"),
        (LaunchField::DynamicShared, "two", "bytes"),
        (LaunchField::Scalar(0), "1", "no longer"),
        (LaunchField::Length(Place::Argument(77)), "1", "no longer"),
    ] {
        enter(&mut session, field, text);
        let (kept, why) = session.side().drafts.get(&field).unwrap();
        assert_eq!(kept, text);
        assert!(why.contains(limit) && why.ends_with('.'), "{why}");
    }
    assert_eq!(session.setup().args, None);
    enter(&mut session, LaunchField::Scalar(3), "64");
    assert!(!session.side().drafts.contains_key(&LaunchField::Scalar(3)));
}

#[test]
fn the_kernel_reads_the_pasted_values() {
    let mut session = opened("v1;kernel=vector-add");
    let a = Place::Argument(0);
    update(
        &mut session,
        Event::Form(FormChoice::Pattern(Place::Argument(1), Some(PatternKind::Zero))),
    );
    enter(&mut session, LaunchField::Values(a), "1.5, 2.5\n-3 1e3");
    let c = out(&session, 2);
    assert_eq!(c[..5], [1.5, 2.5, -3.0, 1000.0, 0.0]);
    enter(&mut session, LaunchField::Values(a), "1.5 two");
    let (_, why) = session.side().drafts.get(&LaunchField::Values(a)).unwrap();
    assert!(
        why.contains("Read 1 number") && why.contains("line 1, column 5"),
        "{why}"
    );
    assert_eq!(out(&session, 2), c);
    let rows = session.argument_rows();
    let RowKind::Buffer(buffer) = &rows[0].kind else {
        panic!()
    };
    assert_eq!(buffer.values().unwrap().0, "1.5, 2.5, -3, 1000");
}

#[test]
fn a_pattern_that_becomes_values_has_the_same_first_values() {
    let mut session = opened("v1;kernel=vector-add");
    let before = out(&session, 2);
    for argument in [0, 1] {
        let choice = FormChoice::Pattern(Place::Argument(argument), Some(PatternKind::Values));
        update(&mut session, Event::Form(choice));
    }
    finish(&mut session);
    let after = out(&session, 2);
    assert_eq!(after[..32], before[..32]);
    assert!(after[32..].iter().all(|sum| *sum == 0.0));
}

#[test]
fn the_link_contains_a_buffer_s_role_and_factors() {
    let mut session = opened("v1;kernel=saxpy");
    let y = Place::Argument(2);
    update(&mut session, Event::Form(FormChoice::Role(2, Role::Scratch)));
    update(
        &mut session,
        Event::Form(FormChoice::Pattern(y, Some(PatternKind::Iota))),
    );
    enter(&mut session, LaunchField::Modulo(y), "10");
    enter(&mut session, LaunchField::Scale(y), "0.5");
    enter(&mut session, LaunchField::Offset(y), "100");
    let link = share::encode(&session.link());
    assert!(
        link.contains("scratch:f32*4096:iota:mod10:scale0.5:offset100"),
        "{link}"
    );
    update(&mut session, Event::Form(FormChoice::ResetArguments));
    assert_eq!((&session.setup().args, &session.setup().symbols), (&None, &None));
}

const TWO: &str = "__global__ void first(float* a, int n) { if (threadIdx.x < n) a[threadIdx.x] = 1.0f; }\n\
                   __global__ void second(double* b) { b[threadIdx.x] = 2.0; }\n";

#[test]
fn arguments_that_still_fit_are_kept_when_the_signature_changes() {
    let mut session = opened("v1;kernel=vector-add;grid=1;block=32");
    enter(&mut session, LaunchField::Scalar(3), "20");
    let text = session
        .side()
        .text
        .replace("float *c, int n)", "float *c, float bias, int count)");
    let text = text
        .replace("i < n", "i < count")
        .replace("b[i];", "b[i] + bias;");
    write(&mut session, &text);
    let args = &session.launch().args;
    assert_eq!(args.len(), 5, "{:?}", session.derived().problems);
    assert_eq!(args[..3], session.setup().library_kernel().launch().args[..3]);
    let messages: Vec<_> = session
        .derived()
        .problems
        .iter()
        .map(|problem| problem.message.as_str())
        .collect();
    assert!(messages[0].contains("bias is 1.5"), "{messages:?}");
    // The link contains the arguments: every visitor sees the same run.
    let other = opened(share::encode(&session.link()).trim_start_matches('#'));
    assert_eq!(out(&other, 2), out(&session, 2));
    assert_eq!(other.launch(), session.launch());
}

#[test]
fn a_parameter_with_another_name_or_type_keeps_its_value() {
    let mut session = opened("v1;kernel=saxpy;grid=1");
    enter(&mut session, LaunchField::Scalar(0), "4");
    let text = session
        .side()
        .text
        .replace("float a", "double factor")
        .replace("a *", "factor *");
    write(&mut session, &text);
    assert!(!session.is_stale(), "{:?}", session.derived().problems);
    let bits = 4.0f64.to_bits();
    let ty = ElemType::F64;
    assert_eq!(session.launch().args[0], Argument::Scalar { ty, bits });
    // One undo step restores the text and its arguments.
    update(&mut session, Event::Undo);
    assert!(matches!(
        session.launch().args[0],
        Argument::Scalar {
            ty: ElemType::F32,
            ..
        }
    ));
}

#[test]
fn the_launched_kernel_is_selectable_and_gets_its_arguments() {
    let mut session = opened("v1;kernel=vector-add;block=32;grid=1");
    write(&mut session, TWO);
    assert_eq!(session.entries(), ["first", "second"]);
    assert_eq!(session.kernel_name(), "first");
    update(&mut session, Event::Form(FormChoice::Entry("second".to_owned())));
    finish(&mut session);
    assert_eq!(session.kernel_name(), "second");
    let args = &session.launch().args;
    assert!(
        matches!(
            args[..],
            [Argument::Buffer {
                elem: ElemType::F64,
                ..
            }]
        ),
        "{args:?}"
    );
    assert_eq!(session.outcome_sentence(), None);
    // A removed function is no longer selected.
    write(&mut session, TWO.lines().next().unwrap());
    assert_eq!(session.kernel_name(), "first");
}

#[test]
fn contents_of_variables_are_set_and_reset() {
    let mut session = opened("v1;kernel=vector-add;block=32;grid=1");
    write(
        &mut session,
        "__constant__ float table[8];\n__global__ void look(float* a) { a[threadIdx.x] = table[threadIdx.x & 7]; }\n",
    );
    let rows = session.symbol_rows();
    assert_eq!((rows[0].name.as_str(), rows.len()), ("table", 1));
    let RowKind::Buffer(buffer) = &rows[0].kind else {
        panic!()
    };
    let place = buffer.place;
    // The kernel is not the library's: what its program would set is chosen.
    assert_eq!((buffer.len, buffer.word()), (8, "random"));
    update(
        &mut session,
        Event::Form(FormChoice::Pattern(place, Some(PatternKind::Iota))),
    );
    finish(&mut session);
    assert_eq!(
        out(&session, 0)[..9],
        [0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 0.0]
    );
    enter(&mut session, LaunchField::Length(place), "9");
    assert!(
        session.side().drafts[&LaunchField::Length(place)]
            .1
            .contains("from 1 to 8")
    );
    update(&mut session, Event::Form(FormChoice::Pattern(place, None)));
    finish(&mut session);
    assert!(session.setup().symbols.is_none());
    assert!(out(&session, 0)[..32].iter().all(|value| *value == 0.0));
}

#[test]
fn mismatched_link_arguments_are_generated_and_reported() {
    let session = opened("v1;kernel=vector-add;args=in:f32*64:iota");
    assert!(
        session.derived().problems[0].message.contains("do not match"),
        "{:?}",
        session.derived().problems
    );
    assert_eq!(session.launch().args.len(), 4);
}

#[test]
fn continuous_typing_is_one_undo_step() {
    let mut session = opened("v1;kernel=vector-add");
    let text = session.side().text.clone();
    for more in ["// a\n", "// ab\n", "// abc\n"] {
        write(&mut session, &format!("{more}{text}"));
    }
    update(&mut session, Event::Tick(1_100.0));
    write(&mut session, &format!("// later\n{text}"));
    update(&mut session, Event::Undo);
    assert!(session.side().text.starts_with("// abc\n"));
    update(&mut session, Event::Undo);
    assert_eq!(session.side().text, text);
    assert!(!session.history.can_undo());
}

#[test]
fn the_library_s_source_is_restored_with_its_arguments() {
    let mut session = opened("v1;kernel=saxpy");
    write(&mut session, TWO);
    update(&mut session, Event::Form(FormChoice::ResetText));
    finish(&mut session);
    assert_eq!(session.setup().source, None);
    assert_eq!(session.setup().args, None);
    assert_eq!(session.side().text, session.setup().library_kernel().source);
    assert!(!session.is_stale());
}

#[test]
fn no_source_makes_the_page_panic_or_stay_silent() {
    for text in [
        "",
        "\n \t",
        "§%&/()=?\u{0}",
        "größe ß 😀",
        "__global__",
        "__global__ void",
        "{{{{{{",
        "\"",
        "/*",
    ] {
        let mut session = opened("v1;kernel=saxpy");
        write(&mut session, text);
        assert!(session.is_stale(), "{text}");
        assert!(
            session.sentence(None).ends_with('.'),
            "{}",
            session.sentence(None)
        );
    }
    let mut session = opened("v1;kernel=saxpy");
    write(&mut session, &"rubbish § ".repeat(100_000));
    assert!(
        session.sentence(None).contains("256 KB"),
        "{}",
        session.sentence(None)
    );
}

#[test]
fn line_breaks_of_other_systems_are_equivalent() {
    let source = crate::library::kernel_or_default("").source.replace('\n', "\r\n");
    let scenario = share::Scenario {
        source: Some(source),
        ..share::Scenario::default()
    };
    let session = opened(share::encode(&scenario).trim_start_matches('#'));
    assert_eq!(session.side().text, crate::library::kernel_or_default("").source);
    assert!(session.derived().problems.is_empty());
}

#[test]
fn longer_lists_extend_their_buffer() {
    let mut session = opened("v1;kernel=vector-add");
    let many = vec!["1"; 3_000].join(" ");
    enter(&mut session, LaunchField::Values(Place::Argument(0)), &many);
    let Argument::Buffer { len, fill, .. } = &session.launch().args[0] else {
        panic!()
    };
    assert_eq!(*len, 3_000);
    assert!(matches!(&fill.pattern, Pattern::List(values) if values.len() == 3_000));
}

#[test]
fn string_literals_have_no_row() {
    let mut session = opened("v1;kernel=saxpy");
    write(
        &mut session,
        "__device__ int counts[4];\n__global__ void k(int *a) { counts[0] = 1; a[0] = printf(\"%d\\n\", counts[0]); }",
    );
    let names: Vec<String> = session.symbol_rows().into_iter().map(|row| row.name).collect();
    assert_eq!(names, ["counts"]);
    let literals = session.derived().program().unwrap().symbols.iter();
    assert!(literals.filter(|symbol| symbol.name.starts_with('$')).count() > 0);
}

/// What `main()` shows of a launch is said where the run is shown.
#[test]
fn headlines_say_that_a_launch_is_estimated_or_refused() {
    let program = |grid: &str, contents: &str| {
        format!(
            "__global__ void take(const int *idx, int *out) {{ out[threadIdx.x] = idx[threadIdx.x]; }}
int main() {{
  int h[32]; {contents}
  int *i, *o; cudaMalloc(&i, 128); cudaMalloc(&o, 128);
  cudaMemcpy(i, h, 128, cudaMemcpyHostToDevice);
  take<<<{grid}, 32>>>(i, o);
}}"
        )
    };
    let known = "for (int j = 0; j < 32; j++) h[j] = j;";
    let unknown = "FILE *f = fopen(\"x\", \"r\"); fread(h, 4, 32, f);";
    for (text, remark, is_estimated) in [
        (program("1", known), "", false),
        (program("1", unknown), "Estimated launch. ", true),
        (
            program("0", known),
            "The CUDA runtime refuses this launch. As if it ran: ",
            false,
        ),
    ] {
        let mut session = opened("v1;arch=tu102");
        write(&mut session, &text);
        finish(&mut session);
        assert_eq!(session.launch_remark(), remark, "{text}");
        assert_eq!(session.is_estimated(), is_estimated, "{text}");
        assert!(session.host_origin().is_some(), "{text}");
    }
}
