//! The checks of an engine's manners, all on positions of Azul.

use std::time::{Duration, Instant};

use azulejo::{GameSpec, Generator, Turn, shortened};
use azulejo_agents::protocol::{EngineOption, ProtocolCommand, ProtocolReply, Query, SearchLimits};

use super::examiner::{Examiner, best_move, listed};
use super::{PATIENCE, Problem, ProtocolCheck, failed};
use crate::engine::board::{PositionStart, ProtocolBoard, new_board};

/// Beyond a time for a move, and after `stop` and `quit`.
const MARGIN: Duration = Duration::from_secs(1);
/// How long a search for a few nodes may take.
const SEARCH: Duration = Duration::from_secs(30);

/// A search for a few nodes.
const FEW: SearchLimits =
    SearchLimits { nodes: Some(10), time: None, cpu: None, infinite: false, multipv: None };
const DEAL: &str = "DBBYR/KKWW/BYRK/RRRR/BWWW";

/// All checks; the handshake is the first.
pub(super) const CHECKS: [ProtocolCheck; 23] = [
    ProtocolCheck { name: "handshake", expected: "'id name <name>' and 'ugiok' within 10 s", ask: handshake },
    ProtocolCheck {
        name: "options",
        expected: "'option name <name> type …' with Game and Players",
        ask: options,
    },
    ProtocolCheck {
        name: "isready",
        expected: "'readyok' and nothing else",
        ask: |it| it.tell(ProtocolCommand::IsReady),
    },
    ProtocolCheck { name: "empty line", expected: "no answer", ask: |it| it.tell("") },
    ProtocolCheck { name: "unknown command", expected: "one line 'error …', and no exit", ask: unknown },
    ProtocolCheck {
        name: "setoption",
        expected: "no answer; 'error …' to a game that does not exist",
        ask: set_option,
    },
    ProtocolCheck { name: "uginewgame", expected: "no answer", ask: |it| it.tell(ProtocolCommand::NewGame) },
    ProtocolCheck { name: "position startpos", expected: "no answer, with and without moves", ask: startpos },
    ProtocolCheck { name: "position state", expected: "no answer, with and without moves", ask: state },
    ProtocolCheck {
        name: "illegal move",
        expected: "'error illegal move …', and the position stays",
        ask: illegal,
    },
    ProtocolCheck {
        name: "query turn",
        expected: "'response 0', or chance or over",
        ask: |it| compare(it, Query::Turn),
    },
    ProtocolCheck {
        name: "query legal",
        expected: "'response' and the legal actions",
        ask: |it| compare(it, Query::Legal),
    },
    ProtocolCheck {
        name: "query state",
        expected: "'response' and the state's JSON",
        ask: |it| compare(it, Query::State),
    },
    ProtocolCheck {
        name: "query scores",
        expected: "'response' and a number a seat",
        ask: |it| compare(it, Query::Scores),
    },
    ProtocolCheck {
        name: "query wins",
        expected: "'response' and a share a seat, an error before the end",
        ask: wins,
    },
    ProtocolCheck {
        name: "query sample",
        expected: "'response' and a possible deal, an error at a turn",
        ask: sample,
    },
    ProtocolCheck {
        name: "go",
        expected: "'bestmove <legal action>'",
        ask: |it| search(it, SearchLimits::default(), SEARCH).map_err(Problem::insisted),
    },
    ProtocolCheck {
        name: "go nodes",
        expected: "'bestmove …' after 10 nodes",
        ask: |it| search(it, FEW, SEARCH).map_err(Problem::insisted),
    },
    ProtocolCheck { name: "go movetime", expected: "'bestmove …' within 300 ms and 1 s", ask: movetime },
    ProtocolCheck {
        name: "go cputime",
        expected: "'bestmove …' after 300 ms of processor time, within 10 s",
        ask: cputime,
    },
    ProtocolCheck {
        name: "go without a turn",
        expected: "one line 'error …' at chance and at the end",
        ask: no_turn,
    },
    ProtocolCheck {
        name: "stop",
        expected: "'readyok' during a search, 'bestmove …' within 1 s of stop",
        ask: stop,
    },
    ProtocolCheck { name: "quit", expected: "the process ends within 1 s", ask: quit },
];

