//! `idforge gen snowflake`: ids of one generator that all threads share.

use std::str::FromStr;
use std::time::Duration;

use clap::Args;
use idcore::{BuildError, Dyn, DynSnowflake, Exhaustion, FillError, Generator, IssueError, Local, Rollback};

use super::amount::{Amount, Sharing};
use super::frame::Frame;
use super::pool::{Interrupted, Source, Stop};
use crate::calendar;
use crate::clock::ChosenClock;
use crate::encoding::Encoding;
use crate::failure::Failure;
use crate::layouts::NamedLayout;
use crate::node::Node;
use crate::output::{Messages, Output};
use crate::quote::quote;

/// How long `wait` waits for the next tick, and for its turn among other threads, before that is an error.
const EXHAUSTED_WAIT_MAX: Duration = Duration::from_secs(60);
/// How long `wait` waits for a clock that has gone back.
const ROLLBACK_WAIT_MAX: Duration = Duration::from_millis(5);

const EXAMPLES: &str = "\
Examples:
  idforge gen snowflake --node 17
  idforge gen snowflake -n 10000000 --threads 8 --node datacenter=3,worker=17
  idforge gen snowflake -n 10000000 --threads 8 --node 17 --clock ticker --handles
  idforge gen snowflake -n 3 --layout sonyflake --node 361 --encoding crockford
  idforge gen snowflake -n 100000 --node 17 | idforge check

Without --node, ids are of node 0, and another process without it repeats them. One thread gives ids in ascending \
order; those of several threads interleave.

Exit status: 0; 1 when the clock or the layout refuses ids (what was made before is printed); 2 for wrong usage.";

/// Ids of 64 bits that begin with their time
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct GenerateSnowflakes {
    #[command(flatten)]
    amount: Amount,
    /// A preset or `epoch=TIME,tick=1ms,NAME:BITS,…`
    #[arg(long, value_name = "LAYOUT", default_value = "standard")]
    layout: NamedLayout,
    /// The worker: 17 or datacenter=3,worker=17
    #[arg(long, value_name = "NODE")]
    node: Option<Node>,
    /// How to print them: 16 hex digits, 13 characters of Crockford's base 32, 11 of base 62
    #[arg(long, value_enum, default_value_t, value_name = "ENCODING")]
    encoding: Encoding,
    #[command(flatten)]
    sharing: Sharing,
    /// When the clock goes back: fail, or wait for up to so long
    #[arg(long, value_name = "fail|wait:LENGTH", default_value = "wait:5ms")]
    rollback: Policy,
    /// When the ids of a tick are used up: fail, or wait for up to so long (wait: a minute)
    #[arg(long, value_name = "fail|wait[:LENGTH]", default_value = "wait")]
    exhausted: Policy,
    /// How far ids may run ahead of the clock: borrowing, and a logical clock after a step back
    #[arg(long, value_name = "LENGTH", default_value = "0ms", value_parser = calendar::parse_duration)]
    ahead: Duration,
}

/// What to do when there is no id now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Policy {
    Fail,
    /// For up to so long, or as the command says.
    Wait(Option<Duration>),
}

impl FromStr for Policy {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match (text, text.strip_prefix("wait:")) {
            ("fail", _) => Ok(Self::Fail),
            ("wait", _) => Ok(Self::Wait(None)),
            (_, Some(length)) => calendar::parse_duration(length).map(|length| Self::Wait(Some(length))),
            _ => Err(format!("{}: expected fail, wait, or wait:LENGTH such as wait:5ms", quote(text))),
        }
    }
}

impl GenerateSnowflakes {
    pub(crate) fn run(self, output: Output, messages: Messages) -> Result<(), Failure> {
        let ids_per_second = self.layout.layout.ids_per_second();
        let source = Snowflakes {
            generator: self.generator(messages)?,
            frame: self.amount.frame(),
            encoding: self.encoding,
            batch_len: self.amount.batch_len(ids_per_second),
            handles: self.sharing.handles,
        };
        self.amount.write(&source, ids_per_second, output, |error| match error {
            IssueError::EpochEnded { end, .. } => format!("the layout has no ids at {} or later", calendar::utc(end)),
            error @ IssueError::Exhausted { .. } => format!("{error} (see --exhausted)"),
            error @ IssueError::ClockBehind { .. } => format!("{error} (see --rollback)"),
            error => error.to_string(),
        })
    }

