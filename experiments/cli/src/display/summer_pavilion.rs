//! Summer Pavilion on a terminal.

use azulejo::summer_pavilion::{
    Action, COLORS, Color, Feature, LETTERS, Outcome, Phase, STAR_LETTERS, STAR_SLOTS, STARS, Slot,
    SummerPavilion,
};
use azulejo::tiles::Tiles;
use azulejo::{Game, Seat, Turn};
use ratatui::style::{Color as Ink, Style};
use ratatui::text::{Line, Span};

use super::factories::{factories_and_center, letters};
use super::{GameDisplay, Topic, faint, guide, on, source_in_words};

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

    fn notes(&self, seat: Seat) -> String {
        let token = (self.token() == Some(seat)).then_some("first");
        let passed = self.board(seat).passed().then_some("passed");
        token.into_iter().chain(passed).collect::<Vec<_>>().join(", ")
    }

    fn guide(&self, topic: Topic) -> Vec<String> {
        guide::summer_pavilion(self, topic)
    }

    fn task(&self) -> &'static str {
        match self.phase() {
            Phase::Deal => "the factories are to be filled",
            Phase::Supply => "the supply is to be filled",
            Phase::Acquire => "take tiles: source, color",
            Phase::Place => "place a tile (star, slot, color, wilds paid) or pass",
            Phase::Bonus => "take a bonus tile from the supply",
            Phase::Keep => "choose tiles to keep, up to 4",
            Phase::Over => "the game is over",
        }
    }

    fn action_in_words(&self, action: Action) -> String {
        match action {
            Action::Acquire { source, color } => {
                let held = self.source(source.into());
                let (from, wild) = (source_in_words(source), name(self.wild()));
                let count = held.count(color.index());
                if color == self.wild() {
                    format!("1 {wild} (wild), {from}")
                } else if held.count(self.wild().index()) > 0 {
                    format!("{count} {} + 1 {wild} (wild), {from}", name(color))
                } else {
                    format!("{count} {}, {from}", name(color))
                }
            }
            Action::Place { slot, color, wilds } => placement(self, slot, color, wilds),
            Action::Bonus(color) => format!("take a {} tile from the supply", name(color)),
            Action::Pass => "no more tiles in this round".to_owned(),
            Action::Keep(color) => format!("keep a {} tile", name(color)),
            Action::Done => match self.turn() {
                Turn::Player(seat) => {
                    let rest = self.board(seat).hand().total();
                    format!("keep no more, discard {rest} for -{rest}")
                }
                _ => "keep no more".to_owned(),
            },
        }
    }

    fn outcome_in_words(&self, outcome: &Outcome) -> String {
        match outcome {
            Outcome::Supply(tiles) => format!("the supply gets {}", tiles.letters(LETTERS)),
            Outcome::Deal(_) => "the factories are filled".to_owned(),
        }
    }
}

/// `green on the center star's 6 for 4 + 2 wild: +3`.
fn placement(state: &SummerPavilion, slot: Slot, color: Color, wilds: u8) -> String {
    let star = Color::ALL.get(slot.star()).map_or("center", |&color| name(color));
    let cost = state.rules().side.cost(slot);
    let wild = if wilds == 0 { String::new() } else { format!(" + {wilds} wild") };
    let mut next = *state;
    next.apply(Action::Place { slot, color, wilds });
    let points = match state.turn() {
        Turn::Player(seat) => next.board(seat).score() - state.board(seat).score(),
        _ => 0,
    };
    let owed = if next.owed() > 0 { format!(", {} bonus", next.owed()) } else { String::new() };
    let number = slot.position() + 1;
    format!("{} on {star} {number} for {}{wild}: +{points}{owed}", name(color), cost - wilds)
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

fn name(color: Color) -> &'static str {
    match color {
        Color::Orange => "orange",
        Color::Red => "red",
        Color::Blue => "blue",
        Color::Yellow => "yellow",
        Color::Green => "green",
        Color::Purple => "purple",
    }
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
