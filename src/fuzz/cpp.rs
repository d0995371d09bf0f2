//! Random C++: classes, templates, references, lambdas, and namespaces, as people write them.
//!
//! The generator produces text in pieces that can be removed. The files of this folder contain forms with placeholders
//! (`{$n}($i, $u)`), which are filled with visible names. No form has a value or an evaluation order that C++ leaves
//! unspecified: numbers of type `int` are *tame* (13 bits including the sign), and only whole statements have effects.

mod classes;
mod enums;
mod expr;
mod functions;
mod lambdas;
mod references;
mod stmt;
mod templates;

use std::fmt::Write as _;

use super::random::Random;

/// A declaration or statement with nested pieces.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Piece {
    pub(crate) head: String,
    pub(crate) inner: Vec<Piece>,
    /// Empty if the piece cannot contain others.
    pub(crate) tail: String,
}

impl Piece {
    fn leaf(text: impl Into<String>) -> Self {
        Self {
            head: text.into(),
            inner: Vec::new(),
            tail: String::new(),
        }
    }

    fn block(head: impl Into<String>, inner: Vec<Self>, tail: &str) -> Self {
        Self {
            head: head.into(),
            inner,
            tail: tail.to_owned(),
        }
    }

    fn print(&self, indent: usize, out: &mut String) {
        let _ = writeln!(out, "{}{}", "  ".repeat(indent), self.head);
        for piece in &self.inner {
            piece.print(indent + 1, out);
        }
        if !self.tail.is_empty() {
            let _ = writeln!(out, "{}{}", "  ".repeat(indent), self.tail);
        }
    }
}

/// The C++ parts of a program: declarations before the kernel, and statements at the end of the kernel.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Unit {
    pub(crate) items: Vec<Piece>,
    pub(crate) body: Vec<Piece>,
}

impl Unit {
    /// The declarations.
    pub(crate) fn items_text(&self) -> String {
        let mut out = String::new();
        self.items.iter().for_each(|piece| piece.print(0, &mut out));
        out
    }

    /// The statements.
    pub(crate) fn body_text(&self) -> String {
        let mut out = String::new();
        self.body.iter().for_each(|piece| piece.print(1, &mut out));
        out
    }
}

/// Generates a unit with about `size` statements.
///
/// `legacy` restricts the unit to compute capability 1.0. `threads` is the block size if all threads of a block reach
/// the statements together.
pub(crate) fn make(random: Random, legacy: bool, threads: Option<u32>, size: usize) -> Unit {
    let mut maker = Maker {
        random,
        legacy,
        next: 0,
        items: Vec::new(),
        scope: Scope::default(),
        turns: 1,
        spent: 0,
        depth: 0,
        can_break: false,
        num_loops: 0,
        returns: None,
        in_expr: 0,
    };
    for _ in 0..maker.random.between(2, 5) {
        maker.item();
    }
    let body = maker.kernel_body(threads, size);
    Unit {
        items: maker.items,
        body,
    }
}

/// The kind of an expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// A tame `int` of 13 bits.
    Tame,
    /// An `unsigned` with any value.
    Unsigned,
    Bool,
    /// A `float` of at most 4096, or an `int` if floats are not used.
    Real,
}

/// A variable, or an expression that names one.
#[derive(Clone, Debug)]
struct Name {
    text: String,
    kind: Kind,
    is_mutable: bool,
    /// Whether the variable is local instead of a member.
    is_local: bool,
}

/// The operations on objects of a type. `$o` is the object, `$n` the name of its type.
#[derive(Clone, Debug, Default)]
struct Class {
    name: String,
    /// Expressions that construct an object.
    makes: Vec<String>,
    /// Initializers after the name of a new variable: `($i)`, `{$i, 2}`, ` = {$i}`, or nothing.
    inits: Vec<String>,
    /// Expressions without effects of the value of a constant object.
    reads: Vec<(Kind, String)>,
    /// Statements that change the object.
    changes: Vec<String>,
    /// Whether the object can be in shared memory.
    is_plain: bool,
    /// The number of statements that the longest function runs.
    cost: u64,
}

/// A visible object.
#[derive(Clone, Debug)]
struct Object {
    text: String,
    class: usize,
    is_mutable: bool,
}

