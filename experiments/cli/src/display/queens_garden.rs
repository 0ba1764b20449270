//! Queen's Garden on a terminal.

use azulejo::queens_garden::{
    AREAS, Action, Area, Color, Kind, Ornament, PLACES, Pattern, Place, QueensGarden, gap_hex,
};
use azulejo::{Game, Seat, Turn};
use ratatui::style::{Color as Ink, Modifier, Style};
use ratatui::text::{Line, Span};

use super::{GameDisplay, faint, on};

/// Columns from a hex to the next one in its row; a row down shifts by half of it.
const HEX_WIDTH: usize = 4;
/// Hexes reach from -4 to 4 in every direction.
const RADIUS: i8 = 4;
/// Columns of the display's text; it goes on in the next line.
const DISPLAY_WIDTH: usize = 80;

impl GameDisplay for QueensGarden {
    fn market_lines(&self) -> Vec<Line<'static>> {
        let mut lines = vec![Vec::new()];
        let mut width = 0;
        for number in 1..=self.slots().len() {
            let slot = slot_spans(self, number);
            let needed: usize = slot.iter().map(Span::width).sum();
            if width + needed > DISPLAY_WIDTH {
                lines.push(Vec::new());
                width = 0;
            }
            width += needed;
            lines.last_mut().expect("there is a first line").extend(slot);
        }
        let (bag, tower) = (self.bag().total(), self.tower().total());
        let rest = format!("stack {}   supply {}   bag {bag}   tower {tower}", self.stack(), self.supply());
        lines.push(vec![Span::styled(rest, faint()), Span::raw(scoring(self))]);
        lines.into_iter().map(Line::from).collect()
    }

    fn board_lines(&self, seat: Seat) -> Vec<Line<'static>> {
        let board = self.board(seat);
        // Twelve tiles fill the width of a board: they have no label.
        let mut expansions = vec![Span::styled("expansions ", faint())];
        expansions.extend(kinds(board.expansions().iter()));
        let mut rows = vec![Line::from(kinds(board.tiles().iter())), Line::from(expansions)];
        rows.extend(garden_rows(self, seat));
        rows
    }
}

/// What this round's wheel pays for each hexagon.
fn scoring(state: &QueensGarden) -> String {
    let wheel = &state.rules().wheel[state.round() as usize - 1];
    let colors = Color::ALL.into_iter().map(|color| color.to_string()).zip(wheel.colors);
    let patterns = Pattern::ALL.into_iter().map(|pattern| pattern.to_string()).zip(wheel.patterns);
    let paid = colors.chain(patterns).filter(|(_, points)| *points != 0);
    paid.fold("   this round scores".to_owned(), |text, (line, points)| format!("{text} {line}+{points}"))
}

/// A slot of the display with its number: tiles in brackets lie on a face-down expansion, the stack's top has
/// a star.
fn slot_spans(state: &QueensGarden, number: usize) -> Vec<Span<'static>> {
    let slot = &state.slots()[number - 1];
    let top = if state.stack() > 0 && number == state.slots().len() { "*" } else { "" };
    let mut spans = vec![Span::styled(format!("{number}{top}:"), faint())];
    match slot.kind() {
        Some(kind) => spans.push(hexagon(kind)),
        None => {
            let tiles: Vec<Kind> = slot.tiles().iter().collect();
            spans.push(Span::raw("["));
            for (place, kind) in tiles.into_iter().enumerate() {
                spans.extend((place > 0).then(|| Span::raw(" ")));
                spans.push(hexagon(kind));
            }
            spans.push(Span::raw("]"));
        }
    }
    spans.push(Span::raw("  "));
    spans
}

/// The garden row by row; where the player to move may place now the places' numbers stand out.
fn garden_rows(state: &QueensGarden, seat: Seat) -> Vec<Line<'static>> {
    let rows = 2 * RADIUS as usize + 1;
    let mut cells: Vec<Vec<(usize, Span<'static>)>> = vec![Vec::new(); rows];
    let mut put = |(q, r): (i8, i8), span: Span<'static>| {
        // Half a hex to the right for each row down.
        let column = (2 * (q + RADIUS) + r) as usize * HEX_WIDTH / 2;
        cells[(r + RADIUS) as usize].push((column, span));
    };
    let mut legal = Vec::new();
    if state.turn() == Turn::Player(seat) {
        state.legal_actions(&mut legal);
    }
    for place in (0..PLACES).map(Place::from_index) {
        put(place.hex(), place_span(state, seat, place, legal.contains(&Action::At(place))));
    }
    for (gap, ornament) in state.rules().ornaments.iter().enumerate() {
        let text = match ornament {
            Ornament::Statue => "st",
            Ornament::Bench => "be",
            Ornament::None => "  ",
        };
        put(gap_hex(gap), Span::styled(text, Style::new().add_modifier(Modifier::ITALIC)));
    }
    cells.into_iter().map(in_columns).collect()
}

/// Spans at their columns.
fn in_columns(mut cells: Vec<(usize, Span<'static>)>) -> Line<'static> {
    cells.sort_by_key(|cell| cell.0);
    let (mut spans, mut width) = (Vec::new(), 0);
    for (column, span) in cells {
        spans.push(Span::raw(" ".repeat(column - width)));
        width = column + span.width();
        spans.push(span);
    }
    Line::from(spans)
}

/// Two columns: the hexagon, the number of a free place, the number of a free area in its center.
fn place_span(state: &QueensGarden, seat: Seat, place: Place, open: bool) -> Span<'static> {
    let garden = state.board(seat).garden();
    if let Some(kind) = garden.hexagon(place) {
        return hexagon(kind);
    }
    if open {
        return Span::styled(place.to_string(), Style::new().add_modifier(Modifier::REVERSED));
    }
    let area = place.area();
    let laid = if area == 0 { None } else { Some(garden.area(area)) };
    match (laid, place.spot()) {
        (None, 0) => Span::raw("fo"),
        (Some(Area::FaceUp { .. }), 0) => Span::raw("pa"),
        (Some(Area::Free), 0) if area < AREAS => Span::styled(format!("{area}?"), faint()),
        (Some(Area::Free), _) => Span::styled(" .", faint()),
        _ => Span::styled(place.to_string(), faint()),
    }
}

fn style(color: Color) -> Style {
    match color {
        Color::Yellow => on(Ink::Yellow, Ink::Black),
        Color::LightBlue => on(Ink::Cyan, Ink::Black),
        Color::LightGreen => on(Ink::LightGreen, Ink::Black),
        Color::DarkGreen => on(Ink::Green, Ink::White),
        Color::LightPurple => on(Ink::LightMagenta, Ink::Black),
        Color::DarkPurple => on(Ink::Magenta, Ink::White),
    }
}

fn hexagon(kind: Kind) -> Span<'static> {
    Span::styled(kind.to_string(), style(kind.color()))
}

fn kinds(kinds: impl Iterator<Item = Kind>) -> Vec<Span<'static>> {
    let spans: Vec<Span<'static>> = kinds.flat_map(|kind| [hexagon(kind), Span::raw(" ")]).collect();
    if spans.is_empty() { vec![Span::styled("none", faint())] } else { spans }
}
