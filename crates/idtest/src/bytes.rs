//! Choices made by the bytes of a fuzzer or of a property test.

/// A run of bytes that is used up from the start; zeros once it is empty.
#[derive(Clone, Debug)]
pub struct Bytes<'a> {
    rest: &'a [u8],
}

impl<'a> Bytes<'a> {
    /// Begins at the start of `data`.
    pub const fn new(data: &'a [u8]) -> Self {
        Self { rest: data }
    }

    /// Whether all bytes are used.
    pub const fn is_empty(&self) -> bool {
        self.rest.is_empty()
    }

    /// The next byte.
    pub fn byte(&mut self) -> u8 {
        match self.rest.split_first() {
            Some((first, rest)) => {
                self.rest = rest;
                *first
            }
            None => 0,
        }
    }

    /// The next eight bytes as a number.
    pub fn u64(&mut self) -> u64 {
        u64::from_le_bytes(std::array::from_fn(|_| self.byte()))
    }

    /// A number below `bound`, which is at least 1. Takes one byte for bounds up to 256, eight for larger ones.
    pub fn below(&mut self, bound: u64) -> u64 {
        if bound <= 256 { u64::from(self.byte()) % bound } else { self.u64() % bound }
    }

    /// One of the choices.
    pub fn pick<T: Copy>(&mut self, choices: &[T]) -> T {
        let index = self.below(choices.len() as u64);
        choices[usize::try_from(index).expect("an index of a slice")]
    }

    /// True once in `n`.
    pub fn one_in(&mut self, n: u64) -> bool {
        self.below(n) == n - 1
    }

    /// What is left.
    pub const fn rest(&self) -> &'a [u8] {
        self.rest
    }
}
