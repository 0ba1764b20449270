//! `azulejo tournament`

use azulejo_agents::AgentSpec;
use azulejo_experiments::Plan;
use azulejo_experiments::manifest::Command;
use azulejo_experiments::plan::{Pairing, position};
use clap::Args;

use super::options::{RunOptions, TableOptions};
use super::recording::record;

/// Let agents play all pairings with rotated seats on the same deals, and rate them
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  azulejo tournament --game azul --players 2 --games 400 --seed 1 random greedy
  azulejo tournament --players 3 --gauntlet greedy --anchor random random greedy")]
pub(super) struct Tournament {
    /// The agents, at least two
    #[arg(value_name = "AGENT", required = true)]
    agents: Vec<AgentSpec>,
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
    #[command(flatten)]
    run: RunOptions,
}

impl Tournament {
    pub(super) fn run(self) -> anyhow::Result<()> {
        let table = (self.table.game, self.table.players);
        let pairing = self.gauntlet.as_ref().map_or(Pairing::All, Pairing::Gauntlet);
        let plan = Plan::tournament(table, &self.agents, self.games, self.run.seed, pairing)?;
        if let Some(anchor) = &self.anchor {
            position("anchor", anchor, &self.agents)?;
        }
        record(Command::Tournament, plan, &self.run, self.gauntlet.as_ref(), self.anchor.as_ref())
    }
}
