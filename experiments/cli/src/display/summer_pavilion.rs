//! Summer Pavilion on a terminal.

use azulejo::summer_pavilion::{
    COLORS, Color, Feature, Phase, STAR_LETTERS, STAR_SLOTS, STARS, Slot, SummerPavilion,
};
use azulejo::tiles::Tiles;
use azulejo::{Game, Seat};
use ratatui::style::{Color as Ink, Style};
use ratatui::text::{Line, Span};

use super::factories::{factories_and_center, letters};
use super::{GameDisplay, faint, on};

impl GameDisplay for SummerPavilion {
    fn market_lines(&self) -> Vec<Line<'static>> {
        let in_center = self.token().is_none() && self.phase() == Phase::Acquire;
        let source = |source| self.source(source);
        let [factories, center] = factories_and_center(self.factories(), source, in_center, &colors());
        let mut supply = vec![Span::raw("wild "), tile(self.wild()), Span::styled("   supply ", faint())];
        supply.extend(letters(self.supply(), &colors()));
        let (bag, depot) = (self.bag().total(), self.depot().total());
        supply.push(Span::styled(format!("   bag {bag}   depot {depot}"), faint()));
        vec![factories, center, Line::from(supply)]
    }

    fn board_lines(&self, seat: Seat) -> Vec<Line<'static>> {
        let board = self.board(seat);
        let mut hand = vec![Span::styled("hand ", faint())];
        hand.extend(counts(board.hand()));
        if !board.kept().is_empty() {
            hand.push(Span::styled("  kept ", faint()));
            hand.extend(counts(board.kept()));
        }
        let head = Line::styled("   1 2 3 4 5 6  pillar statue window", faint());
        let mut rows = vec![Line::from(hand), head];
        rows.extend((0..STARS).map(|star| star_row(self, seat, star)));
        rows
    }
}

/// A star: its letter, its slots with the costs of free ones, and how far its features are.
fn star_row(state: &SummerPavilion, seat: Seat, star: usize) -> Line<'static> {
    let board = state.board(seat);
    let mut spans = vec![Span::styled(format!("{} ", &STAR_LETTERS[star..=star]), star_style(star))];
    spans.extend((0..STAR_SLOTS).map(|position| {
        let slot = Slot::new(star, position);
        let cost = || Span::styled(format!(" {}", state.rules().side.cost(slot)), faint());
        board.color_at(slot).map_or_else(cost, |color| Span::styled(format!(" {color}"), style(color)))
    }));
    let features = Color::ALL.get(star).map_or(&[][..], |&color| Feature::of_star(color));
    spans.push(Span::raw(" "));
    for feature in features {
        let (filled, all) = ((board.filled() & feature.slots).count_ones(), feature.slots.count_ones());
        let style = if filled == all { Style::new() } else { faint() };
        spans.push(Span::styled(format!(" {filled}/{all}   "), style));
    }
    Line::from(spans)
}

/// Outer stars have their color's ink.
fn star_style(star: usize) -> Style {
    debug_assert!(star <= COLORS);
    Color::ALL.get(star).map_or(Style::new(), |&color| Style::new().fg(style(color).bg.unwrap_or_default()))
}

fn style(color: Color) -> Style {
    match color {
        Color::Orange => on(Ink::Indexed(208), Ink::Black),
        Color::Red => on(Ink::Red, Ink::White),
        Color::Blue => on(Ink::Blue, Ink::White),
        Color::Yellow => on(Ink::Yellow, Ink::Black),
        Color::Green => on(Ink::Green, Ink::Black),
        Color::Purple => on(Ink::Magenta, Ink::White),
    }
}

fn tile(color: Color) -> Span<'static> {
    Span::styled(format!(" {color} "), style(color))
}

/// The letters of the colors with their styles.
fn colors() -> [(char, Style); COLORS] {
    Color::ALL.map(|color| (color.letter(), style(color)))
}

/// Tiles as numbers with letters: short even for a large hand.
fn counts(tiles: Tiles) -> Vec<Span<'static>> {
    let pairs = tiles.iter().flat_map(|(color, count)| {
        let color = Color::ALL[color];
        [Span::styled(format!("{count}{color}"), style(color)), Span::raw(" ")]
    });
    let spans: Vec<Span<'static>> = pairs.collect();
    if spans.is_empty() { vec![Span::raw("-")] } else { spans }
}
