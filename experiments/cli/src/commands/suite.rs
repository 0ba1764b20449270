//! `azulejo suite`

use std::io::{IsTerminal, Write, stderr};
use std::num::NonZeroUsize;

use azulejo_agents::AgentSpec;
use azulejo_experiments::report::Table;
use azulejo_experiments::stats::Estimate;
use azulejo_experiments::suite::{Suite, SuiteLosses, SuiteScore, Tier};
use azulejo_experiments::thread_pool;
use clap::builder::PossibleValuesParser;
use clap::{Args, ValueEnum};
use indicatif::ProgressBar;
use serde::Serialize;

use super::options::{thread_count, threads};
use super::signals::end_at_signals;
use super::tables;
use super::width::WidthOption;
use crate::output::output;

/// Say what an agent loses in positions of which it is known what every action is worth
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  azulejo suite greedy
  azulejo suite --game azul --json mcts:sims=1000
  azulejo suite --tier round-before neural:sims=400

The positions are from the last rounds of games for two and come with the program. Of each game are told: the share of positions in
which the agent chooses an action with the best lead, the points of lead and the share of the win that it loses in the mean, and
the share of positions in which it throws a win or a draw away, where results are certain.")]
pub(super) struct SuiteArgs {
    /// The agent
    #[arg(value_name = "AGENT")]
    agent: AgentSpec,
    /// Only the positions of this game [default: those of all games]
    #[arg(long, value_name = "ID", value_parser = PossibleValuesParser::new(Suite::GAMES))]
    game: Option<String>,
    /// Which positions
    #[arg(long, value_name = "TIER", value_enum, default_value_t = TierOption::Ends)]
    tier: TierOption,
    /// Positions that are played at once; what comes out depends on it only where the agent thinks for a time [default: all cores]
    #[arg(long, value_name = "T", value_parser = thread_count)]
    threads: Option<NonZeroUsize>,
    /// Print JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    width: WidthOption,
}

/// Which positions an agent chooses in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Serialize)]
#[serde(rename_all = "kebab-case")]
enum TierOption {
    /// Ends of games in which no chance is left, solved exactly
    Ends,
    /// Positions of the round before the last one, every action played to the end 64 times
    RoundBefore,
}

impl From<TierOption> for Tier {
    fn from(option: TierOption) -> Tier {
        match option {
            TierOption::Ends => Tier::Ends,
            TierOption::RoundBefore => Tier::RoundBefore,
        }
    }
}

/// What is printed with `--json`.
#[derive(Debug, Serialize)]
struct SuiteReport {
    tier: TierOption,
    #[serde(flatten)]
    all: SuiteScore,
    /// The score in each game by itself.
    games: Vec<GameScore>,
}

#[derive(Debug, Serialize)]
struct GameScore {
    game: String,
    #[serde(flatten)]
    score: SuiteScore,
}

impl SuiteArgs {
    pub(super) fn run(self) -> anyhow::Result<()> {
        end_at_signals()?;
        let report = self.report()?;
        if self.json {
            return Ok(writeln!(output(), "{}", serde_json::to_string(&report)?)?);
        }
        let mut out = output();
        writeln!(out, "{}", report.all.agent)?;
        writeln!(out)?;
        Ok(tables::print(&mut out, &report.table(), self.width.columns())?)
    }

    /// Lets the agent choose in all positions.
    fn report(&self) -> anyhow::Result<SuiteReport> {
        let ids = self.game.as_deref().map_or(Suite::GAMES.to_vec(), |game| vec![game]);
        let suites: Vec<Suite> = ids.into_iter().filter_map(|id| Suite::of(id, self.tier.into())).collect();
        let pool = thread_pool(threads(self.threads))?;
        let positions = suites.iter().map(|suite| suite.positions.len() as u64).sum();
        let bar = if stderr().is_terminal() { ProgressBar::new(positions) } else { ProgressBar::hidden() };
        let (mut losses, mut games) = (Vec::new(), Vec::new());
        for suite in suites {
            let lost = SuiteLosses::of(&suite, &self.agent, &pool, &|| bar.inc(1))?;
            let score = SuiteLosses::score(&self.agent, std::slice::from_ref(&lost));
            games.push(GameScore { game: suite.game.to_owned(), score });
            losses.push(lost);
        }
        bar.finish_and_clear();
        Ok(SuiteReport { tier: self.tier, all: SuiteLosses::score(&self.agent, &losses), games })
    }
}

impl SuiteReport {
    fn table(&self) -> Table {
        let mut rows: Vec<(&str, &SuiteScore)> =
            self.games.iter().map(|game| (game.game.as_str(), &game.score)).collect();
        if rows.len() > 1 {
            rows.push(("all", &self.all));
        }
        let table = Table::of(&rows)
            .text("game", |row| row.0.to_owned())
            .number("positions", |row| row.1.positions.to_string())
            .number("optimal %", |row| show(row.1.optimal, 100.0, 1))
            .number("points lost", |row| show(row.1.points_lost, 1.0, 2))
            .number("win lost %", |row| show(row.1.win_lost, 100.0, 2));
        match self.tier {
            TierOption::Ends => {
                table.number("thrown away %", |row| show(row.1.thrown_away, 100.0, 1)).build()
            }
            TierOption::RoundBefore => table.build(),
        }
    }
}

/// An estimate with the ends of its interval.
fn show(estimate: Option<Estimate>, factor: f64, digits: usize) -> String {
    let Some(estimate) = estimate.map(|it| it.scaled(factor)) else { return "-".to_owned() };
    let value = format!("{:.digits$}", estimate.value);
    match estimate.interval {
        Some(interval) => format!("{value} [{:.digits$}, {:.digits$}]", interval.low, interval.high),
        None => value,
    }
}
