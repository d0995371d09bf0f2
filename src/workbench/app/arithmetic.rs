//! The Arithmetic view: the operation of the run at the playhead, or a typed one, on every chip.

use std::sync::Arc;

use super::choice::control;
use super::{Choice, Control, Effect, Session, ShownSide};
use crate::arithmetic::{
    EXAMPLES, Evaluation, Executed, Mistake, Number, Operation, evaluation, executed, program,
};
use crate::scene::{self, ArithmeticData, Inspection, Origin, Scene, Size, Study, Target, thousands};
use crate::share::View;
use engine::arch::ArchId;
use engine::ids::{Cycle, Pc, SlotIdx};
use engine::isa::{CompileOptions, Instruction, Operand, RZ, Reg, Src};
use engine::sim::machine::Machine;
use engine::sim::memory::constant_word;
use engine::sim::reference::Step;
use engine::trace::{IssueRow, Trace};

/// Operations whose results are kept: one for each side of a comparison, and some more.
const KEPT: usize = 8;

/// The page's state of the view's form.
#[derive(Clone, Debug, Default)]
pub struct ArithmeticState {
    /// A counter of typed operations, which distinguishes pictures.
    number: u64,
    followed: Option<String>,
    /// The last valid operation, with its text.
    shown: Option<(Operation, String)>,
    /// What is wrong with the current text.
    pub mistake: Option<Mistake>,
    /// Whether the text is being typed: continuous typing is one undo step.
    pub(super) is_typing: bool,
    /// The typed operation while the run is shown.
    left: Option<String>,
}

impl ArithmeticState {
    /// Follows the text of the scenario.
    pub(super) fn follow(&mut self, text: Option<&str>) {
        if self.followed.as_deref() == text && self.number > 0 {
            return;
        }
        self.number += 1;
        self.followed = text.map(str::to_owned);
        self.mistake = None;
        match text.map(|text| (Operation::read(text), text)) {
            Some((Ok(operation), text)) => self.shown = Some((operation, text.trim().to_owned())),
            Some((Err(mistake), _)) => self.mistake = Some(mistake),
            None => self.shown = None,
        }
    }
}

/// The inputs of a study.
#[derive(Clone, Debug, PartialEq)]
struct StudyKey {
    operation: Operation,
    text: String,
    options: CompileOptions,
    own: ArchId,
    origin: Option<(Origin, Executed)>,
}

/// Recently shown operations.
#[derive(Debug, Default)]
pub(super) struct Studies {
    kept: Vec<(StudyKey, Arc<Study>)>,
}

impl Studies {
    /// The operation on every chip.
    fn study(&mut self, key: StudyKey) -> Arc<Study> {
        if let Some((_, study)) = self.kept.iter().find(|(other, _)| *other == key) {
            return Arc::clone(study);
        }
        let study = Arc::new(key.study());
        self.kept.truncate(KEPT - 1);
        self.kept.insert(0, (key, Arc::clone(&study)));
        study
    }
}

impl StudyKey {
    fn study(&self) -> Study {
        let on = |arch: ArchId| -> Result<Evaluation, String> {
            match &self.origin {
                // The chip of the run runs the instruction itself.
                Some((_, step)) if arch == self.own => Ok(Evaluation {
                    result: Number::of_word(self.operation.result_type(), step.result),
                    steps: vec![step.clone()],
                    demoted: false,
                }),
                _ => evaluation(&self.operation, &program(&self.operation, arch, &self.options)?),
            }
        };
        Study {
            operation: self.operation.clone(),
            text: self.text.clone(),
            origin: self.origin.as_ref().map(|(origin, _)| origin.clone()),
            all: ArchId::ALL.into_iter().map(|arch| (arch, on(arch))).collect(),
        }
    }
}

impl Session {
    /// The typed operation, if the Arithmetic view shows it instead of the run's.
    pub fn typed_operation(&self, view: View) -> Option<&str> {
        self.ui.operation.as_deref().filter(|_| view == View::Arithmetic)
    }

    /// Changes whenever a typed operation changes.
    pub(super) const fn arithmetic_revision(&self) -> u64 {
        self.ui.arithmetic.number
    }

    /// Sets the text of the operation. Continuous typing is one undo step.
    pub(super) fn edit_operation(&mut self, text: String) -> Vec<Effect> {
        let goes_on = self.ui.arithmetic.is_typing && self.ui.operation.is_some();
        if goes_on {
            self.ui.operation = Some(text);
            self.follow_playground();
            return vec![Effect::ReplaceLink];
        }
        let effects = self.commit(|session| session.ui.operation = Some(text));
        self.ui.arithmetic.is_typing = true;
        effects
    }

