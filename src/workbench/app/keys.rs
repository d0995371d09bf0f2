//! The key map: one table for the keyboard and for the help.

use super::{CompareEdit, Direction, Event, Gesture, Jump, Panel};
use crate::share::View;

/// A key as the browser names it, with its modifiers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Key<'a> {
    /// `KeyboardEvent.key`.
    pub name: &'a str,
    /// With shift.
    pub shift: bool,
    /// With control, or command on a Mac.
    pub control: bool,
}

/// What the key map says: groups of keys and what they do.
pub const GROUPS: &[(&str, &[(&str, &str)])] = &[
    (
        "Time",
        &[
            ("Space", "play, pause"),
            ("B", "play backwards"),
            ("← →", "one cycle back, on"),
            ("Shift ← →", "ten cycles back, on"),
            ("Home End", "first, last cycle"),
            ("I", "next issue"),
            ("S", "next stall"),
            ("E", "next event of the selected warp"),
            ("N Shift N", "next, former of what Jump to names"),
            ("F", "find in the run"),
        ],
    ),
    (
        "Views",
        &[
            (
                "1 … 9 G O V W",
                "the views; G is Divergence, O is Caches, V is Compare, W is Checks",
            ),
            ("↑ ↓", "select the warp above, below; in Checks the finding"),
            (", .", "in a picture: the thing before, after; Enter selects it"),
            ("H L", "select the lane before, after"),
            ("J K", "in Registers: select the row below, above"),
            ("T", "table in place of the picture"),
            ("A", "compare: one more pane, on another architecture"),
            ("X", "compare: remove this pane"),
            ("Y", "compare: by cycle, by time, by progress"),
            ("\\", "split the stage, or make it whole"),
            (
                "|",
                "the other half of a split stage, the next pane of a comparison",
            ),
            ("[ ]", "put set up, explanation away"),
            ("P", "everything larger, for a projector"),
            ("D", "light, dark"),
        ],
    ),
    (
        "Timeline",
        &[
            ("+ −", "fewer cycles, more cycles"),
            ("0", "the whole run"),
            ("< >", "earlier, later cycles"),
            ("Wheel, drag", "zoom, pan; two fingers do both"),
            (
                "Shift drag",
                "here or on the strip, or a drag on its axis: totals of these cycles",
            ),
            ("Alt hover", "what the warp waits for"),
            (
                "M",
                "mark a range from this cycle, stretch it to here, let go of it",
            ),
        ],
    ),
    (
        "Scenario",
        &[
            ("Ctrl K", "find or do anything"),
            ("Ctrl Z", "undo"),
            ("Ctrl Shift Z", "redo"),
            ("R", "recent scenarios"),
            ("C", "copy the link"),
            ("?", "this key map"),
            ("Esc", "close; leave the editor"),
        ],
    ),
    (
        "Kernel's text",
        &[
            ("Ctrl Space", "completions; Enter or Tab inserts, Esc closes"),
            (
                "Ctrl I",
                "type, registers, and documentation of the name at the cursor",
            ),
            ("F12", "go to its definition; Ctrl and a click do the same"),
            ("Shift F12", "back to where F12 was pressed"),
            ("F2", "rename a local variable"),
            ("Tab Shift Tab", "indent, outdent the lines selected"),
            ("Ctrl /", "comment, or no comment"),
            ("Ctrl F", "find"),
            ("Ctrl H", "replace"),
            ("Enter Shift Enter", "next, former place found"),
            ("Ctrl G", "go to a line"),
            ("Alt ↑ ↓", "move the lines"),
            ("Shift Alt ↓", "the lines once more"),
            ("Ctrl Z", "undo in the text"),
            ("Esc Tab", "leave the text"),
        ],
    ),
    (
        "Files, on their tabs",
        &[
            ("← →", "the file beside"),
            ("Home End", "the first file, the last file"),
            ("F2", "rename the file"),
            ("Delete", "remove the file; undo brings it back"),
        ],
    ),
];

