//! Which child a simulation goes to.

use azulejo::Seat;

use super::tree::Node;

/// The rule by which a simulation chooses among a node's children.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Selection {
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

impl Selection {
    /// The index among the `tried` children of the one to visit, or their number for the `untried` one.
    ///
    /// Values are those of `seat`, who moves at the parent. One of the two must exist.
    #[inline]
    pub(super) fn choose<A>(
        self,
        parent: &Node<A>,
        tried: &[Node<A>],
        untried: Option<&Node<A>>,
        seat: Seat,
    ) -> usize {
        match self {
            Selection::Uct { .. } if untried.is_some() => tried.len(),
            Selection::Uct { c } => {
                let log = (parent.visits as f32).ln();
                highest(tried.iter().map(|child| child.mean(seat) + c * (log / child.visits as f32).sqrt())).0
            }
            Selection::Puct { c, fpu } => {
                let scale = c * (parent.visits as f32).sqrt();
                let bonus = |child: &Node<A>| scale * child.prior / (1 + child.visits) as f32;
                let (best, bound) = highest(tried.iter().map(|child| child.mean(seat) + bonus(child)));
                let new = untried.map(|child| parent.mean(seat) - fpu + bonus(child));
                if new.is_some_and(|new| tried.is_empty() || new > bound) { tried.len() } else { best }
            }
        }
    }
}

/// The index of the first highest of some numbers, with that number; (0, −∞) if there are none.
#[inline]
fn highest(numbers: impl Iterator<Item = f32>) -> (usize, f32) {
    let start = (0, f32::NEG_INFINITY);
    numbers
        .enumerate()
        .fold(start, |best, (index, number)| if number > best.1 { (index, number) } else { best })
}
