//! What playouts keep: choices that come again from leaf to leaf, and what gardens gain.

use azulejo::queens_garden::{Action, KINDS, QueensGarden};
use azulejo::{Game, Generator};

use super::keys::{choice_key, gains_key};
use super::stage::Stage;
use super::{QueensGardenWeights, rate};
use crate::cache::Cache;
use crate::heuristic::best_index;

/// Choices that are kept, as a power of 2.
const CHOICES_BITS: u32 = 14;

/// Gardens whose gains are kept, as a power of 2.
const GAINS_BITS: u32 = 10;

/// What playouts of Queen's Garden keep: leaves of one search share most of their boards, and most turns of
/// their playouts are those of earlier ones.
#[derive(Debug)]
pub struct QueensGardenPlayout {
    /// By [`choice_key`].
    choices: Cache<BestActions>,
    /// By [`gains_key`].
    gains: Cache<KnownGains>,
}

impl Default for QueensGardenPlayout {
    fn default() -> Self {
        QueensGardenPlayout {
            choices: Cache::new(CHOICES_BITS, BestActions::default()),
            gains: Cache::new(GAINS_BITS, KnownGains::default()),
        }
    }
}

impl QueensGardenPlayout {
    /// What [`Heuristic::best_action`](crate::heuristic::Heuristic::best_action) chooses; `actions` and `ratings`
    /// are scratch space.
    pub(super) fn choose(
        &mut self,
        state: &QueensGarden,
        weights: &QueensGardenWeights,
        rng: &mut Generator,
        actions: &mut Vec<Action>,
        ratings: &mut Vec<f32>,
    ) -> Action {
        let key = choice_key(state);
        if let Some(best) = self.choices.get(key) {
            return best.draw(rng);
        }
        state.legal_actions(actions);
        let garden = state.board(state.to_move()).garden();
        let gains = self.gains.entry(gains_key(state.rules(), garden, Stage::of(state)));
        rate(state, weights, actions, ratings, gains);
        if let Some(best) = BestActions::of(actions, ratings) {
            self.choices.insert(key, best);
        }
        actions[best_index(ratings, rng)]
    }
}

/// The actions of the highest rating, in their order.
#[derive(Clone, Copy, Debug, Default)]
struct BestActions {
    actions: [Action; BestActions::MOST],
    len: u8,
}

impl BestActions {
    /// The places of the fountain board are the most that often tie.
    const MOST: usize = 6;

    /// Those of `actions` with these ratings; `None` if there are too many to be kept.
    fn of(actions: &[Action], ratings: &[f32]) -> Option<Self> {
        let highest = ratings.iter().fold(f32::NEG_INFINITY, |best, &rating| best.max(rating));
        let mut best = BestActions::default();
        for (&action, _) in actions.iter().zip(ratings).filter(|&(_, &rating)| rating == highest) {
            *best.actions.get_mut(best.len as usize)? = action;
            best.len += 1;
        }
        Some(best)
    }

    /// One of them, as [`best_index`] draws it.
    #[inline]
    fn draw(&self, rng: &mut Generator) -> Action {
        let chosen = if self.len > 1 { rng.below(self.len.into()) } else { 0 };
        self.actions[chosen as usize]
    }
}

/// What a garden gains at a stage of the game by each kind on its best place, with the room that it takes or
/// brings; where there is no place, it is −∞.
#[derive(Clone, Copy, Debug)]
pub(super) struct KnownGains {
    pub tiles: [f32; KINDS],
    pub expansions: [f32; KINDS],
    /// The kinds for which `tiles` is filled in.
    pub known_tiles: u64,
    /// The kinds for which `expansions` is filled in.
    pub known_expansions: u64,
}

impl Default for KnownGains {
    fn default() -> Self {
        let none = [f32::NEG_INFINITY; KINDS];
        KnownGains { tiles: none, expansions: none, known_tiles: 0, known_expansions: 0 }
    }
}
