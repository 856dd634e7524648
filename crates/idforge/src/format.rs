//! `--format`: what ids are read as.

use clap::ValueEnum;

use crate::failure::Failure;

/// A format, or whichever a text looks like.
// The variants have no comments of their own: the help would show them, and with them an option takes half a screen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum FormatChoice {
    #[default]
    Auto,
    Snowflake,
    Uuid,
    Ulid,
}

impl FormatChoice {
    /// Options that are given and go for snowflakes alone make snowflakes of the ids, and an error of another choice.
    pub(crate) fn settle(self, of_snowflakes: &[(&str, bool)]) -> Result<Self, Failure> {
        let given = of_snowflakes.iter().find(|(_, is_given)| *is_given);
        match (self, given) {
            (Self::Auto, Some(_)) => Ok(Self::Snowflake),
            (Self::Uuid | Self::Ulid, Some((option, _))) => {
                Err(Failure::Trouble(format!("{option}: expected --format snowflake, or no --format")))
            }
            (choice, _) => Ok(choice),
        }
    }
}
