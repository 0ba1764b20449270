//! What a game needs beyond its rules to be played by all agents.

use azulejo::azul::Azul;
use azulejo::queens_garden::QueensGarden;
use azulejo::summer_pavilion::SummerPavilion;
use azulejo::{Encode, GameSpec};

use crate::evaluator::RolloutKind;
use crate::heuristic::{Heuristic, StateValue};
use crate::neural::{LookKind, NetSettings, ShippedNet};

/// A game that every agent can play: one with a [`Heuristic`], a [`StateValue`] and an encoding for networks.
pub trait Playable: Heuristic + StateValue + Encode {
    /// The network that comes with the agents, for all variants and numbers of players; `None` if there is none.
    const NET: Option<ShippedNet>;
}

impl Playable for Azul {
    const NET: Option<ShippedNet> = Some(ShippedNet {
        weights: include_bytes!("../nets/azul.safetensors"),
        critic: None,
        settings: NetSettings { c: 0.9, look: LookKind::Leaf, hand: 0.5, ..NetSettings::DEFAULT },
    });
}

impl Playable for SummerPavilion {
    const NET: Option<ShippedNet> = Some(ShippedNet {
        weights: include_bytes!("../nets/summer-pavilion.safetensors"),
        critic: None,
        settings: NetSettings { rollout: RolloutKind::Greedy, ..NetSettings::DEFAULT },
    });
}

impl Playable for QueensGarden {
    const NET: Option<ShippedNet> = Some(ShippedNet {
        weights: include_bytes!("../nets/queens-garden.safetensors"),
        critic: Some(include_bytes!("../nets/queens-garden-critic.safetensors")),
        settings: NetSettings { c: 1.1, fpu: 0.0, margin: 0.8, hand: 1.0, ..NetSettings::DEFAULT },
    });
}

#[cfg(test)]
impl Playable for crate::toy::Toy {
    const NET: Option<ShippedNet> = None;
}

/// Something that can be done with any playable game that a [`GameSpec`] names at run time.
pub trait PlayableVisitor {
    /// What the visit gives.
    type Output;

    /// Called with the game that the spec names.
    fn visit<G: Playable>(self, rules: &'static G::Rules) -> Self::Output;
}

macro_rules! playables {
    ($($name:ident => $game:ty,)+) => {
        /// Calls the visitor with the type and the rules of the game that the spec names.
        pub fn visit_playable<V: PlayableVisitor>(game: GameSpec, visitor: V) -> V::Output {
            match game {
                $(GameSpec::$name(rules) => visitor.visit::<$game>(rules),)+
            }
        }
    };
}

azulejo::for_each_game!(playables);
