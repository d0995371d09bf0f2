//! Generates statements.

use super::{Kind, MAX_COST, Maker, Object, Piece};

impl Maker {
    /// Adds a statement.
    pub(super) fn statement(&mut self, out: &mut Vec<Piece>) {
        if self.spent > MAX_COST {
            return;
        }
        self.spent += self.turns;
        let inner = usize::from(self.depth < 4);
        match self.random.weighted(&[
            16,
            14,
            7 * inner,
            6 * inner,
            3 * inner,
            14,
            9,
            8,
            6 * inner,
            3 * inner,
            4,
            3,
        ]) {
            0 => self.declare(out),
            1 => self.assign(out),
            2 => self.branch(out),
            3 => self.repeat(out),
            4 => self.switch(out),
            5 => self.declare_object(out),
            6 => self.change_object(out),
            7 => self.act(out),
            8 => self.lambda(out),
            9 => {
                let inner = self.block(2);
                out.push(Piece::block("{", inner, "}"));
            }
            10 => self.array(out),
            _ => self.leave(out),
        }
    }

    /// Returns statements in their own scope.
    pub(super) fn block(&mut self, most: usize) -> Vec<Piece> {
        let mark = self.scope.clone();
        self.depth += 1;
        let mut out = Vec::new();
        for _ in 0..self.random.between(1, most as i64) {
            self.statement(&mut out);
        }
        self.depth -= 1;
        self.scope = mark;
        out
    }

    fn declare(&mut self, out: &mut Vec<Piece>) {
        let kind = self.kind();
        let ty = self.type_of(kind);
        let value = self.expr(kind);
        let name = self.fresh("v");
        let other = self.mutable(kind);
        let (text, is_mutable) = match self.random.below(15) {
            0 | 1 => (format!("{ty} {name} = {value};"), true),
            2 => (format!("{ty} {name}({value});"), true),
            3 => (format!("{ty} {name}{{{value}}};"), true),
            4 => (format!("const {ty} {name} = {value};"), false),
            5 => (format!("auto {name} = {ty}({value});"), true),
            6 => (format!("const auto {name} = static_cast<{ty}>({value});"), false),
            7 => (format!("const {ty} &{name} = {value};"), false),
            8 => (format!("{ty} &&{name} = {ty}({value});"), true),
            9 => (format!("using T{name} = {ty}; T{name} {name} = {value};"), true),
            10 if kind == Kind::Tame => {
                let value = self.random.between(1, 40);
                (format!("constexpr int {name} = {value} * 3 + 1;"), false)
            }
            // A reference changes the variable.
            11 if other.is_some() => (format!("{ty} &{name} = {};", other.unwrap_or_default()), true),
            12 if other.is_some() => (format!("auto &{name} = {};", other.unwrap_or_default()), true),
            13 if other.is_some() => (
                format!("const auto &{name} = {};", other.unwrap_or_default()),
                false,
            ),
            14 if other.is_some() => (
                format!("decltype({} + 0) {name} = {value};", other.unwrap_or_default()),
                true,
            ),
            _ => (format!("{ty} {name} = {value};"), true),
        };
        out.push(Piece::leaf(text));
        self.name(name, kind, is_mutable);
    }

    fn assign(&mut self, out: &mut Vec<Piece>) {
        const FORMS: &[&str] = &[
            "$I = $i;",
            "$I = $i;",
            "$I = $I = $i;",
            "($b ? $I : $I) = $i;",
            "($I = $i) &= 511;",
            "$I = ($I + $i) % 1000;",
            "*&$I = $i;",
            "$I /= 2;",
            "$I %= 100;",
            "if ($b) $I ^= 1; else $I = $i;",
            "$U += $u;",
            "$U ^= $u;",
            "$U *= 5u;",
            "$U = $U * 31u + $u;",
            "$U -= $i;",
            "$U++;",
            "--$U;",
            "(++$U) += 7u;",
            "($U += 3u) ^= 0x99u;",
            "($b ? $U : $U) += $u;",
            "$U = $u, $U += 7u;",
            "$U <<= 1;",
            "$U |= $b;",
            "$U = $b && ($U += 5u) > 9u;",
            "$I = $b || ($U ^= $u) != 0u ? $i : $c;",
            "if (($U += $u) > 99u && ($I = $i) < 50) $U ^= 0x55u;",
            "if ($b || (++$U & 1u)) $I = $c; else $I = $i;",
            "unsigned &alias = $U; alias += $u; $U ^= alias;",
            "int *pointer = &$I; *pointer = $i; pointer[0] %= 77;",
            "$F = $f;",
            "$F = $F * 0.5f + 1;",
            "static_assert(sizeof($I) == 4, \"int\");",
        ];
        let form = self.pick(FORMS);
        if form.contains("0.5f") && self.legacy {
            return;
        }
        let filled = self.fill(form);
        let has_declaration = form.contains("alias") || form.contains("*pointer");
        if let Some(text) = filled {
            out.push(Piece::leaf(if has_declaration {
                format!("{{ {text} }}")
            } else {
                text
            }));
        }
        if self.percent(15)
            && self.scope.names.iter().any(|name| name.text == "a[t & 63]")
            && let Some(text) = self.fill("o[$k + $c] += $u;")
        {
            out.push(Piece::leaf(text));
        }
    }