    /// Shows a typed operation, or the run's. The first typed one has the operands of the run.
    pub(super) fn show_typed(&mut self, on: bool) -> Vec<Effect> {
        let of_run = || {
            let (operation, ..) = self.shown().operation_of_run().ok()?;
            Some(operation.text())
        };
        let text = match (on, &self.ui.operation) {
            (false, _) => None,
            (true, Some(text)) => Some(text.clone()),
            (true, None) => of_run()
                .or_else(|| self.ui.arithmetic.left.clone())
                .or_else(|| EXAMPLES.first().map(|example| example.text.to_owned())),
        };
        if !on {
            self.ui.arithmetic.left = self.ui.operation.clone();
        }
        self.commit(|session| session.ui.operation = text)
    }

    /// The choice between the run's operation and a typed one.
    pub(super) fn arithmetic_controls(&self) -> Vec<Control> {
        let is_typed = self.ui.operation.is_some();
        vec![control(
            "show",
            "Show",
            [
                ("this run", Choice::Typed(false), !is_typed),
                ("typed operation", Choice::Typed(true), is_typed),
            ],
        )]
    }

    /// The second chip of the active side, and whether it is chosen rather than found.
    pub fn second_chip(&self) -> (ArchId, bool) {
        let shown = self.shown();
        let chosen = shown
            .state
            .settings
            .beside
            .filter(|id| *id != shown.side.arch().id);
        let found = || shown.study().ok().map(|study| shown.beside(&study));
        match chosen {
            Some(id) => (id, true),
            None => (found().unwrap_or_else(|| other_than(shown.side.arch().id)), false),
        }
    }
}

/// A chip that is not this one.
fn other_than(own: ArchId) -> ArchId {
    if own == ArchId::Gf100 {
        ArchId::Gt200
    } else {
        ArchId::Gf100
    }
}

