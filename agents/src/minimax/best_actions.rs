//! The best of the root's actions: [`BestActions`].

use azulejo::{PerPlayer, Seat};

use super::memory::INFINITY;
use crate::heuristic::Millipoints;

/// An action at the root with its value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct BestAction<A> {
    pub action: A,
    /// Each seat's lead over the best other one; of a paranoid search only that of the root's seat means
    /// anything.
    pub leads: PerPlayer<Millipoints>,
}

/// The actions of the highest values, as many as were asked for, the best first.
///
/// A search for several lines needs the value of each of them, not only that of the best: what is no better than the last of
/// them is all that a bound will do for.
#[derive(Debug)]
pub(super) struct BestActions<A> {
    list: Vec<BestAction<A>>,
    most: usize,
    /// Whether every line was searched to the next chance node or the end.
    pub solved: bool,
}

impl<A: Copy + Eq> BestActions<A> {
    /// A list of at most so many, at least one.
    pub(super) fn new(most: usize) -> Self {
        let most = most.max(1);
        BestActions { list: Vec::with_capacity(2 * most), most, solved: false }
    }

    /// How many there may be.
    pub(super) fn most(&self) -> usize {
        self.most
    }

    /// The actions, the best first.
    pub(super) fn as_slice(&self) -> &[BestAction<A>] {
        &self.list
    }

    /// Forgets all actions.
    pub(super) fn clear(&mut self) {
        self.list.clear();
        self.solved = false;
    }

    /// What an action has to be worth more than to `seat`, to be one of them.
    pub(super) fn bound(&self, seat: Seat) -> Millipoints {
        match self.list.get(self.most - 1) {
            Some(last) => last.leads[seat],
            None => -INFINITY,
        }
    }

    /// Takes an action in if it is good enough for `seat`; returns its place then. Of equal ones the earlier stays before.
    pub(super) fn offer(&mut self, offered: BestAction<A>, seat: Seat) -> Option<usize> {
        let value = offered.leads[seat];
        if value <= self.bound(seat) {
            return None;
        }
        let place = self.list.iter().take_while(|better| better.leads[seat] >= value).count();
        self.list.insert(place, offered);
        self.list.truncate(self.most);
        Some(place)
    }

    /// Takes over what a deeper search found; what that has not come to follows after it.
    pub(super) fn update(&mut self, deeper: &Self) {
        self.list.retain(|old| deeper.list.iter().all(|new| new.action != old.action));
        for (place, new) in deeper.list.iter().enumerate() {
            self.list.insert(place, *new);
        }
        self.list.truncate(self.most);
        self.solved = deeper.solved;
    }
}