    fn branch(&mut self, out: &mut Vec<Piece>) {
        let mark = self.scope.clone();
        let head = match self.random.below(6) {
            0 => {
                let name = self.fresh("c");
                let value = self.expr(Kind::Tame);
                self.name(name.clone(), Kind::Tame, true);
                format!("if (int {name} = {value}; {name} > {})", self.random.below(20))
            }
            1 => {
                let name = self.fresh("c");
                let value = self.expr(Kind::Tame);
                self.name(name.clone(), Kind::Tame, true);
                format!("if (int {name} = {value})")
            }
            2 => format!("if constexpr (sizeof(int) == {})", self.pick(&["4", "8"])),
            _ => format!("if ({})", self.expr(Kind::Bool)),
        };
        let then = self.block(3);
        out.push(Piece::block(format!("{head} {{"), then, "}"));
        if self.percent(45) {
            // The two are one statement, which is taken apart by name.
            let piece = out.pop();
            let otherwise = self.block(2);
            if let Some(mut piece) = piece {
                let otherwise = Piece::block("else {", otherwise, "}");
                "}".clone_into(&mut piece.tail);
                out.push(Piece::block("{", vec![piece, otherwise], "}"));
            }
        }
        self.scope = mark;
    }

    fn repeat(&mut self, out: &mut Vec<Piece>) {
        let num = self.random.between(2, 5) as u64;
        if self.turns * num > 40 {
            return;
        }
        let i = self.fresh("i");
        let mark = self.scope.clone();
        let saved = (self.turns, self.can_break);
        self.turns *= num;
        self.can_break = true;
        self.num_loops += 1;
        let form = self.random.below(7);
        let bound = if self.percent(40) {
            format!("(({} & 3) + 1)", self.simple(Kind::Tame))
        } else {
            num.to_string()
        };
        self.name(i.clone(), Kind::Tame, false);
        let inner = self.block(3);
        let piece = match form {
            0 | 1 => Piece::block(format!("for (int {i} = 0; {i} < {bound}; ++{i}) {{"), inner, "}"),
            2 => Piece::block(format!("for (int {i} = {bound}; {i}-- > 0;) {{"), inner, "}"),
            3 => Piece::block(
                format!("for (int {i} = 1, e{i} = {bound}; {i} <= e{i}; {i} += 2) {{"),
                inner,
                "}",
            ),
            4 => Piece::block(
                "{",
                vec![
                    Piece::leaf(format!("int {i} = {bound};")),
                    Piece::block(format!("while ({i}-- > 0) {{"), inner, "}"),
                ],
                "}",
            ),
            5 => Piece::block(
                "{",
                vec![
                    Piece::leaf(format!("int {i} = 0;")),
                    Piece::block("do {", inner, &format!("}} while (++{i} < {bound});")),
                ],
                "}",
            ),
            _ => {
                let mut all = vec![Piece::leaf(format!("if ({i}++ >= {bound}) break;"))];
                all.extend(inner);
                Piece::block(format!("for (int {i} = 0;;) {{"), all, "}")
            }
        };
        self.num_loops -= 1;
        (self.turns, self.can_break) = saved;
        self.scope = mark;
        out.push(piece);
    }

    fn switch(&mut self, out: &mut Vec<Piece>) {
        let value = self.expr(Kind::Tame);
        let could_break = std::mem::replace(&mut self.can_break, true);
        let num = self.random.between(2, 4);
        let default = self.random.below(num as usize + 1) as i64;
        let mut arms = Vec::new();
        for at in 0..num {
            let mut inner = self.block(2);
            if self.percent(55) {
                inner.push(Piece::leaf("break;"));
            }
            let mut label = if self.percent(25) {
                format!("case {at}: case {}:", at + 10)
            } else {
                format!("case {at}:")
            };
            if at == default {
                label += " default:";
            }
            arms.push(Piece::block(format!("{label} {{"), inner, "}"));
        }
        self.can_break = could_break;
        out.push(Piece::block(format!("switch ({value} & 7) {{"), arms, "}"));
    }

    /// Adds a conditional jump out of the current scope.
    fn leave(&mut self, out: &mut Vec<Piece>) {
        let cond = self.expr(Kind::Bool);
        let mut ways = Vec::new();
        if self.can_break {
            ways.push("break;".to_owned());
        }
        if self.num_loops > 0 {
            ways.push("continue;".to_owned());
        }
        if let Some(kind) = self.returns {
            ways.push(format!("return {};", self.expr(kind)));
        }
        if !ways.is_empty() {
            out.push(Piece::leaf(format!("if ({cond}) {}", self.random.pick(&ways))));
        }
    }

