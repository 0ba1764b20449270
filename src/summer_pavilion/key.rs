//! Keys of states of Summer Pavilion.

use super::SummerPavilion;
use crate::key::{Keyed, hash_of, part};

/// The one part of a key that is not hashed with the others.
const FACTORY: u8 = 1;

impl Keyed for SummerPavilion {
    /// Not in the key: bag and depot, and the order of the factories.
    fn key(&self) -> u64 {
        let factories = self.sources[1..].iter().filter(|tiles| !tiles.is_empty());
        let table = factories.map(|tiles| part(FACTORY, tiles.word())).fold(0, u64::wrapping_add);
        let turn = (self.phase, self.round, self.start, self.to_move, self.next, self.token, self.owed);
        let fields = hash_of(&(turn, self.sources[0], self.supply, self.boards.as_slice()));
        table.wrapping_add(fields)
    }

    /// What lies in the depot follows from the rest.
    fn whole_key(&self) -> u64 {
        self.key().wrapping_add(hash_of(&(&self.sources, self.bag())))
    }
}
