//! The order in which actions are tried.

use azulejo::Indexed;

use crate::heuristic::{Candidate, Millipoints, POINT};

/// What earlier parts of a search say about which actions are good.
///
/// *Killers* are the last two actions that refuted a line at the same ply. The *history* (Schaeffer 1989)
/// counts for every action, wherever it was played, how often it refuted a line, deep searches more than
/// shallow ones.
#[derive(Debug)]
pub(crate) struct MoveOrder<A> {
    killers: Vec<[Option<A>; 2]>,
    /// By action index.
    history: Vec<u32>,
    /// The largest number in the history.
    most: u32,
}

/// What being a killer is worth, and the most that the history is worth.
const KILLER: Millipoints = POINT / 2;
const HISTORY: Millipoints = POINT;

impl<A: Indexed + Copy + Eq> MoveOrder<A> {
    /// An order that knows nothing, for lines of at most `plies`.
    pub(crate) fn new(plies: usize) -> Self {
        MoveOrder { killers: vec![[None; 2]; plies], history: vec![0; A::COUNT], most: 0 }
    }

    /// Forgets everything.
    pub(crate) fn clear(&mut self) {
        self.killers.fill([None; 2]);
        self.history.fill(0);
        self.most = 0;
    }

    /// Learns that an action refuted a line.
    pub(crate) fn refuted(&mut self, action: A, ply: usize, depth: usize) {
        let killers = &mut self.killers[ply];
        if killers[0] != Some(action) {
            killers[1] = killers[0].replace(action);
        }
        let count = &mut self.history[action.index()];
        *count = count.saturating_add((depth * depth) as u32);
        self.most = self.most.max(*count);
        if self.most > 1 << 20 {
            self.history.iter_mut().for_each(|count| *count >>= 1);
            self.most >>= 1;
        }
    }

    /// Turns the ratings of candidates into those by which they are tried: `first`, an action's index, comes
    /// first.
    pub(crate) fn rate(&self, candidates: &mut [Candidate<A>], ply: usize, first: Option<u16>) {
        let scale = HISTORY as f32 / (self.most + 1) as f32;
        for Candidate { action, rating } in candidates {
            let index = action.index();
            *rating += (self.history[index] as f32 * scale) as Millipoints;
            if self.killers[ply].contains(&Some(*action)) {
                *rating += KILLER;
            }
            if first == Some(index as u16) {
                *rating = Millipoints::MAX;
            }
        }
    }
}

/// Brings the candidate of the highest rating among those from `next` on to `next`; of equal ones the first.
#[inline]
pub(crate) fn pick<A: Copy>(candidates: &mut [Candidate<A>], next: usize) -> A {
    let mut best = next;
    for other in next + 1..candidates.len() {
        if candidates[other].rating > candidates[best].rating {
            best = other;
        }
    }
    candidates.swap(next, best);
    candidates[next].action
}
