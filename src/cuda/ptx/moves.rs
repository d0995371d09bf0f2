//! Instructions of PTX that move tiles: cp.async, ldmatrix, stmatrix, movmatrix. Their functions are in `prelude/moves.cu`.

use std::fmt::Write as _;

use super::instructions::Instruction;
use super::text::Operand;
use super::{PRED, Translated, Translator, U32};

impl Translator<'_> {
    /// cp.async: copies from global to shared memory. `wait_all` makes a group of the copies so far, as nvcc 13 does.
    pub(super) fn async_copy(&mut self, i: &Instruction<'_>) -> Translated<()> {
        match *i.modifiers {
            ["async", "commit_group"] => return self.plain("__ws_cp_async_commit();"),
            ["async", "wait_group"] => {
                let num_left = self.operand(i, 0, U32)?;
                return self.plain(&format!("__ws_cp_async_wait((unsigned){num_left});"));
            }
            ["async", "wait_all"] => return self.plain("__ws_cp_async_commit(); __ws_cp_async_wait(0u);"),
            ["async", "ca" | "cg", "shared" | "shared::cta", "global", ..] => {}
            _ => return self.unsupported(i),
        }
        let cache = if i.has("ca") { "ca" } else { "cg" };
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
            "__ws_cp_async_{cache}((unsigned)({to}), (const void *){from}, {bytes}, {num_read});"
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
            return self.result(i, U32, &format!("__ws_movmatrix(0xffffffffu, {word})"));
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
        let trans = if i.has("trans") { "_trans" } else { "" };
        if i.name == "stmatrix" {
            let values = words
                .into_iter()
                .map(|word| Ok(format!(", {}", self.value(word, U32)?)))
                .collect::<Translated<String>>()?;
            let _ = write!(self.out, "__ws_stmatrix{trans}_{num}({address}{values}); ");
            return Ok(());
        }
        let ty = ["unsigned", "uint2", "uint4"][num / 2];
        let _ = write!(
            self.out,
            "const {ty} __ws_ptx_l{id} = __ws_ldmatrix{trans}_{num}({address}); "
        );
        for (word, part) in words.into_iter().zip(["x", "y", "z", "w"]) {
            let part = if num == 1 {
                String::new()
            } else {
                format!(".{part}")
            };
            self.assign(word, U32, &format!("__ws_ptx_l{id}{part}"))?;
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
