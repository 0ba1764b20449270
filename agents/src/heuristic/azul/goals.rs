//! What a search of Azul can be bent to.

use azulejo::azul::{Azul, COLORS, Color};
use azulejo::{Game, Seat, Turn};

use crate::goal::{Goal, part};

/// The goals, rows and columns of the wall counted from the top and from the left.
pub(super) const GOALS: &[Goal<Azul>] = &[
    Goal { name: "columns", about: "complete columns", count: columns },
    Goal { name: "rows", about: "complete rows, which end the game", count: rows },
    Goal { name: "colors", about: "all five tiles of a color", count: colors },
    Goal { name: "long-lines", about: "tiles in the two lowest rows", count: long_lines },
    Goal { name: "first", about: "to begin the next round", count: first },
];

const SIZE: usize = COLORS;

/// How many of some spaces of a wall have a tile.
fn filled(state: &Azul, seat: Seat, spaces: impl Iterator<Item = (usize, usize)>) -> u32 {
    let wall = state.board(seat).wall();
    spaces.filter(|&(row, column)| wall.color_at(row, column).is_some()).count() as u32
}

fn columns(state: &Azul, seat: Seat) -> f32 {
    let column = |column| part(filled(state, seat, (0..SIZE).map(|row| (row, column))), SIZE as u32);
    (0..SIZE).map(column).sum()
}

fn rows(state: &Azul, seat: Seat) -> f32 {
    let row = |row| part(filled(state, seat, (0..SIZE).map(|column| (row, column))), SIZE as u32);
    (0..SIZE).map(row).sum()
}

fn colors(state: &Azul, seat: Seat) -> f32 {
    let wall = state.board(seat).wall();
    let spaces = || (0..SIZE * SIZE).map(|space| wall.color_at(space / SIZE, space % SIZE));
    let placed = |color: Color| spaces().filter(|&found| found == Some(color)).count() as u32;
    Color::ALL.into_iter().map(|color| part(placed(color), SIZE as u32)).sum()
}

fn long_lines(state: &Azul, seat: Seat) -> f32 {
    let lowest = (SIZE - 2..SIZE).flat_map(|row| (0..SIZE).map(move |column| (row, column)));
    filled(state, seat, lowest) as f32 / SIZE as f32
}

fn first(state: &Azul, seat: Seat) -> f32 {
    f32::from(u8::from(state.turn() != Turn::Over && state.starting_seat() == seat))
}
