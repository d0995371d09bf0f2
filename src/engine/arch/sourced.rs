//! Numbers with their sources, and the list of numbers that the page and the command line show.

use serde::Serialize;

/// The quality of a number's source.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum Quality {
    /// A document or header of NVIDIA.
    Vendor,
    /// A published measurement paper.
    Paper,
    /// A measurement in an open repository, or a simulator configuration fitted to hardware.
    Repository,
    /// A forum, a web page, or a quotation.
    Web,
    /// Derived from cited numbers; the note states the derivation.
    Derived,
    /// Measured on a real GH100 for this project.
    Measured,
    /// An assumption, because no source was found; the note states the reason.
    Assumption,
}

impl Quality {
    /// Returns the display text.
    pub const fn text(self) -> &'static str {
        match self {
            Self::Vendor => "NVIDIA document",
            Self::Paper => "published measurement",
            Self::Repository => "open-source measurement or fitted simulator configuration",
            Self::Web => "web page or forum",
            Self::Derived => "derived from cited numbers",
            Self::Measured => "measured for this project on an H100 or H200",
            Self::Assumption => "assumption",
        }
    }
}

/// A value that another source gives for the same number.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Alternative {
    /// The other value, as text.
    pub value: &'static str,
    /// The document and section.
    pub source: &'static str,
}

/// A number with its source.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Sourced<T> {
    /// The value that is simulated.
    pub value: T,
    /// Document and section; empty for an assumption.
    pub source: &'static str,
    /// The quality of the source.
    pub quality: Quality,
    /// A remark, or empty; for an assumption, the reason.
    pub note: &'static str,
    /// The values of other sources, including values that disagree.
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

    /// Adds a remark.
    pub(super) const fn note(self, note: &'static str) -> Self {
        Self { note, ..self }
    }

    /// Marks the number as derived from another chip, as the note states.
    #[expect(clippy::wrong_self_convention, reason = "it says where the number is from")]
    pub(super) const fn from_other_chip(self, note: &'static str) -> Self {
        Self {
            quality: Quality::Derived,
            note,
            ..self
        }
    }

    /// Adds the values of other sources.
    pub(super) const fn also(self, alternatives: &'static [Alternative]) -> Self {
        Self { alternatives, ..self }
    }
}

/// Returns a number from NVIDIA's documents.
pub(super) const fn vendor<T: Copy>(value: T, source: &'static str) -> Sourced<T> {
    Sourced::new(value, source, Quality::Vendor)
}

/// Returns a number from a published measurement.
pub(super) const fn paper<T: Copy>(value: T, source: &'static str) -> Sourced<T> {
    Sourced::new(value, source, Quality::Paper)
}

/// Returns a number from an open repository's measurement or a fitted simulator configuration.
pub(super) const fn repository<T: Copy>(value: T, source: &'static str) -> Sourced<T> {
    Sourced::new(value, source, Quality::Repository)
}

/// Returns a number from a web page or forum.
pub(super) const fn web<T: Copy>(value: T, source: &'static str) -> Sourced<T> {
    Sourced::new(value, source, Quality::Web)
}

/// Returns a number derived from cited numbers, as the note states.
pub(super) const fn derived<T: Copy>(value: T, source: &'static str, note: &'static str) -> Sourced<T> {
    Sourced::new(value, source, Quality::Derived).note(note)
}

/// Returns a number measured for this project.
pub(super) const fn measured<T: Copy>(value: T, source: &'static str) -> Sourced<T> {
    Sourced::new(value, source, Quality::Measured)
}

/// Returns an assumed number with the reason.
pub(super) const fn assumed<T: Copy>(value: T, reason: &'static str) -> Sourced<T> {
    Sourced::new(value, "", Quality::Assumption).note(reason)
}

/// Lists the values of other sources: `alts![("8", "Programming Guide 3.2, Table 5-1")]`.
macro_rules! alts {
    ($(($value:literal, $source:literal)),+ $(,)?) => {
        &[$(crate::arch::Alternative { value: $value, source: $source }),+]
    };
}
pub(super) use alts;

/// One number of an architecture as display text.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ValueRow {
    /// The path of group and field, such as `memory.l1.hit_latency_cycles`.
    pub path: String,
    /// A description in one sentence.
    pub description: &'static str,
    /// The value.
    pub value: String,
    /// The unit, or empty.
    pub unit: &'static str,
    /// Document and section, or empty for an assumption.
    pub source: &'static str,
    /// The quality of the source.
    pub quality: Quality,
    /// A remark, or the reason of an assumption.
    pub note: &'static str,
    /// The values of other sources.
    pub alternatives: &'static [Alternative],
}

impl ValueRow {
    /// Returns the row of one sourced number.
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

/// The display text of a value.
pub(super) trait ValueText {
    /// Returns the value as text, without the unit.
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

/// Declares a struct whose fields are all sourced numbers, and a method that lists them.
///
/// Each field has a doc comment, which becomes its description, and the form `name: Type, "unit";`.
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
            /// Appends every number with its source; each path starts with `group`.
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
