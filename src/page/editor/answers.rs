//! Questions about places in the text, which the compiler's worker answers, and the handling of the answers.

use std::ops::Range;

use yew::{Callback, Context};

use super::{Bar, Editor, Message, show};
use crate::compiler;
use workbench::app::Event;
use workbench::app::assist::List;
use workbench::app::compiler::{EditorQuery, Response};

/// The places of two characters that belong together.
type Pair = (Range<usize>, Range<usize>);

/// The purpose of a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// The list of completions; `asked` says that the user opened the list.
    Complete {
        /// Otherwise a letter was typed.
        asked: bool,
    },
    /// The explanation of a name.
    Hover,
    /// A jump to the definition.
    Definition,
    /// Opening the bar that renames a local name.
    Rename,
    /// The uses of a name while the rename bar is open.
    Uses,
    /// Matching the angle brackets at the cursor.
    Angles,
}

/// A question about an offset in a text.
#[derive(Clone, Debug)]
pub(crate) struct Question {
    number: u32,
    purpose: Purpose,
    text: String,
    at: usize,
}

/// Answers that are valid for the current text, and the latest questions.
#[derive(Debug, Default)]
pub(super) struct Known {
    num_questions: u32,
    /// The number of the latest question for the list or the explanation. Other answers are outdated.
    last_popup: u32,
    uses: Option<(String, Vec<Range<usize>>)>,
    angles: Option<(String, usize, Option<Pair>)>,
}

impl Known {
    /// Uses of the name to rename, if they are known for this text.
    pub(super) fn uses_in(&self, text: &str) -> Option<&[Range<usize>]> {
        let (of, uses) = self.uses.as_ref()?;
        (of == text).then_some(uses)
    }

    /// Whether the brackets at an offset are known for this text.
    fn knows_angles(&self, text: &str, at: usize) -> bool {
        (self.angles.as_ref()).is_some_and(|(of, offset, _)| of == text && *offset == at)
    }

    /// The angle brackets that belong together at an offset, if they are known.
    pub(super) fn angles_at(&self, text: &str, at: usize) -> Option<Pair> {
        let (.., pair) = self.angles.as_ref().filter(|_| self.knows_angles(text, at))?;
        pair.clone()
    }
}

impl Editor {
    /// Sends a question to the compiler.
    pub(super) fn ask(&mut self, ctx: &Context<Self>, purpose: Purpose, text: String, at: usize) {
        let query = match purpose {
            Purpose::Complete { asked } => EditorQuery::Complete { asked },
            Purpose::Hover => EditorQuery::Hover,
            Purpose::Definition => EditorQuery::Definition,
            Purpose::Rename | Purpose::Uses => EditorQuery::Uses,
            Purpose::Angles => EditorQuery::Angles,
        };
        self.known.num_questions += 1;
        let number = self.known.num_questions;
        if matches!(purpose, Purpose::Complete { .. } | Purpose::Hover) {
            self.known.last_popup = number;
        }
        let request = ctx.props().target.request(text.clone(), at, query);
        let link = ctx.link().clone();
        let question = Question {
            number,
            purpose,
            text,
            at,
        };
        let answered =
            Callback::from(move |response| link.send_message(Message::Answered(question.clone(), response)));
        compiler::call(&request, answered);
    }

    /// Ignores the pending answer for the list or the explanation.
    pub(super) fn forget_popup(&mut self) {
        self.known.last_popup = 0;
    }

    /// Requests the angle brackets at the cursor, unless the answer is known or pending.
    pub(super) fn ask_for_angles(&mut self, ctx: &Context<Self>) {
        let props = ctx.props();
        let at = self.cursor.start;
        if self.is_at_angle(props) && !self.known.knows_angles(&props.text, at) {
            // No pair is shown while the answer is pending.
            self.known.angles = Some((props.text.to_string(), at, None));
            self.ask(ctx, Purpose::Angles, props.text.to_string(), at);
        }
    }

    /// Handles an answer, if it belongs to the current text.
    pub(super) fn take_answer(&mut self, ctx: &Context<Self>, question: Question, response: Response) {
        let Some((field, text, at)) = self.written() else {
            return;
        };
        let Question {
            number,
            purpose,
            text: asked_text,
            at: asked_at,
        } = question;
        let is_popup = number == self.known.last_popup;
        let is_same = text == asked_text;
        let props = ctx.props();
        match (purpose, response) {
            (Purpose::Complete { asked }, Response::Completion(Some(completion))) if is_popup => {
                let list = List::open(completion, &asked_text, asked_at, asked);
                // Letters typed in the meantime narrow the list.
                self.list = list.and_then(|mut list| (is_same || list.follow(&text, at)).then_some(list));
            }
            (Purpose::Hover, Response::Hover(hover)) if is_popup && is_same => self.hover = hover,
            (Purpose::Definition, Response::Definition(place)) if is_same => match place {
                Some(place) => {
                    self.back.push(asked_at);
                    let _ = field.focus();
                    show(&field, &text, &place, props.line_px());
                }
                None => props.dispatch.emit(Event::Say(
                    "The text does not define the name at the cursor.".to_owned(),
                )),
            },
            (Purpose::Rename, Response::Uses(uses)) if is_same => {
                let name = (uses.as_ref()).and_then(|uses| text.get(uses.first()?.clone()));
                match name {
                    Some(name) => {
                        let bar = Bar::rename(name.to_owned());
                        self.known.uses = Some((text, uses.unwrap_or_default()));
                        ctx.link().send_message(Message::Open(bar));
                    }
                    None => props.dispatch.emit(Event::Say(
                        "Only local variables, parameters, and labels can be renamed.".to_owned(),
                    )),
                }
            }
            (Purpose::Uses, Response::Uses(uses)) if is_same => {
                self.known.uses = Some((text, uses.unwrap_or_default()));
                self.seek(ctx);
            }
            (Purpose::Angles, Response::Angles(pair)) => {
                self.known.angles = Some((asked_text, asked_at, pair));
            }
            _ => {}
        }
    }
}
