use super::*;
use crate::app::Event;
use crate::app::{History, update};
use engine::files::{join, split};

const KERNEL: &str = "#include \"a.cuh\"\n__global__ void k(int* x) { x[threadIdx.x] = twice(x[0]); }\n";
const HEADER: &str = "#pragma once\n__device__ int twice(int x) {\n    return 2 * x;\n}\n";

fn session_of(files: &[(&str, &str)]) -> Session {
    let mut session = Session::new();
    update(&mut session, Event::Edit(join(files.iter().copied())));
    update(&mut session, Event::Tick(1_000.0));
    session.history = History::default();
    session
}

fn names(session: &Session) -> Vec<&str> {
    split(&session.side().text).iter().map(|file| file.name).collect()
}

fn done(session: &mut Session, edit: FileEdit) {
    update(session, Event::File(edit));
}

fn file(path: &str, bytes: &[u8]) -> OpenedFile {
    OpenedFile {
        path: path.to_owned(),
        content: Ok(bytes.to_vec()),
    }
}

#[test]
fn one_file_has_no_tabs() {
    let mut session = Session::new();
    assert!(session.file_tabs().is_empty());
    assert_eq!(session.shown_text(), session.side().text);
    done(&mut session, FileEdit::Show(7));
    assert_eq!(session.shown_file(), 0);
    done(&mut session, FileEdit::Remove(0));
    assert_eq!(names(&session), ["kernel.cu"]);
}

#[test]
fn typing_changes_the_shown_file() {
    let mut session = session_of(&[("kernel.cu", KERNEL), ("a.cuh", HEADER)]);
    assert!(
        session
            .derived()
            .problems
            .iter()
            .all(|problem| problem.span.is_none()),
        "{:?}",
        session.derived().problems
    );
    done(&mut session, FileEdit::Show(1));
    assert_eq!(session.shown_text(), HEADER);
    update(&mut session, Event::Edit(HEADER.replace('2', "3")));
    assert_eq!(
        session.side().text,
        join([("kernel.cu", KERNEL), ("a.cuh", &HEADER.replace('2', "3"))])
    );
    update(&mut session, Event::Tick(1_000.0));
    assert_eq!(session.setup().source.as_ref(), Some(&session.side().text));
}

#[test]
fn a_problem_in_a_header_is_shown_at_its_tab() {
    let wrong = HEADER.replace("2 * x", "2 * y");
    let mut session = session_of(&[("kernel.cu", KERNEL), ("a.cuh", &wrong)]);
    let problems = |session: &Session| {
        session
            .shown_problems()
            .iter()
            .filter(|p| p.span.is_some())
            .count()
    };
    assert_eq!(problems(&session), 0);
    let elsewhere = session.problems_elsewhere();
    assert_eq!((elsewhere.len(), elsewhere[0].0.as_str()), (1, "a.cuh:3"));
    let tabs = session.file_tabs();
    assert_eq!(
        (tabs[0].num_problems, tabs[1].num_problems, tabs[1].is_broken),
        (0, 1, true)
    );
    assert!(
        session
            .sentence(None)
            .starts_with("Line 3 of a.cuh does not compile: "),
        "{}",
        session.sentence(None)
    );
    // The link to the problem shows the file.
    let effects = update(
        &mut session,
        Event::Select(crate::scene::Target::Line(elsewhere[0].1)),
    );
    assert_eq!((session.shown_file(), effects), (1, vec![Effect::FocusLine(3)]));
    assert_eq!(problems(&session), 1);
    let span = session.shown_problems()[0].span.unwrap();
    assert_eq!(&wrong[span.start as usize..span.end as usize], "y");
    assert_eq!((span.line, span.column), (3, 16));
    assert!(session.problems_elsewhere().is_empty());
}

