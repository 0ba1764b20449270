//! The full-screen front: boards in color, choices to scroll and filter, agents that think in the background.

use std::io::Write;
use std::sync::atomic::AtomicBool;

use azulejo::{PerPlayer, Seat};
use ratatui::Frame;
use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::{Modifier, Style};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, Clear, Paragraph, Wrap};

use super::advice::{evaluation_line, hint};
use super::background::Background;
use super::choices::Choice;
use super::command::COMMANDS;
use super::result::result_lines;
use super::session::{Effect, Evaluation, PlayError, Session};
use super::table::Waiting;
use super::table_agents::{TableAgents, TableRole};
use crate::display::{GameDisplay, Palette, cut, draw};
use crate::output::output;
use crate::terminal::{self, App, Drawing, Flow};

/// The fewest columns of a choice.
const CHOICE_WIDTH: usize = 39;
/// Lines that are kept free below the boards.
const BELOW: usize = 7;

/// Plays a game on the whole screen until the person leaves or `stop` is set.
///
/// # Errors
/// If the terminal fails, an agent does, or the game cannot be saved. The terminal is as before in any case.
pub fn play<G: GameDisplay>(
    session: Session<G>,
    agents: TableAgents<G>,
    palette: Palette,
    stop: &AtomicBool,
) -> Result<(), PlayError> {
    let mut screen = Screen::new(session, Background::start(agents)?, palette);
    let played = terminal::run(&mut screen, stop);
    if let Some(path) = screen.session.keep()? {
        writeln!(output(), "saved to {}", path.display())?;
    }
    played
}

/// What fills the screen.
#[derive(Clone, Debug, PartialEq)]
enum ScreenView {
    /// The table with the choices.
    Table,
    /// The result of a game that is over.
    Result,
}

/// Whether a hint is to be shown as soon as it is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Hint {
    Wanted,
    NotWanted,
}

struct Screen<G: GameDisplay> {
    session: Session<G>,
    background: Background<G>,
    palette: Palette,
    view: ScreenView,
    /// A text over the lower part of the screen, until a key is pressed.
    popup: Option<Vec<String>>,
    /// What is being typed.
    input: String,
    /// The choice that the arrows point at, by its place among those that the input lets through.
    selected: Option<usize>,
    /// Choices on a page and rows of a column, as last drawn.
    page: (usize, usize),
    message: String,
    hint: Hint,
    /// The shares of the win as the adviser last saw them.
    shares: Option<PerPlayer<f32>>,
    /// The seat whose board comes first.
    first: Seat,
}

impl<G: GameDisplay> Screen<G> {
    fn new(session: Session<G>, background: Background<G>, palette: Palette) -> Self {
        let persons = Seat::all(session.table.players().len());
        let person = |seat: &Seat| session.table.players()[seat.index()] == super::Player::Person;
        let first = persons.clone().find(person).unwrap_or_default();
        Screen {
            session,
            background,
            palette,
            view: ScreenView::Table,
            popup: None,
            input: String::new(),
            selected: None,
            page: (1, 1),
            message: String::new(),
            hint: Hint::NotWanted,
            shares: None,
            first,
        }
    }

    fn filtered(&self) -> Vec<&Choice<G>> {
        self.session.choices.beginning_with(&self.input)
    }

    /// Everything that follows from a new position.
    fn moved(&mut self) {
        self.session.moved();
        self.background.cancel();
        self.input.clear();
        self.selected = None;
        self.hint = Hint::NotWanted;
        if let Some(problem) = self.session.unsaved.take() {
            self.message = problem;
        }
        let over = self.session.table.waiting() == Waiting::Nobody;
        self.view = if over { ScreenView::Result } else { ScreenView::Table };
    }

    fn execute(&mut self, line: &str) -> Flow {
        self.message.clear();
        let effect = self.session.execute(line);
        self.react(effect)
    }

