//! What one seat can reach where nobody stands in its way: [`Solo`].

use std::collections::HashMap;
use std::fmt::Debug;
use std::hash::{BuildHasherDefault, Hash, Hasher};

use azulejo::{Game, Seat, Turn};

use super::budget::{Budget, Halt};
use crate::cache::KeyHash;

/// A game whose players, late in it, go on each for themselves.
pub(super) trait Apart: Game {
    /// All that counts for the points which a seat still makes.
    type Holding: Copy + Eq + Hash + Debug + Send;

    /// What a seat that begins a turn holds; `None` in the middle of one. Points so far are part of it only where they
    /// are so few that losses may come to an end at the lowest score.
    fn holding(&self, seat: Seat) -> Option<Self::Holding>;

    /// The action by which the player to move leaves the rest to the others: a pass, or the end of what follows it. `None`
    /// where something else is due first.
    fn leave(&self) -> Option<Self::Action>;

    /// Clears `actions` and fills it with legal ones, among them one that is best for the points of who moves.
    fn choices(&self, actions: &mut Vec<Self::Action>);

    /// Whether the player to move takes of what chance has laid out.
    fn is_drawing(&self) -> bool;

    /// Passes a chance node by any outcome, if it lays out no more than what nobody may come to draw.
    fn skip_chance(&mut self) -> bool;

    /// Whether another seat can take away what this action takes.
    fn is_contested(action: Self::Action) -> bool;
}

/// Hashes the words of a key by folded multiplication. Keys are compared as well: a hash only says where to look.
#[derive(Debug)]
pub(super) struct WordHasher(KeyHash);

impl Default for WordHasher {
    fn default() -> Self {
        WordHasher(KeyHash::EMPTY)
    }
}

impl Hasher for WordHasher {
    fn finish(&self) -> u64 {
        self.0.key()
    }

    fn write(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            self.write_u64(u64::from_le_bytes(word));
        }
    }

    fn write_u8(&mut self, number: u8) {
        self.write_u64(number.into());
    }

    fn write_u32(&mut self, number: u32) {
        self.write_u64(number.into());
    }

    fn write_i16(&mut self, number: i16) {
        self.write_u64(number as u64);
    }

    fn write_isize(&mut self, number: isize) {
        self.write_u64(number as u64);
    }

    fn write_usize(&mut self, number: usize) {
        self.write_u64(number as u64);
    }

    fn write_u64(&mut self, word: u64) {
        self.0 = self.0.with(word, 0);
    }
}

/// A map whose keys are a few words.
pub(super) type WordMap<K, V> = HashMap<K, V, BuildHasherDefault<WordHasher>>;

/// The best that each seat can do if all others pass as soon as they can.
#[derive(Debug)]
pub(super) struct Solo<G: Apart> {
    /// By seat: the points that a holding is still worth.
    known: Vec<WordMap<G::Holding, i16>>,
    /// The seats that can come to draw.
    pub drawers: u8,
    /// Whether the seat takes what others could take from it.
    contested: bool,
    lists: Vec<Vec<G::Action>>,
}

impl<G: Apart> Solo<G> {
    /// Nothing is known yet.
    pub(super) fn new(players: usize, contested: bool) -> Self {
        let known = (0..players).map(|_| WordMap::default()).collect();
        Solo { known, drawers: 0, contested, lists: Vec::new() }
    }

    /// The most points with which the seat can end. It may draw until something is laid out anew, if no other seat does.
    ///
    /// # Errors
    /// If the seat can draw what chance lays out from now on, something else is left to chance or due of another seat, or the
    /// budget is used up.
    pub(super) fn most_points(
        &mut self,
        state: &G,
        seat: Seat,
        budget: &mut Budget<'_>,
    ) -> Result<i16, Halt> {
        self.most_points_after(*state, seat, false, budget)
    }

    /// The same; `laid_out` says whether chance has laid out anything since the position that is asked for.
    fn most_points_after(
        &mut self,
        mut state: G,
        seat: Seat,
        mut laid_out: bool,
        budget: &mut Budget<'_>,
    ) -> Result<i16, Halt> {
        loop {
            match state.turn() {
                Turn::Over => return Ok(state.scores()[seat]),
                Turn::Chance if state.skip_chance() => laid_out = true,
                Turn::Chance => return Err(Halt::Chance),
                Turn::Player(mover) if mover != seat => state.apply(state.leave().ok_or(Halt::Chance)?),
                Turn::Player(_) => break,
            }
        }
        if state.is_drawing() {
            self.drawers |= 1 << seat.index();
            if laid_out {
                return Err(Halt::Chance);
            }
        }
        let (points, holding) = (state.scores()[seat], state.holding(seat));
        if let Some(gain) = holding.and_then(|holding| self.known[seat.index()].get(&holding)) {
            return Ok(points + gain);
        }
        budget.spend()?;
        let mut list = self.lists.pop().unwrap_or_default();
        state.choices(&mut list);
        let mut most = i16::MIN;
        for &action in &list {
            if self.contested || !G::is_contested(action) {
                let mut child = state;
                child.apply(action);
                most = most.max(self.most_points_after(child, seat, laid_out, budget)?);
            }
        }
        self.lists.push(list);
        if let Some(holding) = holding {
            budget.keep(&mut self.known[seat.index()], holding, most - points)?;
        }
        Ok(most)
    }
}