/// The built-in engine's position after moves from the start of a game of Azul for two.
fn azul(moves: &[&str]) -> Box<dyn ProtocolBoard> {
    let game: GameSpec = "azul".parse().expect("azul is registered");
    let mut board = new_board(game, 2);
    board.set(PositionStart::Game(2), moves).expect("the moves are legal");
    board
}

/// The moves of a random game of Azul.
fn whole_game() -> Vec<String> {
    let (mut rng, mut moves) = (Generator::new(7), Vec::<String>::new());
    loop {
        let board = azul(&moves.iter().map(String::as_str).collect::<Vec<_>>());
        match board.turn() {
            Turn::Over => return moves,
            Turn::Chance => moves.extend(board.sample(&mut rng)),
            Turn::Player(_) => {
                let legal = board.legal();
                moves.push(legal[rng.below(legal.len() as u64) as usize].clone());
            }
        }
    }
}

/// The command for a position after moves from the start.
fn after<'a>(moves: &[&'a str]) -> ProtocolCommand<'a> {
    ProtocolCommand::Position { state: None, moves: moves.to_vec() }
}

/// Sets the position at the end of a game.
fn tell_end(it: &mut Examiner) -> Result<(), Problem> {
    it.tell(after(&whole_game().iter().map(String::as_str).collect::<Vec<_>>()))
}

fn handshake(it: &mut Examiner) -> Result<(), Problem> {
    it.introduce()?;
    if it.introduction.iter().any(|line| matches!(ProtocolReply::read(line), Some(ProtocolReply::Name(_)))) {
        return Ok(());
    }
    failed(format!("{} without 'id name <name>'", listed(&it.introduction)))
}

fn options(it: &mut Examiner) -> Result<(), Problem> {
    let mut known = Vec::new();
    for line in &it.introduction {
        if let Some(ProtocolReply::Option { name, kind }) = ProtocolReply::read(line) {
            if name.is_empty() || kind.is_empty() {
                return failed(format!("'{}'", shortened(line)));
            }
            known.push(name);
        }
    }
    match [EngineOption::Game, EngineOption::Players].iter().find(|option| !known.contains(&option.name())) {
        Some(missing) => failed(format!("no option {missing}")),
        None => Ok(()),
    }
}

fn unknown(it: &mut Examiner) -> Result<(), Problem> {
    it.refused("sing")?;
    it.refused("position nowhere").map(drop)
}

fn set_option(it: &mut Examiner) -> Result<(), Problem> {
    let set = |option: EngineOption, value| ProtocolCommand::SetOption { name: option.name(), value };
    it.refused(set(EngineOption::Game, "no-such-game"))?;
    it.tell(set(EngineOption::Game, "azul"))?;
    it.tell(set(EngineOption::Players, "2"))
}

fn startpos(it: &mut Examiner) -> Result<(), Problem> {
    it.tell(after(&[]))?;
    it.tell(after(&[DEAL]))?;
    tell_end(it)
}

fn state(it: &mut Examiner) -> Result<(), Problem> {
    let (start, dealt) = (azul(&[]).state(), azul(&[DEAL]).state());
    it.tell(ProtocolCommand::Position { state: Some(&start), moves: vec![DEAL] })?;
    it.tell(ProtocolCommand::Position { state: Some(&dealt), moves: Vec::new() })?;
    legal(&it.go(FEW, SEARCH).map_err(Problem::insisted)?)
}

fn illegal(it: &mut Examiner) -> Result<(), Problem> {
    it.tell(after(&[DEAL]))?;
    for (moves, start) in [
        (&[DEAL, "2R1"][..], "error illegal move 2R1 at 1"),
        (&[DEAL, "2K1", "fly"], "error illegal move fly at 2"),
        (&["2K1"], "error illegal move 2K1 at 0"),
    ] {
        let answer = it.refused(after(moves))?;
        if !answer.starts_with(start) {
            return failed(format!("'{}', which does not begin with '{start}'", shortened(&answer)));
        }
    }
    // The position after the deal: seat 0 is to move.
    legal(&it.go(FEW, SEARCH).map_err(Problem::insisted)?)
}

