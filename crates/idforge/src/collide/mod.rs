//! `idforge collide`: how likely it is that two random ids are alike.

mod chance;

use std::fmt::Write as _;
use std::time::Duration;

use clap::Args;
use serde::Serialize;

use self::chance::{Chance, Draw, Origin};
use crate::calendar;
use crate::failure::Failure;
use crate::output::{BOLD, Output, Page, styled};
use crate::quote::quote;

const EXAMPLES: &str = "\
Examples:
  idforge collide
  idforge collide --rate 50k --for 10y
  idforge collide --bits 74 --rate 1M --for 1y --within 1ms
  idforge collide --bits 122 --rate 1M --for 1y --within forever --json
  idforge collide --bits 80 --rate 1M --for 1y --within 1ms --generators 16 --monotonic

Without --bits: a table of the usual kinds of ids. Ids arrive at random moments. With --within 1ms only ids of one \
millisecond can be alike, as where they begin with their time. With --monotonic each of --generators draws one id of a \
window and counts up from it, as ULID's specification says: only ids of two generators can be alike.

Keep a unique constraint all the same: the figures hold for good random bits only.";

/// Print how likely it is that two random ids are alike
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Collide {
    /// Random bits of an id
    #[arg(long, value_name = "BITS", value_parser = clap::value_parser!(u32).range(0..=512))]
    bits: Option<u32>,
    /// Ids in a second, all together: 1000000, 50k, 1M, 0.5
    #[arg(long, value_name = "RATE", default_value = "1M", value_parser = parse_rate)]
    rate: f64,
    /// For how long; a year has 365 days
    #[arg(long = "for", value_name = "LENGTH", default_value = "1y", value_parser = calendar::parse_long_duration)]
    length: Duration,
    /// The time within which ids can be alike: 1ms, 1s, forever
    #[arg(long, value_name = "LENGTH", default_value = "forever", value_parser = parse_window, requires = "bits")]
    within: Window,
    /// Generators that share the rate
    #[arg(long, value_name = "G", default_value_t = 1, requires = "monotonic")]
    #[arg(value_parser = clap::value_parser!(u64).range(1..))]
    generators: u64,
    /// Generators count up within a window
    #[arg(long, requires = "bits")]
    monotonic: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// A time within which ids can be alike.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Window {
    Forever,
    Of(Duration),
}

/// A kind of ids, and what of them is random.
struct Kind {
    name: &'static str,
    /// None where nothing is left to chance.
    bits: Option<u32>,
    window: Window,
}

const MILLISECOND: Window = Window::Of(Duration::from_millis(1));

const KINDS: [Kind; 4] = [
    Kind { name: "UUIDv4", bits: Some(122), window: Window::Forever },
    Kind { name: "ULID", bits: Some(80), window: MILLISECOND },
    Kind { name: "UUIDv7", bits: Some(74), window: MILLISECOND },
    Kind { name: "Snowflake", bits: None, window: MILLISECOND },
];

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Report {
    name: Option<&'static str>,
    bits: u32,
    rate_per_second: f64,
    seconds: f64,
    within_seconds: Option<f64>,
    generators: u64,
    monotonic: bool,
    windows: f64,
    ids_per_window: f64,
    /// 0 to 1.
    chance: f64,
    one_in: Option<f64>,
    /// The decimal logarithm of the chance that no two are alike.
    log10_none: f64,
}

impl Collide {
    pub(crate) fn run(&self, output: &mut Output) -> Result<(), Failure> {
        match self.bits {
            Some(bits) if self.json => output.json(&self.report(None, bits, self.within))?,
            Some(bits) => output.text(&self.text(bits))?,
            None if self.json => output.json(&self.reports())?,
            None => output.text(&self.table())?,
        }
        output.flush()
    }

    fn draw(&self, bits: u32, window: Window) -> Draw {
        let seconds = self.length.as_secs_f64();
        let windows = match window {
            Window::Forever => 1.0,
            Window::Of(length) => (seconds / length.as_secs_f64()).max(1.0),
        };
        let origin = if self.monotonic { Origin::Runs(self.generators) } else { Origin::Independent };
        Draw { bits, windows, per_window: self.rate * seconds / windows, origin }
    }

    fn report(&self, name: Option<&'static str>, bits: u32, window: Window) -> Report {
        let draw = self.draw(bits, window);
        let chance = draw.chance();
        Report {
            name,
            bits,
            rate_per_second: self.rate,
            seconds: self.length.as_secs_f64(),
            within_seconds: match window {
                Window::Forever => None,
                Window::Of(length) => Some(length.as_secs_f64()),
            },
            generators: self.generators,
            monotonic: self.monotonic,
            windows: draw.windows,
            ids_per_window: draw.per_window,
            chance: chance.any(),
            one_in: chance.one_in(),
            log10_none: chance.log10_none(),
        }
    }

    /// Of the kinds that have random bits.
    fn reports(&self) -> Vec<Report> {
        KINDS.iter().filter_map(|kind| Some(self.report(Some(kind.name), kind.bits?, kind.window))).collect()
    }

