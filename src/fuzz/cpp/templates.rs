//! Generates function and class templates.

use super::{Class, Kind, Maker, Piece};

impl Maker {
    /// Adds a function template, and its values for some arguments.
    pub(super) fn function_template(&mut self) {
        let name = self.fresh("tf");
        let word = self.pick(&["typename", "class"]);
        let wide = if self.percent(50) { "long long" } else { "short" };
        match self.random.below(8) {
            0 => self.template_of_one_type(&name, word, wide),
            1 => self.template_of_two_types(&name, word),
            2 => self.recursive_template(&name),
            3 => self.constant_condition(&name, word),
            4 => self.specialization(&name, word),
            5 => self.array_parameter(&name, word),
            6 => self.enabled_overloads(&name, word),
            _ => self.dependent_member(&name, word),
        }
    }

    /// Adds a template with one type.
    fn template_of_one_type(&mut self, name: &str, word: &str, wide: &str) {
        let real = self.real();
        let body = match self.random.below(3) {
            0 => "return a < b ? b : a;",
            1 => "T c = a; if (c < b) c = b; else c -= T(1); return c;",
            _ => "const T &c = b; return (a == c) ? T(4) : T(a + c) / T(2);",
        };
        self.add(Piece::leaf(format!(
            "template <{word} T> __device__ T {name}(T a, T b) {{ {body} }}"
        )));
        self.form(format!("(int){name}((int)$i, (int)$i) % 1009"), Kind::Tame, 2);
        self.form(format!("(int){name}<{wide}>($i, $i) % 1009"), Kind::Tame, 2);
        self.form(format!("{name}((unsigned)$i, 7u)"), Kind::Unsigned, 2);
        self.form(format!("{name}<unsigned>($u, $u)"), Kind::Unsigned, 2);
        self.form(format!("(int){name}<{real}>($i, $f) / 2"), Kind::Tame, 2);
    }

    /// Adds a template with two types.
    fn template_of_two_types(&mut self, name: &str, word: &str) {
        let rest = match self.random.below(3) {
            0 => format!("auto {name}(T a, U b) {{ return a + b; }}"),
            1 => format!("auto {name}(const T &a, const U &b) {{ return a - b; }}"),
            _ => format!(
                "decltype(T() + U()) {name}(T a, U b) {{ decltype(T() + U()) c = a; c += b; return c; }}"
            ),
        };
        self.add(Piece::leaf(format!(
            "template <{word} T, {word} U> __device__ {rest}"
        )));
        self.form(format!("(int){name}($i, (long long)$i) / 2"), Kind::Tame, 2);
        self.form(format!("(int){name}($b, (short)$i) / 2"), Kind::Tame, 2);
        self.form(format!("(unsigned){name}($u, $i)"), Kind::Unsigned, 2);
        self.form(format!("(int){name}<char, int>($c, $i) / 2"), Kind::Tame, 2);
        self.form(format!("(int)sizeof({name}((char)1, (short)2))"), Kind::Tame, 0);
    }

    /// Adds a recursive template over an integer that counts down.
    fn recursive_template(&mut self, name: &str) {
        let num = self.random.between(1, 6);
        match self.random.below(3) {
            0 => {
                self.add(Piece::leaf(format!(
                    "template <int N> __device__ int {name}(int v) {{ return (v + N * {name}<N - 1>(v / 2)) % 1009; }}"
                )));
                self.add(Piece::leaf(format!("template <> __device__ int {name}<0>(int v) {{ return v; }}")));
            }
            1 => self.add(Piece::leaf(format!(
                "template <int N> __device__ int {name}(int v) {{ if constexpr (N > 1) return {name}<N - 1>(v ^ N) / 2 + N; else {{ return v; }} }}"
            ))),
            _ => {
                let pragma = self.pick(&["", "#pragma unroll"]);
                self.add(Piece::block(
                format!("template <unsigned N, int M = 3> __device__ int {name}(int v) {{"),
                vec![
                    Piece::leaf(pragma),
                    Piece::leaf("for (unsigned i = 0; i < N; i++) { if (i == 3) continue; v = (v * M + i) % 997; }"),
                    Piece::leaf("return v;"),
                ],
                "}",
            ));
            }
        }
        self.form(format!("{name}<{num}>($i)"), Kind::Tame, 8);
        self.form(format!("{name}<1>($i)"), Kind::Tame, 2);
        self.form(format!("{name}<{num} + sizeof(char)>($i)"), Kind::Tame, 8);
    }