impl ShownSide<'_> {
    /// The operation on every chip.
    ///
    /// # Errors
    /// Why there is no operation to show, as a sentence.
    fn study(&self) -> Result<Arc<Study>, String> {
        let setup = &self.side.setup;
        let key = if self.session.ui.operation.is_some() {
            let shown = self.session.ui.arithmetic.shown.clone();
            let (operation, text) = shown.ok_or("Fix the operation to see its bits.")?;
            StudyKey {
                operation,
                text,
                options: setup.compile,
                own: setup.arch,
                origin: None,
            }
        } else {
            let (operation, origin, step) = self.operation_of_run()?;
            StudyKey {
                text: operation.text(),
                operation,
                options: setup.compile,
                own: setup.arch,
                origin: Some((origin, step)),
            }
        };
        Ok(self.session.studies.borrow_mut().study(key))
    }

    /// The second chip: the chosen one, the first that differs, or the other side of a comparison.
    fn beside(&self, study: &Study) -> ArchId {
        let own = self.side.arch().id;
        let partner = || {
            self.session
                .sides
                .iter()
                .map(|side| side.arch().id)
                .find(|id| *id != own)
        };
        let chosen = self.state.settings.beside.filter(|id| *id != own);
        chosen
            .or_else(|| study.first_different(own))
            .or_else(partner)
            .unwrap_or_else(|| other_than(own))
    }

    fn with_arithmetic<T>(&self, show: impl FnOnce(&ArithmeticData) -> T) -> Result<T, String> {
        let study = self.study()?;
        Ok(show(&ArithmeticData {
            study: &study,
            own: self.side.arch(),
            beside: self.beside(&study),
            is_whole: self.state.is_whole,
        }))
    }

    /// The picture; without an operation, an empty frame with the reason. `None`: there is no run yet.
    pub(super) fn arithmetic_picture(&self, size: Size) -> Option<Scene> {
        if self.session.ui.operation.is_none() {
            self.side.derived.trace()?;
        }
        Some(match self.with_arithmetic(|data| scene::arithmetic(data, size)) {
            Ok(scene) => scene,
            Err(why) => scene::no_arithmetic(size, &why),
        })
    }

    /// The inspector's explanation.
    pub(super) fn arithmetic_inspection(&self) -> Option<Inspection> {
        self.with_arithmetic(scene::inspect_arithmetic).ok()
    }

    /// The tooltip of a chip.
    pub(super) fn arithmetic_tooltip(&self, target: Target) -> Option<(String, String)> {
        self.with_arithmetic(|data| scene::arithmetic_tooltip(data, target))
            .ok()?
    }

    /// The last operation of the selected warp at the shown cycle, of the selected line or instruction if one is selected.
    ///
    /// # Errors
    /// Why there is none, as a sentence.
    fn operation_of_run(&self) -> Result<(Operation, Origin, Executed), String> {
        let trace = self.side.derived.trace().ok_or("The run has not started.")?;
        let slot = self.state.slot.unwrap_or(SlotIdx(0));
        let fuses = self.side.setup.compile.fmad;
        let code = &trace.program().code;
        let is_shown = |pc: Pc| {
            let Some(i) = code.get(pc.0 as usize) else {
                return false;
            };
            let is_selected = match (self.state.pc, self.state.line) {
                (Some(selected), _) => selected == pc.0,
                (None, Some(line)) => line == i.span.line,
                (None, None) => true,
            };
            is_selected && Operation::of_instruction(i, [1; 3], fuses).is_some()
        };
        let wanted = |row: &IssueRow| row.slot == slot && row.executed.0 != 0 && is_shown(row.pc);
        let Some(issue) = trace.last_issue(Cycle(self.cycle + 1), wanted) else {
            let warp = trace.frame(Cycle(self.cycle)).warp_name(slot);
            return Err(match (self.state.pc, self.state.line) {
                (None, None) => format!(
                    "{warp} has issued no arithmetic instruction. Go to a later cycle, or type an operation."
                ),
                _ => format!(
                    "{warp} has issued no arithmetic instruction of the selected code by cycle {}.",
                    thousands(self.cycle)
                ),
            });
        };
        let lane = self
            .state
            .lane
            .unwrap_or_else(|| issue.executed.0.trailing_zeros() as u8);
        if !issue.executed.contains(lane.into()) {
            return Err(format!(
                "Lane {lane} does not execute this instruction. Select another lane."
            ));
        }
        self.operation_of_issue(trace, &issue, lane)
            .ok_or_else(|| "The operands of this instruction are not known.".to_owned())
    }

    fn operation_of_issue(
        &self,
        trace: &Trace,
        issue: &IssueRow,
        lane: u8,
    ) -> Option<(Operation, Origin, Executed)> {
        let i = trace.program().code.get(issue.pc.0 as usize)?;
        // The registers as the instruction reads them.
        let before = Cycle(issue.cycle.0.checked_sub(1)?);
        let operands = trace.with_machine(before, |machine| operands(machine, issue.slot, lane, i))?;
        let step = Step {
            pc: issue.pc,
            executed: true,
            operands,
            predicates: [true; 3],
        };
        let step = executed(i, &step, trace.arch().id);
        let operation = Operation::of_instruction(i, step.operands, self.side.setup.compile.fmad)?;
        let origin = Origin {
            text: step.text.clone(),
            pc: issue.pc.0,
            line: i.span.line,
            warp: trace.frame(issue.cycle).warp_name(issue.slot),
            lane,
            cycle: issue.cycle.0,
        };
        Some((operation, origin, step))
    }
}

/// The bits of an instruction's operands in a lane, before their modifiers.
fn operands(machine: &Machine, slot: SlotIdx, lane: u8, i: &Instruction) -> Option<[u64; 3]> {
    let description = i.op.describe();
    let register = |reg: u8| -> Option<u32> {
        if Reg(reg) == RZ {
            return Some(0);
        }
        machine.register(slot, Reg(reg))?.get(usize::from(lane)).copied()
    };
    let pair = |low: u32, high: u32| u64::from(high) << 32 | u64::from(low);
    let value = |src: &Src, is_wide: bool, is_float: bool| -> Option<u64> {
        Some(match src.operand {
            Operand::Reg(RZ) => 0,
            Operand::Reg(reg) if is_wide => pair(register(reg.0)?, register(reg.0.checked_add(1)?)?),
            Operand::Reg(reg) => register(reg.0)?.into(),
            Operand::Imm(bits) if is_wide && is_float => pair(0, bits),
            Operand::Imm(bits) if is_wide => i64::from(bits as i32) as u64,
            Operand::Imm(bits) => bits.into(),
            Operand::Const { bank, offset } => {
                let words = if bank == 0 {
                    machine.parameters()
                } else {
                    machine.constants()
                };
                let word = |offset: u16| constant_word(words, usize::from(offset));
                if is_wide {
                    pair(word(offset), word(offset + 4))
                } else {
                    word(offset).into()
                }
            }
        })
    };
    let mut found = [0; 3];
    for (idx, found) in found.iter_mut().enumerate() {
        let is_float = description.reading[idx].is_float();
        *found = value(&i.srcs[idx], description.sources[idx] == 2, is_float)?;
    }
    Some(found)
}

#[cfg(test)]
mod tests;
