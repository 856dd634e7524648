//! Randomness that one number replays.

use std::env;
use std::hash::{BuildHasher, RandomState};
use std::thread;

/// The environment variable that replays a run.
const VARIABLE: &str = "IDTEST_SEED";

/// The seed of one test: from `IDTEST_SEED`, or a fresh one; printed when the test fails.
#[derive(Debug)]
pub struct Seed {
    number: u64,
}

impl Seed {
    /// The seed of this run.
    ///
    /// # Panics
    ///
    /// When `IDTEST_SEED` is set to something that is not a number.
    pub fn of_this_run() -> Self {
        let number = match env::var(VARIABLE) {
            Ok(text) => text.parse().unwrap_or_else(|_| panic!("{VARIABLE}={text}: expected a number below 2^64")),
            Err(_) => RandomState::new().hash_one(VARIABLE),
        };
        Self { number }
    }

    /// The number that replays the run.
    pub const fn number(&self) -> u64 {
        self.number
    }

    /// A source of numbers that depends on the seed alone.
    pub const fn rng(&self) -> Rng {
        Rng::new(self.number)
    }
}

impl Drop for Seed {
    fn drop(&mut self) {
        if thread::panicking() {
            eprintln!("replay with {VARIABLE}={}", self.number);
        }
    }
}

/// Pseudo-random numbers: `SplitMix64`, <https://doi.org/10.1145/2714064.2660195>.
#[derive(Clone, Debug)]
pub struct Rng {
    state: u64,
}

impl Rng {
    /// The numbers that belong to a seed.
    pub const fn new(seed: u64) -> Self {
        Self { state: seed }
    }

    /// The next number of 64 bits.
    pub const fn next_u64(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.state;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    /// A number below `bound`, which is at least 1; the bias is far below what a test could see.
    pub const fn below(&mut self, bound: u64) -> u64 {
        self.next_u64() % bound
    }

    /// A number of a random width, so that small and large ones are equally frequent.
    pub const fn any_width(&mut self) -> u64 {
        let bits = self.below(65);
        if bits == 0 { 0 } else { self.next_u64() >> (64 - bits) }
    }

    /// One of the choices.
    pub fn pick<T: Copy>(&mut self, choices: &[T]) -> T {
        let index = self.below(choices.len() as u64);
        choices[usize::try_from(index).expect("an index of a slice")]
    }

    /// `len` random bytes.
    pub fn bytes(&mut self, len: usize) -> Vec<u8> {
        (0..len).map(|_| self.next_u64().to_le_bytes()[0]).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gives_the_published_numbers_of_splitmix64() {
        // The first outputs for seed 1234567, as in the reference implementation's published test values.
        let mut rng = Rng::new(1_234_567);
        let expected = [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423];
        assert_eq!([rng.next_u64(), rng.next_u64(), rng.next_u64()], expected);
    }

    #[test]
    fn one_seed_gives_one_run() {
        let seed = Seed { number: 7 };
        assert_eq!(seed.rng().bytes(40), seed.rng().bytes(40));
    }
}
