use std::fmt::Write as _;
use std::path::PathBuf;

use super::super::golden::{ARCHES, twin};
use super::super::{Event, Session, update};
use super::*;
use crate::scene::Target;
use crate::share::{decode, encode};

fn opened(link: &str) -> Session {
    let mut session = Session::new();
    update(&mut session, Event::Open(link.to_owned()));
    session
}

fn edit(session: &mut Session, edit: PlayEdit) -> Vec<Effect> {
    update(session, Event::Playground(edit))
}

fn expr(session: &mut Session, text: &str) {
    edit(session, PlayEdit::Expr(text.to_owned()));
}

fn picture(session: &Session) -> Scene {
    let size = Size {
        width: 832.0,
        height: 500.0,
    };
    session.shown().picture(session.ui.view, size).unwrap()
}

/// The count for the selected architecture, from the table.
fn count(session: &Session) -> String {
    let table = picture(session).table;
    let chosen = table.rows.iter().find(|row| row[0].ends_with("(chosen)"));
    chosen.unwrap()[1].clone()
}

#[test]
fn the_playground_works_without_a_compiled_kernel() {
    let mut session = opened("v1;view=banks");
    update(&mut session, Event::Edit("no kernel".to_owned()));
    update(&mut session, Event::Tick(1000.0));
    assert!(session.is_stale() && session.derived().trace().is_none());
    update(&mut session, Event::Choose(Choice::Playground(true)));
    assert!(!session.is_stale());
    assert_eq!(count(&session), "32");
    assert_eq!(session.sentence(None), picture(&session).headline);
    update(&mut session, Event::Choose(Choice::Playground(false)));
    assert!(session.is_stale());
}

#[test]
fn the_memory_views_share_one_access() {
    let mut session = opened("v1;view=banks;play=shared;expr=12*lane");
    // A stride of three words: no two lanes access the same bank.
    assert_eq!(count(&session), "1");
    update(&mut session, Event::View(View::Coalescing));
    assert_eq!(session.ui.playground.as_ref().unwrap().space, Space::Global);
    assert_eq!(count(&session), "12");
    update(&mut session, Event::View(View::Timeline));
    assert!(session.shown_playground().is_none());
    assert_eq!(
        session
            .shown()
            .picture(View::Coalescing, Size::default())
            .unwrap()
            .table
            .rows
            .len(),
        ArchId::ALL.len()
    );
}

#[test]
fn an_error_keeps_the_last_valid_picture() {
    let mut session = opened("v1;view=banks;play=shared");
    let good = picture(&session);
    expr(&mut session, "tile[treadIdx.x][threadIdx.y]");
    assert!(session.is_stale());
    assert_eq!(picture(&session), good);
    assert_eq!(
        session.sentence(Some(&good)),
        "Column 6: Unknown name `treadIdx`; perhaps `threadIdx`?"
    );
    let fixed = session.play_fixed().unwrap();
    assert_eq!(fixed, "tile[threadIdx.x][threadIdx.y]");
    assert!(session.play_has_rows());
    expr(&mut session, &fixed);
    assert!(!session.is_stale());
}

#[test]
fn continuous_typing_is_one_undoable_change() {
    let mut session = opened("v1;view=banks;play=shared");
    for text in ["4", "4*", "4*l", "4*lane"] {
        expr(&mut session, text);
    }
    edit(&mut session, PlayEdit::Elem(8));
    expr(&mut session, "8*lane");
    update(&mut session, Event::Undo);
    assert_eq!(session.ui.playground.as_ref().unwrap().expr, "4*lane");
    update(&mut session, Event::Undo);
    assert_eq!(session.ui.playground.as_ref().unwrap().elem, 4);
    update(&mut session, Event::Undo);
    assert_eq!(session.ui.playground, Some(Playground::default()));
    assert!(!session.history.can_undo());
    update(&mut session, Event::Redo);
    assert_eq!(session.ui.playground.as_ref().unwrap().expr, "4*lane");
}

