//! What choices limited by time have taken: [`Effort`].

use std::time::Duration;

use azulejo::record::Analysis;
use azulejo::{Game, History, Record, Turn};
use azulejo_agents::parameters::{ParameterValue, Share};
use azulejo_agents::{AgentSpec, Allowance};

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
        let mut allowances: Vec<Option<Allowance>> =
            record.agents.iter().map(|spec| allowance(spec)).collect();
        let analysis = record.analysis.iter().flatten();
        for (found, ply) in analysis.zip(history.replay()) {
            let Turn::Player(seat) = ply.before.turn() else { continue };
            let allowance = allowances.get_mut(seat.index()).and_then(|allowance| allowance.as_mut());
            // A choice that nothing is told of took nothing.
            let ms = found.as_ref().and_then(|found| found.ms).unwrap_or_default();
            let limit = allowance.map(|allowance| next_limit(allowance, ms));
            if let Some(found) = found {
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

/// The limit of the next choice, which takes so long, both in milliseconds. A record may hold any number.
fn next_limit(allowance: &mut Allowance, ms: f64) -> f64 {
    let limit = allowance.next_move();
    allowance.count_move(Duration::try_from_secs_f64(ms / 1000.0).unwrap_or(limit));
    limit.as_micros() as f64 / 1000.0
}

/// What the wall clock allows an agent's choices at the beginning of a game, if it limits them.
fn allowance(spec: &str) -> Option<Allowance> {
    let spec: AgentSpec = spec.parse().ok()?;
    let each = Duration::from_millis(spec.get("time")?.parse().ok()?);
    let carry = spec.get("carry").and_then(|share| Share::read(&share).ok());
    Some(Allowance::new(each, carry.unwrap_or(Share::NONE)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_limit_grows_by_a_share_of_what_is_left_where_that_is_carried_over() {
        let limits = |spec: &str| {
            let mut allowance = allowance(spec)?;
            Some([20.0, 100.0, 180.0, 100.0].map(|ms| next_limit(&mut allowance, ms)))
        };
        assert_eq!(limits("mcts:time=100"), Some([100.0; 4]));
        assert_eq!(limits("mcts:time=100,carry=0.5"), Some([100.0, 140.0, 140.0, 100.0]));
        assert_eq!(limits("mcts:cpu=100,carry=0.5"), None);
    }
}
