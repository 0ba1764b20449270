//! The course of a training run as a table.

use std::path::Path;

use azulejo_agents::neural::Losses;
use serde::{Deserialize, Serialize};

use super::loss_sample::SampledLosses;
use crate::atomic_file::{Durability, replace};
use crate::manifest::printed_spec;
use crate::stats::{Estimate, Interval, estimate_keys};

/// What a stage came to.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Row {
    /// The stage: 0 the teacher's, from 1 the generations.
    pub generation: u64,
    /// Optimizer steps so far.
    pub steps: u64,
    /// Games so far.
    pub games: u64,
    /// Examples that these games gave.
    pub positions: u64,
    /// The mean losses over the stage's steps; none if it had no step.
    pub losses: Option<Losses>,
    /// The losses at the end of the stage on those of its games that are learned from; none in former versions.
    #[serde(default)]
    pub seen: Option<SampledLosses>,
    /// Those at the same moment, on a sample of the same size, of its games that are held out; none if there are none.
    #[serde(default)]
    pub unseen: Option<SampledLosses>,
    /// The learning rate of the last step.
    pub learning_rate: f32,
    /// The mean number of moves of the stage's games.
    pub plies: f64,
    /// The win share against each opponent, if it was measured.
    pub shares: Vec<OpponentShare>,
}

estimate_keys!(share: "share", "low", "high");

/// What the games against an opponent came to.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct OpponentShare {
    /// The opponent's spec.
    pub opponent: String,
    /// Games.
    pub games: u64,
    /// The network's share of the wins, 0 to 1.
    #[serde(flatten, with = "share")]
    pub share: Option<Estimate>,
    /// The mean final score of the network and of the opponent.
    pub scores: [Option<f64>; 2],
}

/// The columns about an opponent: the win share, the ends of its interval, the mean scores of the network and
/// the opponent.
fn columns(opponent: &str) -> [String; 5] {
    let share = format!("{SHARE}{opponent}");
    let ends = ["low", "high"].map(|end| format!("{share} {end}"));
    let [low, high] = ends;
    [share, low, high, format!("points against {opponent}"), format!("points of {opponent}")]
}

/// How the columns of win shares begin.
const SHARE: &str = "win share against ";

/// The table as it stands in `metrics.csv`: named columns, with a number or nothing in each row.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Metrics {
    names: Vec<String>,
    rows: Vec<Vec<Option<f64>>>,
}

impl Metrics {
    /// Reads a file.
    ///
    /// # Errors
    /// If it cannot be read or has something else than numbers below its names.
    pub(crate) fn read(path: &Path) -> Result<Self, String> {
        let mut csv = csv::Reader::from_path(path).map_err(|error| error.to_string())?;
        let names = csv.headers().map_err(|error| error.to_string())?.iter().map(str::to_owned).collect();
        let number = |field: &str| match field {
            "" => Ok(None),
            field => field.parse().map(Some).map_err(|_| format!("found '{field}', expected a number")),
        };
        let row = |record: Result<csv::StringRecord, csv::Error>| {
            record.map_err(|error| error.to_string())?.iter().map(number).collect()
        };
        Ok(Metrics { names, rows: csv.records().map(row).collect::<Result<_, String>>()? })
    }

    /// The column by this name; nothing in any row if there is none.
    pub(crate) fn column(&self, name: &str) -> Vec<Option<f64>> {
        let place = self.names.iter().position(|known| known == name);
        self.rows.iter().map(|row| place.and_then(|place| row[place])).collect()
    }

    /// A column of losses, row by row, with intervals where there is a column of their standard errors.
    pub(crate) fn losses(&self, name: &str) -> Vec<Option<Estimate>> {
        let errors = self.column(&format!("{name}_error"));
        let estimate = |(value, error): (Option<f64>, Option<f64>)| {
            value.map(|value| Estimate { value, interval: error.map(|error| Interval::around(value, error)) })
        };
        self.column(name).into_iter().zip(errors).map(estimate).collect()
    }

