//! What a search learns at a leaf: [`Evaluator`], and the utility that it maximizes.

use azulejo::{Game, PerPlayer, Turn, leaders};

use crate::parameters::keyword_enum;

/// What an evaluator says of one state.
#[derive(Clone, Debug)]
pub struct Evaluation {
    /// The expected utility of each seat, in [-1, 1].
    pub values: PerPlayer<f32>,
    /// A probability for each action in the order of `legal_actions`; empty if the evaluator has no opinion.
    pub prior: Vec<f32>,
}

impl Evaluation {
    /// An evaluation to be filled in, for `players` seats.
    pub fn empty(players: usize) -> Self {
        Evaluation { values: PerPlayer::splat(players, 0.0), prior: Vec::new() }
    }
}

/// Judges states, several at a time.
///
/// Rollouts, hand-made evaluations and networks are evaluators; the tree search asks for nothing else.
pub trait Evaluator<G: Game>: Send {
    /// Starts the evaluator's random choices afresh.
    fn reseed(&mut self, seed: u64);

    /// Fills in `evaluations[i]` for `states[i]`. No state is over; some may be at a chance node.
    fn evaluate(&mut self, states: &[G], evaluations: &mut [Evaluation]);
}

/// What a search maximizes: a mix of the win share and of the lead in points.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Utility {
    /// The weight of the lead, 0 to 1; the rest is the weight of the win share.
    pub margin: f32,
}

impl Utility {
    /// A lead of this many points counts half.
    const HALF_LEAD: f32 = 20.0;

    /// The utility of each seat in [-1, 1] in a state that is over, or at which play was cut off.
    ///
    /// It is (1 − m) · (2 w − 1) + m · d / (20 + |d|) with win share w, lead d over the best other seat and
    /// weight m. A game that was cut off is won by the seats with most points.
    #[inline]
    pub fn of<G: Game>(self, state: &G) -> PerPlayer<f32> {
        let scores = state.scores();
        let wins = if state.turn() == Turn::Over { state.wins() } else { leaders(&scores) };
        PerPlayer::from_fn(scores.players(), |seat| {
            let others = scores.iter().filter(|(other, _)| *other != seat).map(|(_, score)| *score);
            let lead = f32::from(scores[seat]) - others.max().map_or(0.0, f32::from);
            self.mix(wins[seat] as f32, lead)
        })
    }

    /// The utility of a share of the win, 0 to 1, and a lead in points over the best other seat.
    #[inline]
    pub fn mix(self, win: f32, lead: f32) -> f32 {
        let won = 2.0 * win - 1.0;
        won + self.margin * (lead / (Self::HALF_LEAD + lead.abs()) - won)
    }
}

keyword_enum! {
    /// How a leaf is judged.
    RolloutKind {
        /// By the end of a game in which actions are drawn uniformly.
        Random = "random",
        /// By the end of a game in which the actions with the heuristic's best ratings are played.
        Greedy = "greedy",
        /// By the value of the state at the next chance node, when the same actions are played up to there.
        Round = "round",
        /// By the value of the state.
        None = "none",
    }
}
