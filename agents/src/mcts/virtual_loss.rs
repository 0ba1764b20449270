//! Several leaves of one tree at once: virtual loss (Chaslot, Winands and van den Herik 2008).
//!
//! As long as a leaf's value is not known, its simulation counts as lost by every seat. So the next walk, whoever moves
//! at a node, tends to another leaf.

use azulejo::Keyed;

use super::tree::{Leaf, Tree};

/// The utility of a loss.
const LOSS: f32 = -1.0;

impl<G: Keyed> Tree<G> {
    /// Counts a leaf that was handed out as lost by every seat, until [`take_back`](Tree::take_back).
    pub fn suppose_lost(&mut self, leaf: &Leaf<G>) {
        let arena = &self.arena;
        self.supposed.extend(leaf.path.iter().map(|&id| (id, arena.nodes[id as usize].sums)));
        self.count_loss(leaf);
    }

    /// Takes all supposed losses back: visits and sums are as they were before, to the bit.
    pub fn take_back(&mut self) {
        while let Some((id, sums)) = self.supposed.pop() {
            let node = &mut self.arena.nodes[id as usize];
            node.visits -= 1;
            node.sums = sums;
        }
    }

    /// Counts a leaf as lost by every seat, until [`uncount_loss`](Tree::uncount_loss). Leaves come and go in any order.
    pub(super) fn count_loss(&mut self, leaf: &Leaf<G>) {
        for &id in &leaf.path {
            let node = &mut self.arena.nodes[id as usize];
            node.visits += 1;
            node.sums = node.sums.map(|sum| sum + LOSS);
        }
    }

    /// Takes the supposed loss of one leaf back. Visits are as if it had never been counted, sums nearly so: they are rounded.
    pub(super) fn uncount_loss(&mut self, leaf: &Leaf<G>) {
        for &id in &leaf.path {
            let node = &mut self.arena.nodes[id as usize];
            node.visits -= 1;
            node.sums = node.sums.map(|sum| sum - LOSS);
        }
    }
}
