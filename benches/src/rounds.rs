//! Rounds: ours, rival, rival, ours, rival, rival, … and the medians of them.
//!
//! Ours may be several: a shared generator and its handles, say, against the same rivals. A rival may come with several settings. All of them run in the warm-up round; the one that did
//! best there stands for the rival in the rounds that count.

use crate::{failure::Failure, id::Id, mint::Mint, progress::Progress, stats};

/// A figure of one run.
pub(crate) trait Figure {
    /// What settings of one rival are compared by: more is better.
    fn score(&self) -> f64;
}

/// Gives one figure of the contender whose name it is told.
type Measure<'a, F> = dyn FnMut(&str) -> Result<F, Failure> + 'a;

/// A way to measure generators, of whatever types.
pub(crate) trait Measuring<'a> {
    /// What kind of ids.
    type Id: Id;
    /// What comes of it.
    type Figure: Figure;

    /// A contender that is measured this way.
    fn contender<M: Mint<Id = Self::Id> + 'a>(&self, name: &str, minter: M) -> Contender<'a, Self::Figure>;
}

/// Something that can be measured again and again.
pub(crate) struct Contender<'a, F> {
    name: String,
    measure: Box<Measure<'a, F>>,
}

/// All the figures of one contender, the warm-up not included.
pub(crate) struct Series<F> {
    /// Whose figures.
    pub(crate) name: String,
    /// One for each round.
    pub(crate) figures: Vec<F>,
}

/// What the rounds gave.
pub(crate) struct Measured<F> {
    /// This project's figures, one series for each contender.
    pub(crate) ours: Vec<Series<F>>,
    /// One series for each rival.
    pub(crate) rivals: Vec<Series<F>>,
}

impl<'a, F: Figure> Contender<'a, F> {
    /// A contender that `measure` gives a figure of; it is told the name, for errors.
    pub(crate) fn new(name: impl Into<String>, measure: impl FnMut(&str) -> Result<F, Failure> + 'a) -> Self {
        Self { name: name.into(), measure: Box::new(measure) }
    }

    fn figure(&mut self, progress: &Progress) -> Result<F, Failure> {
        progress.running(&self.name);
        (self.measure)(&self.name)
    }

    fn series(&self) -> Series<F> {
        Series { name: self.name.clone(), figures: Vec::new() }
    }
}

impl<F> Series<F> {
    /// The median of what `read` takes out of each figure.
    pub(crate) fn median(&self, read: impl Fn(&F) -> f64) -> f64 {
        stats::median(&self.all(read))
    }

    /// What `read` takes out of each figure, in the order of the rounds.
    pub(crate) fn all(&self, read: impl Fn(&F) -> f64) -> Vec<f64> {
        self.figures.iter().map(read).collect()
    }
}

/// Measures a warm-up round and then `rounds` rounds, each contender in turn.
///
/// Each entry of `rivals` is one rival with its settings.
///
/// # Errors
///
/// The first run that gives no figure.
pub(crate) fn in_turn<'a, F: Figure>(
    mut ours: Vec<Contender<'a, F>>,
    rivals: Vec<Vec<Contender<'a, F>>>,
    rounds: usize,
    progress: &Progress,
) -> Result<Measured<F>, Failure> {
    for contender in &mut ours {
        contender.figure(progress)?;
    }
    let mut best = Vec::new();
    for settings in rivals {
        best.extend(best_of(settings, progress)?);
    }
    progress.round_done();
    let mut measured = Measured {
        ours: ours.iter().map(Contender::series).collect(),
        rivals: best.iter().map(Contender::series).collect(),
    };
    for _ in 0..rounds {
        let contenders = ours.iter_mut().chain(&mut best);
        for (contender, series) in contenders.zip(measured.ours.iter_mut().chain(&mut measured.rivals)) {
            series.figures.push(contender.figure(progress)?);
        }
        progress.round_done();
    }
    Ok(measured)
}

/// The setting that does best in one run each.
fn best_of<'a, F: Figure>(
    settings: Vec<Contender<'a, F>>,
    progress: &Progress,
) -> Result<Option<Contender<'a, F>>, Failure> {
    let mut best: Option<(f64, Contender<'a, F>)> = None;
    for mut setting in settings {
        let score = setting.figure(progress)?.score();
        if best.as_ref().is_none_or(|(top, _)| score > *top) {
            best = Some((score, setting));
        }
    }
    Ok(best.map(|(_, setting)| setting))
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;

    use super::*;

    impl Figure for f64 {
        fn score(&self) -> f64 {
            *self
        }
    }

    #[test]
    #[expect(clippy::float_cmp, reason = "the values are exact")]
    fn contenders_take_turns_and_the_best_setting_stays() {
        let log = RefCell::new(Vec::new());
        let contender = |name: &'static str, figure: f64| {
            let log = &log;
            Contender::new(name, move |name: &str| {
                log.borrow_mut().push(name.to_owned());
                Ok(figure)
            })
        };
        let rivals =
            vec![vec![contender("a1", 1.0), contender("a2", 3.0), contender("a3", 2.0)], vec![contender("b", 5.0)]];
        let ours = vec![contender("o1", 9.0), contender("o2", 8.0)];
        let measured = in_turn(ours, rivals, 2, &Progress::hidden()).unwrap();
        let round = ["o1", "o2", "a2", "b"];
        assert_eq!(*log.borrow(), [&["o1", "o2", "a1", "a2", "a3", "b"], &round[..], &round].concat());
        assert_eq!(measured.ours[0].all(|figure| *figure), [9.0, 9.0]);
        assert_eq!(measured.ours[1].name, "o2");
        assert_eq!(measured.ours[1].figures, [8.0, 8.0]);
        assert_eq!(measured.rivals[0].name, "a2");
        assert_eq!(measured.rivals[0].median(|figure| *figure), 3.0);
        assert_eq!(measured.rivals[1].figures, [5.0, 5.0]);
    }

    #[test]
    fn a_failure_ends_the_rounds() {
        let fails =
            Contender::new("fails", |name: &str| -> Result<f64, Failure> { Err(Failure::refused(name, &"closed")) });
        let ours = Contender::new("ours", |_: &str| Ok(1.0));
        let error = in_turn(vec![ours], vec![vec![fails]], 5, &Progress::hidden()).err().unwrap();
        assert_eq!(error.to_string(), "fails gave no id: closed");
    }
}
