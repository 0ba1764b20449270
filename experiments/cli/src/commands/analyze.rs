//! `azulejo analyze`

use std::io::Write;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use anyhow::bail;
use azulejo::{Game, GameSpec, Seat, Turn, with_game};
use azulejo_agents::{AgentSpec, Decision, Playable, SearchSummary, SearchedAction};
use azulejo_experiments::record_file::find;
use azulejo_experiments::report::Table;
use azulejo_experiments::review::Analyst;
use clap::Args;
use serde::Serialize;
use serde_json::Value;

use super::signals::end_at_signals;
use super::state_input::{read_state, read_table};
use super::tables;
use super::width::{WidthOption, Wrapping};
use crate::output::output;

/// Say of a position which actions are the best, and what can be expected of each
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  azulejo analyze --state position.json
  azulejo analyze --record games.jsonl --game-index 17 --ply 12 --agent mcts:sims=20000 --multipv 3
  azulejo analyze --table table.txt
  azulejo replay games.jsonl --json | sed -n 5p | azulejo analyze --state - --json

Of each candidate are told: its visits (minimax: nodes), the share of the win and the lead in points
over the best other player that the player to move can expect, and the expected line of play.")]
pub(super) struct AnalyzeArgs {
    /// The agent that searches
    #[arg(long, value_name = "AGENT", default_value = "neural:time=1000")]
    agent: AgentSpec,
    /// How many of the best actions are told, at least 1
    #[arg(long, value_name = "K", default_value = "5")]
    multipv: NonZeroUsize,
    /// A file with the position, a state as JSON; - for the standard input
    #[arg(long, value_name = "FILE", required_unless_present_any = ["record", "table"], conflicts_with = "record")]
    state: Option<PathBuf>,
    /// A file with a table in a few lines, which is completed: bag, lid and what else follows; - for the standard input
    #[arg(long, value_name = "FILE", conflicts_with_all = ["record", "state"])]
    table: Option<PathBuf>,
    /// A file of game records with the position, .jsonl or .jsonl.zst
    #[arg(long, value_name = "FILE", requires = "ply")]
    record: Option<PathBuf>,
    /// The game with this `index` [default: the file's first game]
    #[arg(long, value_name = "N", requires = "record", conflicts_with = "state")]
    game_index: Option<u64>,
    /// The position after so many moves, as replay numbers them
    #[arg(long, value_name = "P", requires = "record", conflicts_with = "state")]
    ply: Option<usize>,
    /// The seed of the agent's random numbers
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    /// Print JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    width: WidthOption,
}

/// What is printed with `--json`.
#[derive(Debug, Serialize)]
struct AnalyzedPosition {
    /// The player to move.
    turn: Seat,
    candidates: Vec<AnalyzedAction>,
}

/// A candidate as it is printed.
#[derive(Debug, Serialize)]
struct AnalyzedAction {
    action: String,
    visits: u32,
    /// The share of the win, 0 to 1.
    win: f64,
    /// The lead in points over the best other seat.
    lead: f64,
    line: Vec<String>,
}

impl AnalyzedAction {
    /// A candidate in numbers of four digits after the point.
    fn new<G: Game>(candidate: &SearchedAction<G>) -> Self {
        let rounded = |number: f32| (1e4 * f64::from(number)).round() / 1e4 + 0.0;
        AnalyzedAction {
            action: candidate.action.to_string(),
            visits: candidate.visits,
            win: rounded(candidate.win),
            lead: rounded(candidate.lead),
            line: candidate.line.iter().map(ToString::to_string).collect(),
        }
    }
}

impl AnalyzeArgs {
    pub(super) fn run(self) -> anyhow::Result<()> {
        end_at_signals()?;
        match (&self.state, &self.table, &self.record) {
            (Some(path), _, _) => self.analyze_state(&read_state(path)?),
            (None, Some(path), _) => self.analyze_state(&read_table(path)?),
            (None, None, Some(path)) => self.analyze_record(path),
            (None, None, None) => bail!("nothing to analyze: expected --state, --table or --record"),
        }
    }

    /// Analyzes a state by its JSON.
    fn analyze_state(&self, json: &Value) -> anyhow::Result<()> {
        let game = GameSpec::of_state(json)?;
        with_game!(game, |rules: &'static G::Rules| self.analyze(&G::from_json(rules, json)?, game))
    }

    /// Analyzes a position of a recorded game.
    fn analyze_record(&self, path: &Path) -> anyhow::Result<()> {
        let (record, _) = find(path, self.game_index)?;
        let (game, ply) = (record.spec()?, self.ply.unwrap_or_default());
        game.check_players(record.players)?;
        with_game!(game, |rules: &'static G::Rules| {
            let history = record.history::<G>(rules)?;
            if ply > history.plies() {
                bail!("--ply {ply}: the game has {} moves, expected 0 to {0}", history.plies());
            }
            self.analyze(&history.state_at(ply), game)
        })
    }

    fn analyze<G: Playable>(&self, state: &G, game: GameSpec) -> anyhow::Result<()> {
        let turn = match state.turn() {
            Turn::Player(seat) => seat,
            Turn::Chance => bail!("the position is a chance node: no player is to move"),
            Turn::Over => bail!("the game is over: no player is to move"),
        };
        let mut agent = self.agent.build::<G>()?;
        let mut analyst = Analyst { spec: &self.agent, agent: agent.as_mut(), seed: self.seed, stop: None };
        let decision = analyst.analyze(state, self.multipv.get())?;
        let candidates: Vec<_> = decision.candidates().iter().map(AnalyzedAction::new).collect();
        if self.json {
            let position = AnalyzedPosition { turn, candidates };
            return Ok(writeln!(output(), "{}", serde_json::to_string(&position)?)?);
        }
        self.print(state, game, turn, (&decision, &candidates))
    }

    fn print<G: Game>(
        &self,
        state: &G,
        game: GameSpec,
        turn: Seat,
        (decision, candidates): (&Decision<G>, &[AnalyzedAction]),
    ) -> anyhow::Result<()> {
        let (mut out, columns) = (output(), self.width.columns());
        let (players, round) = (state.players(), state.round());
        writeln!(out, "{game}, {players} players, round {round}: seat {turn} to move")?;
        if let Some(SearchSummary { nodes, depth, time, .. }) = &decision.search {
            let seconds = time.as_secs_f64();
            let spent = format!("{}: {nodes} nodes, {depth} plies deep, {seconds:.1} s", self.agent);
            Wrapping { columns, indent: 2 }.write(&mut out, "", &spent)?;
        }
        writeln!(out)?;
        let table = Table::of(candidates)
            .text("action", |it| it.action.clone())
            .number("visits", |it| it.visits.to_string())
            .number("win %", |it| format!("{:.1}", 100.0 * it.win))
            .number("lead", |it| format!("{:+.1}", it.lead))
            .text("expected line", |it| it.line.join(" "))
            .build();
        Ok(tables::print(&mut out, &table, columns)?)
    }
}
