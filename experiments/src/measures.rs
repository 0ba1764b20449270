//! The running measures of a run's games: scores, where points come from, how games go. The memory that they
//! take does not grow with the number of games.

use azulejo::Record;
use serde::{Deserialize, Serialize};

use crate::game_loop::Played;
use crate::game_statistics::{GameStatistics, is_regular};
use crate::schedule::{Job, Schedule};
use crate::stats::{Bins, Estimate, Histogram, Moments, estimate_keys};

/// A game is close if its winner is at most so many points ahead.
pub(crate) const CLOSE: i16 = 5;
/// The points that one bin of scores and margins spans.
const BIN: i32 = 5;

/// What is measured of every game as a whole, in the order of [`Figures`].
const FIGURES: [&str; 10] = [
    "moves",
    "decisions",
    "rounds",
    "legal actions a decision",
    "lead changes",
    "winner was behind",
    "winner's largest deficit",
    "margin",
    "close end",
    "shared win",
];

/// Those of them that are shares of the games, from 0 to 1.
const SHARES: [&str; 3] = ["winner was behind", "close end", "shared win"];

/// Whether the figure of this name is a share of the games.
pub(crate) fn is_share(figure: &str) -> bool {
    SHARES.contains(&figure)
}

/// What one game says of each figure; `None` where it says nothing.
fn figures_of(record: &Record, statistics: &GameStatistics) -> [Option<f64>; FIGURES.len()] {
    let winners = record.wins.iter().filter(|&&win| win > 0.0).count();
    let share = |yes: bool| Some(f64::from(u8::from(yes)));
    let decisions = f64::from(statistics.decisions);
    [
        Some(record.moves.len() as f64),
        Some(decisions),
        Some(f64::from(statistics.rounds)),
        (decisions > 0.0).then(|| statistics.choices as f64 / decisions),
        Some(f64::from(statistics.lead_changes)),
        statistics.behind.and_then(|behind| share(behind > 0)),
        statistics.behind.map(f64::from),
        statistics.margin.map(f64::from),
        share(statistics.margin.is_none_or(|margin| margin <= CLOSE)),
        share(winners > 1),
    ]
}

/// The seat's points less the mean of the others'.
fn advantage(scores: &[i16], seat: usize) -> f64 {
    let others = scores.iter().map(|&score| f64::from(score)).sum::<f64>() - f64::from(scores[seat]);
    f64::from(scores[seat]) - others / (scores.len() - 1) as f64
}

/// What a study tells of one game, with names: the first seat's results, the figures, and for each source its points, on average
/// over the seats. `None` for what the game says nothing of.
pub(crate) fn told_of(record: &Record, statistics: &GameStatistics) -> Vec<(String, Option<f64>)> {
    let seat = [
        ("first seat's win share", Some(record.wins[0])),
        ("first seat's lead", Some(advantage(&record.scores, 0))),
    ];
    let figures = FIGURES.into_iter().zip(figures_of(record, statistics));
    let points = statistics.sources.iter().zip(&statistics.points).map(|(name, points)| {
        let all: f64 = points.iter().map(|&points| f64::from(points)).sum();
        (format!("points from {name}"), Some(all / points.len() as f64))
    });
    seat.into_iter().chain(figures).map(|(name, value)| (name.to_owned(), value)).chain(points).collect()
}

/// The mean of a value over games, with blocks as units.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct BlockMean {
    blocks: Moments,
    sum: f64,
    count: u64,
}

impl BlockMean {
    pub(crate) fn push(&mut self, value: f64) {
        self.sum += value;
        self.count += 1;
    }

    pub(crate) fn close(&mut self) {
        if self.count > 0 {
            self.blocks.push(self.sum / self.count as f64);
            (self.sum, self.count) = (0.0, 0);
        }
    }

    /// The mean over the blocks, whose games share their deals and so are its units.
    pub(crate) fn estimate(&self) -> Option<Estimate> {
        self.blocks.estimate()
    }

    /// The same of shares from 0 to 1.
    pub(crate) fn share_estimate(&self) -> Option<Estimate> {
        self.blocks.share_estimate()
    }
}

/// The points of a seat or of an agent.
#[derive(Clone, Debug, Default)]
struct MeasureGroup {
    score: BlockMean,
    advantage: BlockMean,
    each: Moments,
    scores: Histogram,
    sources: Vec<BlockMean>,
}

impl MeasureGroup {
    fn new(sources: usize) -> Self {
        MeasureGroup { sources: vec![BlockMean::default(); sources], ..MeasureGroup::default() }
    }

