//! Deeper and deeper searches of one position.

use azulejo::PerPlayer;

use super::best_actions::{BestAction, BestActions};
use super::clock::Clock;
use super::memory::{MAX_DEPTH, SearchMemory, SearchNode, SearchTables};
use super::opponents::Opponents;
use crate::heuristic::{Candidate, Millipoints, StateValue};

/// A value that a search found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Found<V> {
    pub value: V,
    /// Whether every line was searched to the next chance node or the end.
    pub solved: bool,
}

/// What is searched, deeper and deeper, and what has been found of it.
pub(super) struct RootSearch<G: StateValue> {
    /// The position.
    pub node: SearchNode<G>,
    /// How others are taken to play.
    pub opponents: Opponents,
    /// The root's actions; in the end the best come first and their ratings are the nodes that each took.
    pub candidates: Vec<Candidate<G::Action>>,
    /// The best actions by all that has been found.
    pub best: BestActions<G::Action>,
    /// The best actions among those that have been searched to the present depth.
    pub found: BestActions<G::Action>,
    /// The last depth that was searched completely, in plies.
    pub depth: usize,
    /// How many of the candidates after the first one come last, so that a thread that helps goes on with others than the rest.
    pub left: usize,
}

impl<G: StateValue> RootSearch<G> {
    /// A search for the best actions, so many, that begins now.
    pub(super) fn new(memory: &mut SearchMemory<G>, state: &G, opponents: Opponents, lines: usize) -> Self {
        let node = memory.begin(state);
        let candidates = memory.candidates(&node);
        let most = lines.min(candidates.len());
        let (best, found) = (BestActions::new(most), BestActions::new(most));
        RootSearch { node, opponents, candidates, best, found, depth: 0, left: 0 }
    }
}

/// A search that runs.
pub(super) struct MinimaxSearch<'a, 'l, G: StateValue> {
    /// What all threads that search have found out.
    pub tables: &'a SearchTables,
    /// What this one works with.
    pub memory: &'a mut SearchMemory<G>,
    /// When it has to end.
    pub clock: Clock<'l>,
}

impl<G: StateValue> MinimaxSearch<'_, '_, G> {
    /// Searches deeper and deeper until the clock runs out, the depth is reached or everything is known; calls `watch` after
    /// each depth.
    ///
    /// An iteration that is broken off counts if it has searched at least the action that was best
    /// before: what it prefers then is better at the greater depth.
    ///
    /// # Panics
    /// If there are no candidates.
    pub(super) fn deepen(
        &mut self,
        root: &mut RootSearch<G>,
        most_depth: usize,
        mut watch: impl FnMut(&Self, &RootSearch<G>),
    ) {
        let leads = PerPlayer::splat(root.node.state.players(), 0);
        root.best.offer(BestAction { action: root.candidates[0].action, leads }, self.memory.root);
        for depth in 1..=most_depth.clamp(1, MAX_DEPTH) {
            root.found.clear();
            root.candidates[1..].rotate_left(root.left);
            match root.opponents {
                Opponents::MaxN if root.node.state.players() > 2 => self.maxn_root(root, depth),
                _ => self.alpha_beta_root(root, depth),
            }
            root.candidates[1..].rotate_right(root.left);
            if !root.found.as_slice().is_empty() {
                root.best.update(&root.found);
            }
            if self.clock.is_out() {
                break;
            }
            root.depth = depth;
            watch(self, root);
            if root.best.solved {
                break;
            }
        }
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
