//! Checks of the ladder: the courses in order, and the lessons that a reader does before another one.

use std::collections::{BTreeMap, BTreeSet};

/// The mistakes of the courses of a page. `listed`: the lessons of all courses in order, as `course/name`;
/// `files`: the lessons that exist, with the lessons that each one needs.
///
/// Each lesson is in one course, each needed lesson exists and comes earlier in the list, and no lesson needs itself
/// through others.
pub fn ladder_faults(listed: &[String], files: &BTreeMap<String, Vec<String>>) -> Vec<String> {
    let mut faults = Vec::new();
    let mut places: BTreeMap<&str, usize> = BTreeMap::new();
    for (place, id) in listed.iter().enumerate() {
        if places.insert(id, place).is_some() {
            faults.push(format!("{id} is in the list of courses twice"));
        }
        if !files.contains_key(id) {
            faults.push(format!("{id} is in the list of courses, but has no file"));
        }
    }
    for (id, needs) in files {
        let Some(place) = places.get(id.as_str()) else {
            faults.push(format!("{id} is in no course: add it to courses.toml"));
            continue;
        };
        let mut seen = BTreeSet::new();
        for need in needs {
            if !seen.insert(need) {
                faults.push(format!("{id} needs {need} twice"));
            } else if !files.contains_key(need) {
                faults.push(format!("{id} needs {need}, which does not exist"));
            } else if let Some(cycle) = path(need, id, files, &mut BTreeSet::new()) {
                faults.push(format!("{id} needs itself: {id} → {}", cycle.join(" → ")));
            } else if places.get(need.as_str()).is_some_and(|of| of > place) {
                faults.push(format!(
                    "{id} needs {need}, which comes later in the list of courses"
                ));
            }
        }
    }
    faults
}

/// The lessons from one to another along what they need, if the first one needs the other. `seen`: the lessons from
/// which no path leads there.
fn path<'a>(
    from: &'a str,
    to: &str,
    files: &'a BTreeMap<String, Vec<String>>,
    seen: &mut BTreeSet<&'a str>,
) -> Option<Vec<&'a str>> {
    if from == to {
        return Some(vec![from]);
    }
    if !seen.insert(from) {
        return None;
    }
    let rest = files
        .get(from)?
        .iter()
        .find_map(|need| path(need, to, files, seen))?;
    Some([vec![from], rest].concat())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn faults(listed: &[&str], files: &[(&str, &[&str])]) -> Vec<String> {
        let listed: Vec<String> = listed.iter().map(|id| (*id).to_owned()).collect();
        let owned = |needs: &[&str]| needs.iter().map(|id| (*id).to_owned()).collect();
        let files = files.iter().map(|(id, needs)| ((*id).to_owned(), owned(needs)));
        ladder_faults(&listed, &files.collect())
    }

    #[test]
    fn a_ladder_leads_upward() {
        let files: &[(&str, &[&str])] = &[("a/1", &[]), ("a/2", &["a/1"]), ("b/1", &["a/1", "a/2"])];
        assert_eq!(faults(&["a/1", "a/2", "b/1"], files), Vec::<String>::new());
        assert_eq!(
            faults(&["a/2", "a/1", "b/1"], files),
            ["a/2 needs a/1, which comes later in the list of courses"]
        );
    }

    #[test]
    fn each_lesson_is_in_one_course() {
        assert_eq!(
            faults(&["a/1", "a/1", "a/3"], &[("a/1", &[]), ("a/2", &[])]),
            [
                "a/1 is in the list of courses twice",
                "a/3 is in the list of courses, but has no file",
                "a/2 is in no course: add it to courses.toml"
            ]
        );
    }

    #[test]
    fn needed_lessons_exist_and_form_no_cycle() {
        assert_eq!(
            faults(&["a/1"], &[("a/1", &["a/0", "a/0"])]),
            ["a/1 needs a/0, which does not exist", "a/1 needs a/0 twice"]
        );
        assert_eq!(
            faults(&["a/1"], &[("a/1", &["a/1"])]),
            ["a/1 needs itself: a/1 → a/1"]
        );
        let cycle = faults(
            &["a/1", "a/2", "a/3"],
            &[("a/1", &["a/3"]), ("a/2", &["a/1"]), ("a/3", &["a/2"])],
        );
        assert_eq!(cycle[0], "a/1 needs itself: a/1 → a/3 → a/2 → a/1");
        assert_eq!(cycle.len(), 3, "{cycle:?}");
    }
}
