//! `azulejo bench`

use std::io::Write;
use std::num::NonZeroUsize;
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, bail};
use azulejo::GameSpec;
use azulejo_experiments::report::Table;
use azulejo_experiments::rules_file::read_game;
use azulejo_experiments::speed::{self, Benchmark, Speed, random_games};
use clap::Args;
use clap::builder::PossibleValuesParser;

use super::options::{players, seats, thread_count, threads};
use super::tables::print;
use super::width::WidthOption;
use crate::output::output;

/// Measure the speed of engine and agents on this machine
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  azulejo bench --game azul --players 2 --filter random")]
pub(super) struct BenchArgs {
    /// Only this game [default: all variants of all games]
    #[arg(long, value_name = "SPEC", value_parser = read_game)]
    game: Option<GameSpec>,
    /// Only this number of players [default: all that the game seats]
    #[arg(long, value_name = "N", value_parser = players)]
    players: Option<usize>,
    /// Only the benchmark with this name
    #[arg(long, value_name = "NAME", value_parser = PossibleValuesParser::new(Benchmark::ALL.map(Benchmark::name)))]
    filter: Option<String>,
    /// The most threads for `selfplay` [default: all cores]
    #[arg(long, value_name = "T", value_parser = thread_count)]
    threads: Option<NonZeroUsize>,
    /// The duration of each of the 5 repetitions of a measurement, in milliseconds
    #[arg(long, value_name = "MS", default_value = "200")]
    slice: NonZeroUsize,
    /// Print a JSON list
    #[arg(long)]
    json: bool,
    /// Count processor instructions for each random action instead, with valgrind
    #[arg(long, conflicts_with_all = ["filter", "json", "threads", "slice"])]
    instructions: bool,
    #[command(flatten)]
    width: WidthOption,
}

impl BenchArgs {
    pub(super) fn run(self) -> anyhow::Result<()> {
        let games = self.game.map_or_else(GameSpec::all, |game| vec![game]);
        let counts = |game| self.players.map_or_else(|| seats(game), |players| players..=players);
        let tables = games.into_iter().flat_map(|game| counts(game).map(move |players| (game, players)));
        if self.instructions {
            return count_instructions(tables, self.width.columns());
        }
        let chosen = |benchmark: &Benchmark| self.filter.as_ref().is_none_or(|name| name == benchmark.name());
        let mut speeds = Vec::new();
        for (game, players) in tables {
            let slice = Duration::from_millis(self.slice.get() as u64);
            let bench = speed::BenchmarkSettings { game, players, threads: threads(self.threads), slice };
            for benchmark in Benchmark::ALL.iter().filter(|it| chosen(it)) {
                speeds.extend(benchmark.measure(&bench)?);
            }
        }
        let mut out = output();
        if self.json {
            return Ok(writeln!(out, "{}", serde_json::to_string_pretty(&speeds)?)?);
        }
        Ok(print(&mut out, &speed_table(&speeds), self.width.columns())?)
    }
}

fn speed_table(speeds: &[Speed]) -> Table {
    let whole = |value: f64| format!("{value:.0}");
    Table::of(speeds)
        .text("benchmark", |speed| speed.name.to_owned())
        .text("game", |speed| speed.game.clone())
        .number("players", |speed| speed.players.to_string())
        .number("threads", |speed| speed.threads.to_string())
        .number("speed", |speed| whole(speed.rate.value))
        .number("lowest", |speed| speed.rate.low().map_or("-".to_owned(), whole))
        .number("highest", |speed| speed.rate.high().map_or("-".to_owned(), whole))
        .number("unit", |speed| speed.unit.to_owned())
        .build()
}

/// Play random games and print the number of their actions; what `bench --instructions` runs under valgrind
#[derive(Debug, Args)]
pub(super) struct RandomGamesArgs {
    game: GameSpec,
    #[arg(value_parser = players)]
    players: usize,
    games: u64,
}

impl RandomGamesArgs {
    pub(super) fn run(self) -> anyhow::Result<()> {
        Ok(writeln!(output(), "{}", random_games(self.game, self.players, self.games))?)
    }
}

/// Counts instructions of short and long runs; the difference leaves the program's start out.
fn count_instructions(tables: impl Iterator<Item = (GameSpec, usize)>, width: usize) -> anyhow::Result<()> {
    const SHORT: u64 = 10;
    const LONG: u64 = 210;
    let mut out = output();
    if Command::new("valgrind").arg("--version").output().is_err() {
        return Ok(writeln!(out, "valgrind is not installed: instructions are not counted")?);
    }
    let mut counted = Vec::new();
    for (game, players) in tables {
        let (short, few) = instructions(game, players, SHORT)?;
        let (long, many) = instructions(game, players, LONG)?;
        let each = (long - short) as f64 / (many - few) as f64;
        counted.push((game, players, each));
    }
    let table = Table::of(&counted)
        .text("game", |(game, ..)| game.to_string())
        .number("players", |(_, players, _)| players.to_string())
        .number("instructions a random action", |(.., each)| format!("{each:.1}"));
    Ok(print(&mut out, &table.build(), width)?)
}

/// The instructions and the actions of a number of random games.
fn instructions(game: GameSpec, players: usize, games: u64) -> anyhow::Result<(u64, u64)> {
    let this = std::env::current_exe().context("cannot find the program itself")?;
    let run = Command::new("valgrind")
        .args(["--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null"])
        .arg(this)
        .args(["random-games", &game.to_string(), &players.to_string(), &games.to_string()])
        .output()
        .context("cannot run valgrind")?;
    let (printed, report) = (String::from_utf8_lossy(&run.stdout), String::from_utf8_lossy(&run.stderr));
    let counted = report.lines().find_map(|line| {
        // "I refs:" or "I   refs:", whichever the version writes.
        let (before, number) = line.split_once("refs:")?;
        before.trim_end().strip_suffix(" I")?;
        number.trim().replace(',', "").parse().ok()
    });
    match (counted, printed.trim().parse()) {
        (Some(instructions), Ok(actions)) => Ok((instructions, actions)),
        _ => bail!("valgrind did not count instructions: {}", report.lines().last().unwrap_or("no output")),
    }
}
