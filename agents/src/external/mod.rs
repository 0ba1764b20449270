//! Programs of any kind as agents: they speak the engine protocol (`docs/protocol.md`) on standard input and
//! output.
//!
//! A program is started once and plays game after game. Whatever it does wrong is an error of that choice
//! within a limit of time; it is killed then, and started afresh for the next game.

mod engine;
mod error_log;
mod process;
mod supervision;
#[cfg(test)]
mod tests;
mod words;

use std::time::{Duration, Instant};

use azulejo::{Game, History, Move, Rules, Turn, variant_of};
use serde::Serialize;

use crate::agent::{Agent, AgentError, Decision, Limits, SearchSummary};
use crate::builder::AgentBuilder;
use crate::clock::TimeLimits;
use crate::game_knowledge::GameKnowledge;
use crate::label::Label;
use crate::parameters::{AgentParameters, AgentSpecError, ParameterValue, keyword_enum};
use crate::protocol::{EngineOption, ProtocolCommand, SearchLimits};
use crate::rule_knowledge::{KnownKeys, RuleKnowledge};

use engine::Engine;
pub use engine::EngineError;
pub use error_log::LogFile;
pub use process::{Process, Silence, kill_all};
pub use supervision::supervise_by;
pub use words::Words;

crate::agent_parameters! {
    /// Lets another program play, which speaks the engine protocol.
    ExternalParameters = "exec" {
        /// The program and its arguments, as in a shell; blanks and commas within words in quotes.
        cmd: Words = Words::default(),
        /// Options for the program: words NAME=VALUE, as in a shell; default: none.
        options: Words = Words::default(),
        /// Milliseconds a move, sent as movetime; default: the program decides.
        time: Option<u64> = None,
        /// Milliseconds a move of processor time, sent as cputime for the program to keep; default: the program decides.
        cpu: Option<u64> = None,
        /// Nodes a move, sent as nodes; default: the program decides.
        nodes: Option<u64> = None,
        /// Milliseconds that the program may take to start, and to get ready for a move; default 10000.
        start: u64 = 10_000,
        /// Milliseconds beyond time after which the program has lost; default 1000, without time 60000 (beyond cpu, if given).
        /// The time that it takes is measured and told, and choices that took more than time are counted.
        margin: Option<u64> = None,
        /// How positions are sent: moves, from the start of the game, or state, as one JSON object; default moves.
        position: PositionForm = PositionForm::Moves,
        /// A file to which each line of the program's error output is added, with the number of its process; default: none.
        stderr: LogFile = LogFile::default(),
    }
}

keyword_enum! {
    /// How an engine is told a position.
    PositionForm {
        /// By the moves from the start of the game, where they lead to it, otherwise by its state.
        Moves = "moves",
        /// By its state: programs that keep no game need no rules to play moves by.
        State = "state",
    }
}

impl ExternalParameters {
    /// The same, with what the program calls itself (`id name`) as its name, if it has none yet and says one that is free.
    /// That name is no part of the spec.
    ///
    /// The program is started for that. One that does not start or introduce itself stays without a name: what is wrong
    /// with it shows when it is to play.
    #[must_use]
    pub fn introduced(&self, is_free: impl Fn(&str) -> bool) -> Self {
        let mut introduced = self.clone();
        if introduced.name.is_none() && !self.cmd.as_slice().is_empty() {
            let own = self.own_name().and_then(|name| Label::of_program(&name));
            introduced.name = own.filter(|name| is_free(name.as_str()));
        }
        introduced
    }

    fn own_name(&self) -> Option<String> {
        let mut engine = Engine::start(self.cmd.as_slice(), &self.stderr).ok()?;
        let said = engine.introduce(Duration::from_millis(self.start)).is_ok();
        let name = engine.name().filter(|_| said).map(str::to_owned);
        engine.process().kill();
        name
    }
}

impl AgentBuilder for ExternalParameters {
    fn build<G: GameKnowledge>(&self) -> Result<Box<dyn Agent<G>>, AgentSpecError> {
        let refuse = |key, value: &Words, expected| Self::refusal(key, &value.print(), expected);
        if self.cmd.as_slice().is_empty() {
            return Err(refuse("cmd", &self.cmd, "a program and its arguments".to_owned()));
        }
        let options = options(&self.options)
            .map_err(|word| refuse("options", &self.options, format!("words NAME=VALUE, not '{word}'")))?;
        self.stderr.open().map_err(|error| {
            Self::refusal("stderr", &self.stderr.print(), format!("a file that can be written: {error}"))
        })?;
        let engine = Engine::start(self.cmd.as_slice(), &self.stderr)
            .map_err(|error| refuse("cmd", &self.cmd, format!("a program that can be started: {error}")))?;
        Ok(Box::new(ExternalAgent::<G> {
            parameters: self.clone(),
            options,
            engine: Some(engine),
            seed: 0,
            table: None,
            moves: Vec::new(),
        }))
    }

    fn rule_knowledge<G: GameKnowledge>(&self) -> Result<RuleKnowledge, AgentSpecError> {
        Ok(RuleKnowledge { keys: KnownKeys::Unsaid, by: "a program that is told the rules" })
    }
}

/// The names and values of options; the error is a word that is none.
fn options(words: &Words) -> Result<Vec<(String, String)>, &str> {
    let pairs = words.as_slice().iter().map(|word| match word.split_once('=') {
        Some((name, value)) if !name.is_empty() && !value.is_empty() => {
            Ok((name.to_owned(), value.to_owned()))
        }
        _ => Err(word.as_str()),
    });
    pairs.collect()
}

/// Milliseconds beyond the time for a move after which an engine has lost.
const MARGIN: u64 = 1000;
/// The same where no time for a move is given: a limit that only an engine that hangs should meet.
const PATIENCE: u64 = 60_000;

