//! Azul in words.

use azulejo::azul::{Action, Azul, Color, Deal, Phase};
use azulejo::{Game, Seat, Turn};

use super::{GameWords, MistakeKind, Topic, guide, mistakes, source_in_words};

impl GameWords for Azul {
    fn notes(&self, seat: Seat) -> String {
        let marker = self.marker() == Some(seat);
        if marker { "starts next".to_owned() } else { String::new() }
    }

    fn guide(&self, topic: Topic) -> Vec<String> {
        guide::azul(self, topic)
    }

    fn task(&self) -> &'static str {
        match self.phase() {
            Phase::Deal => "the factories are to be filled",
            Phase::Draft => "take tiles: source, color, line (0 is the floor)",
            Phase::Tile => "choose a column for a complete line",
            Phase::Over => "the game is over",
        }
    }

    fn action_in_words(&self, action: Action) -> String {
        match action {
            Action::Draft { source, color, line } => {
                let count = self.source(source.into()).count(color.index());
                let from = source_in_words(source);
                let to = match line {
                    0 => "the floor".to_owned(),
                    _ => format!("line {line}{}", overflow(self, count, line)),
                };
                format!("take {count} {} from {from} to {to}", name(color))
            }
            Action::Tile { row, column } => {
                format!("put the tile of line {} into column {}", row + 1, column + 1)
            }
        }
    }

    fn mistake_kind(&self, played: Action, better: Action) -> MistakeKind {
        mistakes::azul(self, played, better)
    }

    fn outcome_in_words(&self, _deal: &Deal) -> String {
        "the factories are filled".to_owned()
    }
}

/// How many tiles do not fit into a line of the player to move.
fn overflow(state: &Azul, count: u8, line: u8) -> String {
    let Turn::Player(seat) = state.turn() else { return String::new() };
    let room = line - state.board(seat).lines()[usize::from(line) - 1].count;
    match count.saturating_sub(room) {
        0 => String::new(),
        1 => ", 1 falls".to_owned(),
        fallen => format!(", {fallen} fall"),
    }
}

fn name(color: Color) -> &'static str {
    match color {
        Color::Blue => "blue",
        Color::Yellow => "yellow",
        Color::Red => "red",
        Color::Black => "black",
        Color::White => "white",
    }
}
