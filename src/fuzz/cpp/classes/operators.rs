//! Generates operators of classes.

use super::*;

impl Maker {
    /// Adds operators.
    pub(super) fn operators(&mut self, draft: &mut Draft) {
        let first_kind = draft.fields[0].1;
        if self.percent(45) {
            self.arithmetic_operator(draft);
        }
        if self.percent(35) {
            self.comparison_operators(draft);
        }
        if self.percent(25) {
            self.call_operator(draft);
        }
        if self.percent(20) {
            self.unary_operator(draft);
        }
        if self.percent(25) {
            self.conversion_operator(draft);
        }
        if first_kind == Kind::Unsigned && self.percent(50) {
            self.increment_operators(draft);
        }
        if draft.fields.iter().all(|(_, kind)| *kind == first_kind) && self.percent(50) {
            self.subscript_operators(draft);
        }
    }

    /// Returns an operation on a field and the same field of another object.
    fn combined(&mut self, field: &str, kind: Kind, other: &str) -> String {
        match kind {
            Kind::Unsigned => format!("{field} {} {other}{field}", self.pick(&["+", "*", "^", "-"])),
            Kind::Real if !self.legacy => format!("({field} + {other}{field}) * 0.5f"),
            _ => self
                .pick(&["(F + OF) / 2", "(F - OF) / 2", "F * OF % 1009", "(F ^ OF)"])
                .replace("OF", &format!("{other}#"))
                .replace(['F', '#'], field),
        }
    }

    /// Adds an arithmetic operator.
    fn arithmetic_operator(&mut self, draft: &mut Draft) {
        let name = draft.class.name.clone();
        let fields = draft.fields.clone();
        let (first, first_kind) = draft.fields[0].clone();
        let op = self.pick(&["+", "-", "*"]);
        let values: Vec<String> = fields
            .iter()
            .map(|(field, kind)| self.combined(field, *kind, "other."))
            .collect();
        let values = values.join(", ");
        match self.random.below(3) {
            0 => draft.members.push(Piece::leaf(format!(
                "__device__ {name} operator{op}(const {name} &other) const {{ return {name}{{{values}}}; }}"
            ))),
            1 => draft.members.push(Piece::leaf(format!(
                "__device__ {name} operator{op}({name} other) const {{ {name} made{{{values}}}; return made; }}"
            ))),
            _ => {
                let assigns: Vec<String> = fields
                    .iter()
                    .map(|(field, kind)| {
                        let value = self.combined(field, *kind, "other.");
                        format!("{field} = {value};")
                    })
                    .collect();
                draft.members.push(Piece::leaf(format!(
                    "__device__ {name} &operator{op}=(const {name} &other) {{ {} return *this; }}",
                    assigns.join(" ")
                )));
                let friend = format!(
                    "__device__ {name} operator{op}({name} left, const {name} &right) {{ left {op}= right; return left; }}"
                );
                if self.percent(50) {
                    let friend = friend.replace("__device__ ", "__device__ friend ");
                    draft.members.push(Piece::leaf(friend));
                } else {
                    draft.after.push(Piece::leaf(friend));
                }
                draft.class.changes.push(format!("$o {op}= $C;"));
                draft.class.changes.push(format!("$o {op}= $o;"));
            }
        }
        draft
            .class
            .reads
            .push((first_kind, format!("($o {op} $C).{first}")));
        let init = init_of(&draft.class);
        draft.class.makes.push(format!("($n{init} {op} $n{init})"));
        draft.class.changes.push(format!("$o = $o {op} $C;"));
    }

    /// Adds a comparison, or two.
    fn comparison_operators(&mut self, draft: &mut Draft) {
        let name = draft.class.name.clone();
        let fields = draft.fields.clone();
        let (op, other) = [("==", "!="), ("<", ">"), (">=", "<=")][self.random.below(3)];
        let all: Vec<String> = fields
            .iter()
            .map(|(field, _)| format!("{field} {op} other.{field}"))
            .collect();
        draft.members.push(Piece::leaf(format!(
            "__device__ bool operator{op}(const {name} &other) const {{ return {}; }}",
            all.join(" && ")
        )));
        draft.class.reads.push((Kind::Bool, format!("$o {op} $C")));
        if self.percent(40) {
            draft.after.push(Piece::leaf(format!(
                "__device__ inline bool operator{other}(const {name} &l, const {name} &r) {{ return !(l {op} r); }}"
            )));
            draft.class.reads.push((Kind::Bool, format!("$o {other} $C")));
        }
    }