    /// Adds a template with a constant condition.
    fn constant_condition(&mut self, name: &str, word: &str) {
        let (first, cost) = self.body(&[("v", Kind::Tame, true)], Some(Kind::Tame), 2);
        let test = self.pick(&["if constexpr (B)", "if (B)"]);
        let mut body = vec![Piece::block(format!("{test} {{"), first, "}")];
        body.push(Piece::leaf("return (int)T(v) / 2;"));
        self.add(Piece::block(
            format!("template <bool B, {word} T = short> __device__ int {name}(int v) {{"),
            body,
            "}",
        ));
        self.form(format!("{name}<true>($i)"), Kind::Tame, cost);
        self.form(format!("{name}<false>($i)"), Kind::Tame, 1);
        self.form(format!("{name}<false, signed char>($i)"), Kind::Tame, 1);
        self.form(format!("{name}<(sizeof(int) > 2)>($i)"), Kind::Tame, cost);
    }

    /// Adds a specialization and overloads.
    fn specialization(&mut self, name: &str, word: &str) {
        self.add(Piece::leaf(format!(
            "__device__ int {name}(unsigned v) {{ return (int)(v % 300u); }}"
        )));
        self.add(Piece::leaf(format!(
            "template <{word} T> __device__ int {name}(T v) {{ return 100 + (int)sizeof(T); }}"
        )));
        self.add(Piece::leaf(format!(
            "template <> __device__ int {name}<short>(short v) {{ return v / 3; }}"
        )));
        self.add(Piece::leaf(format!(
            "template <{word} T> __device__ int {name}(T *v) {{ return 200 + {name}(T()); }}"
        )));
        for argument in ["(int)$i", "(short)$i", "$u", "'c'", "$b", "1ll"] {
            self.form(format!("{name}({argument})"), Kind::Tame, 2);
        }
        self.form(format!("{name}<>((int)$i)"), Kind::Tame, 2);
        self.form(format!("{name}<unsigned>($u)"), Kind::Tame, 2);
        self.action(format!("$U += {name}(&$I);"), 3);
        self.action(format!("$I = {name}(&$U);"), 3);
    }

    /// Adds an array parameter with a deduced length.
    fn array_parameter(&mut self, name: &str, word: &str) {
        let head = "const T (&v)[N]";
        self.add(Piece::leaf(format!(
            "template <{word} T, int N> __device__ T {name}({head}) {{ T s = v[0]; for (int i = 1; i < N; i++) s += v[i] * T(i); return s; }}"
        )));
        self.action(
            format!("{{ int local[3] = {{$i, $i, $c}}; $U += {name}(local); }}"),
            6,
        );
        self.action(
            format!("{{ unsigned local[] = {{$u, $u, $u, 5u}}; $U ^= {name}(local); }}"),
            8,
        );
        self.action(
            format!("{{ const short local[2] = {{(short)$i, 8}}; $I = {name}(local) / 20; }}"),
            4,
        );
    }

    /// Adds overloads that are selected by whether a type exists (SFINAE).
    fn enabled_overloads(&mut self, name: &str, word: &str) {
        let enable = self.fresh("Enable");
        self.add(Piece::leaf(format!(
            "template <bool B, {word} T = void> struct {enable} {{}};"
        )));
        self.add(Piece::leaf(format!(
            "template <{word} T> struct {enable}<true, T> {{ using type = T; }};"
        )));
        self.add(Piece::leaf(format!("template <{word} T> __device__ typename {enable}<(sizeof(T) > 2), int>::type {name}(T v) {{ return int(v) / 2; }}")));
        self.add(Piece::leaf(format!("template <{word} T, {word} = typename {enable}<(sizeof(T) <= 2)>::type> __device__ int {name}(T v, int w = 3) {{ return (v + w) / 2; }}")));
        self.form(format!("{name}((int)$i)"), Kind::Tame, 2);
        self.form(format!("{name}((short)$i)"), Kind::Tame, 2);
        self.form(format!("{name}((signed char)$i)"), Kind::Tame, 2);
    }