    fn text(&self, bits: u32) -> String {
        let draw = self.draw(bits, self.within);
        let mut page = Page::default();
        page.line(&styled(BOLD, &words(draw.chance())));
        page.line("");
        page.line(&format!("bits     {bits} random: {} values", rounded(f64::from(bits).exp2())));
        page.line(&format!("ids      {} a second for {}", rounded(self.rate), calendar::show_length(self.length)));
        page.line(&match self.within {
            Window::Forever => format!("within   all time: {} ids", rounded(draw.per_window)),
            Window::Of(length) => {
                let (ids, windows) = (rounded(draw.per_window), rounded(draw.windows));
                format!("within   {}: {ids} ids in each of {windows}", calendar::show_length(length))
            }
        });
        page.line(match draw.origin {
            Origin::Independent => "formula  1 - ((1 + μ) e^-μ)^(2^bits × windows), μ = ids / 2^bits: ids² / 2^(bits + 1) where that is small",
            Origin::Runs(_) => "formula  windows × pairs of generators × (two runs' lengths - 1) / 2^bits, where that is small",
        });
        page.into_text()
    }

    fn table(&self) -> String {
        let mut page = Page::default();
        let (rate, length) = (rounded(self.rate), calendar::show_length(self.length));
        page.line(&format!("{rate} ids a second for {length}"));
        page.line("");
        for kind in KINDS {
            let name = styled(BOLD, &format!("{:<10}", kind.name));
            let within = if kind.window == Window::Forever { "any other id" } else { "ids of the same millisecond" };
            match kind.bits {
                Some(bits) => {
                    let chance = words(self.draw(bits, kind.window).chance());
                    page.line(&format!("{name}{bits:>4} random bits  {within:<28} {chance}"));
                }
                None => {
                    page.line(&format!(
                        "{name}{:>4} random bits  {within:<28} none, while worker ids are unique",
                        "no"
                    ));
                }
            }
        }
        page.into_text()
    }
}

/// The chance in words.
fn words(chance: Chance) -> String {
    match chance.one_in() {
        None => "none".to_owned(),
        Some(_) if chance.log10_none() < -15.0 => {
            format!("certain: none is alike with a chance of 10^{:.0}", chance.log10_none())
        }
        Some(one_in) if one_in < 10.0 => format!("{:.4} %", chance.any() * 100.0),
        Some(one_in) => format!("1 in {}", rounded(one_in)),
    }
}

/// Three digits, with the name of the thousands where there is one.
fn rounded(value: f64) -> String {
    const NAMES: [(f64, &str); 4] = [(1e12, " trillion"), (1e9, " billion"), (1e6, " million"), (1.0, "")];
    if value >= 1e15 || (value > 0.0 && value < 0.01) {
        return format!("{value:.2e}");
    }
    let (unit, name) = NAMES.into_iter().find(|(unit, _)| value >= *unit).unwrap_or((1.0, ""));
    let scaled = value / unit;
    let mut text = String::new();
    let decimals = if scaled >= 100.0 {
        0
    } else if scaled >= 10.0 {
        1
    } else {
        2
    };
    let _ = write!(text, "{scaled:.decimals$}");
    if text.contains('.') {
        text.truncate(text.trim_end_matches('0').trim_end_matches('.').len());
    }
    text + name
}

fn parse_rate(text: &str) -> Result<f64, String> {
    let expected = || format!("{}: expected ids in a second above 0, such as 1000000, 50k, 1M or 0.5", quote(text));
    let (number, unit) = match text.trim_end_matches("/s") {
        short if short.ends_with('k') => (&short[..short.len() - 1], 1e3),
        short if short.ends_with('M') => (&short[..short.len() - 1], 1e6),
        short if short.ends_with('G') => (&short[..short.len() - 1], 1e9),
        whole => (whole, 1.0),
    };
    let is_plain = number.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    let rate = number.parse::<f64>().ok().filter(|_| is_plain).map(|number| number * unit);
    rate.filter(|rate| *rate > 0.0 && rate.is_finite()).ok_or_else(expected)
}

fn parse_window(text: &str) -> Result<Window, String> {
    if text == "forever" {
        return Ok(Window::Forever);
    }
    match calendar::parse_duration(text) {
        Ok(length) if !length.is_zero() => Ok(Window::Of(length)),
        _ => Err(format!("{}: expected a length of time above 0 such as 1ms, or forever", quote(text))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rates() {
        let cases = [("1000000", 1e6_f64), ("50k", 5e4), ("1M", 1e6), ("1M/s", 1e6), ("2.5G", 2.5e9), ("0.5", 0.5)];
        for (text, rate) in cases {
            assert_eq!(parse_rate(text).map(f64::to_bits), Ok(rate.to_bits()), "{text}");
        }
        for wrong in ["", "k", "0", "-1", "1e6", "inf", "NaN", "1 M", "1m", "à", "1.2.3"] {
            assert!(parse_rate(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn windows() {
        assert_eq!(parse_window("forever"), Ok(Window::Forever));
        assert_eq!(parse_window("1ms"), Ok(MILLISECOND));
        for wrong in ["", "0ms", "-1ms", "Forever", "1"] {
            assert!(parse_window(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn figures_have_three_digits_and_a_name() {
        let cases = [
            (1.0, "1"),
            (999.0, "999"),
            (1_000.0, "1000"),
            (1.5e6, "1.5 million"),
            (76.67e6, "76.7 million"),
            (3.1536e13, "31.5 trillion"),
            (1.9e22, "1.90e22"),
            (0.5, "0.5"),
        ];
        for (value, text) in cases {
            assert_eq!(rounded(value), text);
        }
    }
}