    fn react(&mut self, effect: Effect) -> Flow {
        match effect {
            Effect::Quit => return Flow::Leave,
            Effect::Moved => self.moved(),
            Effect::Message(text) => {
                self.message = text;
                self.input.clear();
            }
            Effect::List(beginning) => {
                self.message =
                    format!("several moves begin with {beginning}: type on, or choose with the arrows");
            }
            Effect::Hint => {
                self.hint = Hint::Wanted;
                self.input.clear();
                self.show_hint();
            }
            Effect::Evaluation(_) => self.input.clear(),
            Effect::Guide(lines) => {
                self.input.clear();
                self.popup = Some(lines);
            }
            Effect::Help => {
                self.input.clear();
                let line = |(command, about): &(&str, &str)| format!("{command:16} {about}");
                let keys =
                    ["arrows, pages", "choose among the moves; Enter plays", "Tab", "other boards first"];
                let keys = keys.chunks(2).map(|pair| format!("{:17}{}", pair[0], pair[1]));
                self.popup = Some(COMMANDS.iter().map(line).chain(keys).collect());
            }
        }
        Flow::Stay
    }

    /// Shows the hint that is wanted, if the adviser has answered.
    fn show_hint(&mut self) {
        let session = &self.session;
        if let (Hint::Wanted, Some(advice)) = (self.hint, &session.advice) {
            self.popup = Some(hint(session.table.state(), &session.adviser, advice));
            self.hint = Hint::NotWanted;
            self.message.clear();
        } else if self.hint == Hint::Wanted {
            self.message = format!("{} thinks …", session.adviser);
        }
    }

    /// A command of one letter acts at once where no move begins with it.
    fn is_command(&self, letter: char) -> bool {
        let begins = self.session.choices.beginning_with(letter.encode_utf8(&mut [0; 4]));
        self.input.is_empty() && "uhesq?".contains(letter) && begins.is_empty()
    }

    fn enter(&mut self) -> Flow {
        let chosen = self.selected.and_then(|place| self.filtered().get(place).map(|choice| choice.action));
        if let Some(action) = chosen {
            let effect = self.session.play(action);
            return self.react(effect);
        }
        let line = self.input.clone();
        self.execute(&line)
    }

    /// Moves the arrows' choice by some places.
    fn select(&mut self, step: isize) {
        let count = self.filtered().len();
        if count == 0 {
            return;
        }
        let place = match self.selected {
            None if step.unsigned_abs() == 1 => 0,
            None => step.max(0) as usize,
            Some(place) => place.saturating_add_signed(step),
        };
        self.selected = Some(place.min(count - 1));
    }

    fn take_answer(&mut self) -> Result<Drawing, PlayError> {
        match self.background.answer()? {
            None => return Ok(Drawing::Fresh),
            Some((TableRole::Player(_), Ok(decision))) => {
                let analysis = decision.search.as_ref().map(|search| search.analysis());
                let played = self.session.table.act(decision.action, analysis);
                played.expect("a decision is checked to be legal");
                let input = std::mem::take(&mut self.input);
                self.moved();
                self.input = input;
            }
            Some((TableRole::Player(seat), Err(reason))) => return Err(self.session.fault(seat, reason)),
            Some((TableRole::Adviser, Ok(decision))) => {
                let search = decision.search.as_ref().filter(|search| search.has_values());
                self.shares = search.map(|search| search.wins);
                self.session.advice = Some(decision);
                self.show_hint();
            }
            Some((TableRole::Adviser, Err(error))) => {
                // Asking again would only fail again.
                (self.session.evaluation, self.hint) = (Evaluation::Hidden, Hint::NotWanted);
                self.message = format!("no advice: {error}");
            }
        }
        Ok(Drawing::Stale)
    }
}

impl<G: GameDisplay> App for Screen<G> {
    type Error = PlayError;