    /// Adds a member whose type depends on the parameter.
    fn dependent_member(&mut self, name: &str, word: &str) {
        let holder = self.fresh("H");
        self.add(Piece::leaf(format!(
            "template <{word} T> struct {holder} {{ typedef T value_type; T v; template <{word} U> __device__ U as() const {{ return U(v); }} static __device__ {holder} of(T v) {{ return {holder}{{v}}; }} }};"
        )));
        self.add(Piece::leaf(format!(
            "template <{word} C> __device__ typename C::value_type {name}(const C &c) {{ typename C::value_type v = c.template as<typename C::value_type>(); return v; }}"
        )));
        self.form(format!("{name}({holder}<int>{{$i}})"), Kind::Tame, 3);
        self.form(format!("{name}({holder}<unsigned>::of($u))"), Kind::Unsigned, 3);
        self.form(format!("{holder}<int>{{$i}}.as<short>()"), Kind::Tame, 3);
        self.scope.classes.push(Class {
            name: format!("{holder}<int>"),
            makes: vec!["$n{$i}".to_owned(), "$n::of($i)".to_owned()],
            inits: vec![
                "{$i}".to_owned(),
                " = {$i}".to_owned(),
                " = $n::of($i)".to_owned(),
            ],
            reads: vec![
                (Kind::Tame, "$o.v".to_owned()),
                (Kind::Unsigned, "$o.template as<unsigned>()".to_owned()),
                (Kind::Tame, "(int)$o.template as<unsigned char>()".to_owned()),
                (Kind::Tame, format!("{name}($o)")),
            ],
            changes: vec![
                "$o.v = $i;".to_owned(),
                "$o = $n::of($i);".to_owned(),
                "$o = {$i};".to_owned(),
            ],
            is_plain: true,
            cost: 3,
        });
    }

    pub(super) fn class_template(&mut self) {
        let name = self.fresh("T");
        let word = self.pick(&["typename", "class"]);
        match self.random.below(4) {
            0 => self.array_template(&name, word),
            1 => self.stack_template(&name, word),
            2 => self.pair_template(&name, word),
            _ => self.crtp(&name, word),
        }
    }

