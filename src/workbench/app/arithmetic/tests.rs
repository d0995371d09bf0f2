use super::*;
use crate::app::{Event, update};
use crate::share::{decode, encode};

const SIZE: Size = Size {
    width: 900.0,
    height: 600.0,
};

fn session(link: &str) -> Session {
    let mut session = Session::new();
    let _ = update(&mut session, Event::Open(link.to_owned()));
    while session.work(10_000) {}
    session
}

fn picture(session: &Session) -> Scene {
    session.shown().picture(View::Arithmetic, SIZE).unwrap()
}

#[test]
fn a_typed_operation_shows_the_first_chip_that_differs_and_is_kept_in_the_link() {
    let link = "#v1;arch=gt200;view=arithmetic;calc=1.00001f%20*%201.00001f%20-%201";
    let mut session = session(link);
    let scene = picture(&session);
    assert_eq!(
        scene.headline,
        "5 bits differ: 2.002716e−5 on Tesla GT200, 2.002726e−5 on Fermi GF100."
    );
    assert_eq!(scene.table.rows.len(), ArchId::ALL.len());
    assert_eq!(encode(&session.link()), link);
    assert_eq!(session.second_chip(), (ArchId::Gf100, false));
    // A click on a chip makes it the second one.
    let _ = update(&mut session, Event::Select(Target::Arch(ArchId::Tu102)));
    assert_eq!(session.second_chip(), (ArchId::Tu102, true));
    assert_eq!(session.arch().id, ArchId::Gt200);
    assert!(
        encode(&session.link()).contains(";beside=tu102;"),
        "{}",
        encode(&session.link())
    );
    assert!(
        session
            .inspection()
            .unwrap()
            .why_text()
            .contains("truncates the product")
    );
}

#[test]
fn typing_is_one_undo_step_and_a_mistake_keeps_the_last_picture() {
    let mut session = session("#v1;view=arithmetic;calc=1.0f+2.0f");
    let before = picture(&session);
    for text in ["1.0f+2.0f*", "1.0f+2.0f*x"] {
        let _ = update(&mut session, Event::Operation(text.to_owned()));
        assert_eq!(picture(&session).table, before.table);
        let sentence = session.sentence(Some(&before));
        assert!(sentence.starts_with("Column 1"), "{sentence}");
        assert!(session.is_stale());
    }
    let _ = update(&mut session, Event::Operation("1.0f+2.0f*3.0f".to_owned()));
    assert_ne!(picture(&session).table, before.table);
    assert!(!session.is_stale());
    let _ = update(&mut session, Event::Undo);
    assert_eq!(session.ui.operation.as_deref(), Some("1.0f+2.0f"));
}

#[test]
fn rubbish_in_a_link_is_a_warning_or_a_mistake() {
    let long = format!("#v1;view=arithmetic;calc={}", "1".repeat(200));
    assert_eq!(decode(&long).warnings.len(), 1);
    assert_eq!(decode("#v1;beside=gf999").warnings.len(), 1);
    for text in ["", "%25%25", "(((((", "fmaf", "0x", "--", "%F0%9F%98%80"] {
        let session = session(&format!("#v1;view=arithmetic;calc={text}"));
        let mistake = session.ui.arithmetic.mistake.as_ref().expect(text);
        assert!(mistake.column > 0);
        assert!(picture(&session).headline.contains("Fix the operation"));
        assert!(session.controls(View::Arithmetic).len() == 1);
    }
}

