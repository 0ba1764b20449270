//! `azulejo play`

use std::io::{BufReader, stdin};
use std::path::{Path, PathBuf};

use crate::display::{GameDisplay, Palette};
use crate::play::{
    DealSource, Evaluation, PlayError, Player, Session, SessionSettings, prompt, recorded, screen, seated,
};
use crate::terminal;
use anyhow::Context;
use azulejo::{Record, with_game};
use azulejo_agents::AgentSpec;
use azulejo_agents::bounded_file::read_text;
use azulejo_experiments::record_file::{RecordFileError, find, has_one_line};
use clap::Args;

use super::directory::time;
use super::options::TableOptions;
use super::signals::{STOP, end_at_signals, leave_at_signals};
use crate::output::output;

/// The strongest bot: who plays and gives hints where nobody is named. It repeats itself, as no clock limits it.
const STRONGEST: &str = "ladder:level=10";
/// The most bytes of a file of deals.
const MOST_DEALS: u64 = 1 << 20;

/// Play against agents at the terminal
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  azulejo play mcts:sims=800
  azulejo play --game summer-pavilion --players 3 --seat 1 --seed 7 greedy mcts
  azulejo play --players 2 human                 two persons at one terminal
  azulejo play --save game.jsonl greedy
  azulejo play --load game.jsonl                 goes on with that game
  azulejo play --deals - human                   follows a real table: type what is drawn and played

Type the number of a choice or the move itself. u takes back, h gives a hint, e switches the
evaluation on or off, s saves, q quits, ? lists everything.")]
pub(super) struct PlayArgs {
    /// Who plays at the other seats: one agent for all of them, or one for each in order; `human` is a person
    #[arg(value_name = "AGENT")]
    agents: Vec<Player>,
    #[command(flatten)]
    table: TableOptions,
    /// Your seat, from 0; may be given several times [default: 0]
    #[arg(long = "seat", value_name = "N")]
    seats: Vec<usize>,
    /// The seed of deals and agents: the same seed deals the same tiles [default: another one each time]
    #[arg(long, value_name = "S")]
    seed: Option<u64>,
    /// The agent that evaluates positions and gives hints
    #[arg(long, value_name = "AGENT", default_value = STRONGEST)]
    hint: AgentSpec,
    /// Begin without the evaluation
    #[arg(long)]
    no_eval: bool,
    /// Take what is drawn from a real table: from this file, a token a line as in records, and typed in where it ends; - for all
    /// typed in
    #[arg(long, value_name = "FILE", conflicts_with = "seed")]
    deals: Option<PathBuf>,
    /// Save the game to this new file, after every move
    #[arg(long, value_name = "FILE")]
    save: Option<PathBuf>,
    /// Go on with a recorded game; AGENT and --seat change who plays
    #[arg(long, value_name = "FILE", conflicts_with_all = ["game", "players", "seed"])]
    load: Option<PathBuf>,
    /// With --load the game with this `index` [default: the file's first game]
    #[arg(long, value_name = "N", requires = "load")]
    game_index: Option<u64>,
    /// Lines of text instead of a full screen; always so without a capable terminal
    #[arg(long)]
    plain: bool,
}

/// Which front the person has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Front {
    Screen,
    Plain,
}

impl PlayArgs {
    pub(super) fn run(self) -> anyhow::Result<()> {
        let replaceable = match &self.load {
            Some(file) if has_one_line(file)? => Some(file.clone()),
            _ => None,
        };
        let foreign = |file: &&PathBuf| replaceable.as_ref() != Some(*file) && file.exists();
        if let Some(path) = self.save.as_ref().filter(foreign) {
            return Err(RecordFileError::Exists { path: path.clone() }.into());
        }
        let load = self.load.as_ref().map(|file| find(file, self.game_index)).transpose()?;
        let load = load.map(|(record, _)| record);
        let game = match &load {
            Some(record) => {
                let game = record.spec()?;
                game.check_players(record.players)?;
                game
            }
            None => self.table.checked()?.0,
        };
        let front = if self.plain || !terminal::is_capable() { Front::Plain } else { Front::Screen };
        let deals = self.deals.as_deref().map_or(Ok(DealSource::Seed), read_deals)?;
        let settings = SessionSettings {
            players: self.players(load.as_ref())?,
            seed: self.seed.unwrap_or_else(fresh_seed),
            adviser: self.hint,
            evaluation: if self.no_eval { Evaluation::Hidden } else { Evaluation::Shown },
            // A game that goes on is saved where it came from, but only when the person says so.
            default_file: replaceable.clone().unwrap_or_else(|| format!("azulejo-{}.jsonl", time()).into()),
            replaceable,
            file: self.save,
            load,
            deals,
        };
        with_game!(game, |rules: &'static G::Rules| sit::<G>(rules, settings, front))
    }

    fn players(&self, load: Option<&Record>) -> anyhow::Result<Vec<Player>> {
        let seats = if self.seats.is_empty() { &[0][..] } else { &self.seats };
        let Some(record) = load.filter(|_| self.agents.is_empty()) else {
            let players = load.map_or(self.table.players, |record| record.players);
            let default = [Player::Agent(Box::new(STRONGEST.parse()?))];
            let others = if self.agents.is_empty() { &default[..] } else { &self.agents };
            return Ok(seated(players, seats, others)?);
        };
        let mut all = recorded(&record.agents);
        all.resize(record.players, Player::Person);
        if !self.seats.is_empty() || !all.contains(&Player::Person) {
            let others: Vec<Player> =
                (0..all.len()).filter(|seat| !seats.contains(seat)).map(|seat| all[seat].clone()).collect();
            all = seated(record.players, seats, &others)?;
        }
        all.iter().try_for_each(Player::check_harmless)?;
        Ok(all)
    }
}

/// What was drawn at a table, as far as a file tells it.
fn read_deals(file: &Path) -> anyhow::Result<DealSource> {
    if file == Path::new("-") {
        return Ok(DealSource::read(""));
    }
    let text = read_text(file, MOST_DEALS).with_context(|| file.display().to_string())?;
    Ok(DealSource::read(&text))
}

/// A seed that no game before had: the milliseconds since 1970.
fn fresh_seed() -> u64 {
    u64::try_from(jiff::Timestamp::now().as_millisecond()).unwrap_or_default()
}

/// Plays a game on this front.
fn sit<G: GameDisplay>(
    rules: &'static G::Rules,
    settings: SessionSettings,
    front: Front,
) -> anyhow::Result<()> {
    let (session, agents) = Session::<G>::new(rules, settings)?;
    let played: Result<(), PlayError> = match front {
        Front::Plain => {
            end_at_signals()?;
            prompt::play(session, agents, BufReader::new(stdin()), output())
        }
        Front::Screen => {
            leave_at_signals()?;
            screen::play(session, agents, Palette::from_environment(), &STOP)
        }
    };
    played.map_err(|error| match error {
        PlayError::Io(error) => error.into(),
        error => error.into(),
    })
}
