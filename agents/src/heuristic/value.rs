//! What a state is worth to each seat without looking ahead: [`StateValue`].

use std::fmt::Debug;
use std::ops::ControlFlow;

use azulejo::{Keyed, PerPlayer, Seat};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::evaluator::RolloutKind;

/// Thousandths of a point: values are whole numbers, so that sums do not depend on their order.
pub type Millipoints = i32;

/// Thousandths in a point.
pub const POINT: Millipoints = 1000;

/// A weight in points as millipoints.
pub(crate) fn millipoints(points: f32) -> Millipoints {
    (points * POINT as f32).round() as Millipoints
}

/// A game whose states have a hand-made value for each seat: the points that the seat is expected to end
/// with.
///
/// A value is put together from *shares*, one a seat, each of which depends on little more than that seat's
/// board. An action changes few boards, so a search keeps shares from state to state.
pub trait StateValue: Keyed {
    /// The named weights; a TOML file may set some of them, the others keep their defaults.
    type ValueWeights: Clone + Debug + Default + PartialEq + Serialize + DeserializeOwned + Send + Sync;
    /// The weights worked into the form that valuing needs, with whatever is worth keeping for one search.
    type Judge: Debug + Send;
    /// What one seat contributes to the value.
    type Share: Copy + Debug + Default + PartialEq + Send;

    /// How Monte Carlo tree search judges leaves unless it is told: as measured best at equal time.
    const ROLLOUT: RolloutKind = RolloutKind::Round;

    /// The keys of the rules' numbers ([`Rules::KEYS`](azulejo::Rules::KEYS)) that values account for, beside
    /// those of [`RuleEffect::Table`](azulejo::RuleEffect::Table), whose changes states show.
    const KNOWN_RULES: &'static [&'static str] = &[];

    /// The judge for these weights.
    fn judge(rules: &'static Self::Rules, players: usize, weights: &Self::ValueWeights) -> Self::Judge;

    /// Makes the judge ready for states that follow this one; others are valued the same, but more slowly.
    fn prepare(&self, judge: &mut Self::Judge) {
        _ = judge;
    }

    /// What a seat contributes in a state that is not over.
    fn share(&self, judge: &Self::Judge, seat: Seat) -> Self::Share;

    /// The shares in this state, which `mover` has just made of one with the shares `before`.
    fn shares_after(
        &self,
        judge: &Self::Judge,
        mover: Seat,
        before: &PerPlayer<Self::Share>,
    ) -> PerPlayer<Self::Share> {
        _ = (mover, before);
        self.shares(judge)
    }

    /// The shares of all seats.
    fn shares(&self, judge: &Self::Judge) -> PerPlayer<Self::Share> {
        PerPlayer::from_fn(self.players(), |seat| self.share(judge, seat))
    }

    /// The points that each seat is expected to end with, in a state with these shares that is not over.
    fn values(&self, judge: &Self::Judge, shares: &PerPlayer<Self::Share>) -> PerPlayer<Millipoints>;

    /// The state that is valued in place of this one, which is not over, when its round is first played on; `None` where this
    /// one is valued as it is. Insights are those of that state, and it may be over.
    fn horizon(&self) -> Option<Self> {
        None
    }

    /// The names of the numbers that networks which correct the value look at beside it, with the size of
    /// their steps: the networks are those of other numbers when a name changes. None if no network can.
    const INSIGHTS: Insights = Insights { table: &[], seat: &[] };

    /// Appends the numbers of the table, in steps that matter: networks see them rounded.
    fn table_insights(&self, numbers: &mut Vec<f32>) {
        _ = numbers;
    }

    /// What [`share`](StateValue::share) returns; appends the seat's numbers, in steps that matter.
    fn seat_insights(&self, judge: &Self::Judge, seat: Seat, numbers: &mut Vec<f32>) -> Self::Share {
        _ = numbers;
        self.share(judge, seat)
    }

    /// The key of all that value and insights depend on beside the weights, except by a chance of about 2⁻⁶⁴;
    /// `None` where they are worked out as quickly as they are looked up.
    fn value_key(&self) -> Option<u64> {
        None
    }

    /// Whether the state can be valued as it is. In the middle of a turn of several actions it may not; then
    /// the turn is brought to its end by the actions of the highest rating first.
    fn is_settled(&self) -> bool {
        true
    }

    /// Clears `candidates` and fills it with the legal actions, leaving out those that lead to the same
    /// state, as far as a search until the next chance node can tell, as one that is listed. `actions` and
    /// `ratings` are scratch space.
    ///
    /// The rating of an action, in millipoints for the player to move, need only order them.
    fn list(
        &self,
        judge: &Self::Judge,
        candidates: &mut Vec<Candidate<Self::Action>>,
        actions: &mut Vec<Self::Action>,
        ratings: &mut Vec<f32>,
    ) {
        _ = (judge, ratings);
        self.legal_actions(actions);
        candidates.clear();
        candidates.extend(actions.iter().map(|&action| Candidate { action, rating: 0 }));
    }

    /// Calls `visit` with the values of the states that the legal actions lead to, each with one of the
    /// actions that give these values, until it breaks; false, without a call, if that is no quicker than to
    /// play the actions.
    ///
    /// No such state may be over or at a chance node. Its values are those of [`values`](StateValue::values).
    fn visit_children(
        &self,
        judge: &Self::Judge,
        shares: &PerPlayer<Self::Share>,
        visit: impl FnMut(Self::Action, &PerPlayer<Millipoints>) -> ControlFlow<()>,
    ) -> bool {
        _ = (judge, shares, visit);
        false
    }
}

/// The names of the numbers that a value is worked out from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Insights {
    /// Those of the table.
    pub table: &'static [&'static str],
    /// Those of each seat.
    pub seat: &'static [&'static str],
}

/// An action that a search may try.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Candidate<A> {
    /// The action.
    pub action: A,
    /// The higher, the earlier it is tried.
    pub rating: Millipoints,
}
