//! `azulejo solve`

use std::io::{IsTerminal, Write, stderr};
use std::path::PathBuf;
use std::time::{Duration, Instant};

use anyhow::Context;
use azulejo::{Game, GameSpec, Turn, with_game};
use azulejo_agents::Playable;
use azulejo_agents::parameters::{Mebibytes, ParameterValue};
use azulejo_agents::solve::{SolveLimits, SolveProgress};
use azulejo_experiments::report::Table;
use azulejo_experiments::suite::SolvedMove;
use clap::Args;
use indicatif::ProgressBar;
use serde::Serialize;

use super::signals::end_at_signals;
use super::state_input::read_state;
use super::tables;
use super::width::WidthOption;
use crate::output::output;

/// Say of a position of two players in which no chance is left what every legal action is worth exactly
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  azulejo solve --state position.json
  azulejo replay games.jsonl --json | tail -n 4 | head -n 1 | azulejo solve --state - --json

Of each legal action are told, for the player to move: the lead in points at the end if both players go for the lead, and the
share of the win if both go for the win. Only positions are solved after which nothing is drawn any more that anybody has a use
for: at Azul once a row of the wall is sure to be completed, at the other games in the last round after the last draw.")]
pub(super) struct SolveArgs {
    /// A file with the position, a state as JSON; - for the standard input
    #[arg(long, value_name = "FILE")]
    state: PathBuf,
    /// The most nodes that are searched before the position is refused as too large
    #[arg(long, value_name = "N", default_value_t = SolveLimits::default().nodes)]
    nodes: u64,
    /// The most memory that is used, in mebibytes
    #[arg(long, value_name = "MIB", default_value = "512", value_parser = mebibytes)]
    memory: Mebibytes,
    /// Print JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    width: WidthOption,
}

fn mebibytes(text: &str) -> Result<Mebibytes, String> {
    Mebibytes::read(text).map_err(|expected| format!("expected {expected}"))
}

/// What is printed with `--json`.
#[derive(Debug, Serialize)]
struct SolvedPosition {
    /// What the search was for; the share of the win follows from it.
    objective: &'static str,
    values: Vec<SolvedMove>,
    nodes: u64,
}

impl SolveArgs {
    pub(super) fn run(self) -> anyhow::Result<()> {
        end_at_signals()?;
        let json = read_state(&self.state)?;
        let game = GameSpec::of_state(&json)?;
        with_game!(game, |rules: &'static G::Rules| self.solve(&G::from_json(rules, &json)?, game))
    }

    fn solve<G: Playable>(&self, state: &G, game: GameSpec) -> anyhow::Result<()> {
        let (start, bar) = (Instant::now(), spinner());
        let limits = SolveLimits { nodes: self.nodes, memory: self.memory };
        let solution = state.solve(limits, &mut |progress| bar.set_message(show(progress)));
        bar.finish_and_clear();
        let solution = solution.context("the position cannot be solved")?;
        let (values, nodes) = (SolvedMove::all(&solution), solution.nodes);
        if self.json {
            let position = SolvedPosition { objective: "lead", values, nodes };
            return Ok(writeln!(output(), "{}", serde_json::to_string(&position)?)?);
        }
        self.print(state, game, values, (nodes, start.elapsed()))
    }

    /// The actions, best first.
    fn print<G: Game>(
        &self,
        state: &G,
        game: GameSpec,
        mut values: Vec<SolvedMove>,
        (nodes, time): (u64, Duration),
    ) -> anyhow::Result<()> {
        let (mut out, columns) = (output(), self.width.columns());
        if let Turn::Player(seat) = state.turn() {
            writeln!(
                out,
                "{game}, {} players, round {}: seat {seat} to move",
                state.players(),
                state.round()
            )?;
        }
        writeln!(out, "  {nodes} nodes, {:.1} s", time.as_secs_f64())?;
        writeln!(out)?;
        values.sort_by_key(|value| std::cmp::Reverse(value.lead));
        let table = Table::of(&values)
            .text("action", |it| it.action.clone())
            .number("lead", |it| format!("{:+}", it.lead))
            .number("win %", |it| format!("{:.0}", 100.0 * it.win))
            .build();
        Ok(tables::print(&mut out, &table, columns)?)
    }
}

/// Shows on a terminal that the program is at work.
fn spinner() -> ProgressBar {
    let bar = if stderr().is_terminal() { ProgressBar::new_spinner() } else { ProgressBar::hidden() };
    bar.enable_steady_tick(Duration::from_millis(200));
    bar
}

fn show(progress: &SolveProgress) -> String {
    let SolveProgress { nodes, solved, actions } = progress;
    format!("{nodes} nodes, {solved} of {actions} actions solved")
}