    fn tick(&mut self) -> Result<Drawing, PlayError> {
        let mut drawing = self.take_answer()?;
        while self.session.table.waiting() == Waiting::Chance {
            self.session.deal()?;
            self.moved();
            drawing = Drawing::Stale;
        }
        let advice = self.session.evaluation == Evaluation::Shown || self.hint == Hint::Wanted;
        let role = match self.session.table.waiting() {
            Waiting::Agent(seat) => Some(TableRole::Player(seat)),
            Waiting::Person(_) if advice && self.session.advice.is_none() => Some(TableRole::Adviser),
            _ => None,
        };
        if let Some(role) = role.filter(|_| !self.background.is_busy()) {
            self.background.ask(role, self.session.table.history());
        }
        Ok(drawing)
    }

    fn press(&mut self, key: KeyEvent) -> Result<Flow, PlayError> {
        if self.popup.take().is_some() {
            return Ok(Flow::Stay);
        }
        let (page, rows) = (self.page.0 as isize, self.page.1 as isize);
        match key.code {
            KeyCode::Char(letter) if key.modifiers.contains(KeyModifiers::CONTROL) => _ = letter,
            KeyCode::Char(letter) if self.is_command(letter) => return Ok(self.execute(&letter.to_string())),
            KeyCode::Char(letter) => {
                self.input.push(letter);
                self.selected = None;
                self.message.clear();
            }
            KeyCode::Backspace => {
                self.input.pop();
                self.selected = None;
            }
            KeyCode::Esc => {
                self.input.clear();
                self.message.clear();
                self.selected = None;
            }
            KeyCode::Enter => return Ok(self.enter()),
            KeyCode::Up => self.select(-1),
            KeyCode::Down => self.select(1),
            KeyCode::Left => self.select(-rows),
            KeyCode::Right => self.select(rows),
            KeyCode::PageUp => self.select(-page),
            KeyCode::PageDown => self.select(page),
            KeyCode::Tab => self.turn_around(),
            _ => {}
        }
        Ok(Flow::Stay)
    }

    fn draw(&mut self, frame: &mut Frame<'_>) {
        match self.view {
            ScreenView::Table => self.draw_table(frame),
            ScreenView::Result => self.draw_result(frame),
        }
        if let Some(lines) = &self.popup {
            draw_popup(frame, lines);
        }
    }
}

/// Drawing.
impl<G: GameDisplay> Screen<G> {
    /// Tab: the next seat's board first; once the game is over, between the boards and the result.
    fn turn_around(&mut self) {
        let over = self.session.table.waiting() == Waiting::Nobody;
        match self.view {
            ScreenView::Result => self.view = ScreenView::Table,
            ScreenView::Table if over => self.view = ScreenView::Result,
            ScreenView::Table => self.first = self.first.next(self.session.table.players().len()),
        }
    }

