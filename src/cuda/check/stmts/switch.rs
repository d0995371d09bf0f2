//! `switch` statements: the arms and their case values.

use super::*;

/// Maximum number of values of a range of cases. Assumption: more than programs write, such as those of 16 bits.
const MAX_RANGE: i128 = 65_536;

impl Checker {
    pub(super) fn switch(&mut self, value: &ast::Expr, body: &ast::Stmt) -> Checks<StmtKind> {
        let checked = self.value(value);
        let value = checked.and_then(|checked| {
            let switched = checked.ty.clone();
            let checked = scoped_enums::as_integer(checked);
            if !checked.ty.is_integer() && checked.ty != Type::Bool {
                let text = self.text(&checked.ty);
                return self.error(
                    value.span,
                    format!(
                        "`switch` needs an integer, not `{text}`; compare with `if`, or convert the value."
                    ),
                );
            }
            let ty = ops::promoted(&checked.ty);
            let ty_of_cases = if switched.is_scoped_enum() {
                switched
            } else {
                ty.clone()
            };
            Ok((ops::converted(checked, &ty), ty_of_cases))
        });
        let stmts = match &body.kind {
            ast::StmtKind::Block(block) => block.stmts.as_slice(),
            _ => std::slice::from_ref(body),
        };
        let (value, ty) = match value {
            Ok((value, ty)) => (Ok(value), ty),
            Err(reported) => (Err(reported), Type::I32),
        };
        let outer = (self.body.break_label.take(), self.body.jumps.take());
        self.body.num_switches += 1;
        let depth = std::mem::replace(&mut self.body.break_depth, self.body.cleanups.len() + 1);
        self.open_scope();
        let kind = if labels::needs_jumps(stmts) {
            self.switch_of_jumps(value, &ty, stmts, body.span)
        } else {
            self.switch_of_arms(value, &ty, stmts, body.span)
        };
        if self.has_cleanups(self.body.break_depth - 1) {
            let _ = self.error::<()>(
                body.span,
                "An object with a destructor is declared between the cases of a `switch`; put it in a block of its \
                 own.",
            );
        }
        self.close_scope();
        self.body.break_depth = depth;
        self.body.num_switches -= 1;
        (self.body.break_label, self.body.jumps) = outer;
        kind
    }

    fn switch_of_arms(
        &mut self,
        value: Checks<Expr>,
        ty: &Type,
        stmts: &[ast::Stmt],
        span: Span,
    ) -> Checks<StmtKind> {
        let mut arms: Vec<Arm> = Vec::new();
        // Declarations before the first label.
        let mut before = Vec::new();
        let start = self.body.labels.alive();
        for stmt in stmts {
            match &stmt.kind {
                ast::StmtKind::Case(label, last) => {
                    let values = self.case_values(label, last.as_ref(), ty);
                    self.warn_skipped(start, stmt.span);
                    let arm = open_arm(&mut arms, stmt.span);
                    arm.values.extend(values.unwrap_or_default());
                }
                ast::StmtKind::Default => {
                    self.check_default(&arms, stmt.span);
                    self.warn_skipped(start, stmt.span);
                    open_arm(&mut arms, stmt.span).is_default = true;
                }
                _ => {
                    let target = arms.last_mut().map_or(&mut before, |arm| &mut arm.body);
                    let mut stmts = std::mem::take(target);
                    self.statement(stmt, &mut stmts);
                    *arms.last_mut().map_or(&mut before, |arm| &mut arm.body) = stmts;
                }
            }
        }
        self.check_values(&arms, span)?;
        Ok(StmtKind::Switch { value: value?, arms })
    }

    /// The values of `case first:`, or of GNU's `case first ... last:`.
    pub(in crate::check) fn case_values(
        &mut self,
        first: &ast::Expr,
        last: Option<&ast::Expr>,
        ty: &Type,
    ) -> Checks<Vec<i128>> {
        let low = self.case_value(first, ty)?;
        let high = match last {
            Some(last) => self.case_value(last, ty)?,
            None => low,
        };
        if high < low || high - low >= MAX_RANGE {
            let message = format!("A range of cases has from 1 to {MAX_RANGE} values, not {low} to {high}.");
            return self.error(first.span, message);
        }
        Ok((low..=high)
            .map(|number| scoped_enums::wrapped_case(number, ty))
            .collect())
    }

    /// Reports duplicate case values.
    pub(in crate::check) fn check_values(&mut self, arms: &[Arm], span: Span) -> Checks<()> {
        let mut seen: Vec<i128> = arms.iter().flat_map(|arm| arm.values.iter().copied()).collect();
        seen.sort_unstable();
        match seen.windows(2).find(|pair| pair[0] == pair[1]) {
            Some([twice, ..]) => {
                let message = format!(
                    "The case label value {twice} appears twice in this `switch`; remove one of the two."
                );
                self.error(span, message)
            }
            _ => Ok(()),
        }
    }

    /// Reports a duplicate `default` label.
    fn check_default(&mut self, arms: &[Arm], span: Span) {
        if arms.iter().any(|arm| arm.is_default) {
            self.report_default(span);
        }
    }

    pub(in crate::check) fn report_default(&mut self, span: Span) {
        let _ = self.error::<()>(span, "A `default` label has already appeared in this `switch`.");
    }
}

/// The arm of a label. Adjacent labels share an arm.
fn open_arm(arms: &mut Vec<Arm>, span: Span) -> &mut Arm {
    let shares = arms.last().is_some_and(|arm| arm.body.is_empty());
    if !shares {
        arms.push(Arm {
            values: Vec::new(),
            is_default: false,
            body: Vec::new(),
            span,
        });
    }
    let last = arms.len() - 1;
    &mut arms[last]
}