    /// Counts the points at one seat of a game.
    fn push(&mut self, scores: &[i16], seat: usize, statistics: &GameStatistics) {
        let score = f64::from(scores[seat]);
        self.score.push(score);
        self.each.push(score);
        self.advantage.push(advantage(scores, seat));
        self.scores.push(scores[seat].into());
        for (mean, points) in self.sources.iter_mut().zip(&statistics.points) {
            mean.push(points[seat].into());
        }
    }

    fn close(&mut self) {
        [&mut self.score, &mut self.advantage]
            .into_iter()
            .chain(&mut self.sources)
            .for_each(BlockMean::close);
    }
}

/// The measures of a schedule's games, given in index order. Games that were truncated or forfeited do not
/// count.
#[derive(Debug)]
pub(crate) struct Measures {
    players: usize,
    agents: Vec<MeasureGroup>,
    seats: Vec<MeasureGroup>,
    figures: [BlockMean; FIGURES.len()],
    /// For each source the winner's points less the mean of the others.
    winners: Vec<BlockMean>,
    rounds: Histogram,
    margins: Histogram,
    names: Vec<&'static str>,
    games: u64,
    block: Option<u64>,
}

impl Measures {
    /// The measures of no games.
    pub(crate) fn new(schedule: &Schedule) -> Self {
        Measures {
            players: schedule.players,
            agents: vec![MeasureGroup::default(); schedule.agents.len()],
            seats: vec![MeasureGroup::default(); schedule.players],
            figures: [BlockMean::default(); FIGURES.len()],
            winners: Vec::new(),
            rounds: Histogram::default(),
            margins: Histogram::default(),
            names: Vec::new(),
            games: 0,
            block: None,
        }
    }

    /// Measures the next game; one without statistics does not count.
    pub(crate) fn push(&mut self, job: &Job, played: &Played) {
        let record = &played.record;
        let Some(statistics) = played.statistics.as_ref().filter(|_| is_regular(record)) else { return };
        if self.games == 0 {
            self.begin(statistics);
        }
        if self.block.replace(job.block).is_some_and(|before| before != job.block) {
            self.close_block();
        }
        self.games += 1;
        for (seat, &agent) in job.seats.iter().enumerate() {
            self.agents[agent].push(&record.scores, seat, statistics);
            self.seats[seat].push(&record.scores, seat, statistics);
        }
        for (mean, value) in self.figures.iter_mut().zip(figures_of(record, statistics)) {
            value.into_iter().for_each(|value| mean.push(value));
        }
        if let Some(winner) = record.wins.iter().position(|&win| win == 1.0) {
            for (mean, points) in self.winners.iter_mut().zip(&statistics.points) {
                let won = f64::from(points[winner]);
                let all: f64 = points.iter().map(|&points| f64::from(points)).sum();
                mean.push(won - (all - won) / (self.players - 1) as f64);
            }
        }
        self.rounds.push(statistics.rounds as i32);
        statistics.margin.into_iter().for_each(|margin| self.margins.push(margin.into()));
    }

    /// The game's sources of points are known from its first game on.
    fn begin(&mut self, statistics: &GameStatistics) {
        let sources = statistics.sources.len();
        self.names = statistics.sources.to_vec();
        self.winners = vec![BlockMean::default(); sources];
        self.agents.iter_mut().chain(&mut self.seats).for_each(|group| *group = MeasureGroup::new(sources));
    }

    fn close_block(&mut self) {
        self.agents.iter_mut().chain(&mut self.seats).for_each(MeasureGroup::close);
        self.figures.iter_mut().chain(&mut self.winners).for_each(BlockMean::close);
    }

    /// Ends the count; `None` without games.
    pub(crate) fn finish(mut self) -> Option<MeasuresSummary> {
        self.close_block();
        let groups = |groups: &[MeasureGroup]| groups.iter().map(|group| self.group(group)).collect();
        (self.games > 0).then(|| MeasuresSummary {
            games: self.games,
            figures: FIGURES
                .iter()
                .zip(&self.figures)
                .map(|(name, mean)| NamedEstimate::new(name, mean))
                .collect(),
            rounds: self.rounds.bins(1),
            margins: self.margins.bins(BIN),
            seats: groups(&self.seats),
            agents: groups(&self.agents),
            winners: self.named(&self.winners),
        })
    }

    fn named(&self, means: &[BlockMean]) -> Vec<NamedEstimate> {
        self.names.iter().zip(means).map(|(name, mean)| NamedEstimate::new(name, mean)).collect()
    }

