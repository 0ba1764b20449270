//! `play` and `replay` on a pseudo-terminal: whole games on the full screen and line by line.

use std::io::{Read, Write};
use std::num::NonZero;
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use portable_pty::{Child, CommandBuilder, PtySize, native_pty_system};
use tempfile::tempdir;

use crate::{succeed, text};

/// How long anything may take.
const PATIENCE: Duration = Duration::from_secs(60);

/// The program on a terminal of 24 lines and 80 columns.
struct Terminal {
    child: Box<dyn Child + Send + Sync>,
    keys: Box<dyn Write + Send>,
    /// Everything that the program has written, and what it looks like.
    seen: Arc<Mutex<Seen>>,
    /// Kept open as long as the program runs.
    _pair: Box<dyn portable_pty::MasterPty + Send>,
}

struct Seen {
    bytes: Vec<u8>,
    screen: vt100::Parser,
}

impl Terminal {
    fn start(kind: &str, arguments: &[&str]) -> Self {
        let size = PtySize { rows: 24, cols: 80, pixel_width: 0, pixel_height: 0 };
        let pair = native_pty_system().openpty(size).unwrap();
        let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_azulejo"));
        command.args(arguments);
        command.env("TERM", kind);
        command.env_remove("NO_COLOR");
        let child = pair.slave.spawn_command(command).unwrap();
        let screen = vt100::Parser::new(NonZero::new(24).unwrap(), NonZero::new(80).unwrap(), 0);
        let seen = Arc::new(Mutex::new(Seen { bytes: Vec::new(), screen }));
        let (mut output, shared) = (pair.master.try_clone_reader().unwrap(), seen.clone());
        thread::spawn(move || {
            let mut buffer = [0; 4096];
            while let Ok(count @ 1..) = output.read(&mut buffer) {
                let mut seen = shared.lock().unwrap();
                seen.bytes.extend(&buffer[..count]);
                seen.screen.process(&buffer[..count]);
            }
        });
        let keys = pair.master.take_writer().unwrap();
        Terminal { child, keys, seen, _pair: pair.master }
    }

    /// What the screen shows.
    fn screen(&self) -> String {
        self.seen.lock().unwrap().screen.screen().contents()
    }

    /// Everything that was written.
    fn output(&self) -> String {
        String::from_utf8_lossy(&self.seen.lock().unwrap().bytes).into_owned()
    }

    /// Whether a text is on the screen, or was written line by line.
    fn shows(&self, text: &str) -> bool {
        self.screen().contains(text) || self.output().contains(text)
    }

    fn press(&mut self, keys: &str) {
        self.keys.write_all(keys.as_bytes()).unwrap();
        self.keys.flush().unwrap();
    }

    fn wait_for(&self, what: &str, ready: impl Fn(&Self) -> bool) {
        let start = Instant::now();
        while !ready(self) {
            assert!(start.elapsed() < PATIENCE, "{what} does not come; the screen is\n{}", self.screen());
            thread::sleep(Duration::from_millis(2));
        }
    }

    fn wait_to_see(&self, text: &str) {
        self.wait_for(text, |it| it.screen().contains(text));
    }

    /// Waits for the end of the program and returns whether it succeeded.
    fn end(&mut self) -> bool {
        let start = Instant::now();
        loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                return status.success();
            }
            assert!(start.elapsed() < PATIENCE, "the program does not end\n{}", self.screen());
            thread::sleep(Duration::from_millis(2));
        }
    }

    /// Whether the program has entered the full screen and has left it.
    fn is_restored(&self) -> bool {
        let output = self.output();
        let (entered, left) = (output.rfind("\u{1b}[?1049h"), output.rfind("\u{1b}[?1049l"));
        entered.is_some() && left > entered
    }
}

#[test]
fn no_size_of_the_terminal_ends_a_program() {
    for (rows, cols) in [(0, 0), (1, 1), (2, 65535), (65535, 65535)] {
        let pair =
            native_pty_system().openpty(PtySize { rows, cols, pixel_width: 0, pixel_height: 0 }).unwrap();
        for arguments in [
            &["play", "--no-eval", "greedy"][..],
            &["bench", "--filter", "random", "--game", "azul", "--slice", "1"],
        ] {
            let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_azulejo"));
            command.args(arguments);
            command.env("TERM", "xterm");
            command.env("COLUMNS", cols.to_string());
            let mut child = pair.slave.spawn_command(command).unwrap();
            let mut output = pair.master.try_clone_reader().unwrap();
            let mut keys = pair.master.take_writer().ok();
            thread::spawn(move || std::io::copy(&mut output, &mut std::io::sink()));
            thread::sleep(Duration::from_millis(500));
            keys.iter_mut().for_each(|keys| keys.write_all(b"q").unwrap());
            let start = Instant::now();
            let status = loop {
                if let Some(status) = child.try_wait().unwrap() {
                    break status;
                }
                assert!(start.elapsed() < PATIENCE, "{arguments:?} does not end at {rows} times {cols}");
                keys.iter_mut().for_each(|keys| _ = keys.write_all(b"q"));
                thread::sleep(Duration::from_millis(100));
            };
            assert!(status.success(), "{arguments:?} at {rows} times {cols}: {status:?}");
        }
    }
}

