//! One thread's search.

use std::time::{Duration, Instant};

use azulejo::seed::derive;
use azulejo::{Game, Generator, Keyed, Move, Turn};
use rand::Rng;

use super::halving::{Gumbel, Halving, Race};
use super::tree::{Tree, TreeRules};
use crate::agent::Limits;
use crate::evaluator::{Evaluator, Utility};

/// The clock is read once for so many simulations.
const CLOCK_INTERVAL: u64 = 16;

/// So many simulations find some action: the first one evaluates the root.
const LEAST_SIMULATIONS: u64 = 2;

/// What limits a search of one choice.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Budget<'a> {
    /// The most simulations.
    pub simulations: u64,
    /// The longest time since the start.
    pub time: Option<Duration>,
    /// When the choice began.
    pub start: Instant,
    /// The caller's limits, for the order to stop.
    pub limits: &'a Limits<'a>,
}

impl Budget<'_> {
    fn is_spent(&self) -> bool {
        self.limits.stopped() || self.time.is_some_and(|time| self.start.elapsed() >= time)
    }
}

/// Searches with a tree that it keeps from move to move.
pub(crate) struct Searcher<G: Game> {
    rules: TreeRules,
    utility: Utility,
    evaluator: Box<dyn Evaluator<G>>,
    /// The tree below the last known state; none before the first search.
    tree: Option<Tree<G>>,
    rng: Generator,
    /// How simulations are shared out at the root; by the selection if none.
    gumbel: Option<Gumbel>,
    /// What the last search decided by that.
    halving: Option<Halving<G>>,
}

impl<G: Keyed> Searcher<G> {
    /// A searcher that makes trees by `rules` and maximizes `utility`.
    pub fn new(rules: TreeRules, utility: Utility, evaluator: Box<dyn Evaluator<G>>) -> Self {
        let rng = Generator::new(0);
        Searcher { rules, utility, evaluator, tree: None, rng, gumbel: None, halving: None }
    }

    /// Shares simulations out at the root by sequential halving. Searches that are limited by time alone still select.
    pub fn with_gumbel(self, gumbel: Gumbel) -> Self {
        Searcher { gumbel: Some(gumbel), ..self }
    }

    /// What sequential halving decided in the last search, if that was how it searched.
    pub fn take_halving(&mut self) -> Option<Halving<G>> {
        self.halving.take()
    }

    /// Forgets everything; `number` is the searcher's among those of its agent.
    pub fn reset(&mut self, seed: u64, number: u64) {
        self.rng = Generator::new(derive(seed, &[2 * number]));
        if let Some(tree) = &mut self.tree {
            tree.forget(self.rng.next_u64());
        }
        self.evaluator.reseed(derive(seed, &[2 * number + 1]));
    }

    /// The tree of the last search.
    ///
    /// # Panics
    /// Before the first search.
    pub fn tree(&self) -> &Tree<G> {
        self.tree.as_ref().expect("a search has been made")
    }

    /// Searches a state at a player's turn; gives the simulations made and the longest line, in plies.
    pub fn search(&mut self, state: &G, budget: &Budget<'_>) -> (u64, usize) {
        let tree = self.tree.get_or_insert_with(|| Tree::new(*state, self.rules, self.rng.next_u64()));
        if tree.root() != state {
            tree.reset(*state);
        }
        self.evaluator.prepare(state);
        self.halving = None;
        // The root's own evaluation chooses nothing: a choice takes at least one simulation more. A forced move takes
        // no more than that.
        let simulations =
            if tree.is_forced() { LEAST_SIMULATIONS } else { budget.simulations.max(LEAST_SIMULATIONS) };
        match self.gumbel {
            Some(gumbel) if simulations < u64::MAX => {
                self.search_by_halving(state, gumbel, simulations, budget)
            }
            _ => self.simulate(simulations, None, budget),
        }
    }

    /// Makes simulations until their number or the time is used up; all go to the root's child at this place, or else where
    /// the selection sends them.
    fn simulate(&mut self, simulations: u64, at_root: Option<u16>, budget: &Budget<'_>) -> (u64, usize) {
        let tree = self.tree.as_mut().expect("a search has begun");
        let (mut leaf, mut done, mut depth) = (tree.leaf(), 0, 0);
        while done < simulations {
            if done % CLOCK_INTERVAL == LEAST_SIMULATIONS && budget.is_spent() {
                break;
            }
            tree.gather(&mut leaf, &mut *self.evaluator, &mut self.rng, at_root);
            let values = match leaf.state.turn() {
                Turn::Over => self.utility.of(&leaf.state),
                _ => self.evaluator.value(&leaf.state),
            };
            tree.apply(&leaf, &values);
            depth = depth.max(leaf.depth());
            done += 1;
        }
        (done, depth)
    }

    /// Shares the simulations out at the root by sequential halving, in a tree of its own.
    fn search_by_halving(
        &mut self,
        state: &G,
        gumbel: Gumbel,
        simulations: u64,
        budget: &Budget<'_>,
    ) -> (u64, usize) {
        if let Some(tree) = &mut self.tree {
            tree.reset(*state);
        }
        let (mut done, mut depth) = self.simulate(1, None, budget);
        let tree = self.tree.as_mut().expect("a search has begun");
        tree.expand_root(&mut *self.evaluator, &mut self.rng);
        let mut race = Race::new(tree, gumbel, simulations - done, &mut self.rng);
        while let Some((place, visits)) = race.next(self.tree()) {
            if done > 1 && budget.is_spent() {
                break;
            }
            let found = self.simulate(visits, Some(place), budget);
            (done, depth) = (done + found.0, depth.max(found.1));
        }
        self.halving = Some(race.finish(self.tree()));
        (done, depth)
    }

    /// Follows a move of the running game.
    pub fn follow(&mut self, played: &Move<G>) {
        let Some(tree) = &mut self.tree else { return };
        match played {
            Move::Action(action) if tree.root().is_legal(*action) => tree.follow_action(*action),
            Move::Outcome(outcome) if tree.root().check_chance(outcome).is_ok() => {
                tree.follow_chance(outcome)
            }
            // A move of some other line of play: the next search begins at another root.
            _ => {}
        }
    }
}