/// A form with placeholders, and the number of statements that it runs.
#[derive(Clone, Debug)]
struct Form {
    text: String,
    kind: Kind,
    cost: u64,
}

/// The visible names.
#[derive(Clone, Debug, Default)]
struct Scope {
    names: Vec<Name>,
    objects: Vec<Object>,
    classes: Vec<Class>,
    /// Expressions without effects.
    forms: Vec<Form>,
    /// Statements.
    actions: Vec<Form>,
}

struct Maker {
    random: Random,
    legacy: bool,
    next: usize,
    items: Vec<Piece>,
    scope: Scope,
    /// The maximum number of executions of the current code.
    turns: u64,
    /// The number of statements that the current function runs.
    spent: u64,
    depth: usize,
    can_break: bool,
    num_loops: usize,
    /// The kind of the return value.
    returns: Option<Kind>,
    /// The nesting depth of the current expression.
    in_expr: usize,
}

/// The maximum number of statements that a thread runs.
const MAX_COST: u64 = 600;

impl Maker {
    /// Returns a unique name.
    fn fresh(&mut self, word: &str) -> String {
        self.next += 1;
        format!("{word}{}", self.next)
    }

    fn percent(&mut self, percent: usize) -> bool {
        self.random.percent(percent)
    }

    /// Draws one of the elements.
    fn pick<'t>(&mut self, items: &[&'t str]) -> &'t str {
        self.random.pick(items)
    }

    fn real(&self) -> &'static str {
        if self.legacy { "int" } else { "float" }
    }

    const fn type_of(&self, kind: Kind) -> &'static str {
        match kind {
            Kind::Tame => "int",
            Kind::Unsigned => "unsigned",
            Kind::Bool => "bool",
            Kind::Real if self.legacy => "int",
            Kind::Real => "float",
        }
    }

    fn kind(&mut self) -> Kind {
        self.random
            .pick(&[Kind::Tame, Kind::Tame, Kind::Unsigned, Kind::Unsigned, Kind::Real])
    }

    fn name(&mut self, text: impl Into<String>, kind: Kind, is_mutable: bool) {
        self.scope.names.push(Name {
            text: text.into(),
            kind,
            is_mutable,
            is_local: true,
        });
    }

    fn member_name(&mut self, text: impl Into<String>, kind: Kind, is_mutable: bool) {
        self.name(text, kind, is_mutable);
        if let Some(name) = self.scope.names.last_mut() {
            name.is_local = false;
        }
    }

    fn form(&mut self, text: impl Into<String>, kind: Kind, cost: u64) {
        self.scope.forms.push(Form {
            text: text.into(),
            kind,
            cost,
        });
    }

    fn action(&mut self, text: impl Into<String>, cost: u64) {
        self.scope.actions.push(Form {
            text: text.into(),
            kind: Kind::Tame,
            cost,
        });
    }

    /// Adds a declaration.
    fn add(&mut self, piece: Piece) {
        self.items.push(piece);
    }

    /// Generates a function body in which only the parameters are visible. Returns the statements with a final
    /// `return`, and their cost.
    fn body(
        &mut self,
        params: &[(&str, Kind, bool)],
        returns: Option<Kind>,
        num: usize,
    ) -> (Vec<Piece>, u64) {
        self.body_with(params, returns, num, |_| {})
    }

    fn body_with(
        &mut self,
        params: &[(&str, Kind, bool)],
        returns: Option<Kind>,
        num: usize,
        prepare: impl FnOnce(&mut Self),
    ) -> (Vec<Piece>, u64) {
        let outer = self.scope.clone();
        self.scope.names.clear();
        self.scope.objects.clear();
        for (text, kind, is_mutable) in params {
            self.name(*text, *kind, *is_mutable);
        }
        prepare(self);
        let saved = (
            self.turns,
            self.spent,
            self.depth,
            self.can_break,
            self.num_loops,
            self.returns,
        );
        (self.turns, self.spent, self.depth, self.can_break, self.num_loops) = (1, 1, 1, false, 0);
        self.returns = returns;
        let mut out = Vec::new();
        for _ in 0..num {
            self.statement(&mut out);
        }
        if let Some(kind) = returns {
            let value = self.expr(kind);
            out.push(Piece::leaf(format!("return {value};")));
        }
        let cost = self.spent;
        (
            self.turns,
            self.spent,
            self.depth,
            self.can_break,
            self.num_loops,
            self.returns,
        ) = saved;
        self.scope = outer;
        (out, cost)
    }

    /// Adds a declaration at file scope.
    fn item(&mut self) {
        match self.random.below(12) {
            0 | 1 => self.class(),
            2 => self.class_template(),
            3 => self.function_template(),
            4 => self.functor(),
            5 => self.references(),
            6 => self.enumeration(),
            7 => self.namespace(),
            8 => self.constants(),
            9 => self.traits(),
            10 => self.derived(),
            _ => self.function(),
        }
    }

    fn kernel_body(&mut self, threads: Option<u32>, size: usize) -> Vec<Piece> {
        let mut out = vec![Piece::leaf("const int t = threadIdx.x;")];
        self.name("t", Kind::Tame, false);
        self.name("n", Kind::Tame, false);
        self.name("a[t & 63]", Kind::Tame, false);
        self.name("a[(t * 3 + 1) & 63]", Kind::Tame, false);
        self.name("m", Kind::Unsigned, false);
        for kind in [Kind::Tame, Kind::Unsigned] {
            let value = self.expr(kind);
            let name = self.fresh("x");
            out.push(Piece::leaf(format!("{} {name} = {value};", self.type_of(kind))));
            self.name(name, kind, true);
        }
        let mark = self.scope.names.len();
        if let Some(threads) = threads.filter(|_| self.percent(40)) {
            self.shared_objects(threads, &mut out);
        }
        for _ in 0..size {
            if self.spent > MAX_COST {
                break;
            }
            self.statement(&mut out);
        }
        // The final values of all variables of the kernel.
        let names: Vec<Name> = self.scope.names[mark - 2..].to_vec();
        for (idx, name) in names.iter().enumerate() {
            let value = self.as_unsigned(&name.text, name.kind);
            let op = self.pick(&["^=", "+=", "-="]);
            out.push(Piece::leaf(format!("o[{}] {op} {value};", idx % 16)));
        }
        for object in self.scope.objects.clone() {
            for (kind, read) in self.scope.classes[object.class].reads.clone() {
                if let Some(text) = self.on_object(&read, &object) {
                    let value = self.as_unsigned(&text, kind);
                    let idx = self.random.below(16);
                    out.push(Piece::leaf(format!("o[{idx}] += {value};")));
                }
            }
        }
        out
    }

    /// Adds objects that the threads of a block exchange.
    fn shared_objects(&mut self, threads: u32, out: &mut Vec<Piece>) {
        let plain: Vec<usize> = (0..self.scope.classes.len())
            .filter(|idx| self.scope.classes[*idx].is_plain)
            .collect();
        let Some(class) = (!plain.is_empty()).then(|| self.random.pick(&plain)) else {
            return;
        };
        let name = self.fresh("shared");
        let class_name = self.scope.classes[class].name.clone();
        let Some(made) = self.made(class) else { return };
        out.push(Piece::leaf(format!("__shared__ {class_name} {name}[{threads}];")));
        out.push(Piece::leaf(format!("{name}[t] = {made};")));
        let own = Object {
            text: format!("{name}[t]"),
            class,
            is_mutable: true,
        };
        if let Some(change) = self.change_of(&own) {
            out.push(Piece::leaf(change));
        }
        out.push(Piece::leaf("__syncthreads();"));
        let step = self.random.between(1, 9);
        let other = self.fresh("other");
        let form = self.random.below(3);
        let object = match form {
            // Compute capability 1.x requires the address space of a pointer at compile time, which captures hide.
            _ if self.legacy => format!("{name}[(t + {step}) % {threads}]"),
            0 => {
                out.push(Piece::leaf(format!(
                    "const {class_name} &{other} = {name}[(t + {step}) % {threads}];"
                )));
                other
            }
            1 => {
                out.push(Piece::leaf(format!(
                    "const {class_name} *{other} = &{name}[(t + {step}) % {threads}];"
                )));
                format!("(*{other})")
            }
            _ => format!("{name}[(t + {step}) % {threads}]"),
        };
        self.scope.objects.push(Object {
            text: object,
            class,
            is_mutable: false,
        });
    }
}
