//! A row of the report: a figure of ours, the best rival's, the goal, and whether it is met.

use serde::Serialize;

/// Which of two figures is the better one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Better {
    /// The greater one.
    Higher,
    /// The lesser one.
    Lower,
}

/// What a figure counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub(crate) enum Unit {
    /// Ids in a second, over all threads.
    #[serde(rename = "ids/s")]
    PerSecond,
    /// Part of the ids that the layout allows in the ticks that a bare thread caught.
    #[serde(rename = "share of the cap")]
    Share,
    /// Nanoseconds.
    #[serde(rename = "ns")]
    Nanos,
    /// Bytes.
    #[serde(rename = "bytes")]
    Bytes,
    /// Heap allocations.
    #[serde(rename = "allocations")]
    Allocations,
}

impl Unit {
    /// Which of two figures of this unit is the better one.
    pub(crate) fn better(self) -> Better {
        match self {
            Self::PerSecond | Self::Share => Better::Higher,
            Self::Nanos | Self::Bytes | Self::Allocations => Better::Lower,
        }
    }
}

/// What ours is to reach.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Goal {
    /// Nothing: the row informs.
    None,
    /// So many times as good as the best rival.
    Ratio(f64),
    /// At least this share, with fewer CPUs than that.
    Share {
        /// The least share.
        least: f64,
        /// More CPUs than may be kept busy.
        cpus_below: f64,
    },
    /// At most this.
    AtMost(f64),
}

/// The figures of one contender: the median of the rounds, and the rounds.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Summary {
    /// Whose.
    pub(crate) name: String,
    /// The median.
    pub(crate) value: f64,
    /// The median of the CPUs kept busy; nothing where no time was measured.
    pub(crate) cpus: Option<f64>,
    /// The median of the share of all ticks of the wall clock, caught or not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) of_wall: Option<f64>,
    /// One figure for each round.
    pub(crate) rounds: Vec<f64>,
}

/// A row.
#[derive(Debug, Serialize)]
pub(crate) struct Row {
    /// What was measured.
    pub(crate) name: String,
    /// What the figures count.
    pub(crate) unit: Unit,
    /// Whether more or less is better.
    pub(crate) better: Better,
    /// Threads that shared a generator.
    pub(crate) threads: usize,
    /// This project's median.
    pub(crate) ours: f64,
    /// The best rival's median.
    pub(crate) rival: Option<f64>,
    /// Which rival that is.
    pub(crate) rival_name: Option<String>,
    /// How many times as good as the best rival's ours is.
    pub(crate) ratio: Option<f64>,
    /// What is to be reached, by the ratio or by the figure.
    pub(crate) goal: Option<f64>,
    /// What the goal holds for: `ratio` or `ours`.
    pub(crate) goal_of: Option<&'static str>,
    /// The CPUs to stay below.
    pub(crate) goal_cpus: Option<f64>,
    /// Whether the goal is met.
    pub(crate) met: Option<bool>,
    /// CPUs that ours kept busy.
    pub(crate) ours_cpus: Option<f64>,
    /// CPUs that the best rival kept busy.
    pub(crate) rival_cpus: Option<f64>,
    /// All figures of ours.
    pub(crate) detail: Summary,
    /// All rivals, the best one first.
    pub(crate) rivals: Vec<Summary>,
}

impl Row {
    /// A row that compares `ours` with the best of `rivals`.
    pub(crate) fn new(
        name: impl Into<String>,
        unit: Unit,
        threads: usize,
        goal: Goal,
        ours: Summary,
        mut rivals: Vec<Summary>,
    ) -> Self {
        let better = unit.better();
        rivals.sort_by(|a, b| match better {
            Better::Higher => b.value.total_cmp(&a.value),
            Better::Lower => a.value.total_cmp(&b.value),
        });
        let rival = rivals.first();
        let ratio = rival
            .map(|rival| match better {
                Better::Higher => ours.value / rival.value,
                Better::Lower => rival.value / ours.value,
            })
            .filter(|ratio| ratio.is_finite());
        let (goal_value, goal_of, goal_cpus) = match goal {
            Goal::None => (None, None, None),
            Goal::Ratio(least) => (Some(least), Some("ratio"), None),
            Goal::Share { least, cpus_below } => (Some(least), Some("ours"), Some(cpus_below)),
            Goal::AtMost(most) => (Some(most), Some("ours"), None),
        };
        let met = match goal {
            Goal::None => None,
            Goal::Ratio(least) => Some(ratio.is_some_and(|ratio| ratio >= least)),
            Goal::Share { least, cpus_below } => {
                Some(ours.value >= least && ours.cpus.is_some_and(|cpus| cpus < cpus_below))
            }
            Goal::AtMost(most) => Some(ours.value <= most),
        };
        Self {
            name: name.into(),
            unit,
            better,
            threads,
            ours: ours.value,
            rival: rival.map(|rival| rival.value),
            rival_name: rival.map(|rival| rival.name.clone()),
            ratio,
            goal: goal_value,
            goal_of,
            goal_cpus,
            met,
            ours_cpus: ours.cpus,
            rival_cpus: rival.and_then(|rival| rival.cpus),
            detail: ours,
            rivals,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn summary(name: &str, value: f64, cpus: f64) -> Summary {
        Summary { name: name.to_owned(), value, cpus: Some(cpus), of_wall: None, rounds: vec![value] }
    }

    fn row(unit: Unit, goal: Goal, ours: f64, cpus: f64, rivals: &[f64]) -> Row {
        let rivals = rivals.iter().map(|value| summary(&format!("rival {value}"), *value, 2.0)).collect();
        Row::new("row", unit, 1, goal, summary("ours", ours, cpus), rivals)
    }

    #[test]
    fn the_best_rival_counts() {
        let faster = row(Unit::PerSecond, Goal::Ratio(1.2), 24.0, 1.0, &[10.0, 20.0]);
        assert_eq!(faster.rival_name.as_deref(), Some("rival 20"));
        assert_eq!(faster.ratio, Some(1.2));
        assert_eq!(faster.met, Some(true));
        let slower = row(Unit::Nanos, Goal::Ratio(1.2), 24.0, 1.0, &[10.0, 20.0]);
        assert_eq!(slower.rival_name.as_deref(), Some("rival 10"));
        assert_eq!(slower.met, Some(false));
    }

    #[test]
    fn a_goal_is_missed_by_its_figure_or_by_its_cpus() {
        let goal = Goal::Share { least: 0.995, cpus_below: 0.9 };
        assert_eq!(row(Unit::Share, goal, 0.995, 0.89, &[]).met, Some(true));
        assert_eq!(row(Unit::Share, goal, 0.994, 0.89, &[]).met, Some(false));
        assert_eq!(row(Unit::Share, goal, 0.999, 0.9, &[]).met, Some(false));
        let goal = Goal::AtMost(256.0);
        assert_eq!(row(Unit::Bytes, goal, 256.0, 0.0, &[]).met, Some(true));
        assert_eq!(row(Unit::Bytes, goal, 257.0, 0.0, &[]).met, Some(false));
    }

    #[test]
    fn without_a_rival_a_ratio_is_not_met_and_without_a_goal_nothing_is() {
        assert_eq!(row(Unit::PerSecond, Goal::Ratio(1.0), 9.0, 1.0, &[]).met, Some(false));
        assert_eq!(row(Unit::PerSecond, Goal::None, 9.0, 1.0, &[1.0]).met, None);
        assert_eq!(row(Unit::Allocations, Goal::AtMost(0.0), 0.0, 1.0, &[0.0]).ratio, None);
    }
}
