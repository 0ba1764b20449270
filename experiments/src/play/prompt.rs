//! The plain front: lines of text in, lines of text out, for terminals without a screen and for pipes.

use std::io::{BufRead, Write};
use std::sync::atomic::AtomicBool;

use azulejo::{Seat, excerpt};

use super::advice::{hint, shares, shares_in_words};
use super::choices::{Choice, LONG_LIST};
use super::command::COMMANDS;
use super::minds::{Mind, Minds};
use super::result::result_lines;
use super::session::{Effect, Evaluation, PlayError, Session};
use super::table::Waiting;
use crate::lines::{LineReader, MAX_LINE};
use crate::tabletop::{Tabletop, draw, plain};

/// Columns of a drawing.
const WIDTH: usize = 80;

/// Whether a person stays at the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Flow {
    Stay,
    Leave,
}

/// Plays a game line by line until the person leaves or the input ends.
///
/// # Errors
/// If the input or the output fails, an agent does, or the game cannot be saved.
pub fn play<G: Tabletop>(
    session: Session<G>,
    minds: Minds<G>,
    input: impl BufRead,
    output: impl Write,
) -> Result<(), PlayError> {
    Prompt { session, minds, output }.run(input)
}

struct Prompt<G: Tabletop, W> {
    session: Session<G>,
    minds: Minds<G>,
    output: W,
}

impl<G: Tabletop, W: Write> Prompt<G, W> {
    fn run(mut self, input: impl BufRead) -> Result<(), PlayError> {
        let mut lines = LineReader::new(input, MAX_LINE);
        self.go_on()?;
        loop {
            self.prompt()?;
            match lines.read() {
                None => {
                    writeln!(self.output)?;
                    break;
                }
                Some(Err(crate::lines::LineError::Io(error))) => return Err(error.into()),
                Some(Err(error)) => writeln!(self.output, "{error}")?,
                Some(Ok((line, _))) => {
                    if self.execute(&line)? == Flow::Leave {
                        break;
                    }
                }
            }
        }
        if let Some(path) = self.session.leave()? {
            writeln!(self.output, "saved to {}", path.display())?;
        }
        Ok(())
    }

    fn prompt(&mut self) -> Result<(), PlayError> {
        match self.session.table.waiting() {
            Waiting::Person(seat) => write!(self.output, "seat {seat}> ")?,
            _ => write!(self.output, "u takes back, s saves, q or Enter quits> ")?,
        }
        Ok(self.output.flush()?)
    }

    fn execute(&mut self, line: &str) -> Result<Flow, PlayError> {
        if line.trim().is_empty() && self.session.table.waiting() == Waiting::Nobody {
            return Ok(Flow::Leave);
        }
        match self.session.execute(line) {
            Effect::Quit => return Ok(Flow::Leave),
            Effect::Moved => self.go_on()?,
            Effect::Message(text) => writeln!(self.output, "{text}")?,
            Effect::List(beginning) => self.list(&beginning)?,
            Effect::Hint => self.hint()?,
            Effect::Evaluation(Evaluation::Hidden) => writeln!(self.output, "evaluation off")?,
            Effect::Evaluation(Evaluation::Shown) => self.evaluate()?,
            Effect::Help => {
                for (command, about) in COMMANDS {
                    writeln!(self.output, "{command:16} {about}")?;
                }
            }
        }
        Ok(Flow::Stay)
    }

    /// Lets chance and agents move, then shows the position to the person to move or the result.
    fn go_on(&mut self) -> Result<(), PlayError> {
        loop {
            let ply = self.session.table.plies();
            match self.session.table.waiting() {
                Waiting::Chance => self.session.table.deal(),
                Waiting::Agent(seat) => self.let_move(seat)?,
                Waiting::Person(seat) => return self.show_decision(seat),
                Waiting::Nobody => return self.show_result(),
            }
            self.session.moved();
            writeln!(self.output, "{}", self.session.table.event(ply))?;
        }
    }

    fn let_move(&mut self, seat: Seat) -> Result<(), PlayError> {
        let table = &mut self.session.table;
        let position = (table.line(), table.state());
        let decision = match self.minds.ask(Mind::Player(seat), position, &AtomicBool::new(false)) {
            Ok(decision) => decision,
            Err(reason) => return Err(self.session.fault(seat, reason)),
        };
        let analysis = decision.search.as_ref().map(|search| search.analysis());
        table.act(decision.action, analysis).expect("a decision is checked to be legal");
        Ok(())
    }

    fn show_position(&mut self, first: Seat) -> Result<(), PlayError> {
        let (table, output) = (&self.session.table, &mut self.output);
        let state = table.state();
        writeln!(output, "\n{} · round {} · {}", table.game(), state.round(), state.task())?;
        for line in draw(state, &table.names(), first, WIDTH) {
            writeln!(output, "{}", plain(&line))?;
        }
        Ok(())
    }

    fn show_decision(&mut self, seat: Seat) -> Result<(), PlayError> {
        self.show_position(seat)?;
        if self.session.evaluation == Evaluation::Shown {
            self.evaluate()?;
        }
        match self.session.choices.len() {
            long if long > LONG_LIST => {
                writeln!(self.output, "{long} choices; type the beginning of a move to list some")?;
                Ok(())
            }
            _ => self.list(""),
        }
    }

    fn show_result(&mut self) -> Result<(), PlayError> {
        self.show_position(Seat::new(0))?;
        writeln!(self.output)?;
        for line in result_lines(&self.session.table) {
            writeln!(self.output, "{line}")?;
        }
        Ok(())
    }

    fn list(&mut self, beginning: &str) -> Result<(), PlayError> {
        let found = self.session.choices.beginning_with(beginning);
        let token = found.iter().map(|choice| choice.token.len()).max().unwrap_or(0);
        for Choice { number, token: text, words, .. } in found {
            writeln!(self.output, "{number:4}  {text:token$}  {words}")?;
        }
        Ok(())
    }

    /// Asks the adviser about the present position, unless it has answered already.
    fn advise(&mut self) -> Result<bool, PlayError> {
        if self.session.advice.is_none() && self.session.choices.len() > 0 {
            let table = &self.session.table;
            let position = (table.line(), table.state());
            match self.minds.ask(Mind::Adviser, position, &AtomicBool::new(false)) {
                Ok(decision) => self.session.advice = Some(decision),
                Err(error) => writeln!(self.output, "no advice: {}", excerpt(&error.to_string()))?,
            }
        }
        Ok(self.session.advice.is_some())
    }

    fn evaluate(&mut self) -> Result<(), PlayError> {
        if !self.advise()? {
            return Ok(());
        }
        let search = self.session.advice.as_ref().and_then(|advice| advice.search.as_ref());
        match search {
            Some(search) => {
                writeln!(self.output, "evaluation: {}", shares_in_words(&shares(&search.values)))?;
            }
            None => writeln!(self.output, "evaluation: {} has none here", self.session.adviser)?,
        }
        Ok(())
    }

    fn hint(&mut self) -> Result<(), PlayError> {
        if !self.advise()? {
            return Ok(());
        }
        let session = &self.session;
        if let Some(advice) = &session.advice {
            for line in hint(session.table.state(), &session.adviser, advice) {
                writeln!(self.output, "{line}")?;
            }
        }
        Ok(())
    }
}
