//! Generates expressions by filling the placeholders of forms.

use super::{Class, Kind, MAX_COST, Maker, Object};

const TAME: &[&str] = &[
    "($i + $i) % 1009",
    "($i - $i) / 2",
    "($i * $i) % 997",
    "($i & $i)",
    "($i | $c)",
    "($i ^ $i)",
    "~$i",
    "-($i / 2)",
    "($i >> $d)",
    "($b ? $i : $i)",
    "$i / (($i & 7) + 1)",
    "$i % (int)(($u & 15u) + 1u)",
    "(int)($u & 1023u)",
    "int($u % 77u)",
    "static_cast<int>($u >> 20)",
    "(short)$i",
    "(signed char)$i",
    "static_cast<unsigned char>($u)",
    "(int)$f / 2",
    "($b + 1)",
    "(int)sizeof($I)",
    "($i < $i ? $i : $c)",
    "(unsigned char)($u + $c)",
    "(int)((long long)$i * $i % 1000)",
];

const UNSIGNED: &[&str] = &[
    "(unsigned)$i",
    "unsigned($i)",
    "($u + $u)",
    "($u - $u)",
    "($u * $u)",
    "($u & $u)",
    "($u ^ $u)",
    "($u | $u)",
    "($u << $c)",
    "($u >> $c)",
    "($u / ($u | 1u))",
    "($u % (($u & 31u) + 1u))",
    "~$u",
    "-$u",
    "($b ? $u : $u)",
    "0x9e3779b9u",
    "31u",
    "($i + $u)",
    "(unsigned)((unsigned long long)$u * $u >> 32)",
    "static_cast<unsigned>($b)",
];

const BOOL: &[&str] = &[
    "$i < $i",
    "$i >= $i",
    "$i == $i",
    "$i != $c",
    "$u > $u",
    "!$b",
    "($b && $b)",
    "($b || $b)",
    "($i & 1) != 0",
    "bool($u & $c)",
    "$f < $f",
    "($b != $b)",
];

const REAL: &[&str] = &[
    "(float)$i",
    "$i * 0.25f",
    "($f + $f) * 0.5f",
    "($f - $f) * 0.25f",
    "-$f",
    "1.5f",
    "0.25f",
    "($b ? $f : $f)",
    "float($u & 255u)",
    "($f * 0.5f + 3.0f) * 0.5f",
];

impl Maker {
    pub(super) fn expr(&mut self, kind: Kind) -> String {
        if self.in_expr > 3 || (self.in_expr > 0 && self.percent(35)) {
            return self.simple(kind);
        }
        self.in_expr += 1;
        let text = match self.random.below(10) {
            0..2 => self.with_object(kind),
            2..5 => self.with_form(kind),
            5..7 => None,
            _ => self.with_table(kind),
        };
        self.in_expr -= 1;
        text.unwrap_or_else(|| self.simple(kind))
    }

    fn with_table(&mut self, kind: Kind) -> Option<String> {
        let table = match kind {
            Kind::Tame => TAME,
            Kind::Unsigned => UNSIGNED,
            Kind::Bool => BOOL,
            Kind::Real if self.legacy => TAME,
            Kind::Real => REAL,
        };
        let form = self.pick(table);
        let text = self.fill(form)?;
        Some(
            if text.starts_with('(') && text.ends_with(')') && !text[1..].contains('(') {
                text
            } else {
                format!("({text})")
            },
        )
    }

    fn with_object(&mut self, kind: Kind) -> Option<String> {
        let objects = self.scope.objects.clone();
        if objects.is_empty() {
            return None;
        }
        let object = self.random.pick(&objects);
        let reads: Vec<String> = self.scope.classes[object.class]
            .reads
            .iter()
            .filter(|(read, _)| *read == kind)
            .map(|(_, text)| text.clone())
            .collect();
        if reads.is_empty() {
            return None;
        }
        let read = self.random.pick(&reads);
        let text = self.on_object(&read, &object)?;
        Some(format!("({text})"))
    }

    fn with_form(&mut self, kind: Kind) -> Option<String> {
        let limit = MAX_COST / 4;
        let forms: Vec<(String, u64)> = self
            .scope
            .forms
            .iter()
            .filter(|form| form.kind == kind && form.cost * self.turns < limit && self.spent < MAX_COST)
            .map(|form| (form.text.clone(), form.cost))
            .collect();
        if forms.is_empty() {
            return None;
        }
        let (text, cost) = self.random.pick(&forms);
        self.spent += cost * self.turns;
        let text = self.fill(&text)?;
        Some(format!("({text})"))
    }

