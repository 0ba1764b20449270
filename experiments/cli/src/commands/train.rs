//! `azulejo train`

use std::io::{IsTerminal, Write, stderr};
use std::num::{NonZeroU64, NonZeroUsize};
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use azulejo::{GameSpec, with_game};
use azulejo_agents::neural::{Backend, Losses};
use azulejo_agents::settings::read_settings;
use azulejo_experiments::game_loop::Fault;
use azulejo_experiments::manifest::{Status, quoted};
use azulejo_experiments::report::cells::{percent, value};
use azulejo_experiments::run::Start;
use azulejo_experiments::shard::Shard;
use azulejo_experiments::train::{
    GamesPlayed, OpponentShare, Row, StageShard, TrainConfig, TrainReport, TrainWatch, Training, pace,
};
use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};

use super::directory::OutputDirectory;
use super::generations::GenerationTable;
use super::options::{thread_count, threads};
use super::recording::invocation;
use super::sharding::{told, warn_of_unrepeated};
use super::signals::{STOP, stop_at_signals};
use super::width::WidthOption;
use crate::output::{PatientOutput, note, output};

/// Train a network by self-play
///
/// The network plays against itself, learns from the games and is measured, generation by generation. It is
/// written to net.safetensors in the run's directory, for the agent neural:net=FILE.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  azulejo train --config experiments/configs/train-azul-tiny.toml --out results/train/tiny
  azulejo train --resume --out results/train/tiny
  azulejo train --game queens-garden --minutes 30
  azulejo train --game azul:gray --players 3 --print-config
  azulejo train --config experiments/configs/train-azul.toml --run azul-second --out results/train
  azulejo tournament random neural:net=results/train/tiny/net.safetensors")]
pub(super) struct TrainArgs {
    /// The TOML file that says what is played and learned, see docs/training.md; every key has a default
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// The run to make of a file with several, tables [runs.NAME]; its directory is NAME in --out
    #[arg(long, value_name = "NAME", requires = "config")]
    run: Option<String>,
    /// Train for this game without a file: a teacher's games first, then the network's own
    #[arg(long, value_name = "SPEC", conflicts_with = "config")]
    game: Option<String>,
    /// With --game, the number of players
    #[arg(long, value_name = "N", requires = "game", default_value_t = 2)]
    players: usize,
    /// With --game, so many games and steps as take about this long here, as a short trial finds
    #[arg(long, value_name = "M", requires = "game", value_parser = clap::value_parser!(u64).range(1..=100_000))]
    minutes: Option<u64>,
    /// Print the configuration of the run, with all defaults, and do nothing else
    #[arg(long)]
    print_config: bool,
    /// The master seed, in place of the file's: the same seed gives the same weights
    #[arg(long, value_name = "S")]
    seed: Option<u64>,
    /// The number of generations, in place of the file's
    #[arg(long, value_name = "N")]
    generations: Option<u64>,
    /// Games that run at once; the results depend on it only where agents think for a time [default: all cores]
    #[arg(long, value_name = "T", value_parser = thread_count)]
    threads: Option<NonZeroUsize>,
    /// What trains the network: embedded, torch-cpu or torch-cuda; the last two need LibTorch, see
    /// docs/training.md
    #[arg(long, value_name = "NAME", default_value_t = Backend::Embedded)]
    backend: Backend,
    /// The directory for the run, which must be empty or new [default: results/train/<time>]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Go on with the run in --out; without --config, by the train.toml there
    #[arg(long, requires = "out")]
    resume: bool,
    /// End after so many stages, a teacher's games or a generation each; go on by --resume
    #[arg(long, value_name = "K", conflicts_with = "shard")]
    stages: Option<NonZeroU64>,
    /// Play only part I of N of the games of the stage that the run in --out has come to, as a process of many, and put it into
    /// shards/ there; the same command with --resume in place of --shard puts all parts together, plays what is missing, and learns
    #[arg(long, value_name = "I/N", requires = "out", conflicts_with_all = ["resume", "minutes"])]
    shard: Option<Shard>,
    /// Print nothing but errors
    #[arg(long)]
    quiet: bool,
    #[command(flatten)]
    width: WidthOption,
}

