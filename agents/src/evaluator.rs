//! What a search learns at a leaf: [`Evaluator`], [`Expectation`], and the utility that it maximizes.

use std::task::Poll;

use azulejo::{Game, Generator, PerPlayer, Seat, Turn, leaders};

use crate::parameters::keyword_enum;

/// Judges states for a search: what a leaf is worth, and which of a node's actions look good.
///
/// Rollouts, hand-made evaluations and networks are evaluators; the tree search asks for nothing else.
///
/// An evaluator that gains when it judges several states at once may keep a search waiting: [`ask`](Evaluator::ask) and
/// [`poll_policy`](Evaluator::poll_policy) are [`Poll::Pending`] then, until [`flush`](Evaluator::flush) has worked out
/// the batch of all that was asked. Others answer at once and implement none of these.
pub trait Evaluator<G: Game>: Send {
    /// Starts the evaluator's random choices afresh.
    fn reseed(&mut self, seed: u64);

    /// Makes ready for states that follow this one; others work, too. What waited for an answer is forgotten.
    fn prepare(&mut self, root: &G) {
        _ = root;
    }

    /// Whether values that were found before hold for a search that begins at this root.
    fn keeps_values(&self, root: &G) -> bool {
        _ = root;
        true
    }

    /// What each seat can expect in a state that is not over. It may be at a chance node.
    fn value(&mut self, state: &G) -> Expectation;

    /// What each seat has in a state that is over, by the search's utility.
    fn result(&mut self, state: &G, utility: Utility) -> Expectation {
        utility.of(state)
    }

    /// Calls `visit` with each generator that values draw from, always in the same order: who keeps and restores them can ask
    /// for a value without changing those that follow.
    fn visit_generators(&mut self, visit: &mut dyn FnMut(&mut Generator)) {
        _ = visit;
    }

    /// Puts `actions` (all that are legal in `state`, at a player's turn) into the order in which they are to be tried and
    /// fills `probabilities`, which is cleared first, with their probabilities in that order. Actions may be left out.
    ///
    /// A search asks only when it goes on from a state. Without an opinion all are equal, in a random order.
    fn policy(
        &mut self,
        state: &G,
        actions: &mut Vec<G::Action>,
        probabilities: &mut Vec<f32>,
        rng: &mut Generator,
    ) {
        _ = state;
        for last in (1..actions.len()).rev() {
            actions.swap(last, rng.below(last as u64 + 1) as usize);
        }
        probabilities.clear();
        probabilities.resize(actions.len(), 1.0 / actions.len() as f32);
    }

    /// Asks for what [`value`](Evaluator::value) returns. If that waits for a batch, it comes by
    /// [`answer`](Evaluator::answer); more can be asked in the meantime.
    fn ask(&mut self, state: &G) -> Poll<Expectation> {
        Poll::Ready(self.value(state))
    }

    /// The value of the state that has waited longest. Values come in the order in which they were asked for.
    fn answer(&mut self) -> Poll<Expectation> {
        Poll::Pending
    }

    /// Does what [`policy`](Evaluator::policy) does, or puts it off until a batch has been worked out: it is then to be
    /// called again for the same state. Policies of several states may wait at a time.
    fn poll_policy(
        &mut self,
        state: &G,
        actions: &mut Vec<G::Action>,
        probabilities: &mut Vec<f32>,
        rng: &mut Generator,
    ) -> Poll<()> {
        self.policy(state, actions, probabilities, rng);
        Poll::Ready(())
    }

    /// Works out all that waits, also for other searches that share the batch.
    fn flush(&mut self) {}
}

/// What each seat can expect of a state: what a search maximizes, and what that is mixed from.
///
/// A mixture cannot be taken apart: so both are told.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Expectation {
    /// The utility of each seat, in [-1, 1].
    pub utility: PerPlayer<f32>,
    /// The share of the win of each seat, 0 to 1.
    pub wins: PerPlayer<f32>,
    /// The lead in points of each seat over the best other one.
    pub leads: PerPlayer<f32>,
}

impl Expectation {
    /// What is expected by this one and, with a weight from 0 to 1, by another one.
    #[inline]
    #[must_use]
    pub(crate) fn mixed(&self, weight: f32, other: &Expectation) -> Expectation {
        let mixed = |own: &PerPlayer<f32>, other: &PerPlayer<f32>| {
            PerPlayer::from_fn(own.players(), |seat| own[seat] + weight * (other[seat] - own[seat]))
        };
        Expectation {
            utility: mixed(&self.utility, &other.utility),
            wins: mixed(&self.wins, &other.wins),
            leads: mixed(&self.leads, &other.leads),
        }
    }
}

/// The value of an evaluator as if it had not been asked: what it draws later stays the same.
pub(crate) fn peek<G: Game>(evaluator: &mut dyn Evaluator<G>, state: &G) -> Expectation {
    let mut kept = Vec::new();
    evaluator.visit_generators(&mut |rng| kept.push(rng.clone()));
    let found = evaluator.value(state);
    let mut kept = kept.into_iter();
    evaluator.visit_generators(&mut |rng| *rng = kept.next().expect("there are as many as before"));
    found
}

/// The lead in points of a seat over the best other one; of a seat alone its points.
#[inline]
pub(crate) fn lead(points: &PerPlayer<f32>, seat: Seat) -> f32 {
    let others = points.iter().filter(|(other, _)| *other != seat).map(|(_, points)| *points);
    let best = others.fold(f32::NEG_INFINITY, f32::max);
    if best == f32::NEG_INFINITY { points[seat] } else { points[seat] - best }
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

    /// What each seat has in a state that is over, or at which play was cut off.
    ///
    /// The utility is (1 − m) · (2 w − 1) + m · d / (20 + |d|) with win share w, lead d over the best other seat and
    /// weight m. A game that was cut off is won by the seats with most points.
    #[inline]
    pub fn of<G: Game>(self, state: &G) -> Expectation {
        let scores = state.scores();
        let wins = if state.turn() == Turn::Over { state.wins() } else { leaders(&scores) };
        self.expectation(wins.map(|win| win as f32), &scores.map(f32::from))
    }

    /// What is expected of these shares of the win, 0 to 1, and points in the end.
    #[inline]
    pub fn expectation(self, wins: PerPlayer<f32>, points: &PerPlayer<f32>) -> Expectation {
        let leads = PerPlayer::from_fn(points.players(), |seat| lead(points, seat));
        let utility = PerPlayer::from_fn(points.players(), |seat| self.mix(wins[seat], leads[seat]));
        Expectation { utility, wins, leads }
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