    /// Returns a variable or a constant.
    pub(super) fn simple(&mut self, kind: Kind) -> String {
        let names: Vec<String> = self
            .scope
            .names
            .iter()
            .filter(|name| name.kind == kind)
            .map(|name| name.text.clone())
            .collect();
        if !names.is_empty() && self.percent(75) {
            return self.random.pick(&names);
        }
        match kind {
            Kind::Tame => self.constant(),
            Kind::Unsigned => format!(
                "{}u",
                self.random.pick(&[0, 1, 3, 7, 255, 4096, 2_654_435_769_u32])
            ),
            Kind::Bool => self.pick(&["true", "false"]).to_owned(),
            Kind::Real if self.legacy => self.constant(),
            Kind::Real => self
                .pick(&["0.5f", "2.0f", "(-1.25f)", "3.f", "100.75f"])
                .to_owned(),
        }
    }

    pub(super) fn constant(&mut self) -> String {
        let value = match self.random.below(4) {
            0 => self.random.between(0, 3),
            1 => self.random.between(1, 9),
            2 => self.random.between(10, 200),
            _ => return format!("(-{})", self.random.between(1, 50)),
        };
        value.to_string()
    }

    /// Returns a writable variable of the given kind.
    pub(super) fn mutable(&mut self, kind: Kind) -> Option<String> {
        let names: Vec<String> = self
            .scope
            .names
            .iter()
            .filter(|name| name.kind == kind && name.is_mutable)
            .map(|name| name.text.clone())
            .collect();
        (!names.is_empty()).then(|| self.random.pick(&names))
    }

    /// Returns the form with filled placeholders, or `None` if no candidate exists for a placeholder.
    ///
    /// `$i` tame, `$u` unsigned, `$b` Boolean, `$f` real, `$I` and `$U` and `$F` variables of these kinds that
    /// are changed, `$c` a constant from 1 to 9, `$d` one from 0 to 3, `$k` an index from 0 to 3, `$R` the type of
    /// reals.
    pub(super) fn fill(&mut self, form: &str) -> Option<String> {
        let mut out = String::new();
        let mut parts = form.split('$');
        out.push_str(parts.next()?);
        for part in parts {
            let letter = part.chars().next()?;
            let text = match letter {
                'i' => self.expr(Kind::Tame),
                'u' => self.expr(Kind::Unsigned),
                'b' => self.expr(Kind::Bool),
                'f' => self.expr(Kind::Real),
                'I' => self.mutable(Kind::Tame)?,
                'U' => self.mutable(Kind::Unsigned)?,
                'F' => self.mutable(Kind::Real)?,
                'c' => self.random.between(1, 9).to_string(),
                'd' => self.random.between(0, 3).to_string(),
                'k' => {
                    let index = self.simple(Kind::Tame);
                    format!("({index} & 3)")
                }
                'R' => self.real().to_owned(),
                _ => return None,
            };
            out.push_str(&text);
            out.push_str(&part[letter.len_utf8()..]);
        }
        Some(out)
    }

    /// Returns a form of a class for one of its objects.
    pub(super) fn on_object(&mut self, form: &str, object: &Object) -> Option<String> {
        let is_call = form.contains('(');
        let cost = if is_call {
            self.scope.classes[object.class].cost * self.turns
        } else {
            0
        };
        if cost > MAX_COST / 4 || (is_call && self.spent > MAX_COST) {
            return None;
        }
        self.spent += cost;
        let text = if form.contains("$C") {
            let other = self.of_class(object.class)?;
            form.replace("$C", &other)
        } else {
            form.to_owned()
        };
        let name = self.scope.classes[object.class].name.clone();
        self.fill(&text.replace("$o", &object.text).replace("$n", &name))
    }

    /// Returns an expression that constructs an object.
    pub(super) fn made(&mut self, class: usize) -> Option<String> {
        let Class { makes, name, .. } = self.scope.classes[class].clone();
        if makes.is_empty() {
            return None;
        }
        let form = self.random.pick(&makes).replace("$n", &name);
        self.in_expr += 1;
        let made = self.fill(&form);
        self.in_expr -= 1;
        made
    }

    /// Returns an object of a class: a variable or a new object.
    fn of_class(&mut self, class: usize) -> Option<String> {
        let objects: Vec<String> = self
            .scope
            .objects
            .iter()
            .filter(|object| object.class == class)
            .map(|object| object.text.clone())
            .collect();
        if !objects.is_empty() && self.percent(60) {
            return Some(self.random.pick(&objects));
        }
        self.made(class)
    }

    pub(super) fn change_of(&mut self, object: &Object) -> Option<String> {
        let changes = self.scope.classes[object.class].changes.clone();
        if changes.is_empty() || !object.is_mutable {
            return None;
        }
        let change = self.random.pick(&changes);
        self.on_object(&change, object)
    }

    /// Returns the bits of a value.
    pub(super) fn as_unsigned(&mut self, text: &str, kind: Kind) -> String {
        match kind {
            Kind::Real => format!("(unsigned)(int)({text} * 4)"),
            Kind::Unsigned => text.to_owned(),
            _ => format!("(unsigned)({text})"),
        }
    }
}
