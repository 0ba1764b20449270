//! What a game needs beyond its rules to be played by all agents.

use azulejo::Encode;

use crate::builder::AgentFactory;
use crate::heuristic::{Heuristic, StateValue};
use crate::registry::AgentSpec;
use crate::rung::Ladder;
use crate::shipped::ShippedNet;

/// A game as agents see it: with a [`Heuristic`], a [`StateValue`] and an encoding for networks, its own or
/// those that [`fill_in!`](crate::fill_in) puts in their place.
pub trait Playable: Heuristic + StateValue + Encode {
    /// The network that comes with the agents, for all variants and numbers of players; `None` if there is
    /// none.
    const NET: Option<ShippedNet>;

    /// The bots of graded strength; `None` if nobody has measured any.
    const LADDER: Option<Ladder> = None;

    /// The agent of a spec, for this game. Every game has this method from [`own_agents!`](crate::own_agents).
    fn factory(spec: &AgentSpec) -> &dyn AgentFactory<Self>;
}

/// The method [`Playable::factory`] of a game. It is no default of the trait, so that agents are compiled
/// once for a game, in the crate that has the game's `impl Playable`, and not in every crate that builds one.
#[macro_export]
macro_rules! own_agents {
    () => {
        #[inline(never)]
        fn factory(spec: &$crate::AgentSpec) -> &dyn $crate::AgentFactory<Self> {
            spec.factory()
        }
    };
}
