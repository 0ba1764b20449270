//! Keys of states of Queen's Garden.

use super::QueensGarden;
use crate::key::{Keyed, hash_of};

impl Keyed for QueensGarden {
    /// Not in the key: bag, tower and the kinds not revealed, from which only chance draws.
    fn key(&self) -> u64 {
        let turn = (self.phase, self.round, self.start, self.to_move, self.marker);
        hash_of(&(turn, self.stack, self.supply, self.slots(), self.pending, self.boards.as_slice()))
    }

    /// What lies in the tower, and which kinds have not been revealed, follows from the rest.
    fn whole_key(&self) -> u64 {
        self.key().wrapping_add(hash_of(&self.stock.bag))
    }
}
