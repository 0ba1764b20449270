//! What both fronts share: the table, the choices that are open, the adviser's last word, and what commands
//! do.

use std::io;
use std::path::{Path, PathBuf};

use azulejo::record::RecordError;
use azulejo::{MoveError, Record, Seat};
use azulejo_agents::{AgentSpec, AgentSpecError, Decision};
use azulejo_experiments::game_loop::FaultReason;
use azulejo_experiments::record_file::{RecordFileError, replace};
use thiserror::Error;

use super::choices::{Choices, Pick};
use super::command::PlayCommand;
use super::deal_source::DealSource;
use super::player::Player;
use super::table::{GameTable, Waiting};
use super::table_agents::TableAgents;
use crate::display::GameDisplay;

/// Why a game with a person ended before its time.
#[derive(Debug, Error)]
pub enum PlayError {
    /// Reading or writing the terminal failed.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// An agent cannot be built.
    #[error(transparent)]
    Agent(#[from] AgentSpecError),
    /// A saved game cannot be played.
    #[error(transparent)]
    Record(#[from] RecordError),
    /// The game cannot be saved.
    #[error(transparent)]
    File(#[from] RecordFileError),
    /// An agent failed to move.
    #[error("seat {seat} ({agent}): {reason}")]
    Fault {
        /// Its seat.
        seat: Seat,
        /// What it is called.
        agent: String,
        /// What it did.
        reason: FaultReason,
    },
    /// What was drawn at a table cannot have been.
    #[error("what was drawn after {plies} moves: {why}")]
    Deal {
        /// The number of moves before.
        plies: usize,
        /// Why.
        why: MoveError,
    },
    /// An agent broke down while it was thinking.
    #[error("an agent broke down")]
    Breakdown,
}

/// Whether the evaluation of the position is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Evaluation {
    /// At every decision of a person.
    Shown,
    /// Not at all; hints still work.
    Hidden,
}

impl Evaluation {
    fn toggled(self) -> Self {
        match self {
            Evaluation::Shown => Evaluation::Hidden,
            Evaluation::Hidden => Evaluation::Shown,
        }
    }
}

/// How a game with persons is set up.
#[derive(Clone, Debug)]
pub struct SessionSettings {
    /// The players, one a seat.
    pub players: Vec<Player>,
    /// The seed of deals and agents.
    pub seed: u64,
    /// The agent that evaluates and gives hints.
    pub adviser: AgentSpec,
    /// Whether the evaluation is shown at first.
    pub evaluation: Evaluation,
    /// Where the game is saved, unasked after every move.
    pub file: Option<PathBuf>,
    /// Where it is saved at the command `save` if nothing else is named.
    pub default_file: PathBuf,
    /// A file that exists and may be replaced: it holds nothing but the game that is gone on with.
    pub replaceable: Option<PathBuf>,
    /// A game to go on with.
    pub load: Option<Record>,
    /// Where chance outcomes come from.
    pub deals: DealSource,
}

/// The choices of a person to move; none while others move.
fn open_choices<G: GameDisplay>(table: &GameTable<G>) -> Choices<G> {
    match table.waiting() {
        Waiting::Person(_) => Choices::of(table.state()),
        _ => Choices::none(),
    }
}

/// What a command did, for the front to show.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Effect {
    /// The position changed.
    Moved,
    /// A line to be shown.
    Message(String),
    /// The choices that begin with this are to be listed.
    List(String),
    /// The adviser is to be asked, or its last word shown again.
    Hint,
    /// The evaluation was switched.
    Evaluation(Evaluation),
    /// A text about the game is to be shown.
    Guide(Vec<String>),
    /// The commands are to be listed.
    Help,
    /// The person leaves.
    Quit,
}

/// A game in play with all that its fronts have in common.
pub struct Session<G: GameDisplay> {
    pub(super) table: GameTable<G>,
    pub(super) choices: Choices<G>,
    pub(super) evaluation: Evaluation,
    /// The adviser's spec.
    pub(super) adviser: String,
    /// What the adviser said of the present position, if it has been asked.
    pub(super) advice: Option<Decision<G>>,
    file: Option<PathBuf>,
    default_file: PathBuf,
    /// The files that a save may replace: they hold only this game.
    own_files: Vec<PathBuf>,
    /// Why the game could not be saved after the last move, until the person has been told.
    pub(super) unsaved: Option<String>,
}

impl<G: GameDisplay> Session<G> {
    /// Sets up a game, and the agents beside it.
    ///
    /// # Errors
    /// An agent that cannot be built, a saved game that cannot be played, or a file that cannot be written.
    pub fn new(
        rules: &'static G::Rules,
        settings: SessionSettings,
    ) -> Result<(Self, TableAgents<G>), PlayError> {
        let SessionSettings {
            players,
            seed,
            adviser,
            evaluation,
            file,
            default_file,
            replaceable,
            load,
            deals,
        } = settings;
        let seed = load.as_ref().map_or(seed, |record| record.seed);
        let agents = TableAgents::new(&players, &adviser, seed)?;
        let table = match load {
            None => GameTable::new(rules, players, seed),
            Some(record) => GameTable::resume(rules, players, &record)?,
        };
        let table = table.with_deals(deals);
        let adviser = adviser.to_string();
        let choices = open_choices(&table);
        let own_files = replaceable.into_iter().collect();
        let mut session = Session {
            table,
            choices,
            evaluation,
            adviser,
            advice: None,
            file,
            default_file,
            own_files,
            unsaved: None,
        };
        // A file that cannot be written is noticed before the game.
        session.keep()?;
        Ok((session, agents))
    }