    fn array_template(&mut self, name: &str, word: &str) {
        let default = self.pick(&["int N", "int N = 4", "unsigned N"]);
        let mut members = vec![
            Piece::leaf("T v[N];"),
            Piece::leaf("using value_type = T;"),
            Piece::leaf("static constexpr int SIZE = (int)N;"),
            Piece::leaf("__device__ T &operator[](int i) { return v[i]; }"),
            Piece::leaf("__device__ const T &operator[](int i) const { return v[i]; }"),
            Piece::leaf("__device__ T *begin() { return v; }"),
            Piece::leaf("__device__ T *end() { return v + N; }"),
        ];
        let sum = "T s = T(); for (int i = 0; i < (int)N; ++i) s += v[i]; return s;";
        let mut after = Vec::new();
        if self.random.below(3) == 0 {
            members.push(Piece::leaf(format!("__device__ T sum() const {{ {sum} }}")));
        } else {
            members.push(Piece::leaf("__device__ T sum() const;"));
            let plain = default.replace(" = 4", "");
            after.push(Piece::leaf(format!(
                "template <{word} T, {plain}> __device__ T {name}<T, N>::sum() const {{ {sum} }}"
            )));
        }
        if self.percent(50) {
            members.push(Piece::leaf(format!(
                "template <{word} F> __device__ {name} &each(F f) {{ for (int i = 0; i < SIZE; i++) v[i] = f(v[i]); return *this; }}"
            )));
        } else {
            members.push(Piece::leaf(format!(
                "template <{word} F> __device__ {name}<T, N> &each(const F &f) {{ for (T *p = begin(); p != end(); ++p) *p = f(*p); return *this; }}"
            )));
        }
        if self.percent(50) {
            let plain = default.replace(" = 4", "");
            after.push(Piece::leaf(format!(
                "template <{word} T, {plain}> __device__ bool operator==(const {name}<T, N> &a, const {name}<T, N> &b) {{ for (int i = 0; i < (int)N; i++) if (!(a[i] == b[i])) return false; return true; }}"
            )));
        } else {
            members.push(Piece::leaf(format!(
                "__device__ bool operator==(const {name} &other) const {{ int same = 0; for (int i = 0; i < SIZE; i++) same += v[i] == other.v[i]; return same == SIZE; }}"
            )));
        }
        self.add(Piece::block(
            format!("template <{word} T, {default}> struct {name} {{"),
            members,
            "};",
        ));
        for piece in after {
            self.add(piece);
        }
        let alias = self.percent(30);
        for (ty, kind) in [("int", Kind::Tame), ("unsigned", Kind::Unsigned)] {
            let mut full = format!("{name}<{ty}, 4>");
            if default.contains("= 4") && self.percent(40) {
                full = format!("{name}<{ty}>");
            }
            if alias {
                let short = self.fresh("Alias");
                self.add(Piece::leaf(format!("using {short} = {full};")));
                full = short;
            }
            self.array_operations(full, kind);
        }
    }

    /// Adds the operations of an array class with elements of a kind.
    fn array_operations(&mut self, full: String, kind: Kind) {
        let letter = super::functions::letter_of(kind);
        let mut changes = vec![
            format!("$o[$k] = {letter};"),
            format!("$o.v[$d] = {letter};"),
            "$o.each([](auto v) { return v / 2; });".to_owned(),
            "for (auto *at = $o.begin(); at != $o.end(); at++) *at /= 3;".to_owned(),
        ];
        if kind == Kind::Unsigned {
            changes.push("$o.each([&](unsigned v) { return v * $u; });".to_owned());
            changes.push("$o[$k] += $u;".to_owned());
        }
        self.scope.classes.push(Class {
            name: full,
            makes: vec![
                format!("$n{{{{{letter}, {letter}}}}}"),
                format!("$n{{{letter}, {letter}, {letter}}}"),
                "$n()".to_owned(),
            ],
            inits: vec![
                format!(" = {{{{{letter}, {letter}}}}}"),
                format!("{{{{{letter}, {letter}, {letter}, {letter}}}}}"),
            ],
            reads: vec![
                (kind, "$o[$k]".to_owned()),
                (kind, "$o.v[$d]".to_owned()),
                (
                    kind,
                    if kind == Kind::Tame {
                        "$o.sum() / 4"
                    } else {
                        "$o.sum()"
                    }
                    .to_owned(),
                ),
                (Kind::Tame, "$n::SIZE".to_owned()),
                (Kind::Bool, "$o == $o".to_owned()),
            ],
            changes,
            is_plain: true,
            cost: 10,
        });
    }