#[test]
fn files_are_added_named_removed_and_made_the_main_file_with_undo() {
    let mut session = session_of(&[("kernel.cu", KERNEL), ("a.cuh", HEADER)]);
    let before = session.side().text.clone();
    done(&mut session, FileEdit::Add);
    assert_eq!(names(&session), ["kernel.cu", "a.cuh", "header.cuh"]);
    assert!(session.file_tabs()[2].is_renamed && session.file_tabs()[2].is_shown);
    done(&mut session, FileEdit::Rename(2, " src\\b.cuh".to_owned()));
    assert_eq!(names(&session), ["kernel.cu", "a.cuh", "src/b.cuh"]);
    done(&mut session, FileEdit::Rename(2, "a.cuh".to_owned()));
    assert_eq!(names(&session)[2], "src/b.cuh", "a name is one file's");
    done(&mut session, FileEdit::Remove(1));
    assert_eq!(names(&session), ["kernel.cu", "src/b.cuh"]);
    done(&mut session, FileEdit::MakeMain(1));
    assert_eq!(names(&session), ["src/b.cuh", "kernel.cu"]);
    done(&mut session, FileEdit::Remove(0));
    assert_eq!(names(&session), ["kernel.cu"]);
    for _ in 0..5 {
        update(&mut session, Event::Undo);
    }
    assert_eq!(session.side().text, before);
    update(&mut session, Event::Redo);
    assert_eq!(names(&session).len(), 3);
}

#[test]
fn typing_is_a_separate_undo_step_before_a_file_is_removed() {
    let mut session = session_of(&[("kernel.cu", KERNEL), ("a.cuh", HEADER)]);
    let typed = format!("{KERNEL}// typed\n");
    update(&mut session, Event::Edit(typed.clone()));
    done(&mut session, FileEdit::Remove(1));
    update(&mut session, Event::Undo);
    assert_eq!(
        session.side().text,
        join([("kernel.cu", typed.as_str()), ("a.cuh", HEADER)])
    );
    update(&mut session, Event::Undo);
    assert_eq!(
        session.side().text,
        join([("kernel.cu", KERNEL), ("a.cuh", HEADER)])
    );
}

#[test]
fn a_folder_with_a_kernel_replaces_the_source() {
    let mut session = Session::new();
    let files = vec![
        file("p/include/a.cuh", HEADER.as_bytes()),
        file("p/README.md", b"text"),
        file("p/picture.h", b"\0\x01"),
        file("p/host.cpp", b"int main() {}"),
        file("p/other.cu", b"__global__ void other() {}"),
        file(
            "p/src/main.cu",
            format!("{}int main() {{}}\n", KERNEL.replace("a.cuh", "../include/a.cuh")).as_bytes(),
        ),
        OpenedFile {
            path: "p/long.cu".to_owned(),
            content: Err("over 256 KB".to_owned()),
        },
    ];
    done(&mut session, FileEdit::Open(files));
    assert_eq!(names(&session), ["src/main.cu", "include/a.cuh", "other.cu"]);
    assert!(
        session
            .derived()
            .problems
            .iter()
            .all(|problem| problem.span.is_none()),
        "{:?}",
        session.derived().problems
    );
    assert_eq!(
        session.ui.warnings,
        [
            "Skipped: p/README.md (not C++ source), p/picture.h (not a text file), p/long.cu (over 256 KB), \
          host.cpp (host code that no file includes)."
        ]
    );
    assert!(
        session
            .ui
            .toast
            .as_ref()
            .is_some_and(|toast| toast.contains("src/main.cu is the main file"))
    );
}

#[test]
fn headers_are_added_to_the_source() {
    let mut session = session_of(&[("kernel.cu", KERNEL)]);
    assert!(session.is_stale());
    done(
        &mut session,
        FileEdit::Open(vec![file("a.cuh", HEADER.as_bytes())]),
    );
    assert_eq!(names(&session), ["kernel.cu", "a.cuh"]);
    assert!(!session.is_stale());
    done(&mut session, FileEdit::Open(vec![file("a.cuh", b"#error new\n")]));
    assert_eq!(names(&session), ["kernel.cu", "a.cuh"]);
    assert!(session.side().text.ends_with("#error new\n"));
    done(&mut session, FileEdit::Open(vec![file("a.png", b"\0")]));
    assert!(session.side().text.ends_with("#error new\n"));
}

