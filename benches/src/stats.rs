//! Medians and percentiles.

/// The median; of an even number of values the mean of the middle two.
///
/// # Panics
///
/// Panics when `values` is empty.
pub(crate) fn median(values: &[f64]) -> f64 {
    assert!(!values.is_empty(), "a median needs at least one value");
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let middle = sorted.len() / 2;
    if sorted.len() % 2 == 1 { sorted[middle] } else { f64::midpoint(sorted[middle - 1], sorted[middle]) }
}

/// The smallest of `sorted` that at least `per_mille` thousandths of the values do not exceed
/// (nearest rank).
///
/// # Panics
///
/// Panics when `sorted` is empty or `per_mille` is not in `1..=1000`.
pub(crate) fn percentile(sorted: &[u64], per_mille: usize) -> u64 {
    assert!(!sorted.is_empty(), "a percentile needs at least one value");
    assert!((1..=1000).contains(&per_mille), "per_mille is {per_mille}, expected 1 to 1000");
    sorted[(sorted.len() * per_mille).div_ceil(1000) - 1]
}

/// A count as a floating point number.
#[expect(clippy::cast_precision_loss, reason = "counts of one run stay far below 2^53")]
pub(crate) fn float(count: u64) -> f64 {
    count as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[expect(clippy::float_cmp, reason = "the values are exact")]
    fn median_of_odd_even_and_unsorted() {
        assert_eq!(median(&[7.0]), 7.0);
        assert_eq!(median(&[9.0, 1.0, 5.0]), 5.0);
        assert_eq!(median(&[4.0, 1.0, 3.0, 2.0]), 2.5);
        assert_eq!(median(&[1.0, 1.0, 1.0, 1.0, 1000.0]), 1.0);
    }

    #[test]
    #[should_panic(expected = "at least one value")]
    fn median_of_nothing() {
        median(&[]);
    }

    #[test]
    fn percentiles_by_nearest_rank() {
        let thousand: Vec<u64> = (1..=1000).collect();
        assert_eq!(percentile(&thousand, 500), 500);
        assert_eq!(percentile(&thousand, 990), 990);
        assert_eq!(percentile(&thousand, 999), 999);
        assert_eq!(percentile(&thousand, 1000), 1000);
        // Five values: the 99.9th percentile is the greatest, the median the third.
        assert_eq!(percentile(&[1, 2, 3, 4, 100], 999), 100);
        assert_eq!(percentile(&[1, 2, 3, 4, 100], 500), 3);
        assert_eq!(percentile(&[42], 1), 42);
    }

    #[test]
    #[should_panic(expected = "per_mille is 0")]
    fn percentile_of_zero() {
        percentile(&[1], 0);
    }
}
