//! What a person sees: lines, colours on a terminal, durations.

use std::time::Duration;

use anstyle::{AnsiColor, Style};

pub(crate) const BOLD: Style = Style::new().bold();
pub(crate) const DIM: Style = Style::new().dimmed();
pub(crate) const GOOD: Style = AnsiColor::Green.on_default().bold();
pub(crate) const BAD: Style = AnsiColor::Red.on_default().bold();
pub(crate) const WARN: Style = AnsiColor::Yellow.on_default().bold();

/// One line of progress, on standard output.
pub(crate) fn line(text: &str) {
    anstream::println!("{text}");
}

/// One line that explains something but is no failure.
pub(crate) fn note(text: &str) {
    anstream::eprintln!("{WARN}note{WARN:#}: {text}");
}

/// The reason why the command fails.
pub(crate) fn error(text: &str) {
    anstream::eprintln!("{BAD}error{BAD:#}: {text}");
}

/// `text` in `style`; the codes are dropped where the output is no terminal.
pub(crate) fn styled(style: Style, text: &str) -> String {
    format!("{style}{text}{style:#}")
}

/// Tenths of a second below a minute, whole minutes and seconds above.
pub(crate) fn seconds(duration: Duration) -> String {
    let tenths = (duration.as_millis() + 50) / 100;
    if tenths < 600 {
        format!("{}.{} s", tenths / 10, tenths % 10)
    } else {
        let whole_s = (tenths + 5) / 10;
        format!("{} min {:02} s", whole_s / 60, whole_s % 60)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_read_at_a_glance() {
        let of = |ms| seconds(Duration::from_millis(ms));
        assert_eq!(of(0), "0.0 s");
        assert_eq!(of(1_249), "1.2 s");
        assert_eq!(of(1_250), "1.3 s");
        assert_eq!(of(59_940), "59.9 s");
        assert_eq!(of(59_960), "1 min 00 s");
        assert_eq!(of(125_400), "2 min 05 s");
    }
}
