//! What choices limited by time have taken: [`Effort`].

use azulejo::record::Analysis;
use azulejo::{Game, History, Record, Turn};
use azulejo_agents::AgentSpec;

/// The sums over some choices of agents that are limited by time.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Effort {
    /// The choices of searches, which tell what they did.
    pub choices: u64,
    /// Their simulations or nodes.
    pub nodes: u64,
    /// Their processor time in milliseconds.
    pub cpu_ms: f64,
    /// The choices with a limit on the wall clock, of searches and of other programs.
    pub timed: u64,
    /// Their time on the wall clock in milliseconds.
    pub ms: f64,
    /// The longest of them in milliseconds.
    pub longest_ms: f64,
    /// Those that took longer than their limit.
    pub overruns: u64,
}

impl Effort {
    /// The effort at each seat of a recorded game, from its record's analysis.
    pub(crate) fn of_seats<G: Game>(history: &History<G>, record: &Record) -> Vec<Self> {
        let mut seats = vec![Effort::default(); record.players];
        let limits: Vec<Option<f64>> = record.agents.iter().map(|spec| time_limit(spec)).collect();
        let analysis = record.analysis.iter().flatten();
        for (found, ply) in analysis.zip(history.replay()) {
            if let (Turn::Player(seat), Some(found)) = (ply.before.turn(), found) {
                let limit = limits.get(seat.index()).copied().flatten();
                seats[seat.index()].add(Effort::of_choice(found, limit));
            }
        }
        seats
    }

    /// The effort of a choice with this limit of time in milliseconds, if it has one.
    fn of_choice(found: &Analysis, limit: Option<f64>) -> Self {
        let mut effort = Effort::default();
        if let Some((nodes, cpu_ms)) = found.nodes.zip(found.cpu_ms) {
            effort = Effort { choices: 1, nodes, cpu_ms, ..effort };
        }
        if let Some((ms, limit)) = found.ms.zip(limit) {
            effort = Effort { timed: 1, ms, longest_ms: ms, overruns: u64::from(ms > limit), ..effort };
        }
        effort
    }

    /// Adds other choices.
    pub(crate) fn add(&mut self, other: Self) {
        // A record may hold any number.
        self.nodes = self.nodes.saturating_add(other.nodes);
        self.choices += other.choices;
        self.cpu_ms += other.cpu_ms;
        self.timed += other.timed;
        self.ms += other.ms;
        self.longest_ms = self.longest_ms.max(other.longest_ms);
        self.overruns += other.overruns;
    }

    /// The mean processor time of a choice in milliseconds; `None` without choices.
    pub(crate) fn mean_cpu_ms(&self) -> Option<f64> {
        (self.choices > 0).then(|| self.cpu_ms / self.choices as f64)
    }

    /// The mean number of simulations or nodes of a choice; `None` without choices.
    pub(crate) fn mean_nodes(&self) -> Option<f64> {
        (self.choices > 0).then(|| self.nodes as f64 / self.choices as f64)
    }

    /// The mean time of a choice on the wall clock in milliseconds; `None` without choices that it limits.
    pub(crate) fn mean_ms(&self) -> Option<f64> {
        (self.timed > 0).then(|| self.ms / self.timed as f64)
    }
}

/// The limit of an agent's choices on the wall clock, in milliseconds.
fn time_limit(spec: &str) -> Option<f64> {
    spec.parse::<AgentSpec>().ok()?.get("time")?.parse().ok()
}
