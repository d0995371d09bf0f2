//! Generates lambdas, function objects, and templates that call them.

use super::{Kind, Maker, Name, Piece};

impl Maker {
    /// Adds a template that calls its argument, and a callable argument.
    pub(super) fn functor(&mut self) {
        let name = self.fresh("call");
        let by = self.pick(&["F f", "const F &f"]);
        let word = self.pick(&["typename", "class"]);
        match self.random.below(4) {
            0 => {
                self.add(Piece::leaf(format!(
                    "template <{word} F> __device__ int {name}({by}, int v) {{ return (f(v) + f(v / 2)) / 2; }}"
                )));
                self.form(
                    format!("{name}([](int arg) {{ return arg / 2 + 1; }}, $i)"),
                    Kind::Tame,
                    4,
                );
                self.form(
                    format!("{name}([=](int arg) {{ return $i ^ arg; }}, $i)"),
                    Kind::Tame,
                    4,
                );
                self.form(
                    format!("{name}([&](auto arg) -> int {{ return arg < $i ? arg : $i; }}, $i)"),
                    Kind::Tame,
                    4,
                );
            }
            1 => {
                self.add(Piece::leaf(format!(
                    "template <{word} F> __device__ void {name}(int num, {by}) {{ for (int i = 0; i < num; i++) f(i); }}"
                )));
                self.action(format!("{name}(3, [&](int arg) {{ $U += arg * $u; }});"), 6);
                self.action(
                    format!(
                        "{name}($k, [&](int arg) {{ if (arg == 2) return; $I = $i; $U ^= (unsigned)arg; }});"
                    ),
                    8,
                );
                // A constant object cannot be changed.
                if !by.starts_with("const") {
                    self.action(
                        format!("{name}(2, [&alias = $U](int arg) mutable {{ alias += arg + 5u; }});"),
                        5,
                    );
                }
            }
            2 => {
                // A callable composed of two.
                self.add(Piece::leaf(format!(
                    "template <{word} F, {word} G> __device__ auto {name}(F f, G g) {{ return [=](int v) {{ return g(f(v)); }}; }}"
                )));
                self.form(
                    format!(
                        "{name}([](int arg) {{ return arg / 3; }}, [](int arg) {{ return arg ^ 5; }})($i)"
                    ),
                    Kind::Tame,
                    4,
                );
                let adder = self.fresh("adder");
                self.add(Piece::leaf(format!(
                    "__device__ auto {adder}(int by) {{ return [by](int v) {{ return (v + by) / 2; }}; }}"
                )));
                self.form(format!("{adder}($i)($i)"), Kind::Tame, 3);
                self.action(
                    format!("{{ auto add = {adder}($i); auto twice = {name}(add, add); $I = twice($i); }}"),
                    6,
                );
            }
            _ => {
                let functor = self.fresh("Fn");
                self.add(Piece::leaf(format!(
                    "struct {functor} {{ int by; __device__ int operator()(int a, int b) const {{ return (a - b) / 2 % by; }} }};"
                )));
                self.add(Piece::leaf(format!(
                    "template <{word} T, {word} F = {functor}> __device__ T {name}(const T *v, int num, T first, F f = F{{7}}) {{ for (int i = 0; i < num; ++i) first = f(first, v[i]); return first; }}"
                )));
                self.action(
                    format!("{{ int list[3] = {{$i, $i, $i}}; $I = {name}(list, 3, (int)$i); }}"),
                    6,
                );
                self.action(
                    format!("{{ int list[2] = {{$i, $i}}; $I = {name}(list, 2, 1, {functor}{{11}}); }}"),
                    6,
                );
                self.action(format!("{{ int list[2] = {{$i, $i}}; $I = {name}(list, 2, 0, [](int arg, int arg2) {{ return arg > arg2 ? arg : arg2; }}); }}"), 6);
                self.action(format!("{{ unsigned list[] = {{$u, $u}}; $U = {name}<unsigned>(list, 2, $u, [=](unsigned arg, unsigned arg2) {{ return arg * 31u + arg2; }}); }}"), 6);
            }
        }
    }

