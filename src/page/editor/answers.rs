//! Questions about places in the text that the compiler's worker answers, and what follows from an answer.

use std::ops::Range;

use yew::{Callback, Context};

use super::{Bar, Editor, Message, show};
use crate::compiler;
use workbench::app::Event;
use workbench::app::assist::List;
use workbench::app::compiler::{EditorQuery, Response};

/// What an answer is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// The list of completions; `asked`: the user opened it.
    Complete {
        /** Otherwise a letter was typed. */
        asked: bool,
    },
    /// The explanation of a name.
    Hover,
    /// A jump to the definition.
    Definition,
    /// Opening the row that renames a local name.
    Rename,
    /// The uses of the name while that row is open.
    Uses,
    /// The angle brackets at the cursor.
    Angles,
}

/// A question about an offset of a text.
#[derive(Clone, Debug)]
pub(crate) struct Question {
    number: u32,
    purpose: Purpose,
    text: String,
    at: usize,
}

/// Answers that stay true while the text is the same, and the last questions.
#[derive(Debug, Default)]
pub(super) struct Known {
    num_questions: u32,
    /// The number of the last question for the list or the explanation: answers to others are late.
    last_popup: u32,
    uses: Option<(String, Vec<Range<usize>>)>,
    angles: Option<(String, usize, Option<(Range<usize>, Range<usize>)>)>,
}

impl Known {
    /// Uses of the name that is renamed, if they are known for this text.
    pub(super) fn uses_in(&self, text: &str) -> Option<&[Range<usize>]> {
        let (of, uses) = self.uses.as_ref()?;
        (of == text).then_some(uses)
    }

    /// The angle brackets that belong together at an offset: `None` where that is not known yet.
    pub(super) fn angles_at(&self, text: &str, at: usize) -> Option<Option<(Range<usize>, Range<usize>)>> {
        let (of, offset, pair) = self.angles.as_ref()?;
        (of == text && *offset == at).then(|| pair.clone())
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

    /// Drops the answer to the last question for the list or the explanation.
    pub(super) fn forget_popup(&mut self) {
        self.known.last_popup = 0;
    }

    /// Asks for the angle brackets at the cursor, unless that is known or asked already.
    pub(super) fn ask_for_angles(&mut self, ctx: &Context<Self>) {
        let props = ctx.props();
        let at = self.cursor.start;
        if self.is_at_angle(props) && self.known.angles_at(&props.text, at).is_none() {
            // Until the answer is there, no pair is known.
            self.known.angles = Some((props.text.to_string(), at, None));
            self.ask(ctx, Purpose::Angles, props.text.to_string(), at);
        }
    }

    /// Does what an answer is for, if the text is still the one that was asked about.
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
                // Letters that were typed in the meantime narrow the list.
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
