//! What hand-made knowledge says about a game: which action looks best without looking ahead.

mod azul;
mod queens_garden;
mod summer_pavilion;
mod value;

use std::fmt::Debug;

use azulejo::{Game, Generator};
use serde::Serialize;
use serde::de::DeserializeOwned;

pub use crate::goal::Goal;

pub use azul::AzulWeights;
pub use azul::value::{AzulJudge, AzulShare, AzulValueWeights};
pub use queens_garden::{
    QueensGardenJudge, QueensGardenPlayout, QueensGardenShare, QueensGardenValueWeights, QueensGardenWeights,
};
pub use summer_pavilion::{
    SummerPavilionJudge, SummerPavilionPlayout, SummerPavilionValueWeights, SummerPavilionWeights,
};
pub(crate) use value::millipoints;
pub use value::{Candidate, Insights, Millipoints, POINT, StateValue};

/// A way to play a game: the evaluation with other weights.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Strategy {
    /// Its name in agent specs.
    pub name: &'static str,
    /// What it goes for.
    pub about: &'static str,
    /// The weights that differ from the built-in ones, in TOML.
    pub weights: &'static str,
}

/// A game with a hand-made evaluation of actions.
pub trait Heuristic: Game {
    /// The evaluation's named weights; a TOML file may set some of them, the others keep their defaults.
    type Weights: Clone + Debug + Default + PartialEq + Serialize + DeserializeOwned + Send + Sync;

    /// What playing on remembers from one action to the next, so that ratings need not be worked out from nothing:
    /// scratch space of one policy, whose weights never change. What it holds must never show in the choices.
    type Playout: Debug + Default + Send;

    /// How many points of difference in rating make an action e times as likely to be the best one: the unit
    /// of the temperature at which a search turns ratings into a prior.
    const TEMPERATURE: f32;

    /// Whether ratings tell actions apart. Agents that choose by them refuse a game where they do not.
    const IS_RATED: bool = true;

    /// The named strategies, for studies of which one the rules favor.
    const STRATEGIES: &'static [Strategy] = &[];

    /// The named goals to which a tree search can be bent.
    const GOALS: &'static [Goal<Self>] = &[];

    /// The keys of the rules' numbers ([`Rules::KEYS`](azulejo::Rules::KEYS)) that ratings depend on, beside
    /// those of [`RuleEffect::Table`](azulejo::RuleEffect::Table), whose changes states show. Weights are
    /// meant for the standard numbers; ratings bring them into proportion with changed ones.
    const KNOWN_RULES: &'static [&'static str] = &[];

    /// Clears `ratings` and fills it with the worth of each of `actions` (all legal) to the player to move.
    ///
    /// Ratings are in points of the game and comparable within one call only.
    fn rate_actions(&self, weights: &Self::Weights, actions: &[Self::Action], ratings: &mut Vec<f32>);

    /// The legal action of the highest rating, ties broken at random. `actions` and `ratings` are scratch
    /// space.
    ///
    /// Games may override it by something faster that makes the same choice.
    ///
    /// # Panics
    /// If no action is legal: at chance and over.
    fn best_action(
        &self,
        weights: &Self::Weights,
        rng: &mut Generator,
        actions: &mut Vec<Self::Action>,
        ratings: &mut Vec<f32>,
    ) -> Self::Action {
        self.legal_actions(actions);
        self.rate_actions(weights, actions, ratings);
        actions[best_index(ratings, rng)]
    }

    /// Plays the best action for the player to move and, where the game makes use of knowing it, more actions
    /// of the same turn: those that [`best_action`](Heuristic::best_action) would choose one by one with the
    /// same `rng`. `playout` belongs to these weights; `actions` and `ratings` are scratch space.
    ///
    /// Games may override it to plan a turn of several actions once, or by something faster that remembers what
    /// it has worked out for other states.
    ///
    /// # Panics
    /// If no action is legal: at chance and over.
    #[inline]
    fn play_best(
        &mut self,
        weights: &Self::Weights,
        _playout: &mut Self::Playout,
        rng: &mut Generator,
        actions: &mut Vec<Self::Action>,
        ratings: &mut Vec<f32>,
    ) {
        self.apply(self.best_action(weights, rng, actions, ratings));
    }
}

/// The index of the highest rating, ties broken at random.
///
/// # Panics
/// If there is none.
pub(crate) fn best_index(ratings: &[f32], rng: &mut Generator) -> usize {
    // Passes without branches: which rating is the best cannot be predicted.
    let highest = |best: f32, &rating: &f32| if rating > best { rating } else { best };
    let best = ratings.iter().fold(f32::NEG_INFINITY, highest);
    let ties: u64 = ratings.iter().map(|&rating| u64::from(rating == best)).sum();
    let chosen = if ties > 1 { rng.below(ties) as usize } else { 0 };
    let mut best_ones = ratings.iter().enumerate().filter(|&(_, &rating)| rating == best);
    best_ones.nth(chosen).expect("a rating equals their maximum").0
}
