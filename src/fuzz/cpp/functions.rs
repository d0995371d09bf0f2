//! Generates functions, overloads, constants, and namespaces.

use super::{Kind, Maker, Piece};

impl Maker {
    /// Adds a function, possibly with overloads.
    pub(super) fn function(&mut self) {
        let name = self.fresh("fn");
        let kind = self.kind();
        let ty = self.type_of(kind);
        let head = self.pick(&[
            "__device__",
            "__device__",
            "__device__ inline",
            "static __device__",
            "__device__ __forceinline__",
        ]);
        let num = self.random.between(1, 4) as usize;
        match self.random.below(4) {
            0 => {
                let params = [("p", Kind::Tame, true), ("q", Kind::Unsigned, true)];
                let (body, cost) = self.body(&params, Some(kind), num);
                self.add(Piece::block(
                    format!("{head} {ty} {name}(int p, unsigned q = 3u) {{"),
                    body,
                    "}",
                ));
                self.form(format!("{name}($i)"), kind, cost);
                self.form(format!("{name}($i, $u)"), kind, cost);
            }
            1 => {
                let params = [("p", Kind::Tame, false), ("q", kind, false)];
                let (body, cost) = self.body(&params, Some(kind), num);
                self.add(Piece::block(
                    format!("{head} auto {name}(const int &p, const {ty} &q) -> {ty} {{"),
                    body,
                    "}",
                ));
                let letter = letter_of(kind);
                self.form(format!("{name}($i, {letter})"), kind, cost);
            }
            2 => {
                let params = [("p", Kind::Tame, true), ("q", Kind::Unsigned, true)];
                let (body, cost) = self.body(&params, None, num + 1);
                self.add(Piece::block(
                    format!("{head} void {name}(int &p, unsigned &q) {{"),
                    body,
                    "}",
                ));
                self.action(format!("{name}($I, $U);"), cost);
            }
            _ => {
                // Overload resolution picks the best match.
                let has_int = self.percent(70);
                for param in ["int", "unsigned", "bool", "float"] {
                    let is_left_out = if param == "int" {
                        !has_int
                    } else {
                        self.percent(50)
                    };
                    if is_left_out || (param == "float" && self.legacy) {
                        continue;
                    }
                    let value = self.random.below(100);
                    self.add(Piece::leaf(format!(
                        "{head} int {name}({param} v) {{ return {value} + (v > 3); }}"
                    )));
                }
                self.add(Piece::leaf(format!(
                    "{head} int {name}(int v, int w) {{ return (v - w) / 2; }}"
                )));
                let more = self.random.pick(&[1, 20, 300]);
                self.add(Piece::leaf(format!(
                    "template <typename T> __device__ int {name}(T *p) {{ return (int)sizeof(T) + {more}; }}"
                )));
                self.form(format!("{name}((int)$i, $i)"), Kind::Tame, 1);
                if has_int {
                    self.form(format!("{name}((int)$i)"), Kind::Tame, 1);
                    self.form(format!("{name}((short)$i)"), Kind::Tame, 1);
                    self.form(format!("{name}($b)"), Kind::Tame, 1);
                    self.form(format!("{name}('a')"), Kind::Tame, 1);
                }
            }
        }
    }

    /// Adds constant expressions and constexpr functions.
    pub(super) fn constants(&mut self) {
        let name = self.fresh("C");
        let value = self.random.between(2, 60);
        match self.random.below(5) {
            0 => {
                self.add(Piece::leaf(format!("constexpr int {name} = {value};")));
                self.name_everywhere(&name);
            }
            1 => {
                self.add(Piece::leaf(format!("static const int {name} = {value} * 2 + 1;")));
                self.name_everywhere(&name);
            }
            2 => {
                let body = match self.random.below(3) {
                    // Compute capability 1.x has no recursion.
                    0 if self.legacy => "int s = 1; for (; v > 1; --v) s = v * s % 1009; return s;".to_owned(),
                    0 => "return v < 2 ? 1 : v * f(v - 1) % 1009;".replace("f(", &format!("{name}(")),
                    1 => "int s = 0; for (int i = 0; i <= v; ++i) { if (i == 7) continue; s += i * i; } return s % 4001;".to_owned(),
                    _ => "int s = 1; while (v > 0) { s = (s * 3 + v) % 911; v /= 2; } return s;".to_owned(),
                };
                self.add(Piece::leaf(format!(
                    "__device__ constexpr int {name}(int v) {{ {body} }}"
                )));
                let at = self.random.between(2, 12);
                self.add(Piece::leaf(format!(
                    "static_assert({name}({at}) >= 0, \"a constant\");"
                )));
                self.add(Piece::leaf(format!("constexpr int {name}_at = {name}({at});")));
                self.name_everywhere(&format!("{name}_at"));
                self.form(format!("{name}($i & 7)"), Kind::Tame, 20);
                self.form(format!("(int)sizeof(char[{name}({at}) % 50 + 1])"), Kind::Tame, 1);
            }
            3 => {
                self.add(Piece::leaf(format!(
                    "template <typename T> constexpr T {name} = T({value}.75);"
                )));
                self.form(format!("{name}<int>"), Kind::Tame, 0);
                self.form(format!("{name}<unsigned>"), Kind::Unsigned, 0);
                if !self.legacy {
                    self.form(format!("{name}<float>"), Kind::Real, 0);
                }
            }
            _ => {
                self.add(Piece::leaf(format!(
                    "constexpr int {name}[4] = {{{value}, 5, -{value}, 77}};"
                )));
                self.add(Piece::leaf(format!(
                    "static_assert({name}[0] + {name}[2] == 0 && sizeof({name}) == 16, \"a table\");"
                )));
                let at = self.random.below(4);
                self.form(format!("{name}[{at}]"), Kind::Tame, 0);
            }
        }
    }

