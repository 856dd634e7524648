//! Progress of long work, on standard error if it is a terminal.

use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};

const REDRAW_EVERY: Duration = Duration::from_millis(200);

/// A bar or a counter; hidden where standard error is no terminal.
pub(crate) struct Progress(ProgressBar);

impl Progress {
    /// A bar of `total` things, with the rate and the time that is left.
    pub(crate) fn bar(total: u64, things: &str) -> Self {
        Self::with_template(
            ProgressBar::new(total),
            &format!("{{bar:30}} {{human_pos}} of {{human_len}} {things}, {{per_sec}}, {{eta}} left"),
        )
    }

    /// A counter of things whose number is not known.
    pub(crate) fn counter(things: &str) -> Self {
        Self::with_template(ProgressBar::no_length(), &format!("{{spinner}} {{human_pos}} {things}, {{per_sec}}"))
    }

    /// Nothing at all.
    pub(crate) fn hidden() -> Self {
        Self(ProgressBar::hidden())
    }

    /// How far the work is.
    pub(crate) fn set(&self, position: u64) {
        self.0.set_position(position);
    }

    /// Takes the line away again.
    pub(crate) fn finish(&self) {
        self.0.finish_and_clear();
    }

    fn with_template(bar: ProgressBar, template: &str) -> Self {
        let style = ProgressStyle::with_template(template).expect("the template's keys are indicatif's");
        let bar = bar.with_style(style);
        bar.enable_steady_tick(REDRAW_EVERY);
        Self(bar)
    }
}
