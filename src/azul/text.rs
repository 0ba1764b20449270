//! Azul's boards as plain text for a terminal.

use std::fmt;

use super::{Azul, Board, CENTER, COLORS, Color, LETTERS, Phase, Wall, WallSide};
use crate::spec::spec_of;

/// Columns between two boards' left edges; two fit into 80 columns.
const BOARD_WIDTH: usize = 26;

impl fmt::Display for Azul {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let phase = match self.phase {
            Phase::Deal => "the factories are to be filled".to_owned(),
            Phase::Draft => format!("seat {} takes tiles", self.to_move),
            Phase::Tile => format!("seat {} tiles a wall", self.to_move),
            Phase::Over => "over".to_owned(),
        };
        writeln!(f, "{} · round {} · {phase}", spec_of::<Azul>(self.rules), self.round)?;
        self.fmt_sources(f)?;
        let boards: Vec<Vec<String>> =
            self.boards.iter().map(|(seat, board)| self.board_rows(seat.index(), board)).collect();
        for row in 0..boards[0].len() {
            let line: String = boards.iter().map(|board| format!("{:BOARD_WIDTH$}", board[row])).collect();
            writeln!(f, "{}", line.trim_end())?;
        }
        Ok(())
    }
}

impl Azul {
    fn fmt_sources(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let factory = |number: usize| {
            let tiles = self.sources[number].letters(LETTERS).to_string();
            format!("{number}:{tiles:5}")
        };
        let factories: String = (1..=self.factories()).map(factory).collect();
        let marker = if self.marker.is_none() && self.phase == Phase::Draft { "*" } else { "" };
        let center = format!("{}{marker}", self.sources[CENTER].letters(LETTERS));
        let empty = if center.is_empty() { "-" } else { "" };
        writeln!(f, "{}", factories.trim_end())?;
        writeln!(f, "0:{center}{empty}   bag {}   lid {}", self.bag().total(), self.lid().total())
    }

    /// One board: score, then each line and wall row, then the floor. Filled spaces are capital letters.
    fn board_rows(&self, seat: usize, board: &Board) -> Vec<String> {
        let mut rows = vec![format!("seat {seat}: {} points", board.score)];
        for (row, line) in board.lines.iter().enumerate() {
            let tiles = line.color.letter().to_string().repeat(line.count.into());
            let free = ".".repeat(row + 1 - tiles.len());
            let wall: Vec<String> = (0..COLORS).map(|column| self.wall_space(board, row, column)).collect();
            rows.push(format!("{} {:>5} | {}", row + 1, free + &tiles, wall.join(" ")));
        }
        let free = ".".repeat(super::FLOOR_SPACES - board.floor.len());
        rows.push(format!("0 {}{free}", board.floor));
        rows
    }

    fn wall_space(&self, board: &Board, row: usize, column: usize) -> String {
        match (board.wall.color_at(row, column), self.rules.wall) {
            (Some(color), _) => color.letter().to_string(),
            (None, WallSide::Colored) => printed(row, column).to_string(),
            (None, WallSide::Gray) => ".".to_owned(),
        }
    }
}

fn printed(row: usize, column: usize) -> char {
    let color: Color = Wall::printed_color(row, column);
    color.letter().to_ascii_lowercase()
}