/// The operands come from the machine's registers: the result is what the run computes.
#[test]
fn the_run_shows_the_last_arithmetic_instruction_of_the_selected_warp() {
    for (arch, fused) in [("gt200", "FMAD"), ("gf100", "FFMA"), ("tu102", "FFMA")] {
        let session = session(&format!("#v1;arch={arch};kernel=saxpy;view=arithmetic"));
        let trace = session.derived().trace().unwrap();
        let pcs: Vec<Pc> = (0..trace.program().code.len() as u32)
            .map(Pc)
            .filter(|pc| trace.frame(Cycle(0)).mnemonic(*pc) == fused)
            .collect();
        let issue = trace.last_issue(Cycle(u64::MAX), |row| row.slot.0 == 0 && pcs.contains(&row.pc));
        let issue = issue.unwrap_or_else(|| panic!("{arch} has no {fused}"));
        let link = format!(
            "#v1;arch={arch};kernel=saxpy;view=arithmetic;lane=3;cycle={}",
            issue.cycle.0
        );
        let session = self::session(&link);
        let (operation, origin, step) = session.shown().operation_of_run().unwrap();
        assert_eq!(
            (origin.lane, origin.cycle, origin.pc),
            (3, issue.cycle.0, issue.pc.0)
        );
        assert_eq!(step.mnemonic, fused);
        // The factor of saxpy is the first operand or the second.
        let [x, y, z] = [0, 1, 2].map(|idx| f32::from_bits(operation.operands[idx].bits as u32));
        assert_eq!(
            f32::from_bits(step.result as u32),
            x.mul_add(y, z),
            "{arch}: {}",
            operation.text()
        );
        // The register after the instruction has this result.
        let i = &session.derived().trace().unwrap().program().code[issue.pc.0 as usize];
        let after = session
            .derived()
            .trace()
            .unwrap()
            .with_machine(Cycle(issue.cycle.0), |machine| {
                machine.register(SlotIdx(0), i.dst).map(|row| row[3])
            });
        assert_eq!(after, Some(step.result as u32));
        let scene = picture(&session);
        assert!(
            scene
                .note
                .contains(&format!("lane 3, issued in cycle {}", issue.cycle.0)),
            "{}",
            scene.note
        );
        assert_eq!(session.inspection().unwrap().code.unwrap().pc, issue.pc.0);
    }
}

#[test]
fn the_operands_of_the_run_can_be_typed_over() {
    let mut session = session("#v1;arch=gf100;kernel=saxpy;view=arithmetic;cycle=100000");
    let (operation, ..) = session.shown().operation_of_run().unwrap();
    let _ = update(&mut session, Event::Choose(Choice::Typed(true)));
    assert_eq!(session.ui.operation, Some(operation.text()));
    assert!(session.ui.arithmetic.mistake.is_none());
    let _ = update(&mut session, Event::Choose(Choice::Typed(false)));
    assert_eq!(session.ui.operation, None);
}

#[test]
fn a_warp_without_arithmetic_says_so() {
    let session = session("#v1;kernel=saxpy;view=arithmetic;cycle=0");
    let scene = picture(&session);
    assert!(
        scene.headline.contains("has issued no arithmetic instruction"),
        "{}",
        scene.headline
    );
    let selected = self::session("#v1;kernel=saxpy;view=arithmetic;cycle=90000;line=1");
    assert!(picture(&selected).headline.contains("selected code"));
}

#[test]
fn options_of_the_compiler_change_the_operation_on_every_chip() {
    let result = |options: &str| {
        let session = session(&format!(
            "#v1;arch=gf100;view=arithmetic;calc=1e-40f*0.5f{options}"
        ));
        picture(&session).table.rows[2][1].clone()
    };
    assert_ne!(result(""), "0x00000000");
    assert_eq!(result(";ftz=on"), "0x00000000");
}

#[test]
fn a_special_function_has_its_documented_error_in_the_inspector() {
    let shown = session("v1;view=arithmetic;calc=__sinf(3.1415f)");
    let inspection = shown.inspection().unwrap();
    let facts = inspection
        .facts
        .iter()
        .find(|facts| facts.title.starts_with("Documented error"))
        .unwrap();
    assert_eq!(facts.rows[0].1, "2^-21.41 for x in [-π, π], larger otherwise");
    // The sine is 9.27e-5, whose last place is 2^-37: the absolute error is 2^15.59 of it.
    assert_eq!(facts.rows[1].1, "49323.9 ulp");
    assert!(
        inspection.sources[0].source.ends_with("Table C-4"),
        "{:?}",
        inspection.sources
    );
    let whole = session("v1;view=arithmetic;calc=5ll%20*%203ll");
    assert!(whole.sentence_of_picture().contains("instruction"));
}
