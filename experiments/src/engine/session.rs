//! A session: reads commands, answers them, and searches on a thread of its own.

use std::fmt::Display;
use std::io::{self, BufRead, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, SyncSender};
use std::thread;

use azulejo::{
    Changes, GameSpec, Generator, MAX_PLAYERS, PerPlayer, SpecError, Turn, check_seats, excerpt, shortened,
};
use azulejo_agents::AgentSpec;
use azulejo_agents::lines::{LineError, LineReader};
use azulejo_agents::protocol::{
    EngineOption, MAX_LINE, ProtocolCommand, ProtocolReply, Query, SearchLimits, turn_text,
};
use serde_json::Value;

use super::backlog::{Backlog, Room};
use super::board::{PositionError, PositionStart, ProtocolBoard, Thinking, new_board};
use crate::stream::Stream;

/// How many lines and answers may wait to be handled.
const QUEUE: usize = 16;
/// What a waiting command takes beside its text, in bytes.
const OVERHEAD: usize = 64;

const DEFAULT_GAME: &str = "azul";
const DEFAULT_PLAYERS: usize = 2;
const DEFAULT_AGENT: &str = "mcts";
const DEFAULT_SEED: u64 = 1;

/// Speaks the protocol until `quit` or the end of the input.
///
/// # Errors
/// If the output cannot be written, or the system starts no thread.
pub fn serve(input: impl BufRead + Send + 'static, output: impl Write) -> io::Result<()> {
    let (sender, events) = mpsc::sync_channel(QUEUE);
    let reader = sender.clone();
    let session = EngineSession::new(output, sender);
    let room = session.waiting.room();
    // Not joined: it may wait for input that never comes after the session has ended.
    thread::Builder::new().spawn(move || read_input(input, &reader, &room))?;
    session.run(&events)
}

/// What a session waits for.
enum SessionEvent {
    Line(Result<String, LineError>),
    EndOfInput,
    /// What a search tells on the way.
    Progress(Vec<String>),
    Answer(Vec<String>),
}

fn read_input(input: impl BufRead, events: &SyncSender<SessionEvent>, room: &Room) {
    let mut lines = LineReader::new(input, MAX_LINE);
    while let Some(line) = lines.read() {
        room.wait();
        let event = SessionEvent::Line(line.map(|(text, _)| text));
        if events.send(event).is_err() {
            return;
        }
    }
    // The session may have ended already.
    _ = events.send(SessionEvent::EndOfInput);
}

/// Whether a session goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum SessionFlow {
    Continue,
    End,
}

struct Options {
    game: GameSpec,
    players: usize,
    thinking: Thinking,
}

struct EngineSession<W> {
    output: W,
    events: SyncSender<SessionEvent>,
    options: Options,
    board: Box<dyn ProtocolBoard>,
    samples: Generator,
    /// While a search runs: setting it ends the search.
    search: Option<Arc<AtomicBool>>,
    /// Whether the search that runs has no end of its own.
    infinite: bool,
    /// What came in during the search and waits for its end.
    waiting: Backlog<SessionEvent>,
    /// Whether later searches are to answer at once, because the user has quit.
    quitting: bool,
}

impl<W: Write> EngineSession<W> {
    fn new(output: W, events: SyncSender<SessionEvent>) -> Self {
        let game = DEFAULT_GAME.parse().expect("the default game is registered");
        let agent = DEFAULT_AGENT.parse().expect("the default agent is registered");
        EngineSession {
            output,
            events,
            options: Options {
                game,
                players: DEFAULT_PLAYERS,
                thinking: Thinking { agent, seed: DEFAULT_SEED },
            },
            board: new_board(game, DEFAULT_PLAYERS),
            samples: Stream::Samples.generator(DEFAULT_SEED, &[]),
            search: None,
            infinite: false,
            waiting: Backlog::new(),
            quitting: false,
        }
    }

    fn run(mut self, events: &Receiver<SessionEvent>) -> io::Result<()> {
        while let Ok(event) = events.recv() {
            let mut next = Some(event);
            while let Some(event) = next {
                if self.handle(event)? == SessionFlow::End {
                    return Ok(());
                }
                next = if self.search.is_none() { self.waiting.pop() } else { None };
            }
        }
        Ok(())
    }

