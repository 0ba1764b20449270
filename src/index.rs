//! One fixed number for every action: [`Indexed`].

/// A type whose values are numbered 0, 1, … [`COUNT`](Indexed::COUNT) − 1: the action index of a game.
///
/// The numbering is the same for all variants and numbers of players and part of the project's contract.
/// `from_index` is the inverse of `index`.
pub trait Indexed: Sized {
    /// How many values there are.
    const COUNT: usize;

    /// This value's number, below [`COUNT`](Indexed::COUNT).
    fn index(self) -> usize;

    /// The value with this number.
    ///
    /// # Panics
    /// If `index` is not below [`COUNT`](Indexed::COUNT).
    fn from_index(index: usize) -> Self;
}
