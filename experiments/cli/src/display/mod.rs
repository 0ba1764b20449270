//! Games on a terminal: boards drawn in color with letters.
//!
//! What is special for a game is its [`GameDisplay`], one file a game; everything around it is the same for
//! all games. Every drawing can be read without color: a capital letter is a tile, colors only repeat what
//! the letters say.

mod azul;
mod factories;
mod queens_garden;
mod summer_pavilion;
#[cfg(test)]
mod tests;

use azulejo::Seat;
use azulejo_agents::Playable;
use ratatui::style::{Color, Modifier, Style};
use ratatui::text::{Line, Span};

use azulejo_experiments::score_sources::ScoreSources;
use azulejo_experiments::words::GameWords;

/// A game that a person can see on a terminal: in its plain text, or drawn by a game that has its own drawing.
pub trait GameDisplay: Playable + ScoreSources + GameWords {
    /// What lies on the table for everybody; as it is provided, the whole state's text.
    fn market_lines(&self) -> Vec<Line<'static>> {
        self.to_string().lines().map(|line| Line::raw(line.to_owned())).collect()
    }

    /// A player's board, at most [`BOARD_WIDTH`] columns wide and for all players of the same height.
    fn board_lines(&self, seat: Seat) -> Vec<Line<'static>> {
        _ = seat;
        Vec::new()
    }
}

/// The most columns of a board: two fit side by side into 80.
pub const BOARD_WIDTH: usize = 39;
/// Columns between two boards.
const GAP: usize = 2;

/// The table and all boards, `width` columns wide: the boards of all seats in turn order from `first`, each
/// with the seat's name, as many abreast as fit.
pub(crate) fn draw<G: GameDisplay>(
    state: &G,
    names: &[String],
    first: Seat,
    width: usize,
) -> Vec<Line<'static>> {
    let mut lines = state.market_lines();
    let abreast = ((width + GAP) / (BOARD_WIDTH + GAP)).max(1);
    let seats: Vec<Seat> = first.around(state.players()).collect();
    for row in seats.chunks(abreast) {
        let boards: Vec<Vec<Line<'static>>> = row.iter().map(|&seat| framed(state, names, seat)).collect();
        let height = boards.iter().map(Vec::len).max().unwrap_or(0);
        lines.extend((0..height).map(|line| beside(boards.iter().map(|board| board.get(line)))));
    }
    lines
}

/// A board below its caption.
fn framed<G: GameDisplay>(state: &G, names: &[String], seat: Seat) -> Vec<Line<'static>> {
    let name = names.get(seat.index()).map_or("", String::as_str);
    let notes = state.notes(seat);
    let separator = if notes.is_empty() { "" } else { " · " };
    let points = state.scores()[seat];
    let after = format!(": {points} points{separator}{notes}");
    let room = BOARD_WIDTH.saturating_sub(format!("seat {seat} ").chars().count() + after.chars().count());
    let caption = format!("seat {seat} {}{after}", cut(name, room.max(6)));
    let mut lines = vec![Line::styled(cut(&caption, BOARD_WIDTH), Modifier::BOLD)];
    lines.extend(state.board_lines(seat));
    lines
}

/// Pieces of lines side by side, each in the width of a board.
fn beside<'a>(parts: impl Iterator<Item = Option<&'a Line<'static>>>) -> Line<'static> {
    let mut spans = Vec::new();
    for part in parts {
        let width = part.map_or(0, Line::width);
        spans.extend(part.into_iter().flat_map(|line| {
            line.spans.iter().map(|span| Span::styled(span.content.clone(), line.style.patch(span.style)))
        }));
        spans.push(Span::raw(" ".repeat((BOARD_WIDTH + GAP).saturating_sub(width))));
    }
    spans.pop();
    Line::from(spans)
}

/// A text of at most `width` characters; where something is left out stands `…`.
pub(crate) fn cut(text: &str, width: usize) -> String {
    if text.chars().count() <= width {
        return text.to_owned();
    }
    text.chars().take(width.saturating_sub(1)).chain(['…']).collect()
}

/// A line's text without any style.
pub(crate) fn plain(line: &Line<'_>) -> String {
    let text: String = line.spans.iter().map(|span| span.content.as_ref()).collect();
    text.trim_end().to_owned()
}

/// Whether drawings have colors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Palette {
    /// Colors and weights.
    Colors,
    /// Weights only.
    NoColors,
}

impl Palette {
    /// Without colors if the variable `NO_COLOR` is set to anything, as <https://no-color.org> asks.
    pub fn from_environment() -> Self {
        let set = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
        if set { Palette::NoColors } else { Palette::Colors }
    }

    /// The lines as this palette shows them.
    pub(crate) fn paint(self, lines: Vec<Line<'static>>) -> Vec<Line<'static>> {
        match self {
            Palette::Colors => lines,
            Palette::NoColors => lines.into_iter().map(without_colors).collect(),
        }
    }
}

fn without_colors(mut line: Line<'static>) -> Line<'static> {
    let bare = |style: Style| Style { fg: None, bg: None, underline_color: None, ..style };
    line.style = bare(line.style);
    line.spans.iter_mut().for_each(|span| span.style = bare(span.style));
    line
}

/// A tile: dark or light letters on its color.
fn on(background: Color, letters: Color) -> Style {
    Style::new().bg(background).fg(letters).add_modifier(Modifier::BOLD)
}

/// What is there but means little now.
fn faint() -> Style {
    Style::new().add_modifier(Modifier::DIM)
}