    fn handle(&mut self, event: SessionEvent) -> io::Result<SessionFlow> {
        match event {
            SessionEvent::Answer(lines) => {
                self.search = None;
                lines.iter().try_for_each(|line| self.write(line))?;
            }
            SessionEvent::Progress(lines) => lines.iter().try_for_each(|line| self.write(line))?,
            event if self.search.is_some() => self.handle_during_search(event)?,
            SessionEvent::EndOfInput => return Ok(SessionFlow::End),
            SessionEvent::Line(Err(error)) => self.error(&error.to_string())?,
            SessionEvent::Line(Ok(line)) => match ProtocolCommand::read(&line) {
                Ok(Some(ProtocolCommand::Quit)) => return Ok(SessionFlow::End),
                Ok(Some(command)) => self.execute(command)?,
                Ok(None) => {}
                Err(error) => self.error(&error.to_string())?,
            },
        }
        Ok(SessionFlow::Continue)
    }

    /// `stop`, `quit` and `isready` work at once, everything else waits.
    fn handle_during_search(&mut self, event: SessionEvent) -> io::Result<()> {
        if self.infinite && matches!(event, SessionEvent::EndOfInput) {
            // Nobody is left to say when.
            self.stop();
        }
        if let SessionEvent::Line(Ok(line)) = &event {
            match ProtocolCommand::read(line) {
                Ok(Some(ProtocolCommand::IsReady)) => return self.say(ProtocolReply::ReadyOk),
                Ok(Some(ProtocolCommand::Stop)) => {
                    self.stop();
                    return Ok(());
                }
                Ok(Some(ProtocolCommand::Quit)) => {
                    self.stop();
                    self.quitting = true;
                }
                _ => {}
            }
        }
        let length = if let SessionEvent::Line(Ok(line)) = &event { line.len() } else { 0 };
        self.waiting.push(event, length + OVERHEAD);
        Ok(())
    }

    fn stop(&self) {
        if let Some(stop) = &self.search {
            stop.store(true, Ordering::Relaxed);
        }
    }

    fn execute(&mut self, command: ProtocolCommand<'_>) -> io::Result<()> {
        match command {
            ProtocolCommand::Ugi => self.introduce(),
            ProtocolCommand::IsReady => self.say(ProtocolReply::ReadyOk),
            ProtocolCommand::SetOption { name, value } => {
                let result = self.set_option(name, value);
                self.report(result)
            }
            ProtocolCommand::NewGame => {
                self.board.forget();
                let result = self.set_position(None, &[]).map_err(|error| error.to_string());
                self.report(result)
            }
            ProtocolCommand::Position { state, moves } => {
                let result = self.set_position(state, &moves).map_err(|error| error.to_string());
                self.report(result)
            }
            ProtocolCommand::Query(query) => self.answer(query),
            ProtocolCommand::Go(limits) => self.go(limits),
            // Without a search there is nothing to stop; the caller handles `quit`.
            ProtocolCommand::Stop | ProtocolCommand::Quit => Ok(()),
        }
    }

    fn introduce(&mut self) -> io::Result<()> {
        self.say(ProtocolReply::Name(concat!("azulejo ", env!("CARGO_PKG_VERSION"))))?;
        for option in EngineOption::ALL {
            let kind = match option {
                EngineOption::Game => format!("string default {DEFAULT_GAME}"),
                EngineOption::Rules => "string default {}".to_owned(),
                EngineOption::Players => format!("spin default {DEFAULT_PLAYERS} min 2 max {MAX_PLAYERS}"),
                EngineOption::Agent => format!("string default {DEFAULT_AGENT}"),
                EngineOption::Seed => format!("spin default {DEFAULT_SEED} min 0 max {}", u64::MAX),
            };
            self.say(ProtocolReply::Option { name: option.name(), kind: &kind })?;
        }
        self.say(ProtocolReply::UgiOk)
    }