    fn stack_template(&mut self, name: &str, word: &str) {
        let init = match self.random.below(3) {
            0 => vec![
                Piece::leaf("T items[8];"),
                Piece::leaf("int top;"),
                Piece::leaf(format!("__device__ {name}() : top(0) {{}}")),
            ],
            1 => vec![Piece::leaf("T items[8];"), Piece::leaf("int top = 0;")],
            _ => vec![
                Piece::leaf("T items[8] = {};"),
                Piece::leaf("int top{0};"),
                Piece::leaf(format!("{name}() = default;")),
            ],
        };
        let mut members = vec![Piece::leaf("public:")];
        members.extend(init);
        members.push(Piece::leaf(
            "__device__ bool push(const T &x) { if (top >= 8) return false; items[top++] = x; return true; }",
        ));
        members.push(Piece::leaf(match self.random.below(3) {
            0 => "__device__ T pop() { return top > 0 ? items[--top] : T(3); }",
            1 => "__device__ T pop() { if (empty()) return T(3); --top; return items[top]; }",
            _ => {
                "__device__ T pop() { T x = T(3); if (!empty()) { x = items[top - 1]; top -= 1; } return x; }"
            }
        }));
        members.push(Piece::leaf("__device__ bool empty() const { return top == 0; }"));
        members.push(Piece::leaf(
            "__device__ T peek(int below = 0) const { return top > below ? items[top - 1 - below] : T(5); }",
        ));
        self.add(Piece::block(
            format!("template <{word} T> class {name} {{"),
            members,
            "};",
        ));
        for (ty, kind) in [("int", Kind::Tame), ("unsigned", Kind::Unsigned)] {
            let letter = super::functions::letter_of(kind);
            let variable = if kind == Kind::Tame { "$I" } else { "$U" };
            self.scope.classes.push(Class {
                name: format!("{name}<{ty}>"),
                makes: vec!["$n()".to_owned(), "$n{}".to_owned()],
                inits: vec![String::new(), "{}".to_owned(), " = $n()".to_owned()],
                reads: vec![
                    (kind, "$o.peek()".to_owned()),
                    (kind, "$o.peek($k)".to_owned()),
                    (Kind::Bool, "$o.empty()".to_owned()),
                    (Kind::Tame, "$o.top".to_owned()),
                ],
                changes: vec![
                    format!("$o.push({letter});"),
                    format!("if (!$o.push({letter})) $o.pop();"),
                    format!("{variable} = $o.pop();"),
                    format!("while (!$o.empty()) {variable} = $o.pop();"),
                    format!("$o.empty() && $o.push({letter});"),
                ],
                cost: 12,
                ..Class::default()
            });
        }
    }

    fn pair_template(&mut self, name: &str, word: &str) {
        let after = self.percent(50);
        let mut members = vec![
            Piece::leaf("A first;"),
            Piece::leaf("B second;"),
            Piece::leaf(format!("__device__ {name}() : first(1), second(2) {{}}")),
            Piece::leaf(match self.random.below(3) {
                0 => format!("__device__ {name}(const A &a, const B &b) : first(a), second(b) {{}}"),
                1 => format!("__device__ {name}(A a, B b) : first{{a}}, second{{b}} {{}}"),
                _ => format!("__device__ {name}(A a, B b = B(4)) : first(a) {{ second = b; }}"),
            }),
            Piece::leaf(format!(
                "__device__ {name}<B, A> swapped() const {{ return {name}<B, A>(second, first); }}"
            )),
            Piece::leaf("static const int ID = 1;"),
        ];
        let total = "return (long long)first + (long long)second;";
        if after {
            members.push(Piece::leaf("__device__ long long total() const;"));
        } else {
            members.push(Piece::leaf(format!(
                "__device__ long long total() const {{ {total} }}"
            )));
        }
        self.add(Piece::block(
            format!("template <{word} A, {word} B = A> struct {name} {{"),
            members,
            "};",
        ));
        if after {
            self.add(Piece::leaf(format!(
                "template <{word} A, {word} B> __device__ long long {name}<A, B>::total() const {{ {total} }}"
            )));
        }
        if self.percent(60) {
            // A partial specialization for a pointer as second argument.
            self.add(Piece::leaf(format!(
                "template <{word} A, {word} B> struct {name}<A, B *> {{ A first; B *second; static const int ID = 2; __device__ int value() const {{ return (int)(first + *second) % 1009; }} }};"
            )));
            self.form(format!("{name}<int, int *>::ID"), Kind::Tame, 0);
            self.action(
                format!(
                    "{{ {name}<int, int *> both = {{$i, &$I}}; *both.second /= 3; $U += both.value(); }}"
                ),
                5,
            );
        }
        if self.percent(40) {
            self.add(Piece::leaf(format!(
                "template <> struct {name}<bool, bool> {{ bool first; bool second; static const int ID = 3; __device__ int value() const {{ return first + second * 2; }} }};"
            )));
            self.form(format!("{name}<bool>{{$b, $b}}.value()"), Kind::Tame, 2);
            self.form(format!("{name}<bool>::ID + {name}<char>::ID"), Kind::Tame, 0);
        }
        let maker = self.fresh("make");
        self.add(Piece::leaf(format!(
            "template <{word} A, {word} B> __device__ {name}<A, B> {maker}(A a, B b) {{ return {name}<A, B>(a, b); }}"
        )));
        self.form(format!("(int){maker}($i, 'x').total() / 2"), Kind::Tame, 3);
        self.form(
            format!("(int){maker}((short)$i, $c).swapped().second"),
            Kind::Tame,
            4,
        );
        self.scope.classes.push(Class {
            name: format!("{name}<int, unsigned>"),
            makes: vec![
                "$n()".to_owned(),
                "$n($i, $u)".to_owned(),
                format!("{maker}((int)$i, $u)"),
                format!("{name}<unsigned, int>($u, $i).swapped()"),
            ],
            inits: vec![
                String::new(),
                "($i, $u)".to_owned(),
                "{$i, $u}".to_owned(),
                format!(" = {maker}((int)$i, $u)"),
            ],
            reads: vec![
                (Kind::Tame, "$o.first".to_owned()),
                (Kind::Unsigned, "$o.second".to_owned()),
                (Kind::Unsigned, "(unsigned)$o.total()".to_owned()),
                (Kind::Unsigned, "$o.swapped().first".to_owned()),
                (Kind::Tame, "$o.swapped().swapped().first".to_owned()),
            ],
            changes: vec![
                "$o.first = $i;".to_owned(),
                "$o.second -= $u;".to_owned(),
                "$o = $o.swapped().swapped();".to_owned(),
                "$o = $n($i, $u);".to_owned(),
            ],
            cost: 4,
            ..Class::default()
        });
    }

