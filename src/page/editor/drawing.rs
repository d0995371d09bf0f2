//! The lines of the text as they are rendered, with highlights and messages.

use super::lines::CodeLine;
use super::*;
use crate::styled::styled;
use workbench::app::code::Lit;

/// Texts of at least this many bytes skip bracket matching on cursor moves.
const LONG_TEXT: usize = 100_000;

impl Editor {
    /// Highlights the lines again. Unchanged lines keep their `Rc`, so that they are not rendered again.
    pub(super) fn draw(&mut self, props: &EditorProps) {
        let mut lit: Vec<(Range<usize>, Lit)> = Vec::new();
        let at = self.bar.as_ref().map_or(0, |bar| bar.at);
        for (idx, place) in self.found.iter().enumerate() {
            lit.push((place.clone(), if idx == at { Lit::Here } else { Lit::Found }));
        }
        if self.has_focus
            && self.cursor.is_empty()
            && props.text.len() < LONG_TEXT
            && let Some((open, close)) = edits::matching_brackets(&props.text, self.cursor.start)
        {
            lit.extend([(open..open + 1, Lit::Bracket), (close..close + 1, Lit::Bracket)]);
        } else if self.is_at_angle(props)
            && let Some((open, close)) = self.known.angles_at(&props.text, self.cursor.start)
        {
            lit.extend([(open, Lit::Bracket), (close, Lit::Bracket)]);
        }
        let old = std::mem::take(&mut self.lines);
        let new = lines(&props.text, &props.problems, &lit).into_iter().enumerate();
        self.lines = new
            .map(|(idx, line)| match old.get(idx) {
                Some(same) if **same == line => Rc::clone(same),
                _ => Rc::new(line),
            })
            .collect();
    }

    /// The rendered lines; of many lines only those near the visible ones.
    pub(super) fn drawn_lines(&self, props: &EditorProps) -> Html {
        let many = self.lines.len() >= MANY_LINES;
        let (first, num) = if many {
            (self.first_line, 2 * MARGIN_LINES + 100)
        } else {
            (0, self.lines.len())
        };
        let broken = |line: usize| {
            props
                .problems
                .iter()
                .any(|problem| problem.span.is_some_and(|span| span.line as usize == line + 1))
        };
        let rows = self.lines.iter().enumerate().skip(first).take(num).map(|(idx, line)| {
            html! {
                <CodeLine key={idx} {idx} line={Rc::clone(line)} notes={Rc::clone(&props.notes)} broken={broken(idx)}/>
            }
        });
        let style = many.then(|| {
            let px = |lines: usize| lines as f64 * props.line_px();
            format!("height:{}px;padding-top:{}px", px(self.lines.len()), px(first))
        });
        let lines = html! { <div class="lines" aria-hidden="true">{ for rows }</div> };
        match style {
            Some(style) => styled(style, lines),
            None => lines,
        }
    }

    /// Whether the cursor is at an angle bracket, which can only be matched with the compiler's help.
    pub(super) fn is_at_angle(&self, props: &EditorProps) -> bool {
        let near = |at: usize| matches!(props.text.as_bytes().get(at), Some(b'<' | b'>'));
        let at = self.cursor.start;
        self.has_focus
            && self.cursor.is_empty()
            && props.text.len() < LONG_TEXT
            && (near(at) || at.checked_sub(1).is_some_and(near))
    }

    /// The problem whose message is shown in the text: the problem of the cursor's line, or, while the field has
    /// no focus, the first error.
    pub(super) fn shown_problem<'a>(&self, props: &'a EditorProps) -> Option<&'a Problem> {
        let mut placed = props.problems.iter().filter(|problem| problem.span.is_some());
        if self.dismissed {
            return None;
        }
        if !self.has_focus {
            return placed.find(|problem| problem.fatal);
        }
        let line = edits::line_at(&props.text, self.cursor.start);
        placed.find(|problem| problem.span.is_some_and(|span| span.line == line))
    }
}