#[test]
fn clicks_apply_layouts_and_architectures() {
    let mut session = opened("v1;view=banks;play=shared");
    update(&mut session, Event::Select(Target::Padding(1)));
    assert_eq!(count(&session), "1");
    update(&mut session, Event::Select(Target::Arch(ArchId::Gt200)));
    assert_eq!(
        (session.setup().arch, count(&session).as_str()),
        (ArchId::Gt200, "2")
    );
    update(&mut session, Event::Select(Target::Swizzle));
    let playground = session.ui.playground.as_ref().unwrap();
    assert_eq!((playground.pad, playground.swizzle), (0, Swizzle::Xor));
    for _ in 0..3 {
        update(&mut session, Event::Undo);
    }
    assert_eq!(session.link(), opened("v1;view=banks;play=shared").link());
}

#[test]
fn fields_keep_invalid_text() {
    let mut session = opened("v1;view=banks;play=shared;expr=base+4*lane*stride");
    assert_eq!(session.play_names(), ["base", "stride"]);
    let stride = PlayField::Name("stride".to_owned());
    edit(&mut session, PlayEdit::Field(stride.clone(), "two".to_owned()));
    let playground = session.ui.playground.clone().unwrap();
    assert_eq!(session.play_text(&playground, &stride), "two");
    edit(&mut session, PlayEdit::Field(stride, "0x2".to_owned()));
    assert!(session.ui.play.drafts.is_empty());
    assert_eq!(count(&session), "2");
    edit(
        &mut session,
        PlayEdit::Field(PlayField::Block, "64 × 32".to_owned()),
    );
    assert_eq!(session.ui.play.drafts.len(), 1);
    edit(&mut session, PlayEdit::Warp(7));
    edit(&mut session, PlayEdit::Field(PlayField::Block, "40".to_owned()));
    // The last of two warps is warp 1.
    assert_eq!(session.ui.playground.as_ref().unwrap().warp, 1);
    edit(
        &mut session,
        PlayEdit::Field(PlayField::Extents, "[16][33]".to_owned()),
    );
    assert_eq!(session.ui.playground.as_ref().unwrap().dims, [16, 33]);
}

#[test]
fn examples_survive_the_link() {
    let mut session = opened("v1;view=coalescing;play=global");
    for example in EXAMPLES {
        edit(&mut session, PlayEdit::Example(example.id.to_owned()));
        assert_eq!(session.play_example(), Some(example.id));
        assert!(session.ui.play.mistake.is_none());
        let link = encode(&session.link());
        assert_eq!(decode(&link).scenario, session.link(), "{link}");
    }
}

/// At every size on every architecture, nothing in a playground's picture overlaps or exceeds the width.
#[test]
fn sentences_of_the_picture_stay_within_their_limit() {
    for (view, space) in [("banks", Space::Shared), ("coalescing", Space::Global)] {
        for example in EXAMPLES {
            for arch in ArchId::ALL {
                let mut session = opened(&format!("v1;arch={};view={view}", arch.text()));
                session.ui.playground = Some(example.playground(space, AccessOp::Load));
                session.follow_playground();
                let headline = picture(&session).headline;
                assert!(
                    headline.ends_with('.') && headline.chars().count() <= 90,
                    "{headline}"
                );
            }
        }
    }
}

/// Compares the text twin of a playground, which needs no run, with its file, on each architecture.
fn golden(view: View, links: &[&str]) {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../tests/scenes");
    for arch in ARCHES {
        let mut text = String::new();
        for link in links {
            let link = format!("v1;arch={};view={};{link}", arch.text(), view.id());
            writeln!(text, "# {link}\n{}", twin(&opened(&link), view)).unwrap();
        }
        let path = folder.join(format!("playground-{}-{}.txt", view.id(), arch.text()));
        if std::env::var_os("UPDATE").is_some() {
            std::fs::write(&path, &text).unwrap();
        }
        let kept = std::fs::read_to_string(&path).unwrap_or_default();
        assert!(kept == text, "{} differs:\n{text}", path.display());
    }
}

#[test]
fn golden_banks() {
    golden(
        View::Banks,
        &[
            "play=shared",
            "play=shared;swizzle=xor",
            "play=shared;expr=data%5Blane*stride%5D;elem=8;when=lane<30;vars=stride:3",
        ],
    );
}

#[test]
fn golden_coalescing() {
    golden(
        View::Coalescing,
        &[
            "play=global;expr=12*lane",
            "play=global;expr=data%5Blane%5D;start=4",
            "play=global;expr=data%5Blane/2%5D;playop=atomic",
        ],
    );
}
