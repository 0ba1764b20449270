//! The viewer of a recorded game on the whole screen.

use std::io;
use std::sync::atomic::AtomicBool;

use azulejo::Seat;
use ratatui::Frame;
use ratatui::crossterm::event::{KeyCode, KeyEvent};
use ratatui::layout::{Constraint, Layout};
use ratatui::style::Modifier;
use ratatui::text::{Line, Span};
use ratatui::widgets::{Paragraph, Wrap};

use super::Review;
use crate::display::{GameDisplay, Palette, draw};
use crate::play::advice::evaluation_line;
use crate::terminal::{self, App, Drawing, Flow};

/// Lines that are kept free below the boards.
const BELOW: usize = 6;
/// What the keys do.
const KEYS: &str = "n p step  g N jump  b next mark  a analysis  Tab boards  q quit";

/// Shows a game until the user quits or `stop` is set.
///
/// # Errors
/// If the terminal fails; it is as before in any case.
pub(crate) fn show<G: GameDisplay>(
    review: &Review<G>,
    palette: Palette,
    stop: &AtomicBool,
) -> io::Result<()> {
    terminal::run(&mut Viewer::new(review, palette), stop)
}

/// Whether the analysis is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum AnalysisProgress {
    Shown,
    Hidden,
}

struct Viewer<'a, G: GameDisplay> {
    review: &'a Review<G>,
    palette: Palette,
    ply: usize,
    analysis: AnalysisProgress,
    /// The digits of a jump that is being typed.
    jump: Option<String>,
    first: Seat,
}

impl<'a, G: GameDisplay> Viewer<'a, G> {
    fn new(review: &'a Review<G>, palette: Palette) -> Self {
        Viewer {
            review,
            palette,
            ply: 0,
            analysis: AnalysisProgress::Shown,
            jump: None,
            first: Seat::default(),
        }
    }

    fn last(&self) -> usize {
        self.review.history.plies()
    }

    fn go(&mut self, ply: usize) {
        self.ply = ply.min(self.last());
    }

    /// Takes a key while a jump is typed; returns whether it was one for that.
    fn type_jump(&mut self, code: KeyCode) -> bool {
        match (&mut self.jump, code) {
            (Some(digits), KeyCode::Char(digit @ '0'..='9')) => digits.push(digit),
            (Some(digits), KeyCode::Backspace) => _ = digits.pop(),
            (Some(digits), KeyCode::Enter) => {
                let wanted = digits.parse().ok();
                self.jump = None;
                self.go(wanted.unwrap_or(self.ply));
            }
            (Some(_), _) => {
                self.jump = None;
                return false;
            }
            (None, KeyCode::Char('g')) => self.jump = Some(String::new()),
            (None, KeyCode::Char(digit @ '0'..='9')) => self.jump = Some(digit.to_string()),
            (None, _) => return false,
        }
        true
    }

    /// What stands below the boards.
    fn text(&self) -> Vec<Line<'static>> {
        let review = self.review;
        let mut lines = vec![Line::styled(review.caption(self.ply), Modifier::BOLD)];
        if self.analysis == AnalysisProgress::Shown {
            lines.extend(review.comment(self.ply).into_iter().map(Line::raw));
        }
        if self.ply == self.last() {
            lines.extend(review.summary().into_iter().map(Line::raw));
        }
        lines
    }

    fn footer(&self) -> Line<'static> {
        let place = format!("{} of {}", self.ply, self.last());
        match &self.jump {
            Some(digits) => Line::raw(format!("{place} · jump to {digits}_")),
            None => Line::from(vec![Span::raw(place), Span::styled(format!("  {KEYS}"), Modifier::DIM)]),
        }
    }

    fn evaluation_line(&self) -> Line<'static> {
        let shares = self.review.shares_at(self.ply).filter(|_| self.analysis == AnalysisProgress::Shown);
        shares.map_or_else(Line::default, |shares| evaluation_line(&shares))
    }
}

impl<G: GameDisplay> App for Viewer<'_, G> {
    type Error = io::Error;

    fn tick(&mut self) -> io::Result<Drawing> {
        Ok(Drawing::Fresh)
    }

    fn press(&mut self, key: KeyEvent) -> io::Result<Flow> {
        if self.type_jump(key.code) {
            return Ok(Flow::Stay);
        }
        match key.code {
            KeyCode::Char('q') | KeyCode::Esc => return Ok(Flow::Leave),
            KeyCode::Char('n' | ' ') | KeyCode::Enter | KeyCode::Right | KeyCode::Down => {
                self.go(self.ply + 1)
            }
            KeyCode::Char('p') | KeyCode::Backspace | KeyCode::Left | KeyCode::Up => {
                self.go(self.ply.saturating_sub(1));
            }
            KeyCode::PageDown => self.go(self.ply + 10),
            KeyCode::PageUp => self.go(self.ply.saturating_sub(10)),
            KeyCode::Home => self.go(0),
            KeyCode::End => self.go(self.last()),
            KeyCode::Char('b') => self.go(self.review.next_mark(self.ply).unwrap_or(self.ply)),
            KeyCode::Char('a') => {
                self.analysis = match self.analysis {
                    AnalysisProgress::Shown => AnalysisProgress::Hidden,
                    AnalysisProgress::Hidden => AnalysisProgress::Shown,
                };
            }
            KeyCode::Tab => self.first = self.first.next(self.review.record.players),
            _ => {}
        }
        Ok(Flow::Stay)
    }

    fn draw(&mut self, frame: &mut Frame<'_>) {
        let (width, height) = (frame.area().width as usize, frame.area().height as usize);
        let state = &self.review.history.state_at(self.ply);
        let mut boards = draw(state, &self.review.names(), self.first, width);
        boards.truncate(height.saturating_sub(BELOW + 2));
        let [header, board_area, bar_area, text_area, footer_area] = Layout::vertical([
            Constraint::Length(1),
            Constraint::Length(boards.len() as u16),
            Constraint::Length(1),
            Constraint::Min(0),
            Constraint::Length(1),
        ])
        .areas(frame.area());
        let title = format!("{} · round {} · {}", self.review.record.game, state.round(), state.task());
        let paint = |lines| Paragraph::new(self.palette.paint(lines));
        frame.render_widget(paint(vec![Line::styled(title, Modifier::BOLD)]), header);
        frame.render_widget(paint(boards), board_area);
        frame.render_widget(paint(vec![self.evaluation_line()]), bar_area);
        frame.render_widget(paint(self.text()).wrap(Wrap { trim: false }), text_area);
        frame.render_widget(paint(vec![self.footer()]), footer_area);
    }
}