    fn set_option(&mut self, name: &str, value: &str) -> Result<(), String> {
        let option = EngineOption::read(name).ok_or_else(|| {
            let known = EngineOption::ALL.map(EngineOption::name).join(", ");
            format!("unknown option '{}'; known options: {known}", excerpt(name))
        })?;
        let unusable = |found: &str, expected: &str| {
            format!("option {option}: found '{}', expected {expected}", excerpt(found))
        };
        let options = &mut self.options;
        match option {
            EngineOption::Game => {
                options.game = value.parse().map_err(|error: SpecError| error.to_string())?
            }
            EngineOption::Rules => {
                let changes: Changes = serde_json::from_str(value)
                    .map_err(|error| format!("option {option}: {}", shortened(&error.to_string())))?;
                options.game =
                    options.game.variant().with_changes(&changes).map_err(|error| error.to_string())?;
            }
            EngineOption::Players => {
                let players = value.parse().map_err(|_| unusable(value, "a number from 2 to 4"))?;
                options.players =
                    check_seats(players, GameSpec::PLAYERS).map_err(|error| error.to_string())?;
            }
            EngineOption::Agent => {
                let agent = value.parse::<AgentSpec>().map_err(|error| error.to_string())?;
                options.thinking.agent = agent;
            }
            EngineOption::Seed => {
                let seed = value.parse().map_err(|_| unusable(value, "a whole number"))?;
                options.thinking.seed = seed;
                self.samples = Stream::Samples.generator(seed, &[]);
            }
        }
        Ok(())
    }

    /// Sets the position on the board of its game: the present one, so that the agent keeps what it knows, or
    /// a new one.
    fn set_position(&mut self, state: Option<&str>, moves: &[&str]) -> Result<(), PositionError> {
        let json = state.map(serde_json::from_str::<Value>).transpose();
        let json = json.map_err(|error| PositionError::Json(error.to_string()))?;
        let (game, start) = match &json {
            None => {
                let game = self.options.game;
                (game, PositionStart::Game(game.check_players(self.options.players)?))
            }
            Some(state) => (GameSpec::of_state(state)?, PositionStart::State(state)),
        };
        if self.board.game() == game {
            return self.board.set(start, moves);
        }
        let mut board = new_board(game, self.options.players);
        board.set(start, moves)?;
        self.board = board;
        Ok(())
    }

    fn answer(&mut self, query: Query) -> io::Result<()> {
        let response = match query {
            Query::Turn => Ok(turn_text(self.board.turn())),
            Query::Legal => Ok(self.board.legal().join(" ")),
            Query::State => Ok(self.board.state()),
            Query::Scores => Ok(list(&self.board.scores())),
            Query::Wins => self.board.wins().map(|wins| list(&wins)).ok_or("the game is not over"),
            Query::Sample => self.board.sample(&mut self.samples).ok_or("the position is not a chance node"),
            Query::Features => {
                let features = self.board.features();
                features.map(|active| joined(active.iter())).ok_or("the game has no features")
            }
            Query::Index => {
                let outputs = self.board.outputs();
                let pairs = |outputs: Vec<(String, usize)>| {
                    joined(outputs.iter().map(|(action, output)| format!("{action}={output}")))
                };
                outputs.map(pairs).ok_or("the game has no outputs")
            }
        };
        match response {
            Ok(text) => self.say(ProtocolReply::Response(&text)),
            Err(problem) => self.error(problem),
        }
    }

    fn go(&mut self, limits: SearchLimits) -> io::Result<()> {
        match self.board.turn() {
            Turn::Player(_) => {}
            Turn::Chance => return self.error("the position is a chance node: no player is to move"),
            Turn::Over => return self.error("the game is over: no player is to move"),
        }
        let search = match self.board.search(&self.options.thinking, limits) {
            Ok(search) => search,
            Err(error) => return self.error(&error.to_string()),
        };
        let stop = Arc::new(AtomicBool::new(self.quitting));
        let (events, order) = (self.events.clone(), stop.clone());
        let searching = thread::Builder::new().spawn(move || {
            // Only a session whose output broke has ended before the answer.
            let tell = |lines| _ = events.send(SessionEvent::Progress(lines));
            let answer = catch_unwind(AssertUnwindSafe(|| search(&stop, &tell)));
            let lines =
                answer.unwrap_or_else(|_| vec![ProtocolReply::Error("the agent crashed").to_string()]);
            _ = events.send(SessionEvent::Answer(lines));
        });
        if let Err(error) = searching {
            return self.error(&format!("the system starts no thread: {error}"));
        }
        (self.search, self.infinite) = (Some(order), limits.infinite);
        Ok(())
    }

    fn report(&mut self, result: Result<(), String>) -> io::Result<()> {
        result.or_else(|problem| self.error(&problem))
    }

    fn error(&mut self, problem: &str) -> io::Result<()> {
        self.say(ProtocolReply::Error(problem))
    }

    fn say(&mut self, reply: ProtocolReply<'_>) -> io::Result<()> {
        self.write(&reply.to_string())
    }