    fn header(&self) -> Line<'static> {
        let table = &self.session.table;
        let state = table.state();
        let who = match table.waiting() {
            Waiting::Person(seat) => format!("seat {seat}: {}", state.task()),
            Waiting::Agent(seat) => format!("seat {seat} thinks …"),
            Waiting::Entry => format!("{}: type what was drawn, Enter", state.task()),
            Waiting::Chance | Waiting::Nobody => state.task().to_owned(),
        };
        let text = format!("{} · round {} · {who}", table.game(), state.round());
        Line::styled(text, Style::new().add_modifier(Modifier::BOLD))
    }

    fn paint(&self, lines: Vec<Line<'static>>) -> Paragraph<'static> {
        Paragraph::new(self.palette.paint(lines))
    }

    fn draw_table(&mut self, frame: &mut Frame<'_>) {
        let (width, height) = (frame.area().width as usize, frame.area().height as usize);
        let table = &self.session.table;
        let evaluation = usize::from(self.session.evaluation == Evaluation::Shown);
        let mut boards = draw(table.state(), &table.names(), self.first, width);
        boards.truncate(height.saturating_sub(BELOW + 1 + evaluation));
        let rest = height.saturating_sub(boards.len() + 2 + evaluation);
        let log = (rest / 4).clamp(1, 6);
        let [header, board_area, bar_area, log_area, choice_area, input_area] = Layout::vertical([
            Constraint::Length(1),
            Constraint::Length(boards.len() as u16),
            Constraint::Length(evaluation as u16),
            Constraint::Length(log as u16),
            Constraint::Min(0),
            Constraint::Length(1),
        ])
        .areas(frame.area());
        frame.render_widget(self.paint(vec![self.header()]), header);
        frame.render_widget(self.paint(boards), board_area);
        frame.render_widget(self.paint(vec![self.evaluation_line()]), bar_area);
        frame.render_widget(self.paint(self.log_lines(log, width)), log_area);
        self.draw_choices(frame, choice_area);
        self.draw_input(frame, input_area);
    }

    /// The last evaluation: it stays while others move.
    fn evaluation_line(&self) -> Line<'static> {
        match (&self.shares, &self.session.advice) {
            (Some(shares), _) => evaluation_line(shares),
            (None, None) => Line::styled("evaluation …", Modifier::DIM),
            (None, Some(_)) => {
                Line::styled(format!("evaluation: {} has none here", self.session.adviser), Modifier::DIM)
            }
        }
    }

    /// The last events, and in the place of the last one a message if there is one.
    fn log_lines(&self, count: usize, width: usize) -> Vec<Line<'static>> {
        let table = &self.session.table;
        let events = count - usize::from(!self.message.is_empty());
        let plies = table.plies().saturating_sub(events)..table.plies();
        let mut lines: Vec<Line<'static>> =
            plies.map(|ply| Line::styled(cut(&table.event(ply), width), Modifier::DIM)).collect();
        if !self.message.is_empty() {
            lines.push(Line::styled(cut(&self.message, width), Modifier::BOLD));
        }
        lines
    }

    fn draw_choices(&mut self, frame: &mut Frame<'_>, area: Rect) {
        let (width, rows) = (area.width as usize, area.height as usize);
        let choices = self.session.choices.beginning_with(&self.input);
        let most = ((width + 1) / (CHOICE_WIDTH + 1)).max(1);
        let columns = choices.len().div_ceil(rows.max(1)).clamp(1, most);
        let column_width = ((width + 1) / columns).saturating_sub(1);
        self.page = ((rows * columns).max(1), rows.max(1));
        if rows == 0 {
            return;
        }
        let start = self.selected.unwrap_or(0) / self.page.0 * self.page.0;
        let shown = &choices[start.min(choices.len())..];
        let token = choices.iter().map(|choice| choice.token.len()).max().unwrap_or(0);
        let lines = (0..rows).map(|row| {
            let places = (0..columns).map(|column| column * rows + row);
            let spans = places.filter_map(|place| shown.get(place).map(|choice| (place, choice)));
            let spans = spans.flat_map(|(place, choice)| {
                let chosen = self.selected == Some(start + place);
                let style = if chosen { Modifier::REVERSED } else { Modifier::empty() };
                let Choice { number, token: text, words, .. } = choice;
                let text = cut(&format!("{number:3} {text:token$} {words}"), column_width);
                [Span::styled(format!("{text:column_width$}"), style), Span::raw(" ")]
            });
            Line::from(spans.collect::<Vec<_>>())
        });
        let lines: Vec<Line<'static>> = lines.collect();
        frame.render_widget(self.paint(lines), area);
    }

    fn draw_input(&self, frame: &mut Frame<'_>, area: Rect) {
        let count = self.filtered().len();
        let faint = Style::new().add_modifier(Modifier::DIM);
        let prompt = format!("> {}", self.input);
        let cursor = area.x + prompt.chars().count() as u16;
        let mut spans = vec![Span::raw(prompt)];
        if self.input.is_empty() {
            spans.push(Span::styled(
                " number or move, Enter; u undo  h hint  e evaluation  s save  q quit  ? help",
                faint,
            ));
        } else if count > self.page.0 {
            spans.push(Span::styled(format!("   {count} moves"), faint));
        }
        if let (Some(place), Some(choice)) =
            (self.selected, self.selected.and_then(|place| self.filtered().get(place).copied()))
        {
            let text = format!("Enter plays {}; {} of {count}", choice.token, place + 1);
            spans = vec![Span::raw(format!("> {}   ", self.input)), Span::styled(text, faint)];
        }
        frame.render_widget(self.paint(vec![Line::from(spans)]), area);
        frame.set_cursor_position((cursor.min(area.right().saturating_sub(1)), area.y));
    }

    fn draw_result(&self, frame: &mut Frame<'_>) {
        let mut lines = vec![self.header(), Line::default()];
        lines.extend(result_lines(&self.session.table).into_iter().map(Line::raw));
        lines.push(Line::default());
        if !self.message.is_empty() {
            lines.push(Line::styled(self.message.clone(), Modifier::BOLD));
        }
        lines.push(Line::styled("Tab boards  u undo  s save  q quit", Modifier::DIM));
        frame.render_widget(self.paint(lines), frame.area());
    }
}

