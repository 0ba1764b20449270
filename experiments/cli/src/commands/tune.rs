//! `azulejo tune`

use std::io::{IsTerminal, Write, stderr};
use std::path::PathBuf;

use anyhow::{Context, bail};
use azulejo::with_game;
use azulejo_agents::AgentSpec;
use azulejo_experiments::manifest::quoted;
use azulejo_experiments::report::Table;
use azulejo_experiments::report::cells::percent;
use azulejo_experiments::tune::{Check, Step, TuneSettings, TuneWatch, Tuning, TuningEnd};
use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};

use super::directory::OutputDirectory;
use super::options::{TableOptions, thread_count, threads};
use super::recording::invocation;
use super::signals::{STOP, stop_at_signals};
use super::tables::print;
use super::width::WidthOption;
use crate::output::{PatientOutput, note, output};

/// Improve an agent's weights by self-play
///
/// Each step plays two versions of the weights against each other, moved in opposite directions, and moves
/// towards the better one (SPSA). Tests between the steps keep what is better and end the run when nothing
/// is.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  azulejo tune --game azul --out results/tune/azul greedy
  azulejo tune --game azul --steps 40 --games 100 mcts:sims=100
  azulejo tournament --game azul --games 2000 greedy greedy:weights=results/tune/azul/weights.toml")]
pub(super) struct TuneArgs {
    /// The agent; where its weights are is where tuning starts
    #[arg(value_name = "AGENT")]
    agent: AgentSpec,
    #[command(flatten)]
    table: TableOptions,
    /// The most steps
    #[arg(long, value_name = "N", default_value_t = 200, value_parser = clap::value_parser!(u64).range(1..))]
    steps: u64,
    /// Games a step, rounded up to whole blocks of one game for each rotation
    #[arg(long, value_name = "N", default_value_t = 200, value_parser = clap::value_parser!(u64).range(1..))]
    games: u64,
    /// Steps from one test to the next
    #[arg(long, value_name = "N", default_value_t = 25, value_parser = clap::value_parser!(u64).range(1..))]
    check: u64,
    /// The most games of a test
    #[arg(long, value_name = "N", default_value_t = 10_000, value_parser = clap::value_parser!(u64).range(1..))]
    check_games: u64,
    /// The gain, in Elo points, that a test looks for
    #[arg(long, default_value_t = 10.0, value_parser = positive)]
    elo: f64,
    /// How far a step tries a weight to either side, as a share of its size
    #[arg(long, default_value_t = 0.15, value_parser = positive)]
    reach: f64,
    /// How far a step moves a weight if one side wins everything, in multiples of what it tried
    #[arg(long, default_value_t = 5.0, value_parser = positive)]
    pace: f64,
    /// The master seed: the same seed gives the same weights
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    /// Games that run at once; the results depend on it only where agents think for a time [default: all cores]
    #[arg(long, value_name = "T", value_parser = thread_count)]
    threads: Option<std::num::NonZeroUsize>,
    /// The directory for the weights and the journal; a run that is there already goes on
    /// [default: results/tune/<time>]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Print nothing but errors
    #[arg(long)]
    quiet: bool,
    #[command(flatten)]
    width: WidthOption,
}

fn positive(text: &str) -> Result<f64, String> {
    let number = text.parse().ok().filter(|number: &f64| number.is_finite() && *number > 0.0);
    number.ok_or_else(|| "expected a number above 0".to_owned())
}

impl TuneArgs {
    pub(super) fn run(self) -> anyhow::Result<()> {
        let out = OutputDirectory::named_or_new(self.out.as_deref(), "tune")?;
        let directory = out.path();
        let settings = TuneSettings {
            game: self.table.game.to_string(),
            players: self.table.players,
            agent: self.agent.to_string(),
            seed: self.seed,
            steps: self.steps,
            games: self.games,
            check: self.check,
            check_games: self.check_games,
            elo: self.elo,
            reach: self.reach,
            pace: self.pace,
            provenance: None,
        };
        let threads = threads(self.threads);
        let mut tuning = with_game!(self.table.checked()?.0, |rules: &'static G::Rules| {
            Tuning::open::<G>(&settings, (rules, &self.agent), directory, threads)
        })?;
        invocation().append(directory).with_context(|| directory.display().to_string())?;
        stop_at_signals()?;
        let mut display = TuningDisplay::new(self.steps, self.quiet);
        let end = tuning.run(&STOP, &mut display)?;
        if end == TuningEnd::Interrupted {
            bail!(
                "interrupted; go on with the same command and --out {}",
                quoted(&directory.display().to_string())
            );
        }
        display.lines.finish()?;
        if !self.quiet {
            print_weights(&tuning, self.width.columns())?;
            writeln!(output(), "\n{}", directory.join("weights.toml").display())?;
        }
        Ok(())
    }
}

/// Prints every weight at the start and now.
fn print_weights(tuning: &Tuning<'_>, width: usize) -> anyhow::Result<()> {
    let changes: Vec<(&str, f64, f64)> = tuning.changes().collect();
    let table = Table::of(&changes)
        .text("weight", |(name, ..)| (*name).to_owned())
        .number("before", |(_, before, _)| format!("{before:.3}"))
        .number("after", |(.., after)| format!("{after:.3}"));
    Ok(print(&mut output(), &table.build(), width)?)
}

/// Shows the steps on the error output, as a bar on a terminal and as a line for each tenth elsewhere, and
/// prints the tests.
struct TuningDisplay {
    steps: u64,
    bar: Option<ProgressBar>,
    lines: PatientOutput,
    quiet: bool,
}

impl TuningDisplay {
    fn new(steps: u64, quiet: bool) -> Self {
        let bar = (!quiet && stderr().is_terminal()).then(|| {
            let style = ProgressStyle::with_template("{wide_bar} {pos}/{len} steps, {eta} left")
                .expect("the template is well formed");
            ProgressBar::new(steps).with_style(style)
        });
        TuningDisplay { steps, bar, lines: PatientOutput::new(), quiet }
    }
}

impl TuneWatch for TuningDisplay {
    fn step(&mut self, step: &Step) {
        match &self.bar {
            Some(bar) => bar.set_position(step.number),
            None if !self.quiet && step.number.is_multiple_of((self.steps / 10).max(1)) => {
                note(format!("step {} of {}", step.number, self.steps));
            }
            None => {}
        }
    }

    fn check(&mut self, check: &Check) {
        if self.quiet {
            return;
        }
        let Check { step, games, share, even, better } = check;
        let verdict = if *better { "better: kept" } else { "not better" };
        let (share, even) = (percent(Some(*share)), percent(Some(*even)));
        let line = format!("after step {step}: {share} of {games} games (even: {even}), {verdict}");
        match &self.bar {
            Some(bar) => bar.suspend(|| self.lines.line(&line)),
            None => self.lines.line(&line),
        }
    }
}
