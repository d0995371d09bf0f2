//! The key map: one table for the keyboard handler and for the help.

use super::{
    Choice, CompareEdit, Direction, Event, ExplainEdit, Gesture, GlossaryEdit, Jump, LectureEdit, Panel,
};
use crate::share::View;

/// A key in the browser's notation, with its modifiers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Key<'a> {
    /// `KeyboardEvent.key`.
    pub name: &'a str,
    /// Whether Shift is pressed.
    pub shift: bool,
    /// Whether Control is pressed, or Command on a Mac.
    pub control: bool,
}

/// The key map: groups of keys and their actions.
pub const GROUPS: &[(&str, &[(&str, &str)])] = &[
    (
        "Time",
        &[
            ("Space", "play, pause"),
            ("B", "play backwards"),
            ("← →", "previous, next cycle"),
            ("Shift ← →", "ten cycles back, forward"),
            ("Home End", "first, last cycle"),
            ("I", "next issue"),
            ("S", "next stall"),
            ("E", "next event of the selected warp"),
            ("N Shift N", "next, previous match of Jump to"),
            (
                "'",
                "next moment: the first conflict, miss, barrier, or divergence",
            ),
            ("F", "find in the run"),
            ("− +", "play slower, faster"),
        ],
    ),
    (
        "Views",
        &[
            (
                "Z 1 … 9 G % * O Q & / W V",
                "show a view: 1 SM, 2 Timeline, 3 Stalls, 4 Banks, 5 Coalescing, 6 Caches, 7 Carveout, 8 Registers, 9 Source; Z is Findings, G is Divergence, % is Arithmetic, * is Tensor, O is Occupancy, Q is Device, & is Streams, / is Plots, W is Checks, V is Compare",
            ),
            ("↑ ↓", "select the warp above, below; in Checks, the finding"),
            (
                ", .",
                "in a picture or plot: previous, next item; Enter selects it",
            ),
            (
                ";",
                "the glossary's card of the item in focus, or of the selected warp's state",
            ),
            ("H L", "select the previous, next lane"),
            ("J K", "in Registers: select the row below, above"),
            ("U", "why: explain the selection, one answer deeper at each press"),
            ("T", "table or picture"),
            (
                "$",
                "Device: show the selected SM in the other views, or one SM alone again",
            ),
            ("A", "compare: add a pane with another architecture"),
            ("X", "compare: remove this pane"),
            ("Y", "compare: align by cycle, time, progress"),
            ("\\", "split or unsplit the stage"),
            (
                "|",
                "the other pane of a split stage, the next pane of a comparison",
            ),
            ("[ ]", "show or hide the left, right side panel"),
            ("P", "presenter"),
            ("Shift P", "projector size"),
            ("D", "light or dark theme"),
        ],
    ),
    (
        "Timeline",
        &[
            ("( )", "zoom out, in, also in Streams and on the strip"),
            ("0", "show the whole run; in Streams, the whole program"),
            ("< >", "scroll to earlier, later cycles or times"),
            (
                "Wheel, drag",
                "zoom, pan; two fingers do both; in Streams, Ctrl and the wheel zoom",
            ),
            (
                "Shift drag",
                "select a range, also on the strip or by a drag on the axis",
            ),
            ("Alt hover", "show what the warp stalls on"),
            ("M", "start a range at this cycle, extend it to here, clear it"),
        ],
    ),
    (
        "Scenario",
        &[
            ("Ctrl K", "find a command"),
            ("Ctrl Z", "undo"),
            ("Ctrl Shift Z", "redo"),
            ("R", "recent scenarios"),
            ("C", "copy the link"),
            ("Shift C", "share: link, embed, film, QR code"),
            ("?", "this key map"),
            ("Esc", "close; leave the editor"),
        ],
    ),
    (
        "Presenter",
        &[
            ("PageDown PageUp", "next, previous chapter"),
            (".", "black screen, or the picture again"),
            (
                "L",
                "spotlight: it follows the pointer or the item with the focus",
            ),
            ("D", "draw on the picture"),
            ("U C", "remove the last stroke, all strokes"),
            ("K", "keep drawings when the chapter changes"),
            ("F", "freeze the picture, or follow again"),
            ("Q", "QR code of the link on the whole screen"),
            ("Shift Q", "QR code in the corner"),
            ("X", "notes window"),
            (", ;", "in the picture: previous, next item"),
            ("P Esc", "leave"),
        ],
    ),
    (
        "Tour and lessons",
        &[
            ("N", "next stop or step"),
            ("B", "previous stop or step"),
            ("H", "in a lesson: hint"),
            ("Esc", "leave, and restore the scenario"),
        ],
    ),
    (
        "Kernel editor",
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
            ("Ctrl /", "toggle comment"),
            ("Ctrl F", "find"),
            ("Ctrl H", "replace"),
            ("Enter Shift Enter", "next, previous match"),
            ("Ctrl G", "go to a line"),
            ("Alt ↑ ↓", "move the lines"),
            ("Shift Alt ↓", "duplicate lines"),
            ("Ctrl Z", "undo in the editor"),
            ("Esc Tab", "leave the editor"),
        ],
    ),
    (
        "File tabs",
        &[
            ("← →", "previous, next file"),
            ("Home End", "first, last file"),
            ("F2", "rename the file"),
            ("Delete", "remove the file; undo restores it"),
        ],
    ),
];

