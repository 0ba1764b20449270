//! The plain front: lines of text in, lines of text out, for terminals without a screen and for pipes.

use std::io::{BufRead, Write};
use std::sync::atomic::AtomicBool;

use azulejo::{Seat, excerpt};
use azulejo_agents::lines::{LineError, LineReader};

use super::advice::{hint, shares_in_words};
use super::choices::{Choice, LONG_LIST};
use super::command::COMMANDS;
use super::result::result_lines;
use super::session::{Effect, Evaluation, PlayError, Session};
use super::table::Waiting;
use super::table_agents::{TableAgents, TableRole};
use crate::display::{GameDisplay, draw, plain};

/// The longest line of input, in bytes.
const MAX_LINE: usize = 1 << 16;
/// Columns of a drawing.
const WIDTH: usize = 80;

/// Whether a person stays at the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum PromptFlow {
    Stay,
    Leave,
}

/// Plays a game line by line until the person leaves or the input ends.
///
/// # Errors
/// If the input or the output fails, an agent does, or the game cannot be saved.
pub fn play<G: GameDisplay>(
    session: Session<G>,
    agents: TableAgents<G>,
    input: impl BufRead,
    output: impl Write,
) -> Result<(), PlayError> {
    Prompt { session, agents, output }.run(input)
}

struct Prompt<G: GameDisplay, W> {
    session: Session<G>,
    agents: TableAgents<G>,
    output: W,
}