/// Asks another program for its moves.
struct ExternalAgent<G: Game> {
    parameters: ExternalParameters,
    options: Vec<(String, String)>,
    /// `None` after a fault: started again when it is needed.
    engine: Option<Engine>,
    seed: u64,
    /// The rules and the number of players of the game that the engine was told of.
    table: Option<(&'static G::Rules, usize)>,
    /// The moves that were observed; of which game, only the state to choose in tells.
    moves: Vec<Move<G>>,
}

impl<G: Game> ExternalAgent<G> {
    /// The engine's answer and the time that it took; after an error the engine must not be used again.
    fn ask(&mut self, state: &G, limits: &Limits<'_>) -> Result<(G::Action, Duration), EngineError> {
        let start = Duration::from_millis(self.parameters.start);
        let observed = match self.parameters.position {
            PositionForm::Moves => self.observed(state),
            PositionForm::State => None,
        };
        let (json, moves) = match observed {
            Some(history) => (None, history.moves().iter().map(ToString::to_string).collect::<Vec<_>>()),
            None => (Some(json(state)), Vec::new()),
        };
        let (search, patience) = self.search(limits);
        let engine = self.ready_engine(state, start)?;
        let moves = moves.iter().map(String::as_str).collect();
        engine.say(&ProtocolCommand::Position { state: json.as_deref(), moves });
        engine.ready(start)?;
        let began = Instant::now();
        let token = engine.best_move(search, patience, limits.stop)?;
        let took = began.elapsed();
        let illegal = |why: String| EngineError::Action { action: azulejo::excerpt(&token), why };
        let action: G::Action = token.parse().map_err(|error| illegal(format!("{error}")))?;
        state.check_action(action).map_err(|why| illegal(why.to_string()))?;
        Ok((action, took))
    }

    /// A choice; what it took is part of it where a time limits it.
    fn decision(&self, action: G::Action, took: Duration, limits: &Limits<'_>) -> Decision<G> {
        let (SearchLimits { time, cpu, .. }, _) = self.search(limits);
        if time.or(cpu).is_none() {
            return Decision::plain(action);
        }
        Decision {
            action,
            search: Some(SearchSummary { time: took, timed: true, ..SearchSummary::nothing() }),
        }
    }

    /// The engine, started and told of the game.
    fn ready_engine(&mut self, state: &G, start: Duration) -> Result<&mut Engine, EngineError> {
        let engine = match self.engine.take() {
            Some(engine) => engine,
            None => {
                self.table = None;
                let command = self.parameters.cmd.as_slice();
                let log = &self.parameters.stderr;
                Engine::start(command, log).map_err(|error| EngineError::Start(error.to_string()))?
            }
        };
        let engine = self.engine.insert(engine);
        if engine.introduce(start)? {
            self.options.iter().for_each(|(name, value)| engine.set(name, value));
            engine.ready(start)?;
        }
        let (rules, players) = (state.rules(), state.players());
        let same = |table: (&G::Rules, usize)| std::ptr::eq(table.0, rules) && table.1 == players;
        if !self.table.is_some_and(same) {
            engine.set(EngineOption::Game.name(), &variant_of::<G>(rules));
            // The game comes with its own rules: only changed ones have to be told.
            let changes = rules.changes();
            if !changes.is_empty() {
                engine.set(EngineOption::Rules.name(), &json(&changes));
            }
            engine.set(EngineOption::Players.name(), &players.to_string());
            if engine.offers(EngineOption::Seed) {
                engine.set(EngineOption::Seed.name(), &self.seed.to_string());
            }
            engine.say(&ProtocolCommand::NewGame);
            engine.ready(start)?;
            self.table = Some((rules, players));
        }
        Ok(engine)
    }

    /// The game that was observed; `None` if its moves do not lead to this state.
    fn observed(&self, state: &G) -> Option<History<G>> {
        let mut history = History::new(state.rules(), state.players());
        self.moves.iter().try_for_each(|played| history.push(*played)).ok()?;
        (history.state() == state).then_some(history)
    }

    /// The limits of a search, and how long to wait for its answer.
    fn search(&self, limits: &Limits<'_>) -> (SearchLimits, Duration) {
        let ExternalParameters { time, cpu, nodes, margin, .. } = self.parameters;
        let (nodes, TimeLimits { time, cpu }) = match limits.replace_own() {
            true => (limits.nodes, TimeLimits::of(limits)),
            false => (nodes, TimeLimits::from_millis(time, cpu)),
        };
        let beyond = Duration::from_millis(margin.unwrap_or(if time.is_some() { MARGIN } else { PATIENCE }));
        (
            SearchLimits { nodes, time, cpu, ..SearchLimits::default() },
            time.or(cpu).unwrap_or_default().saturating_add(beyond),
        )
    }
}

fn json(value: &impl Serialize) -> String {
    serde_json::to_string(value).expect("states and changed rules have only plain values and text keys")
}

impl<G: Game> Agent<G> for ExternalAgent<G> {
    fn new_game(&mut self, seed: u64) {
        self.seed = seed;
        self.table = None;
        self.moves.clear();
    }

    fn choose(&mut self, state: &G, limits: &Limits<'_>) -> Result<Decision<G>, AgentError> {
        let Turn::Player(_) = state.turn() else { return Err(AgentError::NoTurn) };
        match self.ask(state, limits) {
            Ok((action, took)) => Ok(self.decision(action, took, limits)),
            Err(error) => {
                if let Some(mut engine) = self.engine.take() {
                    engine.process().kill();
                }
                Err(AgentError::Failed(error.to_string()))
            }
        }
    }

    fn observe(&mut self, played: &Move<G>) {
        self.moves.push(*played);
    }
}
