//! `azulejo replay`

use std::io::{self, BufRead, IsTerminal, Write, stderr, stdin, stdout};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use crate::display::{GameDisplay, Palette, draw, plain};
use crate::review::{Review, screen};
use crate::terminal;
use anyhow::{Context, bail};
use azulejo::{Record, Seat, with_game};
use azulejo_agents::AgentSpec;
use azulejo_experiments::output_file::OutputFile;
use azulejo_experiments::position::Position;
use azulejo_experiments::record_file::{find, open_lines, write_record};
use azulejo_experiments::review::{Judging, MoveVerdict, judging_agent};
use azulejo_experiments::rules_file::read_record;
use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};

use super::options::{existing, thread_count, threads};
use super::signals::{STOP, end_at_signals, leave_at_signals};
use crate::output::output;

/// Show a recorded game move by move, judge its moves, or verify records
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  azulejo replay games.jsonl --game-index 17
  azulejo replay games.jsonl --analyze mcts:sims=2000
  azulejo replay games.jsonl --analyze mcts:sims=2000 --export annotated.jsonl
  azulejo replay games.jsonl.zst --verify

On a terminal: n or right shows the next position, p or left the one before, g and a number jumps
there, b goes to the next marked move, a switches the analysis on or off, q quits. Marks: ?! loses
at least 5 % of the win, ? at least 10 %, ?? at least 20 %.")]
pub(super) struct ReplayArgs {
    /// A file of game records, .jsonl or .jsonl.zst
    file: PathBuf,
    /// The game with this `index` [default: the file's first game]
    #[arg(long, value_name = "N", conflicts_with = "verify")]
    game_index: Option<u64>,
    /// Let this agent judge every decision
    #[arg(long, value_name = "AGENT", conflicts_with_all = ["verify", "json"])]
    analyze: Option<AgentSpec>,
    /// Write the record with the analysis to this new file
    #[arg(long, value_name = "FILE", requires = "analyze")]
    export: Option<PathBuf>,
    /// Replace what is in the place of --export, unless it is FILE
    #[arg(long, requires = "export")]
    force: bool,
    /// Decisions that are judged at once; the verdicts depend on it only if the agent thinks for a time [default: all cores]
    #[arg(long, value_name = "T", value_parser = thread_count, requires = "analyze")]
    threads: Option<NonZeroUsize>,
    /// Check all records of the file
    #[arg(long)]
    verify: bool,
    /// Print every state of the game as JSON, one a line
    #[arg(long, conflicts_with = "verify")]
    json: bool,
    /// Lines of text instead of a full screen; always so without a capable terminal
    #[arg(long, conflicts_with_all = ["verify", "json"])]
    plain: bool,
}

/// Columns of a drawing.
const WIDTH: usize = 80;
/// How many bad records are listed.
const LISTED: u64 = 10;
/// After so many bad records nobody wants to know of more.
const TOO_MANY: u64 = 10_000;