    /// Adds a variable of a class type.
    pub(super) fn declare_object(&mut self, out: &mut Vec<Piece>) {
        if self.scope.classes.is_empty() {
            return;
        }
        let class = self.random.below(self.scope.classes.len());
        let (class_name, inits) = {
            let class = &self.scope.classes[class];
            (class.name.clone(), class.inits.clone())
        };
        let name = self.fresh("obj");
        let same: Vec<Object> = self
            .scope
            .objects
            .iter()
            .filter(|object| object.class == class)
            .cloned()
            .collect();
        let (text, is_mutable) = if !same.is_empty() && self.percent(35) {
            let other = self.random.pick(&same);
            let constant = if other.is_mutable { "" } else { "const " };
            match self.random.below(7) {
                0 => (format!("{class_name} {name} = {};", other.text), true),
                1 => (format!("{class_name} {name}({});", other.text), true),
                2 => (format!("auto {name} = {};", other.text), true),
                3 => (
                    format!("{constant}{class_name} &{name} = {};", other.text),
                    other.is_mutable,
                ),
                4 => (format!("const auto &{name} = {};", other.text), false),
                5 => (format!("auto &{name} = {};", other.text), other.is_mutable),
                _ => {
                    out.push(Piece::leaf(format!(
                        "{constant}{class_name} *p{name} = &{};",
                        other.text
                    )));
                    self.scope.objects.push(Object {
                        text: format!("(*p{name})"),
                        class,
                        is_mutable: other.is_mutable,
                    });
                    return;
                }
            }
        } else if self.percent(40) {
            let Some(made) = self.made(class) else { return };
            match self.random.below(5) {
                0 => (format!("auto {name} = {made};"), true),
                1 => (format!("{class_name} {name} = {made};"), true),
                2 => (format!("const {class_name} &{name} = {made};"), false),
                3 => (format!("{class_name} &&{name} = {made};"), true),
                _ => (format!("const auto {name} = {made};"), false),
            }
        } else {
            if inits.is_empty() {
                return;
            }
            let init = self.random.pick(&inits);
            let Some(init) = self.fill(&init.replace("$n", &class_name)) else {
                return;
            };
            (format!("{class_name} {name}{init};"), true)
        };
        out.push(Piece::leaf(text));
        self.scope.objects.push(Object {
            text: name,
            class,
            is_mutable,
        });
    }

    fn change_object(&mut self, out: &mut Vec<Piece>) {
        let objects: Vec<Object> = self
            .scope
            .objects
            .iter()
            .filter(|object| object.is_mutable)
            .cloned()
            .collect();
        if objects.is_empty() {
            self.assign(out);
            return;
        }
        let object = self.random.pick(&objects);
        let text = if self.percent(20) {
            self.made(object.class)
                .map(|made| format!("{} = {made};", object.text))
        } else {
            self.change_of(&object)
        };
        out.extend(text.map(Piece::leaf));
    }

    fn act(&mut self, out: &mut Vec<Piece>) {
        let actions: Vec<(String, u64)> = self
            .scope
            .actions
            .iter()
            .filter(|action| action.cost * self.turns < MAX_COST / 4)
            .map(|action| (action.text.clone(), action.cost))
            .collect();
        if actions.is_empty() {
            self.assign(out);
            return;
        }
        let (text, cost) = self.random.pick(&actions);
        self.spent += cost * self.turns;
        out.extend(self.fill(&text).map(Piece::leaf));
    }

    /// Adds an array of numbers or objects and a loop over the array.
    fn array(&mut self, out: &mut Vec<Piece>) {
        let name = self.fresh("arr");
        if self.percent(50) || self.scope.classes.is_empty() {
            let kind = self.kind();
            let ty = self.type_of(kind);
            let values: Vec<String> = (0..4).map(|_| self.expr(kind)).collect();
            let head = format!("{ty} {name}[4] = {{{}}};", values.join(", "));
            out.push(Piece::leaf(head));
            let index = self.random.below(4);
            self.name(format!("{name}[{index}]"), kind, true);
            let index = self.simple(Kind::Tame);
            self.name(format!("{name}[{index} & 3]"), kind, true);
            return;
        }
        let class = self.random.below(self.scope.classes.len());
        let class_name = self.scope.classes[class].name.clone();
        let made: Option<Vec<String>> = (0..3).map(|_| self.made(class)).collect();
        let Some(made) = made else { return };
        out.push(Piece::leaf(format!(
            "{class_name} {name}[3] = {{{}}};",
            made.join(", ")
        )));
        let i = self.fresh("i");
        let object = Object {
            text: format!("{name}[{i}]"),
            class,
            is_mutable: true,
        };
        if let Some(change) = self.change_of(&object) {
            let inner = vec![Piece::leaf(change)];
            out.push(Piece::block(
                format!("for (int {i} = 0; {i} < 3; {i}++) {{"),
                inner,
                "}",
            ));
        }
        let index = self.random.below(3);
        self.scope.objects.push(Object {
            text: format!("{name}[{index}]"),
            class,
            is_mutable: true,
        });
    }
}