    /// Adds a variable that holds a lambda.
    pub(super) fn lambda(&mut self, out: &mut Vec<Piece>) {
        let name = self.fresh("fun");
        let kind = self.kind();
        let ty = self.type_of(kind);
        let outer = self.scope.clone();
        let saved = (
            self.turns,
            self.spent,
            self.can_break,
            self.num_loops,
            self.returns,
        );
        (self.turns, self.spent, self.can_break, self.num_loops) = (1, 1, false, 0);
        self.depth += 1;
        let way = self.random.below(6);
        let (captures, mutable) = self.captures(way);
        // By reference, or mutable.
        let has_effects = matches!(way, 2 | 5);
        if !has_effects {
            self.scope.actions.clear();
        }
        let is_generic = self.percent(20);
        let param = self.fresh("p");
        self.name(param.clone(), Kind::Tame, true);
        let param = format!("{} {param}", if is_generic { "auto" } else { "int" });
        let arrow = self.percent(55);
        self.returns = arrow.then_some(kind);
        let mut body = Vec::new();
        for _ in 0..self.random.weighted(&[3, 4, 2]) {
            self.statement(&mut body);
        }
        let value = self.expr(kind);
        body.push(if arrow {
            Piece::leaf(format!("return {value};"))
        } else {
            Piece::leaf(format!("return {ty}({value});"))
        });
        let arrow = if arrow { format!(" -> {ty}") } else { String::new() };
        let cost = self.spent;
        self.depth -= 1;
        (
            self.turns,
            self.spent,
            self.can_break,
            self.num_loops,
            self.returns,
        ) = saved;
        self.scope = outer;
        let constant = if has_effects {
            ""
        } else {
            self.pick(&["", "const "])
        };
        out.push(Piece::block(
            format!("{constant}auto {name} = {captures}({param}){mutable}{arrow} {{"),
            body,
            "};",
        ));
        if has_effects {
            let target = match kind {
                Kind::Tame => "$I",
                Kind::Unsigned => "$U",
                _ => "$F",
            };
            self.action(format!("{name}((int)$i);"), cost);
            self.action(format!("{target} = {name}((int)$i);"), cost);
            if kind == Kind::Unsigned && way == 5 {
                self.action(format!("$U += {name}((int)$i);"), cost);
                self.action(format!("{{ auto copy = {name}; $U ^= copy($c); }}"), cost + 1);
            }
        } else {
            self.form(format!("{name}((int)$i)"), kind, cost);
        }
    }

    /// The captures of a lambda and the word after its parameters. Leaves only names that the body can use.
    fn captures(&mut self, way: usize) -> (String, &'static str) {
        match way {
            0 => {
                // Values captured by copy do not change.
                self.freeze();
                ("[=]".to_owned(), "")
            }
            1 => {
                self.freeze();
                ("[&]".to_owned(), "")
            }
            2 => ("[&]".to_owned(), ""),
            3 => (self.captures_by_name(), ""),
            4 => {
                let value = self.expr(Kind::Tame);
                let second = self.expr(Kind::Unsigned);
                self.scope.names.clear();
                self.scope.objects.clear();
                self.scope.forms.retain(|form| !form.text.starts_with("fun"));
                self.scope.actions.clear();
                self.name("held", Kind::Tame, false);
                self.name("other", Kind::Unsigned, false);
                (format!("[held = {value}, other = {second}]"), "")
            }
            _ => {
                // A mutable lambda changes its captures.
                let value = self.expr(Kind::Unsigned);
                self.scope.names.clear();
                self.scope.objects.clear();
                self.scope.forms.retain(|form| !form.text.starts_with("fun"));
                self.scope.actions.clear();
                self.name("state", Kind::Unsigned, true);
                (format!("[state = {value}]"), " mutable")
            }
        }
    }

    /// Captures of up to three names.
    fn captures_by_name(&mut self) -> String {
        let is_word =
            |name: &Name| name.is_local && name.text.chars().all(|c| c.is_alphanumeric() || c == '_');
        let mut all: Vec<Name> = self
            .scope
            .names
            .iter()
            .filter(|name| is_word(name))
            .cloned()
            .collect();
        while all.len() > 3 {
            let at = self.random.below(all.len());
            all.remove(at);
        }
        let mut list = Vec::new();
        for name in &mut all {
            // Constants and expressions without an address are captured by copy.
            if name.is_mutable && self.percent(50) {
                list.push(format!("&{}", name.text));
            } else {
                list.push(name.text.clone());
            }
            name.is_mutable = false;
        }
        self.scope.names = all;
        self.scope.objects.clear();
        self.scope.forms.retain(|form| !form.text.starts_with("fun"));
        self.scope.actions.clear();
        format!("[{}]", list.join(", "))
    }

    /// Makes all visible names read-only.
    fn freeze(&mut self) {
        self.scope
            .names
            .iter_mut()
            .for_each(|name| name.is_mutable = false);
        self.scope
            .objects
            .iter_mut()
            .for_each(|object| object.is_mutable = false);
    }
}
