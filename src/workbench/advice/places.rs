//! Lines of the source that cause a limit without being charged for cycles: launches, bounds, and declarations.

use super::claims::Claims;
use crate::names::has_word;
use cuda::host::{HostLaunch, Limits, read_with_args};
use engine::isa::SymbolSpace;

/// The word for a kernel's bounds.
pub(super) const BOUNDS: &str = "__launch_bounds__";

/// Lines before and after a kernel's `__global__` in which its bounds are. Assumption: a head takes no more.
const NEAR_HEAD: u32 = 3;

/// The number of the first line, from 1, that satisfies a condition.
fn line_where(text: &str, is_wanted: impl Fn(&str) -> bool) -> Option<u32> {
    text.lines()
        .position(|line| is_wanted(line.split("//").next().unwrap_or_default()))
        .map(|idx| idx as u32 + 1)
}

/// The kernel's name without template arguments.
fn name<'t>(claims: &Claims<'t>) -> &'t str {
    let full = &claims.trace.program().name;
    full.split('<').next().unwrap_or_default().trim()
}

/// The line of the kernel's launch: of several ones, the first one that `main()` executes with the grid and the block of the
/// run; `None` if the source has none.
pub(super) fn launch(claims: &Claims) -> Option<u32> {
    *claims.launch_line.get_or_init(|| find_launch(claims))
}

fn find_launch(claims: &Claims) -> Option<u32> {
    let name = name(claims);
    let text = &claims.trace.program().source;
    let is_launch = |line: &str| {
        line.split_once("<<<")
            .is_some_and(|(before, _)| has_word(before, name))
    };
    let first = line_where(text, is_launch).or_else(|| line_where(text, |line| line.contains("<<<")))?;
    if text.matches("<<<").count() < 2 {
        return Some(first);
    }
    let reading = read_with_args(text, claims.setup.arch, Limits::PAGE, &[]);
    let shape = claims.trace.launch();
    let is_of_run = |launch: &&HostLaunch| {
        launch.grid.as_ref() == Ok(&shape.grid) && launch.block.as_ref() == Ok(&shape.block)
    };
    let executed = reading.launches.iter().find(is_of_run);
    executed.map(|launch| launch.line).or(Some(first))
}

/// The line of the kernel's name in its definition.
pub(super) fn kernel(claims: &Claims) -> Option<u32> {
    let (text, name) = (&claims.trace.program().source, name(claims));
    let head = line_where(text, |line| {
        has_word(line, name) && line.contains('(') && !line.contains("<<<")
    })?;
    // `__global__` can be on an earlier line.
    let lines: Vec<&str> = text.lines().take(head as usize).collect();
    let bounds = lines.iter().rposition(|line| line.contains("__global__"));
    Some(bounds.map_or(head, |at| at as u32 + 1))
}

/// The line of the kernel's `__launch_bounds__` if they name several resident blocks: the nearest one to the kernel's head,
/// in lines around it or in a macro that the head names.
pub(super) fn launch_bounds(claims: &Claims) -> Option<u32> {
    let (_, blocks) = claims.trace.program().launch_bounds?;
    let head = kernel(claims)?;
    if blocks <= 1 {
        return None;
    }
    let lines: Vec<(u32, &str)> = (1..).zip(claims.trace.program().source.lines()).collect();
    let with_bounds = lines.iter().filter(|(_, text)| text.contains(BOUNDS));
    let (macros, own): (Vec<&(u32, &str)>, Vec<_>) =
        with_bounds.partition(|(_, text)| text.trim_start().starts_with('#'));
    let near = own
        .iter()
        .map(|(line, _)| *line)
        .filter(|line| line.abs_diff(head) <= NEAR_HEAD);
    let is_used = |text: &str| {
        let name = text
            .split_whitespace()
            .nth(1)
            .and_then(|word| word.split('(').next());
        let of_head = lines.iter().skip(head as usize - 1).take(NEAR_HEAD as usize);
        name.is_some_and(|name| of_head.into_iter().any(|(_, text)| has_word(text, name)))
    };
    let by_macro = || {
        macros
            .iter()
            .rfind(|(_, text)| is_used(text))
            .map(|(line, _)| *line)
    };
    near.min_by_key(|line| line.abs_diff(head))
        .or_else(by_macro)
        .or(Some(head))
}

/// The line that declares the largest shared array; `None` if its size is that of the launch.
pub(super) fn largest_shared(claims: &Claims) -> Option<u32> {
    let program = claims.trace.program();
    let shared = program
        .symbols
        .iter()
        .filter(|symbol| symbol.space == SymbolSpace::Shared);
    let largest = shared.max_by_key(|symbol| symbol.size)?;
    if claims.trace.launch().dynamic_shared > largest.size {
        return None;
    }
    line_where(&program.source, |line| {
        line.contains("__shared__") && has_word(line, &largest.name)
    })
    .or_else(|| line_where(&program.source, |line| line.contains("__shared__")))
}
