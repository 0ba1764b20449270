//! The manifest of a run: everything that is needed to play it again.

mod command_line;
mod provenance;

use std::fmt;

use azulejo::excerpt;
use azulejo_agents::AgentSpec;
use azulejo_agents::settings::parse_settings;
use serde::{Deserialize, Serialize};
use thiserror::Error;

pub use self::command_line::quoted;
pub use self::provenance::{PLAY_VERSION, Provenance, ProvenanceError, check_play_version};
use crate::record_file::Encoding;
use crate::schedule::{Analyses, Pairing, Rotation, Schedule};

/// A run's state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    /// All games were played, or all stages of a training run are done.
    Finished,
    /// Something is missing: the run still goes on, was stopped, or was killed.
    Interrupted,
}

/// The kinds of runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Command {
    /// Games between given agents.
    Selfplay,
    /// Pairings of many agents.
    Tournament,
}

impl fmt::Display for Command {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Command::Selfplay => "selfplay",
            Command::Tournament => "tournament",
        })
    }
}

/// The manifest of a run, as `manifest.toml` has it. It holds what decides the run and nothing of the machine
/// or of the time: see [`Invocation`](crate::Invocation).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    /// The kind of run.
    pub command: Command,
    /// The version of the program.
    pub version: String,
    /// Whether all games were played.
    pub status: Status,
    /// The game spec.
    pub game: String,
    /// The number of players.
    pub players: usize,
    /// The agents: for self-play one a seat, for a tournament each once.
    pub agents: Vec<String>,
    /// The master seed.
    pub seed: u64,
    /// Everything else.
    pub settings: RunSettings,
    /// What decides the games beside the settings. [`run`](crate::run::run) writes it; runs of former versions have none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub provenance: Option<Provenance>,
}

/// The settings of a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RunSettings {
    /// The number of games in all.
    pub games: u64,
    /// Whether the agents change seats within a block of games with the same deals.
    pub rotate: bool,
    /// The agent that plays against each other one; absent if all play with all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gauntlet: Option<String>,
    /// How many places apart in the list agents that meet may stand; absent if all play with all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub neighbors: Option<usize>,
    /// The agent whose rating is 0; absent if the mean is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub anchor: Option<String>,
    /// The test that ends the run once it is decided; absent if all games are played.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sprt: Option<String>,
    /// The number of moves after which a game is cut off.
    pub move_limit: usize,
    /// Whether the records are compressed.
    pub compress: bool,
    /// Whether the records keep what searches found.
    pub analysis: bool,
}

/// Two manifests that do not belong to the same run.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{key} was {before}, now {now}")]
pub struct SettingDifference {
    /// The first key that differs.
    pub key: String,
    /// Its value in the directory.
    pub before: String,
    /// Its value now.
    pub now: String,
}

impl Manifest {
    /// The manifest of a schedule that is about to be played.
    pub fn new(
        command: Command,
        schedule: &Schedule,
        encoding: Encoding,
        pairing: Pairing<'_>,
        anchor: Option<&AgentSpec>,
    ) -> Self {
        let agents = match command {
            Command::Selfplay => schedule.specs(&schedule.job(0)),
            Command::Tournament => schedule.agents.iter().map(ToString::to_string).collect(),
        };
        let (gauntlet, neighbors) = match pairing {
            Pairing::All => (None, None),
            Pairing::Gauntlet(agent) => (Some(agent.to_string()), None),
            Pairing::Neighbors(places) => (None, Some(places)),
        };
        Manifest {
            command,
            version: env!("CARGO_PKG_VERSION").to_owned(),
            status: Status::Interrupted,
            game: schedule.game.clone(),
            players: schedule.players,
            agents,
            seed: schedule.seed,
            settings: RunSettings {
                games: schedule.games,
                rotate: schedule.rotation == Rotation::Rotated,
                gauntlet,
                neighbors,
                anchor: anchor.map(ToString::to_string),
                sprt: None,
                move_limit: schedule.move_limit,
                compress: encoding == Encoding::Zstd,
                analysis: schedule.analyses == Analyses::Kept,
            },
            provenance: None,
        }
    }

    /// Reads the text of a `manifest.toml`.
    ///
    /// # Errors
    /// What is wrong, in one line, if it is none.
    pub fn read(text: &str) -> Result<Self, String> {
        let manifest: Manifest = parse_settings(text)?;
        check_texts(&manifest)?;
        Ok(manifest)
    }

    /// The manifest as TOML text.
    pub(crate) fn to_toml(&self) -> String {
        toml::to_string(self).expect("a manifest has only plain values, and its tables come last")
    }

