//! Files that say what a tournament plays: [`TournamentConfig`].

use azulejo::{GameSpec, check_players};
use azulejo_agents::AgentSpec;
use azulejo_agents::settings::parse_settings;
use serde::{Deserialize, Deserializer};

use crate::rules_file::read_game;
use crate::stats::SprtSettings;

/// A tournament as a TOML file describes it. The keys are the names of the command's options.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TournamentConfig {
    /// The game.
    #[serde(deserialize_with = "game")]
    pub game: GameSpec,
    /// The number of players.
    #[serde(deserialize_with = "seats")]
    pub players: usize,
    /// The number of games of each pairing.
    pub games: u64,
    /// The master seed.
    pub seed: u64,
    /// The agents.
    #[serde(deserialize_with = "specs")]
    pub agents: Vec<AgentSpec>,
    /// The only one of the agents that plays each other one; all play all if absent.
    #[serde(default, deserialize_with = "maybe_spec")]
    pub gauntlet: Option<AgentSpec>,
    /// The one of the agents whose rating is 0; the mean of all is 0 if absent.
    #[serde(default, deserialize_with = "maybe_spec")]
    pub anchor: Option<AgentSpec>,
    /// The sequential test of the first agent against the second that ends the tournament.
    #[serde(default, deserialize_with = "maybe_spec")]
    pub sprt: Option<SprtSettings>,
}

impl TournamentConfig {
    /// Reads the file's text.
    ///
    /// # Errors
    /// The first key or value that cannot be used, with its line.
    pub fn read(text: &str) -> Result<Self, String> {
        parse_settings(text)
    }
}

fn game<'de, D: Deserializer<'de>>(from: D) -> Result<GameSpec, D::Error> {
    read_game(&String::deserialize(from)?).map_err(serde::de::Error::custom)
}

fn spec<'de, D: Deserializer<'de>, S: std::str::FromStr<Err: std::fmt::Display>>(
    from: D,
) -> Result<S, D::Error> {
    String::deserialize(from)?.parse().map_err(serde::de::Error::custom)
}

fn maybe_spec<'de, D: Deserializer<'de>, S: std::str::FromStr<Err: std::fmt::Display>>(
    from: D,
) -> Result<Option<S>, D::Error> {
    spec(from).map(Some)
}

fn specs<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<AgentSpec>, D::Error> {
    let texts = Vec::<String>::deserialize(from)?;
    texts.iter().map(|text| text.parse().map_err(serde::de::Error::custom)).collect()
}

fn seats<'de, D: Deserializer<'de>>(from: D) -> Result<usize, D::Error> {
    check_players(usize::deserialize(from)?).map_err(serde::de::Error::custom)
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str =
        "game = 'azul:gray'\nplayers = 3\ngames = 30\nseed = 7\nagents = ['random', 'mcts:sims=5']\n";

    #[test]
    fn a_config_is_read() {
        let config = TournamentConfig::read(&format!("{TEXT}anchor = 'random'\n")).unwrap();
        assert_eq!((config.game.to_string().as_str(), config.players, config.games), ("azul:gray", 3, 30));
        let agents: Vec<String> = config.agents.iter().map(ToString::to_string).collect();
        assert_eq!(agents, ["random", "mcts:sims=5"]);
        assert_eq!((config.gauntlet, config.anchor), (None, Some(config.agents[0].clone())));
    }

    #[test]
    fn faults_are_named_with_their_lines() {
        let message = |from: &str, to: &str| TournamentConfig::read(&TEXT.replace(from, to)).unwrap_err();
        assert!(message("azul:gray", "azul:grey").starts_with("line 1: game: unknown option 'grey' of azul"));
        assert!(message("players = 3", "players = 5").starts_with("line 2: players: 5 players"));
        assert!(message("mcts", "mctz").starts_with("line 5: agents: unknown agent 'mctz'"));
        assert!(message("seed", "sead").starts_with("line 4: sead: unknown field `sead`"));
        assert!(message("seed = 7\n", "").contains("missing field `seed`"));
    }
}
