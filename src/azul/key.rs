//! Keys of states of Azul.

use super::{Action, Azul, Board, CENTER, COLORS, Color, Phase};
use crate::game::Game;
use crate::key::{Keyed, hash_of, part};
use crate::player::Seat;
use crate::tiles::Tiles;

/// The parts of a key.
const ROUND: u8 = 1;
const TURN: u8 = 2;
const MARKER: u8 = 3;
const FACTORY: u8 = 4;
const CENTER_TILES: u8 = 5;
const LINE: u8 = 6;
const FLOOR: u8 = 7;
const WALL: u8 = 8;
const SCORE: u8 = 9;
const START: u8 = 10;

impl Keyed for Azul {
    /// Not in the key: bag and lid, which color lies where on a floor line, and the order of the factories.
    fn key(&self) -> u64 {
        let factories = &self.sources[CENTER + 1..];
        let table = factories.iter().map(|&tiles| factory(tiles)).fold(0, u64::wrapping_add);
        let boards =
            self.boards.iter().map(|(seat, board)| board_key(seat, board)).fold(0, u64::wrapping_add);
        let round = part(ROUND, u64::from(self.round) << 8 | self.phase as u64);
        let start = part(START, self.start.index() as u64);
        [center(self.sources[CENTER]), turn(self.to_move), marker(self.marker), boards, round, start]
            .into_iter()
            .fold(table, u64::wrapping_add)
    }

    /// What lies in the lid and on the floor lines together follows from the rest.
    fn whole_key(&self) -> u64 {
        self.key().wrapping_add(hash_of(&(&self.sources, self.bag())))
    }

    #[inline]
    fn apply_keyed(&mut self, action: Action, key: u64) -> u64 {
        let Action::Draft { source, color, line } = action else {
            self.apply(action);
            return self.key();
        };
        let (seat, source) = (self.to_move, source as usize);
        let before = self.changing(source, color, line, seat);
        self.apply(action);
        if self.phase != Phase::Draft {
            return self.key();
        }
        let after = self.changing(source, color, line, seat);
        key.wrapping_sub(before).wrapping_add(after)
    }
}

impl Azul {
    /// The parts of the key that a draft changes.
    #[inline]
    fn changing(&self, source: usize, color: Color, line: u8, seat: Seat) -> u64 {
        let board = &self.boards[seat];
        let from = if source == CENTER { 0 } else { factory(self.sources[source]) };
        let line = match line.checked_sub(1) {
            Some(row) => line_key(seat, row.into(), color, board.lines[row as usize].count),
            None => 0,
        };
        [center(self.sources[CENTER]), line, floor(seat, board), turn(self.to_move), marker(self.marker)]
            .into_iter()
            .fold(from, u64::wrapping_add)
    }
}

/// The tiles of a factory, wherever it lies; an empty one is nothing.
#[inline]
fn factory(tiles: Tiles) -> u64 {
    if tiles.is_empty() { 0 } else { part(FACTORY, tiles.word()) }
}

#[inline]
fn center(tiles: Tiles) -> u64 {
    part(CENTER_TILES, tiles.word())
}

#[inline]
fn turn(seat: Seat) -> u64 {
    part(TURN, seat.index() as u64)
}

#[inline]
fn marker(holder: Option<Seat>) -> u64 {
    holder.map_or(0, |seat| part(MARKER, seat.index() as u64))
}

/// A line's tiles; an empty one is nothing.
#[inline]
fn line_key(seat: Seat, row: usize, color: Color, count: u8) -> u64 {
    let content = (seat.index() * COLORS + row) * COLORS + color.index();
    if count == 0 { 0 } else { part(LINE, (content as u64) << 8 | u64::from(count)) }
}

#[inline]
fn floor(seat: Seat, board: &Board) -> u64 {
    part(FLOOR, (seat.index() << 8 | board.floor.len()) as u64)
}

fn board_key(seat: Seat, board: &Board) -> u64 {
    let lines = board.lines.iter().enumerate().map(|(row, line)| line_key(seat, row, line.color, line.count));
    let wall = Color::ALL.map(|color| {
        let place = (seat.index() << 3 | color.index()) as u64;
        part(WALL, place << 32 | u64::from(board.wall.spaces_of(color)))
    });
    let score = part(SCORE, (seat.index() as u64) << 16 | board.score as u16 as u64);
    lines.chain(wall).chain([score]).fold(floor(seat, board), u64::wrapping_add)
}
