//! Progress of long work, on standard error if it is a terminal.

use std::fmt::Write;
use std::io::{self, IsTerminal};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressState, ProgressStyle};

const REDRAW_EVERY: Duration = Duration::from_millis(200);

/// A bar or a counter; hidden where standard error is no terminal.
pub(crate) struct Progress(ProgressBar);

impl Progress {
    /// A bar of `total` things, with the rate and the time that is left.
    pub(crate) fn of(total: u64, things: &str) -> Self {
        Self::shown(
            ProgressBar::new(total),
            &format!("{{bar:24}} {{human_pos}} of {{human_len}} {things}, {{rate}}, {{eta}} left"),
        )
    }

    /// A bar that is set in percent.
    pub(crate) fn percent(what: &str) -> Self {
        Self::shown(ProgressBar::new(100), &format!("{what} {{bar:24}} {{percent}} %, {{eta}} left"))
    }

    /// A counter of things whose number is not known.
    pub(crate) fn counter(things: &str) -> Self {
        Self::shown(ProgressBar::no_length(), &format!("{{spinner}} {{human_pos}} {things}, {{rate}}"))
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

    fn shown(bar: ProgressBar, template: &str) -> Self {
        if !io::stderr().is_terminal() {
            return Self::hidden();
        }
        let style = ProgressStyle::with_template(template).expect("the template's keys are indicatif's");
        let bar = bar.with_style(style.with_key("rate", |state: &ProgressState, out: &mut dyn Write| {
            // Drawing goes on without it.
            let _ = out.write_str(&rate(state.per_sec()));
        }));
        bar.enable_steady_tick(REDRAW_EVERY);
        Self(bar)
    }
}

/// So many in a second, in three digits or so.
fn rate(per_second: f64) -> String {
    match per_second {
        1e6.. => format!("{:.1} M/s", per_second / 1e6),
        1e3.. => format!("{:.1} k/s", per_second / 1e3),
        _ => format!("{per_second:.0}/s"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rates_read_at_a_glance() {
        assert_eq!([0.0, 999.0, 25_600.0, 4_096_000.0].map(rate), ["0/s", "999/s", "25.6 k/s", "4.1 M/s"]);
    }
}