/// A framed text over the lower part of the screen.
fn draw_popup(frame: &mut Frame<'_>, lines: &[String]) {
    let area = frame.area();
    let width = area.width.saturating_sub(2).max(1) as usize;
    let rows: usize = lines.iter().map(|line| line.chars().count().div_ceil(width).max(1)).sum();
    let height = (rows as u16 + 2).min(area.height);
    let area = Rect { y: area.bottom() - height, height, ..area };
    let text: Vec<Line<'_>> = lines.iter().map(|line| Line::raw(line.as_str())).collect();
    frame.render_widget(Clear, area);
    let block = Block::bordered().title(" any key goes on ");
    frame.render_widget(Paragraph::new(text).wrap(Wrap { trim: false }).block(block), area);
}

#[cfg(test)]
mod tests {
    use std::thread;
    use std::time::Duration;

    use azulejo::azul::{Azul, AzulRules};
    use azulejo::{GameSpec, Generator, intern, with_game};
    use ratatui::Terminal;
    use ratatui::backend::TestBackend;

    use super::*;
    use crate::play::DealSource;
    use crate::play::{SessionSettings, seated};

    fn screen<G: GameDisplay>(rules: &'static G::Rules, players: usize) -> Screen<G> {
        let settings = SessionSettings {
            players: seated(players, &[0], &["random".parse().unwrap()]).unwrap(),
            seed: 1,
            adviser: "mcts:sims=5,margin=0".parse().unwrap(),
            evaluation: Evaluation::Shown,
            file: None,
            default_file: "/nowhere/at/all.jsonl".into(),
            replaceable: None,
            load: None,
            deals: DealSource::Seed,
        };
        let (session, agents) = Session::new(rules, settings).unwrap();
        Screen::new(session, Background::start(agents).unwrap(), Palette::Colors)
    }

    /// Ticks until the agents are done.
    fn settle<G: GameDisplay>(screen: &mut Screen<G>) {
        screen.tick().unwrap();
        while screen.background.is_busy() {
            thread::sleep(Duration::from_micros(100));
            screen.tick().unwrap();
        }
    }

    fn drawn<G: GameDisplay>(screen: &mut Screen<G>, (width, height): (u16, u16)) -> String {
        let mut terminal = Terminal::new(TestBackend::new(width, height)).unwrap();
        terminal.draw(|frame| screen.draw(frame)).unwrap();
        terminal.backend().to_string()
    }

    fn type_in<G: GameDisplay>(screen: &mut Screen<G>, text: &str) {
        for letter in text.chars() {
            let code = if letter == '\n' { KeyCode::Enter } else { KeyCode::Char(letter) };
            screen.press(code.into()).unwrap();
        }
        settle(screen);
    }

    const LETTERS: [char; 16] =
        ['1', '2', '3', '4', '0', 'u', 'h', 'e', 's', '?', 'R', 'B', 'K', 't', ':', 'é'];
    const KEYS: [KeyCode; 12] = [
        KeyCode::Enter,
        KeyCode::Enter,
        KeyCode::Up,
        KeyCode::Down,
        KeyCode::Left,
        KeyCode::Right,
        KeyCode::PageDown,
        KeyCode::PageUp,
        KeyCode::Tab,
        KeyCode::Esc,
        KeyCode::Backspace,
        KeyCode::Delete,
    ];