    /// Adds a base class template that knows its derived class (CRTP).
    fn crtp(&mut self, name: &str, word: &str) {
        let derived = self.fresh("Own");
        let access = self.pick(&["static_cast<const D *>(this)->", "((const D &)*this).", "self()."]);
        let mut members = vec![
            Piece::leaf(format!(
                "__device__ int doubled(int k) const {{ return ({access}value(k) + 1) / 2; }}"
            )),
            Piece::leaf(
                "__device__ D &set(int k) { static_cast<D *>(this)->v = k; return *static_cast<D *>(this); }",
            ),
        ];
        members.push(Piece::leaf(
            "__device__ const D &self() const { return static_cast<const D &>(*this); }",
        ));
        self.add(Piece::block(
            format!("template <{word} D> struct {name} {{"),
            members,
            "};",
        ));
        let (body, cost) = self.body_with(&[("k", Kind::Tame, true)], Some(Kind::Tame), 1, |this| {
            this.member_name("v", Kind::Tame, false);
        });
        self.add(Piece::block(
            format!("struct {derived} : {name}<{derived}> {{"),
            vec![
                Piece::leaf("int v;"),
                Piece::leaf(format!("__device__ {derived}(int v) : v(v) {{}}")),
                Piece::block("__device__ int value(int k) const {", body, "}"),
            ],
            "};",
        ));
        self.scope.classes.push(Class {
            name: derived,
            makes: vec!["$n($i)".to_owned(), "$n{$i}".to_owned()],
            inits: vec!["($i)".to_owned(), "{$i}".to_owned(), " = $n($i)".to_owned()],
            reads: vec![
                (Kind::Tame, "$o.v".to_owned()),
                (Kind::Tame, "$o.doubled($i)".to_owned()),
                (Kind::Tame, "$o.value($i)".to_owned()),
                (Kind::Tame, "$o.self().v".to_owned()),
            ],
            changes: vec![
                "$o.set($i);".to_owned(),
                "$o.set($i).set($c).v /= 2;".to_owned(),
                "$o.v = $i;".to_owned(),
            ],
            cost: cost + 2,
            ..Class::default()
        });
    }
}
