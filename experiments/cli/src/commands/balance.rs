//! `azulejo balance`

use std::io::Write;
use std::num::NonZeroUsize;
use std::path::PathBuf;

use azulejo::GameSpec;
use azulejo_agents::AgentSpec;
use azulejo_experiments::balance::{
    BalanceError, BalanceStudy, RuleChanges, StudyStart, Sweep, UnchangedPlay,
};
use azulejo_experiments::rules_file::read_game;
use azulejo_experiments::run::Watch;
use azulejo_experiments::shard::Shard;
use clap::Args;

use super::blindness::warn_of_blindness;
use super::contention::warn_of_contention;
use super::directory::OutputDirectory;
use super::options::{players, thread_count, threads};
use super::progress::Progress;
use super::recording::invocation;
use super::sharding::play_part;
use super::signals::{STOP, stop_at_signals};
use super::tables::print_report;
use super::width::WidthOption;
use crate::output::{note, output};

/// Study how balanced games are: seats, course of the games, sources of points, strategies
///
/// For each variant and number of players the agents play with themselves at all seats, and the game's named
/// strategies play all against all. With --set or --rules every variant is also played with changed numbers,
/// and the differences are shown.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  azulejo balance --game azul --game azul:gray --players 2,3,4 --games 2000
  azulejo balance --game summer-pavilion --players 2 --agent greedy --agent mcts:sims=100 --games 400
  azulejo balance --game azul --players 2 --set column_bonus=10 --out results/columns-10
  azulejo balance --game azul --players 2 --agent mcts:rollout=greedy,sims=50 --sweep column_bonus=0..20:2
  azulejo balance --game azul --agent neural:sims=8 --even --games 1000
  azulejo balance --game azul --players 2 --set 'floor=[-1,-1,-1,-1,-1,-1,-1]' --set 'factories=[6,7,9]'")]
pub(super) struct BalanceArgs {
    /// A variant, may be given several times [default: all variants]
    #[arg(long = "game", value_name = "SPEC", value_parser = read_game)]
    games_specs: Vec<GameSpec>,
    /// Numbers of players [default: all that a game seats]
    #[arg(long, value_name = "N,…", value_delimiter = ',', value_parser = players)]
    players: Vec<usize>,
    /// An agent that plays with itself at all seats, may be given several times
    #[arg(long = "agent", value_name = "SPEC", default_value = "greedy")]
    agents: Vec<AgentSpec>,
    /// Games of each agent at each table, and about as many between the strategies
    #[arg(long, value_name = "N", default_value_t = 2000, value_parser = clap::value_parser!(u64).range(1..))]
    games: u64,
    /// The search whose goals are the strategies, such as neural:sims=100,goal_weight=20 [default: those of greedy]
    #[arg(long, value_name = "SPEC", conflicts_with_all = ["no_strategies", "sweep", "even"])]
    strategies_of: Option<AgentSpec>,
    /// Leave out the strategies
    #[arg(long)]
    no_strategies: bool,
    /// A number of the rules and what it is changed to, may be given several times: column_bonus=10
    #[arg(long, value_name = "KEY=VALUE", conflicts_with = "rules")]
    set: Vec<String>,
    /// A number of the rules that takes one value after the other: column_bonus=0..20:2, last_round=4,5,6, or, with a K in a list,
    /// 'handicap=[0,K,0,0] for K=0..8'; without the strategies
    #[arg(long, value_name = "KEY=VALUES", conflicts_with_all = ["rules", "set"])]
    sweep: Option<Sweep>,
    /// A TOML file with the numbers of the rules that are changed
    #[arg(long, value_name = "FILE")]
    rules: Option<PathBuf>,
    /// Find the handicap in points that makes the seats of two players even, by bisection over whole points; without the
    /// strategies
    #[arg(long, conflicts_with_all = ["rules", "set", "sweep", "shard"])]
    even: bool,
    /// Play changed rules even where no agent sees any of the changed numbers: its games are those of the usual rules,
    /// only counted anew
    #[arg(long)]
    count_anew: bool,
    /// The master seed: the same seed gives the same games
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    /// Games that run at once; the results depend on it only where agents think for a time [default: all cores]
    #[arg(long, value_name = "T", value_parser = thread_count)]
    threads: Option<NonZeroUsize>,
    /// The directory for the results, which must be empty or new [default: results/balance/<time>]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Play only part I of N of the games of every run, as a process of many, and put it into shards/ in the run's directory; the
    /// same command with --resume in place of --shard puts all parts together and plays what is missing
    #[arg(long, value_name = "I/N", requires = "out", conflicts_with = "resume")]
    shard: Option<Shard>,
    /// Go on with the study in --out
    #[arg(long, requires = "out")]
    resume: bool,
    /// Print nothing but errors
    #[arg(long)]
    quiet: bool,
    #[command(flatten)]
    width: WidthOption,
}

impl BalanceArgs {
    pub(super) fn run(self) -> anyhow::Result<()> {
        let place = OutputDirectory::named_or_new(self.out.as_deref(), "balance")?;
        let out = place.path();
        let study = self.study();
        let start = match (self.shard, self.resume) {
            (Some(_), _) => StudyStart::Part,
            (None, true) => StudyStart::Resume,
            (None, false) => StudyStart::New,
        };
        let open = if self.even { study.open_even(out, start) } else { study.open(out, start) };
        let open = open.map_err(BalanceArgs::failure)?;
        if !self.quiet {
            warn_of_contention(&self.agents, threads(self.threads));
            warn_of_blindness(open.agent_knowledge());
        }
        stop_at_signals()?;
        let (threads, invocation) = (threads(self.threads), invocation());
        if let Some(shard) = self.shard {
            return open.for_each_run(threads, &invocation, |run| play_part(run, shard, self.quiet));
        }
        let mut watchers = |games| Box::new(Progress::new(games, self.quiet)) as Box<dyn Watch>;
        let findings = match self.even {
            true => open.play_even(threads, &invocation, &STOP, &mut watchers),
            false => open.play(threads, &invocation, &STOP, &mut watchers),
        };
        let findings = findings.map_err(BalanceArgs::failure)?;
        for warning in findings.unchanged.iter().filter_map(UnchangedPlay::warning) {
            note(format!("warning: {warning}"));
        }
        if !self.quiet {
            let mut output = output();
            print_report(&mut output, &findings.report(), self.width.columns())?;
            writeln!(output, "\nwritten to {}", out.display())?;
        }
        Ok(())
    }

    fn study(&self) -> BalanceStudy {
        let set = (!self.set.is_empty()).then(|| RuleChanges::Set(self.set.clone()));
        let sweep = self.sweep.clone().map(RuleChanges::Sweep);
        BalanceStudy {
            variants: self.games_specs.clone(),
            players: if self.even && self.players.is_empty() { vec![2] } else { self.players.clone() },
            agents: self.agents.clone(),
            games: self.games,
            strategies: !self.no_strategies && !self.even,
            strategies_of: self.strategies_of.clone(),
            changes: set.or(sweep).or_else(|| self.rules.clone().map(RuleChanges::File)),
            count_anew: self.count_anew,
            seed: self.seed,
        }
    }

    /// The error as the exit status knows it.
    fn failure(error: BalanceError) -> anyhow::Error {
        match error {
            BalanceError::Schedule(error) => error.into(),
            BalanceError::Forfeited(error) => error.into(),
            error => error.into(),
        }
    }
}
