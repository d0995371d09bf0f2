//! Generates enumerations, unions, and traits.

use super::{Class, Kind, Maker, Piece};

impl Maker {
    pub(super) fn enumeration(&mut self) {
        let name = self.fresh("E");
        if self.percent(35) {
            self.union_();
            return;
        }
        let under = self.pick(&["", " : int", " : unsigned char", " : short"]);
        let second = self.random.between(2, 9);
        match self.random.below(3) {
            0 => {
                self.add(Piece::leaf(format!(
                    "enum class {name}{under} {{ A, B = {second}, C }};"
                )));
                self.form(format!("static_cast<int>({name}::C)"), Kind::Tame, 0);
                self.form(format!("(int)(($i & 1) ? {name}::B : {name}::A)"), Kind::Tame, 0);
                self.form(format!("{name}($i & 1) == {name}::A"), Kind::Bool, 0);
                let function = self.fresh("of");
                let (body, _) = self.body(&[("v", Kind::Tame, true)], Some(Kind::Tame), 1);
                let arms = vec![
                    Piece::leaf(format!("case {name}::A: v = 3;")),
                    Piece::leaf(format!("case {name}::B: return v;")),
                    Piece::leaf("default: break;"),
                ];
                let mut all = vec![Piece::block("switch (e) {", arms, "}")];
                all.extend(body);
                self.add(Piece::block(
                    format!("__device__ int {function}({name} e, int v) {{"),
                    all,
                    "}",
                ));
                self.form(format!("{function}({name}::A, $i)"), Kind::Tame, 4);
                self.form(
                    format!("{function}(static_cast<{name}>($i & 7), $i)"),
                    Kind::Tame,
                    4,
                );
                self.form(
                    format!("{function}($b ? {name}::C : {name}::B, $i)"),
                    Kind::Tame,
                    4,
                );
            }
            1 => {
                self.add(Piece::leaf(format!(
                    "enum {name} {{ {name}_A, {name}_B = {second}, {name}_C = {name}_B * 2 }};"
                )));
                self.form(format!("{name}_C"), Kind::Tame, 0);
                self.form(format!("{name}_A + $i % 9"), Kind::Tame, 0);
                self.form(format!("{name}::{name}_B"), Kind::Tame, 0);
                self.form(format!("$i < {name}_B"), Kind::Bool, 0);
            }
            _ => {
                let class = self.fresh("M");
                self.add(Piece::block(
                    format!("struct {class} {{"),
                    vec![
                        Piece::leaf(format!("enum class {name} {{ On, Off = {second} }};")),
                        Piece::leaf(format!("{name} mode;")),
                        Piece::leaf(format!(
                            "__device__ bool is_on() const {{ return mode == {name}::On; }}"
                        )),
                        Piece::leaf(format!(
                            "__device__ void flip() {{ mode = is_on() ? {name}::Off : {name}::On; }}"
                        )),
                    ],
                    "};",
                ));
                self.scope.classes.push(Class {
                    name: class,
                    makes: vec![
                        format!("$n{{$n::{name}::On}}"),
                        format!("$n{{$b ? $n::{name}::On : $n::{name}::Off}}"),
                    ],
                    inits: vec![
                        format!("{{$n::{name}::Off}}"),
                        format!(" = {{$n::{name}($i & 1)}}"),
                    ],
                    reads: vec![
                        (Kind::Bool, "$o.is_on()".to_owned()),
                        (Kind::Tame, "int($o.mode)".to_owned()),
                        (Kind::Bool, format!("$o.mode != $n::{name}::Off")),
                    ],
                    changes: vec!["$o.flip();".to_owned(), format!("$o.mode = $n::{name}::On;")],
                    is_plain: true,
                    cost: 3,
                });
            }
        }
    }