    fn group(&self, group: &MeasureGroup) -> GroupSummary {
        GroupSummary {
            score: group.score.estimate(),
            deviation: group.each.variance().map(f64::sqrt),
            median: group.scores.median(),
            advantage: group.advantage.estimate(),
            scores: group.scores.bins(BIN),
            sources: self.named(&group.sources),
        }
    }
}

estimate_keys!(pub(crate) mean: "mean", "low", "high");

/// The mean of something that has a name.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct NamedEstimate {
    /// What it is.
    pub name: String,
    /// The mean.
    #[serde(flatten, with = "mean")]
    pub mean: Option<Estimate>,
}

impl NamedEstimate {
    fn new(name: &str, mean: &BlockMean) -> Self {
        let mean = if is_share(name) { mean.blocks.share_estimate() } else { mean.blocks.estimate() };
        NamedEstimate { name: name.to_owned(), mean }
    }
}

/// The points of a seat or of an agent.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GroupSummary {
    /// The final points.
    #[serde(with = "mean")]
    pub score: Option<Estimate>,
    /// The standard deviation of the final points from game to game.
    pub deviation: Option<f64>,
    /// The median of the final points.
    pub median: Option<f64>,
    /// The final points less the mean of the other seats'.
    #[serde(with = "mean")]
    pub advantage: Option<Estimate>,
    /// How often which final points came.
    pub scores: Bins,
    /// Where the points come from; the means add up to that of the score.
    pub sources: Vec<NamedEstimate>,
}

/// The measures of a run, as `summary.json` has them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MeasuresSummary {
    /// The games that were measured: those that were played to their end.
    pub games: u64,
    /// What is told of games as a whole.
    pub figures: Vec<NamedEstimate>,
    /// How many games had how many rounds.
    pub rounds: Bins,
    /// How often which lead of the winner over the best loser came.
    pub margins: Bins,
    /// One entry for each seat.
    pub seats: Vec<GroupSummary>,
    /// One entry for each agent, in the order of the schedule.
    pub agents: Vec<GroupSummary>,
    /// By source the winner's points less the mean of the others: what wins.
    pub winners: Vec<NamedEstimate>,
}

impl MeasuresSummary {
    /// A figure by its name.
    pub(crate) fn figure(&self, name: &str) -> Option<Estimate> {
        self.figures.iter().find(|figure| figure.name == name)?.mean
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game_loop::job_player;
    use crate::schedule::{Pairing, Statistics};

    #[test]
    fn means_are_those_of_the_records() {
        let agents = ["greedy".parse().unwrap(), "random".parse().unwrap()];
        let mut schedule = Schedule::tournament(("azul", 3), &agents, 12, 3, Pairing::All).unwrap();
        schedule.statistics = Statistics::Kept;
        let (mut measures, mut player) = (Measures::new(&schedule), job_player(&schedule).unwrap());
        let (mut first, mut random, mut margins) = (Vec::new(), Vec::new(), Vec::new());
        for index in 0..schedule.games {
            let job = schedule.job(index);
            let played = player.play(&job).unwrap();
            measures.push(&job, &played);
            first.push(f64::from(played.record.scores[0]));
            let seats = job.seats.iter().zip(&played.record.scores).filter(|(agent, _)| **agent == 1);
            random.extend(seats.map(|(_, &score)| f64::from(score)));
            margins.extend(played.statistics.and_then(|it| it.margin).map(f64::from));
        }
        let summary = measures.finish().unwrap();
        let mean = |values: &[f64]| values.iter().sum::<f64>() / values.len() as f64;
        let close = |found: Option<Estimate>, expected: f64| (found.unwrap().value - expected).abs() < 1e-9;
        assert_eq!(summary.games, 24);
        assert!(close(summary.seats[0].score, mean(&first)));
        assert_eq!(summary.agents[1].scores.counts.iter().sum::<u64>(), random.len() as u64);
        assert!(close(summary.figure("margin"), mean(&margins)), "no block without a sole winner");
        // Where each seat's points come from adds up; the seats' leads over the others cancel out.
        for group in summary.seats.iter().chain(&summary.agents) {
            let sum: f64 = group.sources.iter().map(|source| source.mean.unwrap().value).sum();
            assert!(close(group.score, sum));
        }
        let leads: f64 = summary.seats.iter().map(|seat| seat.advantage.unwrap().value).sum();
        assert!(leads.abs() < 1e-9);
        assert!(summary.agents[0].advantage.unwrap().low() > Some(0.0), "greedy beats random");
        let text = serde_json::to_string(&summary).unwrap();
        assert_eq!(serde_json::from_str::<MeasuresSummary>(&text).unwrap().games, 24);
    }
}
