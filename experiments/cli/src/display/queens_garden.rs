//! Queen's Garden on a terminal.

use azulejo::queens_garden::{
    AREAS, Action, Area, Color, Kind, KindSet, Ornament, Outcome, PLACES, Pattern, Phase, Place,
    QueensGarden, Selection, gap_hex,
};
use azulejo::{Game, Seat, Turn};
use ratatui::style::{Color as Ink, Modifier, Style};
use ratatui::text::{Line, Span};

use super::{GameDisplay, Topic, faint, guide, on};

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

    fn notes(&self, seat: Seat) -> String {
        let board = self.board(seat);
        let plural = if board.jokers() == 1 { "" } else { "s" };
        let jokers = format!("{} joker{plural}", board.jokers());
        let marker = (self.marker() == Some(seat)).then(|| "first".to_owned());
        let passed = board.passed().then(|| "passed".to_owned());
        [jokers].into_iter().chain(marker).chain(passed).collect::<Vec<String>>().join(", ")
    }

    fn guide(&self, topic: Topic) -> Vec<String> {
        guide::queens_garden(self, topic)
    }

    fn task(&self) -> &'static str {
        match self.phase() {
            Phase::Deal => "the stack's top is to be filled",
            Phase::Reveal => "an empty expansion is to be turned up",
            Phase::Turn => "acquire, place, buy or pass",
            Phase::Take => "choose the slot to take from",
            Phase::Place => "choose the place: area, then ring place",
            Phase::Pay => "choose what to pay with",
            Phase::Discard => "discard from the storage, or keep the rest",
            Phase::Over => "the game is over",
        }
    }

    fn action_in_words(&self, action: Action) -> String {
        match action {
            Action::Acquire(selection) => {
                let shown = self.slots().iter().fold(KindSet::EMPTY, |all, slot| all | slot.shown());
                let kinds: Vec<String> =
                    (shown & selection.kinds()).iter().map(|kind| kind.to_string()).collect();
                format!("all {}: {}", selection_name(selection), kinds.join(" "))
            }
            Action::Take(slot) => match next_to_take(self) {
                Some(kind) => format!("the {kind} of slot {slot}"),
                None => format!("take from slot {slot}"),
            },
            Action::Tile(kind) => format!("{} tile for {}", kind_name(kind), kind.value()),
            Action::Expansion(kind) => format!("{} expansion for {}", kind_name(kind), kind.value()),
            Action::At(place) => match (place.area(), place.spot()) {
                (0, spot) => format!("on the fountain board, place {spot}"),
                (area, 0) => format!("on area {area}, center"),
                (area, spot) => format!("on area {area}, place {spot}"),
            },
            Action::Pay(kind) => format!("pay the {} tile", kind_name(kind)),
            Action::PayExpansion(kind) => format!("pay the {} expansion", kind_name(kind)),
            Action::Joker => "pay the rest with jokers".to_owned(),
            Action::Buy(area) => {
                format!("face-down expansion on {area} for {}", self.rules().expansion_price)
            }
            Action::Pass => "no more turns in this round".to_owned(),
            Action::Drop(kind) => format!("discard {} for -{}", kind_name(kind), kind.value()),
            Action::DropExpansion(kind) => {
                format!("discard {} expansion for -{}", kind_name(kind), kind.value())
            }
            Action::Done => "keep the rest of the storage".to_owned(),
        }
    }

    fn outcome_in_words(&self, outcome: &Outcome) -> String {
        match outcome {
            Outcome::Fill(tiles) if tiles.is_empty() => "no tiles are left for the stack's top".to_owned(),
            Outcome::Fill(tiles) => {
                let kinds: Vec<String> = tiles.iter().map(|kind| kind.to_string()).collect();
                format!("the stack's top gets {}", kinds.join(" "))
            }
            Outcome::Reveal { slot, kind } => {
                format!("the expansion at slot {slot} is {kind}, {}", kind_name(*kind))
            }
        }
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

/// The kind that is shown at several slots and is to be taken next.
fn next_to_take(state: &QueensGarden) -> Option<Kind> {
    let [Action::Acquire(selection), taken @ ..] = state.pending().actions() else { return None };
    let (mut once, mut repeated) = (KindSet::EMPTY, KindSet::EMPTY);
    for slot in state.slots() {
        repeated |= once & slot.shown();
        once |= slot.shown();
    }
    (repeated & selection.kinds()).iter().nth(taken.len())
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

fn color_name(color: Color) -> &'static str {
    match color {
        Color::Yellow => "yellow",
        Color::LightBlue => "light blue",
        Color::LightGreen => "light green",
        Color::DarkGreen => "dark green",
        Color::LightPurple => "light purple",
        Color::DarkPurple => "dark purple",
    }
}

fn pattern_name(pattern: Pattern) -> &'static str {
    match pattern {
        Pattern::Tree => "tree",
        Pattern::Bird => "bird",
        Pattern::Butterfly => "butterfly",
        Pattern::Flower => "flower",
        Pattern::Plant => "plant",
        Pattern::Lily => "lily",
    }
}

fn selection_name(selection: Selection) -> &'static str {
    match selection {
        Selection::Color(color) => color_name(color),
        Selection::Pattern(pattern) => pattern_name(pattern),
    }
}

/// `light blue flower`.
fn kind_name(kind: Kind) -> String {
    format!("{} {}", color_name(kind.color()), pattern_name(kind.pattern()))
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
