//! Tests that exports of the page equal the output of the command line.

use workbench::app::{Effect, Event, ExportKind, Session, update};

fn finished(link: &str) -> Session {
    let mut session = Session::new();
    update(&mut session, Event::Open(link.to_owned()));
    while session.work(10_000) {}
    session
}

fn saved(session: &mut Session, kind: ExportKind) -> (String, String) {
    match update(session, Event::Export(kind)).as_slice() {
        [Effect::SaveText { name, text }] => (name.clone(), text.clone()),
        other => panic!("{kind:?}: {other:?}"),
    }
}

#[test]
fn exports_equal_the_command_lines_output() {
    let mut session = finished("v1;kernel=saxpy;arch=gf100");
    let command = |args: &[&str]| {
        let mut out = Vec::new();
        let args = ["warpscope"].iter().chain(args).map(std::ffi::OsString::from);
        crate::run(args, &mut out).unwrap();
        String::from_utf8(out).unwrap()
    };
    let scenario = ["--kernel", "saxpy", "--arch", "gf100"];
    for (kind, args) in [
        (ExportKind::Counters, ["trace", "--format", "counters"].as_slice()),
        (ExportKind::States, &["trace", "--format", "csv"]),
        (
            ExportKind::Json,
            &["run", "--json", "--no-checks", "--outputs", "0"],
        ),
    ] {
        let (name, text) = saved(&mut session, kind);
        assert!(name.starts_with("warpscope-saxpy-gf100-"), "{name}");
        assert_eq!(text, command(&[args, &scenario].concat()), "{kind:?}");
    }
    let (_, table) = saved(&mut session, ExportKind::Table);
    assert!(table.lines().count() > 5, "{table}");
}
