//! A node of the search tree, and what follows it: [`TreeNode`], [`Below`], [`Children`], [`Outcomes`].

use azulejo::{MAX_PLAYERS, Seat};

/// A node's place in the arena.
pub(super) type NodeId = u32;

/// No node, or no entry of a list of outcomes: the first place of the arena stays empty, and entries count from 1.
pub(super) const NONE: u32 = 0;

/// What follows a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Below {
    /// Nothing is known yet.
    Nothing,
    /// What the actions lead to.
    Children(Children),
    /// What was drawn at a chance node.
    Outcomes(Outcomes),
    /// The node that stands for the same state, reached by the same moves in another order: all that follows is there.
    Twin(NodeId),
}

/// A node's children, listed in the order in which they are to be tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Children {
    /// The place of the first one's entry; those of the others follow.
    pub first: u32,
    pub count: u16,
    /// How many of them, from the first on, have nodes: these may have been visited.
    pub tried: u16,
}

/// The outcomes of a chance node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Outcomes {
    /// The first entry of the list; [`NONE`] if there is none.
    pub first: u32,
    /// The number of entries.
    pub count: u16,
    /// How often an outcome was asked for that may be new.
    pub asked: u16,
}

/// A state reached in the tree, with the statistics of the simulations that passed through it.
///
/// The state itself is not kept: it is played out again from the root on the way down.
#[derive(Clone, Copy, Debug)]
pub(super) struct TreeNode<A> {
    /// The sum over its simulations of each seat's utility.
    pub sums: [f32; MAX_PLAYERS],
    /// The number of simulations that passed through.
    pub visits: u32,
    /// The prior probability of the action that leads here.
    pub prior: f32,
    /// [`Below`] in nine bytes, between which an action fits: an enum with its payload would take twelve.
    link: u32,
    count: u16,
    progress: u16,
    kind: BelowKind,
    /// The action that leads here; without meaning at the root and behind a chance node.
    pub action: A,
}

/// Which [`Below`] it is.
#[derive(Clone, Copy, Debug)]
enum BelowKind {
    Nothing,
    Children,
    Outcomes,
    Twin,
}

impl<A> TreeNode<A> {
    pub(super) fn new(action: A, prior: f32) -> Self {
        let sums = [0.0; MAX_PLAYERS];
        TreeNode {
            sums,
            visits: 0,
            prior,
            link: NONE,
            count: 0,
            progress: 0,
            kind: BelowKind::Nothing,
            action,
        }
    }

    /// What follows.
    #[inline]
    pub(super) fn below(&self) -> Below {
        let TreeNode { link, count, progress, .. } = *self;
        match self.kind {
            BelowKind::Nothing => Below::Nothing,
            BelowKind::Children => Below::Children(Children { first: link, count, tried: progress }),
            BelowKind::Outcomes => Below::Outcomes(Outcomes { first: link, count, asked: progress }),
            BelowKind::Twin => Below::Twin(link),
        }
    }

    /// Says what follows.
    #[inline]
    pub(super) fn set_below(&mut self, below: Below) {
        (self.kind, self.link, self.count, self.progress) = match below {
            Below::Nothing => (BelowKind::Nothing, NONE, 0, 0),
            Below::Children(Children { first, count, tried }) => (BelowKind::Children, first, count, tried),
            Below::Outcomes(Outcomes { first, count, asked }) => (BelowKind::Outcomes, first, count, asked),
            Below::Twin(id) => (BelowKind::Twin, id, 0, 0),
        };
    }

    /// A seat's mean utility; the node has been visited.
    #[inline]
    pub(super) fn mean(&self, seat: Seat) -> f32 {
        self.sums[seat.index()] / self.visits as f32
    }
}

#[cfg(test)]
mod tests {
    use azulejo::Game;
    use azulejo::azul::Azul;

    use super::*;

    #[test]
    fn a_node_is_small_and_keeps_what_follows_it() {
        assert_eq!(size_of::<TreeNode<<Azul as Game>::Action>>(), 36);
        let mut node = TreeNode::new((), 0.5);
        for below in [
            Below::Nothing,
            Below::Children(Children { first: 7, count: 300, tried: 2 }),
            Below::Outcomes(Outcomes { first: 9, count: 3, asked: 65535 }),
            Below::Twin(5),
        ] {
            node.set_below(below);
            assert_eq!(node.below(), below);
        }
    }
}
