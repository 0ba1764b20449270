//! Which child a simulation goes to.

use azulejo::Seat;

use super::node::{NodeId, TreeNode};
use crate::arithmetic::ln;

/// The rule by which a simulation chooses among a node's children.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum SelectionRule {
    /// Upper confidence bounds (UCB1 applied to trees; Kocsis and Szepesvári 2006): each child once in the order
    /// of the prior, then the highest q + c · √(ln N / n).
    Uct {
        /// The weight c of exploration.
        c: f32,
    },
    /// Predictor upper confidence bounds (Silver et al. 2017): the highest q + c · p · √N / (1 + n). An untried
    /// child's q is the parent's mean less `fpu` (first-play urgency).
    Puct {
        /// The weight c of exploration.
        c: f32,
        /// How much worse than the parent an untried child is taken to be.
        fpu: f32,
    },
}

impl SelectionRule {
    /// The one to visit among the `tried` children, which have all been visited; `None` for the one that has not been tried, whose
    /// prior probability is `untried`.
    ///
    /// Values are those of `seat`, who moves at the parent; `mean` returns that of a visited child. Children come in pieces, each with
    /// the place of its first node.
    #[inline]
    pub(super) fn choose<'a, A: 'a>(
        self,
        parent: &TreeNode<A>,
        seat: Seat,
        tried: impl Iterator<Item = (NodeId, &'a [TreeNode<A>])>,
        untried: Option<f32>,
        mean: impl Fn(&TreeNode<A>) -> f32,
    ) -> Option<NodeId> {
        match self {
            SelectionRule::Uct { .. } if untried.is_some() => None,
            SelectionRule::Uct { c } => {
                let log = ln(parent.visits as f32);
                highest(tried, |child| mean(child) + c * (log / child.visits as f32).sqrt()).0
            }
            SelectionRule::Puct { c, fpu } => {
                let scale = c * (parent.visits as f32).sqrt();
                let (best, bound) =
                    highest(tried, |child| mean(child) + scale * child.prior / (1 + child.visits) as f32);
                let new = untried.map(|prior| parent.mean(seat) - fpu + scale * prior);
                if new.is_some_and(|new| new > bound) { None } else { best }
            }
        }
    }
}

/// The first child with the highest score, with that score; `None` and −∞ if there is none.
#[inline]
fn highest<'a, A: 'a>(
    children: impl Iterator<Item = (NodeId, &'a [TreeNode<A>])>,
    score: impl Fn(&TreeNode<A>) -> f32,
) -> (Option<NodeId>, f32) {
    let (mut best, mut bound) = (None, f32::NEG_INFINITY);
    for (begin, nodes) in children {
        // Where no score is a number, the first child has to do.
        best = best.or(Some(begin));
        for (child, id) in nodes.iter().zip(begin..) {
            let score = score(child);
            if score > bound {
                (best, bound) = (Some(id), score);
            }
        }
    }
    (best, bound)
}
