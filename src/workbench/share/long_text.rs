//! Source texts that are longer than a link holds. A link without them opens other kernels, so the page keeps them beside
//! the link.

use super::text::MAX_BYTES;
use super::{Scenario, Setup};

/// Whether the source of a setup is longer than a link holds.
pub fn has_long_text(setup: &Setup) -> bool {
    setup.source.as_deref().is_some_and(is_long)
}

fn is_long(text: &str) -> bool {
    text.len() > MAX_BYTES
}

/// Takes the texts that no link holds out of a scenario: the main run's, then those of the other sides. Empty if there is
/// none.
pub fn take_long_texts(scenario: &mut Scenario) -> Vec<Option<String>> {
    let others = scenario
        .compare
        .iter_mut()
        .flat_map(|compare| &mut compare.others);
    let sources = std::iter::once(&mut scenario.source).chain(others.map(|setup| &mut setup.source));
    let texts: Vec<Option<String>> = sources
        .map(|source| source.take_if(|text| is_long(text)))
        .collect();
    if texts.iter().all(Option::is_none) {
        return Vec::new();
    }
    texts
}

/// Puts texts back that [`take_long_texts`] took out.
pub fn put_long_texts(scenario: &mut Scenario, texts: Vec<Option<String>>) {
    let others = scenario
        .compare
        .iter_mut()
        .flat_map(|compare| &mut compare.others);
    let sources = std::iter::once(&mut scenario.source).chain(others.map(|setup| &mut setup.source));
    for (source, text) in sources.zip(texts) {
        if text.is_some() {
            *source = text;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::share::{decode, encode};

    #[test]
    fn long_texts_go_around_the_link() {
        let long = "// a comment\n".repeat(MAX_BYTES / 13 + 1);
        let mut scenario = decode("v1;kernel=saxpy;arch=gf100;compare=gv100,g80").scenario;
        let before = scenario.clone();
        assert_eq!(take_long_texts(&mut scenario), [] as [Option<String>; 0]);
        assert_eq!(scenario, before);
        scenario.source = Some("short".to_owned());
        if let Some(compare) = &mut scenario.compare {
            compare.others[1].source = Some(long.clone());
        }
        let whole = scenario.clone();
        assert!(
            decode(&encode(&whole)).scenario != whole,
            "the link alone loses the text"
        );
        let texts = take_long_texts(&mut scenario);
        assert_eq!(texts, [None, None, Some(long)]);
        let read = decode(&encode(&scenario));
        assert_eq!(read.warnings, []);
        let mut again = read.scenario;
        put_long_texts(&mut again, texts);
        assert_eq!(again, whole);
    }
}
