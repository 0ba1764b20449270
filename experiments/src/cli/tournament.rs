//! `azulejo tournament`

use std::path::{Path, PathBuf};

use anyhow::Context;
use azulejo_agents::AgentSpec;
use azulejo_agents::settings::read_settings;
use azulejo_experiments::config::TournamentConfig;
use azulejo_experiments::manifest::Command;
use azulejo_experiments::plan::{Pairing, position};
use azulejo_experiments::stats::SprtSettings;
use azulejo_experiments::{Plan, PlanError};
use clap::Args;

use super::options::{RunOptions, TableOptions};
use super::recording::{Extras, record};

/// Let agents play all pairings with rotated seats on the same deals, and rate them
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  azulejo tournament --game azul --players 2 --games 400 --seed 1 random greedy
  azulejo tournament --players 3 --gauntlet greedy --anchor random random greedy
  azulejo tournament --games 20000 --sprt elo0=0,elo1=20 mcts:sims=400 mcts:sims=200
  azulejo tournament --config experiments/configs/ratings-azul-2.toml --out results/ratings/azul-2")]
pub(super) struct Tournament {
    /// The agents, at least two
    #[arg(value_name = "AGENT", required_unless_present = "config")]
    agents: Vec<AgentSpec>,
    /// A TOML file that says what is played, in place of agents and options: keys game, players, games, seed, agents,
    /// gauntlet, anchor, sprt
    #[arg(long, value_name = "FILE", conflicts_with_all = ["agents", "game", "players", "games", "seed", "gauntlet", "anchor", "sprt"])]
    config: Option<PathBuf>,
    #[command(flatten)]
    table: TableOptions,
    /// The number of games of each pairing, rounded up to whole blocks of one game for each rotation
    #[arg(long, value_name = "N", default_value_t = 100)]
    games: u64,
    /// Pair only this one of the agents with each other one
    #[arg(long, value_name = "AGENT")]
    gauntlet: Option<AgentSpec>,
    /// The one of the agents whose rating is 0 [default: the mean of all is 0]
    #[arg(long, value_name = "AGENT")]
    anchor: Option<AgentSpec>,
    /// Stop as soon as a sequential test of the first of two agents against the second is decided:
    /// elo0=0,elo1=20[,alpha=0.05,beta=0.05], or nelo0 and nelo1 for normalized Elo. With more than 2 players copies of
    /// the second take all other seats; --games is the most that is played
    #[arg(long, value_name = "TEST", conflicts_with = "gauntlet")]
    sprt: Option<SprtSettings>,
    #[command(flatten)]
    run: RunOptions,
}

fn read_config(file: &Path) -> anyhow::Result<TournamentConfig> {
    let read = || TournamentConfig::read(&read_settings(file)?).map_err(anyhow::Error::msg);
    read().with_context(|| file.display().to_string())
}

impl Tournament {
    pub(super) fn run(self) -> anyhow::Result<()> {
        let options = self.run;
        let TournamentConfig { game, players, games, seed, agents, gauntlet, anchor, sprt } =
            match &self.config {
                Some(file) => read_config(file)?,
                None => TournamentConfig {
                    game: self.table.game,
                    players: self.table.players,
                    games: self.games,
                    seed: options.seed,
                    agents: self.agents,
                    gauntlet: self.gauntlet,
                    anchor: self.anchor,
                    sprt: self.sprt,
                },
            };
        let pairing = match (&gauntlet, &sprt, &agents[..]) {
            (_, Some(_), [tested, _]) => Pairing::Gauntlet(tested),
            (_, Some(_), _) => return Err(PlanError::NoDuel { agents: agents.len() }.into()),
            (Some(one), None, _) => Pairing::Gauntlet(one),
            (None, None, _) => Pairing::All,
        };
        let plan = Plan::tournament((game, players), &agents, games, seed, pairing)?;
        if let Some(anchor) = &anchor {
            position("anchor", anchor, &agents)?;
        }
        let extras = Extras { gauntlet: gauntlet.as_ref(), anchor: anchor.as_ref(), sprt: sprt.as_ref() };
        record(Command::Tournament, plan, &options, extras)
    }
}
