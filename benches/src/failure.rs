//! Why a benchmark ended early.

use std::{error::Error, fmt};

use crate::check::Fault;

/// A run that gives no figure.
#[derive(Debug)]
pub(crate) enum Failure {
    /// The ids of a run were not sound.
    Unsound {
        /// Whose ids.
        generator: String,
        /// What is wrong with them.
        fault: Fault,
    },
    /// A generator could not be built, or gave an error instead of an id.
    Refused {
        /// Which generator.
        generator: String,
        /// What it said.
        reason: String,
    },
}

impl Failure {
    /// `generator` said `reason` instead of giving an id.
    pub(crate) fn refused(generator: &str, reason: &impl fmt::Display) -> Self {
        Self::Refused { generator: generator.to_owned(), reason: reason.to_string() }
    }

    /// The ids of `generator` have a fault.
    pub(crate) fn unsound(generator: &str, fault: Fault) -> Self {
        Self::Unsound { generator: generator.to_owned(), fault }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unsound { generator, fault } => {
                write!(f, "the ids of {generator} are not sound: {fault}")
            }
            Self::Refused { generator, reason } => write!(f, "{generator} gave no id: {reason}"),
        }
    }
}

impl Error for Failure {}
