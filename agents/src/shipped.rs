//! Networks that come with the agents, and how they are searched with where parameters do not say: [`ShippedNet`].

use crate::evaluator::RolloutKind;
use crate::parameters::keyword_enum;

keyword_enum! {
    /// What the network judges where a leaf is played on.
    LookKind {
        /// The leaf, while the game's own value or end is that of the rollout's end.
        Leaf = "leaf",
        /// The next chance node, up to which the greedy agent's actions are played.
        End = "end",
    }
}

/// How the agent searches with a network where its parameters do not say.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NetSettings {
    /// PUCT's weight of exploration.
    pub c: f32,
    /// How much worse than its parent an untried child is taken to be.
    pub fpu: f32,
    /// The weight of the lead in points in the utility, 0 to 1.
    pub margin: f32,
    /// How a leaf is judged.
    pub rollout: RolloutKind,
    /// What the network judges where a leaf is played on.
    pub look: LookKind,
    /// The weight of the game's own value beside the network's, 0 to 1.
    pub hand: f32,
}

impl NetSettings {
    /// What suits a network that has learned to judge states.
    pub const DEFAULT: NetSettings = NetSettings {
        c: 1.5,
        fpu: 0.1,
        margin: 0.5,
        rollout: RolloutKind::Round,
        look: LookKind::End,
        hand: 0.0,
    };
}

/// A network that comes with the agents, and how it plays best.
#[derive(Clone, Copy, Debug)]
pub struct ShippedNet {
    /// The bytes of its weights file.
    pub weights: &'static [u8],
    /// The bytes of the weights file of the critic that goes with it, if there is one.
    pub critic: Option<&'static [u8]>,
    /// How the agent searches with it.
    pub settings: NetSettings,
}