#[test]
fn a_program_whose_terminal_is_gone_ends() {
    let size = PtySize { rows: 24, cols: 80, pixel_width: 0, pixel_height: 0 };
    let pair = native_pty_system().openpty(size).unwrap();
    let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_azulejo"));
    command.args(["play", "--no-eval", "greedy"]);
    command.env("TERM", "xterm");
    let mut child = pair.slave.spawn_command(command).unwrap();
    let mut output = pair.master.try_clone_reader().unwrap();
    // The first thing drawn, on the full screen.
    let (mut seen, mut buffer) = (Vec::new(), [0; 4096]);
    while !String::from_utf8_lossy(&seen).contains("seat 0") {
        let count = output.read(&mut buffer).unwrap();
        assert_ne!(count, 0, "nothing is drawn");
        seen.extend(&buffer[..count]);
    }
    drop((output, pair));
    let start = Instant::now();
    while child.try_wait().unwrap().is_none() {
        assert!(start.elapsed() < PATIENCE, "the program goes on without a terminal");
        thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn a_closed_terminal_loses_no_move() {
    let directory = tempdir().unwrap();
    let file = directory.path().join("game.jsonl");
    for (kind, ready) in [("xterm", "number or move, Enter"), ("dumb", "seat 0> ")] {
        _ = std::fs::remove_file(&file);
        let mut terminal = Terminal::start(kind, &arguments("azul", text(&file)));
        terminal.wait_for(ready, |it| it.shows(ready));
        terminal.press("1\r");
        let moves =
            || azulejo_experiments::record_file::find(&file, None).map_or(0, |found| found.0.moves.len());
        // The deal, the person's move and the agent's.
        terminal.wait_for("a saved move", |_| moves() >= 3);
        // The hangup that a closed terminal sends.
        terminal.child.kill().unwrap();
        terminal.end();
        let saved = moves();
        assert!(saved >= 3);
        let mut again = Terminal::start("dumb", &["play", "--no-eval", "--load", text(&file)]);
        again.wait_for("the game", |it| it.output().contains("seat 0> "));
        again.press("1\r");
        again.wait_for("another move", |it| it.output().matches("seat 0> ").count() >= 2);
        again.press("q\r");
        assert!(again.end());
        assert_eq!(moves(), saved, "without --save nothing is written");
    }
}

#[test]
fn the_game_explains_itself_at_the_table() {
    let directory = tempdir().unwrap();
    let file = directory.path().join("game.jsonl");
    for (kind, ready) in [("xterm", "number or move, Enter"), ("dumb", "seat 0> ")] {
        _ = std::fs::remove_file(&file);
        let mut terminal = Terminal::start(kind, &arguments("queens-garden", text(&file)));
        terminal.wait_for(ready, |it| it.shows(ready));
        for (word, expected) in [
            ("rules", "buy a face-down expansion for 6 points"),
            ("points", "15 points"),
            ("legend", "fo the fountain"),
        ] {
            terminal.press(&format!("{word}\r"));
            terminal.wait_for(expected, |it| it.shows(expected));
            terminal.press(if kind == "xterm" { " " } else { "\r" });
        }
    }
}

fn arguments<'a>(game: &'a str, save: &'a str) -> [&'a str; 11] {
    ["play", "--game", game, "--seed", "1", "--save", save, "--no-eval", "--hint", "mcts:sims=5", "greedy"]
}

fn is_result(screen: &str) -> bool {
    screen.contains("seat 0 wins") || screen.contains("seat 1 wins") || screen.contains("share the win")
}

/// A whole game on the full screen, in which the person always takes the first choice.
fn play_on_screen(game: &str) {
    let directory = tempdir().unwrap();
    let file = directory.path().join("game.jsonl");
    let mut terminal = Terminal::start("xterm-256color", &arguments(game, text(&file)));
    terminal.wait_to_see("number or move, Enter");
    assert!(terminal.screen().contains("seat 1 greedy: "), "{}", terminal.screen());
    terminal.press("?");
    terminal.wait_to_see("takes back your last decision");
    terminal.press(" ");
    terminal.press("h");
    terminal.wait_to_see("hint (mcts:sims=5): ");
    terminal.press(" nonsense\r");
    terminal.wait_to_see("nonsense");
    while !is_result(&terminal.screen()) {
        let before = terminal.screen();
        terminal.press("1\r");
        terminal.wait_for("a move", |it| {
            let screen = it.screen();
            screen != before && screen.contains("number or move, Enter") || is_result(&screen)
        });
    }
    // What is drawn last.
    terminal.wait_to_see("Tab boards");
    let result = terminal.screen();
    assert!(
        result.contains("points") && result.contains("human") && result.contains("Tab boards"),
        "{result}"
    );
    terminal.press("\t");
    terminal.wait_to_see("seat 1 greedy: ");
    terminal.press("q");
    assert!(terminal.end());
    terminal.wait_for("the saved file's name", |it| it.output().contains("saved to "));
    assert!(terminal.is_restored());
    check(&file);
}

/// A whole game line by line on a terminal that can do nothing else.
fn play_in_lines(game: &str) {
    let directory = tempdir().unwrap();
    let file = directory.path().join("game.jsonl");
    let mut terminal = Terminal::start("dumb", &arguments(game, text(&file)));
    let over = "q or Enter quits> ";
    let prompts = |it: &Terminal| it.output().matches("seat 0> ").count();
    let mut answered = 0;
    loop {
        terminal.wait_for("a prompt", |it| prompts(it) > answered || it.output().contains(over));
        if terminal.output().contains(over) {
            break;
        }
        answered += 1;
        terminal.press("1\n");
    }
    terminal.press("\n");
    assert!(terminal.end());
    terminal.wait_for("the saved file's name", |it| it.output().contains("saved to "));
    let output = terminal.output();
    assert!(is_result(&output) && !output.contains('\u{1b}'), "{output}");
    check(&file);
}

/// The saved game is finished and good.
fn check(file: &Path) {
    succeed(&["replay", "--verify", text(file)]);
    let record = std::fs::read_to_string(file).unwrap();
    assert!(record.contains("\"end\":\"finished\"") && record.contains("\"agents\":[\"human\",\"greedy\"]"));
}

#[test]
fn a_game_of_azul() {
    play_on_screen("azul");
    play_in_lines("azul");
}

#[test]
fn a_game_of_summer_pavilion() {
    play_on_screen("summer-pavilion");
    play_in_lines("summer-pavilion");
}

#[test]
fn a_game_of_queens_garden() {
    play_on_screen("queens-garden");
    play_in_lines("queens-garden");
}

#[test]
fn ctrl_c_restores_the_terminal_while_an_agent_thinks() {
    let mut terminal = Terminal::start("xterm-256color", &["play", "--seat", "1", "mcts:time=600000"]);
    terminal.wait_to_see("seat 0 thinks");
    terminal.press("\u{3}");
    assert!(terminal.end());
    terminal.wait_for("the former screen", |it| it.is_restored());
}

#[test]
fn a_signal_restores_the_terminal() {
    let mut terminal = Terminal::start("xterm-256color", &["play", "--no-eval", "greedy"]);
    terminal.wait_to_see("number or move, Enter");
    let pid = terminal.child.process_id().unwrap().to_string();
    assert!(std::process::Command::new("kill").args(["-TERM", &pid]).status().unwrap().success());
    terminal.end();
    terminal.wait_for("the former screen", |it| it.is_restored());
}

#[test]
fn the_viewer_steps_jumps_and_judges() {
    let directory = tempdir().unwrap();
    let (out, export) = (directory.path().join("run"), directory.path().join("annotated.jsonl"));
    succeed(&["selfplay", "--games", "1", "--quiet", "--out", text(&out), "random"]);
    let file = out.join("games.jsonl");
    let analyze = ["replay", text(&file), "--analyze", "mcts:sims=20", "--export", text(&export)];
    let mut terminal = Terminal::start("xterm-256color", &analyze);
    terminal.wait_to_see("0: start of game 0");
    terminal.press("n");
    terminal.wait_to_see("1: D");
    terminal.wait_to_see("best: ");
    terminal.press("a");
    terminal.wait_for("silence", |it| !it.screen().contains("best: "));
    terminal.press("a");
    terminal.press("b");
    terminal.wait_to_see("the move loses ");
    terminal.press("g7\r");
    terminal.wait_to_see("7 of ");
    terminal.press("\u{1b}[D");
    terminal.wait_to_see("6 of ");
    terminal.press("\u{1b}[F");
    terminal.wait_to_see("finished: scores ");
    terminal.wait_to_see("mean loss ");
    terminal.press("q");
    assert!(terminal.end());
    terminal.wait_for("the former screen", |it| it.is_restored());
    succeed(&["replay", "--verify", text(&export)]);
    let annotated = std::fs::read_to_string(&export).unwrap();
    assert!(
        annotated.contains("\"analyzed_by\":\"mcts:sims=20,margin=0.2\"") && annotated.contains("\"loss\":")
    );
    let shown = succeed(&["replay", text(&export)]);
    assert!(shown.contains("mean loss ") && shown.contains("the move loses "), "{shown}");
}
