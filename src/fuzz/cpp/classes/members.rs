//! Generates members other than fields and operators.

use super::*;

impl Maker {
    /// Adds a member other than a field.
    pub(super) fn member(&mut self, draft: &mut Draft) {
        let word = self.fresh("m");
        match self.random.below(9) {
            0 | 1 => self.reading_method(draft, &word),
            2 => self.defaulted_method(draft, &word),
            3 => self.changing_method(draft, &word),
            4 => self.chained_method(draft, &word),
            5 => self.static_method(draft, &word),
            6 => self.member_constant(draft, &word),
            7 => self.access_overloads(draft, &word),
            _ => self.nested_type(draft, &word),
        }
    }

    /// Adds a member function, in the class or after it.
    pub(super) fn method(&mut self, draft: &mut Draft, ret: &str, rest: &str, body: Vec<Piece>) {
        if self.percent(70) {
            let inline = self.pick(&["", "", "inline "]);
            draft.members.push(Piece::block(
                format!("__device__ {inline}{ret} {rest} {{"),
                body,
                "}",
            ));
        } else {
            draft
                .members
                .push(Piece::leaf(format!("__device__ {ret} {rest};")));
            let ret = ret.strip_prefix("static ").unwrap_or(ret);
            // Default arguments belong in the class.
            let rest = rest.replace(" = 2", "");
            let head = format!("__device__ {ret} {}::{rest} {{", draft.class.name);
            draft.after.push(Piece::block(head, body, "}"));
        }
    }

    /// Generates a body in which the fields are visible.
    pub(super) fn method_body(
        &mut self,
        draft: &mut Draft,
        params: &[(&str, Kind, bool)],
        changes: bool,
        returns: Option<Kind>,
    ) -> (Vec<Piece>, u64) {
        let num = self.random.weighted(&[3, 3, 2, 1]);
        let fields = draft.fields.clone();
        let made = self.body_with(params, returns, num, |this| {
            for (field, kind) in fields {
                let text = if this.percent(25) {
                    format!("this->{field}")
                } else {
                    field
                };
                this.member_name(text, kind, changes);
            }
        });
        draft.class.cost = draft.class.cost.max(made.1);
        made
    }

    /// Adds a method that returns a tame number.
    fn reading_method(&mut self, draft: &mut Draft, word: &str) {
        let (body, _) = self.method_body(draft, &[("k", Kind::Tame, false)], false, Some(Kind::Tame));
        self.method(draft, "int", &format!("{word}(int k) const"), body);
        draft.class.reads.push((Kind::Tame, format!("$o.{word}($i)")));
    }

    /// Adds a method with a default argument.
    fn defaulted_method(&mut self, draft: &mut Draft, word: &str) {
        let params = [("k", Kind::Unsigned, true), ("l", Kind::Tame, false)];
        let (body, _) = self.method_body(draft, &params, false, Some(Kind::Unsigned));
        self.method(
            draft,
            "unsigned",
            &format!("{word}(unsigned k, int l = 2) const"),
            body,
        );
        draft.class.reads.push((Kind::Unsigned, format!("$o.{word}($u)")));
        draft
            .class
            .reads
            .push((Kind::Unsigned, format!("$o.{word}($u, $i)")));
    }

    /// Adds a method that changes the object.
    fn changing_method(&mut self, draft: &mut Draft, word: &str) {
        let (body, _) = self.method_body(draft, &[("by", Kind::Unsigned, false)], true, None);
        self.method(draft, "void", &format!("{word}(unsigned by)"), body);
        draft.class.changes.push(format!("$o.{word}($u);"));
    }

    /// Adds a method that returns the object.
    fn chained_method(&mut self, draft: &mut Draft, word: &str) {
        let (mut body, _) = self.method_body(draft, &[("by", Kind::Tame, true)], true, None);
        body.push(Piece::leaf("return *this;"));
        let name = draft.class.name.clone();
        self.method(draft, &format!("{name} &"), &format!("{word}(int by)"), body);
        draft.class.changes.push(format!("$o.{word}($i);"));
        draft.class.changes.push(format!("$o.{word}($i).{word}($c);"));
    }

    /// Adds a static method.
    fn static_method(&mut self, draft: &mut Draft, word: &str) {
        let (body, _) = self.body(&[("v", Kind::Tame, true)], Some(Kind::Tame), 1);
        self.method(draft, "static int", &format!("{word}(int v)"), body);
        draft.class.reads.push((Kind::Tame, format!("$n::{word}($i)")));
        draft.class.reads.push((Kind::Tame, format!("$o.{word}($i)")));
    }

    /// Adds a constant.
    fn member_constant(&mut self, draft: &mut Draft, word: &str) {
        let value = self.random.between(1, 99);
        let text = match self.random.below(3) {
            0 => format!("static const int {word} = {value};"),
            1 => format!("static constexpr int {word} = {value} + 1;"),
            _ => format!("enum {{ {word} = {value} }};"),
        };
        draft.members.push(Piece::leaf(text));
        draft.class.reads.push((Kind::Tame, format!("int($n::{word})")));
        draft
            .class
            .reads
            .push((Kind::Tame, format!("($o.{word} + $i) / 2")));
    }

    /// Adds an overload for constant and non-constant objects.
    fn access_overloads(&mut self, draft: &mut Draft, word: &str) {
        let (first, kind) = draft.fields[0].clone();
        let ty = self.type_of(kind);
        draft.members.push(Piece::leaf(format!(
            "__device__ {ty} &{word}() {{ return {first}; }}"
        )));
        let constant = self.pick(&["const T &", "T "]).replace('T', ty);
        draft.members.push(Piece::leaf(format!(
            "__device__ {constant}{word}() const {{ return {first}; }}"
        )));
        draft.class.reads.push((kind, format!("$o.{word}()")));
        draft.class.changes.push(match kind {
            Kind::Tame => format!("$o.{word}() = $i;"),
            Kind::Unsigned => format!("++$o.{word}();"),
            _ => format!("$o.{word}() = $f;"),
        });
    }

    /// Adds a nested type and a function that uses the type.
    fn nested_type(&mut self, draft: &mut Draft, word: &str) {
        let inner = self.fresh("In");
        draft.members.push(Piece::leaf(format!(
            "struct {inner} {{ int v; unsigned w; __device__ int sum() const {{ return (v + int(w & 7u)) / 2; }} }};"
        )));
        let (first, kind) = draft.fields[0].clone();
        let value = if kind == Kind::Tame { first } else { "7".to_owned() };
        let rest = format!("{word}(unsigned w) const");
        let body = vec![Piece::leaf(match self.random.below(3) {
            0 => format!("return {inner}{{{value}, w}};"),
            1 => format!("{inner} in = {{{value}, w}}; return in;"),
            _ => format!("{inner} in; in.v = {value}; in.w = w; return in;"),
        })];
        draft
            .members
            .push(Piece::block(format!("__device__ {inner} {rest} {{"), body, "}"));
        draft
            .class
            .reads
            .push((Kind::Tame, format!("$o.{word}($u).sum()")));
        draft
            .class
            .reads
            .push((Kind::Unsigned, format!("$o.{word}($u).w")));
    }
}