    /// Checks that this run can go on with what a run with manifest `before` has written.
    ///
    /// # Errors
    /// The first setting that differs; status and provenance do not count, nor by which keys an agent's spec says the same.
    pub fn check_same(&self, before: &Manifest) -> Result<(), SettingDifference> {
        let keys = |manifest: &Manifest| -> toml::Table {
            toml::Table::try_from(manifest.with_printed_specs()).expect("a manifest has only plain values")
        };
        let (now, before) = (keys(self), keys(before));
        let (settings, settings_before) = (now["settings"].as_table(), before["settings"].as_table());
        let top = first_difference("", &now, &before, &["status", "settings", "provenance"]);
        let inner = settings.zip(settings_before);
        let inner = inner.and_then(|(now, before)| first_difference("settings.", now, before, &[]));
        top.or(inner).map_or(Ok(()), Err)
    }

    /// The same with agents' specs as this version prints them.
    fn with_printed_specs(&self) -> Self {
        let mut printed = self.clone();
        let settings = &mut printed.settings;
        let specs = printed.agents.iter_mut().chain(&mut settings.gauntlet).chain(&mut settings.anchor);
        specs.for_each(|spec| *spec = printed_spec(spec));
        printed
    }
}

/// An agent's spec as this version prints it: a former version may have used other keys. What is no spec
/// stays as it is.
pub(crate) fn printed_spec(text: &str) -> String {
    text.parse::<AgentSpec>().map_or_else(|_| text.to_owned(), |spec| spec.to_string())
}

/// Texts of a manifest come to the terminal and into reports.
fn check_texts(manifest: &Manifest) -> Result<(), String> {
    let settings = &manifest.settings;
    let others = [&settings.gauntlet, &settings.anchor, &settings.sprt].into_iter().flatten();
    let mut texts = [&manifest.game, &manifest.version].into_iter().chain(&manifest.agents).chain(others);
    let unfit = texts.find(|text| text.contains(char::is_control));
    unfit.map_or(Ok(()), |text| Err(format!("found control characters in '{}'", excerpt(text))))
}

/// The first key, in tables of tables by its whole path after `prefix`, whose values differ.
pub(crate) fn first_difference(
    prefix: &str,
    now: &toml::Table,
    before: &toml::Table,
    except: &[&str],
) -> Option<SettingDifference> {
    let show = |value: Option<&toml::Value>| value.map_or("absent".to_owned(), ToString::to_string);
    let mut keys = now.keys().chain(before.keys());
    let differs = |key: &&String| !except.contains(&key.as_str()) && now.get(*key) != before.get(*key);
    let key = keys.find(differs)?;
    let tables = now.get(key).and_then(toml::Value::as_table);
    if let Some((now, before)) = tables.zip(before.get(key).and_then(toml::Value::as_table)) {
        return first_difference(&format!("{prefix}{key}."), now, before, &[]);
    }
    Some(SettingDifference {
        key: format!("{prefix}{key}"),
        before: show(before.get(key)),
        now: show(now.get(key)),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn manifest(seed: u64, anchor: Option<&str>) -> Manifest {
        let agents: Vec<AgentSpec> = vec!["random".parse().unwrap(), "greedy".parse().unwrap()];
        let table = ("azul", 2);
        let schedule = Schedule::tournament(table, &agents, 10, seed, Pairing::All).unwrap();
        let anchor = anchor.map(|anchor| anchor.parse().unwrap());
        Manifest::new(Command::Tournament, &schedule, Encoding::Plain, Pairing::All, anchor.as_ref())
    }

    #[test]
    fn text_reads_back() {
        let manifest = manifest(7, Some("greedy"));
        assert_eq!(toml::from_str::<Manifest>(&manifest.to_toml()).unwrap(), manifest);
    }

    #[test]
    fn differences_are_named_and_the_status_is_none() {
        let one = manifest(1, None);
        let message = |other: &Manifest| one.check_same(other).unwrap_err().to_string();
        assert_eq!(message(&manifest(2, None)), "seed was 2, now 1");
        assert_eq!(message(&manifest(1, Some("greedy"))), "settings.anchor was \"greedy\", now absent");
        let finished = Manifest { status: Status::Finished, ..one.clone() };
        assert_eq!(one.check_same(&finished), Ok(()));
    }

    #[test]
    fn agents_are_compared_by_what_their_specs_say() {
        let agents = |spec: &str| Manifest { agents: vec![spec.to_owned()], ..manifest(1, Some(spec)) };
        let now = agents("neural:evaluate=leaf,heuristic=0.5");
        assert_eq!(now.check_same(&agents("neural:hand=0.5,look=leaf")), Ok(()));
        let message = now.check_same(&agents("neural:hand=0.7,look=leaf")).unwrap_err().to_string();
        assert!(
            message.starts_with("agents was [\"neural:evaluate=leaf,heuristic=0.7\"], now "),
            "{message}"
        );
    }
}
