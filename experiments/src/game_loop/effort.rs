//! What searches limited by time have spent: [`Effort`].

use azulejo::{Game, History, Record, Turn};

/// The sums over some choices of agents that are limited by time.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Effort {
    /// The choices.
    pub choices: u64,
    /// Their simulations or nodes.
    pub nodes: u64,
    /// Their processor time in milliseconds.
    pub cpu_ms: f64,
}

impl Effort {
    /// The effort at each seat of a recorded game, from its record's analysis.
    pub(crate) fn of_seats<G: Game>(history: &History<G>, record: &Record) -> Vec<Self> {
        let mut seats = vec![Effort::default(); record.players];
        let analysis = record.analysis.iter().flatten();
        for (found, ply) in analysis.zip(history.replay()) {
            let spent = found.as_ref().and_then(|found| found.nodes.zip(found.cpu_ms));
            if let (Turn::Player(seat), Some((nodes, cpu_ms))) = (ply.before.turn(), spent) {
                seats[seat.index()].add(Effort { choices: 1, nodes, cpu_ms });
            }
        }
        seats
    }

    /// Adds other choices.
    pub(crate) fn add(&mut self, other: Self) {
        // A record may hold any number.
        self.nodes = self.nodes.saturating_add(other.nodes);
        self.choices += other.choices;
        self.cpu_ms += other.cpu_ms;
    }

    /// The mean processor time of a choice in milliseconds; `None` without choices.
    pub(crate) fn mean_cpu_ms(&self) -> Option<f64> {
        (self.choices > 0).then(|| self.cpu_ms / self.choices as f64)
    }

    /// The mean number of simulations or nodes of a choice; `None` without choices.
    pub(crate) fn mean_nodes(&self) -> Option<f64> {
        (self.choices > 0).then(|| self.nodes as f64 / self.choices as f64)
    }
}