/// The keys of the views, in the order of the tabs.
pub const VIEW_KEYS: [(View, &str); View::ALL.len()] = [
    (View::Findings, "Z"),
    (View::Stalls, "3"),
    (View::Checks, "W"),
    (View::Sm, "1"),
    (View::Timeline, "2"),
    (View::Banks, "4"),
    (View::Coalescing, "5"),
    (View::Caches, "6"),
    (View::Carveout, "7"),
    (View::Registers, "8"),
    (View::Arithmetic, "%"),
    (View::Tensor, "*"),
    (View::Source, "9"),
    (View::Divergence, "G"),
    (View::Occupancy, "O"),
    (View::Device, "Q"),
    (View::Streams, "&"),
    (View::Plots, "/"),
    (View::Compare, "V"),
];

/// The view that a key shows.
fn view_of(name: &str) -> Option<View> {
    let is_key = |(_, key): &&(View, &str)| key.eq_ignore_ascii_case(name);
    VIEW_KEYS.iter().find(is_key).map(|(view, _)| *view)
}

/// The event of a key press outside text fields.
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
        name if view_of(name).is_some() => Event::View(view_of(name)?),
        "+" | "=" => Event::SpeedBy(1),
        "-" | "−" => Event::SpeedBy(-1),
        "'" => Event::Jump(Jump::NextMoment),
        ")" => Event::Zoom {
            factor: 0.5,
            around: None,
        },
        "(" => Event::Zoom {
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
        ";" => Event::Glossary(GlossaryEdit::Of(None, [0.0; 4])),
        "t" | "T" => Event::Table,
        "u" | "U" => Event::Explain(ExplainEdit::Deeper),
        "\\" => Event::SplitOrWhole,
        "|" => Event::OtherPane,
        "a" | "A" => Event::Compare(CompareEdit::Add(None)),
        "x" | "X" => Event::Compare(CompareEdit::Remove(None)),
        "y" | "Y" => Event::Compare(CompareEdit::NextSync),
        "[" => Event::Left,
        "]" => Event::Right,
        "C" if key.shift => Event::Panel(Panel::Share),
        "c" | "C" => Event::CopyLink,
        "d" | "D" => Event::Theme,
        "p" | "P" if key.shift => Event::Density,
        "p" | "P" => Event::Lecture(LectureEdit::Present),
        "r" | "R" => Event::Panel(Panel::Recent),
        "?" => Event::Panel(Panel::Keys),
        "$" => Event::Choose(Choice::SelectedSm),
        "Escape" => Event::Close,
        _ => return None,
    })
}

