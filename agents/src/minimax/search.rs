//! Deeper and deeper searches of one position.

use azulejo::PerPlayer;

use super::clock::Clock;
use super::memory::{MAX_DEPTH, SearchMemory, SearchNode};
use super::opponents::Opponents;
use crate::heuristic::{Candidate, Millipoints, StateValue};

/// A value that a search found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Found<V> {
    pub value: V,
    /// Whether every line was searched to the next chance node or the end.
    pub solved: bool,
}

/// The best action at the root.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct BestAction<A> {
    pub action: A,
    /// Each seat's lead over the best other one; of a paranoid search only that of the root's seat means
    /// anything.
    pub leads: PerPlayer<Millipoints>,
    /// Whether every line was searched to the next chance node or the end.
    pub solved: bool,
}

/// What a search came to.
#[derive(Clone, Copy, Debug)]
pub(super) struct SearchResult<A> {
    /// The best action.
    pub best: BestAction<A>,
    /// The last depth that was searched completely, in plies.
    pub depth: usize,
}

/// A search that runs.
pub(super) struct MinimaxSearch<'a, 'l, G: StateValue> {
    /// What it works with.
    pub memory: &'a mut SearchMemory<G>,
    /// When it has to end.
    pub clock: Clock<'l>,
}

impl<G: StateValue> MinimaxSearch<'_, '_, G> {
    /// Searches deeper and deeper until the clock runs out, the depth is reached or everything is known.
    ///
    /// `candidates` are the root's actions; in the end the best is first and their ratings are the nodes that
    /// each took. An iteration that is broken off counts if it has searched at least the action that was best
    /// before: what it prefers then is better at the greater depth.
    ///
    /// # Panics
    /// If there are no candidates.
    pub(super) fn deepen(
        &mut self,
        opponents: Opponents,
        root: &SearchNode<G>,
        most_depth: usize,
        candidates: &mut [Candidate<G::Action>],
    ) -> SearchResult<G::Action> {
        let leads = PerPlayer::splat(root.state.players(), 0);
        let best = BestAction { action: candidates[0].action, leads, solved: false };
        let mut outcome = SearchResult { best, depth: 0 };
        for depth in 1..=most_depth.clamp(1, MAX_DEPTH) {
            let found = match opponents {
                Opponents::MaxN if root.state.players() > 2 => self.maxn_root(root, depth, candidates),
                _ => self.alpha_beta_root(root, depth, candidates),
            };
            outcome.best = found.unwrap_or(outcome.best);
            if self.clock.is_out() {
                break;
            }
            outcome.depth = depth;
            if outcome.best.solved {
                break;
            }
        }
        outcome
    }

    /// The values of a node that is not searched any further.
    #[inline]
    pub(super) fn leaf_values(&mut self, node: &SearchNode<G>) -> PerPlayer<Millipoints> {
        if node.state.is_settled() {
            return self.memory.values(node);
        }
        let (settled, plies) = self.memory.settled(node);
        (0..plies).for_each(|_| _ = self.clock.tick());
        self.memory.values(&settled)
    }
}