    /// Prints one line; control characters that came from outside cannot break it.
    fn write(&mut self, line: &str) -> io::Result<()> {
        let line = line.replace(char::is_control, " ");
        writeln!(self.output, "{line}")?;
        self.output.flush()
    }
}

fn list<T: Display>(values: &PerPlayer<T>) -> String {
    joined(values.as_slice().iter())
}

fn joined<T: Display>(values: impl Iterator<Item = T>) -> String {
    values.map(|value| value.to_string()).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use azulejo::azul::{Azul, AzulRules};
    use azulejo::{Encode, Game, Rules, intern};
    use azulejo_agents::protocol::CandidateInfo;
    use rand::seq::IndexedRandom;

    use super::*;

    /// The output of a whole session.
    fn session(input: impl Into<Vec<u8>>) -> Vec<String> {
        let mut output = Vec::new();
        serve(io::Cursor::new(input.into()), &mut output).unwrap();
        String::from_utf8(output).unwrap().lines().map(str::to_owned).collect()
    }

    /// The output of the last command of a session.
    fn last(input: &str) -> String {
        session(input).pop().unwrap()
    }

    const DEAL: &str = "DBBYR/KKWW/BYRK/RRRR/BWWW";

    #[test]
    fn ugi_introduces_the_engine() {
        let lines = session("ugi\n");
        assert_eq!(lines[0], concat!("id name azulejo ", env!("CARGO_PKG_VERSION")));
        assert_eq!(lines.last().unwrap(), "ugiok");
        for option in ["Game", "Rules", "Players", "Agent", "Seed"] {
            assert!(lines.iter().any(|line| line.starts_with(&format!("option name {option} type "))));
        }
    }

    #[test]
    fn isready_is_answered_and_empty_lines_are_not() {
        assert_eq!(session("\n  \nisready\n\r\n"), ["readyok"]);
    }

    #[test]
    fn options_take_effect_at_the_next_position() {
        let setup = "setoption name Players value 4\n";
        assert_eq!(last(&format!("{setup}query scores")), "response 0 0");
        assert_eq!(last(&format!("{setup}uginewgame\nquery scores")), "response 0 0 0 0");
        assert_eq!(last(&format!("{setup}position startpos\nquery scores")), "response 0 0 0 0");
        let gray = last("setoption name game value azul:gray\nuginewgame\nquery state");
        assert!(gray.contains("\"game\":\"azul:gray\""), "{gray}");
    }

    #[test]
    fn unusable_options_are_refused_and_change_nothing() {
        assert!(last("setoption name Game value chess").starts_with("error unknown game 'chess'; known"));
        assert!(last("setoption name Agent value deep").starts_with("error unknown agent 'deep'; known"));
        assert!(last("setoption name Players value 5").starts_with("error 5 players"));
        assert!(last("setoption name Players value two").starts_with("error option Players: found 'two'"));
        assert!(last("setoption name Seed value -1").starts_with("error option Seed"));
        assert!(
            last("setoption name Hash value 1").starts_with("error unknown option 'Hash'; known options")
        );
        let lines = session("setoption name Players value 5\nuginewgame\nquery scores");
        assert_eq!(lines[1], "response 0 0");
    }

    #[test]
    fn changed_rules_are_numbers_and_go_with_the_next_game() {
        let changed = "setoption name Game value azul:gray\nsetoption name Rules value {\"last_round\": 5}\nuginewgame\n";
        let state = last(&format!("{changed}query state"));
        assert!(state.contains(r#""game":"azul:gray","rules":{"last_round":5},"#), "{state}");
        let json = state.strip_prefix("response ").unwrap();
        assert_eq!(session(format!("position state {json}\nquery state\n")), [state.as_str()]);
        for (reset, rules) in
            [("Rules value {}", None), ("Game value azul", None), ("Seed value 5", Some("rules"))]
        {
            let state = last(&format!("{changed}setoption name {reset}\nuginewgame\nquery state"));
            assert_eq!(state.contains("rules"), rules.is_some(), "{state}");
        }
        let error = |value: &str| last(&format!("setoption name Rules value {value}"));
        assert!(error("{\"last_round\":0}").ends_with("last_round: found 0, expected 1 to 50"));
        assert!(error("[1]").starts_with("error option Rules: "));
        let file = last("setoption name Game value azul:rules=/no/such/file");
        assert!(file.starts_with("error 'rules=/no/such/file' of azul names a file"), "{file}");
    }

    #[test]
    fn features_and_outputs_are_those_of_networks() {
        let position = format!("position startpos moves {DEAL}\n");
        let active = last(&format!("{position}query features"));
        let active: Vec<usize> = active.split(' ').skip(1).map(|it| it.parse().unwrap()).collect();
        assert!(active.is_sorted() && active.len() > 10 && active.iter().all(|&it| it < Azul::FEATURES));
        let legal = last(&format!("{position}query legal"));
        let pairs = last(&format!("{position}query index"));
        let mut outputs = Vec::new();
        for (action, pair) in legal.split(' ').zip(pairs.split(' ')).skip(1) {
            let (named, output) = pair.split_once('=').unwrap();
            assert_eq!(named, action);
            outputs.push(output.parse::<usize>().unwrap());
        }
        assert!(outputs.len() > 30 && outputs.iter().all(|&output| output < Azul::OUTPUTS));
        assert_eq!(last("query index"), "response", "nobody is to move");
    }

    #[test]
    fn an_infinite_search_ends_at_stop_or_with_the_input() {
        let position = format!("setoption name Agent value mcts:memory=1\nposition startpos moves {DEAL}\n");
        let lines = session(format!("{position}go infinite\nisready\n"));
        assert_eq!(lines[0], "readyok");
        assert!(lines[1].starts_with("info ") && lines[2].starts_with("bestmove "), "{lines:?}");
        let lines = session(format!("{position}go infinite\nstop\nquery turn\n"));
        assert!(lines[1].starts_with("bestmove ") && lines[2] == "response 0", "{lines:?}");
    }

    /// The candidates among the lines of a session.
    fn candidates(lines: &[String]) -> Vec<CandidateInfo> {
        lines.iter().filter_map(|line| CandidateInfo::read(line.strip_prefix("info ")?)).collect()
    }

    #[test]
    fn the_best_actions_are_told_with_what_is_expected_of_them() {
        for agent in ["mcts", "neural:threads=2", "neural", "minimax:search=maxn"] {
            for (game, players) in [("azul", 2), ("summer-pavilion", 3), ("queens-garden", 4)] {
                let game =
                    format!("setoption name Game value {game}\nsetoption name Players value {players}\n");
                let deal = last(&format!("{game}uginewgame\nquery sample\n")).split_off("response ".len());
                let set = format!("{game}setoption name Agent value {agent}\nposition startpos moves {deal}");
                let lines = session(format!("{set}\nquery turn\nquery sample\n"));
                // Queen's Garden begins with more than one chance node.
                let set = match lines[1].strip_prefix("response ") {
                    Some(next) => format!("{set} {next}"),
                    None => set,
                };
                let lines = session(format!("{set}\ngo nodes 300 multipv 3\nquery legal\n"));
                let told = candidates(&lines);
                assert_eq!(
                    told.iter().map(|it| it.rank).collect::<Vec<_>>(),
                    [1, 2, 3],
                    "{agent}: {lines:?}"
                );
                let best = &lines[lines.len() - 2];
                assert_eq!(*best, format!("bestmove {}", told[0].action), "{agent}");
                for it in told {
                    assert!((0.0..=1.0).contains(&it.win) && it.line[0] == it.action, "{agent}: {it:?}");
                    assert!(lines.last().unwrap().split(' ').any(|legal| legal == it.action));
                }
            }
        }
        let go = format!("setoption name Agent value greedy\nposition startpos moves {DEAL}\ngo multipv 2\n");
        assert!(candidates(&session(go)).is_empty(), "who does not search has none to tell");
        assert!(candidates(&session(format!("position startpos moves {DEAL}\ngo nodes 50\n"))).is_empty());
        assert!(last("go multipv 3").starts_with("error the position is a chance node"));
    }

    #[test]
    fn a_search_tells_its_candidates_while_it_runs() {
        let go = "go multipv 2 movetime 1000";
        let lines = session(format!("position startpos moves {DEAL}\n{go}\nquery turn\n"));
        let told = candidates(&lines);
        let reports: Vec<_> = told.chunks(2).collect();
        assert!(reports.len() >= 2, "{lines:?}");
        assert!(reports.iter().all(|it| it[0].rank == 1 && it[1].rank == 2), "{lines:?}");
        assert!(reports.is_sorted_by_key(|it| it[0].visits + it[1].visits), "{lines:?}");
        assert_eq!(lines.last().unwrap(), "response 0");
    }

    #[test]
    fn positions_are_played_from_the_start() {
        let turns = format!("query turn\nposition startpos moves {DEAL}\nquery turn\n");
        assert_eq!(session(turns), ["response chance", "response 0"]);
        let after = format!("position startpos moves {DEAL} 2K1\nquery turn");
        assert_eq!(last(&after), "response 1");
    }

    #[test]
    fn an_illegal_move_keeps_the_former_position() {
        let lines = session(format!(
            "position startpos moves {DEAL}\nposition startpos moves {DEAL} 2R1\nquery turn\n\
             position startpos moves {DEAL} 2K1 fly\nposition startpos moves 2K1\n"
        ));
        assert!(lines[0].starts_with("error illegal move 2R1 at 1: "), "{}", lines[0]);
        assert_eq!(lines[1], "response 0");
        assert!(lines[2].starts_with("error illegal move fly at 2: 'fly' is not "), "{}", lines[2]);
        assert!(lines[3].starts_with("error illegal move 2K1 at 0: "), "{}", lines[3]);
    }

    #[test]
    fn a_state_brings_its_game_and_players() {
        let gray = Azul::new(intern(AzulRules::from_options(&["gray"]).unwrap()), 3);
        let json = serde_json::to_string_pretty(&gray).unwrap().replace('\n', " ");
        let lines = session(format!("position state {json}\nquery state\nquery scores\n"));
        let same: Value = serde_json::from_str(lines[0].strip_prefix("response ").unwrap()).unwrap();
        assert_eq!(same, serde_json::from_str::<Value>(&json).unwrap());
        assert_eq!(lines[1], "response 0 0 0");
    }

    #[test]
    fn a_state_is_followed_by_moves() {
        let start = last("query state");
        let json = start.strip_prefix("response ").unwrap();
        let lines = session(format!("position state {json} moves {DEAL} 2K1\nquery turn\n"));
        assert_eq!(lines, ["response 1"]);
    }

    #[test]
    fn a_faulty_state_is_named_and_the_former_position_stays() {
        let start = last("query state");
        let json = start.strip_prefix("response ").unwrap().replacen("\"bag\":[20", "\"bag\":[21", 1);
        let lines = session(format!(
            "position startpos moves {DEAL}\nposition state {json}\nposition state {{\"game\":\"go\"}}\n\
             position state {{}}\nposition state [1]\nquery turn"
        ));
        assert!(lines[0].starts_with("error ") && lines[0].contains("bag"), "{}", lines[0]);
        assert!(lines[1].starts_with("error game: unknown game 'go'"), "{}", lines[1]);
        assert!(lines[2].starts_with("error game: missing"), "{}", lines[2]);
        assert!(lines[3].starts_with("error game: missing"), "{}", lines[3]);
        assert_eq!(lines[4], "response 0");
    }

    #[test]
    fn legal_actions_come_in_the_engine_s_order() {
        let lines = session(format!("query legal\nposition startpos moves {DEAL}\nquery legal\n"));
        assert_eq!(lines[0], "response");
        let mut state = Azul::new(intern(AzulRules::default()), 2);
        state.play_token(DEAL).unwrap();
        let mut legal = Vec::new();
        state.legal_actions(&mut legal);
        let tokens: Vec<String> = legal.iter().map(ToString::to_string).collect();
        assert_eq!(lines[1], format!("response {}", tokens.join(" ")));
    }

    #[test]
    fn samples_are_possible_outcomes_and_are_not_applied() {
        let lines = session("query sample\nquery sample\nquery turn\n");
        assert_ne!(lines[0], lines[1]);
        assert_eq!(lines[2], "response chance");
        for line in &lines[..2] {
            let outcome = line.strip_prefix("response ").unwrap();
            assert_eq!(last(&format!("position startpos moves {outcome}\nquery turn")), "response 0");
        }
        let draft = format!("position startpos moves {DEAL}\nquery sample");
        assert!(last(&draft).starts_with("error "));
    }

    #[test]
    fn wins_exist_only_at_the_end() {
        assert_eq!(last("query wins"), "error the game is not over");
        let mut state = Azul::new(intern(AzulRules::default()), 2);
        let (mut rng, mut buffer) = (Generator::new(5), Vec::new());
        while state.turn() != Turn::Over {
            state.play_random(&mut rng, &mut buffer);
        }
        let json = serde_json::to_string(&state).unwrap();
        let lines = session(format!("position state {json}\nquery wins\nquery turn\nquery legal\ngo\n"));
        assert_eq!(lines[0], format!("response {}", list(&state.wins())));
        assert_eq!(lines[1..3], ["response over", "response"]);
        assert!(lines[3].starts_with("error the game is over"));
    }

    #[test]
    fn go_answers_with_a_legal_move() {
        assert!(last("go").starts_with("error the position is a chance node"));
        for agent in ["random", "greedy"] {
            let setup = format!("setoption name Agent value {agent}\nposition startpos moves {DEAL}\n");
            let lines = session(format!("{setup}query legal\ngo nodes 10 movetime 50\nisready\nquit\n"));
            let best = lines.iter().find_map(|line| line.strip_prefix("bestmove ")).unwrap();
            assert!(lines[0].split(' ').any(|action| action == best), "{best} is not in {}", lines[0]);
            assert!(lines.contains(&"readyok".to_owned()));
        }
    }

    #[test]
    fn the_end_of_the_input_waits_for_the_answer() {
        let lines = session(format!("position startpos moves {DEAL}\ngo nodes 50\nquery turn"));
        let [info, best, turn] = lines.as_slice() else { panic!("{lines:?}") };
        assert!(info.starts_with("info depth ") && info.contains(" nodes 50 "), "{info}");
        let best = best.strip_prefix("bestmove ").unwrap();
        assert!(info.contains(&format!(" pv {best}")), "{info}, but {best}");
        assert_eq!(turn, "response 0");
    }

    #[test]
    fn an_agent_that_cannot_be_built_is_an_error() {
        let setup = "setoption name Agent value greedy:weights=absent.toml\n";
        let line = last(&format!("{setup}position startpos moves {DEAL}\ngo\n"));
        assert!(line.starts_with("error ") && line.contains("absent.toml"), "{line}");
    }

    #[test]
    fn the_same_seed_gives_the_same_moves() {
        let play = |seed: u64| {
            let setup = format!("setoption name Agent value random\nsetoption name Seed value {seed}\n");
            session(format!("{setup}position startpos moves {DEAL}\ngo\ngo\ngo\ngo\nquery sample\n"))
        };
        assert_eq!(play(3), play(3));
        assert_ne!(play(3), play(4));
    }

    #[test]
    fn quit_ends_at_once_and_later_lines_are_not_read() {
        assert_eq!(session("isready\nquit\nisready\n"), ["readyok"]);
    }

    #[test]
    fn unreadable_lines_get_one_error_each() {
        let mut input = b"\xff\xfe\nisready\n".to_vec();
        input.extend(std::iter::repeat_n(b'x', MAX_LINE + 1));
        input.extend(b"\nisready\n");
        let lines = session(input);
        assert_eq!(lines[0], "error line is not UTF-8");
        assert_eq!(lines[1], "readyok");
        assert_eq!(lines[2], format!("error line longer than {MAX_LINE} bytes"));
        assert_eq!(lines[3], "readyok");
    }

    #[test]
    fn garbage_gets_one_error_a_line_and_never_ends_the_session() {
        const WORDS: [&str; 24] = [
            "ugi",
            "isready",
            "setoption",
            "name",
            "value",
            "Game",
            "azul",
            "position",
            "startpos",
            "state",
            "moves",
            DEAL,
            "2K1",
            "{",
            "}",
            "{\"game\":\"azul\"}",
            "query",
            "legal",
            "go",
            "nodes",
            "0",
            "\u{0}",
            "\u{1b}[31m",
            "é",
        ];
        let mut rng = Generator::new(9);
        for _ in 0..2000 {
            let count = 1 + rng.below(6);
            let words: Vec<&str> = (0..count).filter_map(|_| WORDS.choose(&mut rng).copied()).collect();
            let lines = session(format!("{}\nisready\n", words.join(" ")));
            assert_eq!(lines.last().unwrap(), "readyok", "{words:?}");
            let refused = lines.iter().filter(|line| line.starts_with("error ")).count();
            assert!(refused <= 1, "{words:?}: {lines:?}");
            assert!(lines.iter().all(|line| !line.contains(char::is_control)), "{lines:?}");
        }
    }
}
