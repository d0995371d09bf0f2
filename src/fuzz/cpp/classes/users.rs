//! Generates functions that take or return objects.

use super::super::Object;
use super::*;

impl Maker {
    /// Adds functions that take or return objects.
    pub(super) fn users(&mut self, class: usize) {
        let before = self.scope.classes[class].clone();
        for _ in 0..self.random.below(3) {
            let function = self.fresh("use");
            match self.random.below(6) {
                0 => self.reading_function(class, &before, &function),
                1 => self.changing_function(class, &before, &function),
                2 => self.pointer_function(class, &before, &function),
                3 => self.returning_function(class, &before, &function),
                4 => self.identity_function(class, &before, &function),
                _ => self.choosing_template(class, &function),
            }
        }
    }

    /// Adds a function that reads an object.
    fn reading_function(&mut self, class: usize, before: &Class, function: &str) {
        let (body, cost) = self.body_with(&[("k", Kind::Tame, false)], Some(Kind::Tame), 2, |this| {
            this.parameter("p", class, false);
        });
        let by = self
            .pick(&["const N &p", "N p", "const N p"])
            .replace('N', &before.name);
        self.add(Piece::block(
            format!("__device__ int {function}({by}, int k) {{"),
            body,
            "}",
        ));
        self.scope.classes[class]
            .reads
            .push((Kind::Tame, format!("{function}($o, $i)")));
        self.costs(class, cost);
    }

    /// Adds a function that changes an object through a reference.
    fn changing_function(&mut self, class: usize, before: &Class, function: &str) {
        let name = &before.name;
        let (body, cost) = self.body_with(&[("k", Kind::Unsigned, true)], None, 2, |this| {
            this.parameter("p", class, true);
        });
        self.costs(class, cost);
        self.add(Piece::block(
            format!("__device__ void {function}({name} &p, unsigned k) {{"),
            body,
            "}",
        ));
        self.scope.classes[class]
            .changes
            .push(format!("{function}($o, $u);"));
    }

    /// Adds a function that changes an object through a pointer.
    fn pointer_function(&mut self, class: usize, before: &Class, function: &str) {
        let name = &before.name;
        let (body, cost) = self.body_with(&[("k", Kind::Unsigned, true)], None, 2, |this| {
            this.parameter("(*p)", class, true);
        });
        self.costs(class, cost);
        self.add(Piece::block(
            format!("__device__ void {function}({name} *p, unsigned k) {{"),
            body,
            "}",
        ));
        self.scope.classes[class]
            .changes
            .push(format!("{function}(&$o, $u);"));
    }

    /// Adds a function that returns a changed copy of an object.
    fn returning_function(&mut self, class: usize, before: &Class, function: &str) {
        let name = &before.name;
        let (mut body, cost) = self.body_with(&[("k", Kind::Tame, false)], None, 2, |this| {
            this.parameter("p", class, true);
        });
        self.costs(class, cost);
        body.push(Piece::leaf("return p;"));
        self.add(Piece::block(
            format!("__device__ {name} {function}({name} p, int k) {{"),
            body,
            "}",
        ));
        self.scope.classes[class]
            .changes
            .push(format!("$o = {function}($o, $i);"));
        self.scope.classes[class]
            .changes
            .push(format!("$o = {function}($C, $c);"));
        if let Some((kind, read)) = before
            .reads
            .iter()
            .find(|(_, read)| read.starts_with("$o.") && !read.contains('('))
        {
            let read = read.replace("$o", &format!("{function}($o, $i)"));
            self.scope.classes[class].reads.push((*kind, read));
        }
    }

    /// Adds a function that returns its argument.
    fn identity_function(&mut self, class: usize, before: &Class, function: &str) {
        let name = &before.name;
        self.add(Piece::leaf(format!(
            "__device__ {name} &{function}({name} &p) {{ return p; }}"
        )));
        if let Some(change) = before.changes.first() {
            self.scope.classes[class]
                .changes
                .push(change.replace("$o", &format!("{function}($o)")));
        }
    }

    /// Adds a template that chooses one of two objects.
    fn choosing_template(&mut self, class: usize, function: &str) {
        self.add(Piece::leaf(format!(
            "template <typename T> __device__ T {function}(const T &a, const T &b, bool c) {{ return c ? a : b; }}"
        )));
        self.scope.classes[class]
            .changes
            .push(format!("$o = {function}($o, $C, $b);"));
        self.form(format!("{function}((int)$i, (int)$i, $b)"), Kind::Tame, 1);
        self.form(format!("{function}<unsigned>($i, $u, $b)"), Kind::Unsigned, 1);
    }

    /// Makes a parameter visible that is an object.
    fn parameter(&mut self, text: &str, class: usize, is_mutable: bool) {
        self.scope.objects.push(Object {
            text: text.to_owned(),
            class,
            is_mutable,
        });
    }

    /// Raises the cost of a class.
    fn costs(&mut self, class: usize, cost: u64) {
        let class = &mut self.scope.classes[class];
        class.cost = class.cost.max(cost);
    }
}