    /// Adds a form that is also visible in functions.
    fn name_everywhere(&mut self, name: &str) {
        self.form(name, Kind::Tame, 0);
    }

    /// Adds declarations in a namespace, with several ways to name them.
    pub(super) fn namespace(&mut self) {
        let name = self.fresh("ns");
        let inner = self.fresh("part");
        let function = self.fresh("g");
        let class = self.fresh("N");
        let (body, cost) = self.body(&[("p", Kind::Tame, true)], Some(Kind::Tame), 2);
        let (second, second_cost) = self.body(&[("p", Kind::Unsigned, true)], Some(Kind::Unsigned), 1);
        let mut items = vec![
            Piece::leaf(format!("struct {class} {{ int v; unsigned w; }};")),
            Piece::block(format!("__device__ int {function}(int p) {{"), body, "}"),
            Piece::leaf(format!(
                "__device__ int found(const {class} &x) {{ return x.v; }}"
            )),
        ];
        let nested = Piece::block(
            format!("__device__ unsigned {function}(unsigned p) {{"),
            second,
            "}",
        );
        let constant = Piece::leaf(format!("constexpr int K = {};", self.random.between(3, 70)));
        match self.random.below(3) {
            0 => items.push(Piece::block(
                format!("namespace {inner} {{"),
                vec![nested, constant],
                "}",
            )),
            1 => items.push(Piece::block(
                format!("inline namespace {inner} {{"),
                vec![constant],
                "}",
            )),
            _ => items.push(Piece::block("namespace {".to_owned(), vec![constant], "}")),
        }
        let is_nested = items
            .last()
            .is_some_and(|piece| piece.head.starts_with(&format!("namespace {inner}")));
        self.add(Piece::block(format!("namespace {name} {{"), items, "}"));
        let path = match self.random.below(4) {
            0 => {
                self.add(Piece::leaf(format!("namespace {name}_short = {name};")));
                format!("{name}_short::")
            }
            1 => {
                self.add(Piece::leaf(format!("using {name}::{function};")));
                self.form(format!("{function}((int)$i)"), Kind::Tame, cost);
                format!("{name}::")
            }
            2 => {
                self.add(Piece::leaf(format!("using namespace {name};")));
                self.form(format!("{function}((int)$i)"), Kind::Tame, cost);
                format!("{name}::")
            }
            _ => {
                self.add(Piece::block(
                    format!("namespace {name} {{"),
                    vec![Piece::leaf("constexpr int L = K + 1;".replace(
                        'K',
                        &if is_nested {
                            format!("{inner}::K")
                        } else {
                            "K".to_owned()
                        },
                    ))],
                    "}",
                ));
                self.form(format!("{name}::L"), Kind::Tame, 0);
                format!("{name}::")
            }
        };
        self.form(format!("{path}{function}((int)$i)"), Kind::Tame, cost);
        if is_nested {
            self.form(
                format!("{path}{inner}::{function}($u)"),
                Kind::Unsigned,
                second_cost,
            );
            self.form(format!("{path}{inner}::K"), Kind::Tame, 0);
        } else {
            self.form(format!("{path}K"), Kind::Tame, 0);
        }
        self.namespace_class(format!("{path}{class}"));
    }

    /// Adds the operations of a class in a namespace.
    fn namespace_class(&mut self, name: String) {
        self.scope.classes.push(super::Class {
            name,
            makes: vec!["$n{$i, $u}".to_owned()],
            inits: vec![
                "{$i, $u}".to_owned(),
                " = {$i, $u}".to_owned(),
                " = {$i}".to_owned(),
                "{}".to_owned(),
            ],
            reads: vec![
                (Kind::Tame, "$o.v".to_owned()),
                (Kind::Unsigned, "$o.w".to_owned()),
                // Found by argument-dependent lookup.
                (Kind::Tame, "found($o)".to_owned()),
            ],
            changes: vec![
                "$o.v = $i;".to_owned(),
                "$o.w += $u;".to_owned(),
                "$o = {$i, $u};".to_owned(),
            ],
            is_plain: true,
            ..super::Class::default()
        });
    }
}

/// Returns the placeholder for an expression of the given kind.
pub(super) const fn letter_of(kind: Kind) -> &'static str {
    match kind {
        Kind::Tame => "$i",
        Kind::Unsigned => "$u",
        Kind::Bool => "$b",
        Kind::Real => "$f",
    }
}
