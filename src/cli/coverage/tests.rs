use std::path::Path;

use super::*;
use scan::{named_tests, statements};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Reading fails if a lesson, a test, or a document names an unknown claim.
#[test]
fn the_document_is_up_to_date() {
    let mut out = Vec::new();
    let args = CoverageArgs {
        root: root(),
        check: true,
        json: false,
    };
    let verdict = run(&args, &mut out).expect("every ID is known");
    assert_eq!(verdict, Verdict::Good, "{}", String::from_utf8_lossy(&out));
}

#[test]
fn every_guide_is_complete() {
    let coverage = Coverage::read(&root()).expect("every ID is known");
    for (letter, num) in [('T', 77), ('V', 80), ('F', 65)] {
        let of_guide = coverage
            .claims
            .iter()
            .filter(|claim| claim.id.starts_with(letter));
        let numbers: Vec<u32> = of_guide.map(|claim| claim.id[1..].parse().unwrap()).collect();
        assert_eq!(numbers, (1..=num).collect::<Vec<_>>(), "{letter}");
    }
}

#[test]
fn every_scope_statement_is_stated() {
    let coverage = Coverage::read(&root()).expect("every ID is known");
    for claim in coverage
        .claims
        .iter()
        .filter(|claim| claim.kind == ClaimKind::Scope)
    {
        assert!(coverage.stated.contains(&claim.id), "{}", claim.id);
    }
}

#[test]
fn unknown_ids_are_errors() {
    let mut coverage = Coverage::read(&root()).expect("every ID is known");
    coverage.stated.insert("T99".to_owned());
    let message = coverage.check().unwrap_err().to_string();
    assert!(message.contains("`T99` is not a claim"), "{message}");
}

#[test]
fn a_scenario_is_only_in_place_of_a_lesson() {
    let mut coverage = Coverage::read(&root()).expect("every ID is known");
    let with_lesson = coverage
        .claims
        .iter()
        .position(|claim| coverage.lessons.contains_key(&claim.id))
        .expect("a claim has a lesson");
    coverage.claims[with_lesson].scenario = "v1;kernel=ilp-1".to_owned();
    let message = coverage.check().unwrap_err().to_string();
    assert!(message.contains("delete its scenario"), "{message}");
}

#[test]
fn a_claim_without_cover_is_missing() {
    let mut coverage = Coverage::read(&root()).expect("every ID is known");
    let before = document::summary(&coverage);
    coverage.tests.remove("T27");
    coverage.lessons.remove("T27");
    coverage
        .claims
        .iter_mut()
        .for_each(|claim| claim.scenario.clear());
    let text = document::write(&coverage);
    let list = text
        .split("## Missing")
        .nth(1)
        .unwrap()
        .split("## ")
        .next()
        .unwrap();
    assert!(list.contains("\n- T27 (fact): "), "{list}");
    assert_ne!(document::summary(&coverage), before);
}

#[test]
fn names_of_tests_start_with_their_claims() {
    let text = "#[test]\nfn claim_f11_t10_paths_cost() {}\nfn claim_v01_no_test() {}\n#[test]\nfn claim_f32_is_no_type() {}";
    let found = named_tests(text);
    let all: Vec<(&str, Vec<&str>)> = found
        .iter()
        .map(|(name, ids)| (name.as_str(), ids.iter().map(String::as_str).collect()))
        .collect();
    assert_eq!(
        all,
        [
            ("claim_f11_t10_paths_cost", vec!["F11", "T10"]),
            ("claim_f32_is_no_type", vec!["F32"]),
        ]
    );
}

#[test]
fn documents_name_claims_in_their_text() {
    let found = statements("Turing keeps the model (T01, V01). Not T1, FP16, or F123.");
    assert_eq!(found.into_iter().collect::<Vec<_>>(), ["T01", "V01"]);
}

/// The page's map has every claim, with what the document lists.
#[test]
fn the_map_has_each_claim_with_its_lessons_views_terms_and_tests() {
    let coverage = Coverage::read(&root()).expect("every ID is known");
    let guides = map::guides(&coverage, &root()).expect("every lesson is read");
    let rows: Vec<&map::Row> = guides
        .iter()
        .flat_map(|guide| &guide.sections)
        .flat_map(|section| &section.claims)
        .collect();
    assert_eq!(rows.len(), coverage.claims.len());
    let row = |id: &str| *rows.iter().find(|row| row.id == id).expect("the claim is listed");
    let banks = row("F33");
    assert!(banks.lessons.iter().any(|(id, _)| id == "memory/column-read"));
    assert!(
        banks
            .views
            .iter()
            .any(|(view, link)| *view == "Banks" && link.contains("view=banks"))
    );
    assert!(
        banks.terms.contains(&"bank") && banks.terms.contains(&"warp"),
        "{:?}",
        banks.terms
    );
    assert_eq!(
        banks.tests,
        ["claim_f32_f33_sixteen_banks_and_half_warps_or_32_and_warps"]
    );
    // A claim without a lesson has its scenario, or a statement without ids.
    assert_eq!(row("T36").views[0].0, "Checks");
    let stated = &row("F02").statement;
    assert!(
        stated.starts_with("In the Fermi guide") && !stated.contains("F02"),
        "{stated}"
    );
    for row in rows {
        assert!(
            !(row.lessons.is_empty() && row.views.is_empty() && row.statement.is_empty()),
            "{}",
            row.id
        );
    }
    // Every number of a section has its title.
    let numbered = guides
        .iter()
        .flat_map(|guide| &guide.sections)
        .map(|section| &section.title);
    for title in numbered {
        assert!(title.chars().any(char::is_alphabetic), "{title}");
    }
}
