//! Queen's Garden as plain text for a terminal.

use std::fmt;

use super::actions::Action;
use super::garden::{Area, Garden};
use super::kind::Kind;
use super::place::{AREAS, PLACES, Place, gap_hex};
use super::state::{Board, Phase, QueensGarden, Slot};
use super::variant::Ornament;
use crate::spec::spec_of;

/// Columns between two boards' left edges; two fit into 100 columns.
const BOARD_WIDTH: usize = 46;
/// Boards beside each other.
const BOARDS_ABREAST: usize = 2;
/// Columns from a hex to the next one in its row; a row down shifts by half of it.
const HEX_WIDTH: usize = 4;
/// Hexes reach from -4 to 4 in every direction.
const RADIUS: i8 = 4;

impl fmt::Display for QueensGarden {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let phase = match self.phase {
            Phase::Deal => "the stack's top is to be filled".to_owned(),
            Phase::Reveal => "an empty expansion is to be turned up".to_owned(),
            Phase::Turn => format!("seat {} begins a turn", self.to_move),
            Phase::Take => format!("seat {} chooses a slot", self.to_move),
            Phase::Place => format!("seat {} chooses a place", self.to_move),
            Phase::Pay => format!("seat {} pays", self.to_move),
            Phase::Discard => format!("seat {} may discard", self.to_move),
            Phase::Over => "over".to_owned(),
        };
        let pending: Vec<String> = self.pending.actions().iter().map(Action::to_string).collect();
        let turn = if pending.is_empty() { phase } else { format!("{phase} · {}", pending.join(" ")) };
        writeln!(f, "{} · round {} · {turn}", spec_of::<QueensGarden>(self.rules), self.round)?;
        self.fmt_display(f)?;
        let boards: Vec<Vec<String>> =
            self.boards.iter().map(|(seat, board)| self.board_rows(seat.index(), board)).collect();
        for abreast in boards.chunks(BOARDS_ABREAST) {
            for row in 0..abreast[0].len() {
                let line: String =
                    abreast.iter().map(|board| format!("{:BOARD_WIDTH$}", board[row])).collect();
                writeln!(f, "{}", line.trim_end())?;
            }
        }
        Ok(())
    }
}

impl QueensGarden {
    /// The slots: tiles in brackets lie on a face-down expansion, the stack's top has a star.
    fn fmt_display(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let slots = self.slots().len();
        let slot = |(i, slot): (usize, &Slot)| {
            let star = if self.stack > 0 && i + 1 == slots { "*" } else { "" };
            let content =
                slot.kind.map_or_else(|| format!("[{}]", list(slot.tiles.iter())), |kind| kind.to_string());
            format!("{}{star} {content}", i + 1)
        };
        let slots: Vec<String> = self.slots().iter().enumerate().map(slot).collect();
        for line in slots.chunks(5) {
            writeln!(f, "{}", line.join("  "))?;
        }
        let (bag, tower) = (self.bag().total(), self.tower().total());
        writeln!(f, "stack {}   supply {}   bag {bag}   tower {tower}", self.stack, self.supply)
    }

    /// One board: points, storage, then the garden row by row.
    fn board_rows(&self, seat: usize, board: &Board) -> Vec<String> {
        let mut notes = format!("seat {seat}: {} points, {} jokers", board.score, board.jokers);
        if self.marker.is_some_and(|holder| holder.index() == seat) {
            notes += ", first";
        }
        if board.passed {
            notes += ", passed";
        }
        let mut rows = vec![notes, format!("tiles {}", list(board.tiles.iter()))];
        rows.push(format!("expansions {}", list(board.expansions.iter())));
        rows.extend(self.garden_rows(&board.garden));
        rows
    }

    fn garden_rows(&self, garden: &Garden) -> Vec<String> {
        let width = HEX_WIDTH * (2 * RADIUS as usize + 1);
        let mut rows = vec![vec![b' '; width]; 2 * RADIUS as usize + 1];
        let mut put = |(q, r): (i8, i8), text: &str| {
            // Half a hex to the right for each row down.
            let column = (2 * (q + RADIUS) + r) as usize * HEX_WIDTH / 2;
            rows[(r + RADIUS) as usize][column..column + text.len()].copy_from_slice(text.as_bytes());
        };
        for place in (0..PLACES).map(Place::from_index) {
            put(place.hex(), &place_text(garden, place));
        }
        for (gap, ornament) in self.rules.ornaments.iter().enumerate() {
            put(
                gap_hex(gap),
                match ornament {
                    Ornament::Statue => "st",
                    Ornament::Bench => "be",
                    Ornament::None => "  ",
                },
            );
        }
        rows.into_iter().map(|row| row.into_iter().map(char::from).collect()).collect()
    }
}

/// Two columns: the hexagon, `--` for a free place, the number of a free area in its center.
fn place_text(garden: &Garden, place: Place) -> String {
    if let Some(kind) = garden.hexagon(place) {
        return kind.to_string();
    }
    let area = place.area();
    let laid = if area == 0 { None } else { Some(garden.area(area)) };
    match (laid, place.spot()) {
        (None, 0) => "fo".to_owned(),
        (Some(Area::FaceUp { .. }), 0) => "pa".to_owned(),
        (Some(Area::Free), 0) if area < AREAS => format!("{area}?"),
        (Some(Area::Free), _) => "  ".to_owned(),
        _ => "--".to_owned(),
    }
}

fn list(kinds: impl Iterator<Item = Kind>) -> String {
    kinds.map(|kind| kind.to_string()).collect::<Vec<String>>().join(" ")
}