/// Compares the answer to a query at the start, in the middle and at the end of a game with the built-in
/// engine's.
fn compare(it: &mut Examiner, query: Query) -> Result<(), Problem> {
    let game = whole_game();
    let whole: Vec<&str> = game.iter().map(String::as_str).collect();
    for moves in [&whole[..0], &whole[..1], &whole[..whole.len() / 2], &whole[..]] {
        it.tell(after(moves))?;
        let found = it.query(query)?;
        super::games::same(&*azul(moves), query, &found)?;
    }
    Ok(())
}

fn wins(it: &mut Examiner) -> Result<(), Problem> {
    tell_end(it)?;
    let found = it.query(Query::Wins)?;
    let game = whole_game();
    let board = azul(&game.iter().map(String::as_str).collect::<Vec<_>>());
    super::games::same(&*board, Query::Wins, &found)?;
    it.tell(after(&[DEAL]))?;
    it.refused(ProtocolCommand::Query(Query::Wins)).map(drop)
}

fn sample(it: &mut Examiner) -> Result<(), Problem> {
    it.tell(after(&[]))?;
    for _ in 0..5 {
        let outcome = it.query(Query::Sample)?;
        it.tell(after(&[]))?;
        let mut board = azul(&[]);
        if let Err(error) = board.set(PositionStart::Game(2), &[&outcome]) {
            return failed(error.to_string());
        }
    }
    it.tell(after(&[DEAL]))?;
    it.refused(ProtocolCommand::Query(Query::Sample)).map(drop)
}

/// Whether an action is legal after the deal.
fn legal(action: &str) -> Result<(), Problem> {
    if azul(&[DEAL]).legal().iter().any(|legal| legal == action) {
        return Ok(());
    }
    failed(format!("'bestmove {}', which is not legal", shortened(action)))
}

fn search(it: &mut Examiner, limits: SearchLimits, patience: Duration) -> Result<(), Problem> {
    it.tell(after(&[DEAL]))?;
    legal(&it.go(limits, patience)?)
}

fn movetime(it: &mut Examiner) -> Result<(), Problem> {
    let time = Duration::from_millis(300);
    let limits = SearchLimits { time: Some(time), ..SearchLimits::default() };
    search(it, limits, time + MARGIN).map_err(Problem::insisted)
}

/// An engine may not know the limit, but then has to say so. How much longer it takes on the wall clock is the machine's.
fn cputime(it: &mut Examiner) -> Result<(), Problem> {
    let cpu = Some(Duration::from_millis(300));
    search(it, SearchLimits { cpu, ..SearchLimits::default() }, PATIENCE)
}

fn no_turn(it: &mut Examiner) -> Result<(), Problem> {
    it.tell(after(&[]))?;
    it.refused(ProtocolCommand::Go(FEW))?;
    tell_end(it)?;
    it.refused(ProtocolCommand::Go(FEW)).map(drop)
}

fn stop(it: &mut Examiner) -> Result<(), Problem> {
    it.tell(after(&[DEAL]))?;
    let long = SearchLimits { time: Some(Duration::from_secs(60)), ..SearchLimits::default() };
    it.process().say(ProtocolCommand::Go(long));
    let mut lines = it.ask(&[])?;
    it.process().say(ProtocolCommand::Stop);
    if !lines.iter().any(|line| best_move(line).is_some()) {
        lines = it.hear_until(ProtocolReply::BestMove(""), MARGIN)?;
    }
    let best = lines.iter().find_map(|line| best_move(line));
    legal(best.unwrap_or_default())?;
    it.tell(ProtocolCommand::IsReady)
}

fn quit(it: &mut Examiner) -> Result<(), Problem> {
    it.tell(after(&[DEAL]))?;
    it.process().say(ProtocolCommand::Quit);
    if it.process().ends_before(Instant::now() + MARGIN) { Ok(()) } else { failed("it still runs") }
}
