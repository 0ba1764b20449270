//! Networks that come with the agents, and how networks are searched with where parameters do not say: [`ShippedNet`],
//! [`NetSettings`].

use std::path::Path;

use azulejo::excerpt;
use serde::{Deserialize, Serialize};

use crate::evaluator::RolloutKind;
use crate::parameters::keyword_enum;

keyword_enum! {
    /// What the network evaluates where a leaf is played on.
    EvaluatedState {
        /// The leaf, while the game's own value or end is that of the rollout's end.
        Leaf = "leaf",
        /// The next chance node, up to which the greedy agent's actions are played.
        End = "end",
    }
}

/// How a network was tuned to be searched with, where parameters do not say: it stands in the metadata of its weights file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct NetSettings {
    /// PUCT's weight of exploration, not negative.
    pub c: f32,
    /// How much worse than its parent an untried child is taken to be, not negative.
    pub fpu: f32,
    /// The temperature of the prior, above 0: the network's policy to the power of 1 / `prior`.
    pub prior: f32,
    /// The weight of the lead in points in the utility, 0 to 1.
    pub margin: f32,
    /// How a leaf is judged.
    pub rollout: RolloutKind,
    /// What the network evaluates where a leaf is played on; `look` in former versions.
    #[serde(alias = "look")]
    pub evaluate: EvaluatedState,
    /// The weight of the game's own value beside the network's, 0 to 1; `hand` in former versions.
    #[serde(alias = "hand")]
    pub heuristic: f32,
    /// The weight in the game's own value of the end of a game that the greedy agent plays on, 0 to 1.
    pub playout: f32,
    /// The name of the weights file of the critic that goes with it, which lies beside the network's; `None` if it is
    /// searched with without one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub critic: Option<String>,
}

/// What suits a network that has learned to judge states: its file says nothing else.
impl Default for NetSettings {
    fn default() -> Self {
        NetSettings {
            c: 1.5,
            fpu: 0.1,
            prior: 1.0,
            margin: 0.5,
            rollout: RolloutKind::Round,
            evaluate: EvaluatedState::End,
            heuristic: 0.0,
            playout: 0.0,
            critic: None,
        }
    }
}

impl NetSettings {
    /// Whether a search can use them.
    ///
    /// # Errors
    /// The key whose value cannot be used, the value, and what was expected.
    pub(crate) fn check(&self) -> Result<(), String> {
        for (key, number, most) in [
            ("c", self.c, f32::MAX),
            ("fpu", self.fpu, f32::MAX),
            ("margin", self.margin, 1.0),
            ("heuristic", self.heuristic, 1.0),
            ("playout", self.playout, 1.0),
        ] {
            if !(0.0..=most).contains(&number) {
                let expected = if most == 1.0 { "0 to 1" } else { "a number that is not negative" };
                return Err(format!("{key}: found {number}, expected {expected}"));
            }
        }
        if !(self.prior > 0.0 && self.prior.is_finite()) {
            return Err(format!("prior: found {}, expected a number above 0", self.prior));
        }
        match &self.critic {
            Some(name) if Path::new(name).file_name() != Some(name.as_ref()) => {
                Err(format!("critic: found '{}', expected the name of a file beside this one", excerpt(name)))
            }
            _ => Ok(()),
        }
    }
}

/// A network that comes with the agents.
#[derive(Clone, Copy, Debug)]
pub struct ShippedNet {
    /// The bytes of its weights file.
    pub weights: &'static [u8],
    /// The bytes of the weights file of the critic that its settings name, if they name one.
    pub critic: Option<&'static [u8]>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_that_no_search_can_use_are_refused() {
        let settings = NetSettings::default;
        assert_eq!(settings().check(), Ok(()));
        let refused = |settings: NetSettings| settings.check().unwrap_err();
        assert_eq!(
            refused(NetSettings { heuristic: 2.0, ..settings() }),
            "heuristic: found 2, expected 0 to 1"
        );
        assert_eq!(
            refused(NetSettings { c: f32::INFINITY, ..settings() }),
            "c: found inf, expected a number that is not negative"
        );
        assert!(refused(NetSettings { fpu: -0.5, ..settings() }).starts_with("fpu: found -0.5"));
        assert_eq!(
            refused(NetSettings { prior: 0.0, ..settings() }),
            "prior: found 0, expected a number above 0"
        );
        assert!(refused(NetSettings { margin: f32::NAN, ..settings() }).starts_with("margin: found NaN"));
        for name in ["../critic.safetensors", "/etc/passwd", "a/b", "", ".."] {
            let refused = refused(NetSettings { critic: Some(name.to_owned()), ..settings() });
            assert!(refused.ends_with("expected the name of a file beside this one"), "{refused}");
        }
        let critic = Some("critic.safetensors".to_owned());
        assert_eq!(NetSettings { critic, ..settings() }.check(), Ok(()));
    }
}
