//! Summer Pavilion's boards as plain text for a terminal.

use std::fmt;

use super::{
    Board, CENTER, Color, Feature, LETTERS, Phase, STAR_LETTERS, STAR_SLOTS, STARS, Slot, SummerPavilion,
};
use crate::player::Seat;
use crate::spec::spec_of;
use crate::tiles::Tiles;

/// Columns between two boards' left edges; two fit into 80 columns.
const BOARD_WIDTH: usize = 40;

/// The top of a board: what the columns below show.
const COLUMNS: &str = "    1 2 3 4 5 6   pillar statue window";

impl fmt::Display for SummerPavilion {
    /// The boards stand in pairs. A capital letter is a tile, a digit the cost of a free slot; after each
    /// outer star stand its features as filled slots of all slots.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "{} · round {} · wild {} · {}",
            spec_of::<SummerPavilion>(self.rules),
            self.round,
            self.wild,
            self.waiting_for()
        )?;
        self.fmt_table(f)?;
        let boards: Vec<Vec<String>> =
            self.boards.iter().map(|(seat, board)| self.board_rows(seat, board)).collect();
        for (i, pair) in boards.chunks(2).enumerate() {
            if i > 0 {
                writeln!(f)?;
            }
            for row in 0..pair[0].len() {
                let line: String = pair.iter().map(|board| format!("{:BOARD_WIDTH$}", board[row])).collect();
                writeln!(f, "{}", line.trim_end())?;
            }
        }
        Ok(())
    }
}

impl SummerPavilion {
    fn waiting_for(&self) -> String {
        match self.phase {
            Phase::Deal => "factories to be filled".to_owned(),
            Phase::Supply => "supply to be filled".to_owned(),
            Phase::Acquire => format!("seat {} takes tiles", self.to_move),
            Phase::Place => format!("seat {} places or passes", self.to_move),
            Phase::Bonus => format!("seat {} is owed {} tiles", self.to_move, self.owed),
            Phase::Keep => format!("seat {} keeps tiles", self.to_move),
            Phase::Over => "over".to_owned(),
        }
    }

    fn fmt_table(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let factories = (1..=self.factories())
            .map(|factory| format!("{factory}:{:4}", or_dash(self.sources[factory])))
            .collect::<Vec<_>>()
            .join("  ");
        writeln!(f, "{}", factories.trim_end())?;
        let token = if self.token.is_none() { " + start token" } else { "" };
        writeln!(f, "0:{}{token}", or_dash(self.sources[CENTER]))?;
        let (bag, depot) = (self.bag().total(), self.depot().total());
        writeln!(f, "supply {}   bag {bag}   depot {depot}", or_dash(self.supply))
    }

    /// One board: score, hand, then a row for each star.
    fn board_rows(&self, seat: Seat, board: &Board) -> Vec<String> {
        let token = if self.token == Some(seat) { ", start token" } else { "" };
        let passed = if board.passed { ", passed" } else { "" };
        let mut rows = vec![
            format!("seat {seat}: {} points{token}{passed}", board.score),
            format!("hand {}", in_counts(board.hand)),
            format!("kept {}", or_dash(board.kept)),
            COLUMNS.to_owned(),
        ];
        rows.extend((0..STARS).map(|star| self.star_row(board, star)));
        rows
    }

    fn star_row(&self, board: &Board, star: usize) -> String {
        let slots = (0..STAR_SLOTS).map(|position| {
            let slot = Slot::new(star, position);
            board
                .color_at(slot)
                .map_or_else(|| self.rules.side.cost(slot).to_string(), |color| color.to_string())
        });
        let slots = slots.collect::<Vec<_>>().join(" ");
        let features = Color::ALL.get(star).map_or(&[][..], |&color| Feature::of_star(color));
        let features = features.iter().map(|feature| {
            let filled = (board.filled() & feature.slots).count_ones();
            format!("{filled}/{}", feature.slots.count_ones())
        });
        let features = features.map(|text| format!("{text:7}")).collect::<String>();
        format!(" {}  {slots}   {features}", &STAR_LETTERS[star..=star]).trim_end().to_owned()
    }
}

/// The letters of tiles, `-` if there are none.
fn or_dash(tiles: Tiles) -> String {
    if tiles.is_empty() { "-".to_owned() } else { tiles.letters(LETTERS).to_string() }
}

/// Tiles as numbers with letters: short even for a large hand.
fn in_counts(tiles: Tiles) -> String {
    let counts: Vec<String> =
        tiles.iter().map(|(color, count)| format!("{count}{}", Color::ALL[color])).collect();
    if counts.is_empty() { "-".to_owned() } else { counts.join(" ") }
}