/// What a key does outside of text fields.
pub fn event(key: Key<'_>) -> Option<Event> {
    if key.control {
        return match key.name {
            "z" => Some(Event::Undo),
            "Z" | "y" => Some(Event::Redo),
            "k" | "K" => Some(Event::Panel(Panel::Palette)),
            _ => None,
        };
    }
    Some(match key.name {
        " " => Event::PlayPause,
        "b" | "B" => Event::Play(Direction::Backward),
        "ArrowLeft" => Event::Step(if key.shift { -10 } else { -1 }),
        "ArrowRight" => Event::Step(if key.shift { 10 } else { 1 }),
        "ArrowUp" => Event::SelectBeside(-1),
        "ArrowDown" => Event::SelectBeside(1),
        "Home" => Event::Seek(0),
        "End" => Event::SeekEnd,
        "i" | "I" => Event::NextIssue,
        "s" | "S" => Event::NextStall,
        "e" | "E" => Event::NextOfWarp,
        "1" | "2" | "3" | "4" | "5" | "6" | "7" | "8" | "9" => {
            let digit: usize = key.name.parse().ok()?;
            Event::View(View::ALL[digit - 1])
        }
        "g" | "G" => Event::View(View::Divergence),
        "o" | "O" => Event::View(View::Caches),
        "v" | "V" => Event::View(View::Compare),
        "w" | "W" => Event::View(View::Checks),
        "+" | "=" => Event::Zoom {
            factor: 0.5,
            around: None,
        },
        "-" | "−" => Event::Zoom {
            factor: 2.0,
            around: None,
        },
        "0" => Event::Gesture(Gesture::Whole),
        "<" => Event::Gesture(Gesture::Pan(-0.25)),
        ">" => Event::Gesture(Gesture::Pan(0.25)),
        "n" | "N" => Event::Jump(Jump::Go(if key.shift {
            Direction::Backward
        } else {
            Direction::Forward
        })),
        "f" | "F" => Event::Panel(Panel::Find),
        "m" | "M" => Event::Gesture(Gesture::MarkRange),
        "h" | "H" => Event::Gesture(Gesture::Lane(-1)),
        "l" | "L" => Event::Gesture(Gesture::Lane(1)),
        "j" | "J" => Event::Gesture(Gesture::Row(1)),
        "k" | "K" => Event::Gesture(Gesture::Row(-1)),
        "t" | "T" => Event::Table,
        "\\" => Event::SplitOrWhole,
        "|" => Event::OtherPane,
        "a" | "A" => Event::Compare(CompareEdit::Add(None)),
        "x" | "X" => Event::Compare(CompareEdit::Remove(None)),
        "y" | "Y" => Event::Compare(CompareEdit::NextSync),
        "[" => Event::Left,
        "]" => Event::Right,
        "c" | "C" => Event::CopyLink,
        "d" | "D" => Event::Theme,
        "p" | "P" => Event::Density,
        "r" | "R" => Event::Panel(Panel::Recent),
        "?" => Event::Panel(Panel::Keys),
        "Escape" => Event::Close,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_with_control_are_left_to_the_browser_but_undo_and_redo() {
        let control = |name| {
            event(Key {
                name,
                shift: false,
                control: true,
            })
        };
        assert_eq!(control("z"), Some(Event::Undo));
        assert_eq!(control("y"), Some(Event::Redo));
        assert_eq!([control("c"), control("s"), control("t")], [None, None, None]);
    }

    #[test]
    fn arrows_step_by_one_and_with_shift_by_ten() {
        let step = |name, shift| {
            event(Key {
                name,
                shift,
                control: false,
            })
        };
        assert_eq!(step("ArrowRight", false), Some(Event::Step(1)));
        assert_eq!(step("ArrowLeft", true), Some(Event::Step(-10)));
    }
}