    fn union_(&mut self) {
        let name = self.fresh("U");
        let (members, class) = match self.random.below(3) {
            0 => (
                vec![
                    Piece::leaf("unsigned whole;"),
                    Piece::leaf("unsigned char parts[4];"),
                    Piece::leaf("unsigned short halves[2];"),
                ],
                Class {
                    makes: Vec::new(),
                    inits: vec!["{$u}".to_owned(), " = {$u}".to_owned()],
                    reads: vec![
                        (Kind::Unsigned, "$o.whole".to_owned()),
                        (Kind::Tame, "$o.parts[$k]".to_owned()),
                        (Kind::Tame, "$o.halves[$k & 1] / 16".to_owned()),
                        (Kind::Tame, "$o.parts[$d]".to_owned()),
                    ],
                    changes: vec![
                        "$o.whole = $u;".to_owned(),
                        "$o.parts[$k] = (unsigned char)$i;".to_owned(),
                        "$o.halves[1] ^= $u;".to_owned(),
                        "$o.parts[$d]++;".to_owned(),
                    ],
                    ..Class::default()
                },
            ),
            1 => (
                vec![
                    Piece::leaf("int tag;"),
                    Piece::block(
                        "union {",
                        vec![
                            Piece::leaf("unsigned bits;"),
                            Piece::leaf("struct { unsigned short low, high; };"),
                        ],
                        "};",
                    ),
                ],
                Class {
                    inits: vec!["{$i, {$u}}".to_owned(), " = {$i, {$u}}".to_owned()],
                    makes: vec!["$n{$i, {$u}}".to_owned()],
                    reads: vec![
                        (Kind::Tame, "$o.tag".to_owned()),
                        (Kind::Unsigned, "$o.bits".to_owned()),
                        (Kind::Tame, "$o.low % 1000".to_owned()),
                        (Kind::Unsigned, "$o.high + $u".to_owned()),
                    ],
                    changes: vec![
                        "$o.bits = $u;".to_owned(),
                        "$o.low = (unsigned short)$u;".to_owned(),
                        "$o.high += 3;".to_owned(),
                        "$o.tag = $i;".to_owned(),
                    ],
                    ..Class::default()
                },
            ),
            _ => (
                vec![
                    Piece::leaf("unsigned u;"),
                    Piece::leaf("int i;"),
                    Piece::leaf(format!("__device__ {name}(unsigned v) : u(v) {{}}")),
                    Piece::leaf("__device__ unsigned low() const { return u & 0xffu; }"),
                ],
                Class {
                    makes: vec!["$n($u)".to_owned(), "$n{$u}".to_owned()],
                    inits: vec!["($u)".to_owned(), "{$u}".to_owned(), " = $n($u)".to_owned()],
                    reads: vec![
                        (Kind::Unsigned, "$o.u".to_owned()),
                        (Kind::Tame, "$o.i % 1000".to_owned()),
                        (Kind::Unsigned, "$o.low()".to_owned()),
                    ],
                    changes: vec!["$o.i = $i;".to_owned(), "$o.u *= 3u;".to_owned()],
                    ..Class::default()
                },
            ),
        };
        let is_plain = class.makes.iter().all(|make| make != "$n($u)");
        let word = if class.reads[0].1 == "$o.tag" {
            "struct"
        } else {
            "union"
        };
        self.add(Piece::block(format!("{word} {name} {{"), members, "};"));
        self.scope.classes.push(Class {
            name,
            is_plain,
            cost: 1,
            ..class
        });
    }

    /// Adds a template with specializations, and its values for some types.
    pub(super) fn traits(&mut self) {
        let name = self.fresh("Trait");
        match self.random.below(4) {
            0 => self.partial_specializations(&name),
            1 => self.conditional_type(&name),
            2 => self.equality_of_types(&name),
            _ => self.recursive_value(&name),
        }
    }

