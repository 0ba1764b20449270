//! `azulejo tournament`

use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use azulejo_agents::AgentSpec;
use azulejo_agents::settings::read_settings;
use azulejo_experiments::manifest::Command;
use azulejo_experiments::stats::SprtSettings;
use azulejo_experiments::study::{Study, StudyRun};
use clap::Args;

use super::engine_names::with_engine_names;
use super::options::{RunOptions, TableOptions};
use super::recording::{Extras, record};
use super::signals::stop_at_signals;
use crate::output::output;

/// Let agents play all pairings with rotated seats on the same deals, and rate them
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  azulejo tournament --game azul --players 2 --games 400 --seed 1 random greedy
  azulejo tournament --players 3 --gauntlet greedy --anchor random random greedy
  azulejo tournament --games 20000 --sprt elo0=0,elo1=20 mcts:sims=400 mcts:sims=200
  azulejo tournament --config experiments/configs/ratings.toml --run azul-2 --out results/ratings")]
pub(super) struct TournamentArgs {
    /// The agents, at least two
    #[arg(value_name = "AGENT", required_unless_present = "config")]
    agents: Vec<AgentSpec>,
    /// A TOML file that says what is played, in place of agents and options: keys game, players, games, seed,
    /// agents, gauntlet, neighbors, anchor, sprt; several tournaments in tables [runs.NAME], each with a directory NAME
    /// in --out
    #[arg(long, value_name = "FILE", conflicts_with_all = ["agents", "game", "players", "games", "seed", "gauntlet", "neighbors", "anchor", "sprt"])]
    config: Option<PathBuf>,
    /// Play only this run of the file, may be given several times [default: all runs]
    #[arg(long = "run", value_name = "NAME", requires = "config")]
    runs: Vec<String>,
    #[command(flatten)]
    table: TableOptions,
    /// The number of games of each pairing, rounded up to whole blocks of one game for each rotation
    #[arg(long, value_name = "N", default_value_t = 100)]
    games: u64,
    /// Pair only this one of the agents with each other one
    #[arg(long, value_name = "AGENT")]
    gauntlet: Option<AgentSpec>,
    /// Pair only agents that stand at most so many places apart in the list, which goes by strength
    #[arg(long, value_name = "PLACES", conflicts_with = "gauntlet")]
    neighbors: Option<usize>,
    /// The one of the agents whose rating is 0 [default: the mean of all is 0]
    #[arg(long, value_name = "AGENT")]
    anchor: Option<AgentSpec>,
    /// Stop as soon as a sequential test of the first of two agents against the second is decided:
    /// elo0=0,elo1=20[,alpha=0.05,beta=0.05], or nelo0 and nelo1 for normalized Elo. With more than 2 players
    /// copies of the second take all other seats; --games is the most that is played
    #[arg(long, value_name = "TEST", conflicts_with_all = ["gauntlet", "neighbors"])]
    sprt: Option<SprtSettings>,
    #[command(flatten)]
    run: RunOptions,
}

impl TournamentArgs {
    pub(super) fn run(self) -> anyhow::Result<()> {
        stop_at_signals()?;
        let Some(file) = &self.config else {
            let (run, options) = self.single();
            return play(&run, options.directory(Command::Tournament)?.path(), &options);
        };
        let read = || Study::read(&read_settings(file)?).map_err(anyhow::Error::msg);
        let study = read().with_context(|| file.display().to_string())?;
        let out = self.run.directory(Command::Tournament)?;
        for run in self.chosen(&study)? {
            if let Some(name) = run.name.as_ref().filter(|_| !self.run.quiet) {
                writeln!(output(), "\n{name}\n")?;
            }
            play(run, out.path(), &self.run)?;
        }
        Ok(())
    }

    /// The tournament that the arguments tell, without a file.
    fn single(self) -> (StudyRun, RunOptions) {
        let run = StudyRun {
            name: None,
            game: self.table.game,
            players: self.table.players,
            games: self.games,
            seed: self.run.seed,
            agents: self.agents,
            gauntlet: self.gauntlet,
            neighbors: self.neighbors,
            anchor: self.anchor,
            sprt: self.sprt,
        };
        (run, self.run)
    }

    /// The runs of a study that `--run` names, or all.
    fn chosen<'a>(&self, study: &'a Study) -> anyhow::Result<Vec<&'a StudyRun>> {
        let names: Vec<&str> = study.runs.iter().map(StudyRun::name).collect();
        if let Some(unknown) = self.runs.iter().find(|name| !names.contains(&name.as_str())) {
            bail!("--run: found '{unknown}', expected {}", names.join(", "));
        }
        let is_chosen =
            |run: &&StudyRun| self.runs.is_empty() || self.runs.iter().any(|name| name == run.name());
        Ok(study.runs.iter().filter(is_chosen).collect())
    }
}

/// The same tournament with the names that engines have of their own.
fn named(run: &StudyRun) -> StudyRun {
    let agents = with_engine_names(&run.agents).into_owned();
    let renamed = |spec: &AgentSpec| {
        let place = run.agents.iter().position(|agent| agent == spec);
        place.map_or_else(|| spec.clone(), |place| agents[place].clone())
    };
    let (gauntlet, anchor) = (run.gauntlet.as_ref().map(renamed), run.anchor.as_ref().map(renamed));
    StudyRun { agents, gauntlet, anchor, ..run.clone() }
}

/// Plays one tournament into the directory that `--out` names, or into one of its own name there.
fn play(run: &StudyRun, out: &Path, options: &RunOptions) -> anyhow::Result<()> {
    let run = &named(run);
    let directory = run.name.as_ref().map_or_else(|| out.to_owned(), |name| out.join(name));
    let extras = Extras {
        pairing: run.pairing()?,
        anchor: run.anchor.as_ref(),
        sprt: run.sprt.as_ref(),
        study: Some(out),
    };
    record(Command::Tournament, (run.game, run.schedule()?), &directory, options, extras)
}
