//! Numbers that carry their source, and the list of them that the page and the command line show.

use serde::Serialize;

/// How far a number can be trusted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum Quality {
    /// A document or header of the vendor.
    Vendor,
    /// A published measurement paper.
    Paper,
    /// Measured by an open repository, or a simulator's configuration fitted to hardware.
    Repository,
    /// A forum, a web page, a quotation.
    Web,
    /// Derived here from cited numbers; the note says how.
    Derived,
    /// Measured on a real GH100 for this project.
    Measured,
    /// No source was found: an assumption, with its reason in the note.
    Assumption,
}

impl Quality {
    /// In words, for the reader.
    pub const fn text(self) -> &'static str {
        match self {
            Self::Vendor => "vendor's document",
            Self::Paper => "published measurement",
            Self::Repository => "open measurement or fitted simulator configuration",
            Self::Web => "web page or forum",
            Self::Derived => "derived from cited numbers",
            Self::Measured => "measured for this project on an H200",
            Self::Assumption => "assumption",
        }
    }
}

/// What another source says of the same number.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Alternative {
    /// The other value, as text.
    pub value: &'static str,
    /// Who says so.
    pub source: &'static str,
}

/// A number with its source.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Sourced<T> {
    /// The value that is simulated.
    pub value: T,
    /// Document and section; empty for an assumption.
    pub source: &'static str,
    /// How good the source is.
    pub quality: Quality,
    /// A remark, or empty; the reason where it is an assumption.
    pub note: &'static str,
    /// Other sources, disagreeing ones included.
    pub alternatives: &'static [Alternative],
}

impl<T: Copy> Sourced<T> {
    const fn new(value: T, source: &'static str, quality: Quality) -> Self {
        Self {
            value,
            source,
            quality,
            note: "",
            alternatives: &[],
        }
    }

    /// The same with a remark.
    pub(super) const fn note(self, note: &'static str) -> Self {
        Self { note, ..self }
    }

    /// The same number, taken over from another chip as the note says.
    pub(super) const fn taken(self, note: &'static str) -> Self {
        Self {
            quality: Quality::Derived,
            note,
            ..self
        }
    }

    /// The same with what other sources say.
    pub(super) const fn also(self, alternatives: &'static [Alternative]) -> Self {
        Self { alternatives, ..self }
    }
}

/// From the vendor's documents.
pub(super) const fn vendor<T: Copy>(value: T, source: &'static str) -> Sourced<T> {
    Sourced::new(value, source, Quality::Vendor)
}

/// From a published measurement.
pub(super) const fn paper<T: Copy>(value: T, source: &'static str) -> Sourced<T> {
    Sourced::new(value, source, Quality::Paper)
}

/// From a repository that measured, or a fitted simulator configuration.
pub(super) const fn repository<T: Copy>(value: T, source: &'static str) -> Sourced<T> {
    Sourced::new(value, source, Quality::Repository)
}

/// From the web.
pub(super) const fn web<T: Copy>(value: T, source: &'static str) -> Sourced<T> {
    Sourced::new(value, source, Quality::Web)
}

/// Derived from cited numbers as the note says.
pub(super) const fn derived<T: Copy>(value: T, source: &'static str, note: &'static str) -> Sourced<T> {
    Sourced::new(value, source, Quality::Derived).note(note)
}

/// Measured for this project.
pub(super) const fn measured<T: Copy>(value: T, source: &'static str) -> Sourced<T> {
    Sourced::new(value, source, Quality::Measured)
}

/// Assumed for this reason.
pub(super) const fn assumed<T: Copy>(value: T, reason: &'static str) -> Sourced<T> {
    Sourced::new(value, "", Quality::Assumption).note(reason)
}

/// What other sources say: `alts![("8", "Programming Guide 3.2, Table 5-1")]`.
macro_rules! alts {
    ($(($value:literal, $source:literal)),+ $(,)?) => {
        &[$(crate::arch::Alternative { value: $value, source: $source }),+]
    };
}
pub(super) use alts;

/// One number of an architecture, as text for the reader.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ValueRow {
    /// Where it is: group and field, as `memory.l1.hit_latency_cycles`.
    pub path: String,
    /// What it is, one sentence.
    pub description: &'static str,
    /// The value.
    pub value: String,
    /// Its unit, or empty.
    pub unit: &'static str,
    /// Document and section, or empty for an assumption.
    pub source: &'static str,
    /// How good the source is.
    pub quality: Quality,
    /// A remark, or the reason of an assumption.
    pub note: &'static str,
    /// What other sources say.
    pub alternatives: &'static [Alternative],
}

impl ValueRow {
    /// A row for one sourced number.
    pub(super) fn new<T: ValueText>(
        path: String,
        description: &'static str,
        unit: &'static str,
        sourced: &Sourced<T>,
    ) -> Self {
        Self {
            path,
            description,
            value: sourced.value.value_text(),
            unit,
            source: sourced.source,
            quality: sourced.quality,
            note: sourced.note,
            alternatives: sourced.alternatives,
        }
    }
}

/// How a value is written for the reader.
pub(super) trait ValueText {
    /// The value as text, without its unit.
    fn value_text(&self) -> String;
}

macro_rules! value_text_by_display {
    ($($ty:ty),+) => {
        $(impl ValueText for $ty {
            fn value_text(&self) -> String {
                self.to_string()
            }
        })+
    };
}
value_text_by_display!(u8, u16, u32, u64, f32, f64, &'static str);

impl ValueText for bool {
    fn value_text(&self) -> String {
        if *self { "yes" } else { "no" }.to_owned()
    }
}

impl<T: ValueText> ValueText for &'static [T] {
    fn value_text(&self) -> String {
        self.iter()
            .map(ValueText::value_text)
            .collect::<Vec<_>>()
            .join(", ")
    }
}

impl<T: ValueText> ValueText for Option<T> {
    fn value_text(&self) -> String {
        self.as_ref()
            .map_or_else(|| "none".to_owned(), ValueText::value_text)
    }
}

impl<T: ValueText, const N: usize> ValueText for [T; N] {
    fn value_text(&self) -> String {
        self.iter()
            .map(ValueText::value_text)
            .collect::<Vec<_>>()
            .join(" x ")
    }
}

/// A point of a curve.
impl ValueText for (u16, u16) {
    fn value_text(&self) -> String {
        format!("{}: {}", self.0, self.1)
    }
}

/// Declares a struct whose fields are all sourced, and lists them: each field is written
/// `name: Type, "unit";` after its doc comment.
macro_rules! sourced_struct {
    (
        $(#[$meta:meta])*
        pub struct $name:ident {
            $(
                #[doc = $doc:literal]
                $(#[doc = $more:literal])*
                $field:ident: $ty:ty, $unit:literal;
            )+
        }
    ) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, serde::Serialize)]
        pub struct $name {
            $(
                #[doc = $doc]
                $(#[doc = $more])*
                pub $field: crate::arch::Sourced<$ty>,
            )+
        }

        impl $name {
            /// Appends every number with its source; paths start with `group`.
            pub(crate) fn push_values(&self, group: &str, rows: &mut Vec<crate::arch::ValueRow>) {
                $(
                    rows.push(crate::arch::ValueRow::new(
                        format!("{group}.{}", stringify!($field)),
                        concat!($doc, $($more),*).trim_ascii(),
                        $unit,
                        &self.$field,
                    ));
                )+
            }
        }
    };
}
pub(super) use sourced_struct;
