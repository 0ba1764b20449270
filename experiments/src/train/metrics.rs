//! The course of a training run as a table.

use std::path::Path;

use azulejo::excerpt;
use azulejo_agents::neural::Losses;
use serde::{Deserialize, Serialize};

use super::loss_sample::SampledLosses;
use crate::atomic_file::{Durability, replace};
use crate::manifest::printed_spec;
use crate::stats::{Estimate, Interval, estimate_keys};
use crate::summary::Summary;
use crate::summary::check::LARGEST;

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
    /// The games that the network and the opponent forfeited.
    #[serde(default)]
    pub forfeits: [u64; 2],
}

impl OpponentShare {
    /// What a match came to, in which the network is the first agent. Where most games were forfeited the share of the wins
    /// and the scores tell nothing of how the network plays: then they are left out.
    pub(super) fn of_match(opponent: &str, summary: &Summary) -> Self {
        let (pair, games) = (&summary.pairs[0], summary.games);
        let forfeits = [0, 1].map(|agent| summary.agents[agent].forfeits);
        let measured = forfeits.iter().sum::<u64>() * 2 <= games;
        OpponentShare {
            opponent: opponent.to_owned(),
            games,
            share: pair.a_win_share.filter(|_| measured),
            scores: [pair.a_mean_score, pair.b_mean_score].map(|score| score.filter(|_| measured)),
            forfeits,
        }
    }

    /// What is to be said of forfeited games: `no measurement: 20 of 20 games were forfeited by …` where they are most of
    /// them; `None` if there were none.
    pub fn forfeits_told(&self) -> Option<String> {
        let sides = ["the network", &self.opponent].into_iter().zip(self.forfeits);
        let told = sides
            .filter(|(_, forfeits)| *forfeits > 0)
            .map(|(side, forfeits)| format!("{forfeits} of {} games were forfeited by {side}", self.games));
        let told: Vec<String> = told.collect();
        let nothing = if self.share.is_none() { "no measurement: " } else { "" };
        (!told.is_empty()).then(|| nothing.to_owned() + &told.join(", "))
    }
}

/// The columns about an opponent: the win share, the ends of its interval, the mean scores of the network and
/// the opponent, the games that the network and the opponent forfeited.
fn columns(opponent: &str) -> [String; 7] {
    let share = format!("{SHARE}{opponent}");
    let ends = ["low", "high"].map(|end| format!("{share} {end}"));
    let [low, high] = ends;
    let [points, forfeits] = ["points", "forfeits"]
        .map(|what| ["against", "of"].map(|whose| format!("{what} {whose} {opponent}")));
    let ([own, other], [forfeited, won]) = (points, forfeits);
    [share, low, high, own, other, forfeited, won]
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
    /// Reads the text of a file.
    ///
    /// # Errors
    /// If it has something else than numbers of a reasonable size below its names.
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        let mut csv = csv::Reader::from_reader(text.as_bytes());
        let names: Vec<String> =
            csv.headers().map_err(|error| error.to_string())?.iter().map(str::to_owned).collect();
        if let Some(name) = names.iter().find(|name| name.contains(char::is_control)) {
            return Err(format!("found control characters in the name '{}'", excerpt(name)));
        }
        let number = |field: &str| match field.parse::<f64>() {
            _ if field.is_empty() => Ok(None),
            Ok(number) if number.abs() <= LARGEST => Ok(Some(number)),
            Ok(number) => Err(format!("found {number}, expected {:e} to {LARGEST:e}", -LARGEST)),
            Err(_) => Err(format!("found '{}', expected a number", excerpt(field))),
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
        let [.., own, other, _, _] = columns(opponent);
        [own, other].map(|name| self.column(&name))
    }

    /// The games that the network and an opponent forfeited, row by row.
    pub(crate) fn forfeits_against(&self, opponent: &str) -> [Vec<Option<f64>>; 2] {
        let [.., forfeited, won] = columns(opponent);
        [forfeited, won].map(|name| self.column(&name))
    }
}

/// Writes `metrics.csv`: a row for each stage, and seven columns for each opponent; what was not measured is
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
            let forfeits = found.map_or([None; 2], |it| it.forfeits.map(Some));
            let forfeits = forfeits.map(|count| count.map_or(String::new(), |count: u64| count.to_string()));
            [share.map(|it| it.value), low, high, own, other].map(number).into_iter().chain(forfeits)
        });
        let fields = counts.into_iter().chain(losses).chain(others).chain(shares);
        csv.write_record(fields).map_err(fault)?;
    }
    let text = csv.into_inner().map_err(|error| error.to_string())?;
    replace(path, text, Durability::Process).map_err(|error| error.to_string())
}
