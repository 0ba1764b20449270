//! What a game needs beyond its rules to be played by all agents.

use azulejo::Encode;

use crate::heuristic::{Heuristic, StateValue};
use crate::shipped::ShippedNet;

/// A game that every agent can play: one with a [`Heuristic`], a [`StateValue`] and an encoding for networks.
pub trait Playable: Heuristic + StateValue + Encode {
    /// The network that comes with the agents, for all variants and numbers of players; `None` if there is none.
    const NET: Option<ShippedNet>;
}
