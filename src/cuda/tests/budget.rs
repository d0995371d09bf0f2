//! Limits of the compiler.

use cuda::internals::charge_inclusions;

#[test]
fn a_budget_ends_with_its_limit() {
    let said = charge_inclusions(&[9999, 1, 1]);
    assert_eq!(said[..2], [None, None]);
    assert!(said[2].as_ref().unwrap().contains("more than 10,000 files"));
}
