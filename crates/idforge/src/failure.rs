//! How a command ends that does not end well, and the exit status that tells it.

use std::fmt;
use std::io;

/// Why a command did not do all that was asked.
#[derive(Debug)]
pub(crate) enum Failure {
    /// What the command looks for was found, or ids were refused: exit status 1.
    Finding(String),
    /// A finding that standard output tells already: exit status 1, and nothing more to say.
    Found,
    /// The usage, the input or the system is wrong: exit status 2.
    Trouble(String),
    /// Input that is wrong, each place of which was named already: exit status 2, and nothing more to say.
    Troubled,
    /// Whoever read standard output has enough: exit status 0.
    ClosedPipe,
}

impl Failure {
    /// An error of reading or writing `what`.
    pub(crate) fn io(what: impl fmt::Display, error: &io::Error) -> Self {
        Self::Trouble(format!("{what}: {error}"))
    }

    /// An error of writing to standard output; a reader that went away is none.
    pub(crate) fn stdout(error: &io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::BrokenPipe => Self::ClosedPipe,
            _ => Self::io("standard output", error),
        }
    }

    /// The exit status: 0 fine, 1 a finding, 2 trouble.
    pub(crate) fn status(&self) -> u8 {
        match self {
            Self::ClosedPipe => 0,
            Self::Finding(_) | Self::Found => 1,
            Self::Trouble(_) | Self::Troubled => 2,
        }
    }

    /// What is left to say on standard error.
    pub(crate) fn message(&self) -> Option<&str> {
        match self {
            Self::Finding(message) | Self::Trouble(message) => Some(message),
            Self::Found | Self::Troubled | Self::ClosedPipe => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reader_that_went_away_is_no_error() {
        let gone = Failure::stdout(&io::Error::from(io::ErrorKind::BrokenPipe));
        assert_eq!((gone.status(), gone.message()), (0, None));
        let full = Failure::stdout(&io::Error::from(io::ErrorKind::StorageFull));
        assert_eq!(full.status(), 2);
        assert!(full.message().is_some_and(|message| message.starts_with("standard output: ")));
    }
}
