//! How a game of two ends, as one number: [`Worth`].

use std::cmp::Ordering;
use std::ops::Neg;

use azulejo::{Game, Seat};

/// The end of a game of two from the point of view of seat 0, both the lead in points and the result.
///
/// Ends are ordered by the lead and, where it is 0, by who wins after the rulebook's tie-breaks. The lead never falls and the
/// result never gets worse from one end to the next, so the lead under best play for the lead and the result under best play
/// for the result are both read off the worth under best play for the worth: one search has all three.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Worth(i16);

impl Worth {
    /// Below and above every end.
    pub(super) const LIMITS: [Worth; 2] = [Worth(-i16::MAX), Worth(i16::MAX)];

    /// The end with this lead; `tie` says who wins if the lead is 0, `Greater` being seat 0.
    pub(super) fn new(lead: i16, tie: Ordering) -> Self {
        Worth(lead + if lead == 0 { tie as i16 } else { lead.signum() })
    }

    /// How a game ended.
    ///
    /// # Panics
    /// If a game that is over names a winner who has fewer points.
    pub(super) fn of_end<G: Game>(state: &G) -> Self {
        let [first, second] = [Seat::new(0), Seat::new(1)];
        let (scores, wins) = (state.scores(), state.wins());
        let lead = scores[first] - scores[second];
        let result = wins[first].total_cmp(&wins[second]);
        assert!(lead == 0 || result == lead.cmp(&0), "points decide before tie-breaks do");
        Worth::new(lead, result)
    }

    /// The lead of seat 0 in points.
    pub fn lead(self) -> i16 {
        self.0 - self.0.signum()
    }

    /// The share of the win of seat 0: 0, 0.5 or 1.
    pub fn win(self) -> f64 {
        f64::from(self.0.signum() + 1) / 2.0
    }

    /// The same as seat 1 sees it, for seat 1; for seat 0 itself.
    pub fn seen_by(self, seat: Seat) -> Self {
        if seat.index() == 0 { self } else { -self }
    }

    /// The place among all ends; 0 is a drawn game.
    pub(super) fn number(self) -> i16 {
        self.0
    }

    /// The end at this place.
    pub(super) fn from_number(number: i16) -> Self {
        Worth(number)
    }

    /// The next better end for seat 0.
    pub(super) fn next(self) -> Self {
        Worth(self.0 + 1)
    }
}

impl Neg for Worth {
    type Output = Worth;

    fn neg(self) -> Worth {
        Worth(-self.0)
    }
}

/// All ends that are still possible, from the worst for seat 0 to the best.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WorthRange {
    /// The worst.
    pub low: Worth,
    /// The best.
    pub high: Worth,
}

impl WorthRange {
    /// Any end.
    pub const ALL: WorthRange = WorthRange { low: Worth::LIMITS[0], high: Worth::LIMITS[1] };

    /// Exactly this end.
    pub(super) fn only(worth: Worth) -> Self {
        WorthRange { low: worth, high: worth }
    }

    /// Leads from one to the other, where nothing is known of tie-breaks.
    pub(super) fn of_leads(low: i16, high: i16) -> Self {
        WorthRange { low: Worth::new(low, Ordering::Less), high: Worth::new(high, Ordering::Greater) }
    }

    /// What is in both.
    pub(super) fn and(self, other: Self) -> Self {
        WorthRange { low: self.low.max(other.low), high: self.high.min(other.high) }
    }

    /// What is left once the worth is known to be at least `bound`, if that reaches `target`, and at most `bound` otherwise.
    pub(super) fn narrowed(self, target: Worth, bound: Worth) -> Self {
        match bound >= target {
            true => WorthRange { low: self.low.max(bound), ..self },
            false => WorthRange { high: self.high.min(bound), ..self },
        }
    }

    /// The end, if only one is left.
    pub(super) fn sole(self) -> Option<Worth> {
        (self.low == self.high).then_some(self.low)
    }
}