    /// Takes note of a new position, also in the file that was named at the start: whatever ends the program, the game
    /// so far is there.
    pub(super) fn moved(&mut self) {
        self.advice = None;
        self.choices = open_choices(&self.table);
        self.unsaved = self.keep().err().map(|error| format!("not saved: {error}"));
    }

    /// Carries out what a person typed at a decision, or while others move.
    pub(super) fn execute(&mut self, line: &str) -> Effect {
        match PlayCommand::read(line) {
            PlayCommand::Nothing => {
                Effect::Message("type a number, a move or a command; ? lists them".to_owned())
            }
            PlayCommand::Choice(text) => self.choose(text),
            PlayCommand::Undo => self.undo(),
            PlayCommand::Hint if self.choices.len() == 0 => Effect::Message(self.no_choice()),
            PlayCommand::Hint => Effect::Hint,
            PlayCommand::Evaluation => {
                self.evaluation = self.evaluation.toggled();
                Effect::Evaluation(self.evaluation)
            }
            PlayCommand::Save(file) => Effect::Message(match self.save(file.map(Path::new)) {
                Ok(path) => format!("saved to {}", path.display()),
                Err(error) => error.to_string(),
            }),
            PlayCommand::Quit => Effect::Quit,
            PlayCommand::Guide(topic) => Effect::Guide(self.table.state().guide(topic)),
            PlayCommand::Help => Effect::Help,
        }
    }

    /// Deals what is known of the next chance node.
    ///
    /// # Errors
    /// If it cannot be.
    pub(super) fn deal(&mut self) -> Result<(), PlayError> {
        let plies = self.table.plies();
        self.table.deal().map_err(|why| PlayError::Deal { plies, why })
    }

    /// Plays what was drawn at a table.
    fn enter(&mut self, token: &str) -> Effect {
        match self.table.enter(token) {
            Ok(()) => {
                self.moved();
                Effect::Moved
            }
            Err(why) => Effect::Message(why.to_string()),
        }
    }

    fn choose(&mut self, text: &str) -> Effect {
        if self.table.waiting() == Waiting::Entry {
            return self.enter(text);
        }
        if self.choices.len() == 0 {
            return Effect::Message(self.no_choice());
        }
        match self.choices.pick(self.table.state(), text) {
            Pick::Action(action) => self.play(action),
            Pick::Beginning => Effect::List(text.to_owned()),
            Pick::Nothing(why) => Effect::Message(why),
        }
    }

    /// Why there is nothing to choose.
    fn no_choice(&self) -> String {
        match self.table.waiting() {
            Waiting::Nobody => "the game is over: u takes back, s saves, q quits".to_owned(),
            _ => "it is not your turn".to_owned(),
        }
    }

    /// Plays a choice of the person to move.
    pub(super) fn play(&mut self, action: G::Action) -> Effect {
        match self.table.act(action, None) {
            Ok(()) => {
                self.moved();
                Effect::Moved
            }
            Err(why) => Effect::Message(format!("{action}: {why}")),
        }
    }

    fn undo(&mut self) -> Effect {
        if !self.table.undo() {
            return Effect::Message("there is nothing to take back".to_owned());
        }
        self.moved();
        Effect::Moved
    }

    /// Saves the game: into a file that is named now, the one named at the start, or the default one.
    fn save(&mut self, named: Option<&Path>) -> Result<PathBuf, RecordFileError> {
        let path = named.or(self.file.as_deref()).unwrap_or(&self.default_file).to_owned();
        if path.exists() && !self.own_files.contains(&path) {
            return Err(RecordFileError::Exists { path });
        }
        replace(&path, &self.table.record().to_line())?;
        if !self.own_files.contains(&path) {
            self.own_files.push(path.clone());
        }
        Ok(path)
    }

    /// Saves the game so far if a file was named at the start; returns the file.
    ///
    /// # Errors
    /// If it cannot be written.
    pub(super) fn keep(&mut self) -> Result<Option<PathBuf>, RecordFileError> {
        if self.file.is_none() { Ok(None) } else { self.save(None).map(Some) }
    }

    /// The error for an agent's failure at a seat.
    pub(super) fn fault(&self, seat: Seat, reason: FaultReason) -> PlayError {
        PlayError::Fault { seat, agent: self.table.players()[seat.index()].label(), reason }
    }
}
