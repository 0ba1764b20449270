//! What decides a stage's games: [`StageManifest`].

use azulejo_agents::neural::Network;
use azulejo_agents::settings::parse_settings;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::Training;
use super::config::{TrainConfig, VERSION};
use super::stage::Stage;
use crate::manifest::{Provenance, check_play_version};

/// What decides the games of a stage, as a process that played some of them knew it: the manifest of a shard.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct StageManifest {
    /// The generation; 0 for the teacher's games.
    generation: u64,
    /// Who plays; absent where the teacher does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    network: Option<StageNetwork>,
    /// The run's configuration, with version and provenance.
    run: TrainConfig,
}

/// The network that plays a stage's games.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct StageNetwork {
    /// The SHA-256 hash of its weights, each with its lowest byte first, in hexadecimal digits.
    weights: String,
    /// What works it out. Another backend rounds otherwise and so plays other games.
    backend: String,
}

impl StageManifest {
    /// That of a stage in which this network plays, unless a teacher does.
    pub(super) fn new(
        training: &Training<'_>,
        stage: Stage<'_>,
        network: &Network,
        provenance: &Provenance,
    ) -> Self {
        let (version, provenance) = (Some(VERSION), Some(provenance.clone()));
        let network = stage.teacher().is_none().then(|| StageNetwork {
            weights: hash(network.weights()),
            backend: training.backend.to_string(),
        });
        let run = TrainConfig { version, provenance, ..training.config.clone() };
        StageManifest { generation: stage.generation(), network, run }
    }

    /// The manifest as TOML text.
    pub(super) fn to_toml(&self) -> String {
        toml::to_string(self).expect("a configuration has only plain values, and its tables come last")
    }

    /// Checks that a part with the manifest in this text has games of this stage.
    ///
    /// # Errors
    /// What differs, or what is wrong with the text.
    pub(super) fn check_same(&self, text: &str) -> Result<(), String> {
        let found: Self = parse_settings(text)?;
        found.run.check()?;
        self.run.check_same(&found.run).map_err(|difference| difference.to_string())?;
        let played_by = found.run.provenance.as_ref();
        check_play_version(played_by).map_err(|problem| problem.to_string())?;
        let files = self.run.provenance.as_ref().zip(played_by).map(|(now, before)| now.check_files(before));
        files.unwrap_or(Ok(())).map_err(|problem| problem.to_string())?;
        if found.generation != self.generation {
            return Err(format!("generation was {}, now {}", found.generation, self.generation));
        }
        self.check_network(&found)
    }

    fn check_network(&self, found: &Self) -> Result<(), String> {
        match (&found.network, &self.network) {
            (found, now) if found == now => Ok(()),
            (Some(StageNetwork { backend, .. }), Some(now)) if *backend != now.backend => {
                Err(format!("played with the backend {backend}, now {}", now.backend))
            }
            (found, now) => {
                let brief = |network: &Option<StageNetwork>| {
                    let weights = network.as_ref().map_or("absent", |network| &network.weights);
                    weights.chars().take(12).collect::<String>()
                };
                Err(format!(
                    "played by another network than the checkpoint's: SHA-256 of the weights was {}…, now {}…",
                    brief(found),
                    brief(now)
                ))
            }
        }
    }
}

/// The SHA-256 hash of numbers, in hexadecimal digits.
fn hash(numbers: &[f32]) -> String {
    let mut hasher = Sha256::new();
    numbers.iter().for_each(|number| hasher.update(number.to_le_bytes()));
    hasher.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}