    /// Adds a number of a type, with specializations.
    fn partial_specializations(&mut self, name: &str) {
        let types = [
            "int",
            "unsigned",
            "short",
            "int *",
            "const int",
            "int[5]",
            "const float *",
            "float",
        ];
        self.add(Piece::leaf(format!(
            "template <typename T> struct {name} {{ static const int value = 1; }};"
        )));
        let partial = [
            format!(
                "template <typename T> struct {name}<T *> {{ static const int value = 10 + {name}<T>::value; }};"
            ),
            format!(
                "template <typename T> struct {name}<const T> {{ static const int value = 20 + {name}<T>::value; }};"
            ),
            format!(
                "template <typename T, int N> struct {name}<T[N]> {{ static const int value = N * 30 + {name}<T>::value; }};"
            ),
            format!("template <> struct {name}<int> {{ static const int value = 5; }};"),
        ];
        for specialization in partial {
            if self.percent(65) {
                self.add(Piece::leaf(specialization));
            }
        }
        for _ in 0..4 {
            let ty = self.pick(&types);
            self.form(format!("int({name}<{ty}>::value)"), Kind::Tame, 0);
        }
    }

    /// Adds a choice between two types.
    fn conditional_type(&mut self, name: &str) {
        self.add(Piece::leaf(format!(
            "template <bool B, typename T, typename U> struct {name} {{ using type = T; }};"
        )));
        self.add(Piece::leaf(format!(
            "template <typename T, typename U> struct {name}<false, T, U> {{ using type = U; }};"
        )));
        self.add(Piece::leaf(format!(
            "template <bool B, typename T, typename U> using {name}_t = typename {name}<B, T, U>::type;"
        )));
        self.form(
            format!("(int)({name}_t<sizeof(int) == 4, short, char>)($i * 16)"),
            Kind::Tame,
            0,
        );
        self.form(
            format!("int(sizeof({name}<false, int, char>::type))"),
            Kind::Tame,
            0,
        );
        self.form(
            format!("(typename {name}<true, int, float>::type)$i"),
            Kind::Tame,
            0,
        );
    }

    /// Adds a comparison of two types, and a function that uses the result.
    fn equality_of_types(&mut self, name: &str) {
        self.add(Piece::leaf(format!(
            "template <typename T, typename U> struct {name} {{ static constexpr bool value = false; }};"
        )));
        self.add(Piece::leaf(format!(
            "template <typename T> struct {name}<T, T> {{ static constexpr bool value = true; }};"
        )));
        let function = self.fresh("kind");
        self.add(Piece::block(
            format!("template <typename T> __device__ int {function}(T v) {{"),
            vec![
                Piece::leaf(format!("if constexpr ({name}<T, int>::value) return v / 2;")),
                Piece::leaf(format!(
                    "else if constexpr ({name}<T, bool>::value) return v ? 11 : 12;"
                )),
                Piece::leaf("else return (int)(v * 2) % 1009 + (int)sizeof(T);"),
            ],
            "}",
        ));
        self.form(format!("{function}((int)$i)"), Kind::Tame, 2);
        self.form(format!("{function}($b)"), Kind::Tame, 2);
        self.form(format!("{function}((short)$i)"), Kind::Tame, 2);
        self.form(format!("{function}<unsigned char>($i)"), Kind::Tame, 2);
        self.form(format!("{name}<int, decltype('c' + true)>::value"), Kind::Bool, 0);
    }

    /// Adds a recursive value over an integer.
    fn recursive_value(&mut self, name: &str) {
        self.add(Piece::leaf(format!("template <int N> struct {name} {{ static const int value = (N + 2 * {name}<N - 1>::value) % 1009; }};")));
        self.add(Piece::leaf(format!(
            "template <> struct {name}<0> {{ static const int value = 1; }};"
        )));
        let at = self.random.between(1, 20);
        self.add(Piece::leaf(format!(
            "static_assert({name}<{at}>::value < 1009, \"a remainder\");"
        )));
        self.form(format!("{name}<{at}>::value"), Kind::Tame, 0);
        self.form(format!("{name}<{name}<1>::value + 2>::value"), Kind::Tame, 0);
    }
}
