//! Instructions of PTX that move tiles: cp.async, ldmatrix, stmatrix, movmatrix. Their functions are in `prelude/moves.cu`.

use std::fmt::Write as _;

use super::instructions::Instruction;
use super::text::Operand;
use super::{PRED, Translated, Translator, U32};

impl Translator<'_> {
    /// cp.async: copies from global to shared memory. Copies are done at once, so that groups are empty.
    pub(super) fn async_copy(&mut self, i: &Instruction<'_>) -> Translated<()> {
        match *i.modifiers {
            ["async", "commit_group"] => return self.plain("__ws_cp_async_commit();"),
            ["async", "wait_group"] => {
                let num_left = self.operand(i, 0, U32)?;
                return self.plain(&format!("__ws_cp_async_wait((int){num_left});"));
            }
            ["async", "wait_all"] => return self.plain("__ws_cp_async_wait(0);"),
            ["async", "ca" | "cg", "shared" | "shared::cta", "global", ..] => {}
            _ => return self.unsupported(i),
        }
        let to = self.address(i, i.operands.first())?;
        let from = self.address(i, i.operands.get(1))?;
        let bytes = self.operand(i, 2, U32)?;
        if let Some(Operand::Number(number)) = i.operands.get(2)
            && !(number == "16" || i.has("ca") && matches!(number.as_str(), "4" | "8"))
        {
            return self.error(format!(
                "`{}` copies 16 bytes, and with `.ca` 4, 8, or 16 bytes, not {number}.",
                i.text
            ));
        }
        let has_policy = i.has("L2::cache_hint");
        let more = i.operands.get(3..).unwrap_or_default();
        let num_read = match more.get(..more.len().saturating_sub(usize::from(has_policy))) {
            None | Some([]) => bytes.clone(),
            // A true predicate leaves out the source.
            Some([Operand::Name(name)]) if self.register(name).is_some_and(|(_, ty)| ty == PRED) => {
                format!("({} ? 0u : {bytes})", self.operand(i, 3, PRED)?)
            }
            Some([_]) => self.operand(i, 3, U32)?,
            Some(_) => return self.wrong(i),
        };
        let _ = write!(
            self.out,
            "__ws_cp_async(__cvta_shared_to_generic({to}), (const void *){from}, {bytes}, {num_read});"
        );
        Ok(())
    }

    /// ldmatrix, stmatrix, movmatrix of 8 x 8 elements of 16 bits.
    pub(super) fn matrix_move(&mut self, i: &Instruction<'_>) -> Translated<()> {
        let is_known = |word: &&str| {
            matches!(
                *word,
                "sync" | "aligned" | "m8n8" | "x1" | "x2" | "x4" | "trans" | "shared" | "shared::cta" | "b16"
            )
        };
        if !i.modifiers.iter().all(is_known) || !i.has("sync") || !i.has("m8n8") || !i.has("b16") {
            return self.unsupported(i);
        }
        if i.name == "movmatrix" {
            if !i.has("trans") {
                return self.unsupported(i);
            }
            let word = self.operand(i, 1, U32)?;
            return self.result(i, U32, &format!("__ws_movmatrix({word})"));
        }
        let num = if i.has("x4") {
            4
        } else if i.has("x2") {
            2
        } else {
            1
        };
        let (("ldmatrix", [words, address]) | ("stmatrix", [address, words])) = (i.name, i.operands) else {
            return self.wrong(i);
        };
        let words: Vec<&Operand> = match words {
            Operand::Vector(words) => words.iter().collect(),
            single => vec![single],
        };
        if words.len() != num {
            return self.wrong(i);
        }
        let given = self.address(i, Some(address))?;
        let is_shared = i.has("shared") || i.has("shared::cta");
        self.num_registers += 1;
        let id = self.num_registers;
        let address = if is_shared {
            format!("(unsigned)({given})")
        } else {
            format!("(unsigned)__cvta_generic_to_shared((void *){given})")
        };
        // A result can be the register of the address.
        let _ = write!(self.out, "const unsigned __ws_ptx_l{id} = {address}; ");
        let trans = if i.has("trans") { "_trans" } else { "" };
        for (matrix, word) in words.into_iter().enumerate() {
            if i.name == "ldmatrix" {
                let value = format!("__ws_ldmatrix{trans}(__ws_ptx_l{id}, {matrix})");
                self.assign(word, U32, &value)?;
            } else {
                let value = self.value(word, U32)?;
                let _ = write!(
                    self.out,
                    "__ws_stmatrix{trans}(__ws_ptx_l{id}, {matrix}, {value}); "
                );
            }
        }
        Ok(())
    }

    /// griddepcontrol: launches run one after another.
    pub(super) fn grid_dependency(&mut self, i: &Instruction<'_>) -> Translated<()> {
        match *i.modifiers {
            ["wait"] => self.plain("cudaGridDependencySynchronize();"),
            ["launch_dependents"] => self.plain("cudaTriggerProgrammaticLaunchCompletion();"),
            _ => self.unsupported(i),
        }
    }
}
