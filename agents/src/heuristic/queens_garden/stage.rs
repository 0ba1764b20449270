//! How far a game has come.

use azulejo::Game;
use azulejo::queens_garden::{QueensGarden, ROUNDS, TOP_TILES};

/// The points of a game between which weights are interpolated: the starts of the four rounds, and the end.
pub(super) const STAGES: usize = ROUNDS + 1;

/// How far a game has come.
#[derive(Clone, Copy)]
pub(super) struct Stage {
    /// The current round, from 0.
    pub round: usize,
    /// The share of the round's items that are gone, 0 to 1.
    pub gone: f32,
}

impl Stage {
    /// The stage of a state.
    pub(super) fn of(state: &QueensGarden) -> Self {
        let full = u32::from(state.rules().stack_of(state.players())) * ITEMS;
        let shown: u32 = state.slots().iter().map(|slot| u32::from(slot.shown().len())).sum();
        let left = shown + u32::from(state.stack().saturating_sub(1)) * ITEMS;
        Stage { round: state.round() as usize - 1, gone: 1.0 - left.min(full) as f32 / full as f32 }
    }

    /// The middle of a round, from 0.
    pub(super) fn middle(round: usize) -> Self {
        Stage { round, gone: 0.5 }
    }

    /// The share of the round's items that are still to be had, 0 to 1.
    #[inline]
    pub(super) fn left(self) -> f32 {
        1.0 - self.gone
    }

    /// The value between those of the round's start and of the next round's.
    #[inline]
    pub(super) fn pick(self, values: &[f32; STAGES]) -> f32 {
        let (from, to) = (values[self.round], values[self.round + 1]);
        from + self.gone * (to - from)
    }
}

/// What an expansion of the stack brings: its tiles and itself.
const ITEMS: u32 = TOP_TILES as u32 + 1;
