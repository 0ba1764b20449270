//! What agents know of a game beyond its rules.

use azulejo::Encode;

use crate::heuristic::{Heuristic, StateValue};
use crate::rung::Ladder;
use crate::shipped::ShippedNet;
use crate::solve::Endgame;

/// A game as agents see it: with a [`Heuristic`], a [`StateValue`], an [`Endgame`] and an encoding for networks, its own or
/// those that [`fill_in!`](crate::fill_in) puts in their place.
pub trait GameKnowledge: Heuristic + StateValue + Encode + Endgame {
    /// The network that comes with the agents, for all variants and numbers of players; `None` if there is
    /// none.
    const NET: Option<ShippedNet>;

    /// The bots of graded strength; `None` if nobody has measured any.
    const LADDER: Option<Ladder> = None;
}
