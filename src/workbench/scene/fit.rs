//! What a picture that has to fit its height keeps of a list.

/// Indices of at most `num` of `all` items, in order: the required items, and others evenly spaced. Empty if `num` is
/// less than the number of required items.
pub(super) fn sample(all: usize, num: usize, is_required: impl Fn(usize) -> bool) -> Vec<usize> {
    let others: Vec<usize> = (0..all).filter(|idx| !is_required(*idx)).collect();
    let required = all - others.len();
    let Some(room) = num.checked_sub(required) else {
        return Vec::new();
    };
    let room = room.min(others.len());
    let chosen: Vec<usize> = (0..room).map(|nth| others[nth * others.len() / room]).collect();
    (0..all)
        .filter(|idx| is_required(*idx) || chosen.contains(idx))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::sample;

    #[test]
    fn a_sample_has_the_required_items_and_is_evenly_spaced() {
        assert_eq!(sample(14, 14, |_| false), (0..14).collect::<Vec<_>>());
        assert_eq!(sample(14, 20, |idx| idx == 3), (0..14).collect::<Vec<_>>());
        assert_eq!(sample(8, 4, |idx| idx == 7), [0, 2, 4, 7]);
        assert_eq!(sample(8, 2, |idx| idx == 1 || idx == 6), [1, 6]);
        assert!(sample(8, 1, |idx| idx == 1 || idx == 6).is_empty());
    }
}