    /// Presses random keys and draws in windows of all sizes.
    fn press_randomly<G: GameDisplay>(rules: &'static G::Rules) {
        for players in G::PLAYERS {
            let mut screen = screen::<G>(rules, players);
            let mut rng = Generator::new(players as u64);
            for _ in 0..80 {
                let code = match rng.below(3) {
                    0 => KeyCode::Char(LETTERS[rng.below(LETTERS.len() as u64) as usize]),
                    _ => KEYS[rng.below(KEYS.len() as u64) as usize],
                };
                screen.press(code.into()).unwrap();
                screen.tick().unwrap();
                let size = [(80, 24), (1, 1), (30, 8), (170, 50)][rng.below(4) as usize];
                drawn(&mut screen, size);
            }
            assert!(screen.session.table.plies() > 0);
        }
    }

    #[test]
    fn no_key_and_no_window_breaks_the_screen() {
        for game in GameSpec::all() {
            with_game!(game, |rules: &'static G::Rules| press_randomly::<G>(rules));
        }
    }

    /// Two players' boards, the evaluation, choices and the input are visible in 80 by 24.
    fn fits_window<G: GameDisplay>(rules: &'static G::Rules) {
        let mut screen = screen::<G>(rules, 2);
        for _ in 0..10 {
            settle(&mut screen);
            let shown = drawn(&mut screen, (80, 24));
            for expected in ["seat 0 human: ", "seat 1 random: ", "  1 ", " %  1: ", ">  number or move"] {
                assert!(shown.contains(expected), "{expected} is missing in\n{shown}");
            }
            let boards = draw(screen.session.table.state(), &[], Seat::new(0), 80);
            let last = crate::display::plain(boards.last().unwrap());
            assert!(shown.contains(&last), "{last} is missing in\n{shown}");
            type_in(&mut screen, "1\n");
        }
    }

    #[test]
    fn two_players_fit_80_by_24() {
        for game in GameSpec::all() {
            with_game!(game, |rules: &'static G::Rules| fits_window::<G>(rules));
        }
    }

    #[test]
    fn moves_are_typed_filtered_and_chosen() {
        let mut screen = screen::<Azul>(intern(AzulRules::default()), 2);
        type_in(&mut screen, "1\n");
        assert_eq!(screen.session.table.plies(), 1, "nothing could be chosen before the deal");
        assert_eq!(screen.message, "it is not your turn");
        assert_eq!(screen.first, Seat::new(0));
        screen.press(KeyCode::Tab.into()).unwrap();
        assert_eq!(screen.first, Seat::new(1));
        type_in(&mut screen, "1B");
        assert_eq!(screen.filtered().len(), 6);
        type_in(&mut screen, "\n");
        assert!(screen.message.starts_with("several moves begin with 1B"), "{}", screen.message);
        screen.press(KeyCode::Down.into()).unwrap();
        screen.press(KeyCode::Down.into()).unwrap();
        assert!(drawn(&mut screen, (80, 24)).contains("Enter plays 1B1; 2 of 6"));
        type_in(&mut screen, "\n");
        assert_eq!(screen.session.table.history().moves()[1].to_string(), "1B1");
        type_in(&mut screen, "u");
        assert_eq!(screen.session.table.plies(), 1, "u acts at once");
        type_in(&mut screen, "fly\n");
        assert!(screen.message.contains("fly"));
        type_in(&mut screen, "h");
        assert!(drawn(&mut screen, (80, 24)).contains("hint (mcts:sims=5,margin=0)"));
        type_in(&mut screen, "xe");
        assert_eq!(screen.session.evaluation, Evaluation::Hidden, "x closed the hint");
        assert_eq!(screen.press(KeyCode::Char('q').into()).unwrap(), Flow::Leave);
    }
}