    fn generator(&self, messages: Messages) -> Result<Generator<Dyn, ChosenClock>, Failure> {
        let layout = &self.layout.layout;
        if self.node.is_none() && layout.node_count() > 1 {
            messages.warning("no --node: these ids are of node 0, and another process without it repeats them");
        }
        let node = self.node.as_ref().map_or(Ok(0), |node| node.number(layout)).map_err(Failure::Trouble)?;
        let wait_max = |wait: Option<Duration>, otherwise| wait.unwrap_or(otherwise);
        let rollback = match self.rollback {
            Policy::Fail => Rollback::Fail,
            Policy::Wait(max) => Rollback::Wait { max: wait_max(max, ROLLBACK_WAIT_MAX) },
        };
        let exhausted = match self.exhausted {
            Policy::Fail => Exhaustion::Fail,
            Policy::Wait(max) => Exhaustion::Wait { max: wait_max(max, EXHAUSTED_WAIT_MAX) },
        };
        let clock = self.sharing.clock.start()?;
        let builder = layout.generator_with(clock).node(node).on_rollback(rollback).on_exhausted(exhausted);
        builder.ahead_max(self.ahead).build().map_err(|error| match error {
            BuildError::ClockBeforeEpoch { now, epoch } => Failure::Finding(format!(
                "the clock reads {}: expected the layout's epoch, {}, or later",
                calendar::utc(now),
                calendar::utc(epoch)
            )),
            BuildError::EpochEnded { now, end } => Failure::Finding(format!(
                "the clock reads {}: expected a time before {}, where the layout ends",
                calendar::utc(now),
                calendar::utc(end)
            )),
            error => Failure::Trouble(error.to_string()),
        })
    }
}

struct Snowflakes {
    generator: Generator<Dyn, ChosenClock>,
    frame: Frame,
    encoding: Encoding,
    batch_len: usize,
    /// Whether each thread has a handle on the generator, and takes its ids one by one.
    handles: bool,
}

impl Source for Snowflakes {
    type Error = IssueError;
    type Thread<'a> = Option<Local<&'a Generator<Dyn, ChosenClock>>>;

    fn thread(&self) -> Self::Thread<'_> {
        self.handles.then(|| self.generator.local())
    }

    fn batch_len(&self) -> usize {
        self.batch_len
    }

    fn append(
        &self,
        handle: &mut Self::Thread<'_>,
        count: usize,
        text: &mut Vec<u8>,
    ) -> Result<(), Interrupted<IssueError>> {
        let mut ids = vec![DynSnowflake::ZERO; count];
        let filled = match handle {
            Some(handle) => one_by_one(handle, &mut ids),
            None => self.generator.fill(&mut ids).map_err(|FillError { filled, error, .. }| (filled, error)),
        };
        let made = filled.map_or_else(|(made, _)| made, |()| count);
        for id in &ids[..made] {
            self.frame.append(text, |text| self.encoding.append(*id, text));
        }
        filled.map_err(|(made, error)| Interrupted {
            made,
            stop: match error {
                IssueError::Closed => Stop::Closed,
                error => Stop::Failed(error),
            },
        })
    }

    fn close(&self) {
        self.generator.close();
    }
}

/// Fills `ids` one at a time; on an error, how many there are before it.
fn one_by_one(
    handle: &mut Local<&Generator<Dyn, ChosenClock>>,
    ids: &mut [DynSnowflake],
) -> Result<(), (usize, IssueError)> {
    ids.iter_mut().enumerate().try_for_each(|(made, id)| {
        *id = handle.next_id().map_err(|error| (made, error))?;
        Ok(())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn policies_are_read() {
        assert_eq!("fail".parse(), Ok(Policy::Fail));
        assert_eq!("wait".parse(), Ok(Policy::Wait(None)));
        assert_eq!("wait:2s".parse(), Ok(Policy::Wait(Some(Duration::from_secs(2)))));
        for wrong in ["", "Fail", "wait:", "wait:5", "wait:-5ms", "waits"] {
            assert!(wrong.parse::<Policy>().is_err(), "{wrong}");
        }
    }
}
