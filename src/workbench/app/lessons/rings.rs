//! What the open lesson rings: lines in the source that its step names, and other items in the step's own run.

use super::Session;
use crate::lesson::{Ask, Task};
use crate::scene::Target;
use crate::share::Setup;

/// Visible lines above a ringed line.
const LINES_ABOVE: u32 = 3;

impl Session {
    /// Scrolls the Source view to the first ringed line, unless the link says what it shows.
    pub(in crate::app) fn show_ringed_line(&mut self, ringed: &[Target]) {
        let line = ringed.iter().find_map(|target| match target {
            Target::CodeLine(line) => Some(*line),
            _ => None,
        });
        // Three lines above it stay visible.
        let top = line.map(|line| line.saturating_sub(LINES_ABOVE + 1));
        self.ui.state.top_line = self.ui.state.top_line.or(top);
    }

    /// The items that the open lesson's step names, in its own run.
    pub fn lesson_marks(&self) -> Vec<Target> {
        let open = self.ui.lessons.open.as_ref();
        open.map_or_else(Vec::new, |open| open.shown().marks())
    }

    /// The items that the open lesson rings in the picture of a side: lines where the side has the step's source, and
    /// other items in the step's own run.
    pub fn lesson_marks_on(&self, side: usize) -> Vec<Target> {
        let (Some(open), Some(shown)) = (self.ui.lessons.open.as_ref(), self.sides.get(side)) else {
            return Vec::new();
        };
        let own = open.shown().scenario();
        // A task changes the kernel of the only side.
        let is_only = self.sides.len() == 1;
        let is_own = is_only || shown.setup == Setup::of(&own);
        let place = |mark: Target| match mark {
            Target::CodeLine(line) if own.source() == shown.text => Some(Target::CodeLine(line)),
            Target::CodeLine(line) if is_only => {
                moved_line(own.source(), &shown.text, line).map(Target::CodeLine)
            }
            Target::CodeLine(_) => None,
            mark => is_own.then_some(mark),
        };
        open.shown().marks().into_iter().filter_map(place).collect()
    }

    /// The lines that the editor rings: those of a task to change the kernel, from 1.
    pub(in crate::app) fn ringed_lines(&self) -> Vec<u32> {
        let open = self.ui.lessons.open.as_ref();
        let is_edit = open.is_some_and(|open| matches!(open.ask().map(Ask::task), Some(Task::Edit(_))));
        let marks = if is_edit {
            self.lesson_marks_on(self.active_side())
        } else {
            Vec::new()
        };
        let line = |target: &Target| match target {
            Target::CodeLine(line) => Some(*line),
            _ => None,
        };
        marks.iter().filter_map(line).filter(|line| *line > 0).collect()
    }
}

/// The number of a line after an edit, from 1: lines before and after the edited part keep their text. An edited line
/// keeps its number while the edited part has it. `None`: the line was deleted.
fn moved_line(before: &str, after: &str, line: u32) -> Option<u32> {
    let (before, after): (Vec<&str>, Vec<&str>) = (before.lines().collect(), after.lines().collect());
    let line = line as usize;
    let equal = |pair: &(&&str, &&str)| pair.0 == pair.1;
    let head = before.iter().zip(&after).take_while(equal).count();
    if line <= head {
        return Some(line as u32);
    }
    let rest = before.len().min(after.len()) - head;
    let tail = before
        .iter()
        .rev()
        .zip(after.iter().rev())
        .take(rest)
        .take_while(equal)
        .count();
    if line > before.len() - tail {
        return Some((line + after.len() - before.len()) as u32);
    }
    (line <= after.len() - tail).then_some(line as u32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rings_follow_their_lines_through_an_edit() {
        let text = "a\nb\nc\nd\n";
        assert_eq!(moved_line(text, "a\nx\nb\nc\nd\n", 1), Some(1));
        assert_eq!(moved_line(text, "a\nx\nb\nc\nd\n", 3), Some(4));
        assert_eq!(moved_line(text, "a\nb\nX\nd\n", 3), Some(3));
        assert_eq!(moved_line(text, "a\nd\n", 3), None);
        assert_eq!(moved_line(text, "a\nd\n", 4), Some(2));
    }
}