#[test]
fn exceeded_limits_are_reported() {
    let long = "// comment\n".repeat(20 * 1024);
    let files = vec![
        file("k.cu", b"#include \"c.h\"\n__global__ void k() {}"),
        file("a.h", long.as_bytes()),
        file("b.h", long.as_bytes()),
        file("c.h", b"// included"),
    ];
    let opened = opened::chosen(files);
    let names: Vec<&str> = opened.files.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["k.cu", "a.h", "c.h"]);
    assert_eq!(
        opened.left_out_text().unwrap(),
        "Skipped: b.h (more than 256 KB in total)."
    );
    let many: Vec<OpenedFile> = (0..70).map(|n| file(&format!("{n:02}.h"), b"")).collect();
    let text = opened::chosen(many).left_out_text().unwrap();
    assert!(text.starts_with("Skipped: 64.h (more than 64 files)"), "{text}");
}

#[test]
fn a_link_contains_all_files() {
    let session = session_of(&[("kernel.cu", KERNEL), ("a.cuh", HEADER)]);
    let link = crate::share::encode(&session.link());
    let mut other = Session::new();
    update(&mut other, Event::Open(link));
    assert_eq!(other.side().text, session.side().text);
    assert_eq!(other.file_tabs().len(), 2);
}

#[test]
fn line_notes_are_those_of_the_shown_file() {
    let mut session = session_of(&[("kernel.cu", KERNEL), ("a.cuh", HEADER)]);
    while session.work(100_000) {}
    let all = session.derived().line_notes(&session);
    assert_eq!(session.shown_notes(), all[..3]);
    done(&mut session, FileEdit::Show(1));
    // The multiplication is on the third line of the header.
    assert!(
        session
            .shown_notes()
            .get(2)
            .is_some_and(|note| !note.heat.is_empty())
    );
    assert_eq!(session.shown_notes(), all[4..]);
}

#[test]
fn thousands_of_files_in_a_typed_text_have_tabs_within_a_limit() {
    let files: Vec<(String, String)> = (0..5_000)
        .map(|idx| (format!("f{idx}/a.h"), String::new()))
        .collect();
    let mut session = Session::new();
    // The editor's text, before the compiler sees it.
    update(
        &mut session,
        Event::Edit(join(
            files.iter().map(|(name, text)| (name.as_str(), text.as_str())),
        )),
    );
    let tabs = session.file_tabs();
    assert_eq!((tabs.len(), session.num_files_without_tab()), (256, 5_000 - 256));
    assert_eq!(tabs[7].label, "f7/a.h");
}

#[test]
fn the_archives_of_a_drop_share_one_limit() {
    let archive = include_bytes!("../../../../tests/fuzz-seeds/zip/overlap");
    let opened = opened::chosen((0..10).map(|n| file(&format!("{n}.zip"), archive)).collect());
    assert_eq!(opened.files, []);
    let text = opened.left_out_text().unwrap();
    assert!(
        text.starts_with("Skipped: 0.zip (several files share the same bytes of the archive), 1.zip"),
        "{text}"
    );
}

#[test]
#[expect(clippy::disallowed_types, reason = "the test has a generous limit of time")]
fn thousands_of_files_with_includes_are_searched_in_time() {
    // Each of 30 files has 10,000 different directives, whose last part 2,000 files share.
    let mut files: Vec<OpenedFile> = (0..1_900).map(|n| file(&format!("d{n}/a.h"), b"")).collect();
    for n in 0..30 {
        let mut text = format!("#include \"f{}.cu\"\n__global__ void k() {{}}\n", n + 1);
        for idx in 0..10_000 {
            text += &format!("#include \"{n}x{idx}/a.h\"\n");
        }
        files.push(file(&format!("f{n}.cu"), text.as_bytes()));
    }
    let start = std::time::Instant::now();
    let opened = opened::chosen(files);
    assert_eq!(opened.files[0].0, "f0.cu");
    // Without an index this took minutes.
    assert!(start.elapsed().as_secs() < 60, "{:?}", start.elapsed());
}
