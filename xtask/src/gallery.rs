//! The pictures in `docs/gallery`, and all ways through the lessons.

use std::process::Command;

use crate::page;
use crate::step::run;
use crate::suite::end_to_end;
use crate::tools::{Browser, ensure_browser};

/// Makes the pictures with these names, or all, from the built page.
///
/// # Errors
/// There is no built page or no browser, or a picture fails.
pub(crate) fn gallery(names: &[&str]) -> Result<(), String> {
    needs_page()?;
    let browser = ensure_browser()?;
    let folder = crate::step::root().join("docs/gallery");
    let mut command = end_to_end(&browser, &["run", "--quiet", "--bin", "gallery", "--"]);
    run("pictures of the gallery", command.arg(folder).args(names))
}

/// Does every lesson with the mouse, with keys, on a phone, and in projector size.
///
/// # Errors
/// There is no built page or no browser, or a lesson has a mistake.
pub(crate) fn lessons() -> Result<(), String> {
    needs_page()?;
    let browser = ensure_browser()?;
    build_command_line()?;
    run("every lesson in every way", &mut lesson_walk(&browser))
}

/// Builds the command line, which end-to-end tests call.
pub(crate) fn build_command_line() -> Result<(), String> {
    run(
        "the command line",
        &mut crate::step::cargo(&["build", "--locked", "--quiet"]),
    )
}

/// The walk through every lesson in every way, with the command line that is built.
pub(crate) fn lesson_walk(browser: &Browser) -> Command {
    let mut command = end_to_end(browser, &["test", "--quiet", "--test", "end_to_end"]);
    command
        .args(["--", "lesson_walk::"])
        .env("WARPSCOPE", page::target().join("debug/warpscope"))
        .env("WARPSCOPE_LESSONS", "all");
    command
}

pub(crate) fn needs_page() -> Result<(), String> {
    if page::dist().join("index.html").is_file() {
        return Ok(());
    }
    Err("There is no built page. Run `cargo xtask build` first.".to_owned())
}
