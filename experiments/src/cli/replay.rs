//! `azulejo replay`

use std::io::{self, BufRead, IsTerminal, Write, stdin, stdout};
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use azulejo::{Game, GameSpec, GameVisitor, Record, Turn};
use azulejo_experiments::record_file::open_lines;
use clap::Args;

/// Show a recorded game move by move, or verify records
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  azulejo replay games.jsonl --game-index 17
  azulejo replay games.jsonl.zst --verify

On a terminal: Enter or n shows the next position, p the one before, a number jumps there, q quits.")]
pub(super) struct Replay {
    /// A file of game records, .jsonl or .jsonl.zst
    file: PathBuf,
    /// The game with this `index` [default: the file's first game]
    #[arg(long, value_name = "N", conflicts_with = "verify")]
    game_index: Option<u64>,
    /// Check all records of the file
    #[arg(long)]
    verify: bool,
    /// Print every state of the game as JSON, one a line
    #[arg(long, conflicts_with = "verify")]
    json: bool,
}

/// How many bad records are listed.
const LISTED: u64 = 10;

impl Replay {
    pub(super) fn run(self) -> anyhow::Result<()> {
        if self.verify {
            return verify(&self.file);
        }
        let record = find(&self.file, self.game_index)?;
        let style = match (self.json, stdin().is_terminal() && stdout().is_terminal()) {
            (true, _) => Style::Json,
            (false, true) => Style::Steps,
            (false, false) => Style::Text,
        };
        let game: GameSpec = record.game.parse()?;
        azulejo::check_players(record.players)?;
        game.visit(Show { record: &record, style })
    }
}

/// The record with an index, or the first one.
fn find(file: &Path, index: Option<u64>) -> anyhow::Result<Record> {
    let place = || file.display().to_string();
    let mut lines = open_lines(file).with_context(place)?;
    let mut number = 0u64;
    while let Some(line) = lines.read() {
        number += 1;
        let record = line.map_err(anyhow::Error::from).and_then(|(text, _)| Ok(Record::from_line(&text)?));
        let record = record.with_context(|| format!("{}: line {number}", place()))?;
        if index.is_none_or(|index| index == record.index) {
            return Ok(record);
        }
    }
    match index {
        Some(index) => bail!("{}: no game has index {index}", place()),
        None => bail!("{}: no record", place()),
    }
}

/// Checks every line and goes on behind a bad one.
fn verify(file: &Path) -> anyhow::Result<()> {
    let place = file.display();
    let mut lines = open_lines(file).with_context(|| place.to_string())?;
    let mut out = stdout().lock();
    let (mut records, mut bad, mut first) = (0u64, 0u64, None);
    while let Some(line) = lines.read() {
        records += 1;
        let checked = line.map_err(|error| error.to_string()).and_then(|(text, _)| {
            Record::from_line(&text).and_then(|record| record.verify()).map_err(|error| error.to_string())
        });
        if let Err(problem) = checked {
            bad += 1;
            if bad <= LISTED {
                writeln!(out, "line {records}: {problem}")?;
            }
            first.get_or_insert(format!("line {records}: {problem}"));
        }
    }
    match first {
        None if records == 0 => bail!("{place}: no record"),
        None => Ok(writeln!(out, "{records} records are good")?),
        Some(first) => bail!("{place}: {bad} of {records} records are bad; {first}"),
    }
}

/// How a game is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Style {
    /// A position at a time, as the user asks.
    Steps,
    /// All positions.
    Text,
    /// All positions as JSON.
    Json,
}

struct Show<'a> {
    record: &'a Record,
    style: Style,
}

