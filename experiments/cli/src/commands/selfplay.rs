//! `azulejo selfplay`

use azulejo_agents::AgentSpec;
use azulejo_experiments::Schedule;
use azulejo_experiments::manifest::Command;
use azulejo_experiments::schedule::Rotation;
use clap::Args;

use super::engine_names::with_engine_names;
use super::options::{RunOptions, TableOptions};
use super::recording::{Extras, record};
use super::signals::stop_at_signals;

/// Play games between given agents and record them
#[derive(Debug, Args)]
#[command(
    after_help = "Example:\n  azulejo selfplay --game azul --players 2 --games 1000 --seed 1 greedy random"
)]
pub(super) struct SelfplayArgs {
    /// One agent for all seats, or one for each seat in order
    #[arg(value_name = "AGENT", required = true)]
    agents: Vec<AgentSpec>,
    #[command(flatten)]
    table: TableOptions,
    /// The number of games
    #[arg(long, value_name = "N", default_value_t = 100)]
    games: u64,
    /// Let the agents change seats: each row of games with all rotations shares its deals
    #[arg(long)]
    rotate: bool,
    #[command(flatten)]
    run: RunOptions,
}

impl SelfplayArgs {
    pub(super) fn run(self) -> anyhow::Result<()> {
        let (game, players) = self.table.checked()?;
        let rotation = if self.rotate { Rotation::Rotated } else { Rotation::Fixed };
        stop_at_signals()?;
        let agents = with_engine_names(&self.agents);
        let schedule = Schedule::selfplay((game, players), &agents, self.games, self.run.seed, rotation)?;
        record(
            Command::Selfplay,
            (game, schedule),
            self.run.directory(Command::Selfplay)?.path(),
            &self.run,
            Extras::default(),
        )
    }
}
