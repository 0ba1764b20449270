//! Which child a simulation goes to.

use azulejo::Seat;

use super::node::TreeNode;

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
    /// The index among the `tried` children, which have all been visited, of the one to visit, or their number for
    /// the `untried` one.
    ///
    /// Values are those of `seat`, who moves at the parent; `mean` gives that of a visited child. A child or an untried
    /// one must exist.
    #[inline]
    pub(super) fn choose<A>(
        self,
        parent: &TreeNode<A>,
        tried: &[TreeNode<A>],
        untried: Option<&TreeNode<A>>,
        seat: Seat,
        mean: impl Fn(&TreeNode<A>) -> f32,
    ) -> usize {
        if matches!(self, SelectionRule::Uct { .. }) && untried.is_some() {
            return tried.len();
        }
        let (best, bound) = match self {
            SelectionRule::Uct { c } => {
                let log = (parent.visits as f32).ln();
                highest(tried.iter().map(|child| mean(child) + spread(child, c, log)))
            }
            SelectionRule::Puct { c, .. } => {
                let scale = c * (parent.visits as f32).sqrt();
                highest(tried.iter().map(|child| mean(child) + bonus(child, scale)))
            }
        };
        let new = untried.map(|child| self.score(parent, child, seat));
        if new.is_some_and(|new| tried.is_empty() || new > bound) { tried.len() } else { best }
    }

    /// How much a child, visited or not, asks for the next visit; the highest score gets it.
    pub(super) fn score<A>(self, parent: &TreeNode<A>, child: &TreeNode<A>, seat: Seat) -> f32 {
        let visited = child.visits > 0;
        match self {
            SelectionRule::Uct { .. } if !visited => f32::MAX,
            SelectionRule::Uct { c } => child.mean(seat) + spread(child, c, (parent.visits as f32).ln()),
            SelectionRule::Puct { c, fpu } => {
                let mean = if visited { child.mean(seat) } else { parent.mean(seat) - fpu };
                mean + bonus(child, c * (parent.visits as f32).sqrt())
            }
        }
    }
}

#[inline]
fn spread<A>(child: &TreeNode<A>, c: f32, log: f32) -> f32 {
    c * (log / child.visits as f32).sqrt()
}

#[inline]
fn bonus<A>(child: &TreeNode<A>, scale: f32) -> f32 {
    scale * child.prior / (1 + child.visits) as f32
}

/// The index of the first highest of some numbers, with that number; (0, −∞) if there are none.
#[inline]
fn highest(numbers: impl Iterator<Item = f32>) -> (usize, f32) {
    let start = (0, f32::NEG_INFINITY);
    numbers
        .enumerate()
        .fold(start, |best, (index, number)| if number > best.1 { (index, number) } else { best })
}