/// The event of a key press in the presenter and in the notes window; all other keys keep their meaning.
pub fn presenter_event(key: Key<'_>) -> Option<Event> {
    let own = match key.name {
        _ if key.control => None,
        "PageDown" => Some(LectureEdit::Beside(1)),
        "PageUp" => Some(LectureEdit::Beside(-1)),
        "." => Some(LectureEdit::Blank),
        "l" | "L" => Some(LectureEdit::Spotlight),
        "d" | "D" => Some(LectureEdit::Draw),
        "u" | "U" => Some(LectureEdit::UndoStroke),
        "c" | "C" => Some(LectureEdit::ClearStrokes),
        "k" | "K" => Some(LectureEdit::KeepStrokes),
        "f" | "F" => Some(LectureEdit::Freeze),
        "q" | "Q" if key.shift => Some(LectureEdit::QrCorner),
        "q" | "Q" => Some(LectureEdit::Qr),
        "x" | "X" => Some(LectureEdit::NotesWindow),
        "p" | "P" if !key.shift => Some(LectureEdit::Leave),
        _ => None,
    };
    own.map(Event::Lecture).or_else(|| event(key))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::TeachingKey;

    #[test]
    fn control_keys_belong_to_the_browser_except_undo_and_redo() {
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
    fn the_keys_of_views_follow_the_tabs() {
        let tabs: Vec<View> = View::GROUPS
            .iter()
            .flat_map(|group| group.iter().copied().flatten().copied())
            .collect();
        assert_eq!(VIEW_KEYS.map(|(view, _)| view).to_vec(), tabs);
        for (view, name) in VIEW_KEYS {
            let press = |name: &str| {
                event(Key {
                    name,
                    shift: false,
                    control: false,
                })
            };
            assert_eq!(press(name), Some(Event::View(view)), "{name}");
            assert_eq!(press(&name.to_lowercase()), Some(Event::View(view)), "{name}");
        }
    }

    #[test]
    fn every_key_of_the_map_outside_fields_does_something() {
        // The other groups belong to the editor and to the file tabs, which handle their own keys.
        for (group, rows) in &GROUPS[..4] {
            for (keys, text) in *rows {
                let mut shift = false;
                let mut control = false;
                for name in keys.split(' ') {
                    match name {
                        "Shift" => shift = true,
                        "Ctrl" => control = true,
                        "…" | "Wheel," | "drag" | "Alt" | "hover" => {}
                        // The picture handles these while it has the focus.
                        "," | "." => {}
                        name => {
                            let name = match name {
                                "Space" => " ",
                                "←" => "ArrowLeft",
                                "→" => "ArrowRight",
                                "↑" => "ArrowUp",
                                "↓" => "ArrowDown",
                                "Esc" => "Escape",
                                // The browser reports the letter that Shift makes.
                                "Z" if !shift => "z",
                                name => name,
                            };
                            let key = Key { name, shift, control };
                            assert!(event(key).is_some(), "{group}: {keys} ({text}), at {name}");
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn every_key_of_the_presenter_does_what_it_says() {
        let (_, rows) = GROUPS.iter().find(|(group, _)| *group == "Presenter").unwrap();
        let mut seen = std::collections::BTreeSet::new();
        for (keys, text) in *rows {
            let mut shift = false;
            for name in keys.split(' ') {
                match name {
                    "Shift" => shift = true,
                    // The picture handles these while it has the focus.
                    "," | ";" => {}
                    name => {
                        let key = Key {
                            name: if name == "Esc" { "Escape" } else { name },
                            shift,
                            control: false,
                        };
                        let event = presenter_event(key);
                        let is_own = matches!(event, Some(Event::Lecture(_) | Event::Close));
                        assert!(is_own, "{keys} ({text}), at {name}: {event:?}");
                        assert!(
                            seen.insert(format!("{event:?}")),
                            "{keys}: {event:?} has two keys"
                        );
                    }
                }
            }
        }
        // Arrows step by cycles, as in the workbench.
        let arrow = Key {
            name: "ArrowRight",
            shift: false,
            control: false,
        };
        assert_eq!(presenter_event(arrow), Some(Event::Step(1)));
    }

    #[test]
    fn the_keys_of_the_tour_and_lessons_are_those_of_the_map() {
        let (_, rows) = GROUPS
            .iter()
            .find(|(group, _)| *group == "Tour and lessons")
            .unwrap();
        for (key, text) in *rows {
            let key = if *key == "Esc" { "Escape" } else { key };
            assert!(TeachingKey::of(key).is_some(), "{key} ({text})");
        }
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