    /// Adds a call operator.
    fn call_operator(&mut self, draft: &mut Draft) {
        let (body, _) = self.method_body(draft, &[("i", Kind::Tame, false)], false, Some(Kind::Tame));
        self.method(draft, "int", "operator()(int i) const", body);
        draft.class.reads.push((Kind::Tame, "$o($i)".to_owned()));
    }

    /// Adds an operator of one operand.
    fn unary_operator(&mut self, draft: &mut Draft) {
        let name = draft.class.name.clone();
        let fields = draft.fields.clone();
        let (first, first_kind) = draft.fields[0].clone();
        let values: Vec<String> = fields
            .iter()
            .map(|(field, kind)| {
                if *kind == Kind::Tame {
                    format!("{field} / 2 - 1")
                } else {
                    field.clone()
                }
            })
            .collect();
        let op = self.pick(&["-", "~", "!"]);
        draft.members.push(Piece::leaf(format!(
            "__device__ {name} operator{op}() const {{ return {{{}}}; }}",
            values.join(", ")
        )));
        draft.class.reads.push((first_kind, format!("({op}$o).{first}")));
    }

    /// Adds a conversion to a number or a condition.
    fn conversion_operator(&mut self, draft: &mut Draft) {
        let (first, first_kind) = draft.fields[0].clone();
        let explicit = self.pick(&["explicit ", ""]);
        let has_operators = draft.class.reads.iter().any(|(kind, _)| *kind == Kind::Bool);
        if explicit.is_empty()
            && !has_operators
            && draft.class.changes.iter().all(|change| !change.contains("$C"))
        {
            draft.members.push(Piece::leaf(
                "__device__ operator int() const { return 31; }".to_owned(),
            ));
            draft.class.reads.push((Kind::Tame, "($o + $i) / 2".to_owned()));
            draft.class.reads.push((Kind::Bool, "$o < $i".to_owned()));
        } else {
            let value = self.as_unsigned(&first, first_kind);
            draft.members.push(Piece::leaf(format!(
                "__device__ explicit operator bool() const {{ return ({value} & 1u) != 0u; }}"
            )));
            draft.class.reads.push((Kind::Bool, "bool($o)".to_owned()));
            draft.class.reads.push((Kind::Tame, "($o ? $i : $i)".to_owned()));
        }
    }

    /// Adds increments of the first field.
    fn increment_operators(&mut self, draft: &mut Draft) {
        let name = draft.class.name.clone();
        let first = draft.fields[0].0.clone();
        draft.members.push(Piece::leaf(format!(
            "__device__ {name} &operator++() {{ ++{first}; return *this; }}"
        )));
        draft.members.push(Piece::leaf(format!(
            "__device__ {name} operator++(int) {{ {name} old = *this; {first} += 1u; return old; }}"
        )));
        for change in ["++$o;", "$o++;", "$U = (++$o).F;", "$U = $o++.F;", "++++$o;"] {
            draft.class.changes.push(change.replace('F', &first));
        }
    }

    /// Adds subscripts over the fields.
    fn subscript_operators(&mut self, draft: &mut Draft) {
        let fields = draft.fields.clone();
        let (first, first_kind) = draft.fields[0].clone();
        let ty = self.type_of(first_kind);
        let chain = |this: &str| {
            let mut text = format!("{this}{first}");
            for (idx, (field, _)) in fields.iter().enumerate().skip(1) {
                text = format!("i == {idx} ? {this}{field} : {text}");
            }
            text
        };
        let text = chain("");
        draft.members.push(Piece::leaf(format!(
            "__device__ {ty} &operator[](int i) {{ return {text}; }}"
        )));
        draft.members.push(Piece::leaf(format!(
            "__device__ {ty} operator[](int i) const {{ return {text}; }}"
        )));
        draft.class.reads.push((first_kind, "$o[$k]".to_owned()));
        draft.class.changes.push(match first_kind {
            Kind::Tame => "$o[$k] = $i;".to_owned(),
            Kind::Unsigned => "$o[$k] *= $u;".to_owned(),
            _ => "$o[$k] = $f;".to_owned(),
        });
    }
}

/// Returns the arguments of the first constructor, in braces.
fn init_of(class: &Class) -> String {
    let make = class.makes.first().map_or("", String::as_str);
    make.strip_prefix("$n").unwrap_or("{}").to_owned()
}