impl<G: GameDisplay, W: Write> Prompt<G, W> {
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
                Some(Err(LineError::Io(error))) => return Err(error.into()),
                Some(Err(error)) => writeln!(self.output, "{error}")?,
                Some(Ok((line, _))) => {
                    if self.execute(&line)? == PromptFlow::Leave {
                        break;
                    }
                }
            }
        }
        if let Some(path) = self.session.keep()? {
            writeln!(self.output, "saved to {}", path.display())?;
        }
        Ok(())
    }

    fn prompt(&mut self) -> Result<(), PlayError> {
        match self.session.table.waiting() {
            Waiting::Person(seat) => write!(self.output, "seat {seat}> ")?,
            Waiting::Entry => write!(self.output, "drawn> ")?,
            _ => write!(self.output, "u takes back, s saves, q or Enter quits> ")?,
        }
        Ok(self.output.flush()?)
    }

    fn execute(&mut self, line: &str) -> Result<PromptFlow, PlayError> {
        if line.trim().is_empty() && self.session.table.waiting() == Waiting::Nobody {
            return Ok(PromptFlow::Leave);
        }
        match self.session.execute(line) {
            Effect::Quit => return Ok(PromptFlow::Leave),
            Effect::Moved => self.go_on()?,
            Effect::Message(text) => writeln!(self.output, "{text}")?,
            Effect::List(beginning) => self.list(&beginning)?,
            Effect::Hint => self.hint()?,
            Effect::Evaluation(Evaluation::Hidden) => writeln!(self.output, "evaluation off")?,
            Effect::Evaluation(Evaluation::Shown) => self.evaluate()?,
            Effect::Guide(lines) => {
                for line in lines {
                    writeln!(self.output, "{line}")?;
                }
            }
            Effect::Help => {
                for (command, about) in COMMANDS {
                    writeln!(self.output, "{command:16} {about}")?;
                }
            }
        }
        Ok(PromptFlow::Stay)
    }

    /// Lets chance and agents move, then shows the position to the person to move or the result.
    fn go_on(&mut self) -> Result<(), PlayError> {
        loop {
            if let Some(problem) = self.session.unsaved.take() {
                writeln!(self.output, "{problem}")?;
            }
            let ply = self.session.table.plies();
            match self.session.table.waiting() {
                Waiting::Chance => self.session.deal()?,
                Waiting::Entry => return self.ask_for_deal(),
                Waiting::Agent(seat) => self.let_move(seat)?,
                Waiting::Person(seat) => return self.show_decision(seat),
                Waiting::Nobody => return self.show_result(),
            }
            self.session.moved();
            writeln!(self.output, "{}", self.session.table.event(ply))?;
        }
    }

    /// Asks for what was drawn at the table.
    fn ask_for_deal(&mut self) -> Result<(), PlayError> {
        self.show_position(Seat::default())?;
        Ok(writeln!(self.output, "type what was drawn")?)
    }

    fn let_move(&mut self, seat: Seat) -> Result<(), PlayError> {
        let table = &mut self.session.table;
        let stop = AtomicBool::new(false);
        let decision = match self.agents.ask(TableRole::Player(seat), table.history(), &stop) {
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
            let history = self.session.table.history();
            match self.agents.ask(TableRole::Adviser, history, &AtomicBool::new(false)) {
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
        match search.filter(|search| search.has_values()) {
            Some(search) => {
                writeln!(self.output, "evaluation: {}", shares_in_words(&search.wins))?;
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

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use azulejo::azul::{Azul, AzulRules};
    use azulejo::{Game, GameSpec, Record, intern, with_game};
    use tempfile::tempdir;

    use super::*;
    use crate::play::{DealSource, Player, SessionSettings, seated};
    use azulejo_experiments::record_file::find;

    fn typed<G: GameDisplay>(rules: &'static G::Rules, settings: SessionSettings, lines: &str) -> String {
        let (session, agents) = Session::<G>::new(rules, settings).unwrap();
        let mut output = Vec::new();
        play(session, agents, Cursor::new(lines), &mut output).unwrap();
        String::from_utf8(output).unwrap()
    }

    fn settings(players: usize, agent: &str) -> SessionSettings {
        SessionSettings {
            players: seated(players, &[0], &[agent.parse().unwrap()]).unwrap(),
            seed: 1,
            adviser: "mcts:sims=20,margin=0".parse().unwrap(),
            evaluation: Evaluation::Hidden,
            file: None,
            default_file: "/nowhere/at/all.jsonl".into(),
            replaceable: None,
            load: None,
            deals: DealSource::Seed,
        }
    }

    /// A game with persons at the given seats who type these lines; what they saw.
    fn script(game: &str, settings: SessionSettings, lines: &str) -> String {
        let game: GameSpec = game.parse().unwrap();
        with_game!(game, |rules: &'static G::Rules| typed::<G>(rules, settings, lines))
    }

    /// Every variant with every number of players.
    fn tables() -> impl Iterator<Item = (GameSpec, usize)> {
        let seats = |game| with_game!(game, |_rules: &'static G::Rules| <G as Game>::PLAYERS);
        GameSpec::all().into_iter().flat_map(move |game| seats(game).map(move |players| (game, players)))
    }

    #[test]
    fn a_table_s_deals_are_asked_for() {
        let settings = SessionSettings { deals: DealSource::read(""), ..settings(2, "random") };
        let settings = SessionSettings { players: vec![Player::Person; 2], ..settings };
        let rules = intern(AzulRules::default());
        let seen = typed::<Azul>(rules, settings, "DXX\nDBBYR/KKWW/BYRK/RRRR/BWWW\n4R4\nq\n");
        assert_eq!(seen.matches("drawn> ").count(), 2, "{seen}");
        for part in ["type what was drawn", "'DXX' is not a deal", "seat 0> ", "seat 1> "] {
            assert!(seen.contains(part), "{part} is missing in {seen}");
        }
    }

    #[test]
    fn whole_games_of_every_variant_and_number_of_players() {
        let lines = "1\n".repeat(1000);
        for (game, players) in tables() {
            let directory = tempdir().unwrap();
            let file = directory.path().join("game.jsonl");
            let settings = SessionSettings { file: Some(file.clone()), ..settings(players, "random") };
            let seen = script(&game.to_string(), settings, &lines);
            let result = seen.contains(" wins\n") || seen.contains(" share the win\n");
            assert!(result && seen.contains("\npoints "), "{game}: {seen}");
            let (record, _): (Record, String) = find(&file, None).unwrap();
            record.verify().unwrap();
            assert_eq!((record.end.to_string(), record.players), ("finished".to_owned(), players));
        }
    }

    #[test]
    fn commands_do_what_help_says() {
        let seen =
            script("azul", settings(2, "greedy"), "?\nh\ne\n1B1\nu\nu\n1b1\n1B9\n\nfly\n999\ne\ns\n2\n");
        for expected in [
            "save [FILE]",
            "hint (mcts:sims=20,margin=0): ",
            "evaluation: seat 0 ",
            "there is nothing to take back",
            "1B9",
            "type a number, a move or a command",
            "fly",
            "there are choices 1 to ",
            "evaluation off",
            "/nowhere/at/all.jsonl: ",
        ] {
            assert!(seen.contains(expected), "{expected} is missing in {seen}");
        }
        assert_eq!(seen.matches("seat 1 (greedy) ").count(), 3, "{seen}");
    }

    #[test]
    fn a_long_list_is_shown_by_its_beginning() {
        let seen = script("azul", settings(2, "greedy"), "1B\n");
        let listed = seen.lines().filter(|line| line.contains("1 blue from factory 1 to ")).count();
        assert!(seen.contains(" choices; type the beginning of a move to list some"), "{seen}");
        assert_eq!(listed, 6, "{seen}");
    }

    #[test]
    fn a_saved_game_goes_on() {
        let directory = tempdir().unwrap();
        let file = directory.path().join("game.jsonl.zst");
        let first = SessionSettings { file: Some(file.clone()), ..settings(2, "greedy") };
        script("queens-garden", first, "1\n1\n1\nq\n");
        let (record, _) = find(&file, None).unwrap();
        let load = SessionSettings { load: Some(record.clone()), ..settings(2, "greedy") };
        let lines = format!("s {}\n", directory.path().join("again.jsonl").display());
        let seen = script("queens-garden", load, &lines);
        assert!(seen.contains("seat 0> saved to "), "{seen}");
        let (again, _) = find(&directory.path().join("again.jsonl"), None).unwrap();
        assert_eq!(again, record);
        assert_eq!(again.agents, ["human", "greedy"]);
    }

    #[test]
    fn a_save_replaces_only_this_game() {
        let directory = tempdir().unwrap();
        let (other, own) = (directory.path().join("other.txt"), directory.path().join("own.jsonl"));
        std::fs::write(&other, "precious").unwrap();
        let lines = format!("s {}\ns {}\n1\ns {}\n", other.display(), own.display(), own.display());
        let seen = script("azul", settings(2, "greedy"), &lines);
        assert!(seen.contains("other.txt: the file exists; name a new one"), "{seen}");
        assert_eq!(std::fs::read_to_string(&other).unwrap(), "precious");
        assert_eq!(seen.matches("saved to ").count(), 2, "{seen}");
        assert_eq!(find(&own, None).unwrap().0.moves.len(), 3);
    }
}
