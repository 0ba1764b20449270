//! A session of the engine protocol with the program itself.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Stdio};
use std::time::{Duration, Instant};

use crate::azulejo;

struct Session {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Session {
    fn start() -> Self {
        let mut child = azulejo(&["engine"]).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let (input, output) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
        Session { child, input, output: BufReader::new(output) }
    }

    fn say(&mut self, line: &str) {
        writeln!(self.input, "{line}").unwrap();
    }

    fn hear(&mut self) -> String {
        let mut line = String::new();
        self.output.read_line(&mut line).unwrap();
        line.trim_end().to_owned()
    }

    fn ask(&mut self, line: &str) -> String {
        self.say(line);
        self.hear()
    }

    fn end(mut self) {
        drop(self.input);
        assert!(self.child.wait().unwrap().success());
    }
}

#[test]
fn a_game_is_played_to_its_end() {
    let mut session = Session::start();
    session.say("setoption name Agent value greedy");
    session.say("setoption name Players value 3");
    session.say("uginewgame");
    let mut moves: Vec<String> = Vec::new();
    loop {
        let played = match session.ask("query turn").as_str() {
            "response over" => break,
            "response chance" => session.ask("query sample").strip_prefix("response ").unwrap().to_owned(),
            _ => session.ask("go").strip_prefix("bestmove ").unwrap().to_owned(),
        };
        moves.push(played);
        session.say(&format!("position startpos moves {}", moves.join(" ")));
    }
    let wins = session.ask("query wins");
    let sum: f64 =
        wins.strip_prefix("response ").unwrap().split(' ').map(|win| win.parse::<f64>().unwrap()).sum();
    assert!((sum - 1.0).abs() < 1e-9, "{wins}");
    assert_eq!(session.ask("query scores").split(' ').count(), 4);
    session.end();
}

#[test]
fn a_long_search_stops_when_it_is_told() {
    let mut session = Session::start();
    session.say("setoption name Agent value mcts");
    let deal = session.ask("query sample").strip_prefix("response ").unwrap().to_owned();
    session.say(&format!("position startpos moves {deal}"));
    let start = Instant::now();
    session.say("go movetime 60000");
    assert_eq!(session.ask("isready"), "readyok", "isready is answered during a search");
    session.say("query turn");
    session.say("stop");
    let mut line = session.hear();
    while line.starts_with("info ") {
        line = session.hear();
    }
    assert!(line.starts_with("bestmove "), "{line}");
    assert_eq!(session.hear(), "response 0", "what waited is answered afterwards");
    session.say("go movetime 60000");
    session.say("quit");
    let mut line = session.hear();
    while line.starts_with("info ") {
        line = session.hear();
    }
    assert!(line.starts_with("bestmove "), "{line}");
    assert!(session.child.wait().unwrap().success(), "quit ends although the input stays open");
    assert!(start.elapsed() < Duration::from_secs(30));
}

#[test]
fn a_state_with_101_tiles_is_refused() {
    let mut session = Session::start();
    let start = session.ask("query state").strip_prefix("response ").unwrap().to_owned();
    let refused = session.ask(&format!("position state {}", start.replacen("\"bag\":[20", "\"bag\":[21", 1)));
    assert!(refused.starts_with("error ") && refused.contains("bag"), "{refused}");
    assert!(session.ask("position startpos moves fly").starts_with("error illegal move fly at 0: "));
    assert!(session.ask("sing").starts_with("error unknown command 'sing'"));
    assert_eq!(session.ask("query state"), format!("response {start}"));
    session.end();
}
