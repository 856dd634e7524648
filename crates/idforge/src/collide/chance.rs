//! The chance that two of many random ids are alike.

use std::f64::consts::LN_10;

/// Ids that are drawn at random, at random moments, and compared within windows of time.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Draw {
    /// Random bits of an id.
    pub(crate) bits: u32,
    /// Windows; ids of two windows cannot be alike.
    pub(crate) windows: f64,
    /// Ids in a window, on average.
    pub(crate) per_window: f64,
    /// What the ids of one window have to do with each other.
    pub(crate) origin: Origin,
}

/// Where the ids of a window come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Origin {
    /// Each is drawn by itself.
    Independent,
    /// So many generators draw one each, and count up from it: only ids of two generators can be alike.
    Runs(u64),
}

/// A chance, with its logarithms: it may be too small, or too near to 1, for a number.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Chance {
    /// The natural logarithm of the chance that no two are alike: 0 or less.
    ln_none: f64,
}

impl Draw {
    /// Independent ids: their number in a window and among the 2^b values is a Poisson process, so each value is drawn by
    /// a Poisson number of ids of mean μ = n / 2^b, and is drawn at most once with chance (1 + μ) e^-μ. That is exact, and
    /// n² / 2^(b+1) where n is small.
    ///
    /// Runs: two of lengths k and l overlap in k + l - 1 of 2^b places. Lengths are Poisson numbers of mean m = n / G.
    pub(crate) fn chance(self) -> Chance {
        let values = f64::from(self.bits).exp2();
        let ln_none = match self.origin {
            Origin::Independent => self.windows * self.per_window * ln_at_most_once_by_mean(self.per_window / values),
            Origin::Runs(generators) => {
                #[expect(clippy::cast_precision_loss, reason = "a number of generators, for a chance")]
                let generators = generators as f64;
                let length = self.per_window / generators;
                let any = -(-length).exp_m1();
                let pairs = generators * (generators - 1.0) / 2.0;
                -self.windows * pairs * (any * (2.0 * length - any) / values).min(1.0)
            }
        };
        Chance { ln_none }
    }
}

/// ln((1 + μ) e^-μ) / μ, without the loss of all digits where μ is small.
fn ln_at_most_once_by_mean(mean: f64) -> f64 {
    const SMALL: f64 = 1e-2;
    if mean > SMALL {
        return mean.ln_1p() / mean - 1.0;
    }
    // -μ/2 + μ²/3 - μ³/4 + …: the eighth term is below 10^-16 of the first.
    let terms = (2..=9).rev().map(f64::from);
    mean * terms.fold(0.0, |sum, k| -(1.0 / k) - mean * sum)
}

impl Chance {
    /// The chance that any two are alike, 0 to 1.
    pub(crate) fn any(self) -> f64 {
        // Not the negative, which is -0 for nothing.
        0.0 - self.ln_none.exp_m1()
    }

    /// How many times all of it is done until two are alike, on average; none when they never are.
    pub(crate) fn one_in(self) -> Option<f64> {
        Some(self.any().recip()).filter(|one_in| one_in.is_finite())
    }

    /// The decimal logarithm of the chance that no two are alike.
    pub(crate) fn log10_none(self) -> f64 {
        self.ln_none / LN_10
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const YEAR_SECONDS: f64 = 365.0 * 86_400.0;

    fn independent(bits: u32, windows: f64, per_window: f64) -> f64 {
        Draw { bits, windows, per_window, origin: Origin::Independent }.chance().any()
    }

    fn runs(bits: u32, windows: f64, per_window: f64, generators: u64) -> f64 {
        Draw { bits, windows, per_window, origin: Origin::Runs(generators) }.chance().any()
    }

    fn is_near(value: f64, expected: f64, tolerance: f64) -> bool {
        (value / expected - 1.0).abs() < tolerance
    }

    #[test]
    fn the_published_table() {
        // A million ids a second for a year: one in 10 billion, 77 million, 1.2 million.
        assert!(is_near(independent(122, 1.0, 1e6 * YEAR_SECONDS).recip(), 10.69e9, 1e-3));
        assert!(is_near(independent(80, 1e3 * YEAR_SECONDS, 1e3).recip(), 76.67e6, 1e-3));
        assert!(is_near(independent(74, 1e3 * YEAR_SECONDS, 1e3).recip(), 1.198e6, 1e-3));
    }

    /// The sum over all numbers of ids: the chance of the number, times the birthday problem's product.
    fn by_birthdays(bits: i32, mean: f64) -> f64 {
        let values = 2.0_f64.powi(bits);
        let (mut chance_of_number, mut none_alike, mut all) = ((-mean).exp(), 1.0, 0.0);
        for number in 0..2_000 {
            all += chance_of_number * none_alike;
            none_alike *= (1.0 - f64::from(number) / values).max(0.0);
            chance_of_number *= mean / f64::from(number + 1);
        }
        1.0 - all
    }

    #[test]
    fn few_bits_agree_with_the_birthday_problem() {
        for (bits, mean) in [(1, 0.7), (4, 3.0), (8, 20.0), (8, 60.0), (12, 64.0), (16, 300.0)] {
            let exact = by_birthdays(bits, mean);
            let value = independent(bits.unsigned_abs(), 1.0, mean);
            assert!(is_near(value, exact, 1e-9), "{bits} bits, {mean} ids: {value}, expected {exact}");
        }
    }

    #[test]
    fn the_series_meets_the_logarithm() {
        for mean in [0.009_99_f64, 0.010_01, 1e-3, 1e-5] {
            // One less the chance of two or more: the sum of e^-μ μ^k / k! from k = 2 on.
            let mut term = (-mean).exp();
            let mut more = 0.0_f64;
            for k in 1..30 {
                term *= mean / f64::from(k);
                if k >= 2 {
                    more += term;
                }
            }
            let expected = (-more).ln_1p();
            assert!(is_near(ln_at_most_once_by_mean(mean) * mean, expected, 1e-12), "{mean}");
        }
    }

    #[test]
    fn tiny_and_large_chances_keep_their_digits() {
        assert!(is_near(independent(122, 1.0, 2.0), 4.0 / 2.0_f64.powi(123), 1e-12));
        assert!(is_near(independent(1_000, 1.0, 1e6), 1e12 / 2.0_f64.powi(1_001), 1e-9));
        let certain = Draw { bits: 32, windows: 1.0, per_window: 1e9, origin: Origin::Independent }.chance();
        assert!(certain.any() >= 1.0 && certain.log10_none() < -1e7, "{certain:?}");
        let none = Draw { bits: 64, windows: 1.0, per_window: 0.0, origin: Origin::Independent }.chance();
        assert!(none.any() <= 0.0 && none.one_in().is_none());
    }

    #[test]
    fn one_generator_that_counts_never_repeats_itself() {
        assert_eq!(runs(80, 1e9, 1e6, 1).to_bits(), 0.0_f64.to_bits());
    }

    #[test]
    fn runs_overlap_in_as_many_places_as_they_are_long() {
        // Two runs of 500 each among 2^40: 999 places. Poisson numbers have the same mean.
        assert!(is_near(runs(40, 1.0, 1_000.0, 2), 999.0 / 2.0_f64.powi(40), 1e-6));
        // Where each generator makes an id now and then, runs are single ids.
        let rare = runs(40, 1e6, 0.01, 100);
        assert!(is_near(rare, independent(40, 1e6, 0.01), 0.02), "{rare}");
    }
}