impl TrainArgs {
    pub(super) fn run(self) -> anyhow::Result<()> {
        let (name, config, game) = self.configuration()?;
        stop_at_signals()?;
        let config = match self.minutes.filter(|_| !self.resume) {
            Some(minutes) => self.fitted(&config, game, minutes)?,
            None => config,
        };
        if self.print_config {
            write!(output(), "{}", config.to_toml())?;
            return Ok(());
        }
        let out = OutputDirectory::named_or_new(self.out.as_deref(), "train")?;
        let directory = name.map_or_else(|| out.path().to_owned(), |name| out.path().join(name));
        let training = Training {
            config: &config,
            directory: &directory,
            threads: threads(self.threads),
            stages: self.stages,
            backend: self.backend,
            invocation: invocation(),
        };
        if let Some(shard) = self.shard {
            return self.play_part(&training, game, shard);
        }
        let start = if self.resume { Start::Resume } else { Start::New };
        if let Some(warning) = config.warning().filter(|_| !self.quiet) {
            note(format!("warning: {warning}"));
        }
        let mut report = TrainingDisplay::new(&config, self.quiet, self.width.columns());
        let watch = &mut report;
        let status = with_game!(game, |_rules: &'static G::Rules| training.run::<G>(start, &STOP, watch));
        let status = status.inspect_err(|_| report.line.finish_and_clear())?;
        report.line.finish_and_clear();
        report.lines.finish()?;
        if status == Status::Interrupted {
            let go_on =
                format!("go on by azulejo train --resume --out {}", quoted(&directory.display().to_string()));
            if STOP.load(Ordering::Relaxed) {
                bail!("interrupted; {go_on}");
            }
            return if self.quiet {
                Ok(())
            } else {
                Ok(writeln!(output(), "more stages are left; {go_on}")?)
            };
        }
        if !self.quiet {
            let found = TrainReport::read(&directory).map_err(anyhow::Error::msg)?.diagnosis();
            found.iter().for_each(|found| note(format!("looks wrong: {found}")));
            let mut output = output();
            for file in ["net.safetensors", "report.html"] {
                writeln!(output, "{}", directory.join(file).display())?;
            }
        }
        Ok(())
    }

    /// Plays a part of the present stage's games and says where it is.
    fn play_part(&self, training: &Training<'_>, game: GameSpec, shard: Shard) -> anyhow::Result<()> {
        if !self.quiet {
            warn_of_unrepeated(training.config.teacher.iter().map(|teacher| teacher.agent.as_str()));
        }
        let mut report = TrainingDisplay::new(training.config, self.quiet, self.width.columns());
        let watch = &mut report;
        let played =
            with_game!(game, |_rules: &'static G::Rules| training.play_shard::<G>(shard, &STOP, watch));
        report.line.finish_and_clear();
        let said = match played? {
            StageShard::RunFinished => "the run has no stage left".to_owned(),
            StageShard::Part { generation, games, outcome } => {
                format!("generation {generation}, {}", told(shard, &games, outcome, training.directory)?)
            }
        };
        if self.quiet { Ok(()) } else { Ok(writeln!(output(), "{said}")?) }
    }

    /// What is to be done, with the name that a file gives it, and its game.
    fn configuration(&self) -> anyhow::Result<(Option<String>, TrainConfig, GameSpec)> {
        let known = self.out.as_ref().map(|out| out.join("train.toml"));
        let known = known.filter(|known| self.resume || self.shard.is_some() && known.exists());
        let (source, (name, mut config)) = match (&self.config, &self.game, known) {
            (Some(file), ..) => (file.display().to_string(), self.read(file)?),
            (None, _, Some(known)) => (known.display().to_string(), self.read(&known)?),
            (None, Some(game), None) => {
                ("--game".to_owned(), (None, TrainConfig::recipe(game.clone(), self.players)))
            }
            (None, None, None) => {
                bail!(
                    "found neither --config nor --game: expected what to train, such as --game azul --minutes 30"
                )
            }
        };
        config.seed = self.seed.unwrap_or(config.seed);
        config.generations = self.generations.unwrap_or(config.generations);
        let game = config.game().map_err(anyhow::Error::msg).context(source)?;
        Ok((name, config.completed(), game))
    }

    /// The run that a file describes, or the one that `--run` names, with its name.
    fn read(&self, file: &Path) -> anyhow::Result<(Option<String>, TrainConfig)> {
        let text = read_settings(file).with_context(|| file.display().to_string())?;
        let runs = TrainConfig::read_runs(&text).map_err(anyhow::Error::msg);
        self.chosen(runs.with_context(|| file.display().to_string())?)
    }

    fn chosen(
        &self,
        mut runs: Vec<(Option<String>, TrainConfig)>,
    ) -> anyhow::Result<(Option<String>, TrainConfig)> {
        let chosen = match &self.run {
            None if runs.len() == 1 => Some(0),
            chosen => runs.iter().position(|(name, _)| name.is_some() && name == chosen),
        };
        let Some(chosen) = chosen else {
            let names: Vec<&str> = runs.iter().filter_map(|(name, _)| name.as_deref()).collect();
            let found = self.run.as_ref().map_or("nothing".to_owned(), |run| format!("'{run}'"));
            let expected = if names.is_empty() { "a file with runs" } else { &names.join(", ") };
            bail!("--run: found {found}, expected {expected}");
        };
        Ok(runs.swap_remove(chosen))
    }

    /// The run with the games and steps that a trial finds to take so many minutes.
    fn fitted(&self, config: &TrainConfig, game: GameSpec, minutes: u64) -> anyhow::Result<TrainConfig> {
        let threads = threads(self.threads);
        let found =
            with_game!(game, |_rules: &'static G::Rules| pace::<G>(config, threads, self.backend, &STOP))?;
        let Some(pace) = found else { bail!("interrupted before anything was written") };
        Ok(config.fitted(Duration::from_secs(60 * minutes), pace))
    }
}

/// The time between two lines where none can be kept up to date.
const INTERVAL: Duration = Duration::from_secs(60);

/// One line on the error output that is kept up to date on a terminal, and one line on the output for each
/// stage.
struct TrainingDisplay {
    table: GenerationTable,
    generations: u64,
    /// The examples in a step.
    batch: u64,
    quiet: bool,
    line: ProgressBar,
    lines: PatientOutput,
    /// When a line was last written where none can be kept up to date.
    shown: Instant,
    /// When this program began with generations, and how many it has finished.
    began: Instant,
    finished: u64,
    /// When the present stage and its steps began.
    stage_began: Instant,
    steps_began: Option<Instant>,
    /// The last losses and win shares known.
    losses: Option<Losses>,
    shares: Vec<OpponentShare>,
}

impl TrainingDisplay {
    fn new(config: &TrainConfig, quiet: bool, columns: usize) -> Self {
        let line =
            if !quiet && stderr().is_terminal() { ProgressBar::new_spinner() } else { ProgressBar::hidden() };
        // What has no room is left out on the right.
        let style = ProgressStyle::with_template("{wide_msg}").expect("the template is well formed");
        let now = Instant::now();
        TrainingDisplay {
            table: GenerationTable::new(config, columns),
            generations: config.generations,
            batch: config.learning.batch as u64,
            quiet,
            line: line.with_style(style),
            lines: PatientOutput::new(),
            shown: now,
            began: now,
            finished: 0,
            stage_began: now,
            steps_began: None,
            losses: None,
            shares: Vec::new(),
        }
    }

    fn show(&mut self, generation: u64, doing: &str) {
        let now = Instant::now();
        let message = self.message(generation, doing, now);
        if !self.line.is_hidden() {
            self.line.set_message(message);
        } else if !self.quiet && now - self.shown >= INTERVAL {
            self.shown = now;
            note(message);
        }
    }

    /// The line: where the run is, what it does, how long it will take, what is known of the network.
    fn message(&self, generation: u64, doing: &str, now: Instant) -> String {
        let mut parts = vec![format!("generation {generation} of {}: {doing}", self.generations)];
        parts.extend(self.seconds_left(generation, now).map(|left| format!("{} left", duration(left))));
        parts.extend(self.losses.as_ref().map(losses));
        let share =
            |share: &OpponentShare| format!("{} against {}", value(share.share, percent), share.opponent);
        parts.extend(self.shares.iter().map(share));
        parts.join("; ")
    }

    /// What the generations that are left will take if they take as long as those before.
    fn seconds_left(&self, generation: u64, now: Instant) -> Option<f64> {
        let each = (self.stage_began - self.began).as_secs_f64() / self.finished as f64;
        let left = (self.generations + 1).saturating_sub(generation) as f64 * each;
        let gone = (now - self.stage_began).as_secs_f64();
        (self.finished > 0 && generation > 0).then(|| (left - gone.min(each)).max(0.0))
    }
}

impl TrainWatch for TrainingDisplay {
    fn games(&mut self, stage: u64, done: u64, all: u64, played: GamesPlayed) {
        let now = Instant::now();
        self.show(stage, &format!("{done} of {all} games, {}", speeds(played, now - self.stage_began)));
    }

    fn step(&mut self, stage: u64, done: u64, all: u64, losses: &Losses) {
        let began = *self.steps_began.get_or_insert_with(Instant::now);
        self.losses = Some(*losses);
        // The first step has begun before.
        let speed = ((done - 1) * self.batch) as f64 / began.elapsed().as_secs_f64().max(1e-9);
        self.show(stage, &format!("step {done} of {all}, {speed:.0} positions/s"));
    }

    fn measure(&mut self, stage: u64, opponent: &str) {
        self.show(stage, &format!("plays {opponent}"));
    }

    fn fault(&mut self, fault: &Fault) {
        self.line.suspend(|| note(format!("measurement: {fault}")));
    }

    fn stage(&mut self, row: &Row) {
        let now = Instant::now();
        let took = now - self.stage_began;
        (self.stage_began, self.steps_began) = (now, None);
        if row.generation == 0 {
            // A teacher's games tell nothing of how long the others take.
            self.began = now;
        } else {
            self.finished += 1;
        }
        self.losses = row.losses;
        if !row.shares.is_empty() {
            self.shares.clone_from(&row.shares);
        }
        if self.quiet {
            return;
        }
        let (lines, table) = (&mut self.lines, &mut self.table);
        self.line.suspend(|| {
            lines.write(|out| table.write(out, row, took));
            row.shares.iter().filter_map(OpponentShare::forfeits_told).for_each(note);
        });
    }
}

fn losses(Losses { policy, wins, scores }: &Losses) -> String {
    format!("losses: policy {policy:.3}, wins {wins:.3}, scores {scores:.3}")
}

/// How fast games were played; each move is made at a position of its own.
fn speeds(played: GamesPlayed, took: Duration) -> String {
    let each = |count: u64| count as f64 / took.as_secs_f64().max(1e-9);
    format!("{:.1} games/s, {:.0} positions/s", each(played.games), each(played.moves))
}

/// Seconds as a person says them.
fn duration(seconds: f64) -> String {
    match seconds {
        ..90.0 => format!("{seconds:.0} s"),
        ..5400.0 => format!("{:.0} min", seconds / 60.0),
        _ => format!("{:.1} h", seconds / 3600.0),
    }
}

#[cfg(test)]
mod tests {
    use azulejo_experiments::stats::Estimate;

    use super::*;

    #[test]
    fn the_line_tells_how_long_and_how_strong() {
        let text = include_str!("../../../configs/train-azul-tiny.toml");
        let mut report = TrainingDisplay::new(&TrainConfig::read(text).unwrap(), true, 80);
        let start = report.began;
        let after = |seconds| start + Duration::from_secs(seconds);
        assert_eq!(report.message(1, "plays random", start).matches(';').count(), 0, "nothing is known yet");
        // Two of ten generations took 100 s each, and the third 40 s so far.
        (report.generations, report.finished, report.stage_began) = (10, 2, after(200));
        report.losses = Some(Losses { policy: 1.5, wins: 0.25, scores: 0.125 });
        let share = |opponent: &str, value| OpponentShare {
            opponent: opponent.to_owned(),
            games: 10,
            share: Some(Estimate { value, interval: None }),
            scores: [Some(0.0); 2],
            forfeits: [0; 2],
        };
        report.shares = vec![share("greedy", 0.5), share("mcts:sims=50", 0.125)];
        let speeds = speeds(GamesPlayed { games: 10, moves: 600 }, Duration::from_secs(4));
        assert_eq!(
            report.message(3, &format!("10 of 64 games, {speeds}"), after(240)),
            "generation 3 of 10: 10 of 64 games, 2.5 games/s, 150 positions/s; 13 min left; \
             losses: policy 1.500, wins 0.250, scores 0.125; 50.0 % against greedy; 12.5 % against mcts:sims=50"
        );
        // A generation that takes longer than the others did does not make the rest shorter.
        assert_eq!(report.seconds_left(3, after(900)), Some(700.0));
        assert_eq!([30.0, 600.0, 9000.0].map(duration), ["30 s", "10 min", "2.5 h"]);
    }
}