impl GameVisitor for Show<'_> {
    type Output = anyhow::Result<()>;

    fn visit<G: Game>(self, rules: &'static G::Rules) -> Self::Output {
        let (record, mut out) = (self.record, stdout().lock());
        if self.style == Style::Steps {
            let states = record.replay::<G>(rules).collect::<Result<Vec<G>, _>>()?;
            return Ok(step(record, &states, &mut stdin().lock(), &mut out)?);
        }
        let mut before = None;
        for (ply, state) in record.replay::<G>(rules).enumerate() {
            let state = state?;
            match self.style {
                Style::Json => writeln!(out, "{}", serde_json::to_string(&state)?)?,
                _ => writeln!(out, "{}\n{state}", caption(record, ply, before.as_ref()))?,
            }
            before = Some(state);
        }
        if self.style == Style::Text {
            writeln!(out, "{}", result(record))?;
        }
        Ok(())
    }
}

/// What led to a position: "12: seat 0 (greedy) plays 3R4".
fn caption<G: Game>(record: &Record, ply: usize, before: Option<&G>) -> String {
    let Some((before, token)) = before.zip(ply.checked_sub(1).and_then(|last| record.moves.get(last))) else {
        return format!("{ply}: start of game {}", record.index);
    };
    match before.turn() {
        Turn::Player(seat) => {
            let agent = record.agents.get(seat.index()).map_or("?", String::as_str);
            format!("{ply}: seat {seat} ({agent}) plays {token}")
        }
        _ => format!("{ply}: {token} is drawn"),
    }
}

fn result(record: &Record) -> String {
    format!("{}: scores {:?}, wins {:?}", record.end, record.scores, record.wins)
}

/// Shows a position, then the ones that the user asks for, line by line.
fn step<G: Game>(
    record: &Record,
    states: &[G],
    input: &mut impl BufRead,
    out: &mut impl Write,
) -> io::Result<()> {
    let last = states.len() - 1;
    let mut ply = 0usize;
    loop {
        let before = ply.checked_sub(1).and_then(|before| states.get(before));
        writeln!(out, "\n{}\n{}", caption(record, ply, before), states[ply])?;
        if ply == last {
            writeln!(out, "{}", result(record))?;
        }
        write!(out, "[{ply} of {last}; Enter, p, number, q] ")?;
        out.flush()?;
        let mut line = String::new();
        if input.read_line(&mut line)? == 0 {
            return Ok(());
        }
        match line.trim() {
            "q" => return Ok(()),
            "" | "n" => ply = (ply + 1).min(last),
            "p" => ply = ply.saturating_sub(1),
            number => match number.parse::<usize>() {
                Ok(wanted) => ply = wanted.min(last),
                Err(_) => writeln!(out, "'{}' is not understood", azulejo::excerpt(number))?,
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use azulejo::azul::{Azul, AzulRules};
    use azulejo::record::{End, Recorder};
    use azulejo::{Generator, intern};

    use super::*;

    #[test]
    fn stepping_goes_forward_back_and_anywhere() {
        let mut recorder = Recorder::<Azul>::new(intern(AzulRules::default()), 2);
        let mut rng = Generator::new(1);
        let outcome = recorder.state().sample_chance(&mut rng);
        recorder.chance(&outcome).unwrap();
        for _ in 0..3 {
            let action = recorder.state().random_action(&mut rng, &mut Vec::new());
            recorder.act(action, None).unwrap();
        }
        let record = recorder.finish(End::Truncated, vec!["random".to_owned(); 2], 1, 0);
        let states: Vec<Azul> =
            record.replay(intern(AzulRules::default())).collect::<Result<_, _>>().unwrap();
        let (mut input, mut out) = (io::Cursor::new("\nn\np\n99\n1\nx\nq\n"), Vec::new());
        step(&record, &states, &mut input, &mut out).unwrap();
        let shown = String::from_utf8(out).unwrap();
        let count = |place: &str| shown.matches(place).count();
        assert_eq!((count("start of game 0"), count("[1 of 4;"), count("[0 of 4;")), (1, 4, 1), "{shown}");
        for place in ["[2 of 4;", "[4 of 4;", "1: D"] {
            assert!(shown.contains(place), "{place} is missing in {shown}");
        }
        assert!(shown.contains("'x' is not understood"));
        assert!(shown.contains("truncated: scores"));
    }
}