    /// The opponents that the network was measured against.
    pub(crate) fn opponents(&self) -> Vec<&str> {
        let ends = |name: &&str| !name.ends_with(" low") && !name.ends_with(" high");
        self.names.iter().filter_map(|name| name.strip_prefix(SHARE)).filter(ends).collect()
    }

    /// The win shares against an opponent, row by row.
    pub(crate) fn shares_against(&self, opponent: &str) -> Vec<Option<Estimate>> {
        let [value, low, high, ..] = columns(opponent).map(|name| self.column(&name));
        let estimate = |((value, low), high): ((Option<f64>, Option<f64>), Option<f64>)| {
            let interval = low.zip(high).map(|(low, high)| Interval { low, high });
            value.map(|value| Estimate { value, interval })
        };
        value.into_iter().zip(low).zip(high).map(estimate).collect()
    }

    /// The mean scores of the network and of an opponent in their games, row by row.
    pub(crate) fn scores_against(&self, opponent: &str) -> [Vec<Option<f64>>; 2] {
        let [.., own, other] = columns(opponent);
        [own, other].map(|name| self.column(&name))
    }
}

/// Writes `metrics.csv`: a row for each stage, and five columns for each opponent; what was not measured is
/// empty.
///
/// # Errors
/// If the file cannot be written.
pub(super) fn write(path: &Path, rows: &[Row], opponents: &[String]) -> Result<(), String> {
    let mut csv = csv::Writer::from_writer(Vec::new());
    let counts = ["generation", "steps", "games", "positions"];
    let losses = ["loss", "seen", "unseen", "seen_error", "unseen_error"]
        .map(|which| ["policy", "wins", "scores"].map(|head| format!("{head}_{which}")));
    let [counts, others] =
        [&counts[..], &["learning_rate", "plies"]].map(|names| names.iter().copied().map(str::to_owned));
    let header = counts.chain(losses.into_iter().flatten()).chain(others);
    let columns = opponents.iter().flat_map(|opponent| columns(opponent));
    let fault = |error: csv::Error| error.to_string();
    csv.write_record(header.chain(columns)).map_err(fault)?;
    for row in rows {
        let number = |value: Option<f64>| value.map_or(String::new(), |value| format!("{value:.5}"));
        let heads = |losses: Option<Losses>| {
            let losses = losses.map(|it| [it.policy, it.wins, it.scores]);
            [0, 1, 2].map(|head| number(losses.map(|losses| losses[head].into())))
        };
        let counts = [row.generation, row.steps, row.games, row.positions].map(|count| count.to_string());
        let samples = [row.seen, row.unseen];
        let [seen, unseen] = samples.map(|sample| sample.map(|it| it.means));
        let [seen_error, unseen_error] = samples.map(|sample| sample.and_then(|it| it.errors));
        let losses = [row.losses, seen, unseen, seen_error, unseen_error].map(heads).into_iter().flatten();
        let others = [row.learning_rate.to_string(), format!("{:.2}", row.plies)];
        let shares = opponents.iter().flat_map(|opponent| {
            let is_it = |share: &&OpponentShare| printed_spec(&share.opponent) == printed_spec(opponent);
            let found = row.shares.iter().find(is_it);
            let share = found.and_then(|it| it.share);
            let [low, high] = [Estimate::low, Estimate::high].map(|end| share.and_then(end));
            let [own, other] = found.map_or([None; 2], |it| it.scores);
            [share.map(|it| it.value), low, high, own, other].map(number)
        });
        let fields = counts.into_iter().chain(losses).chain(others).chain(shares);
        csv.write_record(fields).map_err(fault)?;
    }
    let text = csv.into_inner().map_err(|error| error.to_string())?;
    replace(path, text, Durability::Process).map_err(|error| error.to_string())
}
