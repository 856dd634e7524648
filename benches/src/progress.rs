//! How far a long run is, on standard error, when that is a terminal.

use std::borrow::Cow;

use indicatif::{ProgressBar, ProgressStyle};

/// A bar that counts rounds.
pub(crate) struct Progress {
    bar: ProgressBar,
}

impl Progress {
    /// A bar for `rounds` rounds; nothing is drawn when standard error is no terminal.
    pub(crate) fn new(rounds: u64) -> Self {
        let style = ProgressStyle::with_template("{bar:24} {pos}/{len} rounds  {prefix}  {msg}")
            .expect("the template is sound");
        Self { bar: ProgressBar::new(rounds).with_style(style) }
    }

    /// A bar that is never drawn.
    #[cfg(test)]
    pub(crate) fn hidden() -> Self {
        Self { bar: ProgressBar::hidden() }
    }

    /// The rows named `group` come now.
    pub(crate) fn group(&self, group: impl Into<Cow<'static, str>>) {
        self.bar.set_prefix(group);
    }

    /// `contender` runs now. Drawn before the run: no thread of the bar disturbs it.
    pub(crate) fn running(&self, contender: &str) {
        self.bar.set_message(contender.to_owned());
    }

    /// One round more is done.
    pub(crate) fn round_done(&self) {
        self.bar.inc(1);
    }

    /// All is done: the bar goes away.
    pub(crate) fn finish(&self) {
        self.bar.finish_and_clear();
    }
}
