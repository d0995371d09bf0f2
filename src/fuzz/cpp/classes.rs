//! Generates classes: members, constructors, operators, and inheritance.

mod members;
mod operators;
mod users;

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
    /// Adds a class.
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

    /// Adds the fields and the constructors.
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

    /// Returns a constant of a kind.
    fn simple_constant(&mut self, kind: Kind) -> String {
        match kind {
            Kind::Unsigned => format!("{}u", self.random.below(900)),
            Kind::Real if !self.legacy => format!("{}.5f", self.random.below(9)),
            Kind::Bool => "true".to_owned(),
            _ => self.random.between(-9, 90).to_string(),
        }
    }

    /// Adds a class with a base class.
    pub(super) fn derived(&mut self) {
        if self.scope.classes.is_empty() {
            self.class();
        }
        let all: Vec<usize> = (0..self.scope.classes.len()).collect();
        let base = self.random.pick(&all);
        let of_base = self.scope.classes[base].clone();
        let Class {
            name: base_name,
            makes,
            reads,
            cost,
            ..
        } = &of_base;
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
                cost: *cost,
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
        self.inherit(&mut draft, &of_base);
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

    /// Adds the operations of the base class to a derived class.
    fn inherit(&mut self, draft: &mut Draft, base: &Class) {
        let base_name = &base.name;
        draft.class.reads.extend(
            base.reads
                .iter()
                .filter(|(_, read)| read.starts_with("$o.") && !read.contains("$C") && !read.contains("$n"))
                .cloned(),
        );
        draft.class.changes.extend(
            base.changes
                .iter()
                .filter(|change| {
                    change.starts_with("$o.") && !change.contains("$C") && !change.contains("$n")
                })
                .cloned(),
        );
        // Members of the base only.
        for (read_kind, read) in &base.reads {
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
    }
}
