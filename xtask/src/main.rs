//! `cargo xtask`: builds, serves, tests, and measures Warpscope with tools kept under `target/tools`.
#![expect(
    clippy::print_stdout,
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "a program that builds and reports has files, clocks and an output"
)]

mod bench;
mod clone;
mod endure;
mod features;
mod finish;
mod gallery;
mod licences;
mod native_files;
mod notices;
mod offline;
mod page;
mod plan;
mod prerender;
mod serve;
mod step;
mod suite;
mod tools;

use std::process::ExitCode;

use endure::Length;

const USAGE: &str = "\
usage: cargo xtask COMMAND

  serve [--port N]   build the page, serve it, rebuild on change (default port 8080)
  build              build the page into dist/, for any static host, and report its size
  build --draft      the same in less time, large and slow: to look at while working
  test               everything that a change must pass
  check              the quick part of it: format, lints, native tests, language
  prose              only spelling, grammar, and choice of words, with a summary by area
  clone              only what a newcomer does: a fresh clone serves the page, and the built page works on any host
  fuzz               random programs against the interpreter and g++, which `test` runs too
  endure             for hours: random use of the built page in three engines, and hostile inputs
  endure --short     the same for minutes
  lessons            every lesson of the built page with the mouse, with keys, on a phone, and in projector size
  gallery [NAME…]    the pictures in docs/gallery, from the built page
  bench              speed and size against their budgets, written to docs/performance.md
  bench --short      only what does not depend on the machine: sizes and allocations
  bench --startup    only how the built page starts
  bench --devices    only launches that fill a device, in the built page
";

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let outcome = match args.as_slice() {
        ["serve"] => serve::serve(8080),
        ["serve", "--port", port] => match port.parse() {
            Ok(port) => serve::serve(port),
            Err(_) => Err(format!("`{port}` is not a port number")),
        },
        ["build"] => page::build(),
        ["build", "--draft"] => page::build_draft(),
        ["test"] => suite::full(),
        ["check"] => suite::quick(),
        ["endure"] => endure::endure(Length::FULL),
        ["endure", "--short"] => endure::endure(Length::SHORT),
        ["clone"] => suite::clone(),
        ["fuzz"] => suite::fuzz(),
        ["gallery", names @ ..] => gallery::gallery(names),
        ["lessons"] => gallery::lessons(),
        ["prose"] => suite::prose_only(),
        ["bench"] => bench::run(),
        ["bench", "--short"] => bench::short_run(),
        ["bench", "--startup"] => bench::startup(),
        ["bench", "--devices"] => bench::devices(),
        _ => Err(USAGE.to_owned()),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("{message}");
            ExitCode::FAILURE
        }
    }
}
