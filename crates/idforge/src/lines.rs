//! Lines of input, in blocks: no copy and no allocation for a line.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use crate::failure::Failure;

/// The longest line that is held, and the size of a read.
const BLOCK_LEN: usize = 1 << 20;

/// Input cut into blocks of whole lines.
pub(crate) struct Lines<R> {
    input: R,
    buffer: Box<[u8]>,
    /// What was read and not yet given out.
    start: usize,
    end: usize,
    at_end: bool,
}

/// Why there are no more lines.
#[derive(Debug)]
pub(crate) enum LinesError {
    Io(io::Error),
    /// The next line is longer than a block; this is its beginning.
    LineTooLong {
        beginning: Vec<u8>,
        len_max: usize,
    },
}

impl<R: Read> Lines<R> {
    pub(crate) fn new(input: R) -> Self {
        Self::with_block_len(input, BLOCK_LEN)
    }

    fn with_block_len(input: R, block_len: usize) -> Self {
        Self { input, buffer: vec![0; block_len].into_boxed_slice(), start: 0, end: 0, at_end: false }
    }

    /// The next lines, each with its newline; only the last line of the input may lack it. None at the end of the input.
    ///
    /// A block is given out as soon as it has a line, so that a pipe can be read while it is written.
    pub(crate) fn next_block(&mut self) -> Result<Option<&[u8]>, LinesError> {
        // What is left is the beginning of a line.
        self.buffer.copy_within(self.start..self.end, 0);
        self.end -= self.start;
        self.start = 0;
        loop {
            if self.at_end {
                self.start = self.end;
                return Ok((self.end > 0).then_some(&self.buffer[..self.end]));
            }
            if self.end == self.buffer.len() {
                let beginning = self.buffer[..self.end.min(100)].to_vec();
                return Err(LinesError::LineTooLong { beginning, len_max: self.buffer.len() });
            }
            let read = match self.input.read(&mut self.buffer[self.end..]) {
                Ok(read) => read,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(LinesError::Io(error)),
            };
            self.at_end = read == 0;
            let newline = self.buffer[self.end..self.end + read].iter().rposition(|byte| *byte == b'\n');
            let read_from = self.end;
            self.end += read;
            if let Some(newline) = newline {
                self.start = read_from + newline + 1;
                return Ok(Some(&self.buffer[..self.start]));
            }
        }
    }
}

/// Where lines come from, and what to call it.
pub(crate) struct Source {
    pub(crate) name: String,
    pub(crate) lines: Lines<Box<dyn Read>>,
}

impl Source {
    pub(crate) fn stdin() -> Self {
        Self { name: "standard input".to_owned(), lines: Lines::new(Box::new(io::stdin().lock())) }
    }

    pub(crate) fn file(path: &Path) -> Result<Self, Failure> {
        let name = path.display().to_string();
        let file = File::open(path).map_err(|error| Failure::io(&name, &error))?;
        Ok(Self { name, lines: Lines::new(Box::new(file)) })
    }
}

/// The lines of a block without their newlines (`\n` or `\r\n`).
pub(crate) fn split(block: &[u8]) -> impl Iterator<Item = &[u8]> {
    block.split_inclusive(|byte| *byte == b'\n').map(without_newline)
}

/// A line without its newline (`\n` or `\r\n`), if it has one.
pub(crate) fn without_newline(line: &[u8]) -> &[u8] {
    let line = line.strip_suffix(b"\n").unwrap_or(line);
    line.strip_suffix(b"\r").unwrap_or(line)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Gives at most `step` bytes at a time.
    struct Slow<'a> {
        rest: &'a [u8],
        step: usize,
    }

    impl Read for Slow<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            let len = self.step.min(buffer.len()).min(self.rest.len());
            buffer[..len].copy_from_slice(&self.rest[..len]);
            self.rest = &self.rest[len..];
            Ok(len)
        }
    }

    fn all_lines(text: &[u8], step: usize, block_len: usize) -> Result<Vec<Vec<u8>>, LinesError> {
        let mut lines = Lines::with_block_len(Slow { rest: text, step }, block_len);
        let mut all = Vec::new();
        while let Some(block) = lines.next_block()? {
            all.extend(split(block).map(<[u8]>::to_vec));
        }
        Ok(all)
    }

    #[test]
    fn lines_are_the_same_however_they_are_read() {
        let text = b"1\n\n22\r\n333\n4444";
        let expected: [&[u8]; 5] = [b"1", b"", b"22", b"333", b"4444"];
        for step in 1..=text.len() {
            for block_len in 5..=20 {
                assert_eq!(all_lines(text, step, block_len).expect("short lines"), expected, "{step} {block_len}");
            }
        }
        assert!(all_lines(b"", 1, 5).expect("no lines").is_empty());
    }

    #[test]
    fn a_line_longer_than_a_block_is_refused() {
        for step in [1, 5, 100] {
            let error = all_lines(b"1\n66666666\n", step, 5).expect_err("a line of 8 bytes in a block of 5");
            assert!(matches!(error, LinesError::LineTooLong { beginning, len_max: 5 } if beginning == b"66666"));
        }
    }
}
