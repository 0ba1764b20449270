//! Seats and values held one per player.

use std::fmt;
use std::ops::{Index, IndexMut};

use serde::{Serialize, Serializer};

/// The most players that any game of the family seats.
pub const MAX_PLAYERS: usize = 4;

/// A player's place at the table, counted from 0 in turn order; seat 0 starts the first round.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Seat(u8);

impl Seat {
    /// The seat with this number.
    ///
    /// # Panics
    /// If `index` is not below [`MAX_PLAYERS`].
    #[inline]
    pub const fn new(index: usize) -> Self {
        assert!(index < MAX_PLAYERS, "a seat is a number from 0 to 3");
        Seat(index as u8)
    }

    /// The seat's number, below [`MAX_PLAYERS`].
    #[inline]
    pub const fn index(self) -> usize {
        // The mask tells the compiler what `new` guarantees, so look-ups need no bounds check.
        (self.0 & 3) as usize
    }

    /// The seat to the left, who moves next at a table of `players`.
    #[inline]
    pub const fn next(self, players: usize) -> Self {
        let next = self.0 + 1;
        Seat(if next as usize >= players { 0 } else { next })
    }

    /// All seats of a table in turn order from seat 0.
    pub fn all(players: usize) -> impl DoubleEndedIterator<Item = Seat> + ExactSizeIterator + Clone {
        (0..players).map(Seat::new)
    }

    /// All seats of a table in turn order, beginning with this one.
    pub fn around(self, players: usize) -> impl Iterator<Item = Seat> + Clone {
        (0..players).map(move |step| Seat::new((self.index() + step) % players))
    }
}

impl fmt::Display for Seat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl Serialize for Seat {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_u8(self.0)
    }
}

/// One value per player, indexed by [`Seat`]: a fixed array of which the first `players` entries count.
///
/// Equality, iteration and serialization (a JSON list) see only the entries of seated players.
#[derive(Clone, Copy)]
pub struct PerPlayer<T> {
    items: [T; MAX_PLAYERS],
    players: u8,
}

impl<T: Copy> PerPlayer<T> {
    /// The same value for each of `players` seats.
    ///
    /// # Panics
    /// If `players` exceeds [`MAX_PLAYERS`].
    #[inline]
    pub fn splat(players: usize, value: T) -> Self {
        assert!(players <= MAX_PLAYERS, "at most 4 players");
        PerPlayer { items: [value; MAX_PLAYERS], players: players as u8 }
    }
}

impl<T: Copy + Default> PerPlayer<T> {
    /// The value that `make` returns for each of `players` seats.
    ///
    /// # Panics
    /// If `players` exceeds [`MAX_PLAYERS`].
    #[inline]
    pub fn from_fn(players: usize, mut make: impl FnMut(Seat) -> T) -> Self {
        let mut all = PerPlayer::splat(players, T::default());
        for seat in Seat::all(players) {
            all[seat] = make(seat);
        }
        all
    }

    /// The same seats with each value replaced by `change(value)`.
    pub fn map<U: Copy + Default>(&self, mut change: impl FnMut(T) -> U) -> PerPlayer<U> {
        PerPlayer::from_fn(self.players(), |seat| change(self[seat]))
    }
}

impl<T> PerPlayer<T> {
    /// The number of players.
    #[inline]
    pub fn players(&self) -> usize {
        self.players as usize
    }

    /// The values in seat order.
    #[inline]
    pub fn as_slice(&self) -> &[T] {
        &self.items[..self.players()]
    }

    /// Seats with their values, in seat order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (Seat, &T)> {
        self.as_slice().iter().enumerate().map(|(seat, item)| (Seat::new(seat), item))
    }
}

impl<T> Index<Seat> for PerPlayer<T> {
    type Output = T;
    #[inline]
    fn index(&self, seat: Seat) -> &T {
        &self.items[seat.index()]
    }
}

impl<T> IndexMut<Seat> for PerPlayer<T> {
    #[inline]
    fn index_mut(&mut self, seat: Seat) -> &mut T {
        &mut self.items[seat.index()]
    }
}

impl<T: PartialEq> PartialEq for PerPlayer<T> {
    fn eq(&self, other: &Self) -> bool {
        self.as_slice() == other.as_slice()
    }
}

impl<T: Eq> Eq for PerPlayer<T> {}

impl<T: fmt::Debug> fmt::Debug for PerPlayer<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.as_slice().fmt(f)
    }
}

impl<T: Serialize> Serialize for PerPlayer<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.as_slice().serialize(serializer)
    }
}

/// Shares one win equally among the seats with the highest score: no tie-break.
///
/// ```
/// use azulejo::{PerPlayer, leaders};
/// let scores = PerPlayer::from_fn(3, |seat| [7, 9, 9][seat.index()]);
/// assert_eq!(leaders(&scores).as_slice(), [0.0, 0.5, 0.5]);
/// ```
pub fn leaders<T: Copy + Default + Ord>(scores: &PerPlayer<T>) -> PerPlayer<f64> {
    let best = scores.as_slice().iter().max().copied();
    let shared = scores.as_slice().iter().filter(|&&score| Some(score) == best).count();
    scores.map(|score| if Some(score) == best { 1.0 / shared as f64 } else { 0.0 })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seats_go_around_the_table() {
        assert_eq!(Seat::new(2).next(3), Seat::new(0));
        let order: Vec<usize> = Seat::new(2).around(4).map(Seat::index).collect();
        assert_eq!(order, [2, 3, 0, 1]);
    }

    #[test]
    fn equality_ignores_absent_seats() {
        let mut left = PerPlayer::splat(2, 5);
        left.items[3] = 9;
        assert_eq!(left, PerPlayer::splat(2, 5));
        assert_ne!(left, PerPlayer::splat(3, 5));
    }
}
