//! Generates classes: members, constructors, operators, and inheritance.

use super::{Class, Kind, Maker, Piece};

/// A class under construction.
struct Draft {
    class: Class,
    fields: Vec<(String, Kind)>,
    members: Vec<Piece>,
    /// Out-of-class definitions of member functions.
    after: Vec<Piece>,
}

impl Maker {
    /// Adds a member function, in the class or after it.
    fn method(&mut self, draft: &mut Draft, ret: &str, rest: &str, body: Vec<Piece>) {
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
    fn method_body(
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

    pub(super) fn class(&mut self) {
        let name = self.fresh("P");
        let num = self.random.between(1, 3) as usize;
        let fields: Vec<(String, Kind)> = (0..num).map(|_| (self.fresh("f"), self.kind())).collect();
        let mut draft = Draft {
            class: Class {
                name: name.clone(),
                ..Class::default()
            },
            fields,
            members: Vec::new(),
            after: Vec::new(),
        };
        self.construction(&mut draft);
        for (field, kind) in draft.fields.clone() {
            draft.class.reads.push((kind, format!("$o.{field}")));
            let (tame, unsigned) = (format!("$o.{field} = $i;"), format!("$o.{field} += $u;"));
            draft.class.changes.push(match kind {
                Kind::Unsigned => unsigned,
                Kind::Real => format!("$o.{field} = $f;"),
                _ => tame,
            });
        }
        for _ in 0..self.random.between(1, 5) {
            self.member(&mut draft);
        }
        self.operators(&mut draft);
        self.finish(draft, "");
    }

    /// Adds the class and its operations.
    fn finish(&mut self, draft: Draft, base: &str) {
        let name = &draft.class.name;
        let (head, public) = if self.percent(25) {
            (format!("class {name}{base} {{"), true)
        } else {
            (format!("struct {name}{base} {{"), false)
        };
        let mut members = draft.members;
        if public {
            members.insert(0, Piece::leaf("public:"));
        }
        self.add(Piece::block(head, members, "};"));
        draft.after.into_iter().for_each(|piece| self.add(piece));
        self.scope.classes.push(draft.class);
        self.users(self.scope.classes.len() - 1);
    }

    fn construction(&mut self, draft: &mut Draft) {
        let letter = |kind: Kind| match kind {
            Kind::Tame => "$i",
            Kind::Unsigned => "$u",
            Kind::Real => "$f",
            Kind::Bool => "$b",
        };
        let args: Vec<&str> = draft.fields.iter().map(|(_, kind)| letter(*kind)).collect();
        let args = args.join(", ");
        let style = self.random.below(4);
        for (idx, (field, kind)) in draft.fields.clone().into_iter().enumerate() {
            let ty = self.type_of(kind);
            let value = self.simple_constant(kind);
            let text = match style {
                0 | 1 => format!("{ty} {field};"),
                _ if idx == 0 || self.percent(60) => format!("{ty} {field} = {value};"),
                _ => format!("{ty} {field}{{{value}}};"),
            };
            draft.members.push(Piece::leaf(text));
        }
        let class = &mut draft.class;
        class.makes.push(format!("$n{{{args}}}"));
        class.inits.push(format!("{{{args}}}"));
        if style == 0 {
            class.inits.push(format!(" = {{{args}}}"));
            class.is_plain = true;
            return;
        }
        class.makes.push(format!("$n({args})"));
        class.inits.push(format!("({args})"));
        class.inits.push(format!(" = $n({args})"));
        let params: Vec<String> = draft
            .fields
            .iter()
            .enumerate()
            .map(|(idx, (_, kind))| format!("{} a{idx}", self.type_of(*kind)))
            .collect();
        let inits: Vec<String> = draft
            .fields
            .iter()
            .enumerate()
            .map(|(idx, (field, _))| {
                if self.percent(70) {
                    format!("{field}(a{idx})")
                } else {
                    format!("{field}{{a{idx}}}")
                }
            })
            .collect();
        let name = draft.class.name.clone();
        let head = format!("__device__ {name}({})", params.join(", "));
        if style == 2 {
            let assigns = draft
                .fields
                .iter()
                .enumerate()
                .map(|(idx, (field, _))| Piece::leaf(format!("{field} = a{idx};")))
                .collect();
            draft
                .members
                .push(Piece::block(format!("{head} {{"), assigns, "}"));
        } else {
            draft
                .members
                .push(Piece::leaf(format!("{head} : {} {{}}", inits.join(", "))));
        }
        // Without arguments.
        let values: Vec<String> = draft
            .fields
            .iter()
            .map(|(_, kind)| self.simple_constant(*kind))
            .collect();
        match (style, self.random.below(3)) {
            (_, 0) => return,
            (2 | 3, 1) => draft.members.push(Piece::leaf(format!("{name}() = default;"))),
            (_, 1) => draft.members.push(Piece::leaf(format!(
                "__device__ {name}() : {name}({}) {{}}",
                values.join(", ")
            ))),
            _ => {
                let inits: Vec<String> = draft
                    .fields
                    .iter()
                    .zip(&values)
                    .map(|((field, _), value)| format!("{field}({value})"))
                    .collect();
                draft.members.push(Piece::leaf(format!(
                    "__device__ {name}() : {} {{}}",
                    inits.join(", ")
                )));
            }
        }
        for form in ["$n()", "$n{}"] {
            draft.class.makes.push(form.to_owned());
        }
        for form in ["", "{}"] {
            draft.class.inits.push(form.to_owned());
        }
    }

    fn simple_constant(&mut self, kind: Kind) -> String {
        match kind {
            Kind::Unsigned => format!("{}u", self.random.below(900)),
            Kind::Real if !self.legacy => format!("{}.5f", self.random.below(9)),
            Kind::Bool => "true".to_owned(),
            _ => self.random.between(-9, 90).to_string(),
        }
    }

    /// Adds a member other than a field.
    fn member(&mut self, draft: &mut Draft) {
        let word = self.fresh("m");
        match self.random.below(9) {
            0 | 1 => {
                let (body, _) = self.method_body(draft, &[("k", Kind::Tame, false)], false, Some(Kind::Tame));
                self.method(draft, "int", &format!("{word}(int k) const"), body);
                draft.class.reads.push((Kind::Tame, format!("$o.{word}($i)")));
            }
            2 => {
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
            3 => {
                let (body, _) = self.method_body(draft, &[("by", Kind::Unsigned, false)], true, None);
                self.method(draft, "void", &format!("{word}(unsigned by)"), body);
                draft.class.changes.push(format!("$o.{word}($u);"));
            }
            4 => {
                let (mut body, _) = self.method_body(draft, &[("by", Kind::Tame, true)], true, None);
                body.push(Piece::leaf("return *this;"));
                let name = draft.class.name.clone();
                self.method(draft, &format!("{name} &"), &format!("{word}(int by)"), body);
                draft.class.changes.push(format!("$o.{word}($i);"));
                draft.class.changes.push(format!("$o.{word}($i).{word}($c);"));
            }
            5 => {
                let (body, _) = self.body(&[("v", Kind::Tame, true)], Some(Kind::Tame), 1);
                self.method(draft, "static int", &format!("{word}(int v)"), body);
                draft.class.reads.push((Kind::Tame, format!("$n::{word}($i)")));
                draft.class.reads.push((Kind::Tame, format!("$o.{word}($i)")));
            }
            6 => {
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
            7 => {
                // An overload for constant and non-constant objects.
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
            _ => {
                // A nested type and a function that uses the type.
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

    fn operators(&mut self, draft: &mut Draft) {
        let name = draft.class.name.clone();
        let fields = draft.fields.clone();
        let (first, first_kind) = fields[0].clone();
        if self.percent(45) {
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
        if self.percent(35) {
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
        if self.percent(25) {
            let (body, _) = self.method_body(draft, &[("i", Kind::Tame, false)], false, Some(Kind::Tame));
            self.method(draft, "int", "operator()(int i) const", body);
            draft.class.reads.push((Kind::Tame, "$o($i)".to_owned()));
        }
        if self.percent(20) {
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
        if self.percent(25) {
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
        if first_kind == Kind::Unsigned && self.percent(50) {
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
        if fields.iter().all(|(_, kind)| *kind == first_kind) && self.percent(50) {
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

    /// Adds functions that take or return objects.
    fn users(&mut self, class: usize) {
        let Class {
            name, reads, changes, ..
        } = self.scope.classes[class].clone();
        let params = |this: &mut Self, is_mutable| {
            this.scope.objects.push(super::Object {
                text: "p".to_owned(),
                class,
                is_mutable,
            });
        };
        for _ in 0..self.random.below(3) {
            let function = self.fresh("use");
            match self.random.below(6) {
                0 => {
                    let (body, cost) =
                        self.body_with(&[("k", Kind::Tame, false)], Some(Kind::Tame), 2, |this| {
                            params(this, false);
                        });
                    let by = self.pick(&["const N &p", "N p", "const N p"]).replace('N', &name);
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
                1 => {
                    let (body, cost) =
                        self.body_with(&[("k", Kind::Unsigned, true)], None, 2, |this| params(this, true));
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
                2 => {
                    let (body, cost) = self.body_with(&[("k", Kind::Unsigned, true)], None, 2, |this| {
                        this.scope.objects.push(super::Object {
                            text: "(*p)".to_owned(),
                            class,
                            is_mutable: true,
                        });
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
                3 => {
                    let (mut body, cost) =
                        self.body_with(&[("k", Kind::Tame, false)], None, 2, |this| params(this, true));
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
                    if let Some((kind, read)) = reads
                        .iter()
                        .find(|(_, read)| read.starts_with("$o.") && !read.contains('('))
                    {
                        let read = read.replace("$o", &format!("{function}($o, $i)"));
                        self.scope.classes[class].reads.push((*kind, read));
                    }
                }
                4 => {
                    self.add(Piece::leaf(format!(
                        "__device__ {name} &{function}({name} &p) {{ return p; }}"
                    )));
                    if let Some(change) = changes.first() {
                        self.scope.classes[class]
                            .changes
                            .push(change.replace("$o", &format!("{function}($o)")));
                    }
                }
                _ => {
                    self.add(Piece::leaf(format!(
                        "template <typename T> __device__ T {function}(const T &a, const T &b, bool c) {{ return c ? a : b; }}"
                    )));
                    self.scope.classes[class]
                        .changes
                        .push(format!("$o = {function}($o, $C, $b);"));
                    self.form(format!("{function}((int)$i, (int)$i, $b)"), Kind::Tame, 1);
                    self.form(format!("{function}<unsigned>($i, $u, $b)"), Kind::Unsigned, 1);
                }
            }
        }
    }

    fn costs(&mut self, class: usize, cost: u64) {
        let class = &mut self.scope.classes[class];
        class.cost = class.cost.max(cost);
    }

    /// Adds a class with a base class.
    pub(super) fn derived(&mut self) {
        if self.scope.classes.is_empty() {
            self.class();
        }
        let all: Vec<usize> = (0..self.scope.classes.len()).collect();
        let base = self.random.pick(&all);
        let Class {
            name: base_name,
            makes,
            reads,
            changes,
            cost,
            ..
        } = self.scope.classes[base].clone();
        let is_open = makes.iter().any(|make| make.contains("{$u}")) || base_name.starts_with('U');
        let Some(make) = makes
            .iter()
            .find(|make| make.starts_with("$n{") && make.contains('$'))
        else {
            return;
        };
        // A union cannot be a base class, and unnamed members are not visible through a base.
        if is_open {
            return;
        }
        let arguments = make["$n{".len()..make.len() - 1].to_owned();
        let name = self.fresh("D");
        let field = self.fresh("g");
        let kind = self.kind();
        let ty = self.type_of(kind);
        let mut draft = Draft {
            class: Class {
                name: name.clone(),
                cost,
                ..Class::default()
            },
            fields: vec![(field.clone(), kind)],
            members: vec![Piece::leaf(format!("{ty} {field};"))],
            after: Vec::new(),
        };
        let letter = match kind {
            Kind::Tame => "$i",
            Kind::Unsigned => "$u",
            _ => "$f",
        };
        // The base is copy-constructed from an object.
        let head = match self.random.below(3) {
            0 => format!("__device__ {name}(const {base_name} &b, {ty} v) : {base_name}(b), {field}(v) {{}}"),
            1 => format!("__device__ {name}({base_name} b, {ty} v) : {base_name}(b), {field}{{v}} {{}}"),
            _ => format!(
                "__device__ {name}(const {base_name} &b, {ty} v) : {base_name}(b) {{ this->{field} = v; }}"
            ),
        };
        draft.members.push(Piece::leaf(head));
        let made = format!("{base_name}{{{arguments}}}, {letter}");
        draft.class.makes.push(format!("$n({made})"));
        draft.class.makes.push(format!("$n{{{made}}}"));
        draft.class.inits.push(format!("({made})"));
        draft.class.reads.push((kind, format!("$o.{field}")));
        draft.class.reads.extend(
            reads
                .iter()
                .filter(|(_, read)| read.starts_with("$o.") && !read.contains("$C") && !read.contains("$n"))
                .cloned(),
        );
        draft.class.changes.extend(
            changes
                .iter()
                .filter(|change| {
                    change.starts_with("$o.") && !change.contains("$C") && !change.contains("$n")
                })
                .cloned(),
        );
        // Members of the base only.
        for (read_kind, read) in &reads {
            if read.starts_with("$o.") && !read.contains("$C") && !read.contains("$n") {
                let forms = [
                    read.replace("$o", &format!("static_cast<const {base_name} &>($o)")),
                    read.replace("$o.", &format!("$o.{base_name}::")),
                    read.replace("$o", &format!("{base_name}($o)")),
                ];
                // `D::space::B::` is nothing.
                let form = match self.random.pick(&forms) {
                    form if form == forms[1] && read.contains("::") => forms[0].clone(),
                    form => form,
                };
                draft.class.reads.push((*read_kind, form));
            }
        }
        for _ in 0..self.random.between(0, 2) {
            self.member(&mut draft);
        }
        // A name that hides a base member.
        if let Some((_, read)) = reads
            .iter()
            .find(|(kind, read)| *kind == Kind::Tame && read.ends_with("($i)") && read.starts_with("$o.m"))
        {
            let word = read["$o.".len()..read.len() - 4].to_owned();
            draft.members.push(Piece::leaf(format!(
                "__device__ int {word}(int k) const {{ return ({base_name}::{word}(k) + 1) / 2; }}"
            )));
        }
        // An unused draw, so the programs of seeds stay equal.
        let _ = self.random.below(2);
        self.finish(draft, &format!(" : public {base_name}"));
    }
}

/// Returns the arguments of the first constructor, in braces.
fn init_of(class: &Class) -> String {
    let make = class.makes.first().map_or("", String::as_str);
    make.strip_prefix("$n").unwrap_or("{}").to_owned()
}