impl ReplayArgs {
    pub(super) fn run(self) -> anyhow::Result<()> {
        if self.verify {
            return verify(&self.file);
        }
        let output = |path: &PathBuf| OutputFile::new(path, existing(self.force), [&self.file]);
        let export = self.export.as_ref().map(output).transpose()?;
        let (record, line) = find(&self.file, self.game_index)?;
        let game = record.spec()?;
        game.check_players(record.players)?;
        with_game!(game, |rules: &'static G::Rules| show_record::<G>(rules, (record, &line), &self, export))
    }

    fn style(&self) -> Style {
        let interactive = stdin().is_terminal() && stdout().is_terminal();
        match (self.json, interactive) {
            (true, _) => Style::Json,
            (false, true) if !self.plain && terminal::is_capable() => Style::Screen,
            (false, true) => Style::Steps,
            (false, false) => Style::Text,
        }
    }
}

/// Checks every line and goes on after a bad one.
fn verify(file: &Path) -> anyhow::Result<()> {
    let place = file.display();
    let mut lines = open_lines(file).with_context(|| place.to_string())?;
    let mut out = output();
    let (mut records, mut bad, mut first) = (0u64, 0u64, None);
    while let Some(line) = lines.read() {
        records += 1;
        let checked = line.map_err(|error| error.to_string()).and_then(|(text, _)| {
            let record = read_record(&text).map_err(|error| error.to_string())?;
            record.verify().map_err(|error| error.to_string())
        });
        if let Err(problem) = checked {
            bad += 1;
            if bad <= LISTED {
                writeln!(out, "line {records}: {problem}")?;
            }
            let first = first.get_or_insert(format!("line {records}: {problem}"));
            if bad == TOO_MANY {
                bail!("{place}: {bad} of the first {records} records are bad; {first}");
            }
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
    /// On the whole screen.
    Screen,
    /// A position at a time, as the user asks.
    Steps,
    /// All positions.
    Text,
    /// All positions as JSON.
    Json,
}

/// Shows a record, which stands in this line of its file.
fn show_record<G: GameDisplay>(
    rules: &'static G::Rules,
    (record, line): (Record, &str),
    options: &ReplayArgs,
    export: Option<OutputFile>,
) -> anyhow::Result<()> {
    let style = options.style();
    if style == Style::Screen {
        leave_at_signals()?
    } else {
        end_at_signals()?
    }
    let mut review = Review::<G>::read(rules, record, line)?;
    if let Some(agent) = &options.analyze {
        analyze(&mut review, &judging_agent(agent), threads(options.threads))?;
    }
    if let Some(export) = export {
        write_record(&export, &review.to_line())?;
    }
    let out = &mut output();
    match style {
        Style::Screen => screen::show(&review, Palette::from_environment(), &STOP)?,
        Style::Steps => step(&review, &mut stdin().lock(), out)?,
        Style::Text => print(&review, out)?,
        Style::Json => {
            for state in review.history.states() {
                writeln!(out, "{}", serde_json::to_string(&state)?)?;
            }
        }
    }
    Ok(())
}

/// Lets an agent judge every decision, with a bar on the error output.
fn analyze<G: GameDisplay>(
    review: &mut Review<G>,
    agent: &AgentSpec,
    threads: NonZeroUsize,
) -> anyhow::Result<()> {
    let moves = review.history.plies() as u64;
    let bar = if stderr().is_terminal() { ProgressBar::new(moves) } else { ProgressBar::hidden() };
    let style = ProgressStyle::with_template("{wide_bar} {pos}/{len} moves, {eta} left");
    bar.set_style(style.expect("the template is well formed"));
    let (seed, judged) = (review.record.seed, |_, _: Option<&MoveVerdict>| bar.inc(1));
    // The other signals end the program at once.
    let judging = Judging { seed, threads, stop: &STOP, judged: &judged };
    let verdicts = Position::judge(&review.history, agent, &judging);
    bar.finish_and_clear();
    review.verdicts = verdicts?;
    review.judge = Some(agent.to_string());
    Ok(())
}

/// A position with what led to it and what the judge says of it; the last one with the result.
fn show<G: GameDisplay>(
    review: &Review<G>,
    ply: usize,
    comment: &[String],
    out: &mut impl Write,
) -> io::Result<()> {
    writeln!(out, "{}", review.caption(ply))?;
    comment.iter().try_for_each(|line| writeln!(out, "{line}"))?;
    let drawing = draw(&review.history.state_at(ply), &review.names(), Seat::new(0), WIDTH);
    drawing.iter().try_for_each(|line| writeln!(out, "{}", plain(line)))?;
    writeln!(out)?;
    if ply == review.history.plies() {
        review.summary().iter().try_for_each(|line| writeln!(out, "{line}"))?;
    }
    Ok(())
}

/// All positions.
fn print<G: GameDisplay>(review: &Review<G>, out: &mut impl Write) -> io::Result<()> {
    (0..=review.history.plies()).try_for_each(|ply| show(review, ply, &review.comment(ply), out))
}

/// Shows a position, then the ones that the user asks for, line by line.
fn step<G: GameDisplay>(
    review: &Review<G>,
    input: &mut impl BufRead,
    out: &mut impl Write,
) -> io::Result<()> {
    let last = review.history.plies();
    let (mut ply, mut silent) = (0, false);
    loop {
        let comment = if silent { Vec::new() } else { review.comment(ply) };
        writeln!(out)?;
        show(review, ply, &comment, out)?;
        write!(out, "[{ply} of {last}; Enter, p, number, b, a, q] ")?;
        out.flush()?;
        let mut line = String::new();
        if input.read_line(&mut line)? == 0 {
            return Ok(());
        }
        match line.trim() {
            "q" => return Ok(()),
            "" | "n" => ply = (ply + 1).min(last),
            "p" => ply = ply.saturating_sub(1),
            "b" => ply = review.next_mark(ply).unwrap_or(ply),
            "a" => silent = !silent,
            place => match place.trim_start_matches('g').trim().parse::<usize>() {
                Ok(wanted) => ply = wanted.min(last),
                Err(_) => writeln!(out, "'{}' is not understood", azulejo::excerpt(place))?,
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use azulejo::azul::{Azul, AzulRules};
    use azulejo::record::End;
    use azulejo::{Generator, History, Move, intern};

    use super::*;

    #[test]
    fn stepping_goes_forward_back_and_anywhere() {
        let rules = intern(AzulRules::default());
        let (mut history, mut rng) = (History::<Azul>::new(rules, 2), Generator::new(1));
        for _ in 0..4 {
            history.push(Move::draw(history.state(), &mut rng, &mut Vec::new())).unwrap();
        }
        let record = Record::new(&history, End::Truncated, vec!["random".to_owned(); 2], 1, 0);
        let line = record.to_line();
        let review = Review::<Azul>::read(rules, record, &line).unwrap();
        let (mut input, mut out) = (io::Cursor::new("\nn\np\n99\ng 1\nx\nq\n"), Vec::new());
        step(&review, &mut input, &mut out).unwrap();
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
