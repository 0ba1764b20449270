//! What solving asks of a game beyond its rules: [`Endgame`].

use super::budget::{Budget, Halt};
use super::worth::WorthRange;
use crate::heuristic::StateValue;
use crate::minimax::table::TableValue;

/// A game that says of its last stretch, where no chance node is left, what a search cannot see by itself: for two players,
/// how the game can still end, and which states are the same to the rest of it.
///
/// [`fill_in!`](crate::fill_in) stands in for it with what is true of every game: nothing is known. Such a game is solved by
/// plain alpha-beta.
pub trait Endgame: StateValue {
    /// All that counts for the rest of the game, packed into words: two states that follow the position being solved and have
    /// the same image have the same worth. It is no hash, so that an entry of a table is that of the state and of no other.
    type Image: AsRef<[u64]> + PartialEq + TableValue;
    /// What is known of the position being solved and found out on the way.
    type Outlook: Send;

    /// What is known of a position that is to be solved.
    fn outlook(&self) -> Self::Outlook;

    /// Whether it is certain that no line of play from here meets a chance node; if not, all lines are played to see.
    ///
    /// # Errors
    /// If the budget is used up.
    fn is_chance_free(&self, outlook: &mut Self::Outlook, budget: &mut Budget<'_>) -> Result<bool, Halt>;

    /// The state's image; `None` for states that are not worth keeping, in the middle of a turn say.
    ///
    /// # Errors
    /// If the budget is used up.
    fn image(
        &self,
        outlook: &mut Self::Outlook,
        budget: &mut Budget<'_>,
    ) -> Result<Option<Self::Image>, Halt>;

    /// Between which ends the worth of this state lies, as far as that is told without a search. Only for states that follow
    /// a position from which no line of play meets a chance node.
    ///
    /// # Errors
    /// If the budget is used up.
    fn range(&self, outlook: &mut Self::Outlook, budget: &mut Budget<'_>) -> Result<WorthRange, Halt>;
}
