//! Azul on a terminal.

use azulejo::azul::{Azul, COLORS, Color, FLOOR_SPACES, Phase, Wall, WallSide};
use azulejo::{Game, Seat};
use ratatui::style::{Color as Ink, Style};
use ratatui::text::{Line, Span};

use super::factories::factories_and_center;
use super::{GameDisplay, faint, on};

impl GameDisplay for Azul {
    fn market_lines(&self) -> Vec<Line<'static>> {
        let in_center = self.marker().is_none() && self.phase() == Phase::Draft;
        let source = |source| self.source(source);
        let [factories, mut center] = factories_and_center(self.factories(), source, in_center, &colors());
        let (bag, lid) = (self.bag().total(), self.lid().total());
        center.push_span(Span::styled(format!("   bag {bag}   lid {lid}"), faint()));
        vec![factories, center]
    }

    fn board_lines(&self, seat: Seat) -> Vec<Line<'static>> {
        let mut rows: Vec<Line<'static>> = (0..COLORS).map(|number| row(self, seat, number)).collect();
        rows.push(floor_row(self, seat));
        rows
    }
}

/// A pattern line, right-aligned, and its row of the wall.
fn row(state: &Azul, seat: Seat, row: usize) -> Line<'static> {
    let (board, side) = (state.board(seat), state.rules().wall);
    let line = board.lines()[row];
    let mut spans = vec![Span::styled(format!("{} ", row + 1), faint())];
    spans.push(Span::raw("   ".repeat(COLORS - 1 - row)));
    let free = row + 1 - usize::from(line.count);
    spans.extend((0..free).map(|_| Span::styled(" . ", faint())));
    spans.extend((0..line.count).map(|_| tile(line.color)));
    spans.push(Span::styled(" | ", faint()));
    spans.extend((0..COLORS).map(|column| match (board.wall().color_at(row, column), side) {
        (Some(color), _) => tile(color),
        (None, WallSide::Colored) => printed(Wall::printed_color(row, column)),
        (None, WallSide::Gray) => Span::styled(" . ", faint()),
    }));
    Line::from(spans)
}

/// The floor line: what lies there, then what the free spaces cost.
fn floor_row(state: &Azul, seat: Seat) -> Line<'static> {
    let floor = state.board(seat).floor();
    let mut spans = vec![Span::styled("0 ", faint())];
    spans.extend(floor.contents().map(|tile_or_marker| tile_or_marker.map_or(Span::raw(" * "), tile)));
    let costs = &state.rules().floor[floor.len()..FLOOR_SPACES];
    spans.extend(costs.iter().map(|cost| Span::styled(format!("{cost:2} "), faint())));
    Line::from(spans)
}

fn style(color: Color) -> Style {
    match color {
        Color::Blue => on(Ink::Blue, Ink::White),
        Color::Yellow => on(Ink::Yellow, Ink::Black),
        Color::Red => on(Ink::Red, Ink::White),
        Color::Black => on(Ink::DarkGray, Ink::White),
        Color::White => on(Ink::White, Ink::Black),
    }
}

fn tile(color: Color) -> Span<'static> {
    Span::styled(format!(" {color} "), style(color))
}

/// A free space of the colored wall, in small letters.
fn printed(color: Color) -> Span<'static> {
    let ink = style(color).bg.unwrap_or_default();
    Span::styled(format!(" {} ", color.letter().to_ascii_lowercase()), faint().fg(ink))
}

/// The letters of the colors with their styles.
fn colors() -> [(char, Style); COLORS] {
    Color::ALL.map(|color| (color.letter(), style(color)))
}
