//! Kinds of mistakes: in which respect a move differs from a better one, told in a player's words.
//!
//! A kind follows from the position and the two actions alone. Where they differ in several respects, the one that weighs
//! most in its game is named: each game's file has them in this order.

mod azul;
mod queens_garden;
mod summer_pavilion;
#[cfg(test)]
mod tests;

use std::cmp::Ordering;
use std::fmt;

use serde::Serialize;

pub(super) use azul::mistake_kind as azul;
pub(super) use queens_garden::mistake_kind as queens_garden;
pub(super) use summer_pavilion::mistake_kind as summer_pavilion;

/// What was played, and what would have been better.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub struct MistakeKind {
    /// What was played: "tiles to the floor".
    pub played: &'static str,
    /// What would have been better: "no tiles to the floor".
    pub better: &'static str,
}

impl MistakeKind {
    /// A kind of which nothing more is known.
    pub(super) const ANY: MistakeKind = MistakeKind { played: "one move", better: "another move" };

    /// A kind by its two sides.
    const fn new(played: &'static str, better: &'static str) -> Self {
        MistakeKind { played, better }
    }
}

impl fmt::Display for MistakeKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} -> {}", self.played, self.better)
    }
}

/// A respect in which actions may differ: its measure, what to call the action that has less of it, and the one that has more.
type Respect<'a, A> = (&'a dyn Fn(A) -> i32, &'static str, &'static str);

/// The kind of a mistake by the first respect in which the action that was played and the better one differ.
fn first_difference<A: Copy>([played, better]: [A; 2], respects: &[Respect<'_, A>]) -> Option<MistakeKind> {
    respects.iter().find_map(|&(measure, less, more)| match measure(played).cmp(&measure(better)) {
        Ordering::Less => Some(MistakeKind::new(less, more)),
        Ordering::Equal => None,
        Ordering::Greater => Some(MistakeKind::new(more, less)),
    })
}
