//! `twin`: prints a view of a link as text, like the page's table of the view.

use std::io::Write;

use clap::Args;

use super::scenario::fragment;
use super::{CliError, CliResult, Verdict};
use workbench::app::{Event, Session, update};
use workbench::scene::{Size, Table};

/// Print a view as text: its sentence, and the tables of its picture and plots, with tab-separated cells
#[derive(Args)]
pub(super) struct TwinArgs {
    /// The link: a complete URL, or the part after its `#`
    #[arg(long)]
    link: String,
    /// Width of the picture in CSS pixels; some pictures show more if they are larger
    #[arg(long, default_value_t = 832.0)]
    width: f32,
    /// Height of the picture in CSS pixels
    #[arg(long, default_value_t = 636.0)]
    height: f32,
}

pub(super) fn run(args: &TwinArgs, out: &mut dyn Write) -> CliResult {
    let mut session = Session::new();
    update(&mut session, Event::Open(fragment(&args.link).to_owned()));
    while session.work(100_000) {}
    session.ui.widths = [args.width; 4];
    let view = session.ui.view;
    let size = Size {
        width: args.width,
        height: args.height,
    };
    let Some(scene) = session.shown().picture(view, size) else {
        return Err(CliError::Input(session.sentence(None)));
    };
    writeln!(out, "{}", session.sentence(Some(&scene)))?;
    write_table(&scene.table, out)?;
    for chart in session.shown().charts(view) {
        write_table(&chart.table(), out)?;
    }
    if let Some(notes) = session.notes_table() {
        write_table(&notes, out)?;
    }
    Ok(Verdict::Good)
}

fn write_table(table: &Table, out: &mut dyn Write) -> Result<(), CliError> {
    for row in std::iter::once(&table.columns).chain(&table.rows) {
        writeln!(out, "{}", row.join("\t"))?;
    }
    Ok(())
}
