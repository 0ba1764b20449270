//! `azulejo train`

use std::fs;
use std::io::{IsTerminal, stderr};
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Instant;

use anyhow::{Context, bail};
use azulejo_agents::neural::Losses;
use azulejo_experiments::run::Start;
use azulejo_experiments::train::{Outcome, Row, TrainConfig, TrainWatch, Training};
use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};

use super::options::{thread_count, threads};
use super::recording::default_directory;
use super::signals::{STOP, stop_at_signals};
use super::tables::percent;

/// Train a network by self-play
///
/// The network plays against itself, learns from the games and is measured, generation by generation. It is written to
/// net.safetensors in the run's directory, for the agent neural:net=FILE.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  azulejo train --config experiments/configs/train-azul-tiny.toml --out results/train/tiny
  azulejo train --config experiments/configs/train-azul-tiny.toml --out results/train/tiny --resume
  azulejo tournament random neural:net=results/train/tiny/net.safetensors")]
pub(super) struct Train {
    /// The TOML file that says what is played and learned, see docs/training.md
    #[arg(long, value_name = "FILE")]
    config: PathBuf,
    /// The master seed, in place of the file's: the same seed gives the same weights
    #[arg(long, value_name = "S")]
    seed: Option<u64>,
    /// The number of generations, in place of the file's
    #[arg(long, value_name = "N")]
    generations: Option<u64>,
    /// Games that run at once; the results do not depend on it [default: all cores]
    #[arg(long, value_name = "T", value_parser = thread_count)]
    threads: Option<NonZeroUsize>,
    /// The directory for the run, which must be empty or new [default: results/train/<time>]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Go on with the run in --out
    #[arg(long, requires = "out")]
    resume: bool,
    /// Print nothing but errors
    #[arg(long)]
    quiet: bool,
}

impl Train {
    pub(super) fn run(self) -> anyhow::Result<()> {
        let name = self.config.display().to_string();
        let text = fs::read_to_string(&self.config).with_context(|| name.clone())?;
        let mut config = TrainConfig::read(&text).map_err(anyhow::Error::msg).with_context(|| name)?;
        config.seed = self.seed.unwrap_or(config.seed);
        config.generations = self.generations.unwrap_or(config.generations);
        let directory = self.out.clone().unwrap_or_else(|| default_directory("train"));
        let training = Training { config: &config, directory: &directory, threads: threads(self.threads) };
        let start = if self.resume { Start::Resume } else { Start::New };
        stop_at_signals()?;
        let mut report = Report::new(config.generations, self.quiet);
        let outcome = training.run(start, &STOP, &mut report)?;
        report.line.finish_and_clear();
        if outcome == Outcome::Interrupted {
            bail!("interrupted; go on with the same command and --resume --out {}", directory.display());
        }
        if !self.quiet {
            println!("{}", directory.join("net.safetensors").display());
        }
        Ok(())
    }
}

/// One line on the error output that is kept up to date on a terminal, and one line on the output for each stage.
struct Report {
    generations: u64,
    quiet: bool,
    line: ProgressBar,
    /// When this program began, and when the stage did.
    began: Instant,
    stage_began: Instant,
    /// When the stage's games were played, and how many.
    played: Option<(Instant, u64)>,
    /// The stages finished by this program.
    stages: u64,
}

impl Report {
    fn new(generations: u64, quiet: bool) -> Self {
        let line =
            if !quiet && stderr().is_terminal() { ProgressBar::new_spinner() } else { ProgressBar::hidden() };
        let style = ProgressStyle::with_template("{msg}").expect("the template is well formed");
        let now = Instant::now();
        let line = line.with_style(style);
        Report { generations, quiet, line, began: now, stage_began: now, played: None, stages: 0 }
    }

    fn show(&self, generation: u64, text: &str) {
        let left = self.generations.saturating_sub(generation) as f64;
        let each = self.began.elapsed().as_secs_f64() / self.stages as f64;
        let eta =
            if self.stages > 0 { format!(", {:.0} min left", left * each / 60.0) } else { String::new() };
        self.line.set_message(format!("generation {generation} of {}: {text}{eta}", self.generations));
    }
}

impl TrainWatch for Report {
    fn games(&mut self, stage: u64, done: u64, all: u64) {
        self.played = Some((Instant::now(), done));
        let speed = done as f64 / self.stage_began.elapsed().as_secs_f64();
        self.show(stage, &format!("{done} of {all} games, {speed:.1} games/s"));
    }

    fn step(&mut self, stage: u64, done: u64, all: u64, losses: &Losses) {
        let Losses { policy, wins, scores } = losses;
        let losses = format!("policy {policy:.3}, wins {wins:.3}, scores {scores:.3}");
        self.show(stage, &format!("step {done} of {all}, losses: {losses}"));
    }

    fn stage(&mut self, row: &Row) {
        let now = Instant::now();
        let speeds = self.played.take().map(|(played, games)| {
            let playing = (played - self.stage_began).as_secs_f64();
            format!(
                "{:.1} games/s, stage {:.0} s",
                games as f64 / playing,
                (now - self.stage_began).as_secs_f64()
            )
        });
        self.stage_began = now;
        self.stages += 1;
        if self.quiet {
            return;
        }
        let losses = row.losses.as_ref().map(|losses| {
            format!("policy {:.3}, wins {:.3}, scores {:.3}", losses.policy, losses.wins, losses.scores)
        });
        let shares = row.shares.iter().map(|share| {
            let [low, high] = [share.low, share.high].map(percent);
            format!(
                "{} of {} games against {} [{low}, {high}], {:.1} to {:.1} points",
                percent(Some(share.share)),
                share.games,
                share.opponent,
                share.scores[0],
                share.scores[1],
            )
        });
        let head = format!("generation {}: {} positions, {} steps", row.generation, row.positions, row.steps);
        let parts: Vec<String> = std::iter::once(head).chain(losses).chain(speeds).chain(shares).collect();
        self.line.suspend(|| println!("{}", parts.join("; ")));
    }
}
