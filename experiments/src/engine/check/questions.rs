//! The checks of an engine's manners, all on positions of Azul.

use std::time::{Duration, Instant};

use azulejo::{GameSpec, Generator, Turn, shortened};

use super::examiner::{Examiner, listed};
use super::{Problem, ProtocolCheck, failed};
use crate::engine::board::{PositionStart, ProtocolBoard, new_board};

/// Beyond a time for a move, and after `stop` and `quit`.
const MARGIN: Duration = Duration::from_secs(1);
/// How long a search for a few nodes may take.
const SEARCH: Duration = Duration::from_secs(30);

const DEAL: &str = "DBBYR/KKWW/BYRK/RRRR/BWWW";
const DEALT: &str = "position startpos moves DBBYR/KKWW/BYRK/RRRR/BWWW";

/// All checks; the handshake is the first.
pub(super) const CHECKS: [ProtocolCheck; 22] = [
    ProtocolCheck { name: "handshake", expected: "'id name <name>' and 'ugiok' within 10 s", ask: handshake },
    ProtocolCheck {
        name: "options",
        expected: "'option name <name> type …' with Game and Players",
        ask: options,
    },
    ProtocolCheck { name: "isready", expected: "'readyok' and nothing else", ask: |it| it.tell("isready") },
    ProtocolCheck { name: "empty line", expected: "no answer", ask: |it| it.tell("") },
    ProtocolCheck { name: "unknown command", expected: "one line 'error …', and no exit", ask: unknown },
    ProtocolCheck {
        name: "setoption",
        expected: "no answer; 'error …' to a game that does not exist",
        ask: set_option,
    },
    ProtocolCheck { name: "uginewgame", expected: "no answer", ask: |it| it.tell("uginewgame") },
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
        ask: |it| compare(it, "turn"),
    },
    ProtocolCheck {
        name: "query legal",
        expected: "'response' and the legal actions",
        ask: |it| compare(it, "legal"),
    },
    ProtocolCheck {
        name: "query state",
        expected: "'response' and the state's JSON",
        ask: |it| compare(it, "state"),
    },
    ProtocolCheck {
        name: "query scores",
        expected: "'response' and a number a seat",
        ask: |it| compare(it, "scores"),
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
    ProtocolCheck { name: "go", expected: "'bestmove <legal action>'", ask: |it| search(it, "", SEARCH) },
    ProtocolCheck {
        name: "go nodes",
        expected: "'bestmove …' after 10 nodes",
        ask: |it| search(it, "nodes 10", SEARCH),
    },
    ProtocolCheck { name: "go movetime", expected: "'bestmove …' within 300 ms and 1 s", ask: movetime },
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

fn at_the_end() -> String {
    format!("position startpos moves {}", whole_game().join(" "))
}

fn handshake(it: &mut Examiner) -> Result<(), Problem> {
    it.introduce()?;
    if it.introduction.iter().any(|line| line.starts_with("id name ")) {
        return Ok(());
    }
    failed(format!("{} without 'id name <name>'", listed(&it.introduction)))
}

fn options(it: &mut Examiner) -> Result<(), Problem> {
    let options: Vec<&String> = it.introduction.iter().filter(|line| line.starts_with("option")).collect();
    for line in &options {
        if !line.starts_with("option name ") || !line.contains(" type ") {
            return failed(format!("'{}'", shortened(line)));
        }
    }
    for name in ["Game", "Players"] {
        let known = |line: &&&String| line.starts_with(&format!("option name {name} type "));
        if options.iter().find(known).is_none() {
            return failed(format!("no option {name}"));
        }
    }
    Ok(())
}

fn unknown(it: &mut Examiner) -> Result<(), Problem> {
    it.refused("sing")?;
    it.refused("position nowhere").map(drop)
}

fn set_option(it: &mut Examiner) -> Result<(), Problem> {
    it.refused("setoption name Game value no-such-game")?;
    it.tell("setoption name Game value azul")?;
    it.tell("setoption name Players value 2")
}

fn startpos(it: &mut Examiner) -> Result<(), Problem> {
    it.tell("position startpos")?;
    it.tell(DEALT)?;
    it.tell(&at_the_end())
}

fn state(it: &mut Examiner) -> Result<(), Problem> {
    let (start, dealt) = (azul(&[]).state(), azul(&[DEAL]).state());
    it.tell(&format!("position state {start} moves {DEAL}"))?;
    it.tell(&format!("position state {dealt}"))?;
    legal(&it.go("nodes 10", SEARCH)?)
}

fn illegal(it: &mut Examiner) -> Result<(), Problem> {
    it.tell(DEALT)?;
    for (line, start) in [
        (format!("{DEALT} 2R1"), "error illegal move 2R1 at 1"),
        (format!("{DEALT} 2K1 fly"), "error illegal move fly at 2"),
        ("position startpos moves 2K1".to_owned(), "error illegal move 2K1 at 0"),
    ] {
        let answer = it.refused(&line)?;
        if !answer.starts_with(start) {
            return failed(format!("'{}', which does not begin with '{start}'", shortened(&answer)));
        }
    }
    // The position after the deal: seat 0 is to move.
    legal(&it.go("nodes 10", SEARCH)?)
}

/// Compares the answer to a query at the start, in the middle and at the end of a game with the built-in
/// engine's.
fn compare(it: &mut Examiner, what: &str) -> Result<(), Problem> {
    let game = whole_game();
    let whole: Vec<&str> = game.iter().map(String::as_str).collect();
    for moves in [&whole[..0], &whole[..1], &whole[..whole.len() / 2], &whole[..]] {
        it.tell(&format!("position startpos {}", super::games::moves_clause(moves)))?;
        let found = it.query(what)?;
        super::games::same(&*azul(moves), what, &found)?;
    }
    Ok(())
}

fn wins(it: &mut Examiner) -> Result<(), Problem> {
    it.tell(&at_the_end())?;
    let found = it.query("wins")?;
    let game = whole_game();
    let board = azul(&game.iter().map(String::as_str).collect::<Vec<_>>());
    super::games::same(&*board, "wins", &found)?;
    it.tell(DEALT)?;
    it.refused("query wins").map(drop)
}

fn sample(it: &mut Examiner) -> Result<(), Problem> {
    it.tell("position startpos")?;
    for _ in 0..5 {
        let outcome = it.query("sample")?;
        it.tell("position startpos")?;
        let mut board = azul(&[]);
        if let Err(error) = board.set(PositionStart::Game(2), &[&outcome]) {
            return failed(error.to_string());
        }
    }
    it.tell(DEALT)?;
    it.refused("query sample").map(drop)
}

/// Whether an action is legal after the deal.
fn legal(action: &str) -> Result<(), Problem> {
    if azul(&[DEAL]).legal().iter().any(|legal| legal == action) {
        return Ok(());
    }
    failed(format!("'bestmove {}', which is not legal", shortened(action)))
}

fn search(it: &mut Examiner, limits: &str, patience: Duration) -> Result<(), Problem> {
    it.tell(DEALT)?;
    legal(&it.go(limits, patience)?)
}

fn movetime(it: &mut Examiner) -> Result<(), Problem> {
    let time = Duration::from_millis(300);
    search(it, &format!("movetime {}", time.as_millis()), time + MARGIN)
}

fn no_turn(it: &mut Examiner) -> Result<(), Problem> {
    it.tell("position startpos")?;
    it.refused("go nodes 10")?;
    it.tell(&at_the_end())?;
    it.refused("go nodes 10").map(drop)
}

fn stop(it: &mut Examiner) -> Result<(), Problem> {
    it.tell(DEALT)?;
    it.process().say("go movetime 60000");
    let mut lines = it.ask(&[])?;
    it.process().say("stop");
    if !lines.iter().any(|line| line.starts_with("bestmove")) {
        lines = it.hear_until("bestmove", MARGIN)?;
    }
    let best = lines.iter().find_map(|line| line.strip_prefix("bestmove "));
    legal(best.unwrap_or_default())?;
    it.tell("isready")
}

fn quit(it: &mut Examiner) -> Result<(), Problem> {
    it.tell(DEALT)?;
    it.process().say("quit");
    if it.process().ends_before(Instant::now() + MARGIN) { Ok(()) } else { failed("it still runs") }
}
